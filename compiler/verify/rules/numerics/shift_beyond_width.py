"""Shifts by more bits than there are."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation
from dxir.verify.arrays import array_of
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.values import Here, dtype_of


class ShiftBeyondWidth(Rule, id="numerics-shift-beyond-width", severity="note"):
    """A constant shift is by as many bits as the type has, by more, or by less than 0.

    StableHLO's result is 0 (or -1 for what is negative and shifted with its sign). The instructions
    of most machines take the number of bits modulo 32 or 64 and leave the value as it is, and
    kernels written by hand do as they do. JAX shifts seeds of 32 bits by 32, and means 0.
    """

    remedy = "shift by 0 to the width less 1, and use a constant where all bits are to go"
    ops = (
        "stablehlo.shift_left", "stablehlo.shift_right_logical",
        "stablehlo.shift_right_arithmetic",
    )  # fmt: skip
    faulty = """\
func.func @main(%x: tensor<4xui32>) -> tensor<4xui32> {
  %bits = stablehlo.constant dense<32> : tensor<4xui32>
  %0 = stablehlo.shift_left %x, %bits : tensor<4xui32>
  return %0 : tensor<4xui32>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xui32>) -> tensor<4xui32> {
  %bits = stablehlo.constant dense<31> : tensor<4xui32>
  %0 = stablehlo.shift_left %x, %bits : tensor<4xui32>
  return %0 : tensor<4xui32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        dtype = dtype_of(op.results[0])
        if dtype is None:
            return
        number = subject.values.number(Here(op.operands[1]))
        if number is None:
            found = array_of(subject.values, Here(op.operands[1]))
            wrong = [] if found is None else [int(n) for n in found.flat if not 0 <= n < dtype.bits]
        else:
            wrong = [] if 0 <= number < dtype.bits else [int(number)]
        if wrong:
            yield self.found(
                f"a {dtype.name} is shifted by {wrong[0]} bits, and has {dtype.bits}",
                op, subject, numbers={"shift": wrong[0], "width": dtype.bits},
            )  # fmt: skip
