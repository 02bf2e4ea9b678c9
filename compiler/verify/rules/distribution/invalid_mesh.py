"""Meshes whose devices do not fit their axes."""

from __future__ import annotations

from dxir.verify.rule import Rule


class InvalidMesh(Rule, id="distribution-invalid-mesh", severity="error"):
    """The devices of a mesh are not those that its axes have room for.

    The sizes of the axes multiply to the number of devices, and the list of devices, where there is
    one, has each number from 0 on once. Every tool rejects the module.
    """

    remedy = "list each device from 0 on once, as many as the sizes of the axes multiply to"
    messages = (
        r"sorted device ids must be iota",
        r"total product of axis sizes must match",
        r"axis size must be at least 1",
        r"[Mm]esh device ids must be non-negative",
    )
    faulty = """\
sdy.mesh @mesh = <["x"=2, "y"=2], device_ids=[0, 1, 2, 2]>
func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
"""
    fixed = """\
sdy.mesh @mesh = <["x"=2, "y"=2], device_ids=[0, 1, 3, 2]>
func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
"""
