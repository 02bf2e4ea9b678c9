"""What dxir-diff prints: differences in colours, or numbers alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.text import Text

from dxir.differences import Difference
from dxir.differences.texts import amount, change_text, heading, lines_of, op_counts_text
from dxir.tools.tables import console, print_table
from dxir.wording import counted

if TYPE_CHECKING:
    from dxir.tools.diffing import Compared

_STYLES = {"+": "green", "-": "red", "~": "yellow"}


def print_difference(
    found: Difference, before: str, after: str, most_ops: int, *, stat: bool
) -> None:
    """Print what differs between two modules."""
    if found.same or not stat:
        if not found.same:
            _print([f"- {_called(before)}", f"+ {_called(after)}"])
        _print(lines_of(found, most_ops))
    else:
        _print_stat(found)
    if not found.same:
        _print_costs(found)


def print_folders(compared: Iterable[Compared], most_ops: int, *, stat: bool) -> None:
    """Print what differs between the files of two folders, and how many are the same."""
    numbers: dict[str, int] = {}
    for each in compared:
        numbers[each.status] = numbers.get(each.status, 0) + 1
        if each.status in ("added", "removed"):
            _print([f"{'+' if each.status == 'added' else '-'} {each.name}"])
        elif each.found is not None and not each.found.same:
            _print([f"~ {each.name}"])
            print_difference(each.found, each.before or "", each.after or "", most_ops, stat=stat)
            print()
    told = [f"{n} {status}" for status, n in numbers.items()]
    print(f"{counted(sum(numbers.values()), 'file')}: {', '.join(told)}")


def _called(path: str) -> str:
    return "standard input" if path == "-" else path


def _print(lines: Iterable[str]) -> None:
    """Print lines, coloured by the sign that they begin with."""
    out = console()
    for line in lines:
        sign = line.lstrip()[:1]
        out.print(Text(line, style=_STYLES.get(sign, "")), soft_wrap=True)


def _print_stat(found: Difference) -> None:
    rows = [
        (
            heading(function).partition(":")[0],
            f"{function.ops_before:,}",
            f"{function.ops_after:,}",
            *(f"{function.counts.get(kind, 0):,}" for kind in ("added", "removed", "changed")),
            f"{sum(n for kind, n in function.counts.items() if kind in ('rewired', 'moved')):,}",
        )
        for function in found.functions
    ]
    columns = ("function", "ops before", "after", "added", "removed", "changed", "rewired or moved")
    print_table(columns, rows)
    if found.op_counts:
        print(f"ops: {op_counts_text(found)}")


def _print_costs(found: Difference) -> None:
    rows = [
        (
            cost.what,
            amount(cost.before, cost.unit),
            amount(cost.after, cost.unit),
            change_text(cost).strip(" ()") or ("same" if cost.before == cost.after else "-"),
        )
        for cost in found.costs
        if (cost.before, cost.after) not in ((0, 0), (None, None))
    ]
    print()
    print_table(("cost", "before", "after", "change"), rows)
