"""`dxir-launch`: start several processes of a program on this machine, which know of each other."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from dxir.errors import DxirError
from dxir.tools.command_line import (
    flag,
    help_of,
    integer,
    options_of,
    parse,
    positive,
    refuse_others,
    value,
)
from dxir.tools.shared_options import TOOL
from dxir.tools.tool import run_tool

_TOOL = "dxir-launch"
_MISUSED = 2
_PROCESSES = "The processes"
_HINT = "as in: dxir-launch -n 4 train.py --steps=10"


def _count(text: str) -> int:
    number = integer(text)
    if not 1 <= number <= 1024:
        raise ValueError(f"'{text}' is not a number from 1 to 1024")
    return number


@dataclass(frozen=True, slots=True)
class LaunchArguments:
    """What a command line of dxir-launch asks for."""

    count: int | None = value("n", _PROCESSES, "N", "how many processes to start", read=_count)
    devices_per_process: int = value(
        "devices-per-process",
        _PROCESSES,
        "N",
        "how many devices each process has (default: 1)",
        read=_count,
        default=1,
    )
    module: str | None = value(
        "m", _PROCESSES, "MODULE", "run a Python module instead of a script, as `python -m` does"
    )
    timeout: float | None = value(
        "timeout", _PROCESSES, "SECONDS", "end all processes after so long", read=positive
    )
    grace: float = value(
        "grace",
        _PROCESSES,
        "SECONDS",
        "when one failed, how long the others have to say so and end (default: 15)",
        read=positive,
        default=15.0,
    )
    plain: bool = flag("plain", _PROCESSES, "print lines as they are, without the process's number")

    command: tuple[str, ...] = ()

    debug: bool = flag("debug", TOOL, "show the Python traceback of an error")
    version: bool = flag("version", TOOL, "print the version, and stop", ends=True)
    help: bool = flag("help", TOOL, "print this, and stop", ends=True)

    @property
    def wants_help(self) -> bool:
        """Whether --help was given."""
        return self.help


def parse_arguments(argv: Sequence[str], tool: str = _TOOL) -> LaunchArguments:
    """The arguments that a command line gives; what follows the script is the script's.

    DxirError for an unknown option or a wrong value, and where it says not what to run.
    """
    given = list(argv)
    end = _end_of_options(given)
    found = parse(LaunchArguments, given[:end])
    refuse_others(LaunchArguments, found, tool, f"options of the script come after it, {_HINT}")
    rest = given[end:]
    is_script = rest[:1] != ["--"]
    rest = rest if is_script else rest[1:]
    module = found.values.get("module")
    if module is not None:
        command = (sys.executable, "-m", str(module), *rest)
    else:
        command = (sys.executable, *rest) if is_script else tuple(rest)
    arguments = LaunchArguments(command=command, **found.values)
    if found.ended:
        return arguments
    if arguments.count is None:
        raise DxirError("how many processes to start is not said", hint=_HINT)
    if not rest and module is None:
        raise DxirError("there is nothing to run", hint=_HINT)
    return arguments


def _end_of_options(given: list[str]) -> int:
    """Where the script is, or the `--` before a command, or what follows a module."""
    wants_value = {
        name
        for option in options_of(LaunchArguments).values()
        for name in option.names
        if option.implied is None
    }
    at = 0
    while at < len(given):
        text = given[at]
        if text == "--" or not text.startswith("-") or text == "-":
            return at
        name, equals, _ = text.lstrip("-").partition("=")
        at += 2 if name in wants_value and not equals else 1
        if name == "m":
            return min(at, len(given))
    return len(given)


def help_text(tool: str) -> str:
    """What `--help` prints."""
    return (
        f"usage: {tool} -n N [options] script.py [arguments of the script]\n"
        f"       {tool} -n N [options] -m module [arguments of the module]\n"
        f"       {tool} -n N [options] -- command [arguments of the command]\n\n"
        "Starts N processes on this machine that dxir.distributed.initialize brings together. What "
        "they\nwrite is shown with their numbers. When one fails, all end; the exit code is that "
        "of the first\nto fail, 124 after --timeout, 128 and its number after a signal, 2 for a "
        "command line that cannot\nbe read.\n\n"
        f"{help_of(LaunchArguments, (_PROCESSES, TOOL))}\n"
    )


def main(argv: Sequence[str] | None = None, tool: str = _TOOL) -> int:
    """Run the tool on a command line; gives its exit code."""
    given = sys.argv[1:] if argv is None else argv

    def work(arguments: LaunchArguments) -> int:
        from dxir.tools.launching import Launch

        assert arguments.count is not None
        return Launch(
            arguments.command,
            arguments.count,
            arguments.devices_per_process,
            timeout=arguments.timeout,
            grace=arguments.grace,
            plain=arguments.plain,
        ).run()

    return run_tool(tool, lambda: parse_arguments(given, tool), help_text, work, misused=_MISUSED)


def entry(argv: Sequence[str] | None = None, tool: str = _TOOL) -> NoReturn:
    """The console script."""
    sys.exit(main(argv, tool))


if __name__ == "__main__":
    entry()
