"""`dxir-opt`: read a module, run passes on it, write it; as mlir-opt does."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

from dxir.tools.contained import Advice, contained
from dxir.tools.tool import called_as, run_tool

_FLAVOURS = {"stablehlo-opt": "stablehlo", "sdy-opt": "sdy", "mpmd-opt": "mpmd", "mlir-opt": "mlir"}


def main(argv: Sequence[str] | None = None, tool: str = "dxir-opt") -> int:
    """Run the tool on a command line; gives its exit code."""
    from dxir.tools.arguments import OptArguments, help_text, parse_arguments

    given = sys.argv[1:] if argv is None else argv

    def work(arguments: OptArguments) -> int:
        from dxir.tools.processing import process

        return process(arguments, tool, arguments.flavour or _FLAVOURS.get(tool, "dxir"))

    return run_tool(tool, lambda: parse_arguments(given), help_text, work)


def entry(argv: Sequence[str] | None = None, tool: str | None = None) -> NoReturn:
    """The console script: the tool in a process of its own."""
    called = tool or called_as(("dxir-opt", *_FLAVOURS))
    advice = Advice(
        late="--timeout gives it more seconds",
        crashed="--mlir-pass-pipeline-crash-reproducer=FILE keeps what led to it",
    )
    contained(called, "dxir.tools.opt", lambda: main(argv, called), advice=advice)


if __name__ == "__main__":
    entry()
