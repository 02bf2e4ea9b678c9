"""Batches of ops whose regions use values from outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.graph import Function, walk
from dxir.transforms import vmap_function
from dxir.types import f32

Array = np.ndarray[Any, Any]
Build = Callable[[str], str]
X = np.random.default_rng(0).normal(size=(3, 8)).astype(np.float32)
C = np.float32([1.5, -1, 0.5])


def sort(c: str) -> str:
    return f"""
    %0 = "stablehlo.sort"(%x) <{{dimension = 0 : i64, is_stable = true}}> ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %p = stablehlo.multiply %a, {c} : tensor<f32>
      %q = stablehlo.multiply %b, {c} : tensor<f32>
      %1 = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }}) : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>"""


def reducer(c: str) -> str:
    return f"""
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.maximum %a, %b : tensor<f32>
      %2 = stablehlo.minimum %1, {c} : tensor<f32>
      stablehlo.return %2 : tensor<f32>"""


def reduce(c: str) -> str:
    return f"""
    %0 = "stablehlo.reduce"(%x, %low) <{{dimensions = array<i64: 0>}}> ({{{reducer(c)}
    }}) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>"""


def window(c: str) -> str:
    return f"""
    %0 = "stablehlo.reduce_window"(%x, %low) <{{
      window_dimensions = array<i64: 2>, window_strides = array<i64: 2>
    }}> ({{{reducer(c)}
    }}) : (tensor<8xf32>, tensor<f32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>"""


def chosen(c: str) -> str:
    return f"""
    %s = stablehlo.slice %x [0:4] : (tensor<8xf32>) -> tensor<4xf32>
    %0 = "stablehlo.select_and_scatter"(%x, %s, %low) <{{
      window_dimensions = array<i64: 2>, window_strides = array<i64: 2>
    }}> ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %p = stablehlo.multiply %a, {c} : tensor<f32>
      %q = stablehlo.multiply %b, {c} : tensor<f32>
      %1 = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }}, {{{reducer(c)}
    }}) : (tensor<8xf32>, tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>"""


def scatter(c: str) -> str:
    return f"""
    %i = stablehlo.constant dense<[[1], [4], [1]]> : tensor<3x1xi32>
    %u = stablehlo.slice %x [5:8] : (tensor<8xf32>) -> tensor<3xf32>
    %0 = "stablehlo.scatter"(%x, %i, %u) <{{
      scatter_dimension_numbers = #stablehlo.scatter<
        inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
    }}> ({{{reducer(c)}
    }}) : (tensor<8xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>"""


def mapped(c: str) -> str:
    return f"""
    %0 = "stablehlo.map"(%x) <{{dimensions = array<i64: 0>}}> ({{
    ^bb0(%a: tensor<f32>):
      %1 = stablehlo.multiply %a, {c} : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }}) : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>"""


def function_of(build: Build, given: str) -> Function:
    """What `build` says, with a region that uses a constant, a parameter or something computed."""
    result = build("%c").rsplit(":", 1)[1]
    made = {
        "constant": "%c = stablehlo.constant dense<1.5> : tensor<f32>",
        "parameter": "",
        "computed": "%c = stablehlo.negate %given : tensor<f32>",
    }[given]
    name = "%c" if given == "parameter" else "%given"
    return dxir.load(f"""
    func.func @main(%x: tensor<8xf32>, {name}: tensor<f32>) -> {result} {{
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    {made}{build("%c")}
    }}""").raise_()["main"]


@pytest.mark.parametrize("in_axes", [(0, None), (None, 0), (0, 0)])
@pytest.mark.parametrize("given", ["constant", "parameter", "computed"])
@pytest.mark.parametrize("build", [sort, reduce, window, chosen, scatter, mapped])
def test_a_batch_of_what_captures_a_value_is_that_of_each_member(
    build: Build, given: str, in_axes: tuple[int | None, int | None]
) -> None:
    function = function_of(build, given)
    x, c = X[0] if in_axes[0] is None else X, C[0] if in_axes[1] is None else C
    found = dxir.evaluate(vmap_function(function, in_axes, axis_size=3), x, c)
    wanted = [
        dxir.evaluate(function, x if x.ndim == 1 else x[i], c if c.ndim == 0 else c[i])
        for i in range(3)
    ]
    np.testing.assert_array_equal(found, wanted)


def test_a_constant_that_a_comparator_uses_leaves_the_sort_one_op() -> None:
    batched = vmap_function(function_of(sort, "constant"), (0, None), axis_size=3)
    assert [n.op for n in walk(batched) if n.op in ("sort_by", "while_loop", "map")] == ["sort_by"]


def test_a_comparator_of_the_api_may_use_constants_under_vmap() -> None:
    function = dxir.build_function(
        lambda x: ops.sort_by((x,), lambda a, b: a * two() < b * two())[0], f32[8], name="main"
    )
    found = dxir.evaluate(vmap_function(function, axis_size=3), X)
    np.testing.assert_array_equal(found, -np.sort(-X, axis=1))


def two() -> Any:
    return ops.constant(np.float32(-2))


def test_each_member_may_have_its_own_start_of_a_product() -> None:
    def build(x: Any, start: Any) -> Any:
        return ops.select_and_scatter(
            x, np.float32([2, 3]), start, lambda a, b: a >= b, lambda a, b: a * b,
            window_dimensions=(4,), window_strides=(4,),
        )  # fmt: skip

    function = dxir.build_function(build, f32[8], f32[()], name="main")
    found = dxir.evaluate(vmap_function(function, axis_size=3), X, C)
    wanted = [dxir.evaluate(function, x, c) for x, c in zip(X, C, strict=True)]
    np.testing.assert_array_equal(found, wanted)
