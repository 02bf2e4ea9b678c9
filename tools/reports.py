"""The reports that follow a run: time and statistics of each pass, in MLIR's layout."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dxir.pipeline.running import Record

_RULE = "===" + "-" * 73 + "==="


def _head(title: str) -> list[str]:
    return [_RULE, f"... {title} ...".center(len(_RULE)).rstrip(), _RULE]


def timing_report(
    records: Sequence[Record], *, parsing: float, output: float, total: float, as_list: bool
) -> str:
    """Wall time in seconds of reading, of each pass and of writing, and their shares of all.

    As a list the longest comes first and equal passes are added up; otherwise passes are in order,
    inside the ops they ran on.
    """
    rows = [("Parser", parsing)]
    rows += _added_up(records) if as_list else _nested(records)
    rows.append(("Output", output))
    known = parsing + output + sum(r.seconds for r in records)
    rows.append(("Rest", max(total - known, 0.0)))
    if as_list:
        rows.sort(key=lambda row: -row[1])
    rows.append(("Total", total))
    lines = _head("Execution time report")
    lines += [f"  Total Execution Time: {total:.4f} seconds", ""]
    lines.append("  ----Wall Time----  ----Name----")
    share = 100.0 / total if total else 0.0
    lines += [f"  {s:8.4f} ({s * share:5.1f}%)  {name}" for name, s in rows]
    return "\n".join(lines) + "\n"


def _added_up(records: Iterable[Record]) -> list[tuple[str, float]]:
    sums: dict[str, float] = {}
    for record in records:
        sums[record.step.name] = sums.get(record.step.name, 0.0) + record.seconds
    return list(sums.items())


def _nested(records: Sequence[Record]) -> list[tuple[str, float]]:
    rows: list[tuple[str, float]] = []
    at = 0
    while at < len(records):
        path = records[at].step.path
        end = at
        while end < len(records) and records[end].step.path == path:
            end += 1
        depth = len(path) - 1
        for level in range(1, len(path)):
            seconds = sum(r.seconds for r in records[at:end])
            rows.append(("  " * (level - 1) + f"'{path[level]}' Pipeline", seconds))
        rows += [("  " * depth + r.step.name, r.seconds) for r in records[at:end]]
        at = end
    return rows


def statistics_report(records: Sequence[Record], *, as_list: bool) -> str:
    """What each pass counted, and the ops before and after it.

    As a list the numbers of equal passes are added up, and passes are sorted by name.
    """
    lines = _head("Pass statistics report")
    for name, depth, numbers in _summed(records) if as_list else _in_order(records):
        lines.append("  " * depth + name)
        width = max((len(str(n)) for n in numbers.values()), default=1)
        lines += [
            "  " * depth + f"  (S) {number:>{width}} {what}" for what, number in numbers.items()
        ]
    return "\n".join(lines) + "\n"


def _in_order(records: Iterable[Record]) -> list[tuple[str, int, dict[str, int]]]:
    return [(r.step.name, len(r.step.path) - 1, _numbers(r)) for r in records]


def _numbers(record: Record) -> dict[str, int]:
    found = dict(record.statistics)
    if record.ops_before is not None and record.ops_after is not None:
        found |= {"ops before": record.ops_before, "ops after": record.ops_after}
    return found


def _summed(records: Iterable[Record]) -> list[tuple[str, int, dict[str, int]]]:
    sums: dict[str, dict[str, int]] = {}
    for record in records:
        into = sums.setdefault(record.step.name, {})
        for what, number in record.statistics.items():
            into[what] = into.get(what, 0) + number
        if record.ops_before is not None and record.ops_after is not None:
            removed = record.ops_before - record.ops_after
            into["ops removed"] = into.get("ops removed", 0) + removed
    return [(name, 0, sums[name]) for name in sorted(sums)]
