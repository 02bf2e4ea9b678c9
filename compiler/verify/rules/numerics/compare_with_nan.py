"""Comparisons with NaN."""

from __future__ import annotations

import math
from collections.abc import Iterator

from dxir.mlir import IrOperation, stablehlo
from dxir.reading import attribute
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.values import Here, is_float


class CompareWithNan(Rule, id="numerics-compare-with-nan", severity="warning"):
    """A value is compared with NaN, which nothing equals.

    Every such comparison is false, also of NaN with NaN, and `NE` is true of all: it does not find
    out what is NaN.
    """

    remedy = "compare the value with itself: x NE x holds for NaN alone"
    ops = ("stablehlo.compare",)
    faulty = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xi1> {
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<4xf32>
  %0 = stablehlo.compare EQ, %x, %nan : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xi1> {
  %0 = stablehlo.compare NE, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        values = subject.values
        if not is_float(op.operands[0]):
            return
        numbers = [values.number(Here(value)) for value in op.operands]
        if not any(n is not None and math.isnan(n) for n in numbers):
            return
        kind = attribute(op, "compare_type")
        if kind is not None and stablehlo.ComparisonTypeAttr(kind).value == "TOTALORDER":
            return
        direction = stablehlo.ComparisonDirectionAttr(op.attributes["comparison_direction"]).value
        always = "true" if direction == "NE" else "false"
        yield self.found(
            f"a comparison {direction} with NaN is {always} whatever the other value is",
            op, subject,
        )  # fmt: skip
