"""What was asked for: the shardings of the program before propagation, found by place."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from dxir.mlir import ir
from dxir.passes.partitioning.given import unmet
from dxir.reading import attribute
from dxir.sharding import Sharding
from dxir.sharding_report.records import shown
from dxir.sharding_report.scan import Item, Scan, short

PLACING = ("sharding_constraint", "reshard")

Mark = tuple[str, str, str, str | None, int]


@dataclass(slots=True)
class Given:
    """The shardings that the values of a program had, and the groups they are in."""

    shardings: dict[tuple[Mark, int], Sharding] = field(default_factory=dict)
    groups: dict[tuple[Mark, int], int] = field(default_factory=dict)
    places: dict[str | None, set[str]] = field(default_factory=lambda: defaultdict(set))
    counts: dict[Mark, int] = field(default_factory=lambda: defaultdict(int))

    def marks(self, scan: Scan) -> dict[int, tuple[Mark, int]]:
        """What the values of another stage of the program are found by, by the item's id."""
        found: dict[int, tuple[Mark, int]] = {}
        counts: dict[Mark, int] = defaultdict(int)
        for item in scan.items:
            mark = _mark(item)
            found[id(item)] = (mark, counts[mark])
            counts[mark] += 1
        differ = {mark for mark, count in counts.items() if self.counts.get(mark, 0) != count}
        return {key: at for key, at in found.items() if at[0] not in differ}


def _mark(item: Item) -> Mark:
    op = item.made_by
    return (item.function, item.kind, PLACING[0] if op in PLACING else op, item.where, item.index)


def read_given(scan: Scan) -> Given:
    """What a program asks for."""
    found = Given()
    grouped: dict[object, int] = {}
    for _, op in scan.ops:
        found.places[scan.place(op.location)].add(short(op.name))
        if op.name == "sdy.sharding_group":
            group = attribute(op, "group_id")
            if group is not None:
                grouped[op.operands[0]] = int(ir.IntegerAttr(group).value)
    for item in scan.items:
        mark = _mark(item)
        at = (mark, found.counts[mark])
        found.counts[mark] += 1
        if item.sharding is not None:
            found.shardings[at] = item.sharding
        if item.key in grouped:
            found.groups[at] = grouped[item.key]
    return found


def changed(item: Item, given: Sharding | None) -> str | None:
    """What became of a sharding that was given, where it did not stay; None where it did."""
    if given is None:
        return None
    final = item.sharding or Sharding(given.mesh, *[None] * len(given.dims))
    if not unmet(given, final):
        return None
    return f"{shown(given)} was given, and it is {shown(final)}"
