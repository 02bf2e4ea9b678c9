"""Modules that MLIR's verifier rejects."""

from __future__ import annotations

from dxir.verify.rule import Rule


class Verify(Rule, id="structure-verify", severity="error"):
    """The module is not valid: MLIR's verifier rejects an op.

    Every tool rejects it in the same way. Faults that are common have rules of their own.
    """

    remedy = "make the op what StableHLO's specification says of it"
    faulty = """\
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = stablehlo.transpose %x, dims = [0, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %y = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}
"""
