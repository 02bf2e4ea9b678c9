"""Logarithms of a softmax."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation
from dxir.verify.finding import Finding
from dxir.verify.powers import PICKS, powers_over_their_sum
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.thresholds import vanishing
from dxir.verify.values import Here


class LogSoftmax(Rule, id="numerics-log-softmax", severity="warning"):
    """The logarithm of a softmax is taken after the softmax was rounded.

    What is far below the maximum is 0 in the softmax, and its logarithm minus infinity: of x = 0
    and 104 in f32 the logarithms are -104 and 0, and so computed -inf and 0. A loss made of it is
    infinite, and its gradient NaN.
    """

    remedy = "take the logarithm apart: x - max(x) - log(sum(exp(x - max(x))))"
    ops = ("stablehlo.log",)
    faulty = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.subtract %x, %1 : tensor<4xf32>
  %3 = stablehlo.exponential %2 : tensor<4xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %6 = stablehlo.divide %3, %5 : tensor<4xf32>
  %7 = stablehlo.log %6 : tensor<4xf32>
  return %7 : tensor<4xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.subtract %x, %1 : tensor<4xf32>
  %3 = stablehlo.exponential %2 : tensor<4xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %5 = stablehlo.log %4 : tensor<f32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %7 = stablehlo.subtract %2, %6 : tensor<4xf32>
  return %7 : tensor<4xf32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        values = subject.values
        made = values.made(Here(op.operands[0]))
        while made is not None and made.name in PICKS:
            made = values.made(made.input(0))
        if made is not None and powers_over_their_sum(values, made) is not None:
            far = vanishing(op.results[0])
            yield self.found(
                "the logarithm of a softmax is -inf for what is far below the maximum: with "
                f"x = 0 and {far} it is -inf where -{far} is right",
                op, subject, related=[("the softmax", made.op)],
            )  # fmt: skip
