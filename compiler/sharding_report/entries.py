"""The function of a program that a report is about."""

from __future__ import annotations

from dxir.errors import GraphError
from dxir.program import Program
from dxir.reading import function_name, functions, has_body, is_public


def entry_of(program: Program) -> str:
    """The function that runs: `main`, or the first public one. Raises GraphError without any."""
    names = [function_name(f) for f in functions(program.module) if has_body(f) and is_public(f)]
    if not names:
        raise GraphError(
            "the program has no public function with a body",
            hint="there is nothing whose shardings could be told",
        )
    return "main" if "main" in names else names[0]
