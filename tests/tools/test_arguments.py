from __future__ import annotations

import dataclasses
import subprocess
import sys
from typing import Any

import pytest

from dxir.errors import DxirError
from dxir.pipeline.budget import Limits
from dxir.tools.arguments import (
    REFUSED,
    OptArguments,
    help_text,
    parse_arguments,
    unknown_argument,
)
from dxir.tools.command_line import options_of, spelled
from dxir.tools.shared_options import SharedOptions
from dxir.tools.translate_arguments import parse_arguments as parse_translate_arguments


def changed(*argv: str) -> dict[str, Any]:
    """The arguments that differ from those of an empty command line."""
    given, plain = parse_arguments(argv), OptArguments()
    return {
        f.name: getattr(given, f.name)
        for f in dataclasses.fields(OptArguments)
        if getattr(given, f.name) != getattr(plain, f.name)
    }


def refusal(*argv: str) -> str:
    with pytest.raises(DxirError) as caught:
        parse_arguments(argv)
    return str(caught.value)


def test_an_empty_command_line_reads_standard_input_and_writes_standard_output() -> None:
    assert parse_arguments([]) == OptArguments()
    assert (OptArguments().input, OptArguments().output) == ("-", "-")


@pytest.mark.parametrize("argv", [("-o", "x"), ("-o=x",), ("--o=x",), ("--o", "x")])
def test_a_value_follows_an_equals_sign_or_is_the_next_argument(argv: tuple[str, ...]) -> None:
    assert changed(*argv, "a.mlir") == {"output": "x", "input": "a.mlir"}


def test_passes_keep_their_order_and_their_options_as_written() -> None:
    argv = ("-cse", "a.mlir", "--canonicalize=max-iterations=1 region-simplify=normal", "--cse=")
    assert changed(*argv) == {
        "input": "a.mlir",
        "passes": (
            ("cse", ""),
            ("canonicalize", "max-iterations=1 region-simplify=normal"),
            ("cse", ""),
        ),
    }


@pytest.mark.parametrize(
    "argv",
    [("--pass-pipeline=any(cse)",), ("-pass-pipeline", "any(cse)"), ("-p", "any(cse)")],
)
def test_a_pipeline_is_one_argument(argv: tuple[str, ...]) -> None:
    assert changed(*argv) == {"pass_pipeline": "any(cse)"}


def test_a_pipeline_and_pass_flags_exclude_each_other_as_in_mlir_opt() -> None:
    said = refusal("--pass-pipeline=cse", "--canonicalize")
    assert "'-pass-pipeline' option can't be used with individual pass options" in said
    assert "hint: put canonicalize into the pipeline" in said


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *((text, True) for text in ("", "=", "=true", "=True", "=TRUE", "=1")),
        *((text, False) for text in ("=false", "=False", "=FALSE", "=0")),
    ],
)
def test_booleans_are_read_as_llvm_reads_them(text: str, value: bool) -> None:
    assert parse_arguments([f"--emit-bytecode{text}"]).emit_bytecode is value
    assert parse_arguments([f"-verify-each{text}"]).verify_each is value


def test_a_switch_does_not_take_the_next_argument() -> None:
    assert changed("--verify-each", "0") == {"input": "0"}


def test_splitting_has_a_default_marker() -> None:
    assert parse_arguments(["a"]).split_input_file is None
    for text in ("-split-input-file", "--split-input-file="):
        assert parse_arguments([text, "a"]).split_input_file == "// -----"
    assert parse_arguments(["--split-input-file=# ---", "a"]).split_input_file == "# ---"
    assert parse_arguments(["--output-split-marker=#"]).output_split_marker == "#"


@pytest.mark.parametrize(
    ("text", "level"),
    [("", "all"), ("=", "all"), ("=all", "all"), ("=only-expected", "only-expected")],
)
def test_all_diagnostics_are_verified_unless_told_otherwise(text: str, level: str) -> None:
    assert changed(f"--verify-diagnostics{text}") == {"verify_diagnostics": level}


def test_numbers_lists_and_choices() -> None:
    argv = (
        "--mlir-elide-elementsattrs-if-larger=8",
        "-mlir-elide-resource-strings-if-larger",
        "-1",
        "--mlir-print-ir-after=cse,canonicalize",
        "--mlir-print-ir-after=inline",
        "--mlir-timing-display=list",
        "--import=a.b",
        "--import",
        "c",
        "--timeout=2.5",
    )
    assert changed(*argv) == {
        "elide_elementsattrs_if_larger": 8,
        "elide_resource_strings_if_larger": -1,
        "print_ir_after": ("cse", "canonicalize", "inline"),
        "timing_display": "list",
        "imports": ("a.b", "c"),
        "timeout": 2.5,
    }


