"""Shardings and groups along axes that their mesh does not have."""

from __future__ import annotations

from dxir.verify.rule import Rule


class UnknownAxis(Rule, id="distribution-unknown-axis", severity="error"):
    """A sharding names an axis that its mesh does not have.

    It is misspelt, or the mesh was made anew with other axes. Every tool rejects the module. (Of
    groups of a collective along such an axis, which MLIR lets pass, distribution-replica-groups
    tells.)
    """

    remedy = "name an axis of the mesh, or add the axis to the mesh"
    messages = (r"unknown axis name", r"unknown manual axis")
    faulty = """\
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<2x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}, {}]>})
    -> tensor<2x2xf32> {
  return %x : tensor<2x2xf32>
}
"""
    fixed = """\
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<2x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> tensor<2x2xf32> {
  return %x : tensor<2x2xf32>
}
"""
