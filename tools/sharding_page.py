"""The page that `dxir sharding --html` writes: one file, which opens from disk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from dxir.sharding_report import Comparison, ShardingReport, Source
from dxir.sharding_report.records import Link, shown
from dxir.tools.sharding_page_module import module_html
from dxir.tools.sharding_page_parts import SCRIPT, STYLE
from dxir.tools.sharding_text import called, heading
from dxir.view.embedding import document
from dxir.wording import number_text, size_text, time_text

Cell = str | tuple[str, float]
"""A text, or one with the number to sort by."""

_COLLECTIVES = (
    "share", "sent", "time", "runs", "collective", "axes", "devices", "operand", "place", "cause",
)  # fmt: skip


def page(report: ShardingReport, comparison: Comparison | None = None) -> str:
    """The report, or two side by side, as HTML."""
    reports = [report] if comparison is None else [comparison.before, comparison.after]
    title = " and ".join([r.name or "the program" for r in reports])
    sides = [_side(each, i) for i, each in enumerate(reports)]
    if comparison is None:
        body = sides[0]
    else:
        joined = "".join(f"<section>{side}</section>" for side in sides)
        body = f'{_differences(comparison)}<div class="sides">{joined}</div>'
    return document(
        title=f"Shardings: {title}",
        style=STYLE,
        body=f'{body}\n<div id="panel"></div>',
        data=[_data(each) for each in reports],
        script=SCRIPT,
    )


def _side(report: ShardingReport, number: int) -> str:
    parts = [f"<h1>{escape(heading(report))}</h1>"]
    if report.notices:
        told = "".join(f'<p class="note">{escape(str(n))}</p>' for n in report.notices)
        parts.append(f"<h2>Told by propagation</h2>{told}")
    time = "" if report.seconds is None else f" in {time_text(report.seconds)}"
    parts.append(f"<h2>Collectives: a device sends {size_text(report.sent)}{time}</h2>")
    parts += [f'<p class="note">not known: {escape(text)}</p>' for text in report.unknown()]
    parts.append(_totals(report))
    if report.collectives:
        name = f"collectives{number}"
        parts.append(
            f'<p><input class="filter" data-table="{name}" placeholder="only rows with"></p>'
        )
        parts.append(_table(_COLLECTIVES, _collectives(report), name))
    parts.append("<h2>Memory, without what a compiler makes of it</h2>")
    parts.append(_table(("", "on a device", "unsharded"), [
        (name, _bytes(a), _bytes(b)) for name, a, b in report.memory.rows()
    ]))  # fmt: skip
    parts.append("<h2>The program: point at a value for its sharding, click it for why</h2>")
    parts.append(f'<pre class="module" data-report="{number}">{module_html(report)}</pre>')
    return "\n".join(parts)


def _totals(report: ShardingReport) -> str:
    rows: list[Sequence[Cell]] = [
        (
            f"{t.kind} {t.axes}",
            (str(t.count), t.count),
            (str(t.runs), t.runs),
            _bytes(t.sent),
            _time(t.seconds),
        )
        for t in report.totals()
    ]
    return _table(("in all", "how many", "runs", "sent by a device", "time"), rows)


def _collectives(report: ShardingReport) -> Iterable[Sequence[Cell]]:
    whole = sum([report.cost(c) for c in report.collectives])
    for c in report.by_cost:
        share = report.cost(c) / whole if whole else 0.0
        runs = c.runs.count
        yield (
            (f"{share:.1%}", share),
            _bytes(None if c.sent is None else c.sent_in_all),
            _time(c.seconds_in_all),
            (str(c.runs) if c.runs.text else str(runs), -1 if runs is None else runs),
            c.kind,
            c.axes_text,
            (str(c.devices), c.devices),
            c.operand,
            c.where or "",
            c.cause,
        )


def _differences(comparison: Comparison) -> str:
    numbers = [
        (what, _number(a, unit), _number(b, unit)) for what, unit, a, b in comparison.numbers()
    ]
    totals: list[Sequence[Cell]] = [
        (
            f"{a.kind} {a.axes}",
            _bytes(a.sent),
            _bytes(b.sent),
            _time(a.seconds),
            _time(b.seconds),
        )
        for a, b in comparison.totals()
    ]
    values = [
        (called(a), a.where or "", shown(a.sharding) or "", shown(b.sharding) or "")
        for a, b in comparison.values()
    ]
    columns = ("collective", "sent before", "sent after", "time before", "time after")
    return "\n".join(
        (
            "<h1>Side by side</h1>",
            _table(("", "before", "after"), numbers),
            "<h2>Collectives, by kind and axes</h2>",
            _table(columns, totals),
            f"<h2>{len(values)} values that lie differently</h2>",
            _table(("value", "place", "before", "after"), values),
        )
    )


def _number(number: float | None, unit: str) -> Cell:
    return (number_text(number, unit), -1.0 if number is None else number)


def _bytes(size: int | None) -> Cell:
    return _number(size, "bytes")


def _time(seconds: float | None) -> Cell:
    return ("", -1.0) if seconds is None else (time_text(seconds), seconds)


def _table(columns: Sequence[str], rows: Iterable[Sequence[Cell]], name: str = "") -> str:
    body: list[str] = []
    numbers: set[int] = set()
    for row in rows:
        cells: list[str] = []
        for i, cell in enumerate(row):
            if isinstance(cell, tuple):
                numbers.add(i)
                cells.append(f'<td class="n" data-n="{cell[1]!r}">{escape(cell[0])}</td>')
            else:
                cells.append(f"<td>{escape(cell)}</td>")
        body.append(f"<tr>{''.join(cells)}</tr>")
    heads = "".join(
        f'<th class="n">{escape(c)}</th>' if i in numbers else f"<th>{escape(c)}</th>"
        for i, c in enumerate(columns)
    )
    id = f' id="{name}"' if name else ""
    return f"<table{id}><thead><tr>{heads}</tr></thead><tbody>{''.join(body)}</tbody></table>"


class _Data:
    """What the page knows of values: texts once each, and chains that share their links."""

    def __init__(self) -> None:
        self.strings: dict[str, int] = {}
        self.links: list[list[int | None]] = []
        self._numbers: dict[int, int] = {}

    def text(self, text: str | None) -> int:
        return self.strings.setdefault(text or "", len(self.strings))

    def link(self, link: Link | None) -> int | None:
        """The number of a link; of those before it, too."""
        missing: list[Link] = []
        at = link
        while at is not None and id(at) not in self._numbers:
            missing.append(at)
            at = at.before
        for each in reversed(missing):
            hop = each.hop
            before = None if each.before is None else self._numbers[id(each.before)]
            texts = [self.text(t) for t in (hop.op, hop.where, hop.taken, hop.given)]
            self._numbers[id(each)] = len(self.links)
            self.links.append([*texts, hop.step, before])
        return None if link is None else self._numbers[id(link)]


def _source(source: Source) -> str:
    return str(source) if source.kind == "unknown" else f"from {source}"


def _data(report: ShardingReport) -> dict[str, Any]:
    data = _Data()
    values: list[dict[str, Any]] = []
    for value in report.values:
        where = f" at {value.where}" if value.where else ""
        label = f"({value.label}) " if value.label else ""
        values.append(
            {
                "name": data.text(value.name),
                "what": data.text(f"{label}{value.op or value.kind} of @{value.function}{where}"),
                "sharding": data.text(shown(value.sharding) or "replicated"),
                "type": data.text(value.type),
                "local": data.text(value.local),
                "note": data.text("; ".join(value.notes)) if value.notes else None,
                "why": [
                    [
                        data.text(f"{w.axis} {w.role}"),
                        data.text(_source(w.source)),
                        data.link(w.last),
                    ]
                    for w in value.why
                ],
            }
        )
    return {"strings": list(data.strings), "links": data.links, "values": values}
