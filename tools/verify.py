"""`dxir-verify`: check modules of any producer by rules, in CI and at the desk."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

from dxir.tools.contained import contained
from dxir.tools.tool import run_tool

_TOOL = "dxir-verify"
_NOT_RUN = 2


def main(argv: Sequence[str] | None = None, tool: str = _TOOL) -> int:
    """Run the tool on a command line; gives its exit code."""
    from dxir.tools.verify_arguments import VerifyArguments, help_text, parse_arguments

    given = sys.argv[1:] if argv is None else argv

    def work(arguments: VerifyArguments) -> int:
        if arguments.list_rules or arguments.explain is not None:
            from dxir.tools.list_rules import list_rules

            return list_rules(arguments)
        from dxir.tools.verifying import verify_files

        return verify_files(arguments)

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
    contained(tool, "dxir.tools.verify", lambda: main(argv, tool), failing=_NOT_RUN)


if __name__ == "__main__":
    entry()
