"""A target of another package, installed beside dxir, is a target like any other."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).with_name("acme_target")
MODULE = """
func.func @main(%x: tensor<32xf32>, %s: tensor<f32>) -> tensor<32xf32> {
  %a = stablehlo.composite "acme.square" %x {decomposition = @square} :
      (tensor<32xf32>) -> tensor<32xf32>
  %b = stablehlo.composite "acme.gate" %a, %s {decomposition = @gate} :
      (tensor<32xf32>, tensor<f32>) -> tensor<32xf32>
  %c = stablehlo.negate %b : tensor<32xf32>
  %d = stablehlo.negate %c : tensor<32xf32>
  return %d : tensor<32xf32>
}
func.func private @square(%x: tensor<32xf32>) -> tensor<32xf32> {
  %r = stablehlo.multiply %x, %x : tensor<32xf32>
  return %r : tensor<32xf32>
}
func.func private @gate(%x: tensor<32xf32>, %s: tensor<f32>) -> tensor<32xf32> {
  %b = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<32xf32>
  %r = stablehlo.multiply %x, %b : tensor<32xf32>
  return %r : tensor<32xf32>
}
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process that has the package, installed by pip without a network."""
    folder = tmp_path_factory.mktemp("installed")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    command += ["--no-build-isolation", "--target", str(folder), str(PACKAGE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "No module named pip" in done.stderr:
        pytest.skip("there is no pip")
    assert done.returncode == 0, done.stderr
    return {**os.environ, "PYTHONPATH": str(folder)}


def run(installed: dict[str, str], *arguments: str, given: str = "") -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-P", *arguments],
        input=given,
        capture_output=True,
        text=True,
        env=installed,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_it_is_listed_and_shown_with_its_policy_kernel_pass_and_flags(
    installed: dict[str, str],
) -> None:
    code, out = run(installed, "-m", "dxir.tools.main", "targets")
    assert (code, "the neural processor of Acme" in out) == (0, True)
    code, out = run(installed, "-m", "dxir.tools.main", "targets", "acme-npu", "--json")
    found = json.loads(out)
    assert found["pipeline"] == [
        *("dxir-recognize", "dxir-coarsen"),
        *("dxir-recognize{nested=true}", "dxir-coarsen") * 2,
        "dxir-decompose{target=acme-npu}",
        *("acme-cancel-negations", "cse"),
    ]
    assert found["composites"] == "keep composites where acme.gate has a scale"
    assert found["kernels"] == [{"composite": "acme.square", "call_target": "acme_square"}]
    assert (found["flags"], found["compiles_here"]) == ({"acme-tiles": 4}, True)


def test_it_is_asked_as_any_other(installed: dict[str, str]) -> None:
    command = ("-m", "dxir.tools.main", "can-run", "--target", "acme-npu")
    code, out = run(installed, *command, given=MODULE)
    assert code == 0, out
    assert "composite acme.square: calls the kernel @acme_square" in out
    assert "composite acme.gate: kept" in out
    code, out = run(installed, *command, given=MODULE.replace("f32", "f64"))
    assert code == 1
    assert "acme-npu takes no f64 elements: the element types it takes are bf16, f32" in out


def test_passes_and_the_api_know_it_without_an_import(installed: dict[str, str]) -> None:
    pipeline = "dxir-decompose{target=acme-npu},acme-cancel-negations"
    code, out = run(installed, "-m", "dxir.tools.opt", f"--pass-pipeline={pipeline}", given=MODULE)
    assert code == 0, out
    assert "stablehlo.custom_call @acme_square(" in out
    assert 'stablehlo.composite "acme.gate"' in out
    assert "stablehlo.negate" not in out
    program = f"""
import numpy as np
import dxir

program = dxir.load({MODULE!r})
prepared = dxir.prepare(program, "acme-npu")
print(prepared.program.op_counts()["stablehlo.custom_call"], prepared.flags, len(prepared.data()))
x = np.arange(32, dtype=np.float32)
assert np.array_equal(dxir.compile(program, "acme-npu")(x, np.float32(2)).numpy(), 2 * x * x)
"""
    code, out = run(installed, "-c", program)
    assert code == 0, out
    assert out.startswith("1 {'acme-tiles': 4} ")
