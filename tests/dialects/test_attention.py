from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

import dxir
from dxir import bf16, f32, i1, i32, ops
from dxir.errors import AttributeValueError, DTypeError, DxirError, ShapeError
from dxir.graph import Function
from dxir.op import trace
from dxir.types import TensorType

attend = ops.scaled_dot_product_attention


def function_of(body: Callable[..., Any], *types: TensorType) -> Function:
    return trace(body, Function("main", types))


def counts(body: Callable[..., Any], *types: TensorType) -> dict[str, int]:
    program = dxir.lower(function_of(body, *types)).decompose()
    found = program.op_counts(nested=False)
    return {k.partition(".")[2]: v for k, v in found.items() if not k.startswith("func.")}


def run(body: Callable[..., Any], *arrays: Any) -> Any:
    function = function_of(body, *(TensorType.of_array(a) for a in arrays))
    return np.asarray(dxir.compile(function)(*arrays))


def draw(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def by_jax(q: Any, k: Any, v: Any, **given: Any) -> Any:
    """JAX's attention, whose axes are [batch, sequence, head, depth]."""
    swap = [jnp.swapaxes(jnp.asarray(a), 1, 2) for a in (q, k, v)]
    return jnp.swapaxes(jax.nn.dot_product_attention(*swap, **given), 1, 2)


@pytest.mark.parametrize("heads", [1, 2, 4])
@pytest.mark.parametrize("causal", [False, True])
def test_attention_agrees_with_jax_for_every_group_size(heads: int, causal: bool) -> None:
    q, k, v = draw(2, 4, 5, 8), draw(2, heads, 7, 8, seed=1), draw(2, heads, 7, 8, seed=2)
    found = run(lambda *x: attend(*x, causal=causal), q, k, v)
    np.testing.assert_allclose(found, by_jax(q, k, v, is_causal=causal), rtol=1e-5, atol=1e-6)


def test_a_boolean_mask_a_bias_and_a_scale_agree_with_jax() -> None:
    q, k, v = draw(2, 4, 5, 8), draw(2, 2, 7, 8, seed=1), draw(2, 2, 7, 8, seed=2)
    mask = np.random.default_rng(3).random((2, 1, 5, 7)) < 0.6
    mask[..., 0] = True
    bias = draw(1, 4, 5, 7, seed=4)
    found = run(lambda *x: attend(*x, scale=0.3), q, k, v, mask, bias)
    wanted = by_jax(q, k, v, mask=jnp.asarray(mask), bias=jnp.asarray(bias), scale=0.3)
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)


def test_a_boolean_and_an_additive_mask_mean_the_same() -> None:
    q, k, v = draw(3, 4), draw(6, 4, seed=1), draw(6, 2, seed=2)
    mask = np.random.default_rng(3).random((3, 6)) < 0.5
    added = np.where(mask, 0, -np.inf).astype(np.float32)
    np.testing.assert_array_equal(run(attend, q, k, v, mask), run(attend, q, k, v, added))


def test_a_query_that_sees_no_key_gives_zeros() -> None:
    q, k, v = draw(2, 3, 4), draw(2, 5, 4, seed=1), draw(2, 5, 4, seed=2)
    mask = np.ones((3, 5), np.bool_)
    mask[1] = False
    found = run(attend, q, k, v, mask)
    assert (found[:, 1] == 0).all()
    np.testing.assert_allclose(found[:, [0, 2]], run(attend, q, k, v)[:, [0, 2]], rtol=1e-6)


def test_large_scores_at_masked_keys_cost_the_others_nothing() -> None:
    q = np.ones((1, 4), np.float32)
    k = np.array([[1e30] * 4, [0, 0, 0, 0], [0.1] * 4], np.float32)
    v = np.array([[7], [1], [2]], np.float32)
    found = run(attend, q, k, v, np.array([[False, True, True]]))
    np.testing.assert_allclose(found, run(attend, q, k[1:], v[1:]), rtol=1e-6)


def test_attention_is_a_transpose_two_products_and_a_softmax() -> None:
    found = counts(attend, f32[2, 4, 3, 8], f32[2, 4, 5, 8], f32[2, 4, 5, 8])
    found.pop("constant")
    assert found == {
        "transpose": 1, "dot_general": 2, "multiply": 1, "reduce": 2, "broadcast_in_dim": 2,
        "subtract": 1, "exponential": 1, "divide": 1,
    }  # fmt: skip


def test_grouped_heads_are_reshaped_and_never_copied() -> None:
    found = counts(attend, f32[2, 4, 3, 8], f32[2, 2, 5, 8], f32[2, 2, 5, 8])
    assert found["broadcast_in_dim"] == 2
    assert found["reshape"] == 4


@pytest.mark.parametrize("causal", [False, True])
def test_batches_and_embeddings_of_unknown_size_are_those_of_each_known_one(causal: bool) -> None:
    def body(table: Any, ids: Any, seen: Any) -> Any:
        x = ops.embedding(table, ids, padding_index=0)
        return attend(x, x, x, None if causal else seen, causal=causal)

    table = draw(7, 8)
    unknown = dxir.lower(function_of(body, f32[7, 8], i32["n", 2, 5], i1["n", 1, 1, 5]))
    compiled = dxir.compile(dxir.load(unknown.serialize("0.19.0")))
    for n in (1, 3):
        ids = np.arange(n * 10, dtype=np.int32).reshape(n, 2, 5) % 7
        seen = np.arange(n * 5).reshape(n, 1, 1, 5) % 3 > 0
        np.testing.assert_array_equal(compiled(table, ids, seen), run(body, table, ids, seen))


