"""The syntax of the expression language of `expression_language.py`: from text to a tree."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from dxir import DxirError, Location

TOKEN = re.compile(r"(\d+(?:\.\d+)?)|([a-z_]\w*)|(\.\.|<=|>=|[-+*/^<>=()\[\],:])|(\S)")
KEYWORDS = {"def", "let", "in", "if", "then", "else", "sum"}
BINDING = {  # how tightly an operator binds
    "<": 1, "<=": 1, ">": 1, ">=": 1, "+": 2, "-": 2, "*": 3, "/": 3, "^": 5,
}  # fmt: skip


class Token(NamedTuple):
    """A word of the source and where it is."""

    text: str
    place: Location


class Expr(NamedTuple):
    """A node of the syntax tree: what it is, where it is, and what it is made of."""

    kind: str
    place: Location
    parts: tuple[Any, ...]


class Definition(NamedTuple):
    """`def name(number, vector: size) = body`; the size of a number is 0."""

    name: Token
    params: list[tuple[Token, int]]
    body: Expr


class Parser:
    """Recursive descent over the tokens of a file."""

    def __init__(self, path: Path) -> None:
        self.tokens: list[Token] = []
        lines = path.read_text("utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            for found in TOKEN.finditer(line.partition("#")[0]):
                place = Location(str(path), number, found.start() + 1)
                if found[4]:
                    raise DxirError(f"{found[4]!r} means nothing here", where=place)
                self.tokens.append(Token(found[0], place))
        self.tokens.append(Token("", Location(str(path), len(lines) + 1)))
        self.next = 0

    def take(self, what: str, fits: Callable[[str], bool] | None = None) -> Token:
        """The next token, which has to be `what`, or to fit what that describes."""
        token = self.tokens[self.next]
        if not (fits(token.text) if fits else token.text == what):
            raise DxirError(f"expected {what}, not {token.text or 'the end'}", where=token.place)
        self.next += 1
        return token

    def sees(self, text: str) -> bool:
        """Whether that token is next; if so it is taken."""
        seen = self.tokens[self.next].text == text
        self.next += seen
        return seen

    def name(self) -> Token:
        return self.take("a name", lambda text: text.isidentifier() and text not in KEYWORDS)

    def integer(self) -> int:
        fits = re.compile(r"\d{1,6}").fullmatch
        return int(self.take("a whole number below a million", lambda t: bool(fits(t))).text)

    def listed(self, item: Callable[[], Any]) -> list[Any]:
        """What is left of `(item, item, ...)` after the parenthesis, perhaps nothing."""
        items: list[Any] = []
        while not self.sees(")"):
            if items:
                self.take(",")
            items.append(item())
        return items

    def program(self) -> list[Definition]:
        found: list[Definition] = []
        while self.tokens[self.next].text:
            self.take("def")
            name, _ = self.name(), self.take("(")
            params, _ = self.listed(self.parameter), self.take("=")
            found.append(Definition(name, params, self.expression()))
        return found

    def parameter(self) -> tuple[Token, int]:
        return self.name(), self.integer() if self.sees(":") else 0

    def expression(self, strength: int = 0) -> Expr:
        """An expression of operators that bind more tightly than `strength`."""
        left = self.operand()
        while BINDING.get(self.tokens[self.next].text, 0) > strength:
            token = self.take("an operator", BINDING.__contains__)
            right = self.expression(BINDING[token.text] - (token.text == "^"))
            left = Expr("infix", token.place, (token.text, left, right))
        return left

    def operand(self) -> Expr:
        place = self.tokens[self.next].place
        if self.sees("let"):
            name, _ = self.name().text, self.take("=")
            value, _ = self.expression(), self.take("in")
            return Expr("let", place, (name, value, self.expression()))
        if self.sees("if"):
            test, _ = self.expression(), self.take("then")
            yes, _ = self.expression(), self.take("else")
            return Expr("if", place, (test, yes, self.expression()))
        if self.sees("sum"):
            name, _ = self.name().text, self.take("in")
            start, _ = self.integer(), self.take("..")
            stop, _ = self.integer(), self.take(":")
            return Expr("sum", place, (name, start, stop, self.expression()))
        if self.sees("-"):
            return Expr("negative", place, (self.expression(4),))
        if self.sees("("):
            whole, _ = self.expression(), self.take(")")
        elif self.tokens[self.next].text[:1].isdecimal():
            whole = Expr("number", place, (float(self.take("a number", bool).text),))
        else:
            name = self.take("an expression", str.isidentifier).text
            whole = Expr("name", place, (name,))
            if self.sees("("):
                whole = Expr("call", place, (name, self.listed(self.expression)))
        while self.sees("["):
            whole = Expr("index", place, (whole, self.expression()))
            self.take("]")
        return whole
