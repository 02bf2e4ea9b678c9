"""Collectives that some devices may come to and others not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from dxir.group_faults import NAMES, GroupCheck
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject

_CONTROL = frozenset({"stablehlo.if", "stablehlo.case", "stablehlo.while"})


class CollectiveInBranch(Rule, id="distribution-collective-in-branch", severity="note"):
    """A collective stands under a condition, or in a loop, that devices may decide differently.

    The devices of a group wait for each other in a collective. Where one of them takes another
    branch, or leaves a loop earlier, the others wait forever. A condition is the same on all of
    them where it is made of constants, of what all have alike, and of what a collective over the
    same devices gives; it may differ where it depends on a device's number or its part of an array.
    It need not differ, which is why this is a note.
    """

    remedy = "make the condition the same on all of them, by an all_reduce of it, say"
    faulty = """\
sdy.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>]
      out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%part: tensor<1xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %own = stablehlo.reshape %part : (tensor<1xf32>) -> tensor<f32>
    %positive = stablehlo.compare GT, %own, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %1 = "stablehlo.if"(%positive) ({
      %2 = "stablehlo.collective_permute"(%part) <{
          channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
          source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}>
        : (tensor<1xf32>) -> tensor<1xf32>
      stablehlo.return %2 : tensor<1xf32>
    }, {
      stablehlo.return %part : tensor<1xf32>
    }) : (tensor<i1>) -> tensor<1xf32>
    sdy.return %1 : tensor<1xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
    fixed = """\
sdy.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>]
      out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%part: tensor<1xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %own = stablehlo.reshape %part : (tensor<1xf32>) -> tensor<f32>
    %all = "stablehlo.all_reduce"(%own) <{
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids,
        replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %larger = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %larger : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %positive = stablehlo.compare GT, %all, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %1 = "stablehlo.if"(%positive) ({
      %2 = "stablehlo.collective_permute"(%part) <{
          channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>,
          source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}>
        : (tensor<1xf32>) -> tensor<1xf32>
      stablehlo.return %2 : tensor<1xf32>
    }, {
      stablehlo.return %part : tensor<1xf32>
    }) : (tensor<i1>) -> tensor<1xf32>
    sdy.return %1 : tensor<1xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        counts = subject.op_counts
        main = subject.functions.get("main")
        if main is None or NAMES.isdisjoint(counts) or _CONTROL.isdisjoint(counts):
            return
        from dxir.verify.uniformity import MOST_DEVICES, Unfinished, Uniformity

        grid = GroupCheck(subject.module).grid
        replicas, partitions = grid.replicas or 1, grid.partitions or 1
        if not 1 < replicas * partitions <= MOST_DEVICES or min(replicas, partitions) > 1:
            return
        followed = Uniformity(subject.functions, subject.meshes, replicas, partitions)
        with suppress(Unfinished):
            followed.follow(main)
        for each in followed.apart.values():
            first, other = each.devices
            how = (
                "in a loop whose end"
                if each.branch.name == "stablehlo.while"
                else "in a branch that"
            )
            yield self.found(
                f"{each.op.name} stands {how} devices {first} and {other} may decide differently, "
                "and they wait for each other in it",
                each.op,
                subject,
                related=[("what decides", each.branch)],
            )
