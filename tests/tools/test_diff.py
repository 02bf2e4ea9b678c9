"""`dxir-diff`: what it prints, its exit codes, folders, and what it refuses."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import dxir
from dxir.tools.diff import main

MODULE = """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.tanh %x : tensor<4x4xf32>
  %1 = call @f(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
func.func private @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
"""
RENAMED = MODULE.replace("@f", "@g")
OTHER = MODULE.replace("stablehlo.add", "stablehlo.multiply")


@pytest.fixture(name="folder")
def a_folder(tmp_path: Path) -> Path:
    for name, text in (("a", MODULE), ("renamed", RENAMED), ("other", OTHER)):
        (tmp_path / f"{name}.mlir").write_text(text)
    return tmp_path


def run(folder: Path, a: str, b: str, *options: str) -> int:
    return main([str(folder / a) if a != "-" else a, str(folder / b), *options])


def test_the_same_program_by_other_names_is_0(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(folder, "a.mlir", "renamed.mlir") == 0
    assert capsys.readouterr().out == "the same program\n  other: names of functions: @f is @g\n"
    assert run(folder, "a.mlir", "renamed.mlir", "--exact", "-q") == 1
    assert capsys.readouterr().out == ""


def test_what_differs_is_told_and_is_1(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "a.mlir", "other.mlir") == 1
    lines = capsys.readouterr().out.splitlines()
    other = folder / "other.mlir"
    assert lines[:6] == [
        f"- {folder / 'a.mlir'}",
        f"+ {other}",
        "2 functions and 2 ops differ",
        "~ @main, the same but for what it calls",
        "~ @f: 1 added, 1 removed",
        f"  - %0 = stablehlo.add %arg0, %arg0 : tensor<4x4xf32>  at {folder / 'a.mlir'}:7:8",
    ]
    assert "ops: -1 add, +1 multiply" in lines
    assert any(line.split() == ["operations", "16", "16", "same"] for line in lines)


def test_numbers_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "a.mlir", "other.mlir", "--stat") == 1
    out = capsys.readouterr().out
    assert any(
        line.split() == ["~", "@f", "2", "2", "1", "1", "0", "0"] for line in out.splitlines()
    )
    assert "stablehlo.add" not in out


def test_json_and_markdown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "a.mlir", "other.mlir", "--json") == 1
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert [f["kind"] for f in found["functions"]] == ["calls", "changed"]
    assert run(folder, "a.mlir", "other.mlir", "--markdown") == 1
    out = capsys.readouterr().out
    assert "```diff\n! @f: 1 added, 1 removed\n-   %0 = stablehlo.add" in out
    assert "| operations | 16 | 16 |  |" in out


def test_text_bytecode_and_artifacts_are_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = dxir.load(folder / "a.mlir")
    (folder / "a.mlirbc").write_bytes(program.bytecode())
    assert run(folder, "a.mlir", "a.mlirbc", "-q") == 0
    data = io.TextIOWrapper(io.BytesIO(program.serialize("1.0.0")))
    monkeypatch.setattr(sys, "stdin", data)
    assert run(folder, "-", "a.mlirbc", "-q") == 0


def test_folders_are_compared_file_by_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("before", "after"):
        (folder / name / "sub").mkdir(parents=True)
        (folder / name / "sub" / "same.mlir").write_text(MODULE)
    (folder / "before" / "m.mlir").write_text(MODULE)
    (folder / "after" / "m.mlir").write_text(OTHER)
    (folder / "before" / "gone.mlir").write_text(MODULE)
    assert run(folder, "before", "after") == 1
    out = capsys.readouterr().out
    assert out.startswith("- gone.mlir\n~ m.mlir\n")
    assert out.endswith("3 files: 1 removed, 1 different, 1 same\n")
    (folder / "after" / "gone.mlir").write_text("func.func @main(")
    assert run(folder, "before", "after", "--json") == 2
    captured = capsys.readouterr()
    files = {each["name"]: each["status"] for each in json.loads(captured.out)["files"]}
    assert files == {"gone.mlir": "failed", "m.mlir": "different", "sub/same.mlir": "same"}
    assert f"{folder / 'after' / 'gone.mlir'}:1:16" in captured.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["a.mlir"], "two modules, or two folders, are compared, and 1 was given"),
        (["a.mlir", "."], "is a folder, and"),
        (["a.mlir", "missing.mlir"], "missing.mlir"),
        (["a.mlir", "other.mlir", "--json", "-q"], "--json and -q say different things"),
        (["a.mlir", "other.mlir", "--jsn"], "did you mean --json?"),
        (["-", "-"], "the standard input is no two modules"),
        (["a.mlir", "other.mlir", "--top=0"], "'0' is not a number above 0"),
    ],
)
def test_what_cannot_be_compared_is_2(
    folder: Path,
    arguments: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder)
    assert main(arguments) == 2
    assert said in capsys.readouterr().err


def test_a_file_that_ends_the_reader_is_2(folder: Path) -> None:
    (folder / "deep.mlir").write_bytes(b"ML\xefR" + b"\xff" * 64)
    done = subprocess.run(
        [sys.executable, "-m", "dxir.tools.diff", "a.mlir", "deep.mlir"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("dxir-diff: ")
    assert "Traceback" not in done.stderr
