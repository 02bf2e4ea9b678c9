"""What is said of derivatives that are lost through the bits of floats."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.errors import DxirWarning
from dxir.graph import Function, Value
from dxir.types import f32, ui32


def bits(x: Value) -> Value:
    found: Value = ops.bitcast_convert(x, dtype=ui32)
    return found


def floats(b: Value) -> Value:
    found: Value = ops.bitcast_convert(b, dtype=f32)
    return found


def word(number: int) -> Value:
    found: Value = ops.constant(np.uint32(number))
    return found


def mantissa(x: Value) -> Value:
    kept = ops.and_(bits(x), word(0x007FFFFF))
    return floats(ops.or_(kept, word(0x3F800000)))


def chosen(x: Value) -> Value:
    b = bits(x)
    return floats(ops.select(x > 1.0, b, ops.and_(b, word(0x7FFFFFFF))))


def looped(x: Value) -> Value:
    b = bits(x)
    (found,) = ops.fori_loop(0, 2, lambda i, y: y + floats(b), (x,))
    return found  # type: ignore[no-any-return]


LOST: dict[str, Callable[[Value], Value]] = {
    "mantissa": mantissa,
    "chosen": chosen,
    "back at once": lambda x: floats(bits(x)),
    "through the bits of bits": lambda x: floats(bits(mantissa(x))),
    "in a loop": looped,
    "in a branch": lambda x: ops.cond(x > 0.0, lambda: mantissa(x), lambda: x),
    "in a call": lambda x: ops.call(function_of(mantissa, "inner"), x),
    "beside another way": lambda x: x * mantissa(x),
}

FINE: dict[str, Callable[[Value], Value]] = {
    "the sign bit": lambda x: ops.select(ops.shift_right_logical(bits(x), word(31)) > 0, -x, x),
    "a comparison of bits": lambda x: ops.select(bits(x) < word(7), x, x * 2.0),
    "a choice of other bits": lambda x: floats(ops.select(bits(x) < word(7), word(1), word(2))),
    "the head of a number": lambda x: x - floats(ops.and_(bits(x), word(0xFFFFF000))),
    "the exponent": lambda x: x * ops.convert(
        ops.shift_right_logical(bits(x), word(23)), dtype=f32
    ),
    "bits that only a comparison uses": lambda x: ops.select(mantissa(x) > 1.5, x, x * 2.0),
    "bits that nobody uses": lambda x: (mantissa(x), x)[1],
    "random bits": lambda x: x * mantissa(floats(word(5))),
}  # fmt: skip


def function_of(body: Callable[[Value], Value], name: str = "main") -> Function:
    return dxir.build_function(body, f32[()], name=name, public=name == "main")


@pytest.mark.parametrize("name", LOST)
def test_a_derivative_that_is_lost_through_bits_is_told(name: str) -> None:
    function = function_of(LOST[name])
    for transform in (dxir.grad, dxir.jvp):
        with pytest.warns(DxirWarning, match="the derivative through them is 0") as found:
            transform(function)
        assert len(found) == 1
        assert found[0].filename == __file__


@pytest.mark.parametrize("name", FINE)
def test_bits_that_are_looked_at_only_are_not(name: str) -> None:
    function = function_of(FINE[name])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dxir.grad(function)
        dxir.jvp(function)


def test_a_pass_names_the_place_where_a_derivative_ends() -> None:
    program = dxir.load("""func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<8388607> : tensor<i32>
  %0 = stablehlo.bitcast_convert %x : (tensor<f32>) -> tensor<i32>
  %1 = stablehlo.and %0, %c : tensor<i32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<i32>) -> tensor<f32>
  return %2 : tensor<f32>
}""")
    for text in ("dxir-differentiate{seed=one}", "dxir-jvp"):
        (found,) = program.run_passes(text).diagnostics
        assert found.severity == "warning"
        assert found.where is not None
        assert ":5:" in found.where
        assert "bits of a float" in found.message
    assert not program.run_passes("dxir-vmap{size=2}").diagnostics
