"""The `dxir` command: what ops and passes there are, and the files written from them."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

import dxir
from dxir.errors import DxirError
from dxir.tools.contained import contained
from dxir.tools.tool import failed

_MORE = """\
`dxir COMMAND --help` tells the options of a command. The other tools of dxir are `dxir-opt`, which
runs passes on modules, `dxir-translate`, which converts, describes and interprets them, `dxir-run`,
which runs them, `dxir-verify`, which checks them by rules, `dxir-diff`, which tells what two do not
share, `dxir-reduce`, which shrinks one that something goes wrong with, and `dxir-launch`, which
runs a command as several processes that compute together.
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
    if argv is None and getattr(options, "contained", False):
        contained("dxir", "dxir.tools.main", lambda: _finished(run, options))
    return _finished(run, options)


def _finished(run: Callable[[argparse.Namespace], int], options: argparse.Namespace) -> int:
    """Run a command, and tell its errors."""
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
        description="Show the ops, passes, patterns and targets there are, what was done to a "
        "program, and what a target would do with it.",
        epilog=_MORE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="print the version, and stop")
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for command in _COMMANDS:
        added = commands.add_parser(
            command.name, help=command.help, description=command.description
        )
        command.add(added)
        added.add_argument(
            "--debug", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS
        )
    return parser


class _Command(NamedTuple):
    """A command: its name, what the list of commands and its own help say, and its options."""

    name: str
    help: str
    description: str
    add: Callable[[argparse.ArgumentParser], None]


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


def _add_patterns(command: argparse.ArgumentParser) -> None:
    command.add_argument("name", nargs="?", help="the pattern to show, in full")
    command.add_argument("--json", action="store_true", help="as JSON")
    _add_import(command, "patterns")
    command.set_defaults(run=_patterns)


def _add_targets(command: argparse.ArgumentParser) -> None:
    command.add_argument("name", nargs="?", help="the target to show, in full")
    command.add_argument("--json", action="store_true", help="as JSON")
    _add_import(command, "targets")
    command.set_defaults(run=_targets)


def _add_can_run(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "module",
        nargs="?",
        default="-",
        help="text, bytecode or an artifact; standard input without",
    )
    command.add_argument("--target", required=True, help="the target to ask")
    command.add_argument(
        "--archive", metavar="FILE", help="where large constants are to go; nothing is written"
    )
    command.add_argument("--json", action="store_true", help="as JSON, every diagnostic in full")
    _add_import(command, "targets")
    command.set_defaults(run=_can_run, contained=True)


def _add_approximations(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "module",
        nargs="?",
        default="-",
        help="text, bytecode or an artifact; standard input without",
    )
    command.add_argument("--json", action="store_true", help="as JSON")
    command.set_defaults(run=_approximations, contained=True)


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


def _patterns(options: argparse.Namespace) -> int:
    from dxir.tools.list_patterns import run

    return run(options)


def _ops(options: argparse.Namespace) -> int:
    from dxir.tools.list_ops import run

    return run(options)


def _targets(options: argparse.Namespace) -> int:
    from dxir.tools.list_targets import run

    return run(options)


def _can_run(options: argparse.Namespace) -> int:
    from dxir.tools.can_run import run

    return run(options)


def _approximations(options: argparse.Namespace) -> int:
    from dxir.tools.list_approximations import run

    return run(options)


def _add_sharding(command: argparse.ArgumentParser) -> None:
    from dxir.tools.sharding_arguments import add_arguments

    add_arguments(command)
    command.set_defaults(run=_sharding, contained=True)


def _sharding(options: argparse.Namespace) -> int:
    from dxir.tools.sharding import run

    return run(options)


def _add_view(command: argparse.ArgumentParser) -> None:
    from dxir.tools.view_arguments import add_arguments

    add_arguments(command)
    command.set_defaults(run=_view, contained=True)


def _view(options: argparse.Namespace) -> int:
    from dxir.tools.view import run

    return run(options)


def _add_cost(command: argparse.ArgumentParser) -> None:
    from dxir.tools.cost_arguments import add_arguments

    add_arguments(command)
    command.set_defaults(run=_cost, contained=True)


