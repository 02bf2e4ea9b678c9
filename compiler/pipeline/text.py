"""Pipeline text: MLIR's syntax, read with the place of every part.

builtin.module(dxir-decompose{keep=acme.norm},func.func(cse,canonicalize),symbol-dce)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dxir.errors import PassError

_NAME = re.compile(r"[A-Za-z_][\w.$-]*")
_SPACE = re.compile(r"\s*")
_CLOSING = {"{": "}", "[": "]", "(": ")", "<": ">"}


@dataclass(frozen=True, slots=True)
class PassText:
    """A pass as written: its name, and what stands between the braces after it."""

    name: str
    options: str
    start: int

    def __str__(self) -> str:
        return f"{self.name}{{{self.options}}}" if self.options else self.name


@dataclass(frozen=True, slots=True)
class NestText:
    """An anchor as written, `func.func(...)`, and the elements in its parentheses."""

    anchor: str
    body: tuple[PassText | NestText, ...]
    start: int

    def __str__(self) -> str:
        return f"{self.anchor}({','.join(map(str, self.body))})"


Element = PassText | NestText


@dataclass(frozen=True, slots=True)
class OptionText:
    """An option as written: `name=value`, or the name alone (`value` is None)."""

    name: str
    value: str | None
    start: int


def pipeline_error(text: str, at: int, message: str, hint: str | None = None) -> PassError:
    """A PassError with the line of the pipeline text, and a mark below the place."""
    line_start = text.rfind("\n", 0, at) + 1
    line_end = text.find("\n", at)
    line = text[line_start : len(text) if line_end < 0 else line_end]
    row, column = text.count("\n", 0, at) + 1, at - line_start
    shown, mark = _window(line, column)
    return PassError(
        f"{message}\n{shown}\n{' ' * mark}^", where=f"<pipeline>:{row}:{column + 1}", hint=hint
    )


_WIDTH = 120


def _window(line: str, column: int) -> tuple[str, int]:
    """At most _WIDTH characters of a line around a column, and where the column is in them."""
    if len(line) <= _WIDTH:
        return line, column
    start = max(0, min(column - _WIDTH // 2, len(line) - _WIDTH))
    return line[start : start + _WIDTH], column - start


def parse_pipeline(text: str) -> tuple[Element, ...]:
    """The elements of a pipeline; PassError with the place of what is not well-formed."""
    reader = _Reader(text)
    elements = reader.elements()
    if reader.at < len(text):
        raise reader.error(f"{text[reader.at]!r} closes nothing")
    return elements


_MAX_NESTING = 100


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.skip()

    def error(self, message: str, at: int | None = None, hint: str | None = None) -> PassError:
        return pipeline_error(self.text, self.at if at is None else at, message, hint)

    def skip(self) -> None:
        found = _SPACE.match(self.text, self.at)
        assert found is not None
        self.at = found.end()

    def take(self, character: str) -> bool:
        if self.text.startswith(character, self.at):
            self.at += 1
            self.skip()
            return True
        return False

    def elements(self) -> tuple[Element, ...]:
        found: list[Element] = []
        while self.at < len(self.text) and self.text[self.at] != ")":
            found.append(self.element())
            if not self.take(","):
                break
            if self.at >= len(self.text) or self.text[self.at] in "),":
                raise self.error("a pass or an anchor is expected after the comma")
        return tuple(found)

    def element(self) -> Element:
        start = self.at
        name = _NAME.match(self.text, start)
        if name is None:
            raise self.error("the name of a pass or an anchor is expected")
        self.at = name.end()
        self.skip()
        if self.take("("):
            return self.nest(name[0], start)
        options = ""
        if self.text.startswith("{", self.at):
            end = _closing(self.text, self.at)
            if end is None:
                raise self.error(f"the options of {name[0]} have no closing brace")
            options = self.text[self.at + 1 : end].strip()
            self.at = end + 1
            self.skip()
        if self.at < len(self.text) and self.text[self.at] not in ",)":
            raise self.error(
                "a comma is expected between passes",
                hint="a pipeline is written pass{option=value},anchor(pass,pass)",
            )
        return PassText(name[0], options, start)

    def nest(self, anchor: str, start: int) -> NestText:
        self.depth += 1
        if self.depth > _MAX_NESTING:
            raise self.error(f"anchors are nested more than {_MAX_NESTING} deep")
        body = self.elements()
        if not self.take(")"):
            raise self.error(f"{anchor}( has no closing parenthesis", start)
        self.depth -= 1
        if self.at < len(self.text) and self.text[self.at] not in ",)":
            raise self.error("a comma is expected between passes")
        return NestText(anchor, body, start)


def _closing(text: str, start: int) -> int | None:
    """Where the bracket at `start` is closed; strings are passed over."""
    pending: list[str] = []
    at = start
    while at < len(text):
        character = text[at]
        if character in "\"'":
            end = _string_end(text, at)
            at = at + 1 if end is None else end
            continue
        if character in "{[(":
            pending.append(_CLOSING[character])
        elif pending and character == pending[-1]:
            pending.pop()
            if not pending:
                return at
        at += 1
    return None


def _string_end(text: str, start: int) -> int | None:
    """The place after the string that starts at `start`; None when it does not end."""
    at = start + 1
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == text[start]:
            return at + 1
        at += 1
    return None


def parse_options(text: str, offset: int = 0) -> Iterator[OptionText]:
    """The options between the braces of a pass: `a=1 b={x y} c="d e" flag`.

    Places count from `offset`, that of the first character.
    """
    at = 0
    while True:
        space = _SPACE.match(text, at)
        assert space is not None
        at = space.end()
        if at >= len(text):
            return
        start = at
        while at < len(text) and not text[at].isspace() and text[at] != "=":
            at += 1
        name = text[start:at]
        if at >= len(text) or text[at] != "=":
            yield OptionText(name, None, offset + start)
            continue
        end = _value_end(text, at + 1)
        yield OptionText(name, unquoted(text[at + 1 : end]), offset + start)
        at = end


def _value_end(text: str, at: int) -> int:
    while at < len(text) and not text[at].isspace():
        end: int | None = None
        if text[at] in "\"'":
            end = _string_end(text, at)
        elif text[at] in "{[(<":
            closing = _closing(text, at) if text[at] != "<" else None
            end = None if closing is None else closing + 1
        at = at + 1 if end is None else end
    return at


def unquoted(value: str) -> str:
    """A value without the quotes or the braces around all of it."""
    if len(value) >= 2 and value[0] in "\"'" and _string_end(value, 0) == len(value):
        return re.sub(r"\\(.)", r"\1", value[1:-1])
    if value.startswith("{") and _closing(value, 0) == len(value) - 1:
        return value[1:-1].strip()
    return value


def split_list(value: str) -> list[str]:
    """The elements of a list value: `a,b,c`, with commas inside quotes and brackets left alone."""
    found: list[str] = []
    start = at = 0
    while at < len(value):
        end: int | None = None
        if value[at] in "\"'":
            end = _string_end(value, at)
        elif value[at] in "{[(":
            closing = _closing(value, at)
            end = None if closing is None else closing + 1
        elif value[at] == ",":
            found.append(unquoted(value[start:at].strip()))
            start = at + 1
        at = at + 1 if end is None else end
    last = unquoted(value[start:].strip())
    return [*found, last] if last or found else []
