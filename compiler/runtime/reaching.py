"""The part of a program that its `main` comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dxir.call_graph import reached
from dxir.effects import callees_below
from dxir.reading import function_name, functions

if TYPE_CHECKING:
    from dxir.program import Program


def reached_only(program: Program) -> Program:
    """The program without the functions that `main` does not come to.

    XLA takes them in all the same, ends the process over those without a body, and must not mind
    what is in those that a kernel stands for.
    """
    known = {function_name(f): f for f in functions(program.module)}
    if len(known) == 1 or "main" not in known:
        return program
    runs = set(reached(lambda name: callees_below(known[name]) if name in known else (), ["main"]))
    if runs >= set(known):
        return program
    program = program.clone()
    for function in list(functions(program.module)):
        if function_name(function) not in runs:
            function.erase()
    return program
