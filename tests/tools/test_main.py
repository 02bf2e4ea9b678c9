from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import dxir
from dxir import generate
from dxir.errors import DxirError
from dxir.op import REGISTRY
from dxir.signatures import signature
from dxir.tools.main import main


def test_ops_lists_every_op_with_its_kind_and_meaning(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ops"]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = {line.split()[0]: line for line in lines}
    assert set(rows) >= {n for n in dxir.ops.names() if n not in ("and", "or", "not")}
    assert "and_" in rows
    assert "composite" in rows["softmax"]
    assert "Sum over axes" in rows["sum"]


def test_ops_shows_one_op_with_signature_docstring_and_examples(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["ops", "and_"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("and_(x: Number, y: Number) -> Value\n")
    assert "primitive of bits; becomes `stablehlo.and`" in out
    assert "  and_(x=i1[4], y=i1[4])" in out
    assert main(["ops", "full"]) == 0
    assert "full(*, shape: Any" in capsys.readouterr().out


def test_an_unknown_op_is_an_error_with_a_note(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ops", "sofmax"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    error, note = captured.err.splitlines()
    assert error == "dxir ops: error: there is no op 'sofmax'"
    assert note.startswith("dxir ops: note: did you mean softmax")


def test_debug_raises_what_went_wrong() -> None:
    for arguments in (["--debug", "ops", "sofmax"], ["ops", "--debug", "sofmax"]):
        with pytest.raises(DxirError, match="no op 'sofmax'"):
            main(arguments)


def test_ops_are_told_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ops", "--json"]) == 0
    found = {entry["name"]: entry for entry in json.loads(capsys.readouterr().out)}
    assert len(found) == len(dxir.ops.names())
    assert found["and_"] == {
        "name": "and_",
        "kind": "primitive",
        "family": "bits",
        "signature": "and_(x: Number, y: Number) -> Value",
        "meaning": found["and_"]["meaning"],
        "operation": "stablehlo.and",
    }
    assert found["full"]["kind"] == "function"
    assert found["full"]["family"] is None
    assert main(["ops", "and_", "--json"]) == 0
    one = json.loads(capsys.readouterr().out)
    assert one.items() >= found["and_"].items()
    assert one["becomes"] == "`stablehlo.and`"
    assert "and_(x=i1[4], y=i1[4])" in one["examples"]
    assert main(["ops", "--coverage", "--json"]) == 0
    statuses = {row["operation"]: row["status"] for row in json.loads(capsys.readouterr().out)}
    assert statuses["stablehlo.add"] == "covered"


def test_the_help_imports_neither_ops_nor_mlir() -> None:
    program = (
        "import contextlib, sys\n"
        "from dxir.tools.main import main\n"
        "with contextlib.suppress(SystemExit): main(['--help'])\n"
        "assert not {'jaxlib', 'numpy', 'rich', 'dxir.op'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "dxir-opt" in done.stdout


def test_coverage_fails_only_on_a_hole(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["ops", "--coverage"]) == 0
    out = capsys.readouterr().out
    assert "0 missing" not in out
    assert " deprecated, 3 structure" in out
    monkeypatch.delitem(REGISTRY, "cbrt")
    assert main(["ops", "--coverage"]) == 1
    assert "1 missing" in capsys.readouterr().out


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    shown = capsys.readouterr().out
    assert "usage: dxir" in shown
    assert "`dxir-opt`" in shown
    assert "`dxir-translate`" in shown


def test_version_is_the_package_version(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(vars(dxir), "__version__", "9.9")
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == "dxir 9.9\n"


def test_generate_says_that_an_installed_package_has_nothing_to_write(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(generate, "__file__", str(tmp_path / "dxir" / "generate.py"))
    assert main(["generate"]) == 1
    error, note = capsys.readouterr().err.splitlines()
    assert "part of a checkout, and dxir runs from an installed package" in error
    assert "pip install -e ." in note


def test_generate_writes_and_check_compares(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "compiler").mkdir()
    monkeypatch.setattr(generate, "checkout", lambda: tmp_path)
    assert main(["generate", "--check"]) == 1
    assert capsys.readouterr().err == (
        "dxir generate: error: files are out of date\n"
        "dxir generate: note: run `dxir generate`, and commit what it writes\n"
    )
    assert not (tmp_path / "docs/ops.md").exists()
    assert main(["generate"]) == 0
    assert main(["generate", "--check"]) == 0
    assert capsys.readouterr().out.count("up to date") == len(generate.generated())
    text = (tmp_path / "docs/ops.md").read_text()
    assert "| `softmax` | `x` | `axis=-1`" in text
    stub = (tmp_path / "compiler/ops.pyi").read_text()
    compile(stub, "ops.pyi", "exec")
    assert "def and_(" in stub
    assert "-> builtins.tuple[V, V]: ..." in stub


def test_every_op_has_a_signature() -> None:
    for name in dxir.ops.names():
        assert signature(name).isprintable() or "\n" in signature(name)
    assert signature("eigh") == (
        "eigh(a: Operand, *, lower_triangle: bool = True) -> tuple[Value, Value]"
    )


def test_what_ops_prints_has_no_trailing_blanks_and_no_addresses(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for arguments in (["ops"], ["ops", "--coverage"], ["ops", "switch"], ["ops", "while_loop"]):
        assert main(arguments) == 0
        out = capsys.readouterr().out
        assert not [line for line in out.splitlines() if line != line.rstrip()]
        assert "0x" not in out
    assert "cond=lambda i, x: ..., body=lambda i, x: ...)" in out


def test_coverage_takes_no_name(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as error:
        main(["ops", "--coverage", "softmax"])
    assert error.value.code == 2
    assert "--coverage" in capsys.readouterr().err


def test_each_command_says_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    for command, words in (("generate", "Write the tables"), ("ops", "List the ops")):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        assert words in capsys.readouterr().out


def test_ops_of_a_module_are_shown_when_it_is_imported(tmp_path: Path) -> None:
    (tmp_path / "acme_ops.py").write_text(ACME, encoding="utf-8")
    command = [sys.executable, "-m", "dxir.tools.main", "ops", "acme_echo", "--import"]
    done = subprocess.run([*command, "acme_ops"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("acme_echo(x: Operand) -> Value\n\nThe same again.\n")
    assert "composite `acme.echo`" in done.stdout
    done = subprocess.run([*command, "acme_oops"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == (
        "dxir ops: error: --import=acme_oops: ModuleNotFoundError: No module named 'acme_oops'\n"
        "dxir ops: note: --debug shows where\n"
    )


ACME = """
from dxir import ops
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Composite
from dxir.types import TensorType, f32

class Echo(Composite, name="acme.echo"):
    "The same again."
    x: Value
    examples = (Example(x=f32[2]),)
    def infer(self) -> TensorType: return self.x.tensor
    def expand(self, x): return ops.abs(x)
    def reference(self, x): return abs(x)
"""
