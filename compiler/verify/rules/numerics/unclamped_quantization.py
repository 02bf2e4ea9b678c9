"""Floats rounded to narrow integers without a bound."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.arithmetic import integer_limits
from dxir.mlir import IrOperation
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.values import Here, dtype_of, is_float

_ROUNDS = (
    "stablehlo.round_nearest_even", "stablehlo.round_nearest_afz", "stablehlo.floor",
    "stablehlo.ceil",
)  # fmt: skip
_NARROW = 8


class UnclampedQuantization(Rule, id="numerics-unclamped-quantization", severity="note"):
    """A float is rounded and converted to an integer of 8 bits or fewer, with no bound before it.

    What a number beyond the range of the integer becomes is left open: some backends give the
    nearest one, others wrap around, so that 128 becomes -128.
    """

    remedy = "clamp to the range of the integer type before the conversion"
    ops = ("stablehlo.convert",)
    faulty = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xi8> {
  %0 = stablehlo.round_nearest_even %x : tensor<4xf32>
  %1 = stablehlo.convert %0 : (tensor<4xf32>) -> tensor<4xi8>
  return %1 : tensor<4xi8>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xi8> {
  %least = stablehlo.constant dense<-128.0> : tensor<f32>
  %most = stablehlo.constant dense<127.0> : tensor<f32>
  %0 = stablehlo.round_nearest_even %x : tensor<4xf32>
  %1 = stablehlo.clamp %least, %0, %most
    : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.convert %1 : (tensor<4xf32>) -> tensor<4xi8>
  return %2 : tensor<4xi8>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        dtype = dtype_of(op.results[0])
        if dtype is None or not dtype.is_integer or dtype.bits > _NARROW:
            return
        values, operand = subject.values, Here(op.operands[0])
        rounded = values.made_by(operand, *_ROUNDS) if is_float(operand.value) else None
        if rounded is None or not values.varies(operand) or values.is_bounded(rounded.input(0)):
            return
        least, most = integer_limits(dtype)
        yield self.found(
            f"the rounded value may be outside of {least} to {most}: what {most + 1} becomes in "
            f"{dtype.name} is left open",
            op, subject, related=[("the rounding", rounded.op)],
        )  # fmt: skip
