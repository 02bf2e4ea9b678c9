"""Blocks of transformers written by hand in JAX: of Llama, GPT-2, BERT and a vision transformer."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from exporting import Case, at, bf16, boolean, f32, i32, main, write
from jax import nn

BATCH, TIME, WIDTH, HEADS, HEAD, WIDE, WORDS = 2, 6, 16, 4, 4, 32, 12
Weights = dict[str, jax.Array]


def rms_norm(x: jax.Array, scale: jax.Array) -> jax.Array:
    wide = x.astype(jnp.float32)
    wide = wide * jax.lax.rsqrt(jnp.mean(jnp.square(wide), -1, keepdims=True) + 1e-5)
    return wide.astype(x.dtype) * scale


def layer_norm(x: jax.Array, scale: jax.Array, offset: jax.Array) -> jax.Array:
    mean = jnp.mean(x, -1, keepdims=True)
    variance = jnp.mean(jnp.square(x - mean), -1, keepdims=True)
    return scale * (x - mean) / jnp.sqrt(variance + 1e-5) + offset


def angles(dtype: jnp.dtype) -> tuple[jax.Array, jax.Array]:
    frequency = 1.0 / 10000.0 ** (jnp.arange(0, HEAD, 2) / HEAD)
    turn = jnp.outer(jnp.arange(TIME), frequency)
    turn = jnp.concatenate([turn, turn], -1)[None, :, None, :]
    return jnp.cos(turn).astype(dtype), jnp.sin(turn).astype(dtype)


def rope(x: jax.Array, cos: jax.Array, sin: jax.Array) -> jax.Array:
    left, right = jnp.split(x, 2, axis=-1)
    return x * cos + jnp.concatenate([-right, left], -1) * sin


def attend(query: jax.Array, key: jax.Array, value: jax.Array, mask: jax.Array | None) -> jax.Array:
    """Softmax in f32, of (batch, time, heads, width)."""
    scores = jnp.einsum("bthd,bshd->bhts", query, key).astype(jnp.float32) * HEAD**-0.5
    if mask is not None:
        scores = jnp.where(mask, scores, -jnp.inf)
    weights = nn.softmax(scores, axis=-1).astype(query.dtype)
    return jnp.einsum("bhts,bshd->bthd", weights, value).reshape(BATCH, TIME, WIDTH)


def llama_layer(x: jax.Array, w: Weights) -> jax.Array:
    y = rms_norm(x, w["norm1"])
    query = (y @ w["q"]).reshape(BATCH, TIME, HEADS, HEAD)
    key, value = ((y @ w[n]).reshape(BATCH, TIME, 2, HEAD) for n in ("k", "v"))
    cos, sin = angles(x.dtype)
    query, key = rope(query, cos, sin), rope(key, cos, sin)
    key, value = (jnp.repeat(a, HEADS // 2, axis=2) for a in (key, value))
    mask = jnp.tril(jnp.ones((TIME, TIME), bool))
    x = x + attend(query, key, value, mask) @ w["o"]
    y = rms_norm(x, w["norm2"])
    return x + (nn.silu(y @ w["gate"]) * (y @ w["up"])) @ w["down"]


def llama_model(ids: jax.Array, w: Weights) -> jax.Array:
    x = w["table"][ids]
    layers = {n: a for n, a in w.items() if n not in ("table", "norm")}
    x, _ = jax.lax.scan(lambda x, layer: (llama_layer(x, layer), None), x, layers)
    return rms_norm(x, w["norm"]) @ w["table"].T


def gpt2_layer(x: jax.Array, w: Weights) -> jax.Array:
    y = layer_norm(x, w["s1"], w["o1"])
    parts = jnp.split(y @ w["qkv"] + w["qkv_bias"], 3, axis=-1)
    query, key, value = (a.reshape(BATCH, TIME, HEADS, HEAD).transpose(0, 2, 1, 3) for a in parts)
    scores = query @ key.swapaxes(-1, -2) / jnp.sqrt(HEAD).astype(x.dtype)
    scores = scores + (1 - jnp.tril(jnp.ones((TIME, TIME), x.dtype))) * -1e10
    y = nn.softmax(scores, axis=-1) @ value
    x = x + (y.transpose(0, 2, 1, 3).reshape(x.shape) @ w["proj"] + w["proj_bias"])
    y = layer_norm(x, w["s2"], w["o2"])
    return x + (nn.gelu(y @ w["up"] + w["up_bias"]) @ w["down"] + w["down_bias"])


def bert_layer(x: jax.Array, mask: jax.Array, w: Weights) -> jax.Array:
    query, key, value = (
        (x @ w[n] + w[n + "_bias"]).reshape(BATCH, TIME, HEADS, HEAD) for n in ("q", "k", "v")
    )
    y = attend(query, key, value, mask[:, None, None, :]) @ w["o"] + w["o_bias"]
    x = layer_norm(x + y, w["s1"], w["o1"])
    y = nn.gelu(x @ w["up"] + w["up_bias"], approximate=False) @ w["down"] + w["down_bias"]
    return layer_norm(x + y, w["s2"], w["o2"])


def vit(image: jax.Array, w: Weights) -> jax.Array:
    patches = jax.lax.conv_general_dilated(
        image, w["patch"], (2, 2), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )
    x = (patches + w["patch_bias"]).reshape(BATCH, TIME, WIDTH) + w["places"]
    y = layer_norm(x, w["s1"], w["o1"])
    shape = (BATCH, TIME, HEADS, HEAD)
    query, key, value = ((y @ w[n] + w[n + "_bias"]).reshape(shape) for n in ("q", "k", "v"))
    x = x + attend(query, key, value, None) @ w["o"] + w["o_bias"]
    y = layer_norm(x, w["s2"], w["o2"])
    y = nn.gelu(y @ w["up"] + w["up_bias"], approximate=False) @ w["down"] + w["down_bias"]
    return nn.softmax(jnp.mean(x + y, axis=1) @ w["head"] + w["head_bias"])


SQUARE, ROW = f32(WIDTH, WIDTH), f32(WIDTH)
LLAMA = {
    "norm1": ROW, "norm2": ROW, "q": SQUARE, "o": SQUARE, "k": f32(WIDTH, 8),
    "v": f32(WIDTH, 8), "gate": f32(WIDTH, WIDE), "up": f32(WIDTH, WIDE), "down": f32(WIDE, WIDTH),
}  # fmt: skip
LAYERS = {n: jnp.zeros((2, *a.shape), a.dtype) for n, a in LLAMA.items()}
FEED = {
    "s1": ROW, "o1": ROW, "s2": ROW, "o2": ROW, "up": f32(WIDTH, WIDE), "up_bias": f32(WIDE),
    "down": f32(WIDE, WIDTH), "down_bias": ROW,
}  # fmt: skip
GPT2 = FEED | {"qkv": f32(WIDTH, 48), "qkv_bias": f32(48), "proj": SQUARE, "proj_bias": ROW}
QKVO = dict.fromkeys("qkvo", SQUARE) | {f"{n}_bias": ROW for n in "qkvo"}
VIT = FEED | QKVO | {
    "patch": f32(2, 2, 3, WIDTH), "patch_bias": ROW, "places": f32(TIME, WIDTH),
    "head": f32(WIDTH, 10), "head_bias": f32(10),
}  # fmt: skip
X = f32(BATCH, TIME, WIDTH)
SILU = at("silu", silu=1)
IN_LAYER = {"attention": 1, "rope": 2, "rms_norm": 2, "transformer_mlp": 1}

CASES = (
    Case("llama_layer", "a decoder layer of Llama", llama_layer, (X, LLAMA),
         main(**IN_LAYER) | SILU),
    Case(
        "llama_layer_bf16", "a decoder layer of Llama in bfloat16", llama_layer,
        (bf16(BATCH, TIME, WIDTH), {n: a.astype(jnp.bfloat16) for n, a in LLAMA.items()}),
        main(**IN_LAYER) | SILU,
    ),
    Case(
        "llama_model", "tokens to logits; two layers in a loop", llama_model,
        (i32(BATCH, TIME), LAYERS | {"table": f32(WORDS, WIDTH), "norm": ROW}),
        main(**{**IN_LAYER, "rms_norm": 3}, embedding=1) | SILU,
    ),
    Case(
        "gpt2_layer", "a layer of GPT-2", gpt2_layer, (X, GPT2),
        main(attention=1, layer_norm=2, linear=2, transformer_mlp=1),
    ),
    Case(
        "bert_layer", "a layer of BERT, with a mask of padding", bert_layer,
        (X, boolean(BATCH, TIME), FEED | QKVO),
        main(attention=1, layer_norm=2, linear=4, transformer_mlp=1),
    ),
    Case(
        "vit", "a vision transformer of one layer, to class probabilities", vit,
        (f32(BATCH, 4, 6, 3), VIT),
        main(attention=1, conv=1, layer_norm=2, linear=5, softmax=1, transformer_mlp=1),
    ),
)  # fmt: skip

if __name__ == "__main__":
    write("jax", f"jax {jax.__version__}", CASES)
