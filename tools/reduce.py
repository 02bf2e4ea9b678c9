"""`dxir-reduce`: shrink a module while a command fails on it, or backends differ on it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

from dxir.tools.contained import Advice, contained
from dxir.tools.tool import run_tool

_TOOL = "dxir-reduce"
_MISUSED = 2


def main(argv: Sequence[str] | None = None, tool: str = _TOOL) -> int:
    """Run the tool on a command line; gives its exit code."""
    from dxir.tools.reduce_arguments import ReduceArguments, help_text, parse_arguments

    given = sys.argv[1:] if argv is None else argv

    def work(arguments: ReduceArguments) -> int:
        from dxir.tools.reducing import reduce_input

        return reduce_input(arguments)

    return run_tool(tool, lambda: parse_arguments(given, tool), help_text, work, misused=_MISUSED)


def entry(argv: Sequence[str] | None = None, tool: str = _TOOL) -> NoReturn:
    """The console script: the tool in a process of its own."""
    advice = Advice(late="--timeout gives it more seconds")
    contained(tool, "dxir.tools.reduce", lambda: main(argv, tool), advice=advice)


if __name__ == "__main__":
    entry()
