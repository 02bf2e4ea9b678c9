"""Attention as JAX programs have it: `jax.nn.dot_product_attention`, and written by hand."""

from __future__ import annotations

import math
from collections.abc import Callable

import jax
import jax.numpy as jnp
from exporting import Case, bf16, boolean, f32, main, write
from jax import nn

BATCH, TIME, HEADS, WIDTH = 2, 6, 4, 8
BTNH = f32(BATCH, TIME, HEADS, WIDTH)
BNTH = f32(BATCH, HEADS, TIME, WIDTH)
HALF = bf16(BATCH, TIME, HEADS, WIDTH)
FEW = f32(BATCH, TIME, 2, WIDTH)  # keys and values of grouped queries
BIAS = f32(BATCH, HEADS, TIME, TIME)
MASK = boolean(BATCH, 1, TIME, TIME)
ONE = main(attention=1)
Attention = Callable[..., jax.Array]


def library(name: str, says: str, *arguments: jax.Array, **options: object) -> Case:
    """`jax.nn.dot_product_attention` with options, some of them arguments of the program."""
    names = [n for n in ("bias", "mask") if options.pop(n, False)]

    def program(query: jax.Array, key: jax.Array, value: jax.Array, *rest: jax.Array) -> jax.Array:
        given = dict(zip(names, rest, strict=True))
        return nn.dot_product_attention(query, key, value, **given, **options)  # type: ignore[arg-type]

    return Case(f"dot_product_attention{name}", f"{says}", program, arguments, ONE)


LIBRARY = (
    library("", "jax.nn.dot_product_attention, (batch, time, heads, width)", BTNH, BTNH, BTNH),
    library("_bf16", "the same in bfloat16: logits and softmax in f32", HALF, HALF, HALF),
    library("_scale", "with a scale of its own", BTNH, BTNH, BTNH, scale=0.125),
    library("_causal", "is_causal=True", BTNH, BTNH, BTNH, is_causal=True),
    library("_bias", "with an additive bias", BTNH, BTNH, BTNH, BIAS, bias=True),
    library("_mask", "with a boolean mask", BTNH, BTNH, BTNH, MASK, mask=True),
    library(
        "_all",
        "with a bias, a mask and is_causal=True",
        *(BTNH, BTNH, BTNH, BIAS, MASK),
        bias=True,
        mask=True,
        is_causal=True,
    ),
    library(
        "_window",
        "causal, each query sees two keys before it",
        *(BTNH, BTNH, BTNH),
        is_causal=True,
        local_window_size=(2, 0),
    ),
    library("_gqa", "grouped queries: 4 heads share 2 of keys and values", BTNH, FEW, FEW),
    library(
        "_gqa_causal", "grouped queries, causal, bfloat16", HALF, HALF[:, :, :2], HALF[:, :, :2],
        is_causal=True,
    ),
    library(
        "_mqa", "all heads share one of keys and values", BTNH, FEW[:, :, :1], FEW[:, :, :1]
    ),
    library("_single", "without a batch", BTNH[0], BTNH[0], BTNH[0]),
)  # fmt: skip


def plain(query: jax.Array, key: jax.Array, value: jax.Array) -> jax.Array:
    scores = query @ key.T / math.sqrt(query.shape[-1])
    return nn.softmax(scores, axis=-1) @ value


def unscaled(query: jax.Array, key: jax.Array, value: jax.Array) -> jax.Array:
    return nn.softmax(jnp.einsum("td,sd->ts", query, key), axis=-1) @ value


def scaled_query(query: jax.Array, key: jax.Array, value: jax.Array) -> jax.Array:
    query = query * WIDTH**-0.5
    weights = nn.softmax(jnp.einsum("bhtd,bhsd->bhts", query, key), axis=-1)
    return jnp.einsum("bhts,bhsd->bhtd", weights, value)


def swapped_keys(query: jax.Array, key: jax.Array, value: jax.Array) -> jax.Array:
    scores = jnp.matmul(query, jnp.swapaxes(key, -1, -2)) * WIDTH**-0.5
    return jnp.matmul(nn.softmax(scores, axis=-1), value)


def batch_time_heads(query: jax.Array, key: jax.Array, value: jax.Array) -> jax.Array:
    scores = jnp.einsum("bqhd,bkhd->bhqk", query, key) / jnp.sqrt(WIDTH).astype(query.dtype)
    return jnp.einsum("bhqk,bkhd->bqhd", nn.softmax(scores, axis=-1), value)


def in_f32(query: jax.Array, key: jax.Array, value: jax.Array) -> jax.Array:
    scores = jnp.einsum("bqhd,bkhd->bhqk", query, key, preferred_element_type=jnp.float32)
    weights = nn.softmax(scores * WIDTH**-0.5, axis=-1).astype(query.dtype)
    return jnp.einsum("bhqk,bkhd->bqhd", weights, value)


def masked(query: jax.Array, key: jax.Array, value: jax.Array, mask: jax.Array) -> jax.Array:
    scores = jnp.einsum("bhtd,bhsd->bhts", query, key) * WIDTH**-0.5
    scores = jnp.where(mask, scores, jnp.finfo(scores.dtype).min)
    return jnp.einsum("bhts,bhsd->bhtd", nn.softmax(scores, axis=-1), value)


