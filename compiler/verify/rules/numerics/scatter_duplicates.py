"""Scatters that write several values to one place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dxir.mlir import IrOperation
from dxir.verify.bodies import block_of, is_in_order
from dxir.verify.finding import Finding
from dxir.verify.indices import SCATTER, batching, indices_of, is_promised, vectors_of
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class ScatterDuplicates(Rule, id="numerics-scatter-duplicates", severity="warning"):
    """A scatter that overwrites has a constant index twice.

    StableHLO leaves the order of updates open: which of the two values stays differs by backend,
    and on a GPU from run to run.
    """

    remedy = "leave out all but one update of a place, or combine them by an op such as add"
    ops = (SCATTER,)
    faulty = """\
func.func @main(%x: tensor<4xf32>, %u: tensor<3xf32>) -> tensor<4xf32> {
  %i = stablehlo.constant dense<[[2], [0], [2]]> : tensor<3x1xi32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{
    scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xf32>, %u: tensor<3xf32>) -> tensor<4xf32> {
  %i = stablehlo.constant dense<[[2], [0], [1]]> : tensor<3x1xi32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{
    scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        if is_promised(op, "unique_indices"):
            return  # numerics-false-index-promise tells of these
        block = block_of(op)
        if block is None or is_in_order(block) is not False or batching(op):
            return
        indices = indices_of(op)
        vectors = vectors_of(subject.values, indices)
        if vectors is None:
            return
        last = [index.last for index in indices]
        rows = [
            tuple(row)
            for row in vectors.tolist()
            if all(0 <= i <= most for i, most in zip(row, last, strict=True))
        ]
        twice = [row for row, count in Counter(rows).items() if count > 1]
        if twice:
            place = ", ".join(str(i) for i in twice[0])
            yield self.found(
                f"the place {place} is written more than once: which update stays is left open",
                op, subject,
            )  # fmt: skip
