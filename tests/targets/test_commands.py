"""`dxir targets` and `dxir can-run`."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import dxir
from dxir.targets import all_targets, find_target
from dxir.tools.main import main

NEGATE = (
    "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %r = stablehlo.negate %x : tensor<4xf32>\n  return %r : tensor<4xf32>\n}\n"
)
CHOLESKY = NEGATE.replace("4x", "4x4x").replace("negate", "cholesky")
Capture = pytest.CaptureFixture[str]


def as_process(
    *arguments: str,
    given: bytes = b"",
    folder: Path | None = None,
    environment: dict[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """The command as it is started from a shell."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "dxir.tools.main", *arguments],
        input=given,
        capture_output=True,
        check=False,
        cwd=folder,
        env=environment,
    )


def test_the_list_has_every_target_with_what_it_is(capsys: Capture) -> None:
    assert main(["targets"]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split()[:2] == ["target", "compiles"]
    rows = {line.split()[0]: line for line in lines}
    assert set(rows) == set(all_targets())
    assert rows["xla-cpu"].split()[1] == "yes"
    assert "1 MiB and more in an archive" in rows["iree-cpu"]
    assert main(["targets", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [t["name"] for t in found] == list(all_targets())


def test_one_target_is_shown_in_full(capsys: Capture) -> None:
    assert main(["targets", "iree-cpu"]) == 0
    out = capsys.readouterr().out
    installed = find_target("iree-cpu").compile is not None
    needs = "iree-cpu is described only: compiling needs IREE's compiler and runtime: pip install"
    assert (needs in out) is not installed
    inside = "  dxir-recognize{nested=true}\n  dxir-coarsen\n" * 2
    assert f"pipeline:\n  dxir-recognize\n  dxir-coarsen\n{inside}  dxir-decompose" in out
    assert "stablehlo.custom_call: IREE 3.13 has no lowering of it" in out
    assert main(["targets", "iree-cpu", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["refused_ops"]["stablehlo.custom_call"] == "IREE 3.13 has no lowering of it"
    assert found["flags"]["iree-hal-target-device"] == "local"
    assert (found["compiles_here"], found["element_types"]) == (installed, None)


def test_an_unknown_target_is_an_error_with_the_nearest(capsys: Capture, tmp_path: Path) -> None:
    module = tmp_path / "m.mlir"
    module.write_text(NEGATE)
    for arguments in (["targets", "iree_cpu"], ["can-run", str(module), "--target", "iree_cpu"]):
        assert main(arguments) == 1
        error, note = capsys.readouterr().err.splitlines()
        name = f"dxir {arguments[0]}"
        assert error == f"{name}: error: there is no target 'iree_cpu'"
        assert note.startswith(f"{name}: note: did you mean 'iree-cpu'")


def test_can_run_answers_by_its_exit_code_and_says_where(capsys: Capture, tmp_path: Path) -> None:
    module = tmp_path / "m.mlir"
    module.write_text(NEGATE)
    assert main(["can-run", str(module), "--target", "xla-cpu"]) == 0
    assert capsys.readouterr().out == "xla-cpu takes it\n"
    module.write_text(CHOLESKY)
    assert main(["can-run", str(module), "--target", "iree-cpu"]) == 0
    assert "handled by dxir-expand-ops" in capsys.readouterr().out
    module.write_text(NEGATE.replace("negate", "sine").replace("f32", "f64"))
    assert main(["can-run", str(module), "--target", "iree-cpu"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        f"{module}:2:8: error: iree-cpu cannot run stablehlo.sine: IREE 3.13 has no f64 function "
        "for it",
        "  note: convert its operands to f32",
        "iree-cpu will not take 1 thing in it",
    ]
    needs = "it does not compile here: it needs IREE's compiler and runtime: pip install"
    installed = find_target("iree-cpu").compile is not None
    assert [line.startswith(needs) for line in lines[3:]] == ([] if installed else [True])
    assert main(["can-run", str(module), "--target", "iree-cpu", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["can_run"], found["diagnostics"][0]["where"]) == (False, f"{module}:2:8")


def test_can_run_reads_standard_input_bytecode_and_artifacts() -> None:
    program = dxir.load(NEGATE)
    for data in (NEGATE.encode(), program.bytecode(), program.serialize()):
        done = as_process("can-run", "--target", "xla-cpu", given=data)
        assert (done.returncode, done.stdout) == (0, b"xla-cpu takes it\n"), done.stderr


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0\1\2\3",
        b"ML\xefR\x06StableHLO_v1.0.0\0" + bytes(range(256)),
        b"func.func @main(%x: tensor<4xf32>) {",
        b"\xff\xfe",
        b"module {" * 30_000,
        NEGATE.replace("stablehlo.negate", '"\\FF.op"').encode(),
    ],
    ids=["nothing", "bytes", "damaged", "unfinished", "no UTF-8", "deep", "a name of bytes"],
)
def test_bad_input_ends_in_an_error_and_never_in_a_crash(data: bytes, tmp_path: Path) -> None:
    module = tmp_path / "m.mlir"
    module.write_bytes(data)
    done = as_process("can-run", str(module), "--target", "xla-cpu", folder=tmp_path)
    assert done.returncode == 1
    assert b"error: " in done.stderr + done.stdout
    assert b"Traceback" not in done.stderr


def test_no_file_and_no_target_are_told() -> None:
    done = as_process("can-run", "there/is/none.mlir", "--target", "xla-cpu")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"there/is/none.mlir: error: the file cannot be read" in done.stderr
    assert as_process("can-run", "there/is/none.mlir").returncode == 2


def test_broken_packages_are_told_beside_the_list(tmp_path: Path) -> None:
    info = tmp_path / "broken-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[dxir.targets]\nbroken = not_there:T\n")
    done = as_process("targets", environment={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert done.returncode == 0
    assert b"xla-cpu" in done.stdout
    assert b"dxir targets: error: the target broken of not_there:T cannot be had" in done.stderr