def test_scores_of_narrow_floats_are_f32() -> None:
    q, k = draw(2, 8, 64) * 4, draw(2, 8, 64, seed=1)
    v = draw(2, 8, 16, seed=2)
    narrow = [a.astype(ml_dtypes.bfloat16) for a in (q, k, v)]
    exact = run(attend, *(a.astype(np.float32) for a in narrow))
    np.testing.assert_allclose(run(attend, *narrow).astype(float), exact, rtol=0.02, atol=0.02)
    large = (np.full((1, 2, 64), 90, np.float16), np.full((1, 3, 64), 90, np.float16))
    shares = run(attend, *large, np.ones((1, 3, 4), np.float16))
    np.testing.assert_array_equal(shares, 1)  # 64 * 90 * 90 is beyond f16


def halves(x: Any, cos: Any, sin: Any) -> Any:
    a, b = np.split(x, 2, -1)
    return np.concatenate([a * cos - b * sin, b * cos + a * sin], -1)


def test_rope_turns_each_pair_by_its_angle() -> None:
    x = draw(2, 5, 8).astype(np.float32)
    angles = np.arange(5)[:, None] / 10000 ** (np.arange(4) / 4)
    cos, sin = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
    wanted = halves(x, cos, sin)
    np.testing.assert_allclose(run(ops.rope, x, cos, sin), wanted, rtol=1e-6, atol=1e-6)
    whole = [np.concatenate([t, t], -1) for t in (cos, sin)]
    np.testing.assert_allclose(run(ops.rope, x, *whole), wanted, rtol=1e-6, atol=1e-6)
    pairs = (x[..., ::2] + 1j * x[..., 1::2]) * (cos + 1j * sin)
    found = run(lambda *v: ops.rope(*v, interleaved=True), x, cos, sin)
    np.testing.assert_allclose(found[..., ::2], pairs.real, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(found[..., 1::2], pairs.imag, rtol=1e-5, atol=1e-6)
    whole = [np.repeat(t, 2, -1) for t in (cos, sin)]
    again = run(lambda *v: ops.rope(*v, interleaved=True), x, *whole)
    np.testing.assert_allclose(again, found, rtol=1e-6, atol=1e-6)


def test_rope_keeps_lengths() -> None:
    x, angle = draw(7, 6), draw(7, 3, seed=1)
    for interleaved in (False, True):
        found = run(
            lambda *v, way=interleaved: ops.rope(*v, interleaved=way),
            x,
            np.cos(angle),
            np.sin(angle),
        )
        lengths = np.linalg.norm(x, axis=1)
        np.testing.assert_allclose(np.linalg.norm(found, axis=1), lengths, rtol=1e-5)


def failure(body: Callable[..., Any], *types: TensorType) -> DxirError:
    with pytest.raises(DxirError) as caught:
        function_of(body, *types)
    assert "test_attention.py" in str(caught.value)
    return caught.value


Q = f32[2, 4, 3, 8]
K = f32[2, 4, 5, 8]
MISTAKES: list[tuple[Callable[..., Any], tuple[TensorType, ...], type[DxirError], list[str]]] = [
    (attend, (Q, f32[2, 4, 5, 7], K), ShapeError, [str(Q), "f32[2, 4, 5, 7]"]),
    (attend, (Q, f32[5, 8], f32[5, 8]), ShapeError, [str(Q), "f32[5, 8]"]),
    (attend, (Q, f32[3, 4, 5, 8], f32[3, 4, 5, 8]), ShapeError, ["[2]", "[3]", "batch"]),
    (attend, (Q, K, f32[2, 4, 6, 8]), ShapeError, ["[2, 4, 5]", "[2, 4, 6]"]),
    (attend, (Q, f32[2, 3, 5, 8], f32[2, 3, 5, 8]), ShapeError, ["4 heads", "3", "divide"]),
    (attend, (Q, K, K, i32[3, 5]), DTypeError, ["mask", "i32[3, 5]", "i1"]),
    (attend, (Q, K, K, i1[3, 4]), ShapeError, ["[3, 4]", "[2, 4, 3, 5]"]),
    (lambda q, k, v, b: attend(q, k, v, bias=b), (Q, K, K, i1[3, 5]), DTypeError, ["bias", "i1"]),
    (lambda q, k, v: attend(q, k, v, scale="x"), (Q, K, K), AttributeValueError, ["scale"]),
    (attend, (Q, bf16[2, 4, 5, 8], K), DTypeError, ["bf16"]),
    (ops.rope, (f32[2, 5], f32[2, 5], f32[2, 5]), ShapeError, ["f32[2, 5]", "even"]),
    (ops.rope, (f32[2, 4], f32[2, 3], f32[2, 2]), ShapeError, ["cos", "f32[2, 3]", "2 or 4"]),
    (ops.rope, (f32[2, 4], f32[2, 2], bf16[2, 2]), DTypeError, ["sin", "bf16"]),
]


@pytest.mark.parametrize(("body", "types", "kind", "texts"), MISTAKES)
def test_mistakes_say_what_was_given_and_what_is_allowed(
    body: Callable[..., Any], types: tuple[TensorType, ...], kind: type[DxirError], texts: list[str]
) -> None:
    error = failure(body, *types)
    assert isinstance(error, kind)
    for text in texts:
        assert text in str(error)
