"""The `dxir` command: what ops and passes there are, and the files written from them."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence

import dxir
from dxir.errors import DxirError
from dxir.tools.tool import failed

_MORE = """\
`dxir COMMAND --help` tells the options of a command. The other tools of dxir are `dxir-opt`, which
runs passes on modules, and `dxir-translate`, which converts, describes and interprets them.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; gives its exit code."""
    parser = _parser()
    options = parser.parse_args(argv)
    if options.version:
        print(f"dxir {dxir.__version__}")
        return 0
    run: Callable[[argparse.Namespace], int] | None = getattr(options, "run", None)
    if run is None:
        parser.print_help()
        return 2
    try:
        return run(options)
    except DxirError as error:
        if options.debug:
            raise
        return failed("dxir", error)
    except BrokenPipeError:
        # The reader has seen enough; nothing more may be written when the process ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dxir",
        description="Show the ops and passes there are.",
        epilog=_MORE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="print the version, and stop")
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    ops = commands.add_parser(
        "ops",
        help="list the ops, or show one of them",
        description="List the ops with what they mean, or show one with its examples.",
    )
    passes = commands.add_parser(
        "passes",
        help="list the passes, or show one of them",
        description="List the passes of dxir, of other packages and of this jaxlib's MLIR, or show "
        "one with its options.",
    )
    generate = commands.add_parser(
        "generate",
        help="for work on dxir itself: write the files made from the registries",
        description="Write docs/ops.md, docs/passes.md and compiler/ops.pyi of a checkout.",
    )
    _add_ops(ops)
    _add_passes(passes)
    generate.add_argument(
        "--check", action="store_true", help="write nothing, and fail when a file is out of date"
    )
    generate.set_defaults(run=_generate)
    for command in (ops, passes, generate):
        command.add_argument(
            "--debug", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS
        )
    return parser


def _add_ops(ops: argparse.ArgumentParser) -> None:
    what = ops.add_mutually_exclusive_group()
    what.add_argument("name", nargs="?", help="the op to show, with its examples")
    what.add_argument(
        "--coverage",
        action="store_true",
        help="which op becomes each operation of StableHLO, CHLO and Shardy; fails on a hole",
    )
    ops.add_argument("--json", action="store_true", help="as JSON, with signatures")
    _add_import(ops, "ops")
    ops.set_defaults(run=_ops)


def _add_passes(passes: argparse.ArgumentParser) -> None:
    passes.add_argument("name", nargs="?", help="the pass to show, in full")
    which = passes.add_mutually_exclusive_group()
    which.add_argument("--native", action="store_true", help="only those of this jaxlib's MLIR")
    which.add_argument(
        "--ours", action="store_true", help="only those written in Python, and named pipelines"
    )
    passes.add_argument("--json", action="store_true", help="as JSON, options with their types")
    _add_import(passes, "passes")
    passes.set_defaults(run=_passes)


def _add_import(command: argparse.ArgumentParser, things: str) -> None:
    command.add_argument(
        "--import",
        action="append",
        default=[],
        dest="modules",
        metavar="MODULE",
        help=f"a module that declares {things} of its own, found from here or installed",
    )


def _passes(options: argparse.Namespace) -> int:
    from dxir.tools.list_passes import run

    return run(options)


def _ops(options: argparse.Namespace) -> int:
    from dxir.tools.list_ops import run

    return run(options)


def _generate(options: argparse.Namespace) -> int:
    from dxir.generate import generate

    changed, current = generate(check=options.check)
    for path in changed:
        print(f"{'out of date' if options.check else 'wrote'}: {path}")
    for path in current:
        print(f"up to date: {path}")
    if options.check and changed:
        raise DxirError(
            "files are out of date", hint="run `dxir generate`, and commit what it writes"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
