"""Modules that MLIR's verifier rejects."""

from __future__ import annotations

from dxir.verify.rule import Rule


class Verify(Rule, id="structure-verify", severity="error"):
    """The module is not valid: MLIR's verifier rejects an op.

    Every tool rejects it in the same way. Faults that are common have rules of their own.
    """

    remedy = "make the op what StableHLO's specification says of it"
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
