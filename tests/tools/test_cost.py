"""`dxir cost`: what it prints, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dxir.tools.main import main

MODULE = """func.func @main(%x: tensor<8x16xf32>, %w: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %1 = call @activate(%0) : (tensor<8x32xf32>) -> tensor<8x32xf32>
  %2 = call @activate(%1) : (tensor<8x32xf32>) -> tensor<8x32xf32>
  return %2 : tensor<8x32xf32>
}
func.func private @activate(%x: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %0 = stablehlo.tanh %x : tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}"""


@pytest.fixture(name="module")
def a_module(tmp_path: Path) -> Path:
    path = tmp_path / "m.mlir"
    path.write_text(MODULE)
    return path


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]


def test_totals_and_tables_are_told(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cost", str(module), "--peak-flops=1e12", "--bandwidth=1e11"]) == 0
    out = lines(capsys)
    assert f"one run of @main of {module}" in out
    assert "operations 8,192" in out
    assert "transcendental 512" in out
    assert "moved at least, fused 3.5 KiB" in out
    assert f"peak memory 4.5 KiB, in tanh at {module}:9:8" in out
    # 8,704 operations in 8.7 ns, while 3,584 bytes take 36; unfused 7,680 of them.
    assert "seconds of the roofline 35.84 ns at least, 76.8 ns unfused" in out
    assert "dot_general 1 1 8,192 0 3.5 KiB 2.29 94.1%" in out
    assert f"tanh at {module}:9:8 2 0 512 4 KiB 0.125 5.9%" in out


def test_tables_are_chosen_and_cut(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cost", str(module), "--by=function", "--by=location", "--top=1"]) == 0
    out = lines(capsys)
    assert "@main 1 8,192 8,192 0 3.5 KiB 2.29 94.1%" in out
    assert out.count("and 1 more: --top=2 tells all") == 2
    assert not any(line.startswith("op ") for line in out)


def test_json_has_every_number(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cost", str(module), "--json", "--function=activate"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["schema"], found["entry"]) == (1, "activate")
    assert found["total"]["transcendentals"] == 256
    assert found["ops"][0]["where"] == f"{module}:9:8"
    assert found["memory"]["peak"] == 2048


def test_what_is_not_known_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "dynamic.mlir"
    path.write_text(
        "func.func @main(%x: tensor<?xf32>, %y: tensor<4xf32>) {\n"
        "  %0 = stablehlo.add %x, %x : tensor<?xf32>\n"
        "  %1 = stablehlo.add %y, %y : tensor<4xf32>\n  return }"
    )
    assert main(["cost", str(path)]) == 0
    out = lines(capsys)
    assert "operations 4 or more" in out
    assert "peak memory unknown" in out
    why = "the size of tensor<?xf32> is not known"
    assert f"note: the cost of 1 add is not known: {why} ({path}:2:8)" in out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--peak-flops=1e12"], "--peak-flops and --bandwidth belong together, and one is missing"),
        (["--function=f"], "dxir cost: error: there is no function @f with a body"),
    ],
)
def test_what_does_not_fit_is_an_error(
    module: Path, options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cost", str(module), *options]) == 1
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--top=0", "--bandwidth=fast", "--peak-flops=-1"])
def test_numbers_are_positive(
    module: Path, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["cost", str(module), option])
    assert "is no" in capsys.readouterr().err
