"""`dxir-translate`: modules from one form to another, interpreted, or described."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

from dxir.tools.contained import Advice, contained
from dxir.tools.tool import called_as, run_tool


def main(argv: Sequence[str] | None = None, tool: str = "dxir-translate") -> int:
    """Run the tool on a command line; gives its exit code."""
    from dxir.tools.translate_arguments import TranslateArguments, help_text, parse_arguments

    given = sys.argv[1:] if argv is None else argv

    def work(arguments: TranslateArguments) -> int:
        from dxir.tools.translating import translate

        return translate(arguments)

    return run_tool(tool, lambda: parse_arguments(given, tool), help_text, work)


def entry(argv: Sequence[str] | None = None, tool: str | None = None) -> NoReturn:
    """The console script: the tool in a process of its own."""
    called = tool or called_as(("dxir-translate", "stablehlo-translate"))
    advice = Advice(late="--timeout gives it more seconds")
    contained(called, "dxir.tools.translate", lambda: main(argv, called), advice=advice)


if __name__ == "__main__":
    entry()
