"""What was found, for people: each finding with its line, and a summary at the end."""

from __future__ import annotations

import io
from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from dxir.verify.finding import Finding, Place
from dxir.verify.formats.format import Format
from dxir.verify.formats.run import Run, by_severity, plural
from dxir.verify.formats.shown import shown, shown_lines
from dxir.verify.formats.snippet import snippet

_STYLES = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}
_FRAME = "blue"


def write_text(run: Run) -> str:
    """Every finding with the line it is at, and what to do; then how many there are."""
    file = io.StringIO()
    console = Console(
        file=file,
        force_terminal=run.color,
        color_system="standard" if run.color else None,
        no_color=not run.color,
        width=run.width,
        highlight=False,
        legacy_windows=False,
    )
    for finding in run.findings:
        for line in _finding(finding, run):
            console.print(line, soft_wrap=True)
        console.print()
    for line in _end(run):
        console.print(line, soft_wrap=True)
    return file.getvalue()


def _finding(finding: Finding, run: Run) -> Iterator[Text]:
    first, *rest = shown_lines(finding.message)
    yield Text.assemble(
        (shown(str(finding.place)), "bold"),
        ": ",
        (f"{finding.severity}[{shown(finding.rule)}]", _STYLES[finding.severity]),
        ": ",
        (first, "bold"),
    )
    for line in rest:
        yield Text(f"  {line}")
    places = [finding.place, finding.origin, *(each.place for each in finding.related)]
    gutter = len(str(max(place.line for place in places if place is not None)))
    lines = list(_source(finding.place, _STYLES[finding.severity], gutter, run))
    yield from lines
    bar = " " * gutter + " = "
    if not lines and (finding.op or finding.function):
        inside = f" in @{finding.function}" if finding.function else ""
        yield _noted(bar, "at", f"{finding.op or 'an op'}{inside}")
    if finding.origin is not None:
        yield _noted(bar, "made at", str(finding.origin))
        yield from _source(finding.origin, _FRAME, gutter, run)
    for related in finding.related:
        where = "" if related.place is None else f"{related.place}: "
        yield _noted(bar, "note", where + related.message)
        if related.place is not None:
            yield from _source(related.place, _FRAME, gutter, run)
    if finding.hint:
        yield _noted(bar, "hint", finding.hint)
    if finding.fixable:
        yield _noted(bar, "fix", "--fix puts this right")


def _noted(bar: str, name: str, text: str) -> Text:
    indent = "\n" + " " * (len(bar) + len(name) + 2)
    return Text.assemble((bar, _FRAME), (f"{name}: ", "bold"), indent.join(shown_lines(text)))


def _source(place: Place, style: str, gutter: int, run: Run) -> Iterator[Text]:
    """The line of a place, and a mark under it."""
    line = run.lines.at(place)
    if line is None:
        return
    bar = " " * gutter + " |"
    found = snippet(line, place.column, run.width - len(bar) - 1)
    yield Text(bar, _FRAME)
    yield Text.assemble((f"{place.line:>{gutter}} |", _FRAME), f" {found.text}")
    if found.marked:
        marks = " " * (found.before + 1) + "^" * found.marked
        yield Text.assemble((bar, _FRAME), (marks, style))


def _end(run: Run) -> Iterator[Text]:
    for error in run.errors:
        for line in shown_lines(f"error: {error}"):
            yield Text(line, _STYLES["error"])
    counts = ", ".join(by_severity(run.counts)) or "nothing found"
    if run.counts:
        counts += f" in {plural(sum(bool(each.findings) for each in run.reports), 'file')}"
    parts = [f"{plural(len(run.reports), 'file')} checked: {counts}"]
    if run.allowed:
        parts.append(f"{run.allowed:,} allowed")
    if run.fixable:
        parts.append(f"{run.fixable:,} can be put right by --fix")
    worst = next((each for each in _STYLES if run.counts[each]), None)
    yield Text("; ".join(parts), _STYLES[worst] if worst else "bold green")


TEXT = Format("text", "for people: each finding with its line, and what to do", write_text)
