"""Expected diagnostics in the comments of an input: `// expected-error @+1 {{text}}`.

An expectation is the last thing on its line: severity, `-re` if what is inside `{{...}}` in its
text is a regular expression, a place (`@+N`, `@-N`, `@above`, `@below`, `@unknown`, or its own
line), and a part of the message. It may match several diagnostics.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from dxir.tools.messages import Buffers, Message, Reporter

Mode = Literal["all", "only-expected"]

_EXPECTED = re.compile(
    r"expected-(error|note|remark|warning)(-re)? *(?:@([+-][0-9]+|above|below|unknown) *)?"
    r"\{\{(.*)\}\}$"
)
_NEXT = re.compile(
    r"\}\}\s+(?=expected-(?:error|note|remark|warning)(?:-re)? *"
    r"(?:@(?:[+-][0-9]+|above|below|unknown) *)?\{\{)"
)
# What POSIX has and Python spells in another way.
_CLASSES = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "blank": r" \t", "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9", "graph": "!-~", "lower": "a-z", "print": " -~",
    "punct": r"!-/:-@\[-`{-~", "space": r"\s", "upper": "A-Z", "xdigit": "0-9A-Fa-f",
}  # fmt: skip
_CLASS = re.compile(r"\[:(\w+):\]")


@dataclass(slots=True)
class _Expectation:
    severity: str
    text: str
    line: int
    """The line of the diagnostic."""
    own: Message
    """Where the expectation stands, for messages about it."""
    pattern: re.Pattern[str] | None = None
    matched: bool = False

    def fits(self, message: str) -> bool:
        if self.pattern is None:
            return self.text in message
        return self.pattern.search(message) is not None


class Expectations:
    """The diagnostics that an input expects, and which of them came.

    Every chunk is checked against the expectations of its whole input, since its places are those
    in the input. In mode `only-expected` it does not matter what else is reported. What is wrong
    is printed to stderr.
    """

    def __init__(self, data: bytes, name: str, mode: Mode = "all") -> None:
        self.mode: Mode = mode
        self._reporter = Reporter(Buffers(name, data), sys.stderr)
        self._unknown: list[_Expectation] = []
        self._of_file: dict[str, dict[int, list[_Expectation]]] = {}
        self._in_file(name)

    @property
    def problems(self) -> list[Message]:
        """What was found wrong so far."""
        return self._reporter.messages

    def check(self, messages: Iterable[Message]) -> None:
        """Find an error in each diagnostic that nothing expects, notes included.

        Notes that say nothing new need no expectation.
        """
        for message in messages:
            for told in (message, *message.notes):
                self._check(told)

    def finish(self) -> bool:
        """Find an error in each expectation that nothing fitted; whether all was as expected."""
        of_files = [e for lines in self._of_file.values() for es in lines.values() for e in es]
        for expectation in (*sorted(of_files, key=_order), *self._unknown):
            if not expectation.matched:
                self._blame(
                    expectation,
                    f'expected {expectation.severity} "{expectation.text}" was not produced',
                )
        return not self.problems

    def _blame(self, expectation: _Expectation, message: str) -> None:
        self._reporter.take(replace(expectation.own, message=message))

    def _check(self, told: Message) -> None:
        candidates = (
            self._unknown if told.file is None else self._in_file(told.file).get(told.line, [])
        )
        near: _Expectation | None = None
        for expectation in candidates:
            if expectation.fits(told.message):
                if expectation.severity == told.severity:
                    expectation.matched = True
                    return
                near = expectation
        if self.mode == "only-expected" or told.optional:
            return
        if near is not None:
            self._blame(
                near, f"'{told.severity}' diagnostic emitted when expecting a '{near.severity}'"
            )
        else:
            message = f"unexpected {told.severity}: {told.message}"
            self._reporter.take(
                replace(told, severity="error", message=message, callers=(), notes=())
            )

    def _in_file(self, name: str) -> dict[int, list[_Expectation]]:
        if name not in self._of_file:
            lines = self._of_file[name] = {}
            data = self._reporter.buffers.text(name)
            if data is not None and b"expected-" in data:
                for expectation in self._read(data, name):
                    lines.setdefault(expectation.line, []).append(expectation)
        return self._of_file[name]

    def _read(self, data: bytes, name: str) -> list[_Expectation]:
        found: list[_Expectation] = []
        below: list[_Expectation] = []
        above = 1
        lines = data.split(b"\n")
        for number, raw in enumerate(lines, 1):
            if b"expected-" not in raw or not (here := _spelt(raw)):
                for waiting in below:
                    waiting.line = number
                below.clear()
                above = number
                continue
            for column, match in here:
                expectation = self._made(match, name, number, column)
                if expectation is None:
                    continue
                place = match[3] or "+0"
                if place == "unknown":
                    expectation.own = Message("error", "")
                    self._unknown.append(expectation)
                    continue
                if place == "below":
                    expectation.line = len(lines)
                    below.append(expectation)
                else:
                    expectation.line = above if place == "above" else number + int(place)
                found.append(expectation)
        return found

    def _made(self, match: re.Match[str], name: str, line: int, column: int) -> _Expectation | None:
        severity, is_pattern, _, text = match.groups()
        own = Message(
            "error", "", f"{name}:{line}:{column}", name, line, column, span=len(text.encode())
        )
        expectation = _Expectation(severity, text, line, own)
        if is_pattern:
            try:
                expectation.pattern = _pattern(text)
            except ValueError as error:
                self._blame(expectation, str(error))
                return None
        return expectation


def _spelt(raw: bytes) -> list[tuple[int, re.Match[str]]]:
    """The expectations on a line, each with the column in bytes where it starts."""
    line = raw.decode("utf-8", "replace").rstrip()
    found: list[tuple[int, re.Match[str]]] = []
    first = _EXPECTED.search(line) if line.endswith("}}") else None
    start = first.start() if first is not None else len(line)
    column, counted = 1, 0
    while start < len(line):
        following = _NEXT.search(line, start)
        end = len(line) if following is None else following.start() + 2
        match = _EXPECTED.match(line[start:end])
        if match is not None:
            column += len(line[counted:start].encode())
            counted = start
            found.append((column, match))
        start = len(line) if following is None else following.end()
    return found


def _pattern(text: str) -> re.Pattern[str]:
    """The pattern of a text with regular expressions in double braces."""
    parts: list[str] = []
    while text:
        plain, opening, text = text.partition("{{")
        parts.append(re.escape(plain))
        if not opening:
            break
        expression, closing, text = text.partition("}}")
        if not closing:
            raise ValueError("found start of regex with no end '}}'")
        python = _CLASS.sub(lambda m: _CLASSES.get(m[1], m[0]), expression)
        try:
            re.compile(python)
        except (re.error, OverflowError, RecursionError) as error:
            raise ValueError(f"invalid regex: {error}") from None
        parts.append(f"(?:{python})")
    return re.compile("".join(parts), re.DOTALL)


def _order(expectation: _Expectation) -> tuple[str, int, int]:
    own = expectation.own
    return own.file or "", own.line, own.column
