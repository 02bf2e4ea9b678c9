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
import scipy.special

import dxir
from dxir import bf16, f32, i32, ops
from dxir.errors import AttributeValueError, DTypeError, DxirError, ShapeError
from dxir.evaluation import evaluate
from dxir.graph import Function
from dxir.op import trace
from dxir.types import TensorType

ROOT = Path(__file__).parents[2]
CASES = json.loads((ROOT / "examples" / "cases" / "numeric.json").read_text())
INF = np.inf


def function_of(body: Callable[..., Any], *types: TensorType) -> Function:
    return trace(body, Function("main", types))


def counts(body: Callable[..., Any], *types: TensorType) -> dict[str, int]:
    program = dxir.lower(function_of(body, *types)).decompose()
    found = program.op_counts(nested=False)
    return {k.partition(".")[2]: v for k, v in found.items() if not k.startswith("func.")}


def run(body: Callable[..., Any], *arrays: Any) -> Any:
    function = function_of(body, *(TensorType.of_array(np.asarray(a)) for a in arrays))
    found = np.asarray(dxir.compile(function)(*arrays))
    wanted = evaluate(function, *arrays)
    rough = 2e-5 if wanted.dtype == np.float32 else 2e-2
    np.testing.assert_allclose(found.astype(float), wanted.astype(float), rtol=rough, atol=rough)
    return found


SOFTMAX = {
    "constant": 2, "reduce": 2, "broadcast_in_dim": 2, "subtract": 1, "exponential": 1, "divide": 1,
}  # fmt: skip


def test_softmax_holds_exactly_the_ops_of_the_contract() -> None:
    assert counts(ops.softmax, f32[2, 3]) == SOFTMAX
    assert counts(lambda x: ops.softmax(x, axis=0), f32[2, 3, 4]) == SOFTMAX


def test_a_narrow_softmax_is_converted_once_each_way() -> None:
    assert counts(ops.softmax, bf16[2, 3]) == {**SOFTMAX, "convert": 2}


def test_softmax_of_zeros_is_uniform() -> None:
    case = next(c for c in CASES if c["name"] == "softmax of zeros")
    found = run(lambda x: ops.softmax(x, **case["attrs"]), np.array(case["inputs"][0], np.float32))
    np.testing.assert_allclose(found, case["expected"], rtol=1e-7)


def test_a_narrow_softmax_adds_its_denominator_in_f32() -> None:
    x = np.zeros(4096, ml_dtypes.bfloat16)
    np.testing.assert_array_equal(run(ops.softmax, x).astype(float), 1 / 4096)


def test_only_a_masked_softmax_turns_a_row_of_minus_infinity_into_zeros() -> None:
    x = np.array([[-INF, -INF], [-INF, 3], [1, 1]], np.float32)
    plain = run(ops.softmax, x)
    masked = run(lambda v: ops.softmax(v, masked=True), x)
    assert np.isnan(plain[0]).all()
    np.testing.assert_array_equal(masked, [[0, 0], [0, 1], [0.5, 0.5]])
    np.testing.assert_array_equal(plain[1:], masked[1:])


def test_a_masked_softmax_still_shows_nan() -> None:
    x = np.array([[np.nan, -INF], [INF, 0]], np.float32)
    assert np.isnan(run(lambda v: ops.softmax(v, masked=True), x)).all()


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_softmax_and_log_softmax_agree_with_jax(axis: int) -> None:
    x = np.random.default_rng(0).normal(0, 20, (4, 5, 6)).astype(np.float32)
    for ours, theirs in ((ops.softmax, jax.nn.softmax), (ops.log_softmax, jax.nn.log_softmax)):
        found = run(lambda v, op=ours: op(v, axis=axis), x)
        np.testing.assert_allclose(found, theirs(jnp.asarray(x), axis=axis), rtol=3e-6, atol=2e-7)


def test_log_softmax_keeps_the_digits_of_a_dominant_element() -> None:
    x = np.array([[30, 0, 0], [20, 20, 1], [80, 0, -INF], [5, 5, 5]], np.float32)
    wanted = scipy.special.log_softmax(x[:2].astype(np.float64), axis=1)
    wanted[0, 0] = -np.log1p(2 * np.exp(-30.0))
    found = run(ops.log_softmax, x)
    np.testing.assert_allclose(found[:2], wanted, rtol=3e-7)
    np.testing.assert_allclose(found[2], [-np.exp(-80.0), -80, -INF], rtol=1e-6)
    np.testing.assert_allclose(found[3], -np.log(3), rtol=1e-7)


