"""The command lines of the commands of `dxir`; read before anything of MLIR is loaded."""

from __future__ import annotations

import argparse

SHELLS = ("bash", "zsh", "fish")


def add_ops(command: argparse.ArgumentParser) -> None:
    """The options of `dxir ops`."""
    what = command.add_mutually_exclusive_group()
    what.add_argument("name", nargs="?", help="the op to show, with its examples")
    what.add_argument(
        "--coverage",
        action="store_true",
        help="which op becomes each operation of StableHLO, CHLO and Shardy; fails on a hole",
    )
    command.add_argument("--json", action="store_true", help="as JSON, with signatures")
    add_import(command, "ops")


def add_passes(command: argparse.ArgumentParser) -> None:
    """The options of `dxir passes`."""
    command.add_argument("name", nargs="?", help="the pass to show, in full")
    which = command.add_mutually_exclusive_group()
    which.add_argument("--native", action="store_true", help="only those of this jaxlib's MLIR")
    which.add_argument(
        "--ours", action="store_true", help="only those written in Python, and named pipelines"
    )
    command.add_argument("--json", action="store_true", help="as JSON, options with their types")
    add_import(command, "passes")


def add_patterns(command: argparse.ArgumentParser) -> None:
    """The options of `dxir patterns`."""
    command.add_argument("name", nargs="?", help="the pattern to show, in full")
    command.add_argument("--json", action="store_true", help="as JSON")
    add_import(command, "patterns")


def add_targets(command: argparse.ArgumentParser) -> None:
    """The options of `dxir targets`."""
    command.add_argument("name", nargs="?", help="the target to show, in full")
    command.add_argument("--json", action="store_true", help="as JSON")
    add_import(command, "targets")


def add_can_run(command: argparse.ArgumentParser) -> None:
    """The options of `dxir can-run`."""
    add_module(command)
    command.add_argument("--target", required=True, metavar="NAME", help="the target to ask")
    command.add_argument(
        "--archive", metavar="FILE", help="where large constants are to go; nothing is written"
    )
    command.add_argument("--json", action="store_true", help="as JSON, every diagnostic in full")
    add_import(command, "targets")


def add_approximations(command: argparse.ArgumentParser) -> None:
    """The options of `dxir approximations`."""
    add_module(command)
    command.add_argument("--json", action="store_true", help="as JSON")


def add_cache(command: argparse.ArgumentParser) -> None:
    """The options of `dxir cache`."""
    what = command.add_subparsers(title="what to do", metavar="WHAT", dest="what", required=True)
    text = "show the folder, and the programs in it"
    info = what.add_parser("info", help=text, description=f"{text.capitalize()}.")
    info.add_argument("--json", action="store_true", help="as JSON, each program in full")
    text = "remove programs"
    clear = what.add_parser("clear", help=text, description=f"{text.capitalize()}.")
    clear.add_argument(
        "--older-than",
        type=_days,
        metavar="DAYS",
        help="only those that were not used for so many days",
    )
    for parser in (info, clear):
        add_debug(parser)


def add_doctor(command: argparse.ArgumentParser) -> None:
    """The options of `dxir doctor`."""
    command.add_argument("--json", action="store_true", help="as JSON")


def add_new(command: argparse.ArgumentParser) -> None:
    """The options of `dxir new`."""
    command.add_argument("name", metavar="NAME", help="of the package, as my_frontend")
    command.add_argument(
        "--path",
        metavar="DIR",
        default=".",
        help="the folder in which the project's folder is made; this one unless given",
    )


def add_completion(command: argparse.ArgumentParser) -> None:
    """The options of `dxir completion`."""
    command.add_argument("shell", choices=SHELLS, help="which shell the script is for")


def add_generate(command: argparse.ArgumentParser) -> None:
    """The options of `dxir generate`."""
    command.add_argument(
        "--check", action="store_true", help="write nothing, and fail when a file is out of date"
    )


def add_debug(command: argparse.ArgumentParser) -> None:
    """The option that every command has."""
    command.add_argument("--debug", action="store_true", help="show the traceback of an error")


def add_module(command: argparse.ArgumentParser) -> None:
    """The module that a command looks at."""
    command.add_argument(
        "module",
        nargs="?",
        default="-",
        help="text, bytecode or an artifact; standard input without",
    )


def add_import(command: argparse.ArgumentParser, things: str) -> None:
    """The option that brings in `things` of the user's own."""
    command.add_argument(
        "--import",
        action="extend",
        type=_names,
        default=[],
        dest="modules",
        metavar="MODULE,...",
        help=f"modules that declare {things} of their own, found from here or installed",
    )


def _names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


def _days(text: str) -> float:
    try:
        days = float(text)
    except ValueError:
        days = -1.0
    if not 0 <= days < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of days")
    return days
