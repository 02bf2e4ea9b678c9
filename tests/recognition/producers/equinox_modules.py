"""Modules of Equinox."""

from __future__ import annotations

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
from equinox import nn
from exporting import Case, Counts, Tree, at, boolean, f32, i32, main, write

KEY = jax.random.key(0)
TIME, WIDTH = 5, 8
X, ROW, IMAGE = f32(TIME, WIDTH), f32(WIDTH), f32(WIDTH, 6, 6)
RELU, SILU = at("relu", relu=1), at("silu", silu=1)
Expected = dict[str, Counts]
Module = Callable[..., Tree]


def layer(
    name: str,
    says: str,
    module: Module,
    arguments: tuple[Tree, ...],
    expect: Expected | None = None,
    may: Expected | None = None,
    *,
    batch: bool = False,
) -> Case:
    """A module with its arrays as arguments, for one example or a batch."""
    arrays, rest = eqx.partition(module, eqx.is_array)

    def program(arrays: Tree, *inputs: Tree) -> Tree:
        call = eqx.combine(arrays, rest)
        return (jax.vmap(call) if batch else call)(*inputs)

    return Case(name, says, program, (arrays, *arguments), expect or {}, may or {})


class Attention(eqx.Module):
    """Attention of a sequence to itself."""

    heads: nn.MultiheadAttention
    rope: nn.RotaryPositionalEmbedding | None = None

    def __call__(self, x: jax.Array, mask: jax.Array | None = None) -> jax.Array:
        return self.heads(x, x, x, mask=mask, process_heads=self.turn if self.rope else None)

    def turn(
        self, query: jax.Array, key: jax.Array, value: jax.Array
    ) -> tuple[jax.Array, jax.Array, jax.Array]:
        assert self.rope is not None
        turn = jax.vmap(self.rope, in_axes=1, out_axes=1)
        return turn(query), turn(key), value


class Block(eqx.Module):
    """A layer of a transformer, normed first."""

    norm1: nn.RMSNorm = nn.RMSNorm(WIDTH)
    norm2: nn.LayerNorm = nn.LayerNorm(WIDTH)
    attend: Attention = Attention(nn.MultiheadAttention(2, WIDTH, key=KEY))
    mlp: nn.MLP = nn.MLP(WIDTH, WIDTH, 32, 1, jax.nn.gelu, key=KEY)

    def __call__(self, x: jax.Array) -> jax.Array:
        mask = jnp.tril(jnp.ones((TIME, TIME), bool))
        x = x + self.attend(jax.vmap(self.norm1)(x), mask)
        return x + jax.vmap(self.mlp)(jax.vmap(self.norm2)(x))


def linear(inputs: int, outputs: int) -> nn.Linear:
    return nn.Linear(inputs, outputs, key=KEY)


HEADS = nn.MultiheadAttention(2, WIDTH, key=KEY)
HEADS_BIAS = nn.MultiheadAttention(
    2, WIDTH, use_query_bias=True, use_key_bias=True, use_value_bias=True, use_output_bias=True,
    key=KEY,
)  # fmt: skip
ONE, VAR = main(attention=1), at("_var", moments=1)
CASES = (
    layer("layer_norm", "LayerNorm", nn.LayerNorm(WIDTH), (ROW,), main(layer_norm=1), VAR),
    layer("layer_norm_batch", "LayerNorm of each row", nn.LayerNorm(WIDTH), (X,),
          main(layer_norm=1), VAR, batch=True),
    layer("layer_norm_bare", "LayerNorm without scale and bias, of each row",
          nn.LayerNorm(WIDTH, use_weight=False, use_bias=False), (X,), main(layer_norm=1), VAR,
          batch=True),
    layer("rms_norm", "RMSNorm", nn.RMSNorm(WIDTH), (ROW,), main(rms_norm=1)),
    layer("rms_norm_batch", "RMSNorm without bias, of each row",
          nn.RMSNorm(WIDTH, use_bias=False), (X,), main(rms_norm=1), batch=True),
    layer("group_norm", "GroupNorm, 2 groups", nn.GroupNorm(2, WIDTH), (IMAGE,),
          main(group_norm=1), VAR),
    layer("group_norm_batch", "GroupNorm, 2 groups, of a batch", nn.GroupNorm(2, WIDTH),
          (f32(3, WIDTH, 6, 6),), main(group_norm=1), VAR, batch=True),
    layer("linear", "Linear: a matrix times a vector", linear(WIDTH, 16), (ROW,), main(linear=1)),
    layer("linear_batch", "Linear of each row", linear(WIDTH, 16), (X,), main(linear=1),
          batch=True),
    layer("mlp", "MLP: Linear, relu, Linear", nn.MLP(WIDTH, 3, 16, 1, key=KEY), (X,),
          main(transformer_mlp=1) | RELU, batch=True),
    layer("mlp_vector", "MLP of one vector", nn.MLP(WIDTH, 3, 16, 1, key=KEY), (ROW,),
          main(transformer_mlp=1) | RELU),
    layer("mlp_deep", "MLP of three hidden layers", nn.MLP(WIDTH, 3, 16, 3, key=KEY), (X,),
          main(transformer_mlp=2) | RELU, batch=True),
    layer("embedding", "Embedding of each token", nn.Embedding(10, WIDTH, key=KEY), (i32(TIME),),
          main(embedding=1), batch=True),
    layer("rope", "RotaryPositionalEmbedding", nn.RotaryPositionalEmbedding(WIDTH), (X,),
          main(rope=1)),
    layer("conv_relu", "Conv2d, relu",
          nn.Sequential([nn.Conv2d(WIDTH, 16, 3, key=KEY), nn.Lambda(jax.nn.relu)]), (IMAGE,),
          main(conv=1) | RELU),
    layer("conv_relu_batch", "Conv2d, relu, of a batch",
          nn.Sequential([nn.Conv2d(WIDTH, 16, 3, key=KEY), nn.Lambda(jax.nn.relu)]),
          (f32(3, WIDTH, 6, 6),), main(conv=1) | RELU, batch=True),
    layer("attention", "MultiheadAttention", Attention(HEADS), (X,), ONE),
    layer("attention_mask", "MultiheadAttention with a mask", Attention(HEADS),
          (X, boolean(TIME, TIME)), ONE),
    layer("attention_bias", "MultiheadAttention with biases", Attention(HEADS_BIAS), (X,),
          main(attention=1, linear=4)),
    layer("attention_batch", "MultiheadAttention of a batch", Attention(HEADS),
          (f32(3, TIME, WIDTH),), ONE, batch=True),
    layer("attention_rope", "MultiheadAttention with rotary positions",
          Attention(HEADS, nn.RotaryPositionalEmbedding(4)), (X,), main(attention=1, rope=2)),
    layer("block", "a layer of a transformer", Block(), (X,),
          main(attention=1, layer_norm=1, rms_norm=1, transformer_mlp=1), VAR),
)  # fmt: skip

if __name__ == "__main__":
    write("equinox", f"equinox {eqx.__version__} on jax {jax.__version__}", CASES)
