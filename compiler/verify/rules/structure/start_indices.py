"""Slices that start at constants where they do not fit."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.elements import elements_of
from dxir.mlir import IrOperation, IrValue, ir
from dxir.reading import attribute, maker_of
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class StartIndices(Rule, id="structure-start-indices", severity="warning"):
    """A dynamic_slice or dynamic_update_slice starts at a constant where the slice does not fit.

    StableHLO moves such a slice to where it fits, and no tool says so. With a constant that is
    hardly meant: other elements are read, or overwritten.
    """

    remedy = "start from 0 to the size of the dimension less that of the slice; or use slice or pad"
    ops = ("stablehlo.dynamic_slice", "stablehlo.dynamic_update_slice")
    faulty = """\
func.func @main(%x: tensor<8xf32>) -> tensor<4xf32> {
  %start = stablehlo.constant dense<6> : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %start, sizes = [4]
    : (tensor<8xf32>, tensor<i32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
    fixed = faulty.replace("dense<6>", "dense<4>")

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        slices = op.name == "stablehlo.dynamic_slice"
        operand, part = (
            op.operands[0].type,
            (op.results if slices else op.operands)[1 - slices].type,
        )
        if not isinstance(operand, ir.RankedTensorType) or not isinstance(
            part, ir.RankedTensorType
        ):
            return
        for axis, value in enumerate(list(op.operands)[1 if slices else 2 :]):
            start = _constant(value)
            if start is None or operand.is_dynamic_dim(axis) or part.is_dynamic_dim(axis):
                continue
            last = operand.get_dim_size(axis) - part.get_dim_size(axis)
            if not 0 <= start <= last:
                yield self.found(
                    f"{op.name} starts at {start} along dimension {axis}, and is moved to "
                    f"{min(max(start, 0), last)}: {part} in {operand}",
                    op,
                    subject,
                )


def _constant(value: IrValue) -> int | None:
    maker = maker_of(value)
    if maker is None or maker.name != "stablehlo.constant":
        return None
    found = elements_of(attribute(maker, "value"))
    return None if found is None or found.size != 1 else int(found.reshape(-1)[0])
