"""What a report of costs says beside its numbers."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from dxir.costs.cost import MOST_RUNS
from dxir.costs.report import OpCost


def notices_of(
    ops: Sequence[OpCost], roots: Sequence[str], *, is_sharded: bool, loops: Container[int]
) -> tuple[str, ...]:
    """What is not known, what is counted once, and of what the numbers are."""
    found: list[str] = []
    if len(roots) > 1:
        names = ", ".join(f"@{name}" for name in roots)
        found.append(f"one run of each of {names} is counted: name one for its memory")
    running = [op for op in ops if op.runs]
    found += _unknown(running)
    endless = [op for op in running if op.index in loops]
    if endless:
        found.append(
            f"{_counted(endless, 'loop')} of unknown steps, of which one is counted: "
            f"{_places(endless)}"
        )
    if any(op.runs == MOST_RUNS for op in running):
        found.append(f"ops that run more than {MOST_RUNS:,} times are counted as often as that")
    branches = [op for op in running if op.op in ("stablehlo.case", "stablehlo.if")]
    if branches:
        found.append(
            f"{_counted(branches, 'conditional')} counted as the dearest branch: "
            f"{_places(branches)}"
        )
    if is_sharded:
        found.append(
            "the program is sharded: work and bytes, sent ones too, are of all devices together"
        )
    return tuple(found)


def _unknown(running: Iterable[OpCost]) -> list[str]:
    groups: dict[tuple[str, str], list[OpCost]] = {}
    for op in running:
        if op.unknown:
            groups.setdefault((op.kind, op.unknown), []).append(op)
    return [
        f"the cost of {_counted(ops, kind)} is not known: {why} ({_places(ops)})"
        for (kind, why), ops in groups.items()
    ]


def _counted(ops: Sequence[OpCost], what: str) -> str:
    return f"{len(ops):,} {what}" if len(ops) == 1 else f"{len(ops):,} {what}s"


def _places(ops: Sequence[OpCost]) -> str:
    """Where the first of some ops is."""
    where = ops[0].where or f"in @{ops[0].function}"
    return where if len(ops) == 1 else f"the first {where}"
