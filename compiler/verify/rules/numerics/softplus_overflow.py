"""Softplus without a guard against large numbers."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation
from dxir.verify.choices import is_chosen_from
from dxir.verify.finding import Finding
from dxir.verify.powers import far
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.values import Here


class SoftplusOverflow(Rule, id="numerics-softplus-overflow", severity="warning"):
    """The logarithm of 1 + exp(x) is computed as it is written.

    The exponential overflows: with x = 89 in f32 it is infinite, and so is the logarithm, where 89
    is right.
    """

    remedy = "compute max(x, 0) + log1p(exp(-|x|)), or take x itself where x is large"
    ops = ("stablehlo.log", "stablehlo.log_plus_one")
    faulty = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.exponential %x : tensor<4xf32>
  %1 = stablehlo.log_plus_one %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %abs = stablehlo.abs %x : tensor<4xf32>
  %neg = stablehlo.negate %abs : tensor<4xf32>
  %0 = stablehlo.exponential %neg : tensor<4xf32>
  %1 = stablehlo.log_plus_one %0 : tensor<4xf32>
  %2 = stablehlo.maximum %x, %zero : tensor<4xf32>
  %3 = stablehlo.add %2, %1 : tensor<4xf32>
  return %3 : tensor<4xf32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        values, inner = subject.values, Here(op.operands[0])
        if op.name == "stablehlo.log":
            total = values.made_by(inner, "stablehlo.add")
            found = None if total is None else values.pair(total, 1.0)
            if found is None:
                return
            inner = found
        power = values.made_by(inner, "stablehlo.exponential")
        if power is None or values.is_bounded(power.input(0)) or is_chosen_from(values, op):
            return
        much = far(power)
        yield self.found(
            f"log(1 + exp(x)) is infinite from x = {much} on, where {much} is right",
            op, subject, related=[("the exponential", power.op)],
        )  # fmt: skip
