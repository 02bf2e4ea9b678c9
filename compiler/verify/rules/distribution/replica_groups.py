"""Groups of processes that do not fit."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.group_faults import NAMES, GroupCheck
from dxir.reading import ops_below
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class ReplicaGroups(Rule, id="distribution-replica-groups", severity="error"):
    """The groups of a collective leave a process out, have one twice, or one that is not there.

    What the ids are (replicas, partitions or devices) follows from the channel of the op and its
    use_global_device_ids; how many there are, from mhlo.num_replicas and mhlo.num_partitions, or
    the mesh. XLA fails at the first call, ends the process, or waits forever. Groups of several
    sizes, filled up with -1, are valid for a reduction, and few targets run them: a warning.
    """

    remedy = "list each id from 0 on exactly once, in groups of one size"
    messages = (
        r"replica id #\d+ (?:seen more than once|not seen in replica groups)",
        r"Invalid replica id",
        r"replica groups should be a rank 2 tensor",
        r"replica groups cannot be empty",
        r"replica_groups values must be positive",
        r"group size of replica_groups must be",
        r"source_target_pairs (?:attribute )?(?:to be of rank|of shape|must be >= 0)",
        r"duplicate (?:sources|targets) not allowed",
    )
    faulty = """\
module attributes {mhlo.num_partitions = 4 : i32} {
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.all_reduce"(%x) <{
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids,
      replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
}
"""
    fixed = faulty.replace("[[0, 1, 2]]> : tensor<1x3xi64>", "[[0, 1, 2, 3]]> : tensor<1x4xi64>")

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        if NAMES.isdisjoint(subject.op_counts):
            return
        groups = GroupCheck(subject.module)
        for op in ops_below(subject.module.operation, NAMES):
            if groups.idle(op) is not None:  # then its ids are others than were meant
                continue
            for fault in groups.faults(op):
                yield self.found(
                    f"{op.name} {fault.message}",
                    op,
                    subject,
                    hint=f"{self.remedy}: {fault.hint}" if fault.hint else None,
                    severity="warning" if fault.severity == "warning" else "error",
                )
