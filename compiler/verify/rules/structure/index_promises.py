"""Gathers and scatters that promise of their indices what is not so."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dxir.elements import elements_of
from dxir.mlir import IrOperation, ir, stablehlo
from dxir.reading import attribute, maker_of
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject

Vectors = np.ndarray[tuple[int, int], np.dtype[np.int64]]

_MOST = 1 << 20


class IndexPromises(Rule, id="structure-index-promises", severity="error"):
    """A gather or scatter says that its constant indices are sorted or unique, and they are not.

    Compilers go by the promise without looking: a scatter of `unique_indices` writes in any order,
    and by several threads at once. What it computes is then not defined.
    """

    remedy = "leave the promise out, or sort and join the indices"
    ops = ("stablehlo.gather", "stablehlo.scatter")
    faulty = """\
func.func @main(%x: tensor<4xf32>, %y: tensor<2xf32>) -> tensor<4xf32> {
  %i = stablehlo.constant dense<[[1], [1]]> : tensor<2x1xi32>
  %0 = "stablehlo.scatter"(%x, %i, %y) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>,
    indices_are_sorted = true, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
    fixed = faulty.replace("[[1], [1]]", "[[1], [2]]")

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        promised = [n for n in ("indices_are_sorted", "unique_indices") if _is_true(op, n)]
        vectors = _vectors(op) if promised else None
        if vectors is None:
            return
        if "unique_indices" in promised and len(np.unique(vectors, axis=0)) < len(vectors):
            yield self.found("unique_indices is set, and indices occur twice", op, subject)
        if "indices_are_sorted" in promised and not _is_sorted(vectors):
            yield self.found("indices_are_sorted is set, and the indices are not", op, subject)

    def repair(self, finding: Finding, subject: Subject, /) -> bool:
        op = finding.at
        if op is None:
            return False
        name = finding.message.partition(" ")[0]
        op.attributes[name] = ir.BoolAttr.get(False, op.context)
        return True


def _is_true(op: IrOperation, name: str) -> bool:
    found = attribute(op, name)
    return isinstance(found, ir.BoolAttr) and found.value


def _vectors(op: IrOperation) -> Vectors | None:
    """The index vectors of an op whose indices are constants, in order; None otherwise."""
    gathers = op.name == "stablehlo.gather"
    indices = op.operands[1 if gathers else (len(op.operands) - 1) // 2]
    maker = maker_of(indices)
    if maker is None or maker.name != "stablehlo.constant":
        return None
    found = elements_of(attribute(maker, "value"))
    if found is None or not 1 < found.size <= _MOST:
        return None
    if gathers:
        numbers = stablehlo.GatherDimensionNumbers(op.attributes["dimension_numbers"])
        batched, axis = numbers.start_indices_batching_dims, numbers.index_vector_dim
        order = numbers.start_index_map
    else:
        given = stablehlo.ScatterDimensionNumbers(op.attributes["scatter_dimension_numbers"])
        batched, axis = given.scatter_indices_batching_dims, given.index_vector_dim
        order = given.scattered_dims_to_operand_dims
    if batched:
        return None
    wide = found.astype(np.int64)
    wide = wide[..., None] if axis == wide.ndim else np.moveaxis(wide, axis, -1)
    rows = wide.reshape(-1, wide.shape[-1])
    return rows[:, np.argsort(np.asarray(order))]


def _is_sorted(vectors: Vectors) -> bool:
    order = np.lexsort(vectors.T[::-1])
    return bool((vectors[order] == vectors).all())
