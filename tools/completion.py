"""`dxir completion`: scripts for shells, and what these ask for while a command line is typed.

A script runs `dxir` at each tab, with the line so far in variables of the environment; which words
fit is worked out by argcomplete. Only what the line needs is imported.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePath
from typing import Any

import argcomplete
from argcomplete.completers import SuppressCompleter
from argcomplete.shell_integration import shellcode

from dxir.tools.command_arguments import add_debug
from dxir.tools.command_line import CommandOption, options_of, spelled
from dxir.tools.commands import COMMANDS, Command, find_command

_LINE, _POINT = "COMP_LINE", "COMP_POINT"


def run(options: argparse.Namespace) -> int:
    """Run the command; gives its exit code."""
    tools = [f"dxir-{command.name}" for command in COMMANDS if command.is_tool]
    names = ["dxir", *tools]
    # The tools are asked through `dxir`, which knows their options.
    print(shellcode(names, shell=options.shell, argcomplete_script="dxir").strip())
    return 0


def complete() -> None:
    """Answer a script, and end the process; returns when it was none that asked."""
    line = os.environ.get(_LINE)
    if line is None:
        return
    words = line[: int(os.environ.get(_POINT, len(line)))].split(" ")
    argcomplete.autocomplete(parser_for(words), always_complete_options=False)


def parser_for(words: Sequence[str]) -> argparse.ArgumentParser:
    """A parser of command lines that begin so, as far as completing the last word needs it."""
    called = PurePath(words[0]).name
    tool = find_command(called.removeprefix("dxir-"))
    if called.startswith("dxir-") and tool is not None:
        parser = argparse.ArgumentParser(called, add_help=False)
        _fill(parser, tool, words[-1])
        return parser
    parser = argparse.ArgumentParser("dxir")
    parser.add_argument("--version", action="store_true", help="print the version, and stop")
    commands = parser.add_subparsers()
    for command in COMMANDS:
        if command.name not in words[1:-1]:
            commands.add_parser(command.name, help=command.help)
        elif command.is_tool:
            added = commands.add_parser(command.name, help=command.help, add_help=False)
            _fill(added, command, words[-1])
        else:
            added = commands.add_parser(command.name, help=command.help)
            command.loaded(command.arguments)(added)
            add_debug(added)
            _attach(added, command)
    return parser


def _fill(parser: argparse.ArgumentParser, command: Command, last: str) -> None:
    """Declare the options of a tool, which has a grammar of its own, in terms of argparse."""
    parser.add_argument("files", nargs="*")
    taken: set[str] = set()
    for field, option in options_of(command.loaded(command.arguments)).items():
        _add(parser, field, option)
        taken.update(option.names)
    if command.name == "opt" and last.startswith("-"):
        for name in _passes():
            if name not in taken:
                parser.add_argument(spelled(name), nargs="?")
    _attach(parser, command)


def _add(parser: argparse.ArgumentParser, field: str, option: CommandOption) -> None:
    names = [spelled(name) for name in option.names]
    help = option.help.replace("%", "%%")
    if option.implied == "true":
        parser.add_argument(*names, dest=field, action="store_true", help=help)
        return
    nargs = None if option.implied is None else "?"
    action: Any = parser.add_argument(*names, dest=field, nargs=nargs, help=help, action="append")
    if "|" in option.metavar:
        action.completer = _Names(lambda: option.metavar.split("|"))
    elif not {"FILE", "FOLDER"} & set(option.metavar.strip("[]").split(":")):
        action.completer = SuppressCompleter()


def _passes() -> Iterable[str]:
    from dxir.pipeline.steps import pass_names

    return pass_names()


def _ops() -> Iterable[str]:
    from dxir import ops

    return ops.names()


def _patterns() -> Iterable[str]:
    from dxir.pattern.registry import all_rules

    return all_rules()


def _targets() -> Iterable[str]:
    from dxir.targets.registry import target_names

    return target_names()


def _backends() -> Iterable[str]:
    return (*_targets(), "interpreter")


def _rules() -> Iterable[str]:
    from dxir.verify.rule import all_rules

    return all_rules()


_NAMES: dict[tuple[str, str], Callable[[], Iterable[str]]] = {
    ("ops", "name"): _ops,
    ("passes", "name"): _passes,
    ("patterns", "name"): _patterns,
    ("targets", "name"): _targets,
    ("can-run", "target"): _targets,
    ("run", "backend"): _backends,
    ("run", "compare"): _backends,
    ("reduce", "compare"): _backends,
    ("verify", "target"): _targets,
    **{("verify", name): _rules for name in ("only", "select", "ignore", "explain")},
    **{("opt", name): _passes for name in ("print_ir_before", "print_ir_after")},
}
"""What names an argument of a command can have."""


def _attach(parser: argparse.ArgumentParser, command: Command) -> None:
    """Have the arguments that are names of something completed by those there are."""
    actions: list[Any] = parser._actions  # argparse has no public way to them
    for action in actions:
        names = _NAMES.get((command.name, action.dest))
        if names is not None:
            action.completer = _Names(names)


class _Names:
    """Completes names; of several with commas between, the last."""

    def __init__(self, names: Callable[[], Iterable[str]]) -> None:
        self._names = names

    def __call__(self, prefix: str, **_: Any) -> list[str]:
        before, comma, _last = prefix.rpartition(",")
        return [f"{before}{comma}{name}" for name in self._names()]
