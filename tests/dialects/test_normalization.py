from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

import dxir
from dxir import bf16, f32, i32, ops
from dxir.errors import AttributeValueError, DTypeError, DxirError, ShapeError
from dxir.evaluation import evaluate
from dxir.graph import Function
from dxir.op import trace
from dxir.types import TensorType

LARGE_MEAN = np.array([[10000.0, 10000.1, 9999.9, 10000.0]], np.float32)


def function_of(body: Callable[..., Any], *types: TensorType) -> Function:
    return trace(body, Function("main", types))


def counts(body: Callable[..., Any], *types: TensorType) -> dict[str, int]:
    program = dxir.lower(function_of(body, *types)).decompose()
    found = program.op_counts(nested=False)
    return {k.partition(".")[2]: v for k, v in found.items() if not k.startswith("func.")}


def run(body: Callable[..., Any], *arrays: Any) -> Any:
    function = function_of(body, *(TensorType.of_array(np.asarray(a)) for a in arrays))
    found = dxir.compile(function)(*arrays)
    return tuple(map(np.asarray, found)) if isinstance(found, tuple) else np.asarray(found)


def reference(body: Callable[..., Any], *arrays: Any) -> Any:
    return evaluate(
        function_of(body, *(TensorType.of_array(np.asarray(a)) for a in arrays)), *arrays
    )


def draw(*shape: int, seed: int = 0, mean: float = 0.0) -> Any:
    return np.random.default_rng(seed).normal(mean, 2, shape).astype(np.float32)


def test_layer_norm_is_two_pass_with_rsqrt_and_multiply() -> None:
    found = counts(lambda x, a, b: ops.layer_norm(x, a, b), f32[2, 3], f32[3], f32[3])
    found.pop("constant")
    assert found == {
        "reduce": 2, "divide": 2, "broadcast_in_dim": 4, "subtract": 1, "multiply": 3, "add": 2,
        "rsqrt": 1,
    }  # fmt: skip


def test_rms_norm_holds_the_ops_of_its_formula() -> None:
    found = counts(ops.rms_norm, f32[2, 3])
    found.pop("constant")
    assert found == {
        "multiply": 2, "reduce": 1, "divide": 1, "add": 1, "rsqrt": 1, "broadcast_in_dim": 1,
    }  # fmt: skip


def test_a_small_spread_around_a_large_mean_survives() -> None:
    wide = LARGE_MEAN.astype(np.float64)
    wanted = (wide - wide.mean()) / np.sqrt(wide.var() + 1e-5)
    assert np.abs(wide.var() - 0.00496101) < 1e-7
    found = run(ops.layer_norm, LARGE_MEAN)
    np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-3)
    grouped = run(lambda x: ops.group_norm(x, groups=1), LARGE_MEAN)
    np.testing.assert_allclose(grouped, found, rtol=1e-6)


def test_statistics_of_narrow_floats_are_f32() -> None:
    x = (draw(4, 512, mean=40) / 8).astype(ml_dtypes.bfloat16)
    for op in (ops.layer_norm, ops.rms_norm):
        exact = reference(op, x.astype(np.float32))
        np.testing.assert_allclose(run(op, x).astype(float), exact, rtol=2**-8, atol=2**-12)


def test_f16_does_not_overflow_in_its_squares() -> None:
    x = np.array([[6e4, -6e4, 6e4, 3e4]], np.float16)
    exact = reference(ops.rms_norm, x.astype(np.float32))
    np.testing.assert_allclose(run(ops.rms_norm, x).astype(float), exact, rtol=2**-10)


@pytest.mark.parametrize("axes", [(-1,), (1, 2), (0,)])
def test_layer_norm_agrees_with_jax(axes: tuple[int, ...]) -> None:
    x = draw(3, 4, 5)
    sizes = [x.shape[a] for a in axes]
    scale, offset = draw(*sizes, seed=1), draw(*sizes, seed=2)
    wide = [a if i in [a % 3 for a in axes] else 1 for i, a in enumerate(x.shape)]
    normal = jax.nn.standardize(jnp.asarray(x), axis=axes, epsilon=1e-3)
    wanted = normal * scale.reshape(wide) + offset.reshape(wide)
    found = run(lambda v, a, b: ops.layer_norm(v, a, b, axis=axes, epsilon=1e-3), x, scale, offset)
    np.testing.assert_allclose(found, wanted, rtol=2e-5, atol=2e-5)


def test_an_offset_alone_is_added_not_multiplied() -> None:
    x, offset = draw(2, 3), draw(3, seed=1)
    plain = run(ops.layer_norm, x)
    found = run(lambda v, b: ops.layer_norm(v, offset=b), x, offset)
    np.testing.assert_allclose(found, plain + offset, rtol=1e-6, atol=1e-6)


def test_an_offset_alone_is_raised_as_an_offset() -> None:
    function = function_of(lambda v, b: ops.layer_norm(v, offset=b), f32[2, 3], f32[3])
    program = dxir.lower(function)
    raised = program.raise_()
    node = next(n for n in raised["main"].nodes if n.op == "layer_norm")
    assert node.segments == (1, 0, 1)
    assert dxir.lower(raised).fingerprint() == program.fingerprint()


