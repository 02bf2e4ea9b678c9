"""The given cases: small numbers with right answers, and the decoder's loss."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import ops

ROOT = Path(__file__).parents[2]
CASES = ROOT / "examples" / "cases"
NUMERIC = json.loads((CASES / "numeric.json").read_text())
GRADIENTS = ("gradient of sum of squares", "gradient of conv")  # derivatives are not there yet


def array(data: Any, dtype: Any) -> Any:
    """An array of a case: numbers, with "nan" and "inf" as words."""
    return np.array(np.array(data, dtype=object), dtype=np.float64).astype(dtype)


def dtype_of(case: dict[str, Any]) -> Any:
    return np.int32 if case.get("note") == "i32" else np.float32


def function_of(case: dict[str, Any], arrays: list[Any]) -> dxir.Function:
    b = dxir.Builder()
    params = [b.param(dxir.TensorType.of_array(a)) for a in arrays]
    return b.build(getattr(ops, case["op"])(*params, **case.get("attrs", {})))


@pytest.mark.parametrize(
    "case", [c for c in NUMERIC if c["name"] not in GRADIENTS], ids=lambda c: c["name"]
)
def test_a_given_number_comes_out_of_pjrt_and_of_the_reference(case: dict[str, Any]) -> None:
    arrays = [array(data, dtype_of(case)) for data in case["inputs"]]
    function = function_of(case, arrays)
    wanted = array(case["expected"], np.float64)
    tolerance = case.get("tol", 0)
    for found in (dxir.compile(function)(*arrays), dxir.evaluate(function, *arrays)):
        result = np.asarray(found).astype(np.float64)
        if case["op"] in ("gelu", "softmax", "div", "var"):
            np.testing.assert_allclose(
                result, wanted, rtol=1e-4 if tolerance else 1e-6, atol=tolerance
            )
        else:
            np.testing.assert_array_equal(result, wanted)


def example(name: str) -> ModuleType:
    """One of the examples, as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_decoder_has_the_nodes_inputs_and_loss_of_the_case() -> None:
    case = json.loads((CASES / "llama_decoder.json").read_text())
    demo = example("llama_decoder")
    function = demo.decoder_layer(case["configs"]["tiny"], case["params"])
    assert [n.op for n in function.nodes] == [op for _, op, *_ in case["nodes"]]

    arrays = demo.decoder_inputs(case["configs"]["tiny"], case["params"])
    np.testing.assert_allclose(arrays[0].reshape(-1)[:4], case["first_values"]["x_in"], rtol=1e-6)
    assert arrays[1].argmax(axis=1)[:5].tolist() == case["first_values"]["labels_argmax"]

    stated = case["expected"]["tiny"]
    for found in (dxir.compile(function)(*arrays), dxir.evaluate(function, *arrays)):
        np.testing.assert_allclose(float(found), stated["loss_f64"], rtol=stated["rtol_f32"])


def test_the_demo_says_that_the_loss_agrees(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert example("llama_decoder").main(["--out", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "The loss agrees." in shown
    assert "35 Dxir nodes" in shown
    assert dxir.load(tmp_path / "llama_decoder_tiny.mlirbc").main == "main"
