"""Programs with no pattern in them, some of which come close; written by hand in JAX."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from exporting import Case, f32, i32, main, write
from jax import nn

X, FLAT, SCALE = f32(4, 8), f32(6, 8), f32(8)


def stencil(u: jax.Array) -> jax.Array:
    around = jnp.roll(u, 1, 0) + jnp.roll(u, -1, 0) + jnp.roll(u, 1, 1) + jnp.roll(u, -1, 1)
    return u + 0.1 * (around - 4.0 * u)


def burgers(u: jax.Array) -> jax.Array:
    def step(_: int, u: jax.Array) -> jax.Array:
        left, right = jnp.roll(u, 1), jnp.roll(u, -1)
        return u - 0.01 * u * (right - left) / 0.2 + 0.001 * (right - 2 * u + left) / 0.01

    return jax.lax.fori_loop(0, 10, step, u)


def low_pass(x: jax.Array) -> jax.Array:
    spectrum = jnp.fft.rfft(x)
    return jnp.fft.irfft(jnp.where(jnp.arange(5) < 3, spectrum, 0), n=8)


def elementwise(x: jax.Array, y: jax.Array) -> jax.Array:
    z = jnp.sin(x) * jnp.exp(-jnp.abs(y)) + jnp.sqrt(jnp.abs(x * y) + 0.5)
    return jnp.maximum(z, y) / (1.0 + x * x) - jnp.tanh(z)


def reductions(x: jax.Array) -> tuple[jax.Array, ...]:
    return x.sum(0), x.max(1), jnp.prod(x), x.min(0) * x.sum(1).max(), jnp.argmax(x, 1)


def sorted_sums(x: jax.Array) -> tuple[jax.Array, jax.Array]:
    return jnp.cumsum(jnp.sort(x, axis=-1), axis=0), jnp.argsort(x, axis=0)


def linear_attention(query: jax.Array, key: jax.Array, value: jax.Array) -> jax.Array:
    return (query @ key.T / jnp.sqrt(8.0)) @ value


def sigmoid_attention(query: jax.Array, key: jax.Array, value: jax.Array) -> jax.Array:
    return nn.sigmoid(query @ key.T * 8**-0.5) @ value


def softmax_over_queries(query: jax.Array, key: jax.Array, value: jax.Array) -> jax.Array:
    return nn.softmax(query @ key.T * 8**-0.5, axis=0) @ value


def softmax_sum_elsewhere(x: jax.Array) -> jax.Array:
    top = jnp.exp(x - jnp.max(x, axis=1, keepdims=True))
    return top / jnp.sum(top, axis=0, keepdims=True)


def softmax_of_another(x: jax.Array, y: jax.Array) -> jax.Array:
    top = jnp.exp(x - jnp.max(x, axis=1, keepdims=True))
    below = jnp.exp(y - jnp.max(x, axis=1, keepdims=True))
    return top / jnp.sum(below, axis=1, keepdims=True)


def softmax_base_two(x: jax.Array) -> jax.Array:
    top = jnp.exp2(x - jnp.max(x, axis=1, keepdims=True))
    return top / jnp.sum(top, axis=1, keepdims=True)


def normalized_exp(x: jax.Array) -> jax.Array:
    top = jnp.exp(x - jnp.min(x, axis=1, keepdims=True))
    return top / jnp.sum(top, axis=1, keepdims=True)


def wrong_divisor(x: jax.Array, scale: jax.Array) -> jax.Array:
    centred = x - jnp.sum(x, 1, keepdims=True) / 7
    return centred * jax.lax.rsqrt(jnp.sum(centred**2, 1, keepdims=True) / 7 + 1e-5) * scale


def another_mean(x: jax.Array, y: jax.Array) -> jax.Array:
    variance = jnp.mean(jnp.square(x - jnp.mean(x, 1, keepdims=True)), 1, keepdims=True)
    return (x - jnp.mean(y, 1, keepdims=True)) * jax.lax.rsqrt(variance + 1e-5)


def two_axes(x: jax.Array, scale: jax.Array) -> jax.Array:
    return x * jax.lax.rsqrt(jnp.mean(x * x, 0)[:, None][:4] + 1e-5) * scale


def unit_length(x: jax.Array) -> jax.Array:
    return x * jax.lax.rsqrt(jnp.sum(x * x, -1, keepdims=True) + 1e-12)


def no_epsilon_but_two(x: jax.Array) -> jax.Array:
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 2.0)


def gelu_half(x: jax.Array) -> jax.Array:
    return 0.5 * x * (1 + jax.lax.erf(x * 0.5))


def gelu_of_two(x: jax.Array, y: jax.Array) -> jax.Array:
    return 0.5 * x * (1 + jax.lax.erf(y * 0.70710678))


def gelu_another_cubic(x: jax.Array) -> jax.Array:
    return 0.5 * x * (1 + jnp.tanh(0.7978846 * (x + 0.44715 * x**3)))


def quick_gelu(x: jax.Array) -> jax.Array:
    return x * nn.sigmoid(1.702 * x)


def silu_of_two(x: jax.Array, y: jax.Array) -> jax.Array:
    return x * jax.lax.logistic(y)


def rope_signs(x: jax.Array, cos: jax.Array, sin: jax.Array) -> jax.Array:
    left, right = jnp.split(x, 2, axis=-1)
    return x * cos + jnp.concatenate([right, left], -1) * sin


def rope_thirds(x: jax.Array, cos: jax.Array, sin: jax.Array) -> jax.Array:
    return x * cos + jnp.concatenate([-x[:, 6:], x[:, :6]], -1) * sin


def relu_of_one(x: jax.Array) -> jax.Array:
    return jnp.maximum(x, 1.0)


def leaky_the_other_way(x: jax.Array) -> jax.Array:
    return jnp.where(x >= 0, 0.1 * x, x)


def bias_of_rows(x: jax.Array, w: jax.Array, b: jax.Array) -> jax.Array:
    return x @ w + b[:, None]


def gather_of_windows(table: jax.Array, starts: jax.Array) -> jax.Array:
    return jax.vmap(lambda s: jax.lax.dynamic_slice(table, (s, 0), (2, 8)))(starts)


def labels_of_another(x: jax.Array, y: jax.Array, targets: jax.Array) -> jax.Array:
    shifted = x - jnp.max(x, -1, keepdims=True)
    return -jnp.sum(targets * (shifted - jnp.log(jnp.sum(jnp.exp(y), -1, keepdims=True))), -1)


def covariance(x: jax.Array, y: jax.Array) -> jax.Array:
    return jnp.mean(x * y, 1) - jnp.mean(x, 1) * jnp.mean(y, 1)


def grouped_weight_gradient(x: jax.Array, w: jax.Array, y: jax.Array) -> jax.Array:
    def forward(w: jax.Array) -> jax.Array:
        return jax.lax.conv_general_dilated(x, w, (2, 2), "VALID", feature_group_count=2)

    return jax.vjp(forward, w)[1](y)[0]


THREE, ONE_SOFTMAX = (FLAT, FLAT, FLAT), main(softmax=1)
SQUARE = f32(8, 8)
CASES = (
    Case("stencil", "a step of the heat equation", stencil, (SQUARE,)),
    Case("burgers", "ten steps of Burgers' equation", burgers, (f32(16),)),
    Case("low_pass", "a filter by Fourier transform", low_pass, (X,)),
    Case("elementwise", "elementwise operations", elementwise, (X, X)),
    Case("reductions", "reductions", reductions, (f32(4, 4),)),
    Case("sorted_sums", "sort and cumsum", sorted_sums, (X,)),
    Case("linear_attention", "two products, no softmax", linear_attention, THREE),
    Case("sigmoid_attention", "a sigmoid for softmax", sigmoid_attention, THREE),
    Case("softmax_over_queries", "a softmax over the queries between two products",
         softmax_over_queries, THREE, ONE_SOFTMAX),
    Case("softmax_sum_elsewhere", "the sum is over another axis", softmax_sum_elsewhere, (X,)),
    Case("softmax_of_another", "the sum is of another value", softmax_of_another, (X, X)),
    Case("softmax_base_two", "powers of two", softmax_base_two, (X,)),
    Case("normalized_exp", "shifted by the least", normalized_exp, (X,), may=ONE_SOFTMAX),
    Case("layer_norm_wrong_divisor", "8 values, divided by 7", wrong_divisor, (X, SCALE)),
    Case("layer_norm_another_mean", "less another's mean", another_mean, (X, X),
         may=main(moments=1)),
    Case("rms_norm_another_axis", "scaled by the moments of columns", two_axes, (X, SCALE)),
    Case("unit_length", "the sum of squares, not their mean", unit_length, (X,)),
    Case("rms_norm_of_two", "an epsilon of 2", no_epsilon_but_two, (X,), may=main(rms_norm=1)),
    Case("gelu_half", "erf(x / 2)", gelu_half, (X,)),
    Case("gelu_of_two", "x times the erf of another", gelu_of_two, (X, X)),
    Case("gelu_another_cubic", "0.44715 for 0.044715", gelu_another_cubic, (X,)),
    Case("quick_gelu", "x sigmoid(1.702 x)", quick_gelu, (X,), main(quick_gelu=1)),
    Case("silu_of_two", "x sigmoid(y)", silu_of_two, (X, X)),
    Case("rope_signs", "no half is negated", rope_signs, (X, X, X)),
    Case("rope_thirds", "rotated by two, not by half", rope_thirds, (X, X, X)),
    Case("relu_of_one", "max(x, 1)", relu_of_one, (X,)),
    Case("leaky_the_other_way", "a slope above zero", leaky_the_other_way, (X,)),
    Case("bias_of_rows", "x @ w + b, a number for each row", bias_of_rows,
         (X, SQUARE, f32(4))),
    Case("gather_of_windows", "slices at places", gather_of_windows, (f32(10, 8), i32(4))),
    Case("labels_of_another", "cross entropy, but for another's sum", labels_of_another,
         (X, X, X), main(logsumexp=1)),
    Case("grouped_weight_gradient", "the gradient of a convolution by its weights",
         grouped_weight_gradient, (f32(2, 4, 7, 7), f32(8, 2, 3, 3), f32(2, 8, 3, 3))),
    Case("covariance", "E[xy] - E[x] E[y]", covariance, (X, X)),
)  # fmt: skip

if __name__ == "__main__":
    write("near_misses", f"jax {jax.__version__}", CASES)
