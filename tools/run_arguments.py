"""The command line of dxir-run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dxir.chunks import MARKER
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
    repeated,
    value,
    values,
)
from dxir.tools.shared_options import FILES, TOOL, input_of

_WHERE = "Where it runs"
_ARGUMENTS = "What it runs on"
_RESULTS = "Results"
_COMPARING = "Comparing backends"
_GROUPS = (FILES, _WHERE, _ARGUMENTS, _RESULTS, _COMPARING, TOOL)
_KINDS = ("random", "ordinary", "hostile")
_FORMATS = ("text", "npy", "npz", "safetensors")


def _count(text: str) -> int:
    number = integer(text)
    if number < 1:
        raise ValueError(f"'{text}' is not a number above 0")
    return number


def _made(text: str) -> str:
    kind, colon, seed = text.rpartition(":")
    if colon and kind not in _KINDS:
        raise ValueError(f"'{kind}' is not one of {', '.join(_KINDS)}")
    return f"{kind or 'random'}:seed={natural(seed)}"


def _golden(text: str) -> str:
    if not text.lower().endswith((".npz", ".safetensors")):
        raise ValueError(f"'{text}' does not end in .npz or .safetensors")
    return text


@dataclass(frozen=True, slots=True)
class RunArguments:
    """What a command line of dxir-run asks for; None is an option that was not given."""

    input: str = "-"
    split_input_file: str | None = value(
        "split-input-file",
        FILES,
        "MARKER",
        f"take the parts of the file between markers (`{MARKER}`) as modules of their own",
        implied=MARKER,
    )
    allow_unregistered_dialect: bool = flag(
        "allow-unregistered-dialect", FILES, "let ops of unknown dialects pass unchecked"
    )
    imports: tuple[str, ...] = values(
        "import", FILES, "MODULE,...", "Python modules that declare targets or kernels"
    )

    backend: str = value(
        "backend",
        _WHERE,
        "NAME",
        "xla-cpu, iree-cpu, reference, interpreter, or another target that compiles here",
        default="xla-cpu",
    )
    function: str | None = value(
        "function", _WHERE, "NAME", "the function to run instead of main, or of the only public one"
    )
    devices: int | None = value(
        "devices", _WHERE, "N", "how many devices the program is partitioned over", read=_count
    )
    flags: tuple[str, ...] = repeated(
        "flag", _WHERE, "NAME=VALUE", "a flag for the backend's compiler; may be repeated"
    )
    cache: bool | None = choice(
        "cache", _WHERE, ("on", "off"), "whether what was compiled is kept on disk for next time"
    )
    timeout: float | None = value(
        "timeout", _WHERE, "SECONDS", "how long compiling and running may take", read=positive
    )
    repeat: int = value(
        "repeat",
        _WHERE,
        "N",
        "run it so many times; the last results count",
        read=_count,
        default=1,
    )

    args: tuple[str, ...] = repeated(
        "arg",
        _ARGUMENTS,
        "[NAME=]VALUE",
        "an argument: x.npy, x.npz:NAME, x.safetensors:NAME, @text-file, [[1, 2], [3, 4]], 1.5, "
        "random[:seed=0,low=-1,high=1], ordinary or hostile[:seed=0], iota, zeros or ones; in "
        "order, or by the name or number of the parameter",
    )
    files: tuple[str, ...] = repeated(
        "args", _ARGUMENTS, "FILE", "a .npz or .safetensors file with arguments by name"
    )
    random: str | None = value(
        "random",
        _ARGUMENTS,
        "[KIND:]SEED",
        "make up the arguments that are not given: random ones, ordinary or hostile (NaN, "
        "infinities, extremes)",
        read=_made,
        implied="0",
    )

    out: str | None = value(
        "out", _RESULTS, "FOLDER", "write the results to files here", "o", "output"
    )
    format: str | None = choice(
        "format", _RESULTS, _FORMATS, "text without --out; with it also npy (the default), ..."
    )
    golden: str | None = value(
        "golden",
        _RESULTS,
        "FILE",
        "write arguments and results to a .npz or .safetensors file, which dxir-verify holds the "
        "module against",
        read=_golden,
    )
    full: bool = flag("full", _RESULTS, "print all elements, however many")
    time: bool = flag("time", _RESULTS, "tell how long compiling and running took")
    as_json: bool = flag("json", _RESULTS, "print times, checks and comparisons as JSON")

    compare: tuple[str, ...] = values(
        "compare",
        _COMPARING,
        "NAME,NAME,...",
        "run it on all of these, and hold each against `reference`, or else the last one",
    )
    rtol: float | None = value(
        "rtol",
        _COMPARING,
        "X",
        "what floats may differ by, relative to the judge's",
        read=not_negative,
    )
    atol: float | None = value("atol", _COMPARING, "X", "and absolutely", read=not_negative)

    quiet: bool = flag("quiet", TOOL, "print results and errors, but no notes and no progress", "q")
    verbose: bool = flag(
        "verbose", TOOL, "print what XLA logs, and checks that hold, each on its line", "v"
    )
    debug: bool = flag("debug", TOOL, "show the Python traceback of an error")
    version: bool = flag("version", TOOL, "print the version, and stop", ends=True)
    help: bool = flag("help", TOOL, "print this, and stop", ends=True)

    @property
    def wants_help(self) -> bool:
        """Whether --help was given."""
        return self.help

    @property
    def form(self) -> str:
        """The form in which results are written."""
        return self.format or ("text" if self.out is None else "npy")

    @property
    def gives_arguments(self) -> bool:
        """Whether anything is said of arguments."""
        return bool(self.args or self.files or self.random is not None)

    def compiler_flags(self) -> dict[str, Any]:
        """The flags for the backend's compiler, each as what its value looks like."""
        found: dict[str, Any] = {}
        for text in self.flags:
            name, _, written = text.lstrip("-").partition("=")
            found[name] = _flag_value(written)
        return found


