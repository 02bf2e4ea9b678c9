"""`dxir-reduce`: shrink a module while a command fails on it, or backends differ on it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

from dxir.tools.contained import Advice, contained
from dxir.tools.tool import run_tool

_TOOL = "dxir-reduce"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool on a command line; gives its exit code."""
    from dxir.tools.reduce_arguments import ReduceArguments, help_text, parse_arguments

    given = sys.argv[1:] if argv is None else argv

    def work(arguments: ReduceArguments) -> int:
        from dxir.tools.reducing import reduce_input

        return reduce_input(arguments)

    return run_tool(_TOOL, lambda: parse_arguments(given), help_text, work)


def entry() -> NoReturn:
    """The console script: the tool in a process of its own."""
    contained(
        _TOOL, "dxir.tools.reduce", main, advice=Advice(late="--timeout gives it more seconds")
    )


if __name__ == "__main__":
    entry()
