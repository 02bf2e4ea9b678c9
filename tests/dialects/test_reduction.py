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
from dxir import bf16, f32, i1, i32, ops
from dxir.errors import AttributeValueError, DTypeError, DxirError, ShapeError
from dxir.evaluation import evaluate
from dxir.graph import Function
from dxir.op import trace
from dxir.types import TensorType

ROOT = Path(__file__).parents[2]
CASES = {c["name"]: c for c in json.loads((ROOT / "examples/cases/numeric.json").read_text())}
NAN, INF = np.nan, np.inf


def function_of(body: Callable[..., Any], *types: TensorType) -> Function:
    return trace(body, Function("main", types))


def both(body: Callable[..., Any], *arrays: Any) -> tuple[Any, Any]:
    """What the device and what the reference give."""
    given = [np.asarray(a) for a in arrays]
    function = function_of(body, *(TensorType.of_array(a) for a in given))
    found = dxir.compile(function)(*given)
    return np.asarray(found), evaluate(function, *given)


def counts(body: Callable[..., Any], *types: TensorType) -> dict[str, int]:
    program = dxir.lower(function_of(body, *types)).decompose()
    found = program.op_counts(nested=False)
    return {k.partition(".")[2]: v for k, v in found.items() if not k.startswith("func.")}


def text(body: Callable[..., Any], *types: TensorType) -> str:
    return str(dxir.lower(function_of(body, *types)).decompose())


def test_a_sum_is_one_reduce_from_zero() -> None:
    assert counts(lambda x: ops.sum(x, axes=(1,)), f32[2, 3]) == {"constant": 1, "reduce": 1}


def test_a_mean_divides_the_reduced_value_by_a_splat_before_it_is_re_inflated() -> None:
    def mean(x: Any) -> Any:
        return ops.mean(x, axes=(1,), keepdims=True)

    expected = {"constant": 2, "reduce": 1, "divide": 1, "broadcast_in_dim": 1}
    assert counts(mean, f32[2, 3]) == expected
    written = text(mean, f32[2, 3])
    assert "stablehlo.divide" in written
    assert "dense<3.000000e+00> : tensor<2xf32>" in written


def test_the_init_of_a_maximum_is_minus_infinity() -> None:
    assert "dense<0xFF800000> : tensor<f32>" in text(ops.reduce_max, f32[3])
    assert "dense<-128> : tensor<i8>" in text(ops.reduce_max, dxir.i8[3])
    assert "dense<false> : tensor<i1>" in text(ops.reduce_max, i1[3])


def test_narrow_sums_and_means_accumulate_in_f32_and_round_once() -> None:
    ones = np.ones(600, ml_dtypes.bfloat16)
    for found in both(ops.sum, ones):
        assert float(found) == 600
    for found in both(ops.mean, ones):
        assert float(found) == 1
    assert counts(ops.mean, bf16[4])["convert"] == 2


@pytest.mark.parametrize(
    ("name", "tolerance"), [("logsumexp of -inf", 0), ("variance of a large mean", 1e-7)]
)
def test_the_given_cases_of_reductions_hold(name: str, tolerance: float) -> None:
    case = CASES[name]
    (given,) = (np.array([float(v) for v in i], np.float32) for i in case["inputs"])
    op = getattr(ops, case["op"])
    for found in both(lambda x: op(x, axes=tuple(case["attrs"]["axes"])), given):
        np.testing.assert_allclose(found, float(case["expected"]), rtol=0, atol=tolerance)


@pytest.mark.parametrize("name", ["argmax with NaN", "argmax tie"])
def test_the_given_cases_of_argmax_hold(name: str) -> None:
    case = CASES[name]
    given = np.array([float(v) for v in case["inputs"][0]], np.float32)
    for found in both(lambda x: ops.argmax(x, axis=0), given):
        assert int(found) == case["expected"]


def test_argmax_is_one_reduce_of_the_elements_and_their_indices() -> None:
    found = counts(lambda x: ops.argmax(x, axis=1), f32[2, 3])
    assert found == {"constant": 2, "iota": 1, "reduce": 1}


