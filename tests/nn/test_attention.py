"""Attention beside a plain formula, with and without a cache, and blocks of transformers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import nn, random

KEYS = random.split(random.key(5), 8)
NUMBERS = np.random.default_rng(5)
LENGTH, WIDTH, HEADS = 6, 16, 4


def numbers(*shape: int) -> np.ndarray:
    return NUMBERS.normal(size=shape).astype(np.float32)


X = numbers(2, LENGTH, WIDTH)


def turned(x: np.ndarray, base: float, interleaved: bool) -> np.ndarray:
    """Rotary positions as complex factors; `x` is `[batch, s, heads, d]`."""
    half = x.shape[-1] // 2
    angles = np.arange(x.shape[1])[:, None] / base ** (2 * np.arange(half) / x.shape[-1])
    a, b = (x[..., ::2], x[..., 1::2]) if interleaved else (x[..., :half], x[..., half:])
    pairs = (a + 1j * b) * np.exp(1j * angles)[:, None, :]
    if interleaved:
        return np.stack([pairs.real, pairs.imag], -1).reshape(x.shape)
    return np.concatenate([pairs.real, pairs.imag], -1)


def attended(params: Any, x: Any, memory: Any = None, **options: Any) -> np.ndarray:
    """The formula, in f64."""
    layers = {n: {k: np.asarray(v, np.float64) for k, v in p.items()} for n, p in params.items()}

    def heads(name: str, source: np.ndarray) -> np.ndarray:
        y = np.einsum("bsw,whd->bshd", source, layers[name]["kernel"])
        return y + layers[name].get("bias", 0)

    source = x if memory is None else memory
    q, k, v = heads("query", x), heads("key", source), heads("value", source)
    if options.get("rope_base"):
        q, k = (turned(y, options["rope_base"], options.get("interleaved", False)) for y in (q, k))
    k, v = (np.repeat(y, q.shape[2] // y.shape[2], axis=2) for y in (k, v))
    scores = np.einsum("bshd,bthd->bhst", q, k) / np.sqrt(q.shape[-1]) + options.get("bias", 0)
    if options.get("causal"):
        scores = np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf)
    scores = np.where(options.get("mask", True), scores, -np.inf)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    y = np.einsum("bhst,bthd->bshd", powers / powers.sum(axis=-1, keepdims=True), v)
    output = layers["output"]
    return np.einsum("bshd,hdw->bsw", y, output["kernel"]) + output.get("bias", 0)


MASK = NUMBERS.random((2, 1, LENGTH, LENGTH)) < 0.5
MASK[..., 0] = True


@pytest.mark.parametrize("kv_heads", [1, 2, 4])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"causal": True},
        {"rope_base": 10000.0, "causal": True},
        {"rope_base": 100.0, "interleaved": True},
        {"mask": MASK},
        {"bias": numbers(HEADS, LENGTH, LENGTH), "mask": MASK},
    ],
)
def test_attention_is_the_formula(
    run: Callable[..., Any], kv_heads: int, options: dict[str, Any]
) -> None:
    params = nn.init_attention(KEYS[0], WIDTH, HEADS, kv_heads=kv_heads, bias=kv_heads == 2)
    params = dxir.tree.map(lambda p: p + 0.1, params)
    found = run(lambda p, x: nn.attention(p, x, **options), params, X, near=1e-5)
    np.testing.assert_allclose(found, attended(params, X, **options), rtol=1e-4, atol=1e-5)


def test_attention_to_a_memory_takes_keys_from_there(run: Callable[..., Any]) -> None:
    params = nn.init_attention(KEYS[0], WIDTH, HEADS, head_width=3)
    memory = numbers(2, 9, WIDTH)
    found = run(lambda p, x, m: nn.attention(p, x, memory=m), params, X, memory)
    np.testing.assert_allclose(found, attended(params, X, memory), rtol=1e-4, atol=1e-5)


def test_a_sequence_needs_no_batch() -> None:
    params = nn.init_attention(KEYS[0], WIDTH, HEADS)
    cache = nn.init_kv_cache(params, (), LENGTH)
    whole = np.asarray(nn.attention(params, X, causal=True))
    assert cache.keys.shape == (HEADS, LENGTH, WIDTH // HEADS)
    np.testing.assert_allclose(nn.attention(params, X[0], cache=cache)[0], whole[0], atol=1e-6)


@pytest.mark.parametrize("parts", [(6,), (1,) * 6, (4, 1, 1), (2, 3, 1)])
@pytest.mark.parametrize("rope_base", [None, 10000.0])
def test_a_cache_gives_what_the_whole_sequence_gives(
    parts: tuple[int, ...], rope_base: float | None
) -> None:
    params = nn.init_attention(KEYS[1], WIDTH, HEADS, kv_heads=2)
    whole = nn.attention(params, X, causal=True, rope_base=rope_base)

    @dxir.jit
    def step(params: Any, x: Any, cache: Any, position: Any) -> Any:
        return nn.attention(params, x, cache=cache, position=position, rope_base=rope_base)

    for call in (step, step.eager):
        cache, start, found = nn.init_kv_cache(params, 2, 8), 0, []
        for count in parts:
            y, cache = call(params, X[:, start : start + count], cache, np.int32(start))
            found.append(np.asarray(y))
            start += count
        np.testing.assert_allclose(np.concatenate(found, 1), whole, rtol=1e-4, atol=1e-5)
        assert (np.asarray(cache.keys)[:, :, LENGTH:] == 0).all()


def test_what_a_cache_held_after_the_position_is_not_seen() -> None:
    params = nn.init_attention(KEYS[1], WIDTH, HEADS)
    stale = nn.KVCache(*[dxir.Array(np.full_like(c, 7)) for c in nn.init_kv_cache(params, 2, 8)])
    y, _ = nn.attention(params, X, cache=stale)
    np.testing.assert_allclose(y, nn.attention(params, X, causal=True), rtol=1e-5, atol=1e-6)


def test_a_mask_beside_a_cache_hides_more(run: Callable[..., Any]) -> None:
    params = nn.init_attention(KEYS[1], WIDTH, HEADS)
    cache = nn.init_kv_cache(params, 2, LENGTH)
    found = run(lambda p, x, c: nn.attention(p, x, cache=c, mask=MASK)[0], params, X, cache)
    wanted = attended(params, X, causal=True, mask=MASK)
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


def test_sequences_at_different_positions_are_taken_by_vmap() -> None:
    params = nn.init_attention(KEYS[1], WIDTH, HEADS)
    cache = nn.init_kv_cache(params, 2, 8)
    _, cache = nn.attention(params, X[:, :3], cache=cache)
    places = np.asarray([3, 1], np.int32)

    def step(x: Any, cache: Any, position: Any) -> Any:
        return nn.attention(params, x, cache=cache, position=position)[0]

    found = np.asarray(dxir.vmap(step)(X[:, 3:4], cache, places))
    for i, place in enumerate(places.tolist()):
        row = dxir.tree.map(lambda c, i=i: c[i], cache)
        np.testing.assert_allclose(found[i], step(X[i, 3:4], row, place), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("interleaved", [False, True])
def test_rope_turns_pairs(run: Callable[..., Any], interleaved: bool) -> None:
    x = numbers(2, LENGTH, 3, 8)
    given = np.moveaxis(x, 1, 2)
    found = run(lambda x: nn.rope(x, interleaved=interleaved), given)
    wanted = turned(x, 10000.0, interleaved)
    np.testing.assert_allclose(np.moveaxis(found, 1, 2), wanted, rtol=1e-4, atol=1e-5)
    later = nn.rope(given, np.arange(LENGTH) + 5, interleaved=interleaved)
    products = np.einsum("bhsd,bhtd->bhst", later, later)
    np.testing.assert_allclose(
        products, np.einsum("bhsd,bhtd->bhst", found, found), rtol=1e-4, atol=1e-4
    )


def test_attention_keeps_narrow_floats_narrow() -> None:
    params = nn.init_attention(KEYS[0], WIDTH, HEADS, dtype="bf16")
    x = dxir.Array(X.astype(dxir.bf16.numpy))
    y, cache = nn.attention(params, x, cache=nn.init_kv_cache(params, 2, LENGTH), rope_base=10000.0)
    assert (y.dtype, cache.keys.dtype) == (dxir.bf16, dxir.bf16)
    wide = nn.attention(params, X, causal=True, rope_base=10000.0)
    np.testing.assert_allclose(
        np.asarray(y).astype(np.float32), np.asarray(wide), rtol=0.1, atol=0.05
    )


def test_gradients_of_attention_hold(check_gradients: Callable[..., Any]) -> None:
    params = nn.init_attention(KEYS[0], 8, 2, kv_heads=1, bias=True)
    x = numbers(1, 4, 8).astype(np.float64)

    def loss(p: Any) -> Any:
        y = nn.attention(p, x, causal=True, rope_base=100.0)
        return dxir.ops.sum(y * y * x)

    check_gradients(loss, params)


def test_attention_travels_as_a_composite() -> None:
    params = nn.init_attention(KEYS[0], WIDTH, HEADS)
    text = str(dxir.jit(lambda p, x: nn.attention(p, x, rope_base=1e4)).lower(params, X))
    assert '"dxir.scaled_dot_product_attention"' in text
    assert '"dxir.rope"' in text


def other_kernels() -> Any:
    params = nn.init_attention(KEYS[0], WIDTH, HEADS)
    return {**params, "key": {"kernel": numbers(WIDTH, 3, 4)}}


PARAMS = nn.init_attention(KEYS[0], WIDTH, HEADS)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: nn.attention(PARAMS, numbers(2, 6, 8)), "nn.attention (query) is given"),
        (lambda: nn.attention(PARAMS, numbers(16)), "2 axes or more"),
        (lambda: nn.attention(PARAMS, X, memory=numbers(2, 3, 8)), "nn.attention (key)"),
        (lambda: nn.attention(other_kernels(), X), "do not fit each other"),
        (lambda: nn.attention({"query": 1}, X), "misses 'key', 'value', 'output'"),
        (lambda: nn.attention(PARAMS, X, mask=np.zeros((6, 6), np.float32)), "not boolean"),
        (lambda: nn.attention(PARAMS, X, mask=np.zeros((5, 6), np.bool_)), "broadcast"),
        (lambda: nn.attention(PARAMS, X, cache=(X, X)), "not a KVCache"),
        (
            lambda: nn.attention(PARAMS, X, cache=nn.init_kv_cache(PARAMS, 3, 8)),
            "the cache holds keys of type f32[3, 4, 8, 4], and is given f32[2, 4, 6, 4]",
        ),
        (
            lambda: nn.attention(PARAMS, X, cache=nn.init_kv_cache(PARAMS, 2, 5)),
            "as many positions",
        ),
        (
            lambda: nn.attention(PARAMS, X, cache=nn.init_kv_cache(PARAMS, 2, 8), position=3),
            "room for 8 positions, not for 6 from position 3 on",
        ),
        (
            lambda: nn.attention(PARAMS, X, cache=nn.init_kv_cache(PARAMS, 2, 8), position=-1),
            "from position -1 on",
        ),
        (
            lambda: nn.attention(
                PARAMS, X, cache=nn.init_kv_cache(PARAMS, 2, 8), position=np.zeros(2, np.int32)
            ),
            "a position is one whole number, not i32[2]",
        ),
        (
            lambda: nn.attention(PARAMS, X, memory=X, cache=nn.init_kv_cache(PARAMS, 2, 8)),
            "takes no cache",
        ),
        (lambda: nn.init_attention(KEYS[0], 10, 4), "do not fall into 4 heads"),
        (lambda: nn.init_attention(KEYS[0], 16, 4, kv_heads=3), "3 of keys and values"),
        (lambda: nn.init_kv_cache(PARAMS, 2, 0), "length is 0"),
        (lambda: nn.rope(numbers(4, 3)), "must be even"),
        (lambda: nn.rope(numbers(4)), "positions and elements"),
        (lambda: nn.transformer_block(PARAMS, X), "has no parameter 'query'"),
        (
            lambda: nn.init_transformer_block(KEYS[0], WIDTH, HEADS, norm="batch_norm"),
            "layer_norm",
        ),
    ],
)
def test_wrong_attention_is_refused(call: Callable[[], object], said: str) -> None:
    with pytest.raises(dxir.DxirError) as caught:
        call()
    assert said in str(caught.value)
    assert "test_attention.py" in str(caught.value.where)


@pytest.mark.parametrize("kind", ["layer_norm mlp", "rms_norm swiglu", "layer_norm swiglu"])
def test_a_block_is_its_parts(run: Callable[..., Any], kind: str) -> None:
    norm, feed_forward = kind.split()
    params = nn.init_transformer_block(
        KEYS[2], WIDTH, HEADS, hidden=24, kv_heads=2, norm=norm, feed_forward=feed_forward
    )
    normal: Any = getattr(nn, norm)
    after: Any = getattr(nn, feed_forward)

    def parts(p: Any, x: Any) -> Any:
        x = x + nn.attention(p["attention"], normal(p["attention_norm"], x), causal=True)
        return x + after(p["feed_forward"], normal(p["feed_forward_norm"], x))

    found = run(lambda p, x: nn.transformer_block(p, x, causal=True), params, X, near=1e-5)
    np.testing.assert_allclose(found, run(parts, params, X, near=1e-5), rtol=1e-5, atol=1e-5)


def test_blocks_take_a_cache_and_positions() -> None:
    params = nn.init_transformer_block(KEYS[3], WIDTH, HEADS, norm="rms_norm")
    whole = nn.transformer_block(params, X, causal=True, rope_base=1e4)
    cache = nn.init_kv_cache(params["attention"], 2, 8)
    first, cache = nn.transformer_block(params, X[:, :4], cache=cache, rope_base=1e4)
    second, cache = nn.transformer_block(params, X[:, 4:], cache=cache, position=4, rope_base=1e4)
    found = np.concatenate([np.asarray(first), np.asarray(second)], 1)
    np.testing.assert_allclose(found, whole, rtol=1e-4, atol=1e-5)


def test_blocks_drop_what_their_parts_add_only_with_a_key() -> None:
    params = nn.init_transformer_block(KEYS[3], WIDTH, HEADS)
    plain = np.asarray(nn.transformer_block(params, X))
    assert np.array_equal(nn.transformer_block(params, X, dropout_rate=0.5), plain)
    dropped = [
        np.asarray(nn.transformer_block(params, X, dropout_key=KEYS[i], dropout_rate=0.5))
        for i in (4, 4, 5)
    ]
    assert np.array_equal(dropped[0], dropped[1])
    assert not np.array_equal(dropped[0], dropped[2])
    assert not np.array_equal(dropped[0], plain)
