"""The command line of dxir-diff; read before anything of MLIR is loaded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dxir.errors import ArgumentError
from dxir.tools.command_line import flag, help_of, integer, parse, refuse_others, spelled, value
from dxir.tools.shared_options import TOOL

_WHAT = "What is compared"
_RESULTS = "What is told"
_MOST = 40


def _count(text: str) -> int:
    number = integer(text)
    if number < 1:
        raise ValueError(f"'{text}' is not a number above 0")
    return number


@dataclass(frozen=True, slots=True)
class DiffArguments:
    """What a command line of dxir-diff asks for."""

    before: str = ""
    after: str = ""

    passes: str | None = value(
        "passes", _WHAT, "PIPELINE", "passes to run first on both, as dxir-decompose", "p"
    )
    exact: bool = flag(
        "exact", _WHAT, "names, locations and order count: what differs in them is exit code 1, too"
    )

    stat: bool = flag("stat", _RESULTS, "numbers of each function alone, and no ops")
    top: int = value(
        "top", _RESULTS, "N", f"the most ops that are told of a function; {_MOST} unless given",
        default=_MOST, read=_count,
    )  # fmt: skip
    json: bool = flag("json", _RESULTS, "as JSON, every op")
    markdown: bool = flag("markdown", _RESULTS, "as Markdown, for a comment on a change")
    quiet: bool = flag("quiet", _RESULTS, "print nothing; the exit code tells", "q")

    debug: bool = flag("debug", TOOL, "show the Python traceback of an error")
    version: bool = flag("version", TOOL, "print the version, and stop", ends=True)
    help: bool = flag("help", TOOL, "print this, and stop", ends=True)

    @property
    def wants_help(self) -> bool:
        """Whether --help was given."""
        return self.help


def parse_arguments(argv: Sequence[str], tool: str = "dxir-diff") -> DiffArguments:
    """The arguments that a command line gives; ArgumentError for what it cannot ask for."""
    found = parse(DiffArguments, argv)
    refuse_others(DiffArguments, found, tool, error=ArgumentError)
    if found.ended:
        return DiffArguments(**found.values)
    if len(found.positional) != 2:
        count = len(found.positional)
        given = f"{count or 'none'} {'was' if count < 2 else 'were'} given"
        raise ArgumentError(
            f"two modules, or two folders, are compared, and {given}",
            hint="write `dxir-diff BEFORE AFTER`; one of them may be -, the standard input",
        )
    before, after = found.positional
    arguments = DiffArguments(before=before, after=after, **found.values)
    chosen = [name for name in ("json", "markdown", "stat", "quiet") if getattr(arguments, name)]
    if len(chosen) > 1:
        raise ArgumentError(
            f"{' and '.join(spelled('q' if n == 'quiet' else n) for n in chosen)} say different "
            "things of what is told",
            hint="give one of them",
        )
    if arguments.before == arguments.after == "-":
        raise ArgumentError("the standard input is no two modules", hint="give a file for one")
    return arguments


def help_text(tool: str) -> str:
    """What --help prints."""
    return (
        f"usage: {tool} [options] BEFORE AFTER\n\n"
        "Tell what two modules do not share: functions, ops, attributes, meshes and costs. Each is "
        "text,\nbytecode or an artifact, or `-`, the standard input; of two folders, the files "
        "of one name are\ncompared. Other names of values and functions, another order and other "
        "locations are the same\nprogram.\n\n"
        "exit code: 0 the same program, 1 not the same, 2 could not be compared\n\n"
        f"{help_of(DiffArguments, (_WHAT, _RESULTS, TOOL))}\n"
    )
