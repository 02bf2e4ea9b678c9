"""`dxir-diff`: what two modules do not share, function by function and op by op."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

from dxir.tools.contained import contained
from dxir.tools.tool import run_tool

_TOOL = "dxir-diff"
_NOT_RUN = 2


def main(argv: Sequence[str] | None = None, tool: str = _TOOL) -> int:
    """Run the tool on a command line; gives its exit code."""
    from dxir.tools.diff_arguments import DiffArguments, help_text, parse_arguments

    given = sys.argv[1:] if argv is None else argv

    def work(arguments: DiffArguments) -> int:
        from dxir.tools.diffing import compare

        return compare(arguments)

    return run_tool(
        tool,
        lambda: parse_arguments(given, tool),
        help_text,
        work,
        misused=_NOT_RUN,
        failing=_NOT_RUN,
    )


def entry(argv: Sequence[str] | None = None, tool: str = _TOOL) -> NoReturn:
    """The console script: the tool in a process of its own."""
    contained(tool, "dxir.tools.diff", lambda: main(argv, tool), failing=_NOT_RUN)


if __name__ == "__main__":
    entry()
