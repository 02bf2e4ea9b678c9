"""Exponentials less 1."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation
from dxir.passes.building import Building, made_by
from dxir.verify.accuracy import accuracy_of
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.thresholds import small
from dxir.verify.values import Here

_ADD, _EXP = "stablehlo.add", "stablehlo.exponential"


class ExponentialMinusOne(Rule, id="numerics-exponential-minus-one", severity="note"):
    """exp(x) - 1 loses what is small: with x = 1e-8 in f32 it is 0, where 1e-8 is right.

    The exponential is rounded to a number near 1 before 1 is taken away, so that few digits are
    left, or none.
    """

    remedy = "use stablehlo.exponential_minus_one, which keeps small numbers"
    ops = ("stablehlo.subtract", _ADD)
    faulty = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %0 = stablehlo.exponential %x : tensor<4xf32>
  %1 = stablehlo.subtract %0, %one : tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.exponential_minus_one %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        values = subject.values
        one, other = (Here(value) for value in op.operands)
        wanted = -1 if op.name == _ADD else 1
        pairs = ((one, other), (other, one)) if op.name == _ADD else ((one, other),)
        if any(values.made_by(a, _EXP) and values.number(b) == wanted for a, b in pairs):
            fits = any(made_by(v, _EXP) is not None for v in op.operands)
            x = small(op.results[0])
            yield self.found(
                f"exp(x) - 1 is 0 for small numbers: with x = {x}, where {x} is right",
                op, subject, fixable=fits,
            )  # fmt: skip

    def repair(self, finding: Finding, subject: Subject, /) -> bool:
        op = finding.at
        if op is None:
            return False
        for value in op.operands:
            power = made_by(value, _EXP)
            if power is not None and power.operands[0].type == op.results[0].type:
                with op.context, op.location:
                    make, x = Building(op), power.operands[0]
                    exact = accuracy_of(power)
                    make.finish(make.op("stablehlo.exponential_minus_one", x.type, x, **exact))
                return True
        return False
