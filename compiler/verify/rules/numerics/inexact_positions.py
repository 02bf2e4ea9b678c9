"""Positions counted in a float that does not tell them apart."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.arithmetic import finfo
from dxir.mlir import IrOperation, ir
from dxir.reading import attribute
from dxir.types import DType
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.values import Here, Made, dtype_of, sizes

_IOTA, _CONVERT = "stablehlo.iota", "stablehlo.convert"


class InexactPositions(Rule, id="numerics-inexact-positions", severity="warning"):
    """Positions are held in a float that rounds them.

    A bf16 has 8 bits of precision, so that 257 becomes 256, and from 512 on only every fourth
    position is left; f16 counts to 2048, f32 to 16777216. Rotary embeddings of long sequences
    computed from such positions are those of other tokens.
    """

    remedy = "count in i32 or f32, and convert what is computed from the positions"
    ops = (_IOTA, _CONVERT)
    faulty = """\
func.func @main() -> tensor<1024xbf16> {
  %0 = stablehlo.iota dim = 0 : tensor<1024xbf16>
  return %0 : tensor<1024xbf16>
}
"""
    fixed = """\
func.func @main() -> tensor<1024xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<1024xf32>
  return %0 : tensor<1024xf32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        dtype = dtype_of(op.results[0])
        if dtype is None or not dtype.is_float:
            return
        counts = op
        if op.name == _CONVERT:
            wide = dtype_of(op.operands[0])
            if wide is None or (wide.bits <= dtype.bits and wide.is_float):
                return
            made = subject.values.made_by(Here(op.operands[0]), _IOTA, "stablehlo.add")
            if made is not None and made.name != _IOTA:
                yield from self._moved(made, dtype, op, subject)
                return
            if made is None:
                return
            counts = made.op
        count, able = _length(counts), _able(dtype)
        if count is not None and count - 1 > able:
            yield self.found(
                f"positions up to {count - 1} do not fit into {dtype.name}: "
                f"{able + 1} becomes {able}",
                op, subject, numbers={"last": count - 1, "exact": able},
            )  # fmt: skip

    def _moved(
        self, total: Made, dtype: DType, op: IrOperation, subject: Subject
    ) -> Iterator[Finding]:
        """Positions that start anywhere: more than there are whole numbers from -able to able."""
        made = (subject.values.made_by(each, _IOTA) for each in total.inputs)
        counts = [count for m in made if m is not None and (count := _length(m.op)) is not None]
        able = _able(dtype)
        if counts and max(counts) > 2 * able + 1:
            yield self.found(
                f"{max(counts)} positions, wherever they start, do not fit into {dtype.name}: "
                f"{able + 1} becomes {able}",
                op, subject, numbers={"count": max(counts), "exact": able},
            )  # fmt: skip


def _length(iota: IrOperation) -> int | None:
    shape, axis = sizes(iota.results[0]), attribute(iota, "iota_dimension")
    return shape[axis.value] if shape is not None and isinstance(axis, ir.IntegerAttr) else None


def _able(dtype: DType) -> int:
    """The number up to which a float type has all whole numbers."""
    return int(2 ** int(finfo(dtype).nmant + 1))
