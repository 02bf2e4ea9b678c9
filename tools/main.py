"""The `dxir` command: what ops and passes there are, and the files written from them."""

from __future__ import annotations

import argparse
import difflib
import inspect
import os
import sys
from collections import Counter
from collections.abc import Callable, Sequence

from rich.text import Text

import dxir
from dxir.errors import DxirError
from dxir.op import FUNCTIONS, REGISTRY, Composite, Derived, Op
from dxir.tools.tables import console, print_table
from dxir.tools.tool import failed, import_module

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
    dxir.ops.names()
    for module in options.modules:
        import_module(module)
    if options.coverage:
        return _coverage()
    if options.name is not None:
        return _show(options.name)
    from dxir.generate import first_line
    from dxir.signatures import python_name

    things = {name: REGISTRY.get(name) or FUNCTIONS[name] for name in dxir.ops.names()}
    rows = [(python_name(n), _kind(n), first_line(thing)) for n, thing in things.items()]
    print_table(("op", "kind", "meaning"), rows)
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
    styles = {"missing": "bold red", "deprecated": "dim"}
    print_table(
        ("operation", "status", "ops", "note"),
        [(r.operation, r.status, ", ".join(r.ops), r.note) for r in rows],
        styles=[styles.get(r.status, "") for r in rows],
        wrapped=2,
    )
    counts = Counter(r.status for r in rows)
    said = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    print(f"{len(rows)} operations: {said}")
    return 0 if is_complete(rows) else 1


def _show(name: str) -> int:
    from dxir.generate import becomes
    from dxir.signatures import python_name, signature

    plain = dxir.ops.registered(name)
    cls: type[Op] | None = REGISTRY.get(plain)
    if cls is None and plain not in FUNCTIONS:
        near = difflib.get_close_matches(name, dxir.ops.names(), n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "`dxir ops` lists them all"
        hint += "; --import MODULE declares those of another package"
        raise DxirError(f"there is no op {name!r}", hint=hint)
    out = console()
    out.print(Text(signature(plain), style="bold"), soft_wrap=True)
    out.print(Text("\n" + (inspect.getdoc(cls or FUNCTIONS[plain]) or "")), soft_wrap=True)
    if cls is None:
        return 0
    out.print(Text(f"\n{_kind(plain)} of {cls.family}; becomes {becomes(cls)}"), soft_wrap=True)
    out.print(Text("\nexamples:"))
    for example in cls.examples:
        out.print(Text(f"  {python_name(plain)}{example!r}"), soft_wrap=True)
    return 0


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
