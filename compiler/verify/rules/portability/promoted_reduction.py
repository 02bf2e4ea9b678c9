"""Reductions whose body has a wider element type than what is reduced."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation, ir
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class PromotedReduction(Rule, id="portability-promoted-reduction", severity="warning"):
    """The body of a reduction takes a wider element type than its inputs have.

    StableHLO allows it, and reduces in the wider type. XLA refuses such a reduce or reduce_window.
    """

    remedy = "convert the inputs and their initial values first, and reduce them in the wider type"
    ops = ("stablehlo.reduce", "stablehlo.reduce_window")
    faulty = """\
func.func @main(%x: tensor<4xf16>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f16>
  %0 = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4xf16>, tensor<f16>) -> tensor<f32>
  return %0 : tensor<f32>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xf16>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %wide = stablehlo.convert %x : (tensor<4xf16>) -> tensor<4xf32>
  %0 = stablehlo.reduce(%wide init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        inputs = list(op.operands)[: len(op.operands) // 2]
        arguments = op.regions[0].blocks[0].arguments
        for value, argument in zip(inputs, arguments, strict=False):
            given, taken = value.type, argument.type
            if not isinstance(given, ir.RankedTensorType) or not isinstance(
                taken, ir.RankedTensorType
            ):
                continue
            if given.element_type != taken.element_type:
                yield self.found(
                    f"{op.name} takes {given.element_type}, and its body {taken.element_type}",
                    op,
                    subject,
                )
                return
