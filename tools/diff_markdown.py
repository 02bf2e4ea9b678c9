"""Differences as Markdown, for a comment on a change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from dxir.differences import Difference
from dxir.differences.texts import (
    amount,
    change_text,
    function_lines,
    lines_of,
    op_counts_text,
    summary,
)
from dxir.wording import counted

if TYPE_CHECKING:
    from dxir.tools.diffing import Compared


def page(found: Difference, before: str, after: str, most_ops: int) -> str:
    """What differs between two modules."""
    title = f"## `{_plain(before)}` and `{_plain(after)}`"
    return "\n".join([title, "", *_body(found, most_ops), ""])


def pages(compared: Iterable[Compared], most_ops: int) -> str:
    """What differs between the files of two folders."""
    lines: list[str] = []
    rest: dict[str, list[str]] = {}
    for each in compared:
        if each.found is not None and not each.found.same:
            lines += [f"## `{_plain(each.name)}`", "", *_body(each.found, most_ops), ""]
        else:
            rest.setdefault(each.status, []).append(each.name)
    for status, names in rest.items():
        if status == "same":
            lines.append(f"{counted(len(names), 'file')} the same")
        else:
            lines.append(f"{status}: {', '.join(f'`{_plain(name)}`' for name in names)}")
    return "\n".join([*lines, ""])


def _body(found: Difference, most_ops: int) -> Iterator[str]:
    if found.same:
        yield "The same program."
        yield from (f"- other: {each}" for each in found.spelling)
        return
    yield f"**{summary(found)}**"
    yield ""
    yield "| cost | before | after | change |"
    yield "| --- | ---: | ---: | ---: |"
    for cost in found.costs:
        if (cost.before, cost.after) not in ((0, 0), (None, None)):
            cells = [amount(number, cost.unit) for number in (cost.before, cost.after)]
            yield f"| {cost.what} | {' | '.join(cells)} | {change_text(cost).strip(' ()')} |"
    if found.op_counts:
        yield f"\nOps: {op_counts_text(found)}"
    head = [line for line in lines_of(_without_functions(found)) if line.startswith("  ")]
    for lines in (head, *(list(function_lines(each, most_ops)) for each in found.functions)):
        if lines:
            yield from _fenced(lines)
    yield from (f"\nAlso other: {each}" for each in found.spelling)
    yield from (f"\nNote: {each}" for each in found.notes)


def _without_functions(found: Difference) -> Difference:
    from dataclasses import replace

    return replace(found, functions=())


def _fenced(lines: Iterable[str]) -> Iterator[str]:
    """Lines as a block that is shown as a diff; those of a change are its marks."""
    yield "\n```diff"
    for line in lines:
        sign = line.lstrip()[:1]
        yield f"{sign if sign in '+-' else '!' if sign == '~' else ' '} {_unsigned(line)}"
    yield "```"


def _unsigned(line: str) -> str:
    text = line.lstrip()
    indent = " " * (len(line) - len(text))
    return indent + (text[2:] if text[:1] in "+-~" else text).replace("```", "'''")


def _plain(name: str) -> str:
    return name.replace("`", "'").replace("\n", " ")