def test_cross_entropy_takes_integers_one_hot_rows_and_any_weights() -> None:
    rng = np.random.default_rng(1)
    logits = rng.normal(0, 3, (6, 5)).astype(np.float32)
    labels = rng.integers(0, 5, 6).astype(np.int32)
    logs = np.asarray(jax.nn.log_softmax(jnp.asarray(logits)))
    wanted = -logs[np.arange(6), labels]
    np.testing.assert_allclose(run(ops.cross_entropy, logits, labels), wanted, rtol=1e-5)
    one_hot = np.eye(5, dtype=np.float32)[labels]
    np.testing.assert_allclose(run(ops.cross_entropy, logits, one_hot), wanted, rtol=1e-5)
    weights = rng.random((6, 5)).astype(np.float32) * 3
    found = run(ops.cross_entropy, logits, weights)
    np.testing.assert_allclose(found, -(weights * logs).sum(1), rtol=1e-5)


@pytest.mark.parametrize("reduction", ["mean", "sum"])
def test_cross_entropy_reduces_over_every_row(reduction: str) -> None:
    logits = np.random.default_rng(2).normal(size=(2, 4, 3)).astype(np.float32)
    labels = np.array([[0, 3, 2], [1, 1, 0]], np.int32)
    rows = run(lambda x, y: ops.cross_entropy(x, y, axis=1), logits, labels)
    found = run(lambda x, y: ops.cross_entropy(x, y, axis=1, reduction=reduction), logits, labels)
    np.testing.assert_allclose(found, getattr(np, reduction)(rows), rtol=1e-6)


def test_cross_entropy_of_impossible_logits_is_finite_where_their_weight_is_zero() -> None:
    logits = np.array([[0, -INF, 0]], np.float32)
    weights = np.array([[1, 0, 1]], np.float32)
    np.testing.assert_allclose(run(ops.cross_entropy, logits, weights), [2 * np.log(2)], rtol=1e-6)
    assert run(ops.cross_entropy, logits, np.array([1], np.int32)) == INF


def test_soft_cross_entropy_agrees_with_the_formula_and_keeps_its_axis() -> None:
    rng = np.random.default_rng(3)
    student, teacher = rng.normal(0, 2, (2, 4, 5)).astype(np.float32)
    found = run(ops.soft_cross_entropy, student, teacher)
    shares = scipy.special.softmax(teacher.astype(np.float64), axis=1)
    logs = scipy.special.log_softmax(student.astype(np.float64), axis=1)
    np.testing.assert_allclose(found, -(shares * logs).sum(1, keepdims=True), rtol=1e-5)


def test_mlp_agrees_with_jax() -> None:
    rng = np.random.default_rng(4)
    x, gate, up, down = (
        rng.normal(size=s).astype(np.float32) for s in ((2, 3, 4), (4, 6), (4, 6), (6, 4))
    )
    wanted = (jax.nn.silu(x @ gate) * (x @ up)) @ down
    np.testing.assert_allclose(run(ops.mlp, x, gate, up, down), wanted, rtol=1e-5, atol=1e-5)
    found = counts(ops.mlp, *(TensorType.of_array(a) for a in (x, gate, up, down)))
    assert found == {"dot_general": 3, "logistic": 1, "multiply": 2}


def test_embedding_is_one_gather_with_the_contracts_numbers() -> None:
    function = function_of(ops.embedding, f32[5, 3], i32[2, 4])
    text = str(dxir.lower(function).decompose())
    assert "offset_dims = [2]" in text
    assert "collapsed_slice_dims = [0]" in text
    assert "start_index_map = [0]" in text
    assert counts(ops.embedding, f32[5, 3], i32[2, 4]) == {"gather": 1}


def test_embedding_clamps_and_blanks_the_padding() -> None:
    table = np.arange(1, 7, dtype=np.float32).reshape(3, 2)
    ids = np.array([-4, 0, 1, 2, 9], np.int32)
    np.testing.assert_array_equal(run(ops.embedding, table, ids), table[[0, 0, 1, 2, 2]])
    found = run(lambda t, i: ops.embedding(t, i, padding_index=-2), table, ids)
    np.testing.assert_array_equal(found, [[1, 2], [1, 2], [0, 0], [5, 6], [5, 6]])


