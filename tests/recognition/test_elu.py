"""The exponential linear units, of which the exponential is taken in several ways."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import dxir
from dxir import ops

Make = Callable[[Any], Any]
ALPHA, SCALE = 1.6732632423543772, 1.0507009873554805


def full(x: Any, value: float) -> Any:
    return ops.full_like(x, value=value)


def above(x: Any) -> Any:
    return ops.compare(x, full(x, 0), direction="GT")


def lowered(x: Any) -> Any:
    return ops.min(x, full(x, 0))


def jax(x: Any, alpha: float) -> Any:
    below = ops.expm1(ops.select(above(x), full(x, 0), x))
    return ops.select(above(x), x, full(x, alpha) * below)


def torch(x: Any, alpha: float, scale: float) -> Any:
    below = ops.expm1(x * full(x, 1)) * full(x, alpha * scale)
    return ops.select(above(x), x * full(x, scale), below)


def told(alpha: str) -> str:
    return f"alpha = {alpha} : f64"


FORMS: dict[str, tuple[Make, str, str]] = {
    "jax": (lambda x: jax(x, 1), "elu", told("1.000000e+00")),
    "jax with a half": (lambda x: jax(x, 0.5), "elu", told("5.000000e-01")),
    "torch": (lambda x: torch(x, 1, 1), "elu", told("1.000000e+00")),
    "tensorflow": (lambda x: ops.select(above(x), x, ops.expm1(x)), "elu", told("1.000000e+00")),
    "from below": (
        lambda x: ops.select(ops.compare(x, full(x, 0), direction="LT"), ops.expm1(x), x),
        "elu",
        told("1.000000e+00"),
    ),
    "less one": (
        lambda x: ops.select(above(x), x, 2.0 * (ops.exp(lowered(x)) - 1)),
        "elu",
        told("2.000000e+00"),
    ),
    "jax's selu": (lambda x: SCALE * jax(x, ALPHA), "selu", ""),
    "torch's selu": (lambda x: torch(x, ALPHA, SCALE), "selu", ""),
    "celu": (
        lambda x: ops.max(x, full(x, 0)) + 2.0 * ops.expm1(lowered(x) / 2.0),
        "celu",
        told("2.000000e+00"),
    ),
    "celu by selection": (
        lambda x: ops.select(above(x), x, 0.5 * ops.expm1(x * 2.0)), "celu", told("5.000000e-01"),
    ),
}  # fmt: skip
NOT: dict[str, Make] = {
    "the other way": lambda x: ops.select(above(x), ops.expm1(x), x),
    "of another": lambda x: ops.select(above(x), x, ops.expm1(ops.sin(x))),
    "less two": lambda x: ops.select(above(x), x, ops.exp(x) - 2),
    "exp": lambda x: ops.select(above(x), x, ops.exp(x)),
    "above one": lambda x: ops.select(ops.compare(x, full(x, 1), direction="GT"), x, ops.expm1(x)),
    "celu of two alphas": lambda x: ops.select(above(x), x, 0.5 * ops.expm1(x * 3.0)),
    "scaled above": lambda x: ops.select(above(x), 2.0 * x, ops.expm1(x)),
}


@pytest.mark.parametrize("spelling", FORMS)
@pytest.mark.parametrize("element", ["f32", "bf16"])
def test_the_unit_is_found(find: Any, spelling: str, element: str) -> None:
    make, pattern, attributes = FORMS[spelling]
    assert [(f.pattern, f.attributes) for f in find(make, element)] == [(pattern, attributes)]


@pytest.mark.parametrize("what", NOT)
def test_what_only_looks_like_one_is_not_one(find: Any, what: str) -> None:
    assert find(NOT[what]) == []


def test_an_elu_of_other_numbers_than_selus_is_an_elu(find: Any) -> None:
    found = find(lambda x: SCALE * jax(x, 1.5))
    assert [(f.pattern, f.attributes) for f in found] == [("elu", told("1.500000e+00"))]


def test_an_alpha_given_to_a_function_is_known_where_it_is_called(recognize: Any) -> None:
    program = dxir.load(
        """
        func.func public @main(%x: tensor<8xf32>) -> tensor<8xf32> {
          %a = stablehlo.constant dense<0.5> : tensor<f32>
          %y = call @elu(%x, %a) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
          return %y : tensor<8xf32>
        }
        func.func private @elu(%x: tensor<8xf32>, %a: tensor<f32>) -> tensor<8xf32> {
          %0 = stablehlo.constant dense<0.0> : tensor<8xf32>
          %1 = stablehlo.compare GT, %x, %0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
          %2 = stablehlo.exponential_minus_one %x : tensor<8xf32>
          %3 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<8xf32>
          %4 = stablehlo.multiply %3, %2 : tensor<8xf32>
          %5 = stablehlo.select %1, %x, %4 : tensor<8xi1>, tensor<8xf32>
          return %5 : tensor<8xf32>
        }
        """
    )
    (found,) = recognize(program)
    assert (found.pattern, found.attributes) == ("elu", told("5.000000e-01"))
