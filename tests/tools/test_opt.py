"""dxir-opt: what it reads, runs and writes, and how it fails."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dxir.tools.opt import main

TEXT = """\
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.square %a : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
LEGAL = """\
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

"""
DYNAMIC = "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }\n"
FAILS = "--stablehlo-refine-arguments=types=tensor<3x3xf32>"
Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "in.mlir").write_text(TEXT, "utf-8")
    (tmp_path / "dynamic.mlir").write_text(DYNAMIC, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def tool(*arguments: str, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The tool as users run it, in processes of its own."""
    return subprocess.run(
        [sys.executable, "-m", "dxir.tools.opt", *arguments],
        input=data,
        capture_output=True,
        timeout=120,
    )


def test_passes_run_in_the_order_of_their_flags(capfd: Captured) -> None:
    assert main(["in.mlir", "--cse", "-chlo-legalize-to-stablehlo", "--canonicalize"]) == 0
    assert capfd.readouterr().out == LEGAL


def test_a_pipeline_is_nested_by_itself(capfd: Captured) -> None:
    assert main(["in.mlir", "--pass-pipeline=cse,chlo-legalize-to-stablehlo"]) == 0
    assert capfd.readouterr().out == LEGAL


def test_standard_input_is_read_and_named_in_messages() -> None:
    done = tool("--chlo-legalize-to-stablehlo", data=TEXT.encode())
    assert (done.returncode, done.stdout.decode()) == (0, LEGAL)
    done = tool("-", data=b"func.func @f( {\n}")
    assert done.returncode == 1
    assert done.stderr.startswith(b"<stdin>:1:")
    assert b"^" in done.stderr


def test_bytecode_and_artifacts_are_read_like_text(folder: Path, capfd: Captured) -> None:
    assert main(["in.mlir", "--emit-bytecode", "-o", "out.mlirbc"]) == 0
    assert (folder / "out.mlirbc").read_bytes().startswith(b"ML\xefR")
    assert main(["out.mlirbc", "--chlo-legalize-to-stablehlo"]) == 0
    assert capfd.readouterr().out == LEGAL


def test_a_failure_leaves_the_output_file_as_it_was(folder: Path) -> None:
    (folder / "out.mlir").write_text("kept", "utf-8")
    assert main(["dynamic.mlir", FAILS, "-o", "out.mlir"]) == 1
    assert (folder / "out.mlir").read_text("utf-8") == "kept"
    assert sorted(p.name for p in folder.iterdir()) == ["dynamic.mlir", "in.mlir", "out.mlir"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.mlir"], "cannot open input file 'missing.mlir'"),
        (["in.mlir", "--canonicalise"], "did you mean --canonicalize?"),
        (["in.mlir", "--pass-pipeline=cse,nope"], "there is no pass called 'nope'"),
        (["in.mlir", "--cse", "--pass-pipeline=cse"], "can't be used with individual pass options"),
        (["in.mlir", "--canonicalize=max-iteration=3"], "no such option max-iteration"),
        (["in.mlir", "--dxir-decompose=kep=a"], "no option 'kep'"),
        (["in.mlir", "-o", "no/such/folder/x"], "the output cannot be written"),
        (["in.mlir", "--run-reproducer"], "the file holds no reproducer"),
        (["in.mlir", "--import=no_such_module_here"], "--import=no_such_module_here"),
    ],
)
def test_a_wrong_command_line_is_an_error_that_names_it(
    arguments: list[str], message: str, capfd: Captured
) -> None:
    assert main(arguments) == 1
    captured = capfd.readouterr()
    assert message in captured.err
    assert "Traceback" not in captured.err


def test_a_pass_that_fails_is_named_after_what_mlir_says(capfd: Captured) -> None:
    assert main(["dynamic.mlir", "--cse", FAILS]) == 1
    error = capfd.readouterr().err
    assert error.startswith("dynamic.mlir:1:1: error: 'func.func' op invalid refinement")
    assert error.endswith("dxir-opt: error: the pass stablehlo-refine-arguments failed\n")


def test_a_reproducer_of_a_failure_fails_alike(folder: Path, capfd: Captured) -> None:
    flag = "--mlir-pass-pipeline-crash-reproducer=crash.mlir"
    assert main(["dynamic.mlir", "--cse", FAILS, flag]) == 1
    assert "reproducer generated at `crash.mlir`" in capfd.readouterr().err
    kept = (folder / "crash.mlir").read_text("utf-8")
    assert (
        'pipeline: "builtin.module(cse,stablehlo-refine-arguments{types=tensor<3x3xf32>})"' in kept
    )
    assert main(["crash.mlir", "--run-reproducer"]) == 1
    assert "invalid refinement" in capfd.readouterr().err
    assert (
        main(["dynamic.mlir", "--cse", FAILS, flag, "--mlir-pass-pipeline-local-reproducer"]) == 1
    )
    assert "(cse" not in (folder / "crash.mlir").read_text("utf-8")


def test_no_reproducer_is_left_when_nothing_fails(folder: Path) -> None:
    assert main(["in.mlir", "--cse", "--mlir-pass-pipeline-crash-reproducer=crash.mlir"]) == 0
    assert not (folder / "crash.mlir").exists()


def test_bisect_finds_the_pass_and_writes_the_module_before_it(
    folder: Path, capfd: Captured
) -> None:
    passes = ["--cse", "--symbol-dce", "--chlo-legalize-to-stablehlo", "--canonicalize"]
    assert main(["in.mlir", *passes, "--bisect=grep -q chlo {}", "-o", "found.mlir"]) == 0
    said = capfd.readouterr().err
    assert "fails after pass 3 of 4: builtin.module(func.func(chlo-legalize-to-stablehlo))" in said
    assert main(["found.mlir", "--run-reproducer"]) == 0
    assert capfd.readouterr().out == LEGAL


@pytest.mark.parametrize(
    ("command", "code", "message"),
    [
        ("true", 0, "passes after each of the 1 passes"),
        ("false", 1, "the check fails on the input"),
        ("no-such-program-here", 1, "no-such-program-here cannot be run"),
        ("", 1, "the command is empty"),
        ("'", 1, "is not well-formed"),
    ],
)
def test_bisect_says_what_it_cannot_find(
    command: str, code: int, message: str, capfd: Captured
) -> None:
    assert main(["in.mlir", "--cse", f"--bisect={command}"]) == code
    assert message in capfd.readouterr().err


def test_parts_of_a_file_are_processed_one_by_one(folder: Path, capfd: Captured) -> None:
    parts = [TEXT, "func.func @bad( {}\n", "func.func @last() { return }\n"]
    (folder / "parts.mlir").write_text("// -----\n".join(parts), "utf-8")
    assert main(["parts.mlir", "--split-input-file", "--chlo-legalize-to-stablehlo"]) == 1
    captured = capfd.readouterr()
    assert captured.out.startswith(LEGAL + "// -----\n")
    assert "func.func @last()" in captured.out
    assert captured.err.startswith("parts.mlir:6:")


def test_times_and_statistics_are_reported(capfd: Captured) -> None:
    assert main(["in.mlir", "--cse", "--mlir-timing", "--mlir-pass-statistics"]) == 0
    said = capfd.readouterr().err
    assert "... Execution time report ..." in said
    assert "... Pass statistics report ..." in said
    assert "(S) 3 ops before" in said


def test_a_pass_of_a_users_module_is_found(folder: Path, capfd: Captured) -> None:
    (folder / "acme_passes.py").write_text(
        "from dxir.pipeline.base import Pass\n"
        "class Mark(Pass, name='acme-mark'):\n"
        "    '''Marks the module.'''\n"
        "    def run(self, module):\n"
        "        from dxir.mlir import ir\n"
        "        module.operation.attributes['acme.mark'] = ir.UnitAttr.get()\n"
        "        return True\n",
        "utf-8",
    )
    done = tool("in.mlir", "--import=acme_passes", "--acme-mark")
    assert done.returncode == 0, done.stderr
    assert b"module attributes {acme.mark}" in done.stdout


@pytest.mark.parametrize(
    ("flavour", "known", "unknown"),
    [
        ("dxir", {"sdy", "mpmd", "interpreter"}, set[str]()),
        ("stablehlo", {"interpreter", "stablehlo"}, {"sdy", "mpmd"}),
        ("sdy", {"sdy"}, {"mpmd", "interpreter"}),
        ("mlir", {"func"}, {"sdy", "mpmd", "interpreter"}),
    ],
)
def test_a_flavour_knows_the_dialects_of_its_tool(
    flavour: str, known: set[str], unknown: set[str], capfd: Captured
) -> None:
    assert main(["--show-dialects", f"--flavour={flavour}"]) == 0
    listed = set(capfd.readouterr().out.removeprefix("Available Dialects: ").strip().split(","))
    assert known <= listed
    assert not unknown & listed


def test_a_dialect_that_the_flavour_leaves_out_is_told(folder: Path, capfd: Captured) -> None:
    (folder / "mesh.mlir").write_text('sdy.mesh @mesh = <["x"=2]>\n', "utf-8")
    assert main(["mesh.mlir", "--flavour=stablehlo"]) == 1
    assert "the flavour stablehlo leaves out sdy; --flavour=dxir knows it" in capfd.readouterr().err
    assert main(["mesh.mlir"]) == 0


def test_a_runaway_pass_is_stopped_by_its_budget(capfd: Captured) -> None:
    code = main(["in.mlir", "--chlo-legalize-to-stablehlo", "--pass-budget=growth=0.5"])
    assert code == 1
    assert "more than 0.5 times as many" in capfd.readouterr().err


def test_the_tool_ends_when_its_time_is_over(folder: Path) -> None:
    (folder / "acme_slow.py").write_text(
        "import time\n"
        "from dxir.pipeline.base import Pass\n"
        "class Slow(Pass, name='acme-slow'):\n"
        "    '''Takes long.'''\n"
        "    def run(self, module):\n"
        "        time.sleep(60)\n"
        "        return False\n",
        "utf-8",
    )
    done = tool("in.mlir", "--import=acme_slow", "--acme-slow", "--timeout=2")
    assert done.returncode == 1
    assert b"the pass acme-slow on in.mlir did not end in time" in done.stderr


def test_a_pass_that_kills_the_process_is_an_error(folder: Path) -> None:
    (folder / "acme_crash.py").write_text(
        "import os\n"
        "from dxir.pipeline.base import Pass\n"
        "class Crash(Pass, name='acme-crash'):\n"
        "    '''Crashes.'''\n"
        "    def run(self, module):\n"
        "        os.abort()\n",
        "utf-8",
    )
    reproducer = "--mlir-pass-pipeline-crash-reproducer=crash.mlir"
    done = tool("in.mlir", "--import=acme_crash", "--cse", "--acme-crash", reproducer)
    assert done.returncode == 1
    assert b"the pass acme-crash on in.mlir ended the process with SIGABRT" in done.stderr
    assert "acme-crash" in (folder / "crash.mlir").read_text("utf-8")


def test_nothing_is_written_to_a_closed_pipe_with_a_traceback() -> None:
    command = f"{sys.executable} -m dxir.tools.opt in.mlir | true"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=120)
    assert "Traceback" not in done.stderr


def test_bytecode_is_not_written_to_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["in.mlir", "--emit-bytecode"]) == 1


def test_a_device_can_be_the_output() -> None:
    assert main(["in.mlir", "-o", os.devnull]) == 0
