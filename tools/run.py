"""`dxir-run`: run a module on a backend, its own checks, or several backends against each other."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from dxir.tools.contained import Advice, contained
from dxir.tools.tool import run_tool

_TOOL = "dxir-run"
_MISUSED = 2
_LOG_LEVEL = "TF_CPP_MIN_LOG_LEVEL"


def main(argv: Sequence[str] | None = None, tool: str = _TOOL) -> int:
    """Run the tool on a command line; gives its exit code."""
    from dxir.tools.run_arguments import RunArguments, help_text, parse_arguments

    given = sys.argv[1:] if argv is None else argv

    def work(arguments: RunArguments) -> int:
        if arguments.verbose:
            os.environ[_LOG_LEVEL] = "0"  # read once, when XLA is loaded
        from dxir.tools.running import run_input

        return run_input(arguments)

    return run_tool(tool, lambda: parse_arguments(given, tool), help_text, work, misused=_MISUSED)


def entry(argv: Sequence[str] | None = None, tool: str = _TOOL) -> NoReturn:
    """The console script: the tool in a process of its own."""
    advice = Advice(late="--timeout gives it more seconds")
    contained(tool, "dxir.tools.run", lambda: main(argv, tool), advice=advice)


if __name__ == "__main__":
    entry()
