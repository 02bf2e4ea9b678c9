from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import dxir
from dxir.errors import DxirError
from dxir.tools.reduce import main
from dxir.tools.reduce_arguments import help_text, parse_arguments

MODULE = """\
func.func @main(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.add %x, %y : tensor<8x4xf32>
  %1 = stablehlo.cosine %0 : tensor<8x4xf32>
  %2 = call @f(%1) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}
func.func private @f(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.tanh %x : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
"""
SMALL = """\
module {
  func.func @main(%arg0: tensor<1x1xf32>) -> tensor<1x1xf32> {
    %0 = stablehlo.tanh %arg0 : tensor<1x1xf32>
    return %0 : tensor<1x1xf32>
  }
}
"""
HAS_TANH = "import sys; sys.stderr.write('bad'); sys.exit(7 * ('tanh' in open(sys.argv[1]).read()))"
COMMAND = ["--", sys.executable, "-c", HAS_TANH, "{}"]


@pytest.fixture
def module(tmp_path: Path) -> str:
    path = tmp_path / "module.mlir"
    path.write_text(MODULE)
    return str(path)


def test_a_module_shrinks_while_the_command_fails(
    module: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "small.mlir"
    assert main([module, f"--out={out}", "--jobs=2", *COMMAND]) == 0
    assert out.read_text() == SMALL
    shown = capfd.readouterr()
    assert shown.out == ""
    assert "1 op, 1 function, " in shown.err
    assert "dxir-reduce: ops 4 -> 1, functions 2 -> 1, bytes " in shown.err
    assert [path.name for path in tmp_path.iterdir()] == ["module.mlir", "small.mlir"]


@pytest.mark.parametrize(
    "how",
    [
        ["--exit-code=7"],
        ["--stderr-matches=^b.d$"],
        ["--exit-code", "7", "--stderr-matches", "bad"],
        ["--timeout=100"],
    ],
)
def test_without_a_file_the_module_goes_to_standard_output(
    module: str, how: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert main([module, "-q", *how, *COMMAND]) == 0
    assert capfd.readouterr() == (SMALL, "")


def test_a_script_may_say_that_a_module_is_interesting_by_exit_code_zero(
    module: str, capfd: pytest.CaptureFixture[str]
) -> None:
    code = "import sys; sys.exit('tanh' not in open(sys.argv[1]).read())"
    assert main([module, "-q", "--interesting-if=zero", "--", sys.executable, "-c", code]) == 0
    assert capfd.readouterr() == (SMALL, "")


def test_a_module_shrinks_while_backends_differ(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "module.mlir"
    path.write_text("""
    func.func @main(%x: tensor<1000xf32>, %y: tensor<1000xf32>) -> tensor<f32> {
      %k = stablehlo.constant dense<7.0> : tensor<f32>
      %0 = stablehlo.add %x, %y : tensor<1000xf32>
      %1 = stablehlo.tanh %0 : tensor<1000xf32>
      %2 = stablehlo.reduce(%1 init: %k) applies stablehlo.add across dimensions = [0]
          : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
      %3 = stablehlo.negate %2 : tensor<f32>
      return %3 : tensor<f32>
    }
    """)
    assert main([str(path), "-q", "--compare=xla-cpu,reference"]) == 0
    counts = dxir.load(capfd.readouterr().out).op_counts()
    assert "stablehlo.reduce" in counts
    assert not counts.keys() & {"stablehlo.tanh", "stablehlo.negate"}


def error_of(argv: list[str], capfd: pytest.CaptureFixture[str]) -> str:
    assert main(argv) == 1
    shown = capfd.readouterr()
    assert shown.out == ""
    assert "Traceback" not in shown.err
    return shown.err


def test_a_module_on_which_the_command_does_not_fail_is_an_error(
    module: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "small.mlir"
    failing = [sys.executable, "-c", "import sys; sys.exit('ValueError: it is wrong')"]
    said = error_of([module, f"--out={out}", "--exit-code=3", "--", *failing], capfd)
    assert f"dxir-reduce: {module}: error: the module is not interesting: " in said
    assert (
        "ended with exit code 1, having said: ValueError: it is wrong; wanted is exit code 3"
        in said
    )
    assert not out.exists()
    said = error_of([module, "--", sys.executable, "-c", "pass"], capfd)
    assert "exit code 0 and said nothing; wanted is an exit code other than 0" in said


def test_what_cannot_be_run_or_written_is_an_error(
    module: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert "no-such-tool cannot be run" in error_of([module, "--", "no-such-tool"], capfd)
    out = tmp_path / "nowhere" / "small.mlir"
    assert "the output cannot be written" in error_of([module, f"--out={out}", *COMMAND], capfd)


def test_what_is_no_valid_module_is_an_error_at_its_place(
    module: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    Path(module).write_text(MODULE.replace("stablehlo.tanh", "stablehlo.tahn"))
    assert f"{module}:8:8: error: " in error_of([module, *COMMAND], capfd)
    Path(module).write_text(MODULE.replace("%1) : (tensor<8x4xf32>)", "%1) : (tensor<8x4xf64>)"))
    assert f"{module}:4:" in error_of([module, *COMMAND], capfd)
    absent = str(tmp_path / "absent.mlir")
    assert "cannot open input file" in error_of([absent, *COMMAND], capfd)


def test_backends_that_agree_are_an_error(module: str, capfd: pytest.CaptureFixture[str]) -> None:
    said = error_of([module, "--compare=xla-cpu,reference"], capfd)
    assert "xla-cpu and reference do not differ on the module" in said
    assert "no backend 'tpu'" in error_of([module, "--compare=tpu,reference"], capfd)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ([], "there is no command"),
        (["a.mlir", "--"], "there is no command"),
        (["a.mlir", "b.mlir", "--", "x"], "Too many positional arguments"),
        (["a.mlir", "--compare=a,b", "--", "x"], "cannot be given together"),
        (["a.mlir", "--compare=a,b", "--exit-code=1"], "about a command"),
        (["a.mlir", "--stderr-matches=(", "--", "x"], "no regular expression"),
        (["a.mlir", "--jobs=0", "--", "x"], "not a number above 0"),
        (["a.mlir", "--interesting-if=one", "--", "x"], "one of failure and zero"),
        (["a.mlir", "--interesting-if=zero", "--exit-code=1", "--", "x"], "together"),
        (["a.mlir", "--job=2", "--", "x"], "Unknown command line argument '--job'"),
    ],
)
def test_a_command_line_that_makes_no_sense_is_refused(argv: list[str], message: str) -> None:
    with pytest.raises(DxirError, match=message):
        parse_arguments(argv)


def test_what_follows_two_dashes_is_the_command() -> None:
    arguments = parse_arguments(["-j", "3", "a.mlir", "--", "tool", "--jobs=5", "--", "{}"])
    assert arguments.input == "a.mlir"
    assert arguments.jobs == 3
    assert arguments.command == ("tool", "--jobs=5", "--", "{}")


def test_help_names_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert shown == help_text()
    for option in ("--out=FILE", "--time-limit=", "--jobs=N", "--stderr-matches=", "--compare="):
        assert option in shown


def test_when_time_is_over_the_smallest_module_so_far_is_there(
    module: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "small.mlir"
    assert main([module, f"--out={out}", "--time-limit=0.001", *COMMAND]) == 0
    assert "note: --time-limit ended the search" in capfd.readouterr().err
    assert dxir.load(out).op_counts() == dxir.load(module).op_counts()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(("signal", "code"), [("INT", 130), ("TERM", 143)])
def test_a_signal_leaves_the_smallest_module_so_far(
    module: str, tmp_path: Path, signal: str, code: int
) -> None:
    out, count = tmp_path / "small.mlir", tmp_path / "count"
    # On the third module that it is given, the command asks its parent, the tool, to stop.
    script = (
        f"echo >> {count}; if test $(wc -l < {count}) -gt 2; "
        f"then kill -{signal} $PPID; cat /dev/zero > /dev/null; fi; exit 1"
    )
    words = [sys.executable, "-m", "dxir.tools.reduce", module, f"--out={out}"]
    done = subprocess.run(
        [*words, "--", "sh", "-c", script], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == code
    assert "note: a signal ended the search" in done.stderr
    assert dxir.load(out).op_counts() == dxir.load(module).op_counts()
    assert len(count.read_text()) == 3
