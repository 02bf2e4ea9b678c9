"""The report of a program's shardings, and its totals."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dxir.collective_costs import Interconnect
from dxir.diagnostics import Diagnostic
from dxir.errors import ArgumentError
from dxir.locations import caller_location
from dxir.sharding import Mesh
from dxir.sharding_report.records import CollectiveReport, Memory, ValueReport
from dxir.wording import counted

if TYPE_CHECKING:
    from dxir.sharding_report.comparing import Comparison

_MOST_TOLD = 12

SCHEMA = 1
"""The version of what `ShardingReport.as_dict` gives; a number is added when something changes."""


@dataclass(frozen=True, slots=True)
class Total:
    """What the collectives of one kind send over the same axes, in a run of the program.

    `count` is how many there are, `runs` how often they run; `seconds` is None where the time of
    one of them is not known.
    """

    kind: str
    axes: str
    count: int
    runs: int
    sent: int
    seconds: float | None

    def as_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "kind": self.kind,
            "axes": self.axes,
            "count": self.count,
            "runs": self.runs,
            "sent_bytes": self.sent,
            "seconds": self.seconds,
        }


@dataclass(frozen=True, slots=True, repr=False)
class ShardingReport:
    """How the values of a program lie on the mesh and why, what it sends, and what it holds.

    Bytes and seconds are those of one device in one run. `text` is the program after propagation,
    which the names of values are from; `notices` say what was given and not kept, and what the
    report does not know. `missing` says why the collectives that the shardings need are not told,
    where they are not: then there are only those that the program has, and no more is counted.
    """

    name: str
    entry: str
    meshes: tuple[Mesh, ...]
    values: tuple[ValueReport, ...]
    collectives: tuple[CollectiveReport, ...]
    memory: Memory
    notices: tuple[Diagnostic, ...]
    interconnect: Interconnect | None
    text: str
    missing: str | None = None

    def __repr__(self) -> str:
        what = f"{self.name or 'a program'}: {counted(len(self.values), 'value')}"
        count = counted(len(self.collectives), "collective")
        return f"<ShardingReport of @{self.entry} of {what}, {count}, {self.sent} bytes sent>"

    def value(self, name: str, function: str | None = None) -> ValueReport:
        """The value of a name: `%3`, `result 0`, or what a parameter is called.

        Raises ArgumentError where there is none; `function` is the entry unless given.
        """
        where = self.entry if function is None else function
        for value in self.values:
            if value.function == where and name in (value.name, value.label):
                return value
        found = [v for v in self.values if v.function == where]
        known = [v.label or v.name for v in found if v.kind != "value"]
        known[_MOST_TOLD:] = ["..."] * (len(known) > _MOST_TOLD)
        raise ArgumentError(
            f"no value of @{where} is called {name!r}",
            where=caller_location(),
            hint=f"there are {', '.join(known)}, and those of report.text, such as '%0'"
            if found
            else f"the functions are {', '.join(dict.fromkeys(v.function for v in self.values))}",
        )

    @property
    def by_cost(self) -> tuple[CollectiveReport, ...]:
        """The collectives, the most costly first: by seconds where all are known, or by bytes."""
        return tuple(sorted(self.collectives, key=self.cost, reverse=True))

    @property
    def has_seconds(self) -> bool:
        """Whether the time of every collective is known whose bytes are."""
        return self.interconnect is not None

    def cost(self, collective: CollectiveReport) -> float:
        """What collectives are ordered by, and have shares of."""
        if self.has_seconds:
            return collective.seconds_in_all or 0.0
        return float(collective.sent_in_all)

    @property
    def sent(self) -> int:
        """The bytes that a device sends in all."""
        return sum([c.sent_in_all for c in self.collectives])

    @property
    def seconds(self) -> float | None:
        """The time of all collectives, one after the other; None without an interconnect."""
        if self.interconnect is None:
            return None
        return _sum([c.seconds_in_all for c in self.collectives if c.sent is not None])

    def totals(self) -> tuple[Total, ...]:
        """The collectives by kind and axes, the most bytes first."""
        return self._totals(lambda c: (c.kind, c.axes_text))

    def totals_by_axes(self) -> tuple[Total, ...]:
        """The collectives by axes alone."""
        return self._totals(lambda c: ("", c.axes_text))

    def totals_by_kind(self) -> tuple[Total, ...]:
        """The collectives by kind alone."""
        return self._totals(lambda c: (c.kind, ""))

    def _totals(self, key: Callable[[CollectiveReport], tuple[str, str]]) -> tuple[Total, ...]:
        groups: dict[tuple[str, str], list[CollectiveReport]] = {}
        for collective in self.collectives:
            groups.setdefault(key(collective), []).append(collective)
        found = [
            Total(
                kind,
                axes,
                len(each),
                sum([c.runs.counted for c in each]),
                sum([c.sent_in_all for c in each]),
                _sum([c.seconds_in_all for c in each if c.sent is not None]),
            )
            for (kind, axes), each in groups.items()
        ]
        return tuple(sorted(found, key=lambda t: (-t.sent, t.kind, t.axes)))

    def compared(self, other: ShardingReport) -> Comparison:
        """This report beside another one, of the same program under other shardings, say."""
        from dxir.sharding_report.comparing import Comparison

        return Comparison(self, other)

    def unknown(self) -> tuple[str, ...]:
        """What the totals leave out, or count once, in words."""
        found: list[str] = []
        if self.missing is not None:
            found.append(f"the collectives that the shardings need: {self.missing}")
        unsized = [c for c in self.collectives if c.sent is None]
        if unsized:
            found.append(
                f"{counted(len(unsized), 'collective')} of a size that is not known, which the "
                "totals leave out"
            )
        loops = [c for c in self.collectives if c.runs.count is None]
        if loops:
            found.append(
                f"{counted(len(loops), 'collective')} in loops of unknown steps, which the totals "
                "count once a loop"
            )
        if self.memory.peak is None or self.memory.whole_peak is None:
            found.append("memory: the size of a value is not known")
        return tuple(found)

    def as_dict(self) -> dict[str, Any]:
        """The report as plain values, as JSON has them; `schema` is the version of its form."""
        return {
            "schema": SCHEMA,
            "name": self.name,
            "entry": self.entry,
            "meshes": [
                {"name": m.name, "axes": dict(m.axes), "device_ids": list(m.device_ids)}
                for m in self.meshes
            ],
            "interconnect": None if self.interconnect is None else self.interconnect.name,
            "values": [value.as_dict() for value in self.values],
            "collectives": [collective.as_dict() for collective in self.collectives],
            "memory": self.memory.as_dict(),
            "totals": {
                "sent_bytes": self.sent,
                "seconds": self.seconds,
                "by_kind_and_axes": [t.as_dict() for t in self.totals()],
                "by_axes": [t.as_dict() for t in self.totals_by_axes()],
                "by_kind": [t.as_dict() for t in self.totals_by_kind()],
            },
            "missing": self.missing,
            "unknown": list(self.unknown()),
            "notices": [notice.as_dict() for notice in self.notices],
        }


def _sum(times: Iterable[float | None]) -> float | None:
    total = 0.0
    for time in times:
        if time is None:
            return None
        total += time
    return total