def test_a_budget_is_limits_by_name() -> None:
    assert parse_arguments(["--pass-budget=seconds=10 rewrites=1000 growth=4"]).pass_budget == (
        Limits(10.0, 1000, 4.0)
    )
    assert parse_arguments(["--pass-budget=growth=1.5"]).pass_budget == Limits(growth=1.5)
    assert "there is no limit 'time'" in refusal("--pass-budget=time=1")
    assert "'x' value invalid for integer argument!" in refusal("--pass-budget=rewrites=x")
    assert "'-1' is not a number above 0" in refusal("--pass-budget=seconds=-1")


def test_two_dashes_end_the_options() -> None:
    assert changed("--", "--cse") == {"input": "--cse"}
    assert changed("-") == {}


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("-o",), "for the -o option: requires a value!"),
        (("-o", "--cse"), "for the -o option: requires a value!\n  hint: write -o=FILE"),
        (("--timeout=nan",), "'nan' is not a number above 0"),
        (("--verify-each=no",), "'no' is invalid value for boolean argument! Try 0 or 1"),
        (("--mlir-timing-display=x",), "Cannot find option named 'x'! It is one of list and tree"),
        (("--verify-diagnostics=x",), "Cannot find option named 'x'!"),
        (("--flavour=tosa",), "for the --flavour option: Cannot find option named 'tosa'!"),
        (("-o=a", "-o=b"), "for the -o option: may only occur zero or one times!"),
        (("a", "b"), "Too many positional arguments specified!"),
        (
            ("-canonicalize", "top-down=false", "a"),
            "a pass takes its options after `=`: --canonicalize=",
        ),
        (("--emit-bytecode-version=six",), "'six' value invalid for integer argument!"),
    ],
)
def test_a_wrong_argument_is_refused_by_name(argv: tuple[str, ...], said: str) -> None:
    assert said in refusal(*argv)


def test_plugins_are_refused_with_what_to_do_instead() -> None:
    said = refusal("--load-pass-plugin=x.so")
    assert "--load-pass-plugin is not supported" in said
    assert "--import" in said
    assert "--allow-unregistered-dialect" in refusal("-load-dialect-plugin=x.so")


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_had_is_refused_with_a_reason(name: str) -> None:
    assert refusal(f"--{name}=1").startswith(f"--{name} is not supported: ")


def test_no_refused_option_is_one_that_is_supported() -> None:
    known = {name for option in options_of(OptArguments).values() for name in option.names}
    assert not known & set(REFUSED)


def test_an_unknown_flag_names_the_nearest_options_and_passes() -> None:
    def names() -> list[str]:
        return ["canonicalize", "cse"]

    said = str(unknown_argument("canonicalise", names))
    assert "Unknown command line argument '--canonicalise'.  Try: 'dxir-opt --help'" in said
    assert "did you mean --canonicalize?" in said
    assert "did you mean --verify-diagnostics?" in str(unknown_argument("verify-diagnostic", names))
    assert "did you mean" not in str(unknown_argument("zzz", names, "sdy-opt"))


@pytest.mark.parametrize("name", ["help", "help-list", "help-hidden", "version"])
def test_help_and_version_are_answered_whatever_else_is_wrong(name: str) -> None:
    found = parse_arguments(["--verify-each", f"-{name}", "-o"])
    assert found.wants_help is (name != "version")
    assert found.version is (name == "version")


def test_the_help_has_every_option_within_a_hundred_columns() -> None:
    text = help_text("sdy-opt")
    assert text.startswith("usage: sdy-opt ")
    assert max(map(len, text.splitlines())) <= 100
    words = text.replace("[", " ").replace("=", " ").replace(",", " ").split()
    for option in options_of(OptArguments).values():
        for name in option.names:
            assert spelled(name) in words


def test_what_both_tools_have_is_read_by_both_alike() -> None:
    argv = [
        "-split-input-file",
        "--verify-diagnostics=only-expected",
        "--mlir-print-skip-regions",
        "--mlir-elide-resource-strings-if-larger=3",
        "--allow-unregistered-dialect",
        "in.mlir",
    ]
    here, there = parse_arguments(argv), parse_translate_arguments(argv)
    assert here.print_skip_regions
    for field in dataclasses.fields(SharedOptions):
        if field.name != "output_split_marker":
            assert getattr(here, field.name) == getattr(there, field.name), field.name


def test_the_command_line_is_read_without_mlir() -> None:
    code = (
        "import sys; from dxir.tools.arguments import parse_arguments, help_text\n"
        "parse_arguments(['-cse']); help_text()\n"
        "assert not {'jaxlib', 'numpy', 'rich', 'argparse'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
