"""The example of a target in a package of its own, as it is once the package is installed."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "examples" / "target_plugin"
SOFTMAX = """
func.func @main(%x: tensor<4x2000xf32>) -> tensor<4x2000xf32> {
  %0 = stablehlo.composite "dxir.softmax" %x {
      composite_attributes = {axis = 1 : i64, masked = false}, decomposition = @f,
      version = 1 : i32} : (tensor<4x2000xf32>) -> tensor<4x2000xf32>
  return %0 : tensor<4x2000xf32>
}
func.func private @f(%x: tensor<4x2000xf32>) -> tensor<4x2000xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1]
      : (tensor<4x2000xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<4xf32>) -> tensor<4x2000xf32>
  %2 = stablehlo.subtract %x, %1 : tensor<4x2000xf32>
  %3 = stablehlo.exponential %2 : tensor<4x2000xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<4x2000xf32>, tensor<f32>) -> tensor<4xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xf32>) -> tensor<4x2000xf32>
  %6 = stablehlo.divide %3, %5 : tensor<4x2000xf32>
  return %6 : tensor<4x2000xf32>
}
"""
NARROW = SOFTMAX.replace("4x2000", "4x100")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process that finds the package as an installer would have left it."""
    folder = tmp_path_factory.mktemp("installed")
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text("utf-8"))["project"]
    shutil.copytree(PACKAGE / "loom_target", folder / "loom_target")
    info = folder / f"loom_target-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    (group, entries), *_ = project["entry-points"].items()
    points = "".join(f"{name} = {value}\n" for name, value in entries.items())
    (info / "entry_points.txt").write_text(f"[{group}]\n{points}")
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "COLUMNS": "200"}


def run(installed: dict[str, str], *arguments: str, given: str = "") -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-P", *arguments],
        input=given,
        capture_output=True,
        encoding="utf-8",
        env={**installed, "PYTHONUTF8": "1"},
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_the_package_is_listed_among_the_targets(installed: dict[str, str]) -> None:
    code, out = run(installed, "-m", "dxir.tools.main", "targets")
    assert (code, "a made-up accelerator" in out) == (0, True), out
    code, out = run(installed, "-m", "dxir.tools.main", "targets", "loom", "--json")
    found = json.loads(out)
    assert found["composites"] == "keep composites where dxir.softmax along rows of at most 1024"
    assert (found["flags"], found["compiles_here"]) == ({"memory-kib": 512}, True)


@pytest.mark.parametrize(
    ("module", "exit_code", "said"),
    [
        (NARROW, 0, "composite dxir.softmax: kept"),
        (SOFTMAX, 0, "composite dxir.softmax: inlined"),
        (NARROW.replace("masked = false", "masked = true"), 0, "composite dxir.softmax: inlined"),
        (NARROW.replace("f32", "f64").replace("0xFF800000", "0xFFF0000000000000"), 1, "no f64"),
        (
            SOFTMAX.replace("stablehlo.add across", "stablehlo.multiply across"),
            1,
            "by maximum only",
        ),
        (
            SOFTMAX.replace("stablehlo.exponential", "stablehlo.sine"),
            1,
            "cannot run stablehlo.sine",
        ),
    ],
    ids=["narrow", "wide", "masked", "f64", "product", "sine"],
)
def test_it_says_before_compiling_what_becomes_of_a_program(
    module: str, exit_code: int, said: str, installed: dict[str, str]
) -> None:
    code, out = run(installed, "-m", "dxir.tools.main", "can-run", "--target=loom", given=module)
    assert (code, said in out) == (exit_code, True), out


def test_it_prepares_and_runs_programs_as_numpy_does(installed: dict[str, str]) -> None:
    program = f"""
import numpy as np
import dxir

for text, kept in ({NARROW!r}, 1), ({SOFTMAX!r}, 0):
    program = dxir.load(text)
    prepared = dxir.prepare(program, "loom")
    assert prepared.program.op_counts().get("stablehlo.composite", 0) == kept
    assert dxir.load(prepared.data()).minimum_version().version <= "1.0.0"
    run = dxir.compile(program, "loom")
    assert ("sfu.softmax" in str(run.stream)) == bool(kept)
    x = np.random.default_rng(0).normal(0, 3, run.parameters[0].type.shape).astype(np.float32)
    powers = np.exp(x - x.max(1, keepdims=True), dtype=np.float64)
    expected = powers / powers.sum(1, keepdims=True)
    np.testing.assert_allclose(run(x).numpy(), expected, rtol=1e-5, atol=1e-7)
    np.testing.assert_array_equal(run(x).numpy(), run(x).numpy())  # slots are used again

for flags in {{"memory-kib": 1}}, {{"memory": 1}}:
    try:
        dxir.compile(program, "loom", flags=flags)
    except dxir.DxirError as error:
        print(error)
"""
    code, out = run(installed, "-c", program)
    assert code == 0, out
    assert "the program needs" in out
    assert "loom has the flag memory-kib, and no other" in out


def test_its_demo_runs_without_an_installation_and_differs_from_xla_in_rounding_only() -> None:
    done = subprocess.run(
        [sys.executable, PACKAGE / "demo.py"],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "COLUMNS": "200", "PYTHONUTF8": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert "error: loom takes no f64 elements: the device has no f64" in done.stdout
    assert "sfu.softmax" in done.stdout
    difference = float(done.stdout.rsplit("differs by", 1)[1])
    assert difference < 1e-6


def test_its_demo_says_when_a_batch_does_not_fit_into_memory() -> None:
    done = subprocess.run(
        [sys.executable, PACKAGE / "demo.py", "--tokens", "4096"],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "COLUMNS": "200", "PYTHONUTF8": "1"},
    )
    assert done.returncode == 1
    assert "bytes, and loom has 524,288" in done.stdout
