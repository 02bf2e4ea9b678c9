"""dxir-bound-indices: nothing is read or written outside, and values stay what they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.op import REGISTRY
from dxir.program import Program
from dxir.testing.op_checks import datasets, example_function

PASS = "dxir-bound-indices"
ops.names()
CASES = [
    pytest.param(name, number, id=f"{name}-{number}")
    for name in ("gather", "scatter")
    for number in range(len(REGISTRY[name].examples))
]
GATHER = """
func.func @main(%x: tensor<{size}xf32>, %i: tensor<6x1x{index}>) -> tensor<6xf32> {{
  %0 = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}}> : (tensor<{size}xf32>, tensor<6x1x{index}>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}}"""  # noqa: E501
SCATTER = """
func.func @main(%x: tensor<{size}xf32>, %i: tensor<6x1x{index}>, %u: tensor<6xf32>) -> tensor<{size}xf32> {{
  %0 = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }}) : (tensor<{size}xf32>, tensor<6x1x{index}>, tensor<6xf32>) -> tensor<{size}xf32>
  return %0 : tensor<{size}xf32>
}}"""  # noqa: E501


def run(program: Program, *given: Any) -> list[np.ndarray[Any, Any]]:
    return [np.asarray(r) for r in dxir.compile(program).run(given)]


def same(before: Program, after: Program, *given: Any) -> None:
    for old, new in zip(run(before, *given), run(after, *given), strict=True):
        assert old.tobytes() == new.tobytes()


@pytest.mark.parametrize(("name", "number"), CASES)
def test_values_stay_the_same_bit_for_bit(name: str, number: int) -> None:
    cls = REGISTRY[name]
    example = cls.examples[number]
    before = dxir.lower(example_function(cls, example))
    after = before.run_passes(PASS)
    assert str(after.run_passes(PASS)) == str(after)
    for _, given in datasets(cls, example, 1):
        same(before, after, *given)


@pytest.mark.parametrize("size", [1, 5, 300])
@pytest.mark.parametrize("index", ["i8", "ui8", "i16", "i32", "ui32", "i64", "ui64"])
@pytest.mark.parametrize("text", [GATHER, SCATTER], ids=["gather", "scatter"])
def test_indices_of_every_type_at_their_limits(text: str, index: str, size: int) -> None:
    before = dxir.load(text.format(size=size, index=index))
    after = before.run_passes(PASS)
    assert str(after.run_passes(PASS)) == str(after)
    dtype = np.dtype(index.replace("ui", "uint") if "u" in index else index.replace("i", "int"))
    limits = np.iinfo(dtype)
    numbers = [limits.min, limits.max, 0, size - 1, size, limits.max - 1]
    indices = np.array([min(n, limits.max) for n in numbers], dtype).reshape(6, 1)
    x = np.arange(1, size + 1, dtype=np.float32)
    given = [x, indices] + ([np.full(6, 0.5, np.float32)] if text is SCATTER else [])
    same(before, after, *given)


def test_a_window_that_is_partly_outside_is_left_out_whole() -> None:
    text = """
    func.func @main(%x: tensor<6xi32>, %i: tensor<3x1xi32>, %u: tensor<3x3xi32>) -> tensor<6xi32> {
      %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
      ^bb0(%a: tensor<i32>, %b: tensor<i32>):
        %1 = stablehlo.add %a, %b : tensor<i32>
        stablehlo.return %1 : tensor<i32>
      }) : (tensor<6xi32>, tensor<3x1xi32>, tensor<3x3xi32>) -> tensor<6xi32>
      return %0 : tensor<6xi32>
    }"""  # noqa: E501
    before = dxir.load(text)
    after = before.run_passes(PASS)
    indices = np.array([[3], [4], [-1]], np.int32)
    x, u = np.zeros(6, np.int32), np.arange(1, 10, dtype=np.int32).reshape(3, 3)
    same(before, after, x, indices, u)
    assert run(after, x, indices, u)[0].tolist() == [0, 0, 0, 1, 2, 3]


def test_one_of_both_can_be_asked_for() -> None:
    program = dxir.load(GATHER.format(size=5, index="i32"))
    assert str(program.run_passes(f"{PASS}{{gather=false}}")) == str(program)
    assert "stablehlo.clamp" in program.run_passes(f"{PASS}{{scatter=false}}").op_counts()
