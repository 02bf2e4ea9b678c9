"""Layers of Flax NNX."""

from __future__ import annotations

from collections.abc import Callable

import flax
import jax
import jax.numpy as jnp
from exporting import Case, Counts, Tree, at, bf16, boolean, f32, i32, main, write
from flax import nnx

BATCH, TIME, WIDTH = 2, 5, 8
X, IMAGE = f32(BATCH, TIME, WIDTH), f32(BATCH, 6, 6, WIDTH)
RNGS = nnx.Rngs(0)
SILU, RELU = at("silu", silu=1), at("relu", relu=1)
Expected = dict[str, Counts]


def layer(
    name: str,
    says: str,
    module: nnx.Module,
    arguments: tuple[Tree, ...],
    expect: Expected | None = None,
    may: Expected | None = None,
) -> Case:
    """A module with its parameters as arguments."""
    definition, state = nnx.split(module)

    def program(state: nnx.State, *inputs: Tree) -> Tree:
        return nnx.merge(definition, state)(*inputs)

    return Case(name, says, program, (state, *arguments), expect or {}, may or {})


class Composed(nnx.Module):
    """Modules and functions one after the other."""

    def __init__(self, *parts: Callable[..., jax.Array]) -> None:
        self.parts = nnx.List(parts)

    def __call__(self, x: jax.Array) -> jax.Array:
        for part in self.parts:
            x = part(x)
        return x


class Attention(nnx.Module):
    """Attention of heads to themselves; the mask is given, or of what came before."""

    def __init__(self, *, causal: bool = False, dtype: jnp.dtype = jnp.float32) -> None:
        self.attend = nnx.MultiHeadAttention(
            num_heads=2, in_features=WIDTH, dtype=dtype, decode=False, rngs=RNGS
        )
        self.causal = causal

    def __call__(self, x: jax.Array, mask: jax.Array | None = None) -> jax.Array:
        if self.causal:
            mask = nnx.make_causal_mask(jnp.ones(x.shape[:2]))
        return self.attend(x, mask=mask)


class Gated(nnx.Module):
    """A gated layer."""

    def __init__(self) -> None:
        self.gate = nnx.Linear(WIDTH, 16, use_bias=False, rngs=RNGS)
        self.up = nnx.Linear(WIDTH, 16, use_bias=False, rngs=RNGS)
        self.down = nnx.Linear(16, WIDTH, use_bias=False, rngs=RNGS)

    def __call__(self, x: jax.Array) -> jax.Array:
        return self.down(nnx.silu(self.gate(x)) * self.up(x))


class Block(nnx.Module):
    """A layer of a transformer, normed first."""

    def __init__(self) -> None:
        self.norm1, self.norm2 = (nnx.LayerNorm(WIDTH, rngs=RNGS) for _ in range(2))
        self.attend = Attention(causal=True)
        self.up, self.down = nnx.Linear(WIDTH, 32, rngs=RNGS), nnx.Linear(32, WIDTH, rngs=RNGS)

    def __call__(self, x: jax.Array) -> jax.Array:
        x = x + self.attend(self.norm1(x))
        return x + self.down(nnx.gelu(self.up(self.norm2(x))))


class Moe(nnx.Module):
    """A choice of experts by a softmax."""

    def __init__(self) -> None:
        self.router = nnx.Linear(WIDTH, 4, use_bias=False, rngs=RNGS)

    def __call__(self, x: jax.Array) -> tuple[jax.Array, jax.Array]:
        chosen, places = jax.lax.top_k(nnx.softmax(self.router(x)), 2)
        return chosen / jnp.sum(chosen, -1, keepdims=True), places


def norm(*, bf: bool = False, **options: object) -> nnx.LayerNorm:
    dtype = jnp.bfloat16 if bf else jnp.float32
    return nnx.LayerNorm(WIDTH, dtype=dtype, rngs=RNGS, **options)  # type: ignore[arg-type]


def conv(*after: Callable[..., jax.Array]) -> Composed:
    return Composed(nnx.Conv(WIDTH, 16, (3, 3), rngs=RNGS), *after)


