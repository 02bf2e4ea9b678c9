"""`dxir-opt`: read a module, run passes on it, write it; as mlir-opt does."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from dxir.errors import DxirError
from dxir.tools.contained import contained

_FLAVOURS = {"stablehlo-opt": "stablehlo", "sdy-opt": "sdy", "mpmd-opt": "mpmd", "mlir-opt": "mlir"}


def main(argv: Sequence[str] | None = None, tool: str = "dxir-opt") -> int:
    """Run the tool on a command line; gives its exit code."""
    from dxir.tools.arguments import help_text, parse_arguments

    debug = False
    try:
        arguments = parse_arguments(sys.argv[1:] if argv is None else argv)
        debug = arguments.debug
        if arguments.wants_help:
            print(help_text(tool), end="")
            return 0
        if arguments.version:
            return _version(tool)
        from dxir.tools.processing import process

        return process(arguments, tool, arguments.flavour or _FLAVOURS.get(tool, "dxir"))
    except DxirError as error:
        if debug:
            raise
        return failed(tool, error)
    except UnicodeEncodeError as error:
        if debug:
            raise
        text = error.object[error.start : error.end].encode("utf-8", "backslashreplace").decode()
        return failed(tool, DxirError(f"an argument or a file name is not UTF-8: it has {text}"))


def failed(tool: str, error: DxirError) -> int:
    """Tell an error that is about no place in a module; gives the exit code."""
    where = f"{error.where}: " if error.where else ""
    print(f"{tool}: {where}error: {error.message}", file=sys.stderr)
    if error.hint:
        print(f"{tool}: note: {error.hint}", file=sys.stderr)
    return 1


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
    tool = tool if tool in _FLAVOURS else "dxir-opt"
    contained(tool, "dxir.tools.opt", lambda: main(tool=tool))


if __name__ == "__main__":
    entry()
