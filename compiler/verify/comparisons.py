"""What the oracle says of a module, as findings."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.runtime.oracle import STORED, Comparison, Row
from dxir.verify.finding import Finding, Place, Severity
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject

_CRASHES = frozenset({"PROGRAM_CRASHED", "PROGRAM_OVERDUE", "PROGRAM_TOO_LARGE"})


def findings_of(
    rule: Rule, found: Comparison, subject: Subject, about: str, again: str
) -> Iterator[Finding]:
    """A finding for each result that is not accepted, and for each backend that gives none.

    `about` says what the program was run on, and `again` how to see that on the command line.
    """
    for row in found.rows:
        told = _told(row, found.judge)
        if told is not None:
            text, severity, hint = told
            place = _place(row, found, subject)
            yield rule.found(
                f"{about}: {text}",
                place,
                subject,
                hint=hint or again,
                severity=severity,
                numbers=_numbers(row),
            )


def _told(row: Row, judge: str | None) -> tuple[str, Severity, str | None] | None:
    """What is wrong with a row, how bad that is, and what to do where that is known."""
    if row.verdict == "refused":
        error = row.error
        why = "" if error is None else f": {error.message}"
        crashed = error is not None and error.code in _CRASHES
        ended = "ends over the module" if crashed else "does not run the module"
        hint = None if error is None or crashed else error.hint
        return f"{row.backend} {ended}{why}", "error" if crashed else "warning", hint
    if row.verdict not in ("off", "fault"):
        return None
    if row.result is None:
        why = "" if row.error is None else f": {row.error.message}"
        return f"{row.backend} is off{why}", "error", None
    text = f"result {row.result} of {row.backend} is off in {row.off} of {row.elements} elements"
    if row.examples:
        first = row.examples[0]
        at = f" at [{', '.join(map(str, first.index))}]" if first.index else ""
        ulp = "" if first.ulp is None else f", {first.ulp} units in the last place apart"
        right = f"{first.expected} is stored" if judge == STORED else f"{first.expected} of {judge}"
        text += f"; the first{at} is {first.actual}, and {right}{ulp}"
    elif row.note:
        text += f": {row.note}"
    if row.verdict == "fault":
        return f"{text} (known: {', '.join(row.faults)})", "warning", None
    return text, "error", None


def _place(row: Row, found: Comparison, subject: Subject) -> Place:
    """The op where a difference begins, where that is known."""
    where = next((d.where for d in found.divergences if d.backend == row.backend), None)
    place = Place.of(where, subject.source.name)
    if place.file in ("<text>", "<bytes>", "-"):
        return Place(subject.source.name, place.line, place.column)
    return place if place.file == subject.source.name else Place(subject.source.name)


def _numbers(row: Row) -> dict[str, float]:
    numbers: dict[str, float] = {"off": row.off, "elements": row.elements, "max_abs": row.max_abs}
    if row.max_ulp is not None:
        numbers["max_ulp"] = row.max_ulp
    return numbers if row.off else {}
