"""Two reports side by side."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from dxir.sharding_report.records import ValueReport, shown
from dxir.sharding_report.report import SCHEMA, ShardingReport, Total

Side = tuple[float | None, float | None]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The reports of a program under two shardings, or of two programs."""

    before: ShardingReport
    after: ShardingReport

    def numbers(self) -> list[tuple[str, str, float | None, float | None]]:
        """What is counted, its unit (`bytes` or `seconds`), and both numbers."""
        a, b = self.before, self.after
        rows: list[tuple[str, str, float | None, float | None]] = [
            ("sent by a device", "bytes", a.sent, b.sent),
            ("time of collectives", "seconds", a.seconds, b.seconds),
        ]
        for (name, mine, _), (_, other, _) in zip(a.memory.rows(), b.memory.rows(), strict=True):
            rows.append((f"{name} on a device", "bytes", mine, other))
        return rows

    def totals(self) -> list[tuple[Total, Total]]:
        """The collectives of each kind over the same axes, those of most bytes first.

        Where a program has none, the total counts 0.
        """
        mine = {(t.kind, t.axes): t for t in self.before.totals()}
        others = {(t.kind, t.axes): t for t in self.after.totals()}
        rows = [
            (
                mine.get(key) or Total(*key, 0, 0, 0, 0.0),
                others.get(key) or Total(*key, 0, 0, 0, 0.0),
            )
            for key in dict.fromkeys((*mine, *others))
        ]
        return sorted(rows, key=lambda pair: -max(pair[0].sent, pair[1].sent))

    def values(self) -> list[tuple[ValueReport, ValueReport]]:
        """The values that both programs have, and that lie differently in them."""
        others = _by_mark(self.after)
        found: list[tuple[ValueReport, ValueReport]] = []
        for mark, value in _by_mark(self.before).items():
            other = others.get(mark)
            if other is not None and _lies(value) != _lies(other):
                found.append((value, other))
        return found

    def as_dict(self) -> dict[str, Any]:
        """Both reports and their differences, as plain values."""
        return {
            "schema": SCHEMA,
            "before": self.before.as_dict(),
            "after": self.after.as_dict(),
            "numbers": [
                {"what": what, "unit": unit, "before": a, "after": b}
                for what, unit, a, b in self.numbers()
            ],
            "totals": [{"before": a.as_dict(), "after": b.as_dict()} for a, b in self.totals()],
            "values": [
                {
                    "name": a.name,
                    "function": a.function,
                    "where": a.where,
                    "before": shown(a.sharding),
                    "after": shown(b.sharding),
                }
                for a, b in self.values()
            ],
        }


def _lies(value: ValueReport) -> str:
    """The sharding, where it splits anything: propagation may write down that nothing is split."""
    return (shown(value.sharding) or "") if value.is_split else ""


def _by_mark(report: ShardingReport) -> dict[tuple[str, str, str, str, int], ValueReport]:
    """The values by what they are and their number among those alike.

    Reshards are left out: which there are is what differs.
    """
    counts: dict[tuple[str, str, str, str], int] = defaultdict(int)
    found: dict[tuple[str, str, str, str, int], ValueReport] = {}
    for value in report.values:
        if value.op == "reshard":
            continue
        function = "" if value.function == report.entry else value.function
        mark = (function, value.kind, value.op, value.type)
        found[*mark, counts[mark]] = value
        counts[mark] += 1
    return found
