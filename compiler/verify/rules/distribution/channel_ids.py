"""Channels that make a collective work on others than were meant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dxir.channels import CHANNEL, COLLECTIVES
from dxir.group_faults import NAMES, GroupCheck
from dxir.mlir import IrOperation, ir, stablehlo
from dxir.pipeline.base import option
from dxir.reading import attribute, ops_below
from dxir.verify.finding import Finding, Severity
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject

_TRANSFERS = frozenset({"stablehlo.send", "stablehlo.recv"})


class ChannelIds(Rule, id="distribution-channel-ids", severity="warning"):
    """A collective has no channel where it needs one, has one too many, or shares it badly.

    Without a channel, a collective works on replicas; with one, on partitions or devices. A module
    that is partitioned has one replica, so that a collective without a channel does nothing there,
    or fails at the first call; one with a channel among replicas alone ends the process (XLA on
    CPUs). Transfers (send, recv) with one channel are one transfer to XLA: they must move the same
    types, and no collective may have their channel. Collectives may share one.
    """

    remedy = "give the op a channel_handle with a positive handle of its own"
    messages = (
        r"channel_id (?:cannot be negative|must be positive)",
        r"channel_type should be",
        r"use_global_device_ids.* channel",
    )
    faulty = """\
module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.collective_permute"(%x) <{
      source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}>
    : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
}
"""
    fixed = faulty.replace(
        "<{\n", "<{\n      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,\n"
    )

    apart: bool = option(
        "tell collectives of different kinds that share a channel, too", default=False
    )

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        counts = subject.op_counts
        if not NAMES.isdisjoint(counts):
            groups = GroupCheck(subject.module)
            for op in ops_below(subject.module.operation, NAMES):
                fault = groups.idle(op)
                if fault is not None:
                    bad: Severity = "error" if fault.severity == "error" else "warning"
                    text = f"{op.name} {fault.message}"
                    yield self.found(text, op, subject, hint=fault.hint, severity=bad)
        if self.apart or not _TRANSFERS.isdisjoint(counts):
            yield from self._shared(subject)

    def _shared(self, subject: Subject) -> Iterator[Finding]:
        first: dict[int, IrOperation] = {}
        for op in ops_below(subject.module.operation, COLLECTIVES | _TRANSFERS):
            handle = _handle(op)
            if handle <= 0:
                continue
            other = first.setdefault(handle, op)
            fault = None if other == op else self._fault(op, other)
            if fault is not None:
                yield self.found(
                    f"{op.name} has channel {handle}, as has {fault}",
                    op,
                    subject,
                    related=[(f"the first op with channel {handle}", other)],
                    hint="give each a handle of its own",
                )

    def _fault(self, op: IrOperation, other: IrOperation) -> str | None:
        """What is wrong with two ops that have one channel."""
        transfers = [each.name in _TRANSFERS for each in (op, other)]
        if transfers == [False, False]:
            return other.name if self.apart and op.name != other.name else None
        if transfers != [True, True]:
            return other.name
        if op.name == other.name and _moved(op) != _moved(other):
            moved = ", ".join(map(str, _moved(other))) or "nothing"
            return f"another {op.name}, which moves {moved}"
        return None


def _handle(op: IrOperation) -> int:
    given: Any = attribute(op, CHANNEL)
    return 0 if given is None else int(stablehlo.ChannelHandle(given).handle)


def _moved(op: IrOperation) -> list[ir.Type]:
    values = list(op.operands) if op.name == "stablehlo.send" else list(op.results)
    return [v.type for v in values if isinstance(v.type, ir.RankedTensorType)]
