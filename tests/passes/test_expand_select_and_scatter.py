"""dxir-expand-select-and-scatter: the same values, bit for bit, for windows of every form."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dxir
from dxir.program import Program

PASS = "dxir-expand-select-and-scatter"
FORMS = {
    "side by side": ((4, 6), (2, 3), (2, 3), ((0, 0), (0, 0))),
    "overlapping and padded": ((5, 7), (3, 2), (1, 2), ((1, 1), (0, 1))),
    "with gaps": ((6,), (2,), (3,), ((0, 0),)),
    "over nothing but padding": ((7,), (3,), (2,), ((3, 4),)),
    "cut": ((7,), (3,), (2,), ((-1, -1),)),
    "of an image": ((1, 5, 5, 2), (1, 3, 3, 1), (1, 2, 2, 1), ((0, 0), (1, 1), (0, 1), (0, 0))),
    "of one place": ((5,), (1,), (1,), ((0, 0),)),
}
REGIONS = [("GE", "add"), ("GT", "add"), ("LE", "maximum"), ("GE", "subtract")]
Array = np.ndarray[Any, Any]


def program(form: str, element: str, select: str, fold: str) -> tuple[Program, list[int]]:
    shape, window, strides, padding = FORMS[form]
    steps = [
        (n + low + high - w) // s + 1
        for n, w, s, (low, high) in zip(shape, window, strides, padding, strict=True)
    ]
    x = f"tensor<{'x'.join(map(str, shape))}x{element}>"
    source = f"tensor<{'x'.join(map(str, steps))}x{element}>"
    one = f"tensor<{element}>"
    pairs = [list(pair) for pair in padding]
    return dxir.load(f"""
    func.func @main(%x: {x}, %s: {source}, %i: {one}) -> {x} {{
      %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{{
        window_dimensions = array<i64: {str(list(window))[1:-1]}>,
        window_strides = array<i64: {str(list(strides))[1:-1]}>,
        padding = dense<{pairs}> : tensor<{len(pairs)}x2xi64>}}> ({{
      ^bb0(%a: {one}, %b: {one}):
        %1 = stablehlo.compare {select}, %a, %b : ({one}, {one}) -> tensor<i1>
        stablehlo.return %1 : tensor<i1>
      }}, {{
      ^bb0(%a: {one}, %b: {one}):
        %1 = stablehlo.{fold} %a, %b : {one}
        stablehlo.return %1 : {one}
      }}) : ({x}, {source}, {one}) -> {x}
      return %0 : {x}
    }}"""), steps


def data(shape: Any, steps: list[int], dtype: Any, hostile: bool) -> list[Array]:
    rng = np.random.default_rng(0)
    x = rng.integers(-3, 4, shape).astype(dtype)  # with ties
    if hostile:
        x[rng.random(shape) < 0.3] = np.nan
        x[rng.random(shape) < 0.1] = np.inf
        x[rng.random(shape) < 0.1] = -0.0
    source = (rng.standard_normal(steps) * 10).astype(dtype)
    return [x, source, np.array(2, dtype)]


@pytest.mark.parametrize("element", ["f32", "i32"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("select", "fold"), REGIONS, ids="-".join)
def test_values_stay_the_same_bit_for_bit(select: str, fold: str, form: str, element: str) -> None:
    before, steps = program(form, element, select, fold)
    after = before.run_passes(PASS)
    assert "stablehlo.select_and_scatter" not in after.op_counts()
    dtype = np.float32 if element == "f32" else np.int32
    old, new = (dxir.compile(p, "reference") for p in (before, after))
    for hostile in (False, True)[: 1 + (element == "f32")]:
        given = data(FORMS[form][0], steps, dtype, hostile)
        assert np.asarray(old(*given)).tobytes() == np.asarray(new(*given)).tobytes()


@pytest.mark.parametrize("form", ["of an image", "overlapping and padded"])
def test_compiled_values_stay_the_same(form: str) -> None:
    before, steps = program(form, "f32", "GE", "add")
    _, *rest = data(FORMS[form][0], steps, np.float32, hostile=False)
    # Of equal elements under padded windows XLA picks others than the reference does.
    order = np.random.default_rng(1).permutation(np.prod(FORMS[form][0]))
    given = [order.astype(np.float32).reshape(FORMS[form][0]), *rest]
    old, new = (np.asarray(dxir.compile(p)(*given)) for p in (before, before.run_passes(PASS)))
    np.testing.assert_array_equal(old, new)


def test_constants_and_captured_values_in_regions_are_spread() -> None:
    before = dxir.load("""
    func.func @main(%x: tensor<6xf32>, %s: tensor<2xf32>, %i: tensor<f32>) -> tensor<6xf32> {
      %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 3>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %1 = stablehlo.constant dense<-1.0> : tensor<f32>
        %2 = stablehlo.multiply %a, %1 : tensor<f32>
        %3 = stablehlo.multiply %b, %1 : tensor<f32>
        %4 = stablehlo.compare GE, %2, %3 : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %4 : tensor<i1>
      }, {
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        stablehlo.return %b : tensor<f32>
      }) : (tensor<6xf32>, tensor<2xf32>, tensor<f32>) -> tensor<6xf32>
      return %0 : tensor<6xf32>
    }""")  # noqa: E501
    after = before.run_passes(PASS)
    x = np.array([3, 1, 2, 9, 8, 7], np.float32)
    found = dxir.compile(after)(x, np.array([5, 6], np.float32), np.float32(0))
    assert np.asarray(found).tolist() == [0, 5, 0, 0, 0, 6]


def test_a_window_of_too_many_places_stays_and_is_told_of() -> None:
    before, _ = program("of an image", "f32", "GE", "add")
    after = before.run_passes(f"{PASS}{{most-places=8}}")
    assert after.op_counts() == before.op_counts()
    assert "has 9 places" in after.diagnostics[0].message
