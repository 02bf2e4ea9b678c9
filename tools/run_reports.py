"""What dxir-run tells beside results: times, and checks."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from dxir.runtime.comparing import FARTHEST, CheckResult
from dxir.tools.run_backends import Times
from dxir.tools.tables import print_table

_COLUMNS = ("check", "place", "off", "of", "max abs", "max ulp", "example")
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"))


def print_times(backend: str, times: Times) -> None:
    """Print a table of times to stderr."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    found = times.as_dict()
    for name in ("backend", "compile", "first run", "runs", "min", "median", "max"):
        table.add_column(name, justify="left" if name == "backend" else "right")
    shown = [duration(found[name]) for name in ("compile", "first", "min", "median", "max")]
    table.add_row(backend, *shown[:2], str(len(times.runs)), *shown[2:])
    Console(file=sys.stderr, highlight=False).print(table)


def duration(seconds: float) -> str:
    """A time with a fitting unit and three digits."""
    for size, unit in _UNITS:
        if seconds >= size or unit == "us":
            return f"{seconds / size:.3g} {unit}"
    raise AssertionError


def print_checks(checks: Sequence[CheckResult]) -> None:
    """Print a table of checks to standard output."""
    print_table(
        _COLUMNS, map(_row, checks), styles=["" if c.holds else "red" for c in checks], wrapped=1
    )


def _row(check: CheckResult) -> tuple[str, ...]:
    label = check.label
    if check.executions > 1:
        label += f" ({check.execution} of {check.executions})"
    if check.entry != "main":
        label += f" in @{check.entry}"
    ulp = "" if check.max_ulp is None else str(check.max_ulp)
    if check.max_ulp == FARTHEST:
        ulp = "inf"
    return (
        label,
        check.where or "?",
        str(check.off),
        str(check.elements),
        f"{check.max_abs:.3g}",
        ulp,
        _example(check),
    )


def _example(check: CheckResult) -> str:
    if check.holds:
        return ""
    if not check.examples:
        return check.fault or ""
    first = check.examples[0]
    at = f" at [{', '.join(map(str, first.index))}]" if first.index else ""
    return f"{first.actual} instead of {first.expected}{at}"


def check_json(check: CheckResult) -> dict[str, Any]:
    """A check for JSON."""
    return {
        "check": check.label,
        "where": check.where,
        "function": check.entry,
        "holds": check.holds,
        "elements": check.elements,
        "off": check.off,
        "max_abs": finite(check.max_abs),
        "max_ulp": None if check.max_ulp == FARTHEST else check.max_ulp,
        "fault": check.fault,
        "execution": check.execution,
        "executions": check.executions,
    }


def finite(number: float) -> float | str:
    """A number as JSON has it, which knows no infinities."""
    return number if abs(number) < float("inf") else str(number)
