"""What `dxir sharding` prints: the dear collectives first, values in groups."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from dxir.sharding_report import CollectiveReport, Comparison, ShardingReport, Total, ValueReport
from dxir.sharding_report.records import shown
from dxir.tools.sharding_groups import CollectiveGroup, ValueGroup, collective_groups, value_groups
from dxir.tools.tables import console, print_table
from dxir.wording import counted, number_text, size_text, table_lines, time_text

_WIDTH = 100
_MOST_COLLECTIVES = 20
_MOST_VALUES = 15
_MOST_GROUPS = 8
_MOST_MEMBERS = 16


@dataclass(frozen=True, slots=True)
class Shown:
    """What is asked for: values by a pattern, or all; the devices of each group."""

    values: re.Pattern[str] | None = None
    all_values: bool = False
    process_groups: bool = False


def print_report(report: ShardingReport, shown: Shown) -> None:
    """Print a report."""
    print(heading(report))
    _collectives(report, shown)
    _memory(report)
    _values(report, shown)
    _notices(report)


def heading(report: ShardingReport) -> str:
    """What the report is about, in a line."""
    meshes = [
        f"@{m.name} <{', '.join(f'{name}={size}' for name, size in m.axes)}>" for m in report.meshes
    ]
    on = f"on {', '.join(meshes)}" if meshes else "without a mesh"
    return f"@{report.entry} of {report.name or 'the program'}, {on}"


def print_comparison(comparison: Comparison, asked: Shown) -> None:
    """Print two reports side by side."""
    a, b = comparison.before, comparison.after
    print(f"before: {heading(a)}\nafter:  {heading(b)}\n")
    print_table(
        ("", "before", "after", "change"),
        [
            (what, number_text(x, unit), number_text(y, unit), _change(x, y))
            for what, unit, x, y in comparison.numbers()
            if (x, y) != (None, None)
        ],
    )
    print("\ncollectives, by kind and axes\n")
    print_table(
        ("collective", "before", "after", "change"),
        [
            (f"{x.kind} {x.axes}", _total(x), _total(y), _change(x.sent, y.sent))
            for x, y in comparison.totals()
        ],
    )
    _differing(comparison, asked)
    for report in (a, b):
        _notices(report)


def _differing(comparison: Comparison, asked: Shown) -> None:
    pairs = comparison.values()
    if asked.values is not None:
        pattern = asked.values
        pairs = [(a, b) for a, b in pairs if matches(a, pattern) or matches(b, pattern)]
    most = len(pairs) if asked.all_values or asked.values else _MOST_VALUES
    print(f"\n{counted(len(pairs), 'value')} that {'lies' if len(pairs) == 1 else 'lie'} "
          "differently\n")  # fmt: skip
    print_table(
        ("value", "before", "after"),
        [(f"{called(a)}{_at(a.where)}", _lies(a), _lies(b)) for a, b in pairs[:most]],
    )
    if len(pairs) > most:
        print(f"and {len(pairs) - most} more: --values=all tells all")


def _collectives(report: ShardingReport, asked: Shown) -> None:
    count = len(report.collectives)
    time = "" if report.seconds is None else f" in {time_text(report.seconds)}"
    if report.missing is not None:
        print(f"\ncollectives are not told: {report.missing}")
        return
    if not count:
        print("\nno collectives: devices send nothing")
        return
    print(f"\n{counted(count, 'collective')}: a device sends {size_text(report.sent)}{time}\n")
    groups = collective_groups(report)
    most = len(groups) if asked.all_values else _MOST_COLLECTIVES
    whole = sum([report.cost(c) for c in report.collectives])
    rows = [_columns(group, report, whole) for group in groups[:most]]
    for line, group in zip(table_lines(rows, right=(0, 1)), groups, strict=False):
        print(line)
        where = f"{group.first.where}: " if group.first.where else ""
        _wrapped(where + group.first.cause)
        if asked.process_groups:
            _wrapped(_groups_text(group.first, all=asked.all_values))
    if len(groups) > most:
        rest = sum([report.cost(c) for g in groups[most:] for c in g.members])
        print(f"and {len(groups) - most} more, {_share(rest, whole)} of it: --values=all tells all")
    print()
    columns = ("in all", "how many", "runs", "sent by a device", "time")
    print_table(columns, [_total_row(t, f"{t.kind} {t.axes}") for t in report.totals()])
    for text in report.unknown():
        print(f"not known: {text}")


def _total_row(total: Total, name: str) -> tuple[str, ...]:
    time = "-" if total.seconds is None else time_text(total.seconds)
    return (name, str(total.count), str(total.runs), size_text(total.sent), time)


def _columns(group: CollectiveGroup, report: ShardingReport, whole: float) -> tuple[str, ...]:
    first = group.first
    times = f"{len(group.members)} of " if len(group.members) > 1 else ""
    seconds = [c.seconds_in_all for c in group.members]
    time = "" if None in seconds else time_text(sum([s or 0.0 for s in seconds]))
    sent = "unknown" if first.sent is None else size_text(sum(c.sent_in_all for c in group.members))
    return (
        _share(sum([report.cost(c) for c in group.members]), whole),
        sent,
        time,
        f"{times}{first.kind} {first.axes_text} of {first.devices} devices",
        first.operand,
        "" if first.runs.count == 1 and not first.runs.text else str(first.runs),
    )


def _groups_text(collective: CollectiveReport, *, all: bool) -> str:
    groups = collective.process_groups()
    most = len(groups) if all else _MOST_GROUPS
    members = max(map(len, groups), default=0) if all else _MOST_MEMBERS
    texts = [
        "(" + ", ".join(map(str, g[:members])) + (", ..." if len(g) > members else "") + ")"
        for g in groups[:most]
    ]
    more = f" and {len(groups) - most} more" if len(groups) > most else ""
    return f"{counted(len(groups), 'group')}, {collective.strategy}: {' '.join(texts)}{more}"


def _memory(report: ShardingReport) -> None:
    print("\nmemory, without what a compiler makes of it\n")
    print_table(
        ("", "on a device", "unsharded"),
        [
            (name, number_text(a, "bytes"), number_text(b, "bytes"))
            for name, a, b in report.memory.rows()
        ],
    )


def _values(report: ShardingReport, asked: Shown) -> None:
    if asked.values is not None or asked.all_values:
        pattern = asked.values or re.compile("")
        found = [value for value in report.values if matches(value, pattern)]
        print(f"\n{counted(len(found), 'value')}")
        for value in found:
            _value(value)
        return
    ends = [v for v in report.values if v.function == report.entry and v.kind in _ENDS]
    print("\nparameters and results\n")
    _grouped(value_groups(ends), len(ends))
    inner = [v for v in report.values if v.kind not in _ENDS and v.is_split]
    if inner:
        rest = sum(1 for v in report.values if v.kind not in _ENDS) - len(inner)
        print(f"\n{counted(len(inner), 'other value')}, beside {rest} that no axis splits\n")
        _grouped(value_groups(inner), _MOST_VALUES)


_ENDS = ("parameter", "result")


def _grouped(groups: Sequence[ValueGroup], most: int) -> None:
    for group in groups[:most]:
        first = group.first
        like = "" if len(group.members) == 1 else f"{len(group.members)} like "
        print(f"{like}{called(first)}: {_lies(first)}, {first.local} of {first.type}")
        for note in first.notes:
            _wrapped(note)
        for why in first.why:
            if not (why.source.kind in _ENDS and why.last is None):
                _wrapped(why.sentence)
    if len(groups) > most:
        count = sum(len(group.members) for group in groups[most:])
        print(f"and {count} more: --values=all tells all, --values=REGEX some")


def _value(value: ValueReport) -> None:
    size = "unknown size" if value.bytes is None else size_text(value.bytes)
    function = f" of @{value.function}"
    print(f"\n{called(value)}{function}{_at(value.where)}")
    _wrapped(f"{_lies(value)}, {value.local} of {value.type}, {size} on a device")
    for note in value.notes:
        _wrapped(note)
    for why in value.why:
        _wrapped(why.sentence)


def _notices(report: ShardingReport) -> None:
    if report.notices:
        print("\ntold by propagation\n")
        for notice in report.notices:
            print(notice)


def matches(value: ValueReport, pattern: re.Pattern[str]) -> bool:
    """Whether a value is asked for by its name, its op or its place."""
    texts = (value.name, value.label, value.op, value.where)
    return any(text and pattern.search(text) for text in texts)


def called(value: ValueReport) -> str:
    """A value by its name, and what it is called in the user's program."""
    name = value.name if value.kind == "result" else f"{value.name} {value.op}".rstrip()
    return f"{name} ({value.label})" if value.label else name


def _lies(value: ValueReport) -> str:
    return (shown(value.sharding) or "") if value.is_split else "replicated"


def _wrapped(text: str) -> None:
    width = min(console().width, _WIDTH) if console().is_terminal else _WIDTH * 100
    indent = "      "
    print(
        textwrap.fill(
            text,
            width,
            initial_indent=indent,
            subsequent_indent=indent + "  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    )


def _at(where: str | None) -> str:
    return f" at {where}" if where else ""


def _change(before: float | None, after: float | None) -> str:
    if before is None or after is None:
        return "-"
    if before == after:
        return "same"
    return f"{(after - before) / before:+.0%}" if before else "new"


def _total(total: Total) -> str:
    if not total.count:
        return "-"
    time = "" if total.seconds is None else f", {time_text(total.seconds)}"
    return f"{total.runs} of {size_text(total.sent)}{time}"


def _share(cost: float, whole: float) -> str:
    return f"{cost / whole:.1%}" if whole else "0.0%"