def _flag_value(text: str) -> str | int | float | bool:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def parse_arguments(argv: Sequence[str], tool: str = "dxir-run") -> RunArguments:
    """The arguments that a command line gives.

    DxirError for an unknown option or a wrong value, several input files, and options that mean
    nothing together.
    """
    found = parse(RunArguments, argv)
    refuse_others(RunArguments, found, tool)
    if "cache" in found.values:
        found.values["cache"] = found.values["cache"] == "on"
    input = input_of(found, "write what an argument is behind --arg")
    arguments = RunArguments(input=input, **found.values)
    _refuse_contradictions(arguments, found.values)
    return arguments


def _refuse_contradictions(arguments: RunArguments, given: dict[str, Any]) -> None:
    for text in arguments.flags:
        if not text.partition("=")[1]:
            raise DxirError(f"for the --flag option: '{text}' is not NAME=VALUE")
    names = [text.lstrip("-").partition("=")[0] for text in arguments.flags]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise DxirError(f"for the --flag option: '{twice}' is given twice")
    if arguments.form != "text" and arguments.out is None:
        raise DxirError(
            f"--format={arguments.form} has a meaning with --out only",
            hint="--out FOLDER says where files go",
        )
    if not arguments.compare:
        for name in ("rtol", "atol"):
            if name in given:
                raise DxirError(f"--{name} has a meaning with --compare only")
        return
    if len(set(arguments.compare)) < 2:
        raise DxirError("--compare takes two backends or more", hint="--compare=xla-cpu,reference")
    for name in ("backend", "out", "format", "golden", "time", "repeat", "full"):
        if name in given:
            raise DxirError(f"--{name} and --compare cannot be given together")


def help_text(tool: str = "dxir-run") -> str:
    """What `--help` prints."""
    return f"""\
usage: {tool} [options] [FILE]

Run a module (text, bytecode or a portable artifact; standard input without FILE) and print its
results, write them to files, run the checks that it carries, or compare what several backends make
of it. Exit code 0 when all went well, 1 for an error or a check that fails, 2 for a command line
that cannot be read; with --compare also 4 where results differ, 5 where they do by known faults
only, 6 where a backend refuses the program. Options are written --x or -x, --x=VALUE or --x VALUE.

{help_of(RunArguments, _GROUPS)}
"""
