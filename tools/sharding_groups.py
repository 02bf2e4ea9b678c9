"""Collectives and values of a report that are alike, together."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from dxir.sharding_report import CollectiveReport, ShardingReport, ValueReport
from dxir.sharding_report.records import shown

_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class CollectiveGroup:
    """Collectives of one place that are there for one reason, as those of an unrolled loop."""

    members: tuple[CollectiveReport, ...]

    @property
    def first(self) -> CollectiveReport:
        """One of them, which stands for all."""
        return self.members[0]


@dataclass(frozen=True, slots=True)
class ValueGroup:
    """Values that lie alike for the same reason."""

    members: tuple[ValueReport, ...]

    @property
    def first(self) -> ValueReport:
        """One of them, which stands for all."""
        return self.members[0]


def collective_groups(report: ShardingReport) -> list[CollectiveGroup]:
    """The collectives in groups, the most costly group first."""
    found: dict[Hashable, list[CollectiveReport]] = {}
    for c in report.collectives:
        cause = re.sub(r"%\w+(#\d+)?", "%", c.cause)
        key = (c.kind, c.axes_text, c.operand, c.where, c.runs, cause, c.rows)
        found.setdefault(key, []).append(c)
    groups = [CollectiveGroup(tuple(members)) for members in found.values()]
    return sorted(groups, key=lambda g: -sum([report.cost(c) for c in g.members]))


def value_groups(values: Iterable[ValueReport]) -> list[ValueGroup]:
    """The values in groups, the largest group first; single ones in order.

    Parameters that are called alike but for a number are together, and so are values of one type
    that lie alike, with axes from the same sources.
    """
    found: dict[Hashable, list[ValueReport]] = {}
    for value in values:
        own = value.kind in ("parameter", "result")
        called = (
            _DIGITS.sub("#", value.label or value.name) if value.label or not own else value.name
        )
        sources = tuple([_DIGITS.sub("#", w.source.text) for w in value.why])
        alike: Hashable = called if own else sources
        key = (value.kind, alike, shown(value.sharding), value.type, value.notes)
        found.setdefault(key, []).append(value)
    groups = [ValueGroup(tuple(members)) for members in found.values()]
    if any(g.first.kind in ("parameter", "result") for g in groups):
        return groups
    return sorted(groups, key=lambda g: -len(g.members))
