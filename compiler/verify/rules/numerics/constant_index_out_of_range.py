"""Constant indices that point outside of what they index."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dxir.mlir import IrOperation
from dxir.verify.arrays import array_of
from dxir.verify.finding import Finding
from dxir.verify.indices import INDEXED, SCATTER, Indexed, indices_of
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.values import Here, Values


class ConstantIndexOutOfRange(Rule, id="numerics-constant-index-out-of-range", severity="warning"):
    """A constant index is out of range: what is read is another element, silently.

    StableHLO moves the start of a slice back to where the slice is inside, and drops updates of a
    scatter that are outside. Some backends do neither, and read memory that is not the tensor's.
    """

    remedy = "correct the index; a negative one does not count from the end"
    ops = INDEXED
    faulty = """\
func.func @main(%x: tensor<4xf32>) -> tensor<3xf32> {
  %start = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %start, sizes = [3]
    : (tensor<4xf32>, tensor<i32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xf32>) -> tensor<3xf32> {
  %start = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %start, sizes = [3]
    : (tensor<4xf32>, tensor<i32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        values = subject.values
        for index in indices_of(op):
            if index.last < 0:
                continue
            outside = _outside(values, index)
            if outside is None:
                continue
            effect = (
                "the update is dropped"
                if op.name == SCATTER
                else f"{min(max(outside, 0), index.last)} is taken for it"
            )
            yield self.found(
                f"the index {outside} is outside of dimension {index.dimension} of size "
                f"{index.size}, where a slice may start at 0 to {index.last}: {effect}",
                op, subject, numbers={"index": outside, "last": index.last},
                # A scatter drops what is outside, and front ends make use of that.
                severity="note" if op.name == SCATTER else self.severity,
            )  # fmt: skip
            return


def _outside(values: Values, index: Indexed) -> int | None:
    """A constant index that is outside, or None."""
    found = array_of(values, Here(index.value))
    if found is None or not found.size:
        return None
    if index.position is not None:
        found = np.take(found, index.position, index.axis)
    found = found.astype(np.uint64 if found.dtype == np.uint64 else np.int64)
    for each in (int(found.min()), int(found.max())):
        if not 0 <= each <= index.last:
            return each
    return None
