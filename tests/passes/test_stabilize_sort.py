"""dxir-stabilize-sort: elements that are equal keep their order, whatever sorts them."""

from __future__ import annotations

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.op import REGISTRY
from dxir.testing.op_checks import datasets, example_function

PASS = "dxir-stabilize-sort"
ops.names()
CASES = [
    pytest.param(name, number, id=f"{name}-{number}")
    for name in ("sort", "argsort")
    for number, example in enumerate(REGISTRY[name].examples)
    if example.runs
]


@pytest.mark.parametrize(("name", "number"), CASES)
def test_values_stay_the_same_bit_for_bit(name: str, number: int) -> None:
    cls = REGISTRY[name]
    example = cls.examples[number]
    before = dxir.lower(example_function(cls, example)).decompose()
    after = before.run_passes(PASS)
    assert str(after.run_passes(PASS)) == str(after)
    for _, given in datasets(cls, example, 1):
        old, new = (dxir.compile(p).run(given) for p in (before, after))
        for a, b in zip(old, new, strict=True):
            assert np.asarray(a).tobytes() == np.asarray(b).tobytes()


def test_what_is_captured_and_compared_twice_is_copied_with_it() -> None:
    before = dxir.load("""
    func.func @main(%x: tensor<64xi32>, %m: tensor<i32>) -> (tensor<64xi32>, tensor<64xi32>) {
      %i = stablehlo.iota dim = 0 : tensor<64xi32>
      %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 0 : i64, is_stable = true}> ({
      ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
        %1 = stablehlo.and %a, %m : tensor<i32>
        %2 = stablehlo.and %b, %m : tensor<i32>
        %3 = stablehlo.compare GT, %1, %2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %3 : tensor<i1>
      }) : (tensor<64xi32>, tensor<64xi32>) -> (tensor<64xi32>, tensor<64xi32>)
      return %0#0, %0#1 : tensor<64xi32>, tensor<64xi32>
    }""")
    x = np.random.default_rng(0).integers(0, 100, 64).astype(np.int32)
    _, order = dxir.compile(before.run_passes(PASS), "reference")(x, np.int32(3))
    np.testing.assert_array_equal(order, np.argsort(-(x & 3), stable=True))
