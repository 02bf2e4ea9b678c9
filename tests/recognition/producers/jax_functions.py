"""The functions of `jax.nn` and their like, one to a module."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from exporting import Case, at, bf16, f32, i32, main, write
from jax import nn

X = f32(2, 5, 8)
H = bf16(4, 16)


def activation(name: str, pattern: str, inner: dict[str, str] | None = None) -> Case:
    """A function of jax.nn that JAX lowers to a function of its own name."""
    expect = dict(at(name, **{pattern: 1}))
    for function, found in (inner or {}).items():
        expect |= at(function, **{found: 1})
    return Case(name, f"jax.nn.{name}", getattr(nn, name), (X,), expect)


ACTIVATIONS = (
    activation("relu", "relu"),
    activation("relu6", "relu6"),
    activation("leaky_relu", "leaky_relu"),
    activation("elu", "elu"),
    activation("silu", "silu"),
    activation("softplus", "softplus"),
    activation("soft_sign", "softsign"),
    activation("hard_sigmoid", "hard_sigmoid", {"relu6": "relu6"}),
    activation("hard_silu", "hard_swish", {"hard_sigmoid": "hard_sigmoid", "relu6": "relu6"}),
    activation("hard_tanh", "hard_tanh"),
    activation("mish", "mish", {"softplus": "softplus"}),
    Case("silu_bf16", "jax.nn.silu in bfloat16", nn.silu, (H,), at("silu", silu=1)),
    Case(
        "leaky_relu_slope",
        "jax.nn.leaky_relu with a slope of 0.2",
        lambda x: nn.leaky_relu(x, 0.2),
        (X,),
        at("main|leaky_relu", leaky_relu=1),
    ),
    Case(
        "elu_alpha",
        "jax.nn.elu with alpha 0.5",
        lambda x: nn.elu(x, 0.5),
        (X,),
        at("main|elu", elu=1),
    ),
    Case(
        "gelu_erf",
        "jax.nn.gelu(approximate=False)",
        lambda x: nn.gelu(x, approximate=False),
        (X,),
        main(gelu=1),
    ),
    Case(
        "gelu_erf_bf16",
        "jax.nn.gelu(approximate=False) in bfloat16",
        lambda x: nn.gelu(x, approximate=False),
        (H,),
        main(gelu=1),
    ),
    Case(
        "gelu_by_erf",
        "0.5 x (1 + erf(x / sqrt 2)), by hand",
        lambda x: 0.5 * x * (1 + jax.lax.erf(x / jnp.sqrt(2.0))),
        (X,),
        main(gelu=1),
    ),
    Case("gelu_tanh", "jax.nn.gelu", nn.gelu, (X,), main(gelu=1)),
    Case("gelu_tanh_bf16", "jax.nn.gelu in bfloat16", nn.gelu, (H,), main(gelu=1)),
    Case(
        "swish_lax",
        "x * lax.logistic(x)",
        lambda x: x * jax.lax.logistic(x),
        (X,),
        main(silu=1),
    ),
    Case(
        "swiglu",
        "silu(a) * b",
        lambda a, b: nn.silu(a) * b,
        (X, X),
        main(swiglu=1) | at("silu", silu=1),
    ),
    Case(
        "glu_is_not_swiglu",
        "jax.nn.glu: a * sigmoid(b), of the halves of x",
        nn.glu,
        (X,),
    ),
    Case(
        "celu_is_not_elu",
        "jax.nn.celu with alpha 2",
        lambda x: nn.celu(x, 2.0),
        (X,),
        main(celu=1),
        may=at("celu", relu=1),
    ),
    Case(
        "selu_is_not_elu",
        "jax.nn.selu: a scaled elu",
        nn.selu,
        (X,),
        at("selu", selu=1),
        may=at("elu", elu=1),
    ),
    Case("sigmoid_alone", "jax.nn.sigmoid", nn.sigmoid, (X,)),
    Case("one_hot_alone", "jax.nn.one_hot", lambda i: nn.one_hot(i, 8), (i32(4),)),
)

SOFTMAXES = (
    Case("softmax", "jax.nn.softmax", nn.softmax, (X,), main(softmax=1)),
    Case("softmax_bf16", "jax.nn.softmax in bfloat16", nn.softmax, (H,), main(softmax=1)),
    Case(
        "softmax_axis0",
        "jax.nn.softmax over the first axis",
        lambda x: nn.softmax(x, axis=0),
        (X,),
        main(softmax=1),
    ),
    Case(
        "softmax_two_axes",
        "jax.nn.softmax over two axes at once, which is no softmax along an axis",
        lambda x: nn.softmax(x, axis=(1, 2)),
        (X,),
        may=main(softmax=1),
    ),
    Case(
        "softmax_in_f32",
        "softmax of bfloat16 logits, computed in f32",
        lambda x: nn.softmax(x.astype(jnp.float32), axis=-1).astype(x.dtype),
        (H,),
        main(softmax=1),
    ),
    Case(
        "softmax_unshifted",
        "exp(x) / sum(exp(x))",
        lambda x: jnp.exp(x) / jnp.sum(jnp.exp(x), -1, keepdims=True),
        (X,),
        may=main(softmax=1),
    ),
    Case(
        "softmax_where",
        "jax.nn.softmax with a mask of what counts",
        lambda x, m: nn.softmax(x, where=m),
        (X, jnp.zeros(X.shape, bool)),
        may=main(softmax=1),
    ),
    Case(
        "two_softmaxes",
        "the softmax of a softmax",
        lambda x: nn.softmax(nn.softmax(x), axis=1),
        (X,),
        main(softmax=2),
    ),
    Case(
        "log_softmax", "jax.nn.log_softmax", nn.log_softmax, (X,), at("log_softmax", log_softmax=1)
    ),
    Case(
        "log_of_softmax",
        "log(softmax(x))",
        lambda x: jnp.log(nn.softmax(x)),
        (X,),
        main(log_softmax=1),
    ),
    Case("logsumexp", "jax.nn.logsumexp", lambda x: nn.logsumexp(x, -1), (X,), main(logsumexp=1)),
    Case(
        "logsumexp_keepdims",
        "jax.nn.logsumexp(keepdims=True) over the middle axis, in bfloat16",
        lambda x: nn.logsumexp(x, 1, keepdims=True),
        (bf16(2, 5, 8),),
        main(logsumexp=1),
    ),
    Case(
        "logsumexp_all",
        "jax.nn.logsumexp over everything",
        nn.logsumexp,
        (X,),
        main(logsumexp=1),
    ),
)

MOMENTS = (
    Case(
        "mean_and_variance",
        "jnp.mean and jnp.var over the last axis",
        lambda x: (jnp.mean(x, -1), jnp.var(x, -1)),
        (X,),
        at("main|_var", moments=1),
    ),
    Case(
        "variance_two_pass",
        "the mean of squared distances to the mean, and the mean",
        lambda x: (
            jnp.mean(x, -1),
            jnp.mean(jnp.square(x - jnp.mean(x, -1, keepdims=True)), -1),
        ),
        (X,),
        main(moments=1),
    ),
    Case(
        "variance_one_pass",
        "the mean of squares less the square of the mean, and the mean",
        lambda x: (jnp.mean(x, -1), jnp.mean(x * x, -1) - jnp.square(jnp.mean(x, -1))),
        (X,),
        main(moments=1),
    ),
    Case(
        "standardize",
        "jax.nn.standardize, whose variance is one-pass",
        nn.standardize,
        (X,),
        at("standardize", layer_norm=1),
    ),
)

CASES = (*ACTIVATIONS, *SOFTMAXES, *MOMENTS)

if __name__ == "__main__":
    write("jax", f"jax {jax.__version__}", CASES)
