"""What tests of the pattern language share: look for rules in a program."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

import dxir
from dxir.pattern import Rule
from dxir.pattern.found import Found, NearMiss
from dxir.pattern.search import Index, choose, search
from dxir.pattern.view import View


class Searched(NamedTuple):
    """What rules find in a function; the program lives as long as this."""

    program: dxir.Program
    all: list[Found]
    chosen: list[Found]
    misses: list[str]

    @property
    def names(self) -> list[str]:
        """The names of the rules that stay, sorted."""
        return sorted(found.rule.name for found in self.chosen)


@pytest.fixture(scope="session")
def look() -> Callable[..., Searched]:
    """Look for rules in a function of a program, given as such or as text."""

    def searched(
        program: dxir.Program | str, *rules: Rule, function: str = "main", near: bool = False
    ) -> Searched:
        if isinstance(program, str):
            program = dxir.load(program)
        view = View(program.module)
        misses: list[NearMiss] | None = [] if near else None
        found = search(view, Index(view), view.functions[function], rules, misses)
        return Searched(program, found, choose(found), [m.reason for m in misses or ()])

    return searched
