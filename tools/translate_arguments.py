"""The command line of dxir-translate: that of stablehlo-translate, and what dxir adds to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dxir.errors import DxirError
from dxir.tools.command_line import (
    Parsed,
    choice,
    flag,
    help_of,
    options_of,
    parse,
    positive,
    refuse_others,
    value,
)
from dxir.tools.shared_options import DIAGNOSTICS, FILES, PRINTING, TOOL, SharedOptions, input_of

_WHAT = "What to do (text is written when none of these is given)"
_SERIALIZE = "With --serialize and --emit=artifact"
_INTERPRET = "With --interpret"
# The options that say how to do something, by field, and what asks for it.
_BY_INFO, _BY_INTERPRET = "--info", "--interpret"
_BY_SERIALIZE = "--serialize or --emit=artifact"
_MODES = {
    "as_json": _BY_INFO,
    "target": _BY_SERIALIZE,
    "expand": _BY_SERIALIZE,
    **dict.fromkeys(("args", "entry", "probe_output_dir", "timeout"), _BY_INTERPRET),
}
_GROUPS = (_WHAT, FILES, _SERIALIZE, _INTERPRET, PRINTING, DIAGNOSTICS, TOOL)


@dataclass(frozen=True, slots=True)
class TranslateArguments(SharedOptions):
    """What a command line of dxir-translate asks for; None is an option that was not given."""

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

    strip_debuginfo: bool = flag("strip-debuginfo", FILES, "leave locations out")
    as_json: bool = flag("json", FILES, "with --info: as JSON")

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

    @property
    def form(self) -> str:
        """The form in which the module is written."""
        return "artifact" if self.serialize else self.emit or "text"


def parse_arguments(argv: Sequence[str], tool: str = "dxir-translate") -> TranslateArguments:
    """The arguments that a command line gives.

    DxirError for an unknown option or a wrong value, two things to do at once, a way to do
    what is not asked for, or two input files.
    """
    found = parse(TranslateArguments, argv)
    refuse_others(TranslateArguments, found, tool)
    input = input_of(found)
    asked = [n for n in ("serialize", "deserialize", "interpret", "info") if found.values.get(n)]
    if "emit" in found.values and asked != ["deserialize"]:
        asked.append("emit")
    if len(asked) > 1:
        raise DxirError(f"--{asked[0]} and --{asked[1]} cannot be given together")
    arguments = TranslateArguments(input=input, **found.values)
    _refuse_idle(arguments, found)
    return arguments


def _refuse_idle(arguments: TranslateArguments, found: Parsed) -> None:
    """Refuse options that say how to do what is not asked for."""
    asked = {
        _BY_INFO: arguments.info,
        _BY_INTERPRET: arguments.interpret,
        _BY_SERIALIZE: arguments.form == "artifact",
    }
    for name, option in options_of(TranslateArguments).items():
        mode = _MODES.get(name)
        if mode is not None and not asked[mode] and found.values.get(name):
            raise DxirError(f"{option.spelling} has a meaning with {mode} only")


def help_text(tool: str = "dxir-translate") -> str:
    """What `--help` prints."""
    return f"""\
usage: {tool} [options] [FILE]

Read a module (text, bytecode or a portable artifact; standard input without FILE) and write it in
another form, run it by StableHLO's reference interpreter, or tell what it holds. Options are
written --x or -x, --x=VALUE or --x VALUE.

{help_of(TranslateArguments, _GROUPS)}
"""