@pytest.mark.parametrize("axes", [(0,), (1,), (0, 1), ()])
@pytest.mark.parametrize("type", [f32["n", 4], f32[3, "m"], f32["n", "m"]], ids=str)
def test_axes_are_kept_among_those_of_unknown_size(axes: tuple[int, ...], type: Any) -> None:
    x = np.random.default_rng(5).normal(size=(3, 4)).astype(np.float32)
    for op, oracle in ((ops.sum, np.sum), (ops.reduce_max, np.max), (ops.prod, np.prod)):
        function = function_of(lambda a, op=op: op(a, axes=axes, keepdims=True), type)
        for found in (evaluate(function, x), dxir.compile(function)(x)):
            wanted = oracle(x, axis=axes, keepdims=True)
            np.testing.assert_allclose(found, wanted, rtol=1e-5)

    def square(a: Any) -> Any:
        kept = ops.sum(a, axes=axes, keepdims=True)
        return ops.sum(ops.mul(kept, kept))

    found = dxir.compile(dxir.grad(function_of(square, type)))(x)
    wanted = np.broadcast_to(2 * x.sum(axis=axes, keepdims=True), x.shape)
    np.testing.assert_allclose(found, wanted, rtol=1e-5)


@pytest.mark.parametrize(("op", "oracle"), [(ops.argmax, np.argmax), (ops.argmin, np.argmin)])
def test_extrema_are_found_in_rows_of_unknown_number(op: Any, oracle: Any) -> None:
    function = function_of(lambda x: op(x, axis=1), f32["n", 4])
    assert function.result_types == (i32["n"],)
    x = np.random.default_rng(5).normal(size=(3, 4)).astype(np.float32)
    for found in (dxir.evaluate(function, x), dxir.compile(function)(x)):
        np.testing.assert_array_equal(found, oracle(x, 1))