HEADS = main(attention=1, linear=4)
MASK = boolean(BATCH, 1, TIME, TIME)
CASES = (
    layer("layer_norm", "LayerNorm, variance in one pass", norm(), (X,), main(layer_norm=1)),
    layer("layer_norm_two_pass", "LayerNorm(use_fast_variance=False)",
          norm(use_fast_variance=False), (X,), main(layer_norm=1)),
    layer("layer_norm_bf16", "LayerNorm in bfloat16", norm(bf=True),
          (bf16(BATCH, TIME, WIDTH),), main(layer_norm=1)),
    layer("layer_norm_bare", "LayerNorm without scale and bias",
          norm(use_bias=False, use_scale=False), (X,), main(layer_norm=1)),
    layer("rms_norm", "RMSNorm", nnx.RMSNorm(WIDTH, rngs=RNGS), (X,), main(rms_norm=1)),
    layer("rms_norm_bf16", "RMSNorm in bfloat16",
          nnx.RMSNorm(WIDTH, dtype=jnp.bfloat16, rngs=RNGS), (bf16(BATCH, TIME, WIDTH),),
          main(rms_norm=1)),
    layer("group_norm", "GroupNorm, 2 groups", nnx.GroupNorm(WIDTH, 2, rngs=RNGS), (IMAGE,),
          main(group_norm=1)),
    layer("batch_norm", "BatchNorm, inference",
          nnx.BatchNorm(WIDTH, use_running_average=True, rngs=RNGS), (IMAGE,),
          main(batch_norm_inference=1)),
    layer("linear", "Linear", nnx.Linear(WIDTH, 16, rngs=RNGS), (X,), main(linear=1)),
    layer("linear_without_bias", "Linear without a bias",
          nnx.Linear(WIDTH, 16, use_bias=False, rngs=RNGS), (X,)),
    layer("linear_relu", "Linear, relu",
          Composed(nnx.Linear(WIDTH, 16, rngs=RNGS), nnx.relu), (X,), main(linear=1) | RELU),
    layer("mlp", "Linear, gelu, Linear",
          Composed(nnx.Linear(WIDTH, 16, rngs=RNGS), nnx.gelu, nnx.Linear(16, WIDTH, rngs=RNGS)),
          (X,), main(transformer_mlp=1)),
    layer("mlp_silu", "Linear, silu, Linear",
          Composed(nnx.Linear(WIDTH, 16, rngs=RNGS), nnx.silu, nnx.Linear(16, WIDTH, rngs=RNGS)),
          (X,), main(transformer_mlp=1) | SILU),
    layer("gated", "down(silu(gate(x)) * up(x))", Gated(), (X,), main(transformer_mlp=1) | SILU),
    layer("conv", "Conv", conv(), (IMAGE,), may=main(conv=1)),
    layer("conv_relu", "Conv, relu", conv(nnx.relu), (IMAGE,), main(conv=1) | RELU),
    layer("conv_batch_norm_relu", "Conv, BatchNorm, relu",
          conv(nnx.BatchNorm(16, use_running_average=True, rngs=RNGS), nnx.relu), (IMAGE,),
          main(batch_norm_inference=1) | RELU, main(conv=1)),
    layer("embed", "Embed", nnx.Embed(10, WIDTH, rngs=RNGS), (i32(BATCH, TIME),),
          at("_take", embedding=1)),
    layer("attention", "MultiHeadAttention", Attention(), (X,), HEADS),
    layer("attention_mask", "MultiHeadAttention with a mask", Attention(), (X, MASK), HEADS),
    layer("attention_causal", "MultiHeadAttention, causal", Attention(causal=True), (X,), HEADS),
    layer("attention_bf16", "MultiHeadAttention in bfloat16",
          Attention(dtype=jnp.bfloat16), (bf16(BATCH, TIME, WIDTH),), HEADS),
    layer("block", "a layer of a transformer", Block(), (X,),
          main(attention=1, layer_norm=2, linear=4, transformer_mlp=1)),
    layer("router", "the softmax that chooses experts", Moe(), (X,), main(softmax=1)),
)  # fmt: skip

if __name__ == "__main__":
    write("flax_nnx", f"flax.nnx {flax.__version__} on jax {jax.__version__}", CASES)
