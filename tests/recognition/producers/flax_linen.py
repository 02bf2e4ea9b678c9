"""Layers of Flax Linen."""

from __future__ import annotations

from collections.abc import Callable

import flax
import jax
import jax.numpy as jnp
from exporting import Case, Counts, Tree, at, bf16, f32, i32, main, write
from flax import linen

BATCH, TIME, WIDTH = 2, 5, 8
X, HALF, IMAGE = f32(BATCH, TIME, WIDTH), bf16(BATCH, TIME, WIDTH), f32(BATCH, 6, 6, WIDTH)
Expected = dict[str, Counts]


def layer(
    name: str,
    says: str,
    module: linen.Module,
    arguments: tuple[Tree, ...],
    expect: Expected | None = None,
    may: Expected | None = None,
) -> Case:
    """A module with its variables as arguments."""
    variables = jax.eval_shape(module.init, jax.random.key(0), *arguments)
    return Case(name, says, module.apply, (variables, *arguments), expect or {}, may or {})


class Decoder(linen.Module):
    """A layer of a decoder, normed first, with tokens embedded and read out by one table."""

    @linen.compact
    def __call__(self, ids: jax.Array) -> jax.Array:
        table = linen.Embed(12, WIDTH)
        x = table(ids)
        y = linen.LayerNorm()(x)
        x = x + linen.SelfAttention(num_heads=2)(y, linen.make_causal_mask(ids))
        y = linen.RMSNorm()(x)
        x = x + linen.Dense(WIDTH)(linen.silu(linen.Dense(16)(y)) * linen.Dense(16)(y))
        return table.attend(linen.LayerNorm(use_fast_variance=False)(x))


class Residual(linen.Module):
    """A residual block of convolutions, for inference."""

    @linen.compact
    def __call__(self, x: jax.Array) -> jax.Array:
        y = linen.Conv(WIDTH, (3, 3), use_bias=False)(x)
        y = linen.relu(linen.BatchNorm(use_running_average=True)(y))
        y = linen.Conv(WIDTH, (3, 3), use_bias=False)(y)
        y = linen.BatchNorm(use_running_average=True)(y)
        return linen.relu(x + y)


def sequence(*parts: Callable[..., jax.Array]) -> linen.Sequential:
    return linen.Sequential(parts)


RELU, SILU, ELU = at("relu", relu=1), at("silu", silu=1), at("elu", elu=1)
HEADS = main(attention=1, linear=4)
CASES = (
    layer("layer_norm", "LayerNorm, variance in one pass", linen.LayerNorm(), (X,),
          main(layer_norm=1)),
    layer("layer_norm_two_pass", "LayerNorm(use_fast_variance=False), in bfloat16",
          linen.LayerNorm(use_fast_variance=False, dtype=jnp.bfloat16), (HALF,),
          main(layer_norm=1)),
    layer("rms_norm", "RMSNorm", linen.RMSNorm(), (X,), main(rms_norm=1)),
    layer("group_norm", "GroupNorm, 4 groups", linen.GroupNorm(4), (IMAGE,), main(group_norm=1)),
    layer("instance_norm", "InstanceNorm: over the places of each channel",
          linen.InstanceNorm(), (IMAGE,), main(instance_norm=1)),
    layer("batch_norm", "BatchNorm, inference", linen.BatchNorm(use_running_average=True),
          (IMAGE,), main(batch_norm_inference=1)),
    layer("dense", "Dense", linen.Dense(16), (X,), main(linear=1)),
    layer("dense_bf16", "Dense in bfloat16", linen.Dense(16, dtype=jnp.bfloat16), (HALF,),
          main(linear=1)),
    layer("dense_general", "DenseGeneral: to heads", linen.DenseGeneral((2, 4)), (X,),
          main(linear=1)),
    layer("dense_tanh", "Dense, tanh", sequence(linen.Dense(16), linen.tanh), (X,),
          main(linear=1)),
    layer("dense_elu", "Dense, elu", sequence(linen.Dense(16), linen.elu), (X,),
          main(linear=1) | ELU),
    layer("mlp", "Dense, gelu, Dense", sequence(linen.Dense(16), linen.gelu, linen.Dense(8)),
          (X,), main(transformer_mlp=1)),
    layer("mlp_of_three", "Dense, relu, Dense, relu, Dense",
          sequence(linen.Dense(16), linen.relu, linen.Dense(16), linen.relu, linen.Dense(3)),
          (X,), main(linear=1, transformer_mlp=1) | RELU),
    layer("conv_relu", "Conv, relu", sequence(linen.Conv(16, (3, 3)), linen.relu), (IMAGE,),
          main(conv=1) | RELU),
    layer("conv_grouped", "Conv in groups, strided, relu",
          sequence(linen.Conv(16, (3, 3), 2, feature_group_count=4), linen.relu), (IMAGE,),
          main(conv=1) | RELU),
    layer("conv_1d", "Conv over time, gelu", sequence(linen.Conv(16, (3,)), linen.gelu), (X,),
          may=main(conv=1, gelu=1)),
    layer("embed", "Embed", linen.Embed(10, WIDTH), (i32(BATCH, TIME),),
          at("_take", embedding=1)),
    layer("attention", "MultiHeadDotProductAttention",
          linen.MultiHeadDotProductAttention(num_heads=2), (X, X), HEADS),
    layer("attention_bf16", "MultiHeadDotProductAttention in bfloat16",
          linen.MultiHeadDotProductAttention(num_heads=2, dtype=jnp.bfloat16), (HALF, HALF),
          HEADS),
    layer("decoder", "a layer of a decoder, with tokens embedded and read out", Decoder(),
          (i32(BATCH, TIME),),
          main(attention=1, layer_norm=2, linear=4, rms_norm=1, transformer_mlp=1)
          | at("_take", embedding=1) | SILU),
    layer("residual", "a residual block of convolutions", Residual(), (IMAGE,),
          main(batch_norm_inference=2) | RELU),
)  # fmt: skip

if __name__ == "__main__":
    write("flax_linen", f"flax.linen {flax.__version__} on jax {jax.__version__}", CASES)
