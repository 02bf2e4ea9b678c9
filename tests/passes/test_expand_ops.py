"""dxir-expand-ops: plainer ops give what each op's reference gives."""

from __future__ import annotations

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.errors import PassError
from dxir.examples import Tolerance
from dxir.op import REGISTRY
from dxir.testing.op_checks import assert_agrees, datasets, example_function, flush_subnormals

NAMES = (
    *("batch_norm_grad", "batch_norm_inference", "batch_norm_training"),
    *("cholesky", "triangular_solve"),
)
PASS = f"dxir-expand-ops{{ops={','.join(NAMES)}}}"
ops.names()
CASES = [
    pytest.param(name, number, id=f"{name}-{number}")
    for name in NAMES
    for number, example in enumerate(REGISTRY[name].examples)
    if example.runs and not example.arguments.get("expand")
]


@pytest.mark.parametrize(("name", "number"), CASES)
def test_values_agree_with_the_reference(name: str, number: int) -> None:
    cls = REGISTRY[name]
    example = cls.examples[number]
    function = example_function(cls, example)
    after = dxir.lower(function).run_passes(PASS)
    assert f"stablehlo.{name}" not in after.op_counts()
    assert str(after.run_passes(PASS)) == str(after)
    for label, given in datasets(cls, example, 1):
        found = dxir.compile(after).run(given)
        wanted, flushed = (
            r if isinstance(r, tuple) else (r,)
            for r in (
                dxir.evaluate(function, *given),
                dxir.evaluate(function, *map(flush_subnormals, given)),
            )
        )
        for f, w, z, value in zip(found, wanted, flushed, function.results, strict=True):
            tolerance = Tolerance.of(value.tensor.primitive, cls.tolerance)
            assert_agrees(np.asarray(f), w, z, tolerance, label)


def test_a_matrix_that_is_not_positive_definite_has_no_factor() -> None:
    before = dxir.load("""
    func.func @main(%a: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
      %0 = stablehlo.cholesky %a, lower = true : tensor<2x2x2xf32>
      return %0 : tensor<2x2x2xf32>
    }""")
    a = np.array([[[1, 9], [2, 1]], [[4, 9], [2, 5]]], np.float32)
    found = np.asarray(dxir.compile(before.run_passes("dxir-expand-ops"))(a))
    assert np.isnan(found[0]).all()
    np.testing.assert_allclose(found[1], [[2, 0], [1, 2]])


def test_a_large_system_is_solved_as_numpy_solves_it() -> None:
    before = dxir.load("""
    func.func @main(%a: tensor<40x40xf64>, %b: tensor<40x3xf64>) -> tensor<40x3xf64> {
      %0 = stablehlo.cholesky %a, lower = true : tensor<40x40xf64>
      %1 = "stablehlo.triangular_solve"(%0, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<40x40xf64>, tensor<40x3xf64>) -> tensor<40x3xf64>
      %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<40x40xf64>, tensor<40x3xf64>) -> tensor<40x3xf64>
      return %2 : tensor<40x3xf64>
    }""")  # noqa: E501
    rng = np.random.default_rng(0)
    factor = rng.standard_normal((40, 40))
    a, b = factor @ factor.T + np.eye(40), rng.standard_normal((40, 3))
    found = np.asarray(dxir.compile(before.run_passes("dxir-expand-ops"))(a, b))
    np.testing.assert_allclose(found, np.linalg.solve(a, b), rtol=1e-9)


def test_another_op_is_refused_with_those_there_are() -> None:
    with pytest.raises(PassError, match="expands no 'svd'") as caught:
        dxir.load("func.func @main() { return }").run_passes("dxir-expand-ops{ops=svd}")
    assert "cholesky" in (caught.value.hint or "")
