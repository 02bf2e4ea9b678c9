"""Constants converted to a type that does not hold them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dxir.arithmetic import integer_limits
from dxir.elements import Array
from dxir.mlir import IrOperation
from dxir.pattern.view import CONVERT
from dxir.reading import maker_of
from dxir.types import DType
from dxir.verify.arrays import array_of
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.values import Here, Values, dtype_of


class LossyConstant(Rule, id="numerics-lossy-constant", severity="warning"):
    """A constant is converted to a type that does not hold it.

    A mask of -1e9 is minus infinity in f16, and so is the least f32 in bf16: a row that is masked
    as a whole is NaN. An epsilon of 1e-8 is 0 in f16, and protects from nothing. An integer wraps
    around.
    """

    remedy = "use a constant that the narrower type holds"
    ops = (CONVERT,)
    faulty = """\
func.func @main() -> tensor<4xf16> {
  %0 = stablehlo.constant dense<-1.0e9> : tensor<f32>
  %1 = stablehlo.convert %0 : (tensor<f32>) -> tensor<f16>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f16>) -> tensor<4xf16>
  return %2 : tensor<4xf16>
}
"""
    fixed = """\
func.func @main() -> tensor<4xf16> {
  %0 = stablehlo.constant dense<-6.0e4> : tensor<f32>
  %1 = stablehlo.convert %0 : (tensor<f32>) -> tensor<f16>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f16>) -> tensor<4xf16>
  return %2 : tensor<4xf16>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        wide, narrow = dtype_of(op.operands[0]), dtype_of(op.results[0])
        if wide is None or narrow is None or wide is narrow or narrow.is_bool or wide.is_bool:
            return
        if wide.is_complex or narrow.is_complex or _holds_all(wide, narrow):
            return
        number = subject.values.number(Here(op.operands[0]))
        found = _constant(subject.values, Here(op.operands[0])) if number is None else None
        if number is not None:
            lost = _lost(np.asarray([number if wide.is_float else int(number)]), narrow)
            lost = lost or _vanished(number, narrow)
        elif found is not None and found.size:
            lost = _lost(found.reshape(-1), narrow)
        else:
            return
        if lost is not None:
            value, becomes = lost
            yield self.found(
                f"{value:.6g} is {becomes} in {narrow.name}", op, subject,
                numbers={"constant": float(value)},
            )  # fmt: skip


def _constant(values: Values, here: Here) -> Array | None:
    op = maker_of(here.value)
    return array_of(values, here) if op is not None and op.name == "stablehlo.constant" else None


def _holds_all(wide: DType, narrow: DType) -> bool:
    """Whether every number of one type is in the range of the other, or keeps its bits in it."""
    if wide.is_integer and narrow.is_integer:
        return narrow.bits >= wide.bits
    return wide.is_float and narrow.is_float and narrow.bits > wide.bits


def _lost(flat: Array, narrow: DType) -> tuple[float, str] | None:
    """A number that is out of the range of a narrow type, and what becomes of it."""
    if narrow.is_integer and flat.dtype.kind in "iu":
        least, most = integer_limits(narrow)
        outside = flat[(flat < least) | (flat > most)]
        if not outside.size:
            return None
        rest = int(outside[0]) % 2**narrow.bits
        return float(outside[0]), str(rest if rest <= most else rest - 2**narrow.bits)
    wide = flat.astype(np.float64)
    if narrow.is_integer:
        least, most = integer_limits(narrow)
        outside = wide[~((wide > least - 1) & (wide < most + 1))]
        return (float(outside[0]), "not defined") if outside.size else None
    with np.errstate(all="ignore"):
        became = wide.astype(narrow.numpy).astype(np.float64)
    lost = np.isfinite(wide) & ~np.isfinite(became)
    return (float(wide[lost][0]), f"{became[lost][0]:g}") if lost.any() else None


def _vanished(number: float, narrow: DType) -> tuple[float, str] | None:
    """A number that is not 0, and 0 in a narrow float."""
    if not narrow.is_float or not number:
        return None
    with np.errstate(all="ignore"):
        became = float(np.float64(number).astype(narrow.numpy))
    return None if became else (number, "0")