def padded(query: jax.Array, key: jax.Array, value: jax.Array, there: jax.Array) -> jax.Array:
    scores = jnp.einsum("bhtd,bhsd->bhts", query, key) * WIDTH**-0.5
    scores = scores + (1.0 - there[:, None, None, :]) * -1e9
    return jnp.einsum("bhts,bhsd->bhtd", nn.softmax(scores, axis=-1), value)


def causal(query: jax.Array, key: jax.Array, value: jax.Array) -> jax.Array:
    scores = jnp.einsum("bhtd,bhsd->bhts", query, key) * WIDTH**-0.5
    scores = jnp.where(jnp.tril(jnp.ones((TIME, TIME), bool)), scores, -jnp.inf)
    return jnp.einsum("bhts,bhsd->bhtd", nn.softmax(scores, axis=-1), value)


def causal_added(query: jax.Array, key: jax.Array, value: jax.Array) -> jax.Array:
    scores = jnp.einsum("bhtd,bhsd->bhts", query, key) * WIDTH**-0.5
    places = jnp.arange(TIME)
    scores = scores + jnp.where(places[:, None] >= places, 0.0, -1e30)
    return jnp.einsum("bhts,bhsd->bhtd", nn.softmax(scores, axis=-1), value)


def repeated(query: jax.Array, key: jax.Array, value: jax.Array) -> jax.Array:
    key, value = (jnp.repeat(a, 2, axis=2) for a in (key, value))
    return batch_time_heads(query, key, value)


def broadcast(query: jax.Array, key: jax.Array, value: jax.Array) -> jax.Array:
    def wide(a: jax.Array) -> jax.Array:
        shape = (BATCH, TIME, 2, 2, WIDTH)
        return jnp.broadcast_to(a[:, :, :, None, :], shape).reshape(BTNH.shape)

    return batch_time_heads(query, wide(key), wide(value))


def grouped(query: jax.Array, key: jax.Array, value: jax.Array) -> jax.Array:
    query = query.reshape(BATCH, TIME, 2, 2, WIDTH) * WIDTH**-0.5
    weights = nn.softmax(jnp.einsum("btkgd,bskd->bkgts", query, key), axis=-1)
    return jnp.einsum("bkgts,bskd->btkgd", weights, value).reshape(BTNH.shape)


def capped(query: jax.Array, key: jax.Array, value: jax.Array) -> jax.Array:
    scores = jnp.einsum("bhtd,bhsd->bhts", query, key) * WIDTH**-0.5
    weights = nn.softmax(50 * jnp.tanh(scores / 50), axis=-1)
    return jnp.einsum("bhts,bhsd->bhtd", weights, value)


def biased(query: jax.Array, key: jax.Array, value: jax.Array, bias: jax.Array) -> jax.Array:
    scores = jnp.einsum("bhtd,bhsd->bhts", query, key) * WIDTH**-0.5 + bias
    return jnp.einsum("bhts,bhsd->bhtd", nn.softmax(scores, axis=-1), value)


def exported(query: jax.Array, key: jax.Array, value: jax.Array) -> tuple[jax.Array, jax.Array]:
    scores = jnp.einsum("bhtd,bhsd->bhts", query, key) * WIDTH**-0.5
    weights = nn.softmax(scores, axis=-1)
    return jnp.einsum("bhts,bhsd->bhtd", weights, value), weights


FLAT = f32(TIME, WIDTH)
THREE, LAST = (BNTH, BNTH, BNTH), f32(BATCH, TIME)
BY_HAND = (
    Case("attention_plain", "one head, keys transposed", plain, (FLAT, FLAT, FLAT), ONE),
    Case("attention_unscaled", "one head, no scale", unscaled, (FLAT, FLAT, FLAT), ONE),
    Case("attention_scaled_query", "the scale on the query", scaled_query, THREE, ONE),
    Case("attention_swapped_keys", "keys transposed, (batch, heads)", swapped_keys, THREE, ONE),
    Case("attention_bthd", "(batch, time, heads)", batch_time_heads, (BTNH, BTNH, BTNH), ONE),
    Case("attention_in_f32", "bfloat16, softmax in f32", in_f32, (HALF, HALF, HALF), ONE),
    Case("attention_masked", "a mask chooses the least", masked, (*THREE, MASK), ONE),
    Case("attention_padded", "padding is added as -1e9", padded, (*THREE, LAST), ONE),
    Case("attention_causal", "a triangle chooses -inf", causal, THREE, ONE),
    Case("attention_causal_added", "a triangle is added", causal_added, THREE, ONE),
    Case("attention_biased", "with a bias", biased, (*THREE, BIAS), ONE),
    Case("attention_gqa_repeat", "keys repeated", repeated, (BTNH, FEW, FEW), ONE),
    Case("attention_gqa_broadcast", "keys broadcast", broadcast, (BTNH, FEW, FEW), ONE),
    Case("attention_gqa_grouped", "queries in groups", grouped, (BTNH, FEW, FEW), ONE),
    Case(
        "attention_capped",
        "scores through 50 tanh(x / 50): no plain attention",
        capped,
        THREE,
        main(softmax=1),
    ),
    Case(
        "attention_and_weights",
        "the weights are a result, too",
        exported,
        THREE,
        ONE,
    ),
)

CASES = (*LIBRARY, *BY_HAND)

if __name__ == "__main__":
    write("jax", f"jax {jax.__version__}", CASES)
