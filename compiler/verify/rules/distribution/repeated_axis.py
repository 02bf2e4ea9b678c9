"""Shardings that use an axis twice."""

from __future__ import annotations

from dxir.verify.rule import Rule


class RepeatedAxis(Rule, id="distribution-repeated-axis", severity="error"):
    """An axis, or overlapping parts of one, stands twice in a sharding or a mesh.

    An axis splits one dimension of a tensor, or the tensor is replicated or unreduced along it;
    it cannot do two of these. Every tool rejects the module.
    """

    remedy = "leave the axis in one place, or split it into parts that do not overlap"
    messages = (
        r"duplicate axis (?:ref|name)",
        r"both sub-axis and full-axis are used",
        r"overlapping sub-axes",
    )
    faulty = """\
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = sdy.sharding_constraint %x <@mesh, [{"x"}, {"x"}]> : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
"""
    fixed = """\
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = sdy.sharding_constraint %x <@mesh, [{"x"}, {"y"}]> : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
"""
