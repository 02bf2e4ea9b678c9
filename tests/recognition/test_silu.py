"""The silu pattern: however the logistic function is spelled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import dxir
from dxir import ops

FORMS: dict[str, Callable[[Any], Any]] = {
    "dxir": lambda x: x * ops.sigmoid(x),
    "the other way": lambda x: ops.sigmoid(x) * x,
    "jax": lambda x: x * (1 / (1 + ops.exp(-x))),
    "quotient": lambda x: x / (1 + ops.exp(-x)),
    "quotient of the sum": lambda x: x / (ops.exp(-x) + 1),
    "tanh": lambda x: x * (0.5 * (1 + ops.tanh(0.5 * x))),
    "tanh of a half": lambda x: 0.5 * x * (ops.tanh(x / 2) + 1),
}
NOT: dict[str, Callable[[Any], Any]] = {
    "of two": lambda x: x * ops.sigmoid(ops.sin(x)),
    "no minus": lambda x: x / (1 + ops.exp(x)),
    "of two plus": lambda x: x / (2 + ops.exp(-x)),
    "times": lambda x: x * (1 + ops.exp(-x)),
    "sigmoid alone": ops.sigmoid,
    "sigmoid of sums": lambda x: 1 / (1 + ops.exp(-x)),
}


@pytest.mark.parametrize("spelling", FORMS)
@pytest.mark.parametrize("element", ["f32", "bf16", "f16"])
def test_the_silu_is_found(find: Any, spelling: str, element: str) -> None:
    assert [(f.pattern, f.attributes) for f in find(FORMS[spelling], element)] == [("silu", "")]


@pytest.mark.parametrize("what", NOT)
def test_what_only_looks_like_a_silu_is_not_one(find: Any, what: str) -> None:
    assert find(NOT[what]) == []


def test_a_silu_whose_logistic_others_use_exports_it(recognize: Any) -> None:
    builder = dxir.Builder("main")
    x = builder.param(dxir.f32[4], name="x")
    gate = ops.sigmoid(x)
    program = dxir.lower(builder.build(x * gate, gate))
    assert [f.pattern for f in recognize(program)] == ["silu"]


def test_a_call_of_silu_has_it_in_the_function(recognize: Any) -> None:
    program = dxir.load(
        """
        func.func public @main(%x: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
          %0 = call @silu(%x) : (tensor<4x8xbf16>) -> tensor<4x8xbf16>
          return %0 : tensor<4x8xbf16>
        }
        func.func private @silu(%x: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
          %0 = stablehlo.negate %x : tensor<4x8xbf16>
          %1 = stablehlo.exponential %0 : tensor<4x8xbf16>
          %one = stablehlo.constant dense<1.0> : tensor<bf16>
          %2 = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<bf16>) -> tensor<4x8xbf16>
          %3 = stablehlo.add %2, %1 : tensor<4x8xbf16>
          %4 = stablehlo.divide %2, %3 : tensor<4x8xbf16>
          %5 = stablehlo.multiply %x, %4 : tensor<4x8xbf16>
          return %5 : tensor<4x8xbf16>
        }
        """
    )
    assert [f.pattern for f in recognize(program)] == ["silu"]
