"""Gradients and updates in JAX: what is in them is used all over, and is not judged.

Whatever recognition finds there, the way back has to give the same program.
"""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
import jax_blocks as blocks
import jax_layers as layers
import optax
from exporting import ANYTHING, Case, Tree, f32, i32, write
from jax import nn


def gradient(function: Callable[..., jax.Array]) -> Callable[..., Tree]:
    """The gradient of the sum of squares of what a function gives, by all it is given."""

    def loss(arguments: Tree) -> jax.Array:
        return jnp.sum(jnp.square(function(*arguments)))

    return lambda *arguments: jax.value_and_grad(loss)(arguments)


def classifier_step(weights: Tree, x: jax.Array, labels: jax.Array) -> tuple[jax.Array, Tree]:
    """A step of Adam, from its start."""
    adam = optax.adamw(1e-3)

    def loss(weights: Tree) -> jax.Array:
        hidden = nn.relu(x @ weights["w1"] + weights["b1"])
        logits = hidden @ weights["w2"] + weights["b2"]
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    value, slope = jax.value_and_grad(loss)(weights)
    updates, _ = adam.update(slope, adam.init(weights), weights)
    return value, optax.apply_updates(weights, updates)


WEIGHTS = {"w1": f32(8, 16), "b1": f32(16), "w2": f32(16, 10), "b2": f32(10)}
CASES = (
    Case("softmax_gradient", "the gradient of a softmax", gradient(nn.softmax),
         (layers.X,), ANYTHING),
    Case("layer_norm_gradient", "the gradient of a layer norm", gradient(layers.layer_norm),
         layers.N, ANYTHING),
    Case("gelu_gradient", "the gradient of a gelu", gradient(nn.gelu), (layers.X,), ANYTHING),
    Case("gated_gradient", "the gradient of a gated layer", gradient(layers.gated),
         (layers.X, layers.W, layers.W, f32(16, 8)), ANYTHING),
    Case("conv_gradient", "the gradient of a convolution with bias and relu",
         gradient(layers.conv), (layers.IMAGE, f32(3, 3, 8, 16), layers.BIAS), ANYTHING),
    Case("llama_gradient", "the gradient of a decoder layer of Llama",
         gradient(blocks.llama_layer), (blocks.X, blocks.LLAMA), ANYTHING),
    Case("gpt2_gradient", "the gradient of a layer of GPT-2", gradient(blocks.gpt2_layer),
         (blocks.X, blocks.GPT2), ANYTHING),
    Case("classifier_step", "a step of training of two layers", classifier_step,
         (WEIGHTS, f32(4, 8), i32(4)), ANYTHING),
)  # fmt: skip

if __name__ == "__main__":
    producer = f"optax {optax.__version__} on jax {jax.__version__}"
    write("jax_training", producer, CASES)
