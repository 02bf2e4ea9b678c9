"""The command line of dxir-opt: that of mlir-opt, and what dxir adds to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from dxir.chunks import MARKER
from dxir.errors import DxirError
from dxir.pipeline.budget import Limits
from dxir.pipeline.missing import why_missing
from dxir.pipeline.text import parse_options
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
    values,
)
from dxir.tools.shared_options import DIAGNOSTICS, FILES, PRINTING, TOOL, SharedOptions, input_of

FLAVOURS = ("dxir", "stablehlo", "sdy", "mpmd", "mlir", "interpreter")

_PASSES = "Passes"
_WATCHING = "Watching passes"
_GROUPS = (FILES, _PASSES, PRINTING, _WATCHING, DIAGNOSTICS, TOOL)

_LIMITS: dict[str, Callable[[str], float | int]] = {
    "seconds": positive,
    "rewrites": integer,
    "growth": positive,
}


def _limits(text: str) -> Limits:
    found: dict[str, float | int] = {}
    for option in parse_options(text.replace(",", " ")):
        read = _LIMITS.get(option.name)
        if read is None:
            raise ValueError(f"there is no limit '{option.name}': write {' '.join(_LIMITS)}=N")
        if option.value is None:
            raise ValueError(f"the limit '{option.name}' requires a value!")
        found[option.name] = read(option.value)
    return Limits(**found)  # type: ignore[arg-type]  # each reader gives what its limit takes


@dataclass(frozen=True, slots=True)
class OptArguments(SharedOptions):
    """What a command line of dxir-opt asks for.

    `passes` has the pass flags in order, each with its options as written. Fields are named after
    their options, without `mlir-`; None is an option that was not given.
    """

    passes: tuple[tuple[str, str], ...] = ()

    output_split_marker: str = value(
        "output-split-marker", FILES, "MARKER", "what to write between parts", default=MARKER
    )
    emit_bytecode: bool = flag("emit-bytecode", FILES, "write bytecode instead of text")
    emit_bytecode_version: int | None = value(
        "emit-bytecode-version", FILES, "N", "the version of the bytecode format", read=integer
    )
    no_implicit_module: bool = flag(
        "no-implicit-module", FILES, "take the one top-level op as it is, without a module around"
    )
    verify_roundtrip: bool = flag(
        "verify-roundtrip", FILES, "check that the module reads back as it is written"
    )

    pass_pipeline: str | None = value(
        "pass-pipeline",
        _PASSES,
        "TEXT",
        "a pipeline, as in `builtin.module(func.func(cse),dxir-decompose{keep=nn.gelu})`",
        "p",
        "passes",
    )
    list_passes: bool = flag("list-passes", _PASSES, "list the passes there are, and stop")
    dump_pass_pipeline: bool = flag("dump-pass-pipeline", _PASSES, "print the pipeline to be run")
    verify_each: bool = flag(
        "verify-each", _PASSES, "verify the module after each pass", default=True
    )
    pass_budget: Limits | None = value(  # noqa: RUF009  it makes a field
        "pass-budget",
        _PASSES,
        "LIMITS",
        "what each pass may take: 'seconds=10 rewrites=1000 growth=4'; growth is a factor of ops",
        read=_limits,
    )
    imports: tuple[str, ...] = values(
        "import", _PASSES, "MODULE", "import a Python module that declares passes; repeatable"
    )
    bisect: str | None = value(
        "bisect", _PASSES, "COMMAND", "find the first pass after which the command, given the "
        "module as a file in place of `{}` or as its last argument, fails"
    )  # fmt: skip
    timeout: float | None = value(
        "timeout", _PASSES, "SECONDS", "stop with an error when it all takes longer", read=positive
    )
    run_reproducer: bool = flag(
        "run-reproducer", _PASSES, "run the pipeline that a crash reproducer carries"
    )
    crash_reproducer: str | None = value(
        "mlir-pass-pipeline-crash-reproducer",
        _PASSES,
        "FILE",
        "write module and pipeline here when a pass fails",
    )
    local_reproducer: bool = flag(
        "mlir-pass-pipeline-local-reproducer",
        _PASSES,
        "with a crash reproducer: of the failing pass alone, with the module before it",
    )
    generate_reproducer: str | None = value(
        "mlir-generate-reproducer", _PASSES, "FILE", "write a reproducer even if nothing fails"
    )

    print_ir_before: tuple[str, ...] = values(
        "mlir-print-ir-before", _WATCHING, "PASS,...", "print the IR before these passes"
    )
    print_ir_after: tuple[str, ...] = values(
        "mlir-print-ir-after", _WATCHING, "PASS,...", "print the IR after these passes"
    )
    print_ir_before_all: bool = flag(
        "mlir-print-ir-before-all", _WATCHING, "print the IR before each pass"
    )
    print_ir_after_all: bool = flag(
        "mlir-print-ir-after-all", _WATCHING, "print the IR after each pass"
    )
    print_ir_after_change: bool = flag(
        "mlir-print-ir-after-change", _WATCHING, "after a pass: only if it changed something"
    )
    print_ir_after_failure: bool = flag(
        "mlir-print-ir-after-failure", _WATCHING, "after a pass: only if it failed"
    )
    print_ir_module_scope: bool = flag(
        "mlir-print-ir-module-scope", _WATCHING, "print the whole module, not the function alone"
    )
    print_ir_tree_dir: str | None = value(
        "mlir-print-ir-tree-dir", _WATCHING, "FOLDER", "print to a tree of files in this folder"
    )
    timing: bool = flag("mlir-timing", _WATCHING, "report how long each pass took")
    timing_display: str = choice(
        "mlir-timing-display", _WATCHING, ("list", "tree"), "times sorted or nested", default="tree"
    )
    pass_statistics: bool = flag(
        "mlir-pass-statistics", _WATCHING, "report what each pass counted: rewrites, ops, ..."
    )
    pass_statistics_display: str = choice(
        "mlir-pass-statistics-display",
        _WATCHING,
        ("list", "pipeline"),
        "statistics sorted or nested",
        default="pipeline",
    )

    diagnostic_verbosity_level: str = choice(
        "mlir-diagnostic-verbosity-level",
        DIAGNOSTICS,
        ("errors", "warnings", "remarks"),
        "the least severe diagnostics to print",
        default="remarks",
    )
    diagnostics_json: str | None = value(
        "diagnostics-json",
        DIAGNOSTICS,
        "FILE",
        "write what is reported here, too, as a JSON array with codes, passes and numbers",
    )
    disable_diagnostic_notes: bool = flag(
        "mlir-disable-diagnostic-notes", DIAGNOSTICS, "print no notes"
    )
    print_op_on_diagnostic: bool = flag(
        "mlir-print-op-on-diagnostic", DIAGNOSTICS, "add the op as a note", default=True
    )
    print_stacktrace_on_diagnostic: bool = flag(
        "mlir-print-stacktrace-on-diagnostic",
        DIAGNOSTICS,
        "no effect: a release build of MLIR has no stack traces",
    )

    flavour: str | None = choice(
        "flavour",
        TOOL,
        FLAVOURS,
        "the tool to behave like: which dialects are known; else the name it is called under "
        "says so",
    )
    show_dialects: bool = flag("show-dialects", TOOL, "list the dialects known, and stop")


_NO_PLUGIN = "a plugin of C++ does not fit the MLIR inside jaxlib"
_NO_SETTING = "the MLIR inside jaxlib has no setting for it"
_NO_REMARKS = "the MLIR inside jaxlib has no remarks of this kind"

REFUSED: dict[str, tuple[str, str | None]] = {
    "load-pass-plugin": (_NO_PLUGIN, "declare passes in Python, and name the module by --import"),
    "load-dialect-plugin": (_NO_PLUGIN, "read unknown ops with --allow-unregistered-dialect"),
    "irdl-file": (_NO_SETTING, "read unknown ops with --allow-unregistered-dialect"),
    "mlir-very-unsafe-disable-verifier-on-parsing": (
        "a module that is not verified can end the process",
        "--verify-each=false leaves out the verification between passes",
    ),
    "mlir-print-elementsattrs-with-hex-if-larger": (
        "MLIR prints constants of more than 100 elements as hexadecimal, and " + _NO_SETTING,
        None,
    ),
    "mlir-elide-resource-data-from-bytecode": (
        _NO_SETTING,
        "--dxir-externalize-constants takes constants out of a module",
    ),
    "mlir-print-value-users": (_NO_SETTING, None),
    "mlir-print-unique-ssa-ids": (_NO_SETTING, None),
    "mlir-reproducer-before-all": (_NO_SETTING, "--mlir-pass-pipeline-crash-reproducer writes one"),
    "mlir-output-format": ("times are reported as text only", None),
    "mlir-debug-counter": (_NO_SETTING, "--bisect finds the pass that breaks a module"),
    "mlir-print-debug-counter": (_NO_SETTING, None),
    "mlir-enable-debugger-hook": (_NO_SETTING, None),
    "log-actions-to": (_NO_SETTING, "--mlir-print-ir-after-change shows what passes did"),
    "log-mlir-actions-filter": (_NO_SETTING, None),
    "profile-actions-to": (_NO_SETTING, "--mlir-timing reports the time each pass took"),
    "debug-only": (
        "a release build of MLIR has no debug output",
        "--mlir-print-ir-after-change shows what passes did",
    ),
    "remark-format": (_NO_REMARKS, None),
    "remark-policy": (_NO_REMARKS, None),
    "remarks-filter": (_NO_REMARKS, None),
    "remarks-output-file": (_NO_REMARKS, None),
}
"""Options of mlir-opt that cannot be had here: why, and what to do instead."""


def parse_arguments(argv: Sequence[str]) -> OptArguments:
    """The arguments that a command line gives.

    A flag that is no option is taken for a pass; `unknown_argument` is the error when it is none.
    DxirError for a wrong value, two input files, or passes given both as flags and as a pipeline.
    """
    found = parse(OptArguments, argv)
    if found.ended:
        return OptArguments(**found.values)
    for other in found.others:
        if other.name in REFUSED:
            reason, hint = REFUSED[other.name]
            raise DxirError(f"{spelled(other.name)} is not supported: {reason}", hint=hint)
    passes = tuple((other.name, other.value or "") for other in found.others)
    if passes and "pass_pipeline" in found.values:
        raise DxirError(
            "'-pass-pipeline' option can't be used with individual pass options",
            hint=f"put {passes[0][0]} into the pipeline",
        )
    hint = f"a pass takes its options after `=`: --{passes[0][0]}='a=1 b=2'" if passes else None
    return OptArguments(input=input_of(found, hint), passes=passes, **found.values)


def unknown_argument(
    name: str, pass_names: Callable[[], Iterable[str]], tool: str = "dxir-opt"
) -> DxirError:
    """The error for a flag that is neither an option nor a pass, with what resembles it."""
    shown = spelled(name.lstrip("-"))
    message = f"Unknown command line argument '{shown}'.  Try: '{tool} --help'"
    why = why_missing(name.lstrip("-"))
    if why is not None:
        return DxirError(message, hint=why)
    near = nearest(OptArguments, name, pass_names())
    return DxirError(message, hint=f"did you mean {' or '.join(near)}?" if near else None)


def help_text(tool: str = "dxir-opt") -> str:
    """What `--help` prints."""
    return f"""\
usage: {tool} [options] [FILE]

Read a module (text, bytecode or a portable artifact; standard input without FILE), run passes on
it in the order given, and write it. Each pass is an option, too; its own options follow as
--pass='a=1 b=2'. --list-passes lists the passes. Options are written --x or -x, --x=VALUE or
--x VALUE; what can be switched on is switched off by --x=false.

{help_of(OptArguments, _GROUPS)}
"""
