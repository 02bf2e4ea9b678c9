"""Files that are no readable module."""

from __future__ import annotations

from dxir.verify.rule import Rule


class Parse(Rule, id="structure-parse", severity="error"):
    """The file cannot be read as a module.

    It is not MLIR text, bytecode or a portable artifact, or its text has a mistake. No other rule
    can look at it.
    """

    remedy = "look at the place in the file; dxir-opt reads it the same way"
    faulty = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.add %x, : tensor<2xf32>
  return %y : tensor<2xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.add %x, %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
"""
