"""Divisions by the number of elements that a mask keeps."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation
from dxir.verify.choices import is_chosen_from
from dxir.verify.finding import Finding, Severity
from dxir.verify.masks import counted, may_be_empty
from dxir.verify.powers import sum_of
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.values import Here, Values


class MaskedDivision(Rule, id="numerics-masked-division", severity="warning"):
    """A value is divided by the number of elements of a mask, which may be none.

    The mean of what a mask keeps is 0 / 0 where it keeps nothing, and that is NaN: a batch of
    nothing but padding is enough, and every weight is NaN after the next step. The sum of weights
    of another kind, by which a weighted mean is divided, is a note.
    """

    remedy = "divide by the maximum of the count and 1, or select another value where it is 0"
    ops = ("stablehlo.divide",)
    faulty = """\
func.func @main(%x: tensor<4xf32>, %mask: tensor<4xi1>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.constant dense<0.0> : tensor<4xf32>
  %kept = stablehlo.select %mask, %x, %zeros : tensor<4xi1>, tensor<4xf32>
  %0 = stablehlo.reduce(%kept init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %ones = stablehlo.convert %mask : (tensor<4xi1>) -> tensor<4xf32>
  %1 = stablehlo.reduce(%ones init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %2 = stablehlo.divide %0, %1 : tensor<f32>
  return %2 : tensor<f32>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xf32>, %mask: tensor<4xi1>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %zeros = stablehlo.constant dense<0.0> : tensor<4xf32>
  %kept = stablehlo.select %mask, %x, %zeros : tensor<4xi1>, tensor<4xf32>
  %0 = stablehlo.reduce(%kept init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %ones = stablehlo.convert %mask : (tensor<4xi1>) -> tensor<4xf32>
  %1 = stablehlo.reduce(%ones init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %count = stablehlo.maximum %1, %one : tensor<f32>
  %2 = stablehlo.divide %0, %count : tensor<f32>
  return %2 : tensor<f32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        values = subject.values
        divisor = Here(op.operands[1])
        mask = counted(values, divisor)
        if mask is not None:
            message = "the divisor is 0 where the mask keeps nothing: 0 / 0 is NaN"
            is_open, severity = may_be_empty(values, mask), self.severity
        else:
            message = "the divisor is a sum of weights, which is 0 where all are 0: 0 / 0 is NaN"
            is_open, severity = _is_weighted_mean(values, Here(op.operands[0]), divisor), _NOTE
        if is_open and not is_chosen_from(values, op):
            made = values.made(divisor)
            yield self.found(
                message, op, subject, severity=severity,
                related=[("the divisor", None if made is None else made.op)],
            )  # fmt: skip


_NOTE: Severity = "note"


def _is_weighted_mean(values: Values, dividend: Here, divisor: Here) -> bool:
    """Whether a sum of products is divided by the sum of one of the factors."""
    weights, products = sum_of(values, divisor), sum_of(values, dividend)
    product = None if products is None else values.made_by(products, "stablehlo.multiply")
    if weights is None or product is None or not values.varies(weights):
        return False
    made = values.made(weights)
    if made is not None and made.name == "stablehlo.exponential":
        return False
    return any(values.is_one(each, weights) for each in product.inputs)