def test_groups_and_instances_are_layer_norms_of_their_parts() -> None:
    x = draw(2, 6, 4, 3)
    grouped = run(lambda v: ops.group_norm(v, groups=2), x)
    wanted = run(lambda v: ops.layer_norm(v, axis=(2, 3, 4)), x.reshape(2, 2, 3, 4, 3))
    np.testing.assert_allclose(grouped, wanted.reshape(x.shape), rtol=1e-5, atol=1e-6)
    each = run(ops.instance_norm, x)
    np.testing.assert_allclose(each, run(lambda v: ops.layer_norm(v, axis=(2, 3)), x), rtol=1e-6)
    by_channel = run(lambda v: ops.group_norm(v, groups=6), x)
    np.testing.assert_allclose(by_channel, each, rtol=1e-5, atol=1e-6)


FEATURES = [draw(3, seed=i) for i in range(1, 4)]
VARIANCE = np.array([0.5, 1, 2], np.float32)
NORMS: list[tuple[str, list[Any]]] = [
    ("batch_norm_inference", [draw(2, 3, 4), *FEATURES, VARIANCE]),
    ("batch_norm_training", [draw(2, 3, 4), *FEATURES[:2]]),
    ("batch_norm_grad", [draw(2, 3, 4), *FEATURES[:2], VARIANCE, draw(2, 3, 4, seed=9)]),
]


@pytest.mark.parametrize(("name", "arrays"), NORMS)
def test_an_expanded_batch_norm_agrees_with_the_operation(name: str, arrays: list[Any]) -> None:
    op = getattr(ops, name)
    types = [TensorType.of_array(a) for a in arrays]
    assert counts(op, *types) == {name: 1}
    assert name not in counts(lambda *v: op(*v, expand=True), *types)
    plain, expanded = run(op, *arrays), run(lambda *v: op(*v, expand=True), *arrays)
    if not isinstance(plain, tuple):
        plain, expanded = (plain,), (expanded,)
    for found, wanted in zip(expanded, plain, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=2e-5, atol=2e-5)


def test_the_batch_norm_gradient_is_that_of_training() -> None:
    x, scale, offset, g = draw(5, 3), FEATURES[0], FEATURES[1], draw(5, 3, seed=8)

    def forward(x: Any, scale: Any, offset: Any) -> Any:
        normal = (x - x.mean(0)) * jax.lax.rsqrt(x.var(0) + 1e-5)
        return normal * scale + offset

    _, pull = jax.vjp(forward, x, scale, offset)
    found = run(ops.batch_norm_grad, x, scale, x.mean(0), x.var(0), g)
    for ours, theirs in zip(found, pull(jnp.asarray(g)), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-4)


def test_an_expanded_training_batch_norm_is_two_pass() -> None:
    x, one, zero = LARGE_MEAN.T, np.ones(1, np.float32), np.zeros(1, np.float32)
    _, _, variance = run(lambda *v: ops.batch_norm_training(*v, expand=True), x, one, zero)
    np.testing.assert_allclose(variance, [0.00496101], rtol=0, atol=1e-7)


def test_norms_take_a_dynamic_batch() -> None:
    function = function_of(ops.layer_norm, f32["n", 4], f32[4], f32[4])
    assert function.result_types == (f32["n", 4],)
    dxir.lower(function)
    dxir.lower(function_of(ops.rms_norm, bf16["n", 4], f32[4]))
    dxir.lower(function_of(ops.instance_norm, f32["n", 3, 4]))


def failure(body: Callable[..., Any], *types: TensorType) -> DxirError:
    with pytest.raises(DxirError) as caught:
        function_of(body, *types)
    assert "test_normalization.py" in str(caught.value)
    return caught.value


MISTAKES: list[tuple[Callable[..., Any], tuple[TensorType, ...], type[DxirError], list[str]]] = [
    (ops.layer_norm, (i32[2, 3],), DTypeError, ["i32[2, 3]", "float"]),
    (ops.layer_norm, (f32[2, 3], f32[2]), ShapeError, ["scale", "f32[2]", "[3]"]),
    (lambda x, b: ops.layer_norm(x, None, b), (f32[2, 3], bf16[3]), DTypeError, ["offset", "bf16"]),
    (lambda x: ops.layer_norm(x, axis=(1, -1)), (f32[2, 3],), ShapeError, ["twice"]),
    (lambda x: ops.rms_norm(x, epsilon=-1), (f32[3],), AttributeValueError, ["epsilon is -1"]),
    (lambda x: ops.group_norm(x, groups=4), (f32[2, 6],), ShapeError, ["f32[2, 6]", "4 groups"]),
    (lambda x: ops.group_norm(x, groups=1, feature_index=0), (f32[2, 6],), ShapeError, ["batch"]),
    (ops.instance_norm, (f32[2, 6],), ShapeError, ["f32[2, 6]", "3 dimensions"]),
    (ops.batch_norm_training, (f32[2, 3], f32[2], f32[3]), ShapeError, ["scale", "f32[3]"]),
    (ops.batch_norm_training, (f32[2, 3], bf16[3], f32[3]), DTypeError, ["bf16[3]"]),
    (
        ops.batch_norm_grad, (f32[2, 3], f32[3], f32[3], f32[3], f32[3, 2]),
        ShapeError, ["[2, 3]", "[3, 2]"],
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