def test_an_unsigned_byte_reaches_rows_beyond_127() -> None:
    table = np.arange(400, dtype=np.float32).reshape(200, 2)
    ids = np.array([199, 128], np.uint8)
    np.testing.assert_array_equal(run(ops.embedding, table, ids), table[[199, 128]])


def test_one_hot_leaves_rows_of_foreign_indices_empty() -> None:
    ids = np.array([0, 2, -1, 3], np.int32)
    for axis in (-1, 0):
        found = run(lambda v, at=axis: ops.one_hot(v, depth=3, axis=at), ids)
        np.testing.assert_array_equal(found, jax.nn.one_hot(ids, 3, axis=axis))


@pytest.mark.parametrize("op", [ops.softmax, ops.log_softmax])
def test_a_dynamic_batch_lowers_to_dynamic_broadcasts(op: Callable[..., Any]) -> None:
    function = function_of(op, f32["n", 4])
    assert function.result_types == (f32["n", 4],)
    found = dxir.lower(function).decompose().op_counts(nested=False)
    assert "stablehlo.dynamic_broadcast_in_dim" in found
    x = np.random.default_rng(5).normal(size=(3, 4)).astype(np.float32)
    np.testing.assert_array_equal(evaluate(function, x), evaluate(function_of(op, f32[3, 4]), x))


def failure(body: Callable[..., Any], *types: TensorType) -> DxirError:
    with pytest.raises(DxirError) as caught:
        function_of(body, *types)
    assert "test_nn.py" in str(caught.value)
    return caught.value


MISTAKES: list[tuple[Callable[..., Any], tuple[TensorType, ...], type[DxirError], list[str]]] = [
    (lambda x: ops.softmax(x, axis=2), (f32[2, 3],), ShapeError, ["axis 2", "-2..1"]),
    (ops.softmax, (f32[()],), ShapeError, ["axis -1", "scalar"]),
    (ops.softmax, (i32[3],), DTypeError, ["i32[3]", "float"]),
    (ops.cross_entropy, (f32[4, 3], i32[3]), ShapeError, ["[4]", "[3]", "labels"]),
    (ops.cross_entropy, (f32[4, 3], f32[4]), ShapeError, ["[4, 3]", "[4]", "labels"]),
    (ops.cross_entropy, (f32[4, 3], bf16[4, 3]), DTypeError, ["f32[4, 3]", "bf16[4, 3]"]),
    (
        lambda x, y: ops.cross_entropy(x, y, reduction="avg"),
        (f32[4, 3], i32[4]), AttributeValueError, ["'avg'", "none, mean, sum"],
    ),
    (ops.soft_cross_entropy, (f32[4, 3], f32[3, 4]), ShapeError, ["[4, 3]", "[3, 4]"]),
    (ops.mlp, (f32[2, 3], f32[3, 4], f32[3, 4], f32[3, 2]), ShapeError, ["w_down", "[4]", "[3]"]),
    (lambda x: ops.one_hot(x, depth=-1), (i32[3],), ShapeError, ["depth is -1"]),
    (lambda x: ops.one_hot(x, depth=3, dtype="f33"), (i32[3],), DTypeError, ["f33"]),
    (lambda x: ops.one_hot(x, depth=3), (f32[3],), DTypeError, ["f32[3]", "int"]),
    (ops.embedding, (f32[4], i32[3]), ShapeError, ["f32[4]", "2 dimensions"]),
    (lambda x: ops.one_hot(x, depth=3), (i32["n"],), ShapeError, ["i32[n]", "dynamic"]),
    (ops.cross_entropy, (f32[3, "n"], i32[3]), ShapeError, ["f32[3, n]", "number of classes"]),
    (ops.soft_cross_entropy, (f32["n", 3], f32["n", 3]), ShapeError, ["f32[n, 3]", "dynamic"]),
    (ops.embedding, (f32[0, 4], i32[3]), ShapeError, ["f32[0, 4]", "no rows"]),
    (
        lambda t, i: ops.embedding(t, i, padding_index=4),
        (f32[4, 2], i32[3]), ShapeError, ["padding_index 4"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("body", "types", "kind", "texts"), MISTAKES)
def test_mistakes_say_what_was_given_and_what_is_allowed(
    body: Callable[..., Any], types: tuple[TensorType, ...], kind: type[DxirError], texts: list[str]
) -> None:
    error = failure(body, *types)
    assert isinstance(error, kind)
    for text in texts:
        assert text in str(error)
