"""Channels of collectives: in a module that dxir writes, each has a number of its own."""

from __future__ import annotations

from typing import Any

from dxir.mlir import IrOperation, ir, stablehlo
from dxir.reading import attribute, walk

CHANNEL = "channel_handle"

COLLECTIVES = frozenset(
    f"stablehlo.{name}"
    for name in (
        "all_gather", "all_reduce", "all_to_all", "collective_broadcast", "collective_permute",
        "collective_reduce", "reduce_scatter",
    )
)  # fmt: skip


def separate_channels(module: ir.Module) -> None:
    """Give collectives that have the channel of an earlier one the next numbers that are free.

    Derivatives, batches and copies of a collective come with its number, and XLA tells those that
    are under way at a time by it.
    """
    known: dict[int, int] = {}
    repeated: list[tuple[IrOperation, Any]] = []

    def visit(op: IrOperation) -> None:
        given = attribute(op, CHANNEL)
        if given is None:
            return
        channel: Any = stablehlo.ChannelHandle(given)
        known[channel.handle] = known.get(channel.handle, 0) + 1
        if known[channel.handle] > 1 and channel.handle > 0 and op.name in COLLECTIVES:
            repeated.append((op, channel))

    walk(module, visit)
    free = 0
    for op, channel in repeated:
        free += 1
        while free in known:
            free += 1
        op.attributes[CHANNEL] = stablehlo.ChannelHandle.get(free, channel.channel_type)
