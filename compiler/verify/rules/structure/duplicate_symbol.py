"""Two functions or meshes of one name."""

from __future__ import annotations

from dxir.verify.rule import Rule


class DuplicateSymbol(Rule, id="structure-duplicate-symbol", severity="error"):
    """Two functions, or a function and a mesh, have one name.

    A name stands for one function. Tools that join modules, and those that copy a function for each
    use of it, give copies names of their own.
    """

    remedy = "rename one of the two, and what refers to it"
    messages = (r"redefinition of symbol",)
    faulty = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = call @scale(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func private @scale(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
func.func private @scale(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = call @scale(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func private @scale(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
"""
