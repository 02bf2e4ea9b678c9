"""Layers of Keras, on its JAX backend."""

from __future__ import annotations

import os
from collections.abc import Callable

os.environ["KERAS_BACKEND"] = "jax"

import jax
import keras
from exporting import Case, Counts, Tree, at, bf16, boolean, f32, i32, main, write
from keras import layers, ops

BATCH, TIME, WIDTH = 2, 5, 8
X, HALF, IMAGE = f32(BATCH, TIME, WIDTH), bf16(BATCH, TIME, WIDTH), f32(BATCH, 6, 6, WIDTH)
Expected = dict[str, Counts]


def layer(
    name: str,
    says: str,
    module: keras.Layer,
    arguments: tuple[Tree, ...],
    expect: Expected | None = None,
    may: Expected | None = None,
) -> Case:
    """A layer with its variables as arguments, called for inference."""
    module(*(jax.numpy.zeros(a.shape, a.dtype) for a in arguments))  # makes the variables

    def program(trained: Tree, fixed: Tree, *inputs: Tree) -> Tree:
        return module.stateless_call(trained, fixed, *inputs)[0]

    trained = [v.value for v in module.trainable_variables]
    fixed = [v.value for v in module.non_trainable_variables]
    return Case(name, says, program, (trained, fixed, *arguments), expect or {}, may or {})


def function(
    name: str,
    says: str,
    program: Callable[..., Tree],
    arguments: tuple[Tree, ...],
    expect: Expected | None = None,
    may: Expected | None = None,
) -> Case:
    """A function of Keras."""
    return Case(name, says, program, arguments, expect or {}, may or {})


class Attend(layers.Layer):
    """Attention of a sequence to itself."""

    def __init__(self, *, causal: bool = False, shared: bool = False) -> None:
        super().__init__()
        self.causal = causal
        self.heads = (
            layers.GroupQueryAttention(4, 4, 2)
            if shared
            else layers.MultiHeadAttention(num_heads=2, key_dim=4)
        )

    def call(self, x: jax.Array, mask: jax.Array | None = None) -> jax.Array:
        return self.heads(x, x, attention_mask=mask, use_causal_mask=self.causal)


class Block(layers.Layer):
    """A layer of a transformer, normed last."""

    def __init__(self) -> None:
        super().__init__()
        self.attend = Attend(causal=True)
        self.norms = [layers.LayerNormalization(epsilon=1e-6) for _ in range(2)]
        self.up, self.down = layers.Dense(32, activation="gelu"), layers.Dense(WIDTH)

    def call(self, x: jax.Array) -> jax.Array:
        x = self.norms[0](x + self.attend(x))
        return self.norms[1](x + self.down(self.up(x)))


def crossentropy(labels: jax.Array, logits: jax.Array) -> jax.Array:
    return ops.sparse_categorical_crossentropy(labels, logits, from_logits=True)


def dense(activation: str | None, **options: object) -> layers.Dense:
    return layers.Dense(16, activation=activation, **options)


def sequence(*parts: layers.Layer) -> keras.Sequential:
    return keras.Sequential(list(parts))


