"""Constants converted to a type that does not hold them."""

from __future__ import annotations

import math
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
        found = _constant(subject.values, Here(op.operands[0]))
        if found is None or not found.size:
            return
        lost = _lost(found.astype(np.float64) if wide.is_float else found, narrow)
        if lost is not None:
            number, becomes = lost
            yield self.found(
                f"{number:.6g} is {becomes} in {narrow.name}", op, subject,
                numbers={"constant": float(number)},
            )  # fmt: skip


def _constant(values: Values, here: Here) -> Array | None:
    """The elements of a constant, or the number of what is computed from some."""
    number = values.number(here)
    if number is not None:
        return np.asarray([number])
    op = maker_of(here.value)
    return array_of(values, here) if op is not None and op.name == "stablehlo.constant" else None


def _holds_all(wide: DType, narrow: DType) -> bool:
    """Whether every number of one type is in the range of the other, or keeps its bits in it."""
    if wide.is_integer and narrow.is_integer:
        return narrow.bits >= wide.bits
    return wide.is_float and narrow.is_float and narrow.bits > wide.bits


def _lost(numbers: Array, narrow: DType) -> tuple[float, str] | None:
    """A number that is none in the narrow type, and what becomes of it."""
    flat = numbers.reshape(-1)
    if narrow.is_integer:
        least, most = integer_limits(narrow)
        if flat.dtype.kind == "f":
            outside = flat[~((flat > least - 1) & (flat < most + 1))]
            outcome = "not defined"
        else:
            outside = flat[(flat < least) | (flat > most)]
            outcome = f"{int(outside[0]) % 2**narrow.bits}" if outside.size else ""
            if outside.size and not narrow.is_unsigned and int(outcome) > most:
                outcome = str(int(outcome) - 2**narrow.bits)
        return (float(outside[0]), outcome) if outside.size else None
    with np.errstate(all="ignore"):
        became = flat.astype(np.float64).astype(narrow.numpy).astype(np.float64)
    for number, after in zip(flat.tolist(), became.tolist(), strict=True):
        if math.isfinite(number) and not math.isfinite(after):
            return number, f"{after:g}"
        if number and not after:
            return number, "0"
    return None
