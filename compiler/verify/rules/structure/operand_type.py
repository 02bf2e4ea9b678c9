"""Operands whose type in the text is not that of the value."""

from __future__ import annotations

from dxir.verify.rule import Rule


class OperandType(Rule, id="structure-operand-type", severity="error"):
    """The text gives an operand another type than the value has.

    Producers that write text keep types in a table of their own, which goes stale, or swap two
    operands and not their types. A type comes from the value itself.
    """

    remedy = "give the operand the type that its value was defined with, or swap the operands"
    messages = (r"expects different type than prior uses",)
    faulty = """\
func.func @main(%x: tensor<1x1xf32>, %w: tensor<1x16xf32>) -> tensor<1x16xf32> {
  %y = stablehlo.dot_general %w, %x, contracting_dims = [1] x [0]
    : (tensor<1x1xf32>, tensor<1x16xf32>) -> tensor<1x16xf32>
  return %y : tensor<1x16xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<1x1xf32>, %w: tensor<1x16xf32>) -> tensor<1x16xf32> {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<1x1xf32>, tensor<1x16xf32>) -> tensor<1x16xf32>
  return %y : tensor<1x16xf32>
}
"""
