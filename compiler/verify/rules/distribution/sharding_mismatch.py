"""Shardings that are not of the shape of what they are for."""

from __future__ import annotations

from dxir.verify.rule import Rule


class ShardingMismatch(Rule, id="distribution-sharding-mismatch", severity="error"):
    """A sharding does not fit the value it is for: another rank, or another number of values.

    A sharding has an entry for each dimension, and an op one for each result; the parts that a
    manual computation sees have the sizes that its shardings leave; a part of an axis divides it.
    Every tool rejects the module.
    """

    remedy = "give the value a sharding with an entry for each of its dimensions, or none"
    messages = (
        r"sharding doesn't match tensor rank",
        r"shardings don't match number of values",
        r"sharding attribute of type TensorSharding",
        r"shape, corresponding sharding, and region",
        r"sub-axis (?:next )?(?:pre-)?size",
        r"[Aa]djacent axes in|axes can be merged",
        r"axes are not ordered w\.r\.t\. mesh",
        r"is empty and closed but has a priority",
        r"collective on operand without sharding",
    )
    faulty = """\
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>})
    -> tensor<f32> {
  return %x : tensor<f32>
}
"""
    fixed = """\
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> tensor<f32> {
  return %x : tensor<f32>
}
"""
