"""Softmaxes of rows that a mask may leave nothing of."""

from __future__ import annotations

import math
from collections.abc import Iterator

from dxir.mlir import IrOperation
from dxir.pattern.tensors import reduce_kind
from dxir.verify.choices import is_chosen_from
from dxir.verify.finding import Finding
from dxir.verify.masks import masked_out, may_be_empty
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.values import Here, Made, Values


class AllMaskedSoftmax(Rule, id="numerics-all-masked-softmax", severity="note"):
    """A maximum is taken out of values that a mask may set to minus infinity, all of them.

    Then the maximum is minus infinity, too, and the difference NaN: attention of a row of padding
    is NaN, and a logsumexp of such a row NaN where -inf is right.
    """

    remedy = "take 0 for a maximum that is not finite, or mask with a large finite number"
    ops = ("stablehlo.exponential",)
    faulty = """\
func.func @main(%x: tensor<2x4xf32>, %mask: tensor<2x4xi1>) -> tensor<2x4xf32> {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %leasts = stablehlo.constant dense<0xFF800000> : tensor<2x4xf32>
  %kept = stablehlo.select %mask, %x, %leasts : tensor<2x4xi1>, tensor<2x4xf32>
  %0 = stablehlo.reduce(%kept init: %least) applies stablehlo.maximum across dimensions = [1]
    : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<2xf32>) -> tensor<2x4xf32>
  %2 = stablehlo.subtract %kept, %1 : tensor<2x4xf32>
  %3 = stablehlo.exponential %2 : tensor<2x4xf32>
  return %3 : tensor<2x4xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<2x4xf32>, %mask: tensor<2x4xi1>) -> tensor<2x4xf32> {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zeros = stablehlo.constant dense<0.0> : tensor<2xf32>
  %leasts = stablehlo.constant dense<0xFF800000> : tensor<2x4xf32>
  %kept = stablehlo.select %mask, %x, %leasts : tensor<2x4xi1>, tensor<2x4xf32>
  %0 = stablehlo.reduce(%kept init: %least) applies stablehlo.maximum across dimensions = [1]
    : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
  %finite = stablehlo.is_finite %0 : (tensor<2xf32>) -> tensor<2xi1>
  %top = stablehlo.select %finite, %0, %zeros : tensor<2xi1>, tensor<2xf32>
  %1 = stablehlo.broadcast_in_dim %top, dims = [0] : (tensor<2xf32>) -> tensor<2x4xf32>
  %2 = stablehlo.subtract %kept, %1 : tensor<2x4xf32>
  %3 = stablehlo.exponential %2 : tensor<2x4xf32>
  return %3 : tensor<2x4xf32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        values = subject.values
        shifted = values.made_by(Here(op.operands[0]), "stablehlo.subtract")
        if shifted is None:
            return
        top = _maximum(values, shifted.input(1))
        if top is None or not values.is_one(top.input(0), shifted.input(0)):
            return
        mask = masked_out(values, shifted.input(0))
        if mask is not None and may_be_empty(values, mask) and not is_chosen_from(values, op):
            yield self.found(
                "where the mask leaves nothing, the maximum is -inf and -inf less it is NaN",
                op, subject, related=[("the maximum", top.op)],
            )  # fmt: skip


def _maximum(values: Values, here: Here) -> Made | None:
    """The reduction that takes a maximum, also where JAX takes that of it and minus infinity."""
    made = values.made_by(here, "stablehlo.maximum")
    below = None if made is None else values.pair(made, -math.inf)
    top = values.made_by(below or here, "stablehlo.reduce")
    return top if top is not None and reduce_kind(top.maker) == "maximum" else None
