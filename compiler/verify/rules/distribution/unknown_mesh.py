"""Shardings and groups on meshes that are not there."""

from __future__ import annotations

from dxir.verify.rule import Rule


class UnknownMesh(Rule, id="distribution-unknown-mesh", severity="error"):
    """A sharding or a collective names a mesh that the module does not have.

    It is left over where a function was cut out of a module and its mesh was not, or where two
    modules were joined that call their meshes differently. Every tool rejects the module.
    """

    remedy = "take the sdy.mesh along into the module, or name the mesh that is there"
    messages = (r"unknown mesh: ", r"mesh symbol '.*' not found")
    faulty = """\
func.func @main(%x: tensor<2x2x4xf32>) -> tensor<2x2x4xf32> {
  %0 = sdy.sharding_constraint %x <@mesh, [{}, {}, {}]> : tensor<2x2x4xf32>
  return %0 : tensor<2x2x4xf32>
}
"""
    fixed = """\
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<2x2x4xf32>) -> tensor<2x2x4xf32> {
  %0 = sdy.sharding_constraint %x <@mesh, [{}, {}, {}]> : tensor<2x2x4xf32>
  return %0 : tensor<2x2x4xf32>
}
"""
