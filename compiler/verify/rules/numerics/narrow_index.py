"""Indices whose type does not reach the end of what they index."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.arithmetic import integer_limits
from dxir.mlir import IrOperation, ir
from dxir.reading import attribute
from dxir.verify.finding import Finding
from dxir.verify.indices import INDEXED, indices_of
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.values import dtype_of, sizes

_IOTA = "stablehlo.iota"


class NarrowIndex(Rule, id="numerics-narrow-index", severity="warning"):
    """The type of an index is too narrow for the dimension that it indexes.

    An i8 goes up to 127, an i32 to 2147483647. An iota of more elements wraps around to negative
    numbers, and what is behind the last index of the type is never read or written.
    """

    remedy = "use indices of i32, and of i64 for dimensions of more than 2147483647 elements"
    ops = (*INDEXED, _IOTA)
    faulty = """\
func.func @main(%x: tensor<200xf32>, %i: tensor<i8>) -> tensor<1xf32> {
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [1]
    : (tensor<200xf32>, tensor<i8>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<200xf32>, %i: tensor<i32>) -> tensor<1xf32> {
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [1]
    : (tensor<200xf32>, tensor<i32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        if op.name == _IOTA:
            yield from self._iota(op, subject)
            return
        for index in indices_of(op):
            dtype = dtype_of(index.value)
            if dtype is None or not dtype.is_integer:
                continue
            most = integer_limits(dtype)[1]
            if index.last > most:
                yield self.found(
                    f"an index of {dtype.name} is {most} at most, so that no slice starts from "
                    f"{most + 1} to {index.last} in dimension {index.dimension}",
                    op, subject, numbers={"most": most, "last": index.last},
                )  # fmt: skip
                return

    def _iota(self, op: IrOperation, subject: Subject) -> Iterator[Finding]:
        dtype, shape = dtype_of(op.results[0]), sizes(op.results[0])
        axis = attribute(op, "iota_dimension")
        if dtype is None or shape is None or not isinstance(axis, ir.IntegerAttr):
            return
        if not dtype.is_integer or shape[axis.value] - 1 <= integer_limits(dtype)[1]:
            return
        most = integer_limits(dtype)[1]
        yield self.found(
            f"an iota of {shape[axis.value]} elements goes beyond {most}, the last number of "
            f"{dtype.name}, and wraps around",
            op, subject, numbers={"most": most, "last": shape[axis.value] - 1},
        )  # fmt: skip
