"""Rules of equivalence: stored results, and backends against each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import dxir
from dxir.errors import ArtifactError, ConfigurationError
from dxir.runtime.random_arguments import arguments_for
from dxir.tools.run import main as dxir_run
from dxir.verify.checking import check
from dxir.verify.finding import Finding
from dxir.verify.golden import read_golden, write_golden
from dxir.verify.reading import read
from dxir.verify.rule import find_rule
from dxir.verify.settings import Settings
from dxir.verify.subject import Source

EXP = """func.func @main(%x: tensor<2x3xf32> loc("x"), %y: tensor<4xbf16>)
    -> (tensor<2x3xf32>, tensor<4xbf16>) {
  %0 = stablehlo.exponential %x : tensor<2x3xf32>
  %1 = stablehlo.negate %y : tensor<4xbf16>
  return %0, %1 : tensor<2x3xf32>, tensor<4xbf16>
}
"""
X = np.linspace(-2, 2, 6, dtype=np.float32).reshape(2, 3)
Y = np.arange(4).astype(ml_dtypes.bfloat16)
RESULTS = [np.exp(X), -Y]


def findings(path: Path, text: str, rule: str, **options: Any) -> list[Finding]:
    settings = Settings(only=(f"equivalence-{rule}",), options={f"equivalence-{rule}": options})
    subject = read(Source(str(path), text.encode()), settings.rules())
    assert not isinstance(subject, Finding), subject.message
    return list(check(subject, settings).findings)


@pytest.mark.parametrize("name", ["m.golden.npz", "m.golden.x.safetensors"])
def test_a_module_is_held_against_the_golden_files_beside_it(tmp_path: Path, name: str) -> None:
    write_golden(str(tmp_path / name), [X, Y], RESULTS)
    path = tmp_path / "m.mlir"
    assert findings(path, EXP, "golden", backend="reference") == []
    other = EXP.replace("exponential %x", "exponential_minus_one %x")
    (only,) = findings(path, other, "golden", backend="reference")
    assert only.severity == "error"
    assert "result 0 of reference is off in 6 of 6 elements; the first at [0, 0]" in only.message
    assert "0.135335281 is stored" in only.message
    assert "units in the last place apart" in only.message
    assert f"--golden={tmp_path / name}" in (only.hint or "")
    lenient = findings(path, other, "golden", backend="reference", atol=1.1)
    assert lenient == []
    assert findings(tmp_path / "other.mlir", EXP, "golden") == []


def test_what_roundings_may_do_is_no_difference(tmp_path: Path) -> None:
    near = [np.nextafter(RESULTS[0], np.float32(np.inf)), RESULTS[1]]
    write_golden(str(tmp_path / "m.golden.npz"), [X, Y], near)
    assert findings(tmp_path / "m.mlir", EXP, "golden", backend="reference") == []
    assert len(findings(tmp_path / "m.mlir", EXP, "golden", backend="reference", rtol=0.0)) == 1


def test_arrays_may_be_in_a_folder_and_go_by_the_names_of_parameters(tmp_path: Path) -> None:
    folder = tmp_path / "m.golden"
    folder.mkdir()
    for name, array in (("x", X), ("arg1", Y.view(np.uint16)), ("result0", RESULTS[0])):
        np.save(folder / f"{name}.npy", array)
    program = dxir.load(EXP)
    with pytest.raises(ArtifactError, match="no array result1"):
        read_golden(str(folder), program)
    np.save(folder / "result1.npy", RESULTS[1].view(np.uint16))
    arguments, results = read_golden(str(folder), program)
    assert [a.dtype for a in (*arguments, *results)] == [X.dtype, Y.dtype, X.dtype, Y.dtype]
    assert (results[1] == -Y).all()


@pytest.mark.parametrize(
    ("arguments", "results", "told"),
    [
        ([X], RESULTS, "no array arg1"),
        ([X, Y, Y], RESULTS, "main has nothing for its arg2"),
        ([X.T, Y], RESULTS, r"arg0 is float32\[3, 2\], and f32\[2, 3\] in the module"),
        ([X.astype(np.float64), Y], RESULTS, "arg0 is float64"),
    ],
)
def test_a_golden_file_that_does_not_fit_is_a_finding(
    tmp_path: Path, arguments: list[Any], results: list[Any], told: str
) -> None:
    file = str(tmp_path / "m.golden.npz")
    write_golden(file, arguments, results)
    with pytest.raises(ArtifactError, match=told):
        read_golden(file, dxir.load(EXP))
    (only,) = findings(tmp_path / "m.mlir", EXP, "golden")
    assert only.severity == "error"


def test_dxir_run_writes_golden_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, golden = tmp_path / "m.mlir", tmp_path / "m.golden.npz"
    path.write_text(EXP)
    given = [str(path), "--random=hostile:3", "--backend=reference", f"--golden={golden}", "-q"]
    assert dxir_run(given) == 0
    capsys.readouterr()
    arguments, _ = read_golden(str(golden), dxir.load(EXP))
    made = arguments_for(dxir.load(EXP), 3, hostile=True)
    for a, b in zip(arguments, made, strict=True):
        np.testing.assert_array_equal(a, b)
    assert findings(path, EXP, "golden", backend="reference") == []
    assert dxir_run([str(path), "--golden=m.txt"]) == 2
    assert "does not end in .npz or .safetensors" in capsys.readouterr().err


RANDOM_BITS = """func.func @main(%s: tensor<2xui64>) -> tensor<3xui32> {
  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY
    : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
  return %1 : tensor<3xui32>
}
"""


def test_a_backend_that_does_not_take_the_module_is_a_warning(tmp_path: Path) -> None:
    given = ["interpreter", "reference"]
    (only,) = findings(tmp_path / "m.mlir", RANDOM_BITS, "backends", backends=given)
    assert only.severity == "warning"
    assert "interpreter does not run the module" in only.message


ENDLESS = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.while(%v = %x) : tensor<f32>
  cond {
    stablehlo.return %true : tensor<i1>
  } do {
    %1 = stablehlo.add %v, %v : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}
"""


def test_a_backend_that_ends_over_the_module_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "m.mlir"
    write_golden(str(tmp_path / "m.golden.npz"), [np.float32(1)], [np.float32(1)])
    (only,) = findings(path, ENDLESS, "golden", seconds=1.0)
    assert only.severity == "error"
    assert "xla-cpu ends over the module" in only.message


def test_backends_that_agree_are_not_told(tmp_path: Path) -> None:
    given = ["interpreter", "reference"]
    assert findings(tmp_path / "m.mlir", EXP, "backends", backends=given, hostile=False) == []
    assert findings(tmp_path / "m.mlir", EXP, "backends") == []


def test_one_backend_and_unknown_ones_are_refused(tmp_path: Path) -> None:
    rule = find_rule("equivalence-backends")
    assert rule is not None
    with pytest.raises(ConfigurationError, match="two backends or more"):
        rule.configured({"backends": ["xla-cpu"]})
    (only,) = findings(tmp_path / "m.mlir", EXP, "backends", backends=["xla-cpu", "cuda"])
    assert "there is no backend 'cuda'" in only.message
