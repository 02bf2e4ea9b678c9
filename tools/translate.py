"""`dxir-translate`: modules from one form to another, interpreted, or described."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from dxir.errors import DxirError
from dxir.tools.contained import contained
from dxir.tools.opt import failed

_NAMES = ("stablehlo-translate",)


def main(argv: Sequence[str] | None = None, tool: str = "dxir-translate") -> int:
    """Run the tool on a command line; gives its exit code."""
    from dxir.tools.translate_arguments import help_text, parse_arguments

    debug = False
    try:
        arguments = parse_arguments(sys.argv[1:] if argv is None else argv, tool)
        debug = arguments.debug
        if arguments.help:
            print(help_text(tool), end="")
            return 0
        if arguments.version:
            return _version(tool)
        from dxir.tools.translating import translate

        return translate(arguments)
    except DxirError as error:
        if debug:
            raise
        return failed(tool, error)


def _version(tool: str) -> int:
    import dxir
    from dxir.mlir import jaxlib_version
    from dxir.versions import current_version

    print(f"{tool} (dxir {dxir.__version__}, jaxlib {jaxlib_version})")
    print(f"StableHLO {current_version()}")
    return 0


def entry() -> NoReturn:
    """The console script: the tool in a process of its own."""
    tool = os.path.basename(sys.argv[0]).removesuffix(".exe")
    tool = tool if tool in _NAMES else "dxir-translate"
    contained(tool, "dxir.tools.translate", lambda: main(tool=tool))


if __name__ == "__main__":
    entry()
