"""Layers written by hand in JAX: norms, linear and gated layers, rotary positions, quantisation."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from exporting import Case, at, bf16, f32, i8, i32, main, write
from jax import nn

X, ROWS, HALF = f32(2, 5, 8), f32(4, 8), bf16(2, 5, 8)
SCALE = f32(8)
W, BIAS = f32(8, 16), f32(16)


def layer_norm(x: jax.Array, scale: jax.Array, offset: jax.Array) -> jax.Array:
    centred = x - jnp.mean(x, -1, keepdims=True)
    variance = jnp.mean(centred * centred, -1, keepdims=True)
    return centred * jax.lax.rsqrt(variance + 1e-5) * scale + offset


def layer_norm_by_var(x: jax.Array, scale: jax.Array, offset: jax.Array) -> jax.Array:
    mean, variance = jnp.mean(x, -1, keepdims=True), jnp.var(x, -1, keepdims=True)
    return scale * (x - mean) / jnp.sqrt(variance + 1e-5) + offset


def layer_norm_mixed(x: jax.Array, scale: jax.Array, offset: jax.Array) -> jax.Array:
    wide = x.astype(jnp.float32)
    return layer_norm(wide, scale, offset).astype(x.dtype)


def layer_norm_sums(x: jax.Array) -> jax.Array:
    centred = x - jnp.sum(x, -1, keepdims=True) / 8
    variance = jnp.sum(centred**2, -1, keepdims=True) / 8
    return centred / jnp.sqrt(variance + 1e-6)


def rms_norm(x: jax.Array, scale: jax.Array) -> jax.Array:
    return x * jax.lax.rsqrt(jnp.mean(jnp.square(x), -1, keepdims=True) + 1e-6) * scale


def rms_norm_sqrt(x: jax.Array, scale: jax.Array) -> jax.Array:
    return scale * (x / jnp.sqrt(jnp.sum(x**2, -1, keepdims=True) / 8 + 1e-6))


def rms_norm_llama(x: jax.Array, scale: jax.Array) -> jax.Array:
    wide = x.astype(jnp.float32)
    wide = wide * jax.lax.rsqrt(jnp.mean(wide * wide, -1, keepdims=True) + 1e-5)
    return wide.astype(x.dtype) * scale


def rms_norm_gemma(x: jax.Array, scale: jax.Array) -> jax.Array:
    wide = x.astype(jnp.float32)
    wide = wide * jax.lax.rsqrt(jnp.mean(wide * wide, -1, keepdims=True) + 1e-6)
    return (wide * (1 + scale)).astype(x.dtype)


def group_norm(x: jax.Array, scale: jax.Array, offset: jax.Array) -> jax.Array:
    groups = x.reshape(2, 4, 4, 2, 4)
    mean = jnp.mean(groups, (1, 2, 4), keepdims=True)
    variance = jnp.mean(jnp.square(groups - mean), (1, 2, 4), keepdims=True)
    normal = (groups - mean) * jax.lax.rsqrt(variance + 1e-5)
    return normal.reshape(x.shape) * scale + offset


def batch_norm(
    x: jax.Array, mean: jax.Array, variance: jax.Array, scale: jax.Array, offset: jax.Array
) -> jax.Array:
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + offset


def rope_halves(x: jax.Array, cos: jax.Array, sin: jax.Array) -> jax.Array:
    left, right = jnp.split(x, 2, axis=-1)
    return x * cos + jnp.concatenate([-right, left], -1) * sin


def rope_halves_apart(x: jax.Array, cos: jax.Array, sin: jax.Array) -> jax.Array:
    left, right = x[..., :4], x[..., 4:]
    return jnp.concatenate([left * cos - right * sin, right * cos + left * sin], -1)


def rope_pairs(x: jax.Array, cos: jax.Array, sin: jax.Array) -> jax.Array:
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = jnp.stack([even * cos - odd * sin, even * sin + odd * cos], -1)
    return turned.reshape(x.shape)


def rope_of_places(x: jax.Array) -> jax.Array:
    places = jnp.arange(5, dtype=jnp.float32)[:, None]
    angles = places * 10000.0 ** (-jnp.arange(4, dtype=jnp.float32) / 4)
    angles = jnp.concatenate([angles, angles], -1)
    return rope_halves(x, jnp.cos(angles), jnp.sin(angles))


def rope_both(
    q: jax.Array, k: jax.Array, cos: jax.Array, sin: jax.Array
) -> tuple[jax.Array, jax.Array]:
    return rope_halves(q, cos, sin), rope_halves(k, cos, sin)


def gated(x: jax.Array, w1: jax.Array, w3: jax.Array, w2: jax.Array) -> jax.Array:
    return (nn.silu(x @ w1) * (x @ w3)) @ w2


def mlp(x: jax.Array, w1: jax.Array, b1: jax.Array, w2: jax.Array, b2: jax.Array) -> jax.Array:
    return nn.gelu(x @ w1 + b1) @ w2 + b2


def mlp_plain(x: jax.Array, w1: jax.Array, w2: jax.Array) -> jax.Array:
    return nn.relu(x @ w1) @ w2


def per_group(x: jax.Array, w: jax.Array, scale: jax.Array) -> jax.Array:
    weights = (w.reshape(2, 4, 16).astype(jnp.float32) * scale[:, None, :]).reshape(8, 16)
    return x @ weights


def conv(x: jax.Array, w: jax.Array, bias: jax.Array) -> jax.Array:
    y = jax.lax.conv_general_dilated(
        x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )
    return nn.relu(y + bias)


def conv_first(x: jax.Array, w: jax.Array, bias: jax.Array) -> jax.Array:
    y = jax.lax.conv(x, w, (2, 2), "VALID") + bias[:, None, None]
    return jnp.maximum(y, 0)


N = (X, SCALE, SCALE)
IMAGE, ANGLE, PAIR = f32(2, 4, 4, 8), f32(5, 8), f32(5, 4)
VAR = at("_var", moments=1)
SILU, RELU = at("silu", silu=1), at("relu", relu=1)
NORMS = (
    Case("layer_norm", "x - mean, rsqrt", layer_norm, N, main(layer_norm=1)),
    Case("layer_norm_by_var", "jnp.var, sqrt", layer_norm_by_var, N, main(layer_norm=1), VAR),
    Case(
        "layer_norm_bf16", "bfloat16, computed in f32", layer_norm_mixed, (HALF, SCALE, SCALE),
        main(layer_norm=1),
    ),
    Case("layer_norm_sums", "sums over 8, no scale", layer_norm_sums, (X,), main(layer_norm=1)),
    Case("rms_norm", "x rsqrt(mean x^2)", rms_norm, (X, SCALE), main(rms_norm=1)),
    Case("rms_norm_sqrt", "x / sqrt(sum x^2 / 8)", rms_norm_sqrt, (X, SCALE), main(rms_norm=1)),
    Case("rms_norm_llama", "scaled in bfloat16", rms_norm_llama, (HALF, bf16(8)), main(rms_norm=1)),
    Case("rms_norm_gemma", "scaled by 1 + s", rms_norm_gemma, (HALF, SCALE), main(rms_norm=1)),
    Case("group_norm", "2 groups of channels", group_norm, (IMAGE, SCALE, SCALE),
         main(group_norm=1)),
    Case("batch_norm", "with running moments", batch_norm, (IMAGE, SCALE, SCALE, SCALE, SCALE),
         main(batch_norm_inference=1)),
)  # fmt: skip
ROPES = (
    Case("rope_halves", "rotated halves", rope_halves, (X, ANGLE, ANGLE), main(rope=1)),
    Case("rope_halves_apart", "each half", rope_halves_apart, (X, PAIR, PAIR), main(rope=1)),
    Case("rope_pairs", "interleaved pairs", rope_pairs, (X, PAIR, PAIR), main(rope=1)),
    Case("rope_of_places", "angles from the places", rope_of_places, (X,), main(rope=1)),
    Case("rope_both", "of queries and keys", rope_both, (X, X, ANGLE, ANGLE), main(rope=2)),
    Case("rope_bf16", "in bfloat16", rope_halves, (HALF, bf16(5, 8), bf16(5, 8)), main(rope=1)),
)
DENSE = (
    Case("matmul_alone", "x @ w", lambda x, w: x @ w, (ROWS, W)),
    Case("linear", "x @ w + b", lambda x, w, b: x @ w + b, (ROWS, W, BIAS), main(linear=1)),
    Case("linear_3d", "x @ w + b, x of rank 3, in bfloat16", lambda x, w, b: x @ w + b,
         (HALF, bf16(8, 16), bf16(16)), main(linear=1)),
    Case("linear_transposed", "x @ w.T + b", lambda x, w, b: x @ w.T + b,
         (ROWS, f32(16, 8), BIAS), main(linear=1)),
    Case("linear_relu", "relu(x @ w + b)", lambda x, w, b: nn.relu(x @ w + b),
         (ROWS, W, BIAS), main(linear=1) | RELU),
    Case("linear_gelu", "gelu(x @ w + b)", lambda x, w, b: nn.gelu(x @ w + b, approximate=False),
         (ROWS, W, BIAS), main(linear=1)),
    Case("swiglu_mlp", "(silu(x @ w1) * (x @ w3)) @ w2", gated, (X, W, W, f32(16, 8)),
         main(transformer_mlp=1) | SILU),
    Case("swiglu_mlp_bf16", "the same in bfloat16", gated,
         (HALF, bf16(8, 16), bf16(8, 16), bf16(16, 8)), main(transformer_mlp=1) | SILU),
    Case("mlp", "gelu(x @ w1 + b1) @ w2 + b2", mlp, (X, W, BIAS, f32(16, 8), SCALE),
         main(transformer_mlp=1)),
    Case("mlp_without_bias", "relu(x @ w1) @ w2", mlp_plain, (X, W, f32(16, 8)),
         main(transformer_mlp=1) | RELU),
)  # fmt: skip
IDS, TABLE, Q = i32(2, 5), f32(10, 8), i8(8, 16)
LOOKUPS = (
    Case("embedding_take", "jnp.take", lambda t, i: jnp.take(t, i, axis=0), (TABLE, IDS),
         at("_take", embedding=1)),
    Case("embedding_index", "table[ids]", lambda t, i: t[i], (TABLE, IDS), main(embedding=1)),
    Case("embedding_clip", "jnp.take(mode='clip')",
         lambda t, i: jnp.take(t, i, axis=0, mode="clip"), (TABLE, IDS), at("_take", embedding=1)),
    Case("embedding_one_hot", "one_hot(ids) @ table", lambda t, i: nn.one_hot(i, 10) @ t,
         (TABLE, IDS), main(embedding=1)),
    Case("dequantized_weights", "x @ (w * scale), per channel",
         lambda x, w, s: x @ (w.astype(jnp.float32) * s), (ROWS, Q, BIAS),
         main(dequantized_matmul=1)),
    Case("dequantized_product", "(x @ w) * scale, per channel",
         lambda x, w, s: (x @ w.astype(jnp.float32)) * s, (ROWS, Q, BIAS),
         main(dequantized_matmul=1)),
    Case("dequantized_zero_point", "x @ ((w - z) * scale), per channel",
         lambda x, w, z, s: x @ ((w.astype(jnp.float32) - z) * s), (ROWS, Q, BIAS, BIAS),
         main(dequantized_matmul=1)),
    Case("dequantized_groups", "a scale for each 4 rows and channel", per_group,
         (ROWS, Q, f32(2, 16)), main(dequantized_matmul=1)),
    Case("dequantized_i4", "4-bit weights, in bfloat16",
         lambda x, w, s: x @ (w.astype(jnp.bfloat16) * s),
         (bf16(4, 8), jnp.zeros((8, 16), jnp.int4), bf16(16)), main(dequantized_matmul=1)),
    Case("dequantized_bias", "(x @ w) * scale + b, one scale",
         lambda x, w, s, b: (x @ w.astype(jnp.float32)) * s + b, (ROWS, Q, f32(), BIAS),
         main(dequantized_matmul=1)),
    Case("conv_bias_relu", "NHWC", conv, (IMAGE, f32(3, 3, 8, 16), BIAS), main(conv=1) | RELU),
    Case("conv_first", "NCHW, stride 2", conv_first, (f32(2, 8, 6, 6), f32(4, 8, 3, 3), f32(4)),
         main(conv=1)),
)  # fmt: skip

CASES = (*NORMS, *ROPES, *DENSE, *LOOKUPS)

if __name__ == "__main__":
    write("jax", f"jax {jax.__version__}", CASES)
