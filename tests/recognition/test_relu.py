"""The rectifiers: maxima, clamps and selections, with the numbers where they bend."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import dxir
from dxir import ops

Make = Callable[[Any], Any]


def greater(a: Any, b: Any) -> Any:
    return ops.compare(a, b, direction="GT")


def no_less(a: Any, b: Any) -> Any:
    return ops.compare(a, b, direction="GE")


def full(x: Any, value: float) -> Any:
    return ops.full_like(x, value=value)


def clip(least: float, x: Any, most: float) -> Any:
    return ops.min(ops.max(x, full(x, least)), full(x, most))


def chosen(x: Any, condition: Callable[[Any, Any], Any], below: Any) -> Any:
    return ops.select(condition(x, full(x, 0)), x, below)


def hard_tanh(x: Any) -> Any:
    """As `jax.nn.hard_tanh` is: the upper bound first."""
    lower = ops.select(ops.compare(x, full(x, -1), direction="LT"), full(x, -1), x)
    return ops.select(greater(x, full(x, 1)), full(x, 1), lower)


FORMS: dict[str, tuple[Make, str, str]] = {
    "maximum": (lambda x: ops.max(x, full(x, 0)), "relu", ""),
    "maximum of 0": (lambda x: ops.max(full(x, 0), x), "relu", ""),
    "relu": (lambda x: chosen(x, greater, full(x, 0)), "relu", 'form = "select"'),
    "relu from 0": (lambda x: chosen(x, no_less, full(x, 0)), "relu", 'form = "select"'),
    "relu the other way": (
        lambda x: ops.select(greater(full(x, 0), x), full(x, 0), x), "relu", 'form = "select"',
    ),
    "leaky": (
        lambda x: chosen(x, no_less, x * 0.2), "leaky_relu", "negative_slope = 2.000000e-01 : f64",
    ),
    "leaky above 0": (
        lambda x: chosen(x, greater, 0.01 * x), "leaky_relu", "negative_slope = 1.000000e-02 : f64",
    ),
    "leaky from below": (
        lambda x: ops.select(ops.compare(x, full(x, 0), direction="LT"), x * 0.1, x),
        "leaky_relu",
        "negative_slope = 1.000000e-01 : f64",
    ),
    "leaky maximum": (
        lambda x: ops.max(x, x * 0.25), "leaky_relu", "negative_slope = 2.500000e-01 : f64",
    ),
    "relu6": (lambda x: clip(0, x, 6), "relu6", ""),
    "relu6 by clamp": (lambda x: ops.clamp(0, x, 6), "relu6", ""),
    "relu6 from above": (
        lambda x: ops.max(ops.min(x, full(x, 6)), full(x, 0)), "relu6", "",
    ),
    "hard tanh": (hard_tanh, "hard_tanh", ""),
    "hard tanh by clamp": (lambda x: ops.clamp(-1, x, 1), "hard_tanh", ""),
    "hard sigmoid": (lambda x: clip(0, x + 3, 6) / 6, "hard_sigmoid", ""),
    "hard sigmoid by clamp": (lambda x: ops.clamp(0, x + 3, 6) * (1 / 6), "hard_sigmoid", ""),
    "hard sigmoid within 1": (lambda x: ops.clamp(0, x / 6 + 0.5, 1), "hard_sigmoid", ""),
    "hard swish": (lambda x: x * (clip(0, x + 3, 6) / 6), "hard_swish", ""),
    "hard swish over 6": (lambda x: x * ops.clamp(0, x + 3, 6) / 6, "hard_swish", ""),
    "hard swish within 1": (lambda x: x * ops.clamp(0, x / 6 + 0.5, 1), "hard_swish", ""),
}  # fmt: skip
NOT: dict[str, Make] = {
    "of one": lambda x: ops.max(x, full(x, 1)),
    "minimum": lambda x: ops.min(x, full(x, 0)),
    "of below": lambda x: ops.select(greater(full(x, 0), x), x, full(x, 0)),
    "another value": lambda x: ops.select(greater(x, full(x, 0)), ops.sin(x), full(x, 0)),
    "of above one": lambda x: ops.select(greater(x, full(x, 1)), x, full(x, 0)),
    "steep maximum": lambda x: ops.max(x, x * 2),
    "slope above": lambda x: ops.select(no_less(x, full(x, 0)), x * 0.2, x),
    "clamp to 5": lambda x: ops.clamp(0, x, 5),
    "clamp to itself": lambda x: ops.clamp(-6, x, 6),
    "step": lambda x: ops.select(greater(x, full(x, 0)), full(x, 1), full(x, 0)),
    "equal": lambda x: ops.select(ops.compare(x, full(x, 0), direction="EQ"), x, full(x, 0)),
}


@pytest.mark.parametrize("spelling", FORMS)
@pytest.mark.parametrize("element", ["f32", "bf16"])
def test_the_rectifier_is_found(find: Any, spelling: str, element: str) -> None:
    make, pattern, attributes = FORMS[spelling]
    found = find(make, element)
    assert [f.pattern for f in found] == [pattern]
    if element == "f32":
        assert found[0].attributes == attributes


@pytest.mark.parametrize("what", NOT)
def test_what_only_looks_like_a_rectifier_is_not_one(find: Any, what: str) -> None:
    assert find(NOT[what]) == []


def test_integers_are_left_alone(find: Any) -> None:
    assert find(lambda x: ops.max(x, full(x, 0)), "i32") == []
    assert find(lambda x: ops.clamp(0, x, 6), "i32") == []


def test_bounds_may_be_given_to_a_function_that_clips(recognize: Any) -> None:
    program = dxir.load(
        """
        func.func public @main(%x: tensor<8xf32>) -> tensor<8xf32> {
          %0 = stablehlo.constant dense<0.0> : tensor<f32>
          %6 = stablehlo.constant dense<6> : tensor<i32>
          %y = call @clip(%x, %0, %6) : (tensor<8xf32>, tensor<f32>, tensor<i32>) -> tensor<8xf32>
          return %y : tensor<8xf32>
        }
        func.func private @clip(%x: tensor<8xf32>, %a: tensor<f32>, %b: tensor<i32>)
            -> tensor<8xf32> {
          %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<8xf32>
          %1 = stablehlo.maximum %0, %x : tensor<8xf32>
          %2 = stablehlo.convert %b : (tensor<i32>) -> tensor<f32>
          %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<8xf32>
          %4 = stablehlo.minimum %3, %1 : tensor<8xf32>
          return %4 : tensor<8xf32>
        }
        """
    )
    assert [(f.pattern, f.operands) for f in recognize(program)] == [("relu6", ("tensor<8xf32>",))]


def test_a_relu_within_another_rectifier_is_part_of_it(find: Any) -> None:
    assert [f.pattern for f in find(lambda x: clip(0, x + 3, 6))] == ["relu6"]
