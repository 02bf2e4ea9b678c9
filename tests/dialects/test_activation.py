from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

import dxir
from dxir import bf16, f8e8m0fnu, f16, f32, i2, i32, ops
from dxir.errors import AttributeValueError, DTypeError, DxirError, ShapeError
from dxir.evaluation import evaluate
from dxir.graph import Function, Module, Value
from dxir.lowering import lower_module
from dxir.op import trace
from dxir.types import TensorType

ROOT = Path(__file__).parents[2]
CASES = json.loads((ROOT / "examples" / "cases" / "numeric.json").read_text())
NAMES = [
    "relu", "silu", "elu", "leaky_relu", "softplus", "softsign", "relu6", "hard_sigmoid",
    "hard_swish", "mish",
]  # fmt: skip
PEER = {"softsign": "soft_sign"}


def function_of(body: Callable[..., Any], *types: TensorType) -> Function:
    return trace(body, Function("main", types))


def counts(body: Callable[..., Any], *types: TensorType) -> dict[str, int]:
    program = dxir.lower(function_of(body, *types)).decompose()
    found = program.op_counts(nested=False)
    return {k.partition(".")[2]: v for k, v in found.items() if not k.startswith("func.")}


def run(body: Callable[..., Any], *arrays: Any) -> Any:
    function = function_of(body, *(TensorType.of_array(a) for a in arrays))
    return np.asarray(dxir.compile(function)(*arrays))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (ops.relu, {"constant": 1, "maximum": 1}),
        (ops.step, {"constant": 2, "compare": 1, "select": 1}),
        (ops.silu, {"logistic": 1, "multiply": 1}),
        (ops.relu6, {"constant": 2, "clamp": 1}),
    ],
)
def test_expansions_hold_exactly_the_ops_of_the_contract(
    body: Callable[..., Any], expected: dict[str, int]
) -> None:
    assert counts(body, f32[2, 3]) == expected


def test_silu_of_a_narrow_float_needs_no_conversion() -> None:
    assert "convert" not in counts(ops.silu, bf16[4])


def test_gelu_keeps_the_negative_tail_through_erfc() -> None:
    assert counts(ops.gelu, f32[4])["erfc"] == 1
    case = next(c for c in CASES if c["name"] == "gelu exact")
    found = run(ops.gelu, np.array(case["inputs"][0], np.float32))
    wanted = np.array(case["expected"])
    np.testing.assert_allclose(found, wanted, rtol=0, atol=case["tol"])
    np.testing.assert_allclose(found[:2], wanted[:2], rtol=1e-4)


def test_gelu_by_tanh_is_another_function_and_only_on_request() -> None:
    case = next(c for c in CASES if c["name"] == "gelu tanh")
    x = np.array(case["inputs"][0], np.float32)
    found = run(lambda v: ops.gelu(v, approximate="tanh"), x)
    np.testing.assert_allclose(found, case["expected"], rtol=1e-6)
    assert "erfc" not in counts(lambda v: ops.gelu(v, approximate="tanh"), f32[2])
    assert abs(found[0] - run(ops.gelu, x)[0]) > 1e-4


def test_a_narrow_gelu_rounds_once() -> None:
    x = np.linspace(-5, 3, 97).astype(ml_dtypes.bfloat16)
    exact = evaluate(function_of(ops.gelu, f32[97]), x.astype(np.float32))
    found = run(ops.gelu, x).astype(np.float32)
    np.testing.assert_allclose(found, exact, rtol=2**-8, atol=0)


@pytest.mark.parametrize("name", NAMES)
def test_activations_agree_with_jax(name: str) -> None:
    x = np.concatenate([np.linspace(-9, 9, 73), [-0.0, 1e-20, -1e-20, 40, -40]]).astype(np.float32)
    wanted = np.asarray(getattr(jax.nn, PEER.get(name, name))(jnp.asarray(x)))
    np.testing.assert_allclose(run(getattr(ops, name), x), wanted, rtol=2e-6, atol=1e-7)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16])
@pytest.mark.parametrize("name", [*NAMES, "gelu", "step"])
def test_no_finite_input_overflows(name: str, dtype: Any) -> None:
    info = ml_dtypes.finfo(dtype)
    x = np.array([info.max, info.min, info.max / 2, info.min / 2, 100, -100]).astype(dtype)
    found = run(getattr(ops, name), x).astype(np.float64)
    assert np.isfinite(found).all()
    limit = np.abs(x.astype(np.float64)).max() if name != "softsign" else 1.0
    assert (np.abs(found) <= max(limit, 1.0)).all()


def test_step_is_zero_at_zero_and_at_nan() -> None:
    x = np.array([-1, -0.0, 0, 1e-30, 2, np.nan], np.float32)
    np.testing.assert_array_equal(run(ops.step, x), [0, 0, 0, 1, 1, 0])


def test_activations_take_dynamic_dimensions() -> None:
    for name in [*NAMES, "gelu", "step"]:
        function = function_of(getattr(ops, name), f32["n", 3])
        assert function.result_types == (f32["n", 3],)
        lower_module(Module([function]))


def test_swiglu_is_a_gated_product_without_copies_of_the_weights() -> None:
    found = counts(ops.swiglu, f32[2, 5, 3], f32[3, 4], f32[3, 4])
    assert found == {"dot_general": 2, "logistic": 1, "multiply": 2}


def failure(body: Callable[..., Any], *types: TensorType) -> DxirError:
    with pytest.raises(DxirError) as caught:
        function_of(body, *types)
    assert "test_activation.py" in str(caught.value)
    return caught.value


def test_mistakes_say_what_was_given_and_what_is_allowed() -> None:
    given: list[tuple[Callable[[Value], Any], TensorType, type[DxirError], str]] = [
        (ops.gelu, i32[2], DTypeError, "i32[2]"),
        (ops.relu, f8e8m0fnu[2], DTypeError, "without a zero"),
        (ops.relu6, i2[2], DTypeError, "6 is not a value of type i2"),
        (lambda x: ops.gelu(x, approximate="erf"), f32[2], AttributeValueError, "none, tanh"),
        (lambda x: ops.elu(x, alpha="big"), f32[2], AttributeValueError, "alpha"),
        (lambda x: ops.leaky_relu(x, negative_slope=np.nan), f16[2], AttributeValueError, "finite"),
    ]
    for body, type, kind, text in given:
        error = failure(body, type)
        assert isinstance(error, kind)
        assert text in str(error)


def test_swiglu_names_the_axes_that_do_not_fit() -> None:
    error = failure(ops.swiglu, f32[2, 3], f32[4, 5], f32[4, 5])
    assert isinstance(error, ShapeError)
    assert "w_gate" in str(error)
    assert "[3]" in str(error)
    assert "[4]" in str(error)
    error = failure(ops.swiglu, f32[2, 3], f32[3, 5], f32[3, 6])
    assert "w_up" in str(error)
    error = failure(ops.swiglu, f32[2, 3], bf16[3, 5], bf16[3, 5])
    assert isinstance(error, DTypeError)
