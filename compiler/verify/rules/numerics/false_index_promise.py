"""Indices that are not what an op is told of them."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation, ir
from dxir.verify.finding import Finding
from dxir.verify.indices import GATHER, SCATTER, batching, indices_of, is_promised, vectors_of
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject

_SORTED, _UNIQUE = "indices_are_sorted", "unique_indices"


class FalseIndexPromise(Rule, id="numerics-false-index-promise", severity="error"):
    """A gather or scatter is told that its indices are sorted or unique, and they are not.

    Then StableHLO leaves open what it gives: a backend that writes in parallel loses updates of an
    index that comes twice.
    """

    remedy = "leave indices_are_sorted and unique_indices false unless they hold"
    ops = (GATHER, SCATTER)
    faulty = """\
func.func @main(%x: tensor<4xf32>) -> tensor<3xf32> {
  %i = stablehlo.constant dense<[[2], [0], [1]]> : tensor<3x1xi32>
  %0 = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>, indices_are_sorted = true
  }> : (tensor<4xf32>, tensor<3x1xi32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xf32>) -> tensor<3xf32> {
  %i = stablehlo.constant dense<[[2], [0], [1]]> : tensor<3x1xi32>
  %0 = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>, indices_are_sorted = false
  }> : (tensor<4xf32>, tensor<3x1xi32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        promised = [name for name in (_SORTED, _UNIQUE) if is_promised(op, name)]
        if not promised or batching(op):
            return
        indices = indices_of(op)
        vectors = vectors_of(subject.values, indices)
        if vectors is None:
            return
        # In the order of the operand's dimensions, by which sorted is meant.
        order = sorted(range(len(indices)), key=lambda i: indices[i].dimension)
        rows = [tuple(row) for row in vectors[:, order].tolist()]
        for name in promised:
            if not _holds(name, rows):
                yield self.found(
                    f"{name} is true, but the indices are not {_MEANT[name]}: {_shown(rows)}",
                    op, subject,
                )  # fmt: skip

    def repair(self, finding: Finding, subject: Subject, /) -> bool:
        op = finding.at
        if op is None:
            return False
        name = _SORTED if finding.message.startswith(_SORTED) else _UNIQUE
        op.attributes[name] = ir.BoolAttr.get(False, op.context)
        return True


_MEANT = {_SORTED: "sorted", _UNIQUE: "unique"}


def _holds(name: str, rows: list[tuple[int, ...]]) -> bool:
    return rows == sorted(rows) if name == _SORTED else len(set(rows)) == len(rows)


def _shown(rows: list[tuple[int, ...]]) -> str:
    few = [str(row[0]) if len(row) == 1 else str(row) for row in rows[:4]]
    return ", ".join(few) + (", ..." if len(rows) > len(few) else "")
