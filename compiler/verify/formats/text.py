"""What was found, for people: each finding with its line, and a summary at the end."""

from __future__ import annotations

import io
from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from dxir.verify.finding import Finding, Place, Severity
from dxir.verify.formats.format import Format
from dxir.verify.formats.run import WORST_FIRST, Run
from dxir.verify.formats.shown import shown, shown_lines
from dxir.verify.formats.snippet import snippet

_STYLES: dict[Severity, str] = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}
_FRAME = "blue"


def write_text(run: Run) -> str:
    """Every finding with the line it is at, and what to do; then how many there are."""
    parts = [Text("\n").join([*_finding(finding, run), Text()]) for finding in run.findings]
    parts += _end(run)
    if not run.color:  # rich takes its time, even where it changes nothing
        return "".join(f"{part.plain}\n" for part in parts)
    file = io.StringIO()
    console = Console(
        file=file,
        force_terminal=True,
        color_system="standard",
        no_color=False,
        width=run.width,
        highlight=False,
    )
    for part in parts:
        console.print(part, soft_wrap=True)
    return file.getvalue()


def told(finding: Finding, run: Run) -> str:
    """One finding as the text has it, without colors."""
    return "\n".join(line.plain for line in _finding(finding, run))


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
        at = "" if related.place is None else f"{related.place}: "
        yield _noted(bar, "note", at + related.message)
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
    counted = [_STYLES[each] for each in WORST_FIRST if run.counts[each]]
    yield Text(run.summary(), counted[0] if counted else "bold green")


TEXT = Format("text", "for people: each finding with its line, and what to do", write_text)
