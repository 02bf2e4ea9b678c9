"""The command line of dxir-translate: that of stablehlo-translate, and what dxir adds to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dxir.errors import DxirError
from dxir.tools.command_line import (
    choice,
    flag,
    help_of,
    integer,
    nearest,
    parse,
    positive,
    spelled,
    value,
)

SPLIT_MARKER = "// -----"

_WHAT = "What to do (text is written when none of these is given)"
_FILES = "Input and output"
_SERIALIZE = "With --serialize and --emit=artifact"
_INTERPRET = "With --interpret"
_PRINTING = "Printing"
_TOOL = "The tool"


def _marker(text: str) -> str:
    return text or SPLIT_MARKER


def _checked(text: str) -> str:
    if text not in ("", "all", "only-expected"):
        raise ValueError(f"Cannot find option named '{text}'! It is one of all and only-expected")
    return text or "all"


@dataclass(frozen=True, slots=True)
class TranslateArguments:
    """What a command line of dxir-translate asks for; None is an option that was not given."""

    input: str = "-"

    serialize: bool = flag("serialize", _WHAT, "write a portable artifact; --emit=artifact")
    deserialize: bool = flag("deserialize", _WHAT, "read a portable artifact, and write text")
    interpret: bool = flag(
        "interpret", _WHAT, "run the module by StableHLO's reference interpreter; print its results"
    )
    info: bool = flag(
        "info", _WHAT, "tell what the module needs and holds: version, ops, constants, locations"
    )
    emit: str | None = choice(
        "emit", _WHAT, ("text", "bytecode", "artifact"), "the form to write the module in"
    )

    output: str = value("o", _FILES, "FILE", "write here; `-` is standard output", default="-")
    split_input_file: str | None = value(
        "split-input-file",
        _FILES,
        "MARKER",
        f"take the parts of the file between markers (`{SPLIT_MARKER}`) as modules of their own",
        read=_marker,
        implied="",
    )
    output_split_marker: str = value(
        "output-split-marker", _FILES, "MARKER", "what to write between parts", default=""
    )
    allow_unregistered_dialect: bool = flag(
        "allow-unregistered-dialect", _FILES, "let ops of unknown dialects pass unchecked"
    )
    verify_diagnostics: str | None = value(
        "verify-diagnostics",
        _FILES,
        "all|only-expected",
        "check diagnostics against `// expected-error @+1 {{text}}` and the like in the file",
        read=_checked,
        implied="",
    )
    strip_debuginfo: bool = flag("strip-debuginfo", _FILES, "leave locations out")
    as_json: bool = flag("json", _FILES, "with --info: as JSON")

    target: str = value(
        "target",
        _SERIALIZE,
        "VERSION",
        "the StableHLO version of the artifact: a number, `current`, `minimum`, or `4w` and `12w`, "
        "what a reader of that age understands",
        default="current",
    )
    allow_other_dialects: bool = flag(
        "allow-other-dialects",
        _SERIALIZE,
        "keep ops of other dialects (chlo, sdy) as they are, for a reader of the same version",
    )
    expand: bool = flag("expand", _SERIALIZE, "rewrite ops newer than the version by older ones")
    print_stablehlo_version: bool = flag(
        "print-stablehlo-version", _SERIALIZE, "print the version of the artifact that is read"
    )

    args: str | None = value(
        "args",
        _INTERPRET,
        "[dense<1> : tensor<2xi32>, ...]",
        "the arguments: a list of constants, @FILE with one, or @A.npy,@B.npy",
    )
    entry: str = value("entry", _INTERPRET, "NAME", "the function to run", default="main")
    probe_output_dir: str | None = value(
        "probe-output-dir", _INTERPRET, "FOLDER", "write here what interpreter.probe sees"
    )
    timeout: float = value(
        "timeout", _INTERPRET, "SECONDS", "how long a module may run", read=positive, default=120.0
    )

    print_debuginfo: bool = flag("mlir-print-debuginfo", _PRINTING, "print locations")
    print_op_generic: bool = flag("mlir-print-op-generic", _PRINTING, "print ops in generic form")
    print_local_scope: bool = flag(
        "mlir-print-local-scope", _PRINTING, "print without aliases of attributes and locations"
    )
    elide_elementsattrs_if_larger: int | None = value(
        "mlir-elide-elementsattrs-if-larger",
        _PRINTING,
        "N",
        "print `...` for constants of more than N elements (not to be read back)",
        read=integer,
    )
    disable_threading: bool = flag("mlir-disable-threading", _PRINTING, "no effect")

    debug: bool = flag("debug", _TOOL, "show the Python traceback of an error")
    version: bool = flag("version", _TOOL, "print the version, and stop", ends=True)
    help: bool = flag("help", _TOOL, "print this, and stop", ends=True)

    @property
    def form(self) -> str:
        """The form in which the module is written."""
        return "artifact" if self.serialize else self.emit or "text"


def parse_arguments(argv: Sequence[str], tool: str = "dxir-translate") -> TranslateArguments:
    """The arguments that a command line gives.

    DxirError for an unknown option or a wrong value, two things to do at once, or two input files.
    """
    found = parse(TranslateArguments, argv)
    for other in found.others:
        near = nearest(TranslateArguments, other.name)
        raise DxirError(
            f"Unknown command line argument '{spelled(other.name)}'.  Try: '{tool} --help'",
            hint=f"did you mean {' or '.join(near)}?" if near else None,
        )
    if len(found.positional) > 1:
        given = ", ".join(f"'{name}'" for name in found.positional)
        raise DxirError(
            f"Too many positional arguments specified! One input file is read, not {given}"
        )
    asked = [n for n in ("serialize", "deserialize", "interpret", "info") if found.values.get(n)]
    if "emit" in found.values and asked != ["deserialize"]:
        asked.append("emit")
    if len(asked) > 1:
        raise DxirError(f"--{asked[0]} and --{asked[1]} cannot be given together")
    return TranslateArguments(
        input=found.positional[0] if found.positional else "-", **found.values
    )


def help_text(tool: str = "dxir-translate") -> str:
    """What `--help` prints."""
    return f"""\
usage: {tool} [options] [FILE]

Read a module (text, bytecode or a portable artifact; standard input without FILE) and write it in
another form, run it by StableHLO's reference interpreter, or tell what it holds. Options are
written --x or -x, --x=VALUE or --x VALUE.

{help_of(TranslateArguments)}
"""
