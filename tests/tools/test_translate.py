from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dxir
from dxir.errors import DxirError
from dxir.tools.interpreting import arguments_of
from dxir.tools.tensor_text import result_text, tensor_text
from dxir.tools.translate import main
from dxir.tools.translate_arguments import help_text, parse_arguments

ADD = """\
func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %arg0, %arg0 : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""


@pytest.fixture
def add(tmp_path: Path) -> Path:
    path = tmp_path / "add.mlir"
    path.write_text(ADD)
    return path


def test_help_names_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert shown == help_text()
    for option in ("--serialize", "--interpret", "--info", "--target=VERSION", "--args="):
        assert option in shown
    assert max(map(len, shown.splitlines())) <= 100


def test_both_spellings_of_an_option_are_one(add: Path) -> None:
    assert parse_arguments(["-serialize", "-target", "1.0.0", str(add)]) == parse_arguments(
        ["--serialize", "--target=1.0.0", str(add)]
    )


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--serialize", "--info"], "--serialize and --info cannot be given together"),
        (["--interpret", "--emit=text"], "--interpret and --emit cannot be given together"),
        (["a", "b"], "One input file is read, not 'a', 'b'"),
        (["--interprett"], "Unknown command line argument '--interprett'"),
        (["--serialize", "--target=2"], "'2' is not a version of StableHLO"),
        (["--timeout=0"], "'0' is not a number above 0"),
        (["--json"], "--json has a meaning with --info only"),
        (["--info", "--args=[]"], "--args has a meaning with --interpret only"),
        (["--timeout=3"], "--timeout has a meaning with --interpret only"),
        (["--target=1.0.0"], "--target has a meaning with --serialize or --emit=artifact only"),
    ],
)
def test_a_wrong_command_line_is_one_error(
    argv: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("dxir-translate: error: ")
    assert message in captured.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[dense<[1, 2]> : tensor<3xi32>]", "at column 2: inferred shape of elements literal"),
        ("[dense<1> : tensor<3xi32>", "at column 25: expected ',' or ']'"),
        ("[dense<1> : tensor<2xi32>,\n 1 :]", "at line 2, column 5: expected"),
        ("1 : i32", "expected array attribute string for args"),
    ],
)
def test_args_that_are_not_as_they_must_be_are_told_in_mlirs_words(text: str, message: str) -> None:
    with pytest.raises(DxirError) as told:
        arguments_of(text)
    assert message in told.value.message


def test_binary_output_goes_to_files_whole(add: Path, tmp_path: Path) -> None:
    for form in ("artifact", "bytecode", "text"):
        out = tmp_path / form
        assert main([str(add), f"--emit={form}", "-o", str(out)]) == 0
        assert dxir.load(out).fingerprint() == dxir.load(add).fingerprint()
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "add.mlir",
        "artifact",
        "bytecode",
        "text",
    ]


def test_binary_is_not_written_to_a_terminal(
    add: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert main([str(add), "--serialize"]) == 1
    assert "not written to a terminal" in capsys.readouterr().err


def test_nothing_is_written_when_it_fails(tmp_path: Path, add: Path) -> None:
    out = tmp_path / "out"
    add.write_text(ADD.replace("stablehlo.add", "stablehlo.ad"))
    assert main([str(add), "--serialize", "-o", str(out)]) == 1
    assert not out.exists()


def test_a_version_that_is_too_old_for_a_feature_is_told_at_its_place(
    add: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add.write_text(ADD.replace("f32", "f8E3M4"))
    assert main([str(add), "--serialize", "--target=1.0.0"]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"{add}:1:1: error: the program cannot be written as StableHLO 1.0.0: ")
    assert "f8E3M4 needs at least 1.7.0" in said


def test_a_composite_that_no_older_version_holds_is_to_be_expanded_first(
    add: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add.write_text(
        ADD.replace(
            "stablehlo.add %arg0, %arg0 :", 'stablehlo.composite "a.b" %arg0 {decomposition = @f} :'
        ).replace(": tensor<2xf32>\n  return", ": (tensor<2xf32>) -> tensor<2xf32>\n  return")
        + ADD.replace("@main", "private @f")
    )
    assert main([str(add), "--serialize", "--target=0.14.0", "--expand"]) == 1
    said = capsys.readouterr().err
    assert "the op stablehlo.composite needs at least" in said
    assert "dxir-opt --dxir-decompose" in said
    assert "--expand" not in said


def test_the_json_of_several_modules_is_one_list(
    add: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add.write_text(ADD + "// -----\nfunc.func @bad(\n// -----\n" + ADD)
    assert main([str(add), "--info", "--json", "--split-input-file"]) == 1
    first, lost, last = json.loads(capsys.readouterr().out)
    assert lost is None
    assert first["ops"] == last["ops"]


def test_the_folder_of_probes_is_made_before_anything_runs(
    add: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argument = "--args=[dense<1.0> : tensor<2xf32>]"
    folder = tmp_path / "new" / "probes"
    assert main([str(add), "--interpret", argument, f"--probe-output-dir={folder}"]) == 0
    assert folder.is_dir()
    capsys.readouterr()
    assert main([str(add), "--interpret", argument, f"--probe-output-dir={add}"]) == 1
    captured = capsys.readouterr()
    assert "the folder cannot be made" in captured.err
    assert captured.out == ""


def test_other_dialects_are_kept_on_request(tmp_path: Path, add: Path) -> None:
    add.write_text(ADD.replace("stablehlo.add %arg0, %arg0 :", "chlo.square %arg0 :").replace(
        "square %arg0 : tensor<2xf32>", "square %arg0 : tensor<2xf32> -> tensor<2xf32>"
    ))  # fmt: skip
    for flags, has_chlo in (([], False), (["--allow-other-dialects"], True)):
        out = tmp_path / "out"
        assert main([str(add), "--serialize", "-o", str(out), *flags]) == 0
        assert ("chlo.square" in dxir.load(out).op_counts()) == has_chlo


def test_info_is_the_same_for_text_bytecode_and_artifact(
    add: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found: list[dict[str, Any]] = []
    for form in ("text", "bytecode", "artifact"):
        out = tmp_path / form
        assert main([str(add), f"--emit={form}", "-o", str(out)]) == 0
        assert main([str(out), "--info", "--json"]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert [info["kind"] for info in found] == ["text", "bytecode", "portable artifact"]
    for info in found:
        assert info["ops"] == {"func.func": 1, "func.return": 1, "stablehlo.add": 1}
        assert info["needs"]["version"] == "0.9.0"
        assert info["functions"][0]["parameters"] == ["tensor<2xf32>"]
    assert found[2]["artifact_version"] == found[2]["current_version"]


def test_info_tells_what_keeps_a_module_from_being_written(
    add: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add.write_text("func.func @main() attributes {a.b = array<i32: 1>} { return }")
    assert main([str(add), "--info"]) == 0
    assert "no version holds it: the attribute a.b of func.func" in capsys.readouterr().out


def test_expected_diagnostics_hold_for_what_the_interpreter_says(
    add: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (
        "func.func @main() {\n"
        "  %0 = stablehlo.constant dense<1> : tensor<i32>\n"
        "  // expected-error @+1 {{1 (actual) vs 2 (expected)}}\n"
        "  check.expect_eq_const %0, dense<2> : tensor<i32>\n"
        "  return\n}\n"
    )
    add.write_text(text)
    assert main([str(add), "--interpret", "--verify-diagnostics"]) == 0
    add.write_text(text.replace("dense<2>", "dense<1>"))
    assert main([str(add), "--interpret", "--verify-diagnostics"]) == 1
    assert "was not produced" in capsys.readouterr().err


def test_debug_raises_what_went_wrong(add: Path) -> None:
    with pytest.raises(dxir.errors.DxirError):
        main([str(add), "--interpret", "--debug"])


def test_arguments_of_every_kind_are_read(tmp_path: Path) -> None:
    text = (
        "[dense<1> : tensor<2xi32>, dense<[true, false]> : tensor<2xi1>, "
        "dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>, dense<1.5> : tensor<bf16>, "
        "dense<[-3, 2]> : tensor<2xi4>, dense<[0x7FC00000, 1.0]> : tensor<2xf32>]"
    )
    path = tmp_path / "args"
    path.write_text(text)
    for found in (arguments_of(text), arguments_of(f"@{path}")):
        assert [a.dtype.name for a in found] == [
            *("int32", "bool", "complex64", "bfloat16", "int4", "float32")
        ]
        assert found[0].tolist() == [1, 1]
        assert found[1].tolist() == [True, False]
        assert found[2].tolist() == [1 + 2j, 1 + 2j]
        assert found[4].astype(int).tolist() == [-3, 2]
    np.save(tmp_path / "a.npy", np.arange(3))
    assert arguments_of(f"@{tmp_path}/a.npy")[0].tolist() == [0, 1, 2]


def test_large_tensors_print_number_by_number() -> None:
    text = tensor_text(np.arange(300, dtype=np.float32) / 3)
    assert text.startswith("tensor<300xf32> {\n  [0.000000e+00, 0.333333343, 0.666666686, ")
    assert text.count(", ") == 299
    assert result_text((None, np.int32(3))) == "tuple {\ntoken\ntensor<i32> {3}\n}"


@pytest.mark.slow
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0\1\2",
        b"ML\xefR",
        b"ML\xefR\x00garbage",
        b"module {",
        b'"a.b"() : () -> ()',
        b"\xff",
    ],
)
@pytest.mark.parametrize("flags", [["--interpret"], ["--serialize"], ["--info"], []])
def test_garbage_is_an_error_and_no_crash(data: bytes, flags: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "dxir.tools.translate", *flags],
        input=data,
        capture_output=True,
        check=False,
    )
    assert done.returncode in ((0, 1) if not data else (1,))
    assert b"Traceback" not in done.stderr
    if done.returncode:
        assert b"error: " in done.stderr


def test_a_module_from_standard_input_is_called_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Input:
        buffer = io.BytesIO(b"func.func @main() { return %x : f32 }")

    monkeypatch.setattr(sys, "stdin", Input())
    assert main(["-"]) == 1
    assert capsys.readouterr().err.startswith("<stdin>:1:")
