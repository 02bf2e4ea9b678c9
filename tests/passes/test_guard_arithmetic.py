"""dxir-guard-arithmetic: what is spelled out is what StableHLO's arithmetic gives."""

from __future__ import annotations

import itertools
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import dxir
from dxir.program import Program

PASS = "dxir-guard-arithmetic"
Array = np.ndarray[Any, Any]
FLOATS = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
}
INTEGERS = ("i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64", "i4", "ui4")
SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, -3.0, 1e30]
HOSTILE = [*SPECIAL, 1e-3, 7.0, -7.5, 127.5, -129.0, 255.9, -0.9, 65504.0, 2.0**31, -(2.0**31)]
HOSTILE += [2.0**31 - 128, 2.0**32, 2.0**63, -(2.0**63), 2.0**64, 1e300]


def binary(op: str, element: str, count: int) -> Program:
    type = f"tensor<{count}x{element}>"
    return dxir.load(
        f"func.func @main(%x: {type}, %y: {type}) -> {type} {{\n"
        f"%0 = stablehlo.{op} %x, %y : {type}\nreturn %0 : {type}\n}}"
    )


def guarded(before: Program) -> Program:
    after = before.run_passes(PASS)
    assert str(after) != str(before)
    assert str(after.run_passes(PASS)) == str(after)
    return after


def run(program: Program, *given: Array, target: str = "xla-cpu") -> Array:
    return np.asarray(dxir.compile(program, target)(*given))


def agree(found: Array, wanted: Array, tolerance: float) -> None:
    """Assert that numbers are near, and NaN, infinities and signs the same."""
    f, w = found.astype(np.float64), wanted.astype(np.float64)
    np.testing.assert_array_equal(np.isnan(f), np.isnan(w))
    known = ~np.isnan(w)
    np.testing.assert_array_equal(np.signbit(f)[known], np.signbit(w)[known])
    np.testing.assert_allclose(f[known], w[known], rtol=tolerance)


@pytest.mark.parametrize("target", ["xla-cpu", "reference"])
@pytest.mark.parametrize("element", ["f32", "f64", "f16", "bf16"])
@pytest.mark.parametrize("op", ["power", "atan2"])
def test_pairs_of_special_numbers(op: str, element: str, target: str) -> None:
    dtype = FLOATS[element]
    with np.errstate(over="ignore"):
        pairs = np.array(list(itertools.product(SPECIAL, SPECIAL))).astype(dtype)
    x, y = np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])
    after = guarded(binary(op, element, len(x)))
    with np.errstate(all="ignore"):
        wide = np.float64 if element == "f64" else np.float32
        judge = np.power if op == "power" else np.arctan2
        wanted = judge(x.astype(wide), y.astype(wide)).astype(dtype)
    agree(run(after, x, y, target=target), wanted, {"f32": 1e-5, "f64": 1e-13}.get(element, 1e-2))


@pytest.mark.parametrize("element", ["f32", "bf16"])
def test_cube_roots(element: str) -> None:
    type = f"tensor<{len(HOSTILE)}x{element}>"
    before = dxir.load(
        f"func.func @main(%x: {type}) -> {type} {{\n"
        f"%0 = stablehlo.cbrt %x : {type}\nreturn %0 : {type}\n}}"
    )
    with np.errstate(over="ignore"):
        x = np.array(HOSTILE).astype(FLOATS[element])
    wanted = np.cbrt(x.astype(np.float32)).astype(x.dtype)
    agree(run(guarded(before), x), wanted, 1e-5 if element == "f32" else 1e-2)


@pytest.mark.parametrize("integer", INTEGERS)
@pytest.mark.parametrize("element", sorted(FLOATS))
def test_conversions_saturate_and_make_nan_zero(element: str, integer: str) -> None:
    with np.errstate(all="ignore"):
        x = np.array(HOSTILE).astype(FLOATS[element])
    before = dxir.load(
        f"func.func @main(%x: tensor<{len(x)}x{element}>) -> tensor<{len(x)}x{integer}> {{\n"
        f"%0 = stablehlo.convert %x : (tensor<{len(x)}x{element}>) -> tensor<{len(x)}x{integer}>\n"
        f"return %0 : tensor<{len(x)}x{integer}>\n}}"
    )
    bits, unsigned = int(integer.lstrip("ui")), integer.startswith("u")
    low = 0 if unsigned else -(1 << (bits - 1))
    high = (1 << (bits - (not unsigned))) - 1
    wide = [float(v) for v in x]
    wanted = [0 if np.isnan(v) else low if v < low else high if v > high else int(v) for v in wide]
    assert [int(v) for v in run(guarded(before), x)] == wanted


@pytest.mark.parametrize("op", ["add", "multiply", "maximum", "minimum"])
def test_arithmetic_of_booleans_is_logic(op: str) -> None:
    x, y = np.array([0, 0, 1, 1], np.bool_), np.array([0, 1, 0, 1], np.bool_)
    judge = np.logical_or if op in ("add", "maximum") else np.logical_and
    np.testing.assert_array_equal(run(guarded(binary(op, "i1", 4)), x, y), judge(x, y))


@pytest.mark.parametrize("direction", ["LT", "LE", "GT", "GE"])
def test_false_is_less_than_true(direction: str) -> None:
    text = f"""func.func @main(%x: tensor<4xi1>, %y: tensor<4xi1>) -> tensor<4xi1> {{
      %0 = stablehlo.compare {direction}, %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
      return %0 : tensor<4xi1>
    }}"""
    x, y = np.array([0, 0, 1, 1], np.bool_), np.array([0, 1, 0, 1], np.bool_)
    judge = {"LT": np.less, "LE": np.less_equal, "GT": np.greater, "GE": np.greater_equal}
    found = run(guarded(dxir.load(text)), x, y)
    np.testing.assert_array_equal(found, judge[direction](x.astype(int), y.astype(int)))


def test_a_conversion_is_spelled_out_in_regions_too() -> None:
    before = dxir.load("""
    func.func @main(%x: tensor<3xf32>) -> tensor<3xi32> {
      %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
      ^bb0(%a: tensor<f32>):
        %1 = stablehlo.convert %a : (tensor<f32>) -> tensor<i32>
        stablehlo.return %1 : tensor<i32>
      }) : (tensor<3xf32>) -> tensor<3xi32>
      return %0 : tensor<3xi32>
    }""")
    found = run(guarded(before), np.array([np.nan, 1e10, -1e10], np.float32))
    assert found.tolist() == [0, 2**31 - 1, -(2**31)]
