"""The command line of dxir-reduce."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dxir.errors import DxirError
from dxir.tools.command_line import (
    choice,
    flag,
    help_of,
    integer,
    natural,
    not_negative,
    parse,
    positive,
    refuse_others,
    value,
    values,
)
from dxir.tools.shared_options import FILES, TOOL, input_of

_WHEN = "When a module is interesting (by default: when the command fails as on the original)"
_HOW = "The search"
_GROUPS = (_WHEN, FILES, _HOW, TOOL)
_FAILURE, _ZERO = "failure", "zero"


def _count(text: str) -> int:
    number = integer(text)
    if number < 1:
        raise ValueError(f"'{text}' is not a number above 0")
    return number


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text, re.MULTILINE)
    except re.error as error:
        raise ValueError(f"'{text}' is no regular expression: {error}") from None


@dataclass(frozen=True, slots=True)
class ReduceArguments:
    """What a command line of dxir-reduce asks for; None is an option that was not given."""

    exit_code: int | None = value(
        "exit-code",
        _WHEN,
        "N",
        "when the command ends with this exit code; -N for death by the signal N",
        read=integer,
    )
    stderr_matches: re.Pattern[str] | None = value(  # noqa: RUF009  it makes a field
        "stderr-matches",
        _WHEN,
        "REGEX",
        "when the command fails, and this is found in what it writes to stderr",
        read=_pattern,
    )
    interesting_if: str = choice(
        "interesting-if",
        _WHEN,
        (_FAILURE, _ZERO),
        "`zero`: when the command ends with exit code 0, as scripts for creduce do",
        default=_FAILURE,
    )
    timeout_is_failure: bool = flag(
        "timeout-is-failure", _WHEN, "also when the command does not end within --timeout"
    )
    compare: tuple[str, ...] = values(
        "compare",
        _WHEN,
        "BACKEND,BACKEND",
        "instead of a command: when these give different results; the judge is reference, or the "
        "last",
    )
    seed: int = value(
        "seed", _WHEN, "N", "with --compare: what arguments are made from", read=natural, default=0
    )
    rtol: float | None = value(
        "rtol",
        _WHEN,
        "X",
        "with --compare: by how much floats may differ, relative to the judge's, instead of what "
        "rounding may come to",
        read=not_negative,
        default=None,
    )

    input: str = "-"
    command: tuple[str, ...] = ()
    out: str = value(
        "out",
        FILES,
        "FILE",
        "write the smallest module so far here, each time there is one; `-` is standard output, "
        "at the end",
        "o",
        "output",
        default="-",
    )
    allow_unregistered_dialect: bool = flag(
        "allow-unregistered-dialect", FILES, "let ops of unknown dialects pass unchecked"
    )

    jobs: int = value(
        "jobs", _HOW, "N", "how many candidates to try at a time", "j", read=_count, default=1
    )
    time_limit: float | None = value(
        "time-limit", _HOW, "SECONDS", "stop with the smallest module so far", read=positive
    )
    timeout: float | None = value(
        "timeout",
        _HOW,
        "SECONDS",
        "how long the command may run on one candidate (default: ten times as long as on the "
        "original, and at least 10)",
        read=positive,
    )

    quiet: bool = flag("quiet", TOOL, "print nothing but errors and the module", "q")
    debug: bool = flag("debug", TOOL, "show the Python traceback of an error")
    version: bool = flag("version", TOOL, "print the version, and stop", ends=True)
    help: bool = flag("help", TOOL, "print this, and stop", ends=True)

    @property
    def wants_help(self) -> bool:
        """Whether --help was given."""
        return self.help

    @property
    def wants_zero(self) -> bool:
        """Whether exit code 0 is what is interesting."""
        return self.interesting_if == _ZERO


def parse_arguments(argv: Sequence[str], tool: str = "dxir-reduce") -> ReduceArguments:
    """The arguments that a command line gives.

    DxirError for an unknown option or a wrong value, several input files, no command or one beside
    --compare, and options that contradict each other.
    """
    given = list(argv)
    at = given.index("--") if "--" in given else len(given)
    command = tuple(given[at + 1 :])
    found = parse(ReduceArguments, given[:at])
    refuse_others(
        ReduceArguments,
        found,
        tool,
        "options of the command come after it, and the command after --",
    )
    hint = "the command comes after --, as in: dxir-reduce m.mlir -- dxir-opt --canonicalize {}"
    arguments = ReduceArguments(input=input_of(found, hint), command=command, **found.values)
    if not found.ended:
        _refuse(arguments, hint)
    return arguments


def _refuse(arguments: ReduceArguments, hint: str) -> None:
    """Refuse what makes no sense together."""
    if not arguments.command and not arguments.compare:
        raise DxirError("there is no command that says which modules are interesting", hint=hint)
    if arguments.command and arguments.compare:
        raise DxirError("--compare and a command cannot be given together")
    if arguments.compare:
        for name, is_given in (
            ("--exit-code", arguments.exit_code is not None),
            ("--stderr-matches", arguments.stderr_matches is not None),
            ("--interesting-if", arguments.wants_zero),
            ("--timeout-is-failure", arguments.timeout_is_failure),
        ):
            if is_given:
                raise DxirError(f"{name} is about a command, and --compare has none")
    if arguments.wants_zero and arguments.exit_code is not None:
        raise DxirError("--interesting-if=zero and --exit-code cannot be given together")


def help_text(tool: str = "dxir-reduce") -> str:
    """What `--help` prints."""
    return f"""\
usage: {tool} [options] [FILE] -- COMMAND [WORD...]
       {tool} [options] [FILE] --compare=BACKEND,BACKEND

Shrink a module (text, bytecode or a portable artifact; standard input without FILE) while a command
keeps failing on it, or backends keep giving different results. `{{}}` in the command stands for the
file with the module, and is added at the end where it is missing. Every module that is tried is
valid. Options are written --x or -x, --x=VALUE or --x VALUE.

{help_of(ReduceArguments, _GROUPS)}
"""