@pytest.mark.parametrize("count", [3, 5, 64, 1000])
def test_the_first_nan_or_extremum_wins_whatever_the_length(count: int) -> None:
    rng = np.random.default_rng(count)
    rows = np.stack([
        np.full(count, NAN),
        np.where(np.arange(count) >= count // 2, NAN, INF),
        np.full(count, -INF),
        np.full(count, INF),
        np.repeat([1.0, 7.0], [1, count - 1]),
        rng.integers(0, 3, count),
    ]).astype(np.float32)  # fmt: skip
    for op, oracle in ((ops.argmax, jnp.argmax), (ops.argmin, jnp.argmin)):
        wanted = np.asarray(oracle(rows, axis=1))
        for found in both(lambda x, op=op: op(x, axis=1), rows):
            np.testing.assert_array_equal(found, wanted)


def test_the_choice_of_an_extremum_does_not_depend_on_the_order_of_its_arguments() -> None:
    function = function_of(lambda x: ops.argmax(x, axis=0), f32[2])
    (node,) = [n for n in _expanded(function) if n.op == "reduce"]
    values = [NAN, 1.0, INF, -INF, 0.0]
    pairs = [(np.float32(v), np.int32(i)) for i in range(2) for v in values]
    chooser = Function("choose", node.body.param_types)
    trace(lambda *params: _replay(node.body, params), chooser)
    for a in pairs:
        for b in pairs:
            if a[1] != b[1]:
                np.testing.assert_equal(evaluate(chooser, *a, *b), evaluate(chooser, *b, *a))


def _expanded(function: Function) -> Any:
    from dxir.op import expansion

    return expansion(function.nodes[0]).nodes  # type: ignore[arg-type]


def _replay(region: Any, params: Any) -> Any:
    values = dict(zip(region.params, params, strict=True))
    for node in region.nodes:
        build = dxir.ops.lookup(node.op)
        results = build(*[values[v] for v in node.operands], **node.attrs)
        for value, result in zip(node.results, [results], strict=True):
            values[value] = result
    return tuple(values[r] for r in region.results)


def test_norms_match_jax() -> None:
    x = np.random.default_rng(0).standard_normal((3, 4)).astype(np.float32)
    for ord in (1, 2, INF):
        wanted = jnp.linalg.norm(x, ord=ord, axis=1)
        for found in both(lambda x, ord=ord: ops.norm(x, axes=(1,), ord=ord), x):
            np.testing.assert_allclose(found, wanted, rtol=1e-6)


def test_standard_deviations_match_jax() -> None:
    x = np.random.default_rng(0).standard_normal((3, 4)).astype(np.float32) + 100
    for found in both(lambda x: ops.std(x, axes=(1,), correction=1, keepdims=True), x):
        np.testing.assert_allclose(found, jnp.std(x, 1, ddof=1, keepdims=True), rtol=1e-5)


def test_logsumexp_matches_jax_where_it_is_hard() -> None:
    x = np.array([[-INF, -INF], [INF, 1], [NAN, 1], [1000, 1000], [-1000, -1001]], np.float32)
    wanted = jax.nn.logsumexp(x, axis=1)
    for found in both(lambda x: ops.logsumexp(x, axes=(1,)), x):
        np.testing.assert_allclose(found, wanted, rtol=1e-6)


@pytest.mark.parametrize("op", ["cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"])
@pytest.mark.parametrize("size", [1, 17, 270])
def test_running_reductions_match_jax_on_every_length(op: str, size: int) -> None:
    x = np.random.default_rng(7).standard_normal((size, 2)).astype(np.float32)
    if op == "cumprod":
        x = 1 + x / 100
    function = function_of(
        lambda x: [getattr(ops, op)(x, axis=0, reverse=r) for r in (False, True)], f32[size, 2]
    )
    wanted = [getattr(jax.lax, op)(x, axis=0, reverse=r) for r in (False, True)]
    for results in (dxir.compile(function)(x), evaluate(function, x)):
        for found, oracle in zip(results, wanted, strict=True):
            np.testing.assert_allclose(np.asarray(found), oracle, rtol=1e-5, atol=2e-5)


def test_an_exclusive_run_starts_from_the_identity() -> None:
    x = np.array([3, 1, 2], np.float32)
    expected = {
        "cumsum": [0, 3, 4],
        "cumprod": [1, 3, 3],
        "cummax": [-INF, 3, 3],
        "cummin": [INF, 3, 1],
    }
    for op, wanted in expected.items():
        for found in both(lambda x, op=op: getattr(ops, op)(x, axis=0, exclusive=True), x):
            np.testing.assert_array_equal(found, np.array(wanted, np.float32))


def test_a_running_logsumexp_keeps_minus_infinity_and_does_not_overflow() -> None:
    x = np.array([-INF, -INF, 1000, 1000, INF, NAN], np.float32)
    wanted = [-INF, -INF, 1000, 1000 + np.log(2), INF, NAN]
    for found in both(lambda x: ops.cumlogsumexp(x, axis=0), x):
        np.testing.assert_allclose(found, wanted, rtol=1e-6)


def test_long_runs_take_few_operations() -> None:
    found = counts(lambda x: ops.cumsum(x, axis=0), f32[65536])
    assert found["reduce_window"] == 4
    assert sum(found.values()) < 40


def test_a_fold_over_named_dimensions_needs_no_sizes() -> None:
    x = TensorType(("batch", 4), f32)
    assert function_of(lambda x: ops.sum(x, axes=(1,)), x).result_types == (
        TensorType(("batch",), f32),
    )
    assert counts(lambda x: ops.reduce_max(x, axes=(0,)), x) == {"constant": 1, "reduce": 1}


def test_shapes_of_several_inputs_are_compared_pairwise() -> None:
    a, b, c = TensorType(("?", "?"), i32), TensorType(("?", 4), i32), TensorType(("?", 5), i32)
    zero = np.int32(0)

    def fold(*xs: Any) -> Any:
        return ops.reduce(xs, (zero,) * 3, lambda *v: v[:3], axes=(0, 1))

    with pytest.raises(ShapeError, match=r"\[\?, 4\] and \[\?, 5\]"):
        function_of(fold, a, b, c)


def test_axis_names_follow_the_axes_that_stay() -> None:
    x = TensorType((2, 3, 4), f32, ("b", "s", "d"))
    (result,) = function_of(lambda x: ops.sum(x, axes=(1,)), x).result_types
    assert isinstance(result, TensorType)
    assert result.axis_names == ("b", "d")


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axes", [(0,), (1,), (0, 1)])
@pytest.mark.parametrize(
    ("op", "oracle"), [(ops.mean, jnp.mean), (ops.reduce_max, jnp.max), (ops.reduce_min, jnp.min)]
)
def test_means_and_extrema_over_unknown_sizes_have_gradients(
    op: Any, oracle: Any, axes: tuple[int, ...], keepdims: bool
) -> None:
    def ours(x: Any) -> Any:
        y = op(x, axes=axes, keepdims=keepdims)
        return ops.sum(y * y, axes=tuple(range(y.rank)))

    def theirs(x: Any) -> Any:
        return (oracle(x, axis=axes, keepdims=keepdims) ** 2).sum()

    function = function_of(dxir.value_and_grad(ours), f32["n", 3])
    for rows in (1, 4):
        x = np.random.default_rng(rows).standard_normal((rows, 3), np.float32)
        value, gradient = jax.value_and_grad(theirs)(x)
        for found in (dxir.compile(function)(x), evaluate(function, x)):
            np.testing.assert_allclose(found[0], value, rtol=1e-5)
            np.testing.assert_allclose(found[1], gradient, rtol=1e-5, atol=1e-6)


MISTAKES: list[tuple[Callable[..., Any], TensorType, type[DxirError], str]] = [
    (lambda x: ops.sum(x, axes=(2,)), f32[2, 3], ShapeError, "axes 2 is out of range for rank 2"),
    (lambda x: ops.sum(x, axes=(0, -2)), f32[2, 3], ShapeError, "name an axis twice"),
    (ops.sum, i1[2], DTypeError, r"x has type i1\[2\]"),
    (ops.mean, i32[2], DTypeError, r"x has type i32\[2\]"),
    (ops.var, i32[2], DTypeError, "it must be float"),
    (ops.any, f32[2], DTypeError, "it must be bool"),
    (lambda x: ops.var(x), TensorType(("n",), f32), ShapeError, "dynamic dimensions"),
    (lambda x: ops.argmax(x, axis=0), f32[0, 2], ShapeError, "no elements to choose from"),
    (lambda x: ops.argmax(x, axis=0, dtype="i8"), f32[200], AttributeValueError, "cannot count"),
    (lambda x: ops.argmax(x, axis=0, dtype=f32), f32[2], AttributeValueError, "dtype is f32"),
    (lambda x: ops.norm(x, ord=3), f32[2], AttributeValueError, "it must be 1, 2 or inf"),
    (lambda x: ops.cumsum(x, axis=1), f32[2], ShapeError, "axis 1 is out of range"),
    (
        lambda x: ops.reduce((x,), (np.int32(0),), lambda a, b: a + b, axes=(0,)),
        f32[2], ShapeError, r"init 0 has type i32\[\], but input 0 has f32\[2\]",
    ),
    (
        lambda x: ops.reduce((x,), (np.float32(0),), lambda a, b: a < b, axes=(0,)),
        f32[2], ShapeError, r"the body returns i1\[\] as result 0, but must return f32\[\]",
    ),
    (
        lambda x: ops.reduce((x,), (np.float32(0),), lambda a, b: a, axes=(0,), accumulate=(i32,)),
        f32[2], DTypeError, "cannot be accumulated in i32",
    ),
]  # fmt: skip


@pytest.mark.parametrize("mistake", range(len(MISTAKES)))
def test_a_mistake_is_named_with_the_line_it_is_on(mistake: int) -> None:
    body, type, kind, message = MISTAKES[mistake]
    with pytest.raises(kind, match=message) as caught:
        function_of(body, type)
    assert __file__ in str(caught.value)
