"""Exponentials that are summed without a shift."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation
from dxir.verify.finding import Finding
from dxir.verify.powers import far, power_of, powers_over_their_sum, sum_of
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.values import Here, Made


class UnshiftedSoftmax(Rule, id="numerics-unshifted-softmax", severity="warning"):
    """A softmax or a logsumexp takes exponentials without subtracting the maximum first.

    The exponential of 89 is infinite in f32, that of 12 in f16: a softmax becomes inf / inf, which
    is NaN, and the logarithm of a sum infinite. Less their maximum, no exponential is above 1.
    """

    remedy = "subtract the maximum along the axis before the exponential, and add it to a logarithm"
    ops = ("stablehlo.divide", "stablehlo.multiply", "stablehlo.log")
    faulty = """\
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.exponential %x : tensor<2x4xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<2xf32>) -> tensor<2x4xf32>
  %3 = stablehlo.divide %0, %2 : tensor<2x4xf32>
  return %3 : tensor<2x4xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [1]
    : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
  %top = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<2xf32>) -> tensor<2x4xf32>
  %shifted = stablehlo.subtract %x, %top : tensor<2x4xf32>
  %0 = stablehlo.exponential %shifted : tensor<2x4xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<2xf32>) -> tensor<2x4xf32>
  %3 = stablehlo.divide %0, %2 : tensor<2x4xf32>
  return %3 : tensor<2x4xf32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        values = subject.values
        if op.name == "stablehlo.log":
            total = sum_of(values, Here(op.operands[0]))
            power = None if total is None else power_of(values, total)
        else:
            power = powers_over_their_sum(values, Made(values.view.of(op), None))
        if power is None or values.is_bounded(power.input(0)):
            return
        what = "logarithm of a sum of exponentials" if op.name[-3:] == "log" else "softmax"
        effect = "infinite" if op.name[-3:] == "log" else "NaN"
        yield self.found(
            f"the {what} has no maximum taken out: with one x of {far(power)} it is {effect}",
            op, subject, related=[("the exponential", power.op)],
        )  # fmt: skip
