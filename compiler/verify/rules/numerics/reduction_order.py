"""Reductions whose result depends on the order of elements."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation
from dxir.verify.bodies import block_of, is_in_order
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class ReductionOrder(Rule, id="numerics-reduction-order", severity="warning"):
    """The body of a reduction gives other results in another order of elements.

    Backends reduce in whatever order is fast, as a tree or in parts of any size, and call the body
    with the accumulated value on either side. A difference, an average of two, or a sum of squares
    made in the body comes out as another number on each of them.
    """

    remedy = "map the elements before the reduction, and combine by an op such as add or maximum"
    ops = (
        "stablehlo.reduce", "stablehlo.reduce_window", "stablehlo.all_reduce",
        "stablehlo.reduce_scatter",
    )  # fmt: skip
    faulty = """\
func.func @main(%x: tensor<8xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) across dimensions = [0]
    : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
      %square = stablehlo.multiply %b, %b : tensor<f32>
      %sum = stablehlo.add %a, %square : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }
  return %0 : tensor<f32>
}
"""
    fixed = """\
func.func @main(%x: tensor<8xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %squares = stablehlo.multiply %x, %x : tensor<8xf32>
  %0 = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        block = block_of(op)
        if block is not None and is_in_order(block) is False:
            yield self.found(
                "the body gives other results when elements come in another order, or in parts: "
                "1, 2 and 4 combined from the left are not 1, 2 and 4 combined from the right",
                op,
                subject,
            )
