"""dxir-opt --diagnostics-json: what is reported, as data, however the tool ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dxir.diagnostics import diagnostics_from_json
from dxir.tools.opt import main

GELU = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "dxir.gelu" %x {decomposition = @e} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @e(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
WRONG = """\
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  return %x : tensor<?x4xf32>
}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "gelu.mlir").write_text(GELU, "utf-8")
    (tmp_path / "wrong.mlir").write_text(WRONG, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def reported(*arguments: str, code: int = 0) -> list[dict[str, Any]]:
    try:
        found = main([*arguments, "--diagnostics-json=found.json", "-o", "out.mlir"])
    except SystemExit as left:
        found = int(str(left.code))
    assert found == code
    text = Path("found.json").read_text("utf-8")
    assert len(diagnostics_from_json(text)) == len(json.loads(text))
    listed: list[dict[str, Any]] = json.loads(text)
    return listed


def test_what_a_pass_says_has_code_pass_numbers_and_place() -> None:
    (found,) = reported("gelu.mlir", "--dxir-legalize-gelu")
    assert found == {
        "severity": "warning",
        "code": "GELU_APPROX_LEGALIZED",
        "message": "the exact GELU is replaced by the tanh form, as the pipeline asks: the two "
        "differ by up to 0.00048",
        "where": "gelu.mlir:2:8",
        "op": "stablehlo.composite",
        "pass": "dxir-legalize-gelu",
        "numbers": {"max_abs_error": 4.8e-4},
        "notes": [],
    }


def test_nothing_reported_is_an_empty_list() -> None:
    assert reported("gelu.mlir", "--cse") == []


def test_an_error_of_mlir_has_the_pass_and_the_op() -> None:
    arguments = ("--cse", "--stablehlo-refine-arguments=types=tensor<3xf32>")
    (found,) = reported("wrong.mlir", *arguments, code=1)
    assert (found["severity"], found["code"]) == ("error", None)
    assert found["pass"] == "stablehlo-refine-arguments"
    assert (found["op"], found["where"]) == ("func.func", "wrong.mlir:1:1")
    assert not any(n["message"].startswith("see current") for n in found["notes"])


def test_an_error_of_a_pass_follows_what_was_told_before_with_its_hint_as_a_note() -> None:
    arguments = ("--dxir-decompose=keep=a.b", "--dxir-legalize-gelu=erf=refuse")
    told, found = reported("gelu.mlir", *arguments, code=1)
    assert (told["code"], told["pass"]) == ("UNKNOWN_NAME", "dxir-decompose")
    assert (found["code"], found["pass"]) == ("UNSUPPORTED_OP", "dxir-legalize-gelu")
    assert found["where"] == "gelu.mlir:6:8"
    assert "chlo-legalize-to-stablehlo" in found["notes"][0]["message"]


def test_a_module_that_cannot_be_read_is_told_as_data() -> None:
    Path("bad.mlir").write_text("func.func @f() { foo }\n", "utf-8")
    (found,) = reported("bad.mlir", code=1)
    assert (found["severity"], found["where"]) == ("error", "bad.mlir:1:18")
    assert [n["severity"] for n in found["notes"]] == ["note"]


def test_a_mistake_on_the_command_line_is_told_as_data() -> None:
    (found,) = reported("gelu.mlir", "--dxir-legalise-gelu", code=1)
    assert found["code"] == "DXIR_ERROR"
    assert "did you mean --dxir-legalize-gelu" in found["notes"][0]["message"]


def test_parts_of_a_file_are_told_together_and_verbosity_holds() -> None:
    Path("two.mlir").write_text(f"{GELU}// -----\n{GELU}", "utf-8")
    found = reported("two.mlir", "--split-input-file", "--dxir-legalize-gelu")
    assert [d["where"] for d in found] == ["two.mlir:2:8", "two.mlir:11:8"]
    quiet = "--mlir-diagnostic-verbosity-level=errors"
    assert reported("two.mlir", "--split-input-file", "--dxir-legalize-gelu", quiet) == []


def test_a_file_that_cannot_be_written_is_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    try:
        code = main(["gelu.mlir", "--diagnostics-json=none/found.json"])
    except SystemExit as left:
        code = int(str(left.code))
    assert code == 1
    assert "--diagnostics-json: the file cannot be written" in capfd.readouterr().err
