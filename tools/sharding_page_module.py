"""The text of a module in HTML, each name of a value tied to what the report says of the value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from dxir.sharding_report import ShardingReport, ValueReport

_NAME = re.compile(r"%[\w.$-]+(?:#\d+)?")
_TOKEN = re.compile(rf'"(?:[^"\\]|\\.)*"|{_NAME.pattern}')
_MADE = re.compile(r"\s*(%[\w.$-]+)(?::\d+)?(?:, %[\w.$-]+(?::\d+)?)* = ")
_FUNCTION = re.compile(r"\s*func\.func ")


def module_html(report: ShardingReport) -> str:
    """The text, a line after the other; names that the report has nothing on stay as they are."""
    return "\n".join(_Lines(report).all())


class _Lines:
    """Reads the text along the values of the report, which are in the order of the text."""

    def __init__(self, report: ShardingReport) -> None:
        self._text = report.text
        self._values = report.values
        self._next = 0
        self._known: dict[str, int] = {}

    def all(self) -> Iterator[str]:
        for line in self._text.splitlines():
            if _FUNCTION.match(line):
                self._known = {}
                self._skip("result")
                self._take("parameter")
            made = _MADE.match(line)
            if made is not None:
                self._make(made[1])
            yield self._marked(line)

    def _at(self) -> ValueReport | None:
        return self._values[self._next] if self._next < len(self._values) else None

    def _skip(self, kind: str) -> None:
        while (value := self._at()) is not None and value.kind == kind:
            self._next += 1

    def _take(self, kind: str) -> None:
        """Know the names of the values of a kind that come next."""
        while (value := self._at()) is not None and value.kind == kind:
            self._known[value.name] = self._next
            self._next += 1

    def _make(self, name: str) -> None:
        """Know the results of an op, if it is the next one; ops in reducers are not there."""
        self._take("region")
        value = self._at()
        if value is None or value.kind != "value" or value.name.partition("#")[0] != name:
            return
        self._known[name] = self._next
        alone, number = value.name == name, 0
        while value is not None and value.name == (name if alone else f"{name}#{number}"):
            self._known[value.name] = self._next
            self._next += 1
            number += 1
            value = None if alone else self._at()
        self._take("region")

    def _marked(self, line: str) -> str:
        found: list[str] = []
        end = 0
        for match in _TOKEN.finditer(line):
            found.append(escape(line[end : match.start()], quote=False))
            end = match.end()
            found.append(self._token(match[0]))
        return "".join(found) + escape(line[end:], quote=False)

    def _token(self, text: str) -> str:
        index = self._known.get(text)
        if index is None:
            return escape(text, quote=False)
        kind = ' class="split"' if self._values[index].is_split else ""
        return f'<b data-v="{index}"{kind}>{escape(text, quote=False)}</b>'
