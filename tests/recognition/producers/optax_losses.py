"""Cross entropies, of optax and by hand."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import optax
from exporting import Case, at, bf16, f32, i32, main, write
from jax import nn

LOGITS, LABELS, ONE_HOT = f32(4, 10), i32(4), f32(4, 10)
ONE = main(cross_entropy=1)
INNER = ONE | at("log_softmax", log_softmax=1)


def picked(logits: jax.Array, labels: jax.Array) -> jax.Array:
    return -jnp.take_along_axis(nn.log_softmax(logits), labels[:, None], axis=-1)[:, 0]


def picked_mean(logits: jax.Array, labels: jax.Array) -> jax.Array:
    return -jnp.mean(jnp.take_along_axis(nn.log_softmax(logits), labels[:, None], axis=-1))


def summed(logits: jax.Array, labels: jax.Array) -> jax.Array:
    return -jnp.sum(nn.one_hot(labels, 10) * nn.log_softmax(logits), axis=-1)


def summed_mean(logits: jax.Array, targets: jax.Array) -> jax.Array:
    return jnp.mean(-jnp.sum(targets * nn.log_softmax(logits), axis=-1))


def by_log(logits: jax.Array, targets: jax.Array) -> jax.Array:
    return -jnp.sum(targets * jnp.log(nn.softmax(logits)), axis=-1)


def less_the_right_one(logits: jax.Array, labels: jax.Array) -> jax.Array:
    right = jnp.take_along_axis(logits, labels[:, None], axis=-1)[:, 0]
    return nn.logsumexp(logits, axis=-1) - right


CASES = (
    Case("softmax_cross_entropy", "optax.softmax_cross_entropy",
         optax.softmax_cross_entropy, (LOGITS, ONE_HOT), INNER),
    Case("integer_labels", "optax.softmax_cross_entropy_with_integer_labels",
         optax.softmax_cross_entropy_with_integer_labels, (LOGITS, LABELS), ONE),
    Case("integer_labels_bf16", "the same for bfloat16 logits of rank 3",
         optax.softmax_cross_entropy_with_integer_labels, (bf16(2, 4, 10), i32(2, 4)), ONE),
    Case("integer_labels_mean", "the mean of the losses",
         lambda x, y: optax.softmax_cross_entropy_with_integer_labels(x, y).mean(),
         (LOGITS, LABELS), ONE),
    Case("log_softmax_picked", "-log_softmax(x)[label]", picked, (LOGITS, LABELS), INNER),
    Case("log_softmax_picked_mean", "their mean", picked_mean, (LOGITS, LABELS), INNER),
    Case("one_hot", "-sum(one_hot(label) * log_softmax(x))", summed, (LOGITS, LABELS), INNER),
    Case("targets_mean", "the mean of -sum(target * log_softmax(x))", summed_mean,
         (LOGITS, ONE_HOT), INNER),
    Case("log_of_softmax", "-sum(target * log(softmax(x)))", by_log, (LOGITS, ONE_HOT), ONE),
    Case("logsumexp", "logsumexp(x) - x[label]", less_the_right_one, (LOGITS, LABELS), ONE),
    Case("sigmoid_binary", "optax.sigmoid_binary_cross_entropy, which is another",
         optax.sigmoid_binary_cross_entropy, (LOGITS, ONE_HOT),
         at("softplus", softplus=1) | at("log_sigmoid", log_sigmoid=1)),
)  # fmt: skip

if __name__ == "__main__":
    write("optax", f"optax {optax.__version__} on jax {jax.__version__}", CASES)