RELU, SILU = at("relu", relu=1), at("silu", silu=1)
VAR = at("_var", moments=1)
LOSS = main(cross_entropy=1) | at("log_softmax", log_softmax=1)
HEADS = main(attention=1, linear=4)
FUNCTIONS = (
    function("softmax", "ops.softmax", ops.softmax, (X,), main(softmax=1)),
    function("log_softmax", "ops.log_softmax", ops.log_softmax, (X,),
             at("log_softmax", log_softmax=1)),
    function("logsumexp", "ops.logsumexp", lambda x: ops.logsumexp(x, axis=-1), (X,),
             main(logsumexp=1)),
    function("gelu", "ops.gelu, tanh", ops.gelu, (X,), main(gelu=1)),
    function("gelu_erf", "ops.gelu(approximate=False)",
             lambda x: ops.gelu(x, approximate=False), (X,), main(gelu=1)),
    function("silu", "ops.silu", ops.silu, (X,), SILU),
    function("relu6", "ops.relu6", ops.relu6, (X,), at("relu6", relu6=1)),
    function("leaky_relu", "ops.leaky_relu", ops.leaky_relu, (X,),
             at("main|leaky_relu", leaky_relu=1)),
    function("elu", "ops.elu", ops.elu, (X,), at("main|elu", elu=1)),
    function("softplus", "ops.softplus", ops.softplus, (X,), at("softplus", softplus=1)),
    function("softsign", "ops.softsign", ops.softsign, (X,), at("soft_sign", softsign=1)),
    function("hard_sigmoid", "ops.hard_sigmoid", ops.hard_sigmoid, (X,),
             at("hard_sigmoid", hard_sigmoid=1) | at("relu6", relu6=1)),
    function("moments", "ops.moments", lambda x: ops.moments(x, axes=[-1]), (X,),
             at("main|_var", moments=1)),
    function("attention", "ops.dot_product_attention", ops.dot_product_attention,
             (f32(2, 5, 2, 4), f32(2, 5, 2, 4), f32(2, 5, 2, 4)), main(attention=1)),
    function("cross_entropy", "ops.categorical_crossentropy(from_logits=True)",
             lambda y, x: ops.categorical_crossentropy(y, x, from_logits=True),
             (f32(4, 10), f32(4, 10)), LOSS),
    function("cross_entropy_labels", "ops.sparse_categorical_crossentropy(from_logits=True)",
             crossentropy, (i32(4), f32(4, 10)), LOSS),
)  # fmt: skip
LAYERS = (
    layer("layer_norm", "LayerNormalization", layers.LayerNormalization(), (X,),
          main(layer_norm=1), VAR),
    layer("layer_norm_bf16", "LayerNormalization in mixed precision",
          layers.LayerNormalization(dtype="mixed_bfloat16"), (HALF,), main(layer_norm=1), VAR),
    layer("rms_norm", "RMSNormalization", layers.RMSNormalization(), (X,), main(rms_norm=1)),
    layer("group_norm", "GroupNormalization, 2 groups", layers.GroupNormalization(2), (IMAGE,),
          main(group_norm=1), VAR),
    layer("batch_norm", "BatchNormalization, inference", layers.BatchNormalization(), (IMAGE,),
          main(batch_norm_inference=1)),
    layer("dense", "Dense", dense(None), (X,), main(linear=1)),
    layer("dense_without_bias", "Dense without a bias", dense(None, use_bias=False), (X,)),
    layer("dense_relu", "Dense, relu", dense("relu"), (X,), main(linear=1) | RELU),
    layer("dense_bf16", "Dense, gelu, in mixed precision", dense("gelu", dtype="mixed_bfloat16"),
          (HALF,), main(linear=1)),
    layer("mlp", "Dense, gelu, Dense", sequence(dense("gelu"), layers.Dense(WIDTH)), (X,),
          main(transformer_mlp=1)),
    layer("conv_relu", "Conv2D, relu", layers.Conv2D(16, 3, activation="relu"), (IMAGE,),
          main(conv=1) | RELU),
    layer("conv_depthwise", "DepthwiseConv2D, relu",
          layers.DepthwiseConv2D(3, activation="relu"), (IMAGE,), main(conv=1) | RELU),
    layer("embedding", "Embedding", layers.Embedding(10, WIDTH), (i32(BATCH, TIME),),
          at("_take", embedding=1)),
    layer("attention_heads", "MultiHeadAttention", Attend(), (X,), HEADS),
    layer("attention_causal", "MultiHeadAttention, causal", Attend(causal=True), (X,), HEADS),
    layer("attention_mask", "MultiHeadAttention with a mask", Attend(),
          (X, boolean(BATCH, TIME, TIME)), HEADS),
    layer("attention_gqa", "GroupQueryAttention", Attend(shared=True), (X,), HEADS),
    layer("block", "a layer of a transformer", Block(), (X,),
          main(attention=1, layer_norm=2, linear=4, transformer_mlp=1), VAR),
)  # fmt: skip
CASES = (*FUNCTIONS, *LAYERS)

if __name__ == "__main__":
    write("keras", f"keras {keras.__version__} on jax {jax.__version__}", CASES)
