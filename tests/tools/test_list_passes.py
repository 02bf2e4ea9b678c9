"""`dxir passes`: what it lists, and what it shows of one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from dxir.pipeline.base import all_passes
from dxir.pipeline.native import native_passes
from dxir.pipeline.steps import all_aliases
from dxir.tools.main import main


def rows(out: str) -> dict[str, str]:
    return {line.split()[0]: line for line in out.splitlines()[1:]}


def test_every_pass_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["passes"]) == 0
    found = rows(capsys.readouterr().out)
    assert set(found) == {*all_passes(), *all_aliases(), *native_passes()}
    line = found["dxir-decompose"]
    assert line.split("builtin.module")[1].strip() == (
        "Expand composites, or keep them or call kernels, as a target has it."
    )
    assert "max-iterations=10" in found["canonicalize"]
    assert found["chlo-legalize-to-stablehlo"].split()[1:] == ["native", "func.func"]
    assert found["sdy-propagation-pipeline"].split()[1:] == ["native", "pipeline", "builtin.module"]
    assert found["stablehlo-deserialize"].split()[1] == "pipeline"


def test_ours_and_native_ones_can_be_listed_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["passes", "--ours"]) == 0
    assert set(rows(capsys.readouterr().out)) == {*all_passes(), *all_aliases()}
    assert main(["passes", "--native"]) == 0
    assert set(rows(capsys.readouterr().out)) == set(native_passes())
    with pytest.raises(SystemExit):
        main(["passes", "--native", "--ours"])
    assert "not allowed with" in capsys.readouterr().err


def test_a_pass_is_shown_with_its_options_and_how_to_run_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["passes", "dxir-externalize-constants"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("dxir-externalize-constants: pass, runs on the module\n")
    assert "min-bytes=int " in out
    assert "constants of fewer bytes stay in the module (default 1024)\n" in out
    assert "form=argument|custom-call|iree" in out
    assert "Splats stay inline" in out
    assert out.endswith("dxir-opt file.mlir --dxir-externalize-constants='option=value'\n")


def test_native_passes_and_pipelines_are_shown_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["passes", "canonicalize"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("canonicalize: native, runs on ops of any kind\n")
    assert "\n  max-iterations=10\n" in out
    assert main(["passes", "symbol-dce"]) == 0
    assert capsys.readouterr().out.endswith("dxir-opt file.mlir --symbol-dce\n")
    assert main(["passes", "stablehlo-deserialize"]) == 0
    assert "\nstands for vhlo-to-version{target=" in capsys.readouterr().out


def test_json_has_types_defaults_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["passes", "--json"]) == 0
    found = {entry["name"]: entry for entry in json.loads(capsys.readouterr().out)}
    assert set(found) == {*all_passes(), *all_aliases(), *native_passes()}
    options = found["dxir-decompose"]["options"]
    assert [o["name"] for o in options] == ["keep", "only", "target", "kernels"]
    assert options[0] == {
        "name": "keep",
        "type": "str,...",
        "default": "",
        "help": "names of composites to leave as they are",
    }
    assert found["chlo-legalize-to-stablehlo"]["anchor"] == "func.func"
    assert main(["passes", "cse", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "name": "cse",
        "kind": "native",
        "anchor": "any",
        "options": [],
    }
    native = {o["name"]: o for o in found["canonicalize"]["options"]}
    assert native["max-iterations"] == {
        "name": "max-iterations",
        "type": "int",
        "default": "10",
        "help": "",
    }
    assert native["top-down"]["type"] == "bool"
    assert native["region-simplify"]["type"] is None
    texts = {o["name"]: o["default"] for o in found["dxir-externalize-constants"]["options"]}
    assert texts["file"] == ""
    assert texts["min-bytes"] == "1024"


def test_an_unknown_pass_is_an_error_with_a_note(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["passes", "canonicalise"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    error, note = captured.err.splitlines()
    assert error == "dxir passes: error: there is no pass 'canonicalise'"
    assert note.startswith("dxir passes: note: did you mean canonicalize")


def test_passes_of_a_module_are_listed_when_it_is_imported(tmp_path: Path) -> None:
    (tmp_path / "acme_listed.py").write_text(ACME, encoding="utf-8")
    command = [sys.executable, "-m", "dxir.tools.main", "passes", "--ours"]
    done = subprocess.run(
        [*command, "--import=acme_listed"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert rows(done.stdout)["acme-listed"].endswith("Does nothing.")


ACME = """
from dxir.pipeline.base import Pass, option

class Listed(Pass, name="acme-listed"):
    "Does nothing."
    depth: int = option("how deep", default=3)
    def run(self, module): return False
"""
