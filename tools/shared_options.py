"""The options that dxir-opt and dxir-translate have both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dxir.chunks import MARKER
from dxir.errors import DxirError
from dxir.tools.command_line import Parsed, choice, flag, integer, value

if TYPE_CHECKING:
    from dxir.tools.expectations import Mode

FILES = "Input and output"
PRINTING = "Printing"
DIAGNOSTICS = "Diagnostics"
TOOL = "The tool"


@dataclass(frozen=True, slots=True)
class Printing:
    """How a module is written as text."""

    print_debuginfo: bool = flag("mlir-print-debuginfo", PRINTING, "print locations")
    pretty_debuginfo: bool = flag(
        "mlir-pretty-debuginfo", PRINTING, "with locations: print them for people to read"
    )
    print_op_generic: bool = flag("mlir-print-op-generic", PRINTING, "print ops in generic form")
    print_assume_verified: bool = flag(
        "mlir-print-assume-verified", PRINTING, "do not verify again before printing"
    )
    print_local_scope: bool = flag(
        "mlir-print-local-scope", PRINTING, "print without aliases of attributes and locations"
    )
    print_skip_regions: bool = flag("mlir-print-skip-regions", PRINTING, "print no regions")
    use_nameloc_as_prefix: bool = flag(
        "mlir-use-nameloc-as-prefix", PRINTING, "name values after the names in their locations"
    )
    elide_elementsattrs_if_larger: int | None = value(
        "mlir-elide-elementsattrs-if-larger",
        PRINTING,
        "N",
        "print `...` for constants of more than N elements (not to be read back)",
        read=integer,
    )
    elide_resource_strings_if_larger: int | None = value(
        "mlir-elide-resource-strings-if-larger",
        PRINTING,
        "N",
        "leave resources out whose text is longer than N characters",
        read=integer,
    )


@dataclass(frozen=True, slots=True)
class SharedOptions(Printing):
    """What both tools are asked for: input, output, printing, and what every tool answers."""

    input: str = "-"
    output: str = value(
        "o", FILES, "FILE", "write here; `-` is standard output", "output", "out", default="-"
    )
    split_input_file: str | None = value(
        "split-input-file",
        FILES,
        "MARKER",
        f"take the parts of the file between markers (`{MARKER}`) as modules of their own",
        implied=MARKER,
    )
    output_split_marker: str = value(
        "output-split-marker", FILES, "MARKER", "what to write between parts", default=""
    )
    allow_unregistered_dialect: bool = flag(
        "allow-unregistered-dialect", FILES, "let ops of unknown dialects pass unchecked"
    )
    verify_diagnostics: Mode | None = choice(  # noqa: RUF009  it makes a field
        "verify-diagnostics",
        DIAGNOSTICS,
        ("all", "only-expected"),
        "check diagnostics against `// expected-error @+1 {{text}}` and the like in the file",
        implied="all",
    )
    disable_threading: bool = flag(
        "mlir-disable-threading", TOOL, "no effect: everything runs on one thread here"
    )
    debug: bool = flag("debug", TOOL, "show the Python traceback of an error")
    version: bool = flag("version", TOOL, "print the version, and stop", ends=True)
    help: bool = flag("help", TOOL, "print this, and stop", ends=True)
    help_list: bool = flag("help-list", TOOL, "the same", ends=True)
    help_hidden: bool = flag("help-hidden", TOOL, "the same; nothing is hidden", ends=True)

    @property
    def wants_help(self) -> bool:
        """Whether one of the spellings of --help was given."""
        return self.help or self.help_list or self.help_hidden


def input_of(found: Parsed, hint: str | None = None) -> str:
    """The input that a command line names; DxirError when it names several."""
    if len(found.positional) > 1:
        given = ", ".join(f"'{name}'" for name in found.positional)
        raise DxirError(
            f"Too many positional arguments specified! One input file is read, not {given}",
            hint=hint,
        )
    return found.positional[0] if found.positional else "-"
