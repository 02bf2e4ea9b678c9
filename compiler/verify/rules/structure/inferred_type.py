"""Results whose type is not the one that follows from the operands."""

from __future__ import annotations

from dxir.verify.rule import Rule


class InferredType(Rule, id="structure-inferred-type", severity="error"):
    """The type of a result is not the one that follows from operands and attributes.

    Producers that take result types from a description of the model, and not from the op, keep a
    dimension that a reduce removes, or give a concatenation the size of one operand.
    """

    remedy = "give the result the inferred type, and what uses it the type of the result"
    messages = (
        r"inferred (type|shape)",
        r"failed to infer returned types",
        r"op requires (the same|compatible) (shape|types?|element type)",
        r"operands/results must have the same shape",
    )
    faulty = """\
func.func @main(%a: tensor<1x1x8xf32>, %b: tensor<1x4x8xf32>) -> tensor<1x1x8xf32> {
  %0 = stablehlo.concatenate %a, %b, dim = 1
    : (tensor<1x1x8xf32>, tensor<1x4x8xf32>) -> tensor<1x1x8xf32>
  return %0 : tensor<1x1x8xf32>
}
"""
    fixed = """\
func.func @main(%a: tensor<1x1x8xf32>, %b: tensor<1x4x8xf32>) -> tensor<1x5x8xf32> {
  %0 = stablehlo.concatenate %a, %b, dim = 1
    : (tensor<1x1x8xf32>, tensor<1x4x8xf32>) -> tensor<1x5x8xf32>
  return %0 : tensor<1x5x8xf32>
}
"""
