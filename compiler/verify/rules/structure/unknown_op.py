"""Ops that their dialect does not have."""

from __future__ import annotations

from dxir.verify.rule import Rule


class UnknownOp(Rule, id="structure-unknown-op", severity="error"):
    """The dialect of an op is known, and has no op of that name.

    The name is misspelt, or the op is of another StableHLO than that of the jaxlib in use: newer,
    or so old that it has been removed.
    """

    remedy = "correct the name, or use a jaxlib whose StableHLO has the op"
    messages = (r"custom op '[^']+' is unknown", r"unregistered operation '[^']+' found")
    faulty = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.multipy %x, %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.multiply %x, %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
"""
