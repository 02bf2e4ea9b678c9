"""The `dxir` command: what ops and passes there are, and the files written from them."""

from __future__ import annotations

import argparse
import difflib
import importlib
import inspect
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

import dxir
from dxir.errors import DxirError
from dxir.op import FUNCTIONS, REGISTRY, Composite, Derived, Op

_PIPE_WIDTH = 160  # columns where no terminal says how many it has


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
        where = f"{error.where}: " if error.where else ""
        hint = f" ({error.hint})" if error.hint else ""
        print(f"dxir: error: {where}{error.message}{hint}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader has seen enough; nothing more may be written when the process ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="dxir", description=__doc__)
    parser.add_argument("--version", action="store_true", help="print the version, and stop")
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    ops = commands.add_parser(
        "ops",
        help="list the ops, or show one of them",
        description="List the ops with what they mean, or show one with its examples.",
    )
    what = ops.add_mutually_exclusive_group()
    what.add_argument("name", nargs="?", help="the op to show, with its examples")
    what.add_argument(
        "--coverage",
        action="store_true",
        help="which op becomes each operation of StableHLO, CHLO and Shardy; fails on a hole",
    )
    ops.add_argument(
        "--import",
        action="append",
        default=[],
        dest="modules",
        metavar="MODULE",
        help="a module that declares ops of its own, found from here or installed",
    )
    ops.set_defaults(run=_ops)
    generate = commands.add_parser(
        "generate",
        help="write the files made from the op registry",
        description="Write docs/ops.md, docs/passes.md and compiler/ops.pyi of a checkout.",
    )
    generate.add_argument(
        "--check", action="store_true", help="write nothing, and fail when a file is out of date"
    )
    generate.set_defaults(run=_generate)
    passes = commands.add_parser(
        "passes",
        help="list the passes, or show one of them",
        description="List the passes of dxir, of other packages and of this jaxlib's MLIR, or show "
        "one with its options.",
    )
    _add_passes(passes)
    for command in (ops, generate, passes):
        command.add_argument(
            "--debug", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS
        )
    return parser


def _add_passes(passes: argparse.ArgumentParser) -> None:
    passes.add_argument("name", nargs="?", help="the pass to show, in full")
    which = passes.add_mutually_exclusive_group()
    which.add_argument("--native", action="store_true", help="only those of this jaxlib's MLIR")
    which.add_argument(
        "--ours", action="store_true", help="only those written in Python, and named pipelines"
    )
    passes.add_argument("--json", action="store_true", help="as JSON, options with their types")
    passes.set_defaults(run=_passes)


def _passes(options: argparse.Namespace) -> int:
    from dxir.tools.list_passes import run

    return run(options)


def _console() -> Console:
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_PIPE_WIDTH)
    return console


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for i, name in enumerate(columns):
        table.add_column(name, no_wrap=i == 0)
    return table


def _print_table(table: Table) -> None:
    console = _console()
    if console.is_terminal:
        console.print(table)
        return
    with console.capture() as captured:
        console.print(table)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()))


def _import(module: str) -> None:
    here = os.getcwd()
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        importlib.import_module(module)
    except ImportError as error:
        raise DxirError(f"--import {module}: {error}") from error


def _ops(options: argparse.Namespace) -> int:
    dxir.ops.names()
    for module in options.modules:
        _import(module)
    if options.coverage:
        return _coverage()
    if options.name is not None:
        return _show(options.name)
    from dxir.generate import first_line
    from dxir.signatures import python_name

    table = _table("op", "kind", "meaning")
    for name in dxir.ops.names():
        thing: Any = REGISTRY.get(name) or FUNCTIONS[name]
        table.add_row(*map(Text, (python_name(name), _kind(name), first_line(thing))))
    _print_table(table)
    return 0


def _kind(name: str) -> str:
    cls = REGISTRY.get(name)
    if cls is None:
        return "function"
    if issubclass(cls, Composite):
        return "composite"
    return "derived" if issubclass(cls, Derived) else "primitive"


def _coverage() -> int:
    from dxir.coverage import coverage_table, is_complete

    rows = coverage_table()
    table = _table("operation", "status", "ops", "note")
    for row in rows:
        style = {"missing": "bold red", "deprecated": "dim"}.get(row.status, "")
        cells = (row.operation, row.status, ", ".join(row.ops), row.note)
        table.add_row(*map(Text, cells), style=style)
    _print_table(table)
    counts = [f"{sum(r.status == s for r in rows)} {s}" for s in _statuses(r.status for r in rows)]
    _console().print(Text(f"{len(rows)} operations: {', '.join(counts)}"))
    return 0 if is_complete(rows) else 1


def _statuses(given: Any) -> list[str]:
    return sorted(set(given))


def _show(name: str) -> int:
    from dxir.generate import becomes
    from dxir.signatures import signature

    plain = dxir.ops.registered(name)
    cls: type[Op] | None = REGISTRY.get(plain)
    if cls is None and plain not in FUNCTIONS:
        near = difflib.get_close_matches(name, dxir.ops.names(), n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "`dxir ops` lists them all"
        hint += "; --import MODULE declares those of another package"
        raise DxirError(f"there is no op {name!r}", hint=hint)
    console = _console()
    console.print(Text(signature(plain), style="bold"), soft_wrap=True)
    console.print(Text("\n" + (inspect.getdoc(cls or FUNCTIONS[plain]) or "")), soft_wrap=True)
    if cls is None:
        return 0
    console.print(Text(f"\n{_kind(plain)} of {cls.family}; becomes {becomes(cls)}"), soft_wrap=True)
    console.print(Text("\nexamples:"))
    for example in cls.examples:
        console.print(Text(f"  {signature_name(plain)}{example!r}"), soft_wrap=True)
    return 0


def signature_name(name: str) -> str:
    """How the op is called in Python."""
    from dxir.signatures import python_name

    return python_name(name)


def _generate(options: argparse.Namespace) -> int:
    from dxir.generate import generate

    changed, current = generate(check=options.check)
    for path in changed:
        print(f"{'out of date' if options.check else 'wrote'}: {path}")
    for path in current:
        print(f"up to date: {path}")
    if options.check and changed:
        print("dxir: error: run `dxir generate`, and commit what it writes", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