def _cost(options: argparse.Namespace) -> int:
    from dxir.tools.cost import run

    return run(options)


def _add_cache(command: argparse.ArgumentParser) -> None:
    what = command.add_subparsers(title="what to do", metavar="WHAT", required=True)
    text = "show the folder, and the programs in it"
    info = what.add_parser("info", help=text, description=f"{text.capitalize()}.")
    info.add_argument("--json", action="store_true", help="as JSON, each program in full")
    info.set_defaults(run=_cache_info)
    text = "remove programs"
    clear = what.add_parser("clear", help=text, description=f"{text.capitalize()}.")
    clear.add_argument(
        "--older-than",
        type=_days,
        metavar="DAYS",
        help="only those that were not used for so many days",
    )
    clear.set_defaults(run=_cache_clear)
    for parser in (info, clear):
        parser.add_argument(
            "--debug", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS
        )


def _days(text: str) -> float:
    try:
        days = float(text)
    except ValueError:
        days = -1.0
    if not 0 <= days < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of days")
    return days


def _cache_info(options: argparse.Namespace) -> int:
    from dxir.tools.cache import info

    return info(options)


def _cache_clear(options: argparse.Namespace) -> int:
    from dxir.tools.cache import clear

    return clear(options)


def _add_generate(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--check", action="store_true", help="write nothing, and fail when a file is out of date"
    )
    command.set_defaults(run=_generate)


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


_COMMANDS = (
    _Command(
        "ops",
        "list the ops, or show one of them",
        "List the ops with what they mean, or show one with its examples.",
        _add_ops,
    ),
    _Command(
        "passes",
        "list the passes, or show one of them",
        "List the passes of dxir, of other packages and of this jaxlib's MLIR, or show one with "
        "its options.",
        _add_passes,
    ),
    _Command(
        "patterns",
        "list the patterns that recognition finds, or show one of them",
        "List what `dxir-recognize` finds, patterns of dxir and of other packages, with the "
        "composite that `dxir-coarsen` makes of each, or show one in full.",
        _add_patterns,
    ),
    _Command(
        "targets",
        "list the targets, or show one of them",
        "List the targets of dxir and of other packages, or show one in full.",
        _add_targets,
    ),
    _Command(
        "can-run",
        "tell what a target will not take of a module, before compiling it",
        "Tell what a target will not take of a module, and what its pipeline would do about the "
        "rest. The exit code is 0 when the target takes it, otherwise 1.",
        _add_can_run,
    ),
    _Command(
        "approximations",
        "list what in a program is approximated, by how much and why",
        "List what passes replaced by something that computes other numbers.",
        _add_approximations,
    ),
    _Command(
        "sharding",
        "tell how values lie on a mesh and why, what devices send, and what they hold",
        "Propagate the shardings of a module, and tell of every value how it lies and why, of "
        "every collective why it is there and what it sends, and what a device holds; of two "
        "modules or two shardings of one, side by side.",
        _add_sharding,
    ),
    _Command(
        "view",
        "look at a module: a page with its graph, or a graph for other tools",
        "Write a page that shows a module as a graph, with types, shardings, places and costs, and "
        "opens without a network; two modules, or one before and after passes, side by side. Or "
        "write the graph for Graphviz, for Model Explorer, or as JSON.",
        _add_view,
    ),
    _Command(
        "cost",
        "tell what a run of a module costs: operations, bytes and memory, without compiling",
        "Tell what a run of a module costs, from its ops alone: operations, bytes read and "
        "written, what is held at a time, and seconds by the roofline model.",
        _add_cost,
    ),
    _Command(
        "cache",
        "show the compiled programs that are kept on disk, or remove them",
        "Show the compiled programs that are kept on disk for the next process, or remove them.",
        _add_cache,
    ),
    _Command(
        "generate",
        "for work on dxir itself: write the files made from the registries",
        "Write the tables in docs/ and compiler/ops.pyi of a checkout.",
        _add_generate,
    ),
)


if __name__ == "__main__":
    sys.exit(main())
