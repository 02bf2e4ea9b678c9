"""What JAX exports is sound: no rule warns of it, as text, with locations and as an artifact."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax import lax
from jax.export import export, symbolic_shape
from jax.sharding import AbstractMesh, AxisType, NamedSharding, PartitionSpec

from dxir.verify.fleet import check_files
from dxir.verify.modules import check_module
from dxir.verify.settings import Settings

CORPUS = Path(__file__).parent.parent / "recognition" / "corpus"
DOUBTFUL = {
    # Two ops, where log_softmax is one: -inf for what is 104 below the maximum in f32.
    ("jax/log_of_softmax.mlir", "numerics-log-softmax"),
    ("optax/log_of_softmax.mlir", "numerics-log-softmax"),
    # Written by hand without a maximum: NaN, or infinite, with one x of 89.
    ("jax/softmax_unshifted.mlir", "numerics-unshifted-softmax"),
    ("near_misses/labels_of_another.mlir", "numerics-unshifted-softmax"),
    # jax.nn.standardize, and E[x^2] - E[x]^2 by hand, with nothing to keep them from below 0.
    ("jax/standardize.mlir", "numerics-one-pass-variance"),
    ("jax/variance_one_pass.mlir", "numerics-one-pass-variance"),
    # A mean over the labels that are not ignored: torch gives NaN where all are.
    ("torchax/cross_entropy.mlir", "numerics-masked-division"),
}

EXPORTS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {}
KEY = jax.ShapeDtypeStruct((2,), jnp.uint32)


def f32(*shape: int) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(shape, jnp.float32)


def bf16(*shape: int) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(shape, jnp.bfloat16)


def i32(*shape: int) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(shape, jnp.int32)


def given(*arguments: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Export a function for arguments of these types."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        EXPORTS[function.__name__] = function, arguments
        return function

    return add


def two_layers(w: Any, x: Any) -> Any:
    return jax.nn.gelu(jnp.tanh(x @ w[0]) @ w[1])


WEIGHTS = (f32(8, 16), f32(16, 4))


@given(WEIGHTS, f32(5, 8), i32(5))
def classifier_step(w: Any, x: Any, labels: Any) -> Any:
    def loss(w: Any) -> Any:
        logp = jax.nn.log_softmax(two_layers(w, x))
        return -jnp.mean(jnp.take_along_axis(logp, labels[:, None], axis=-1))

    value, gradient = jax.value_and_grad(loss)(w)
    return value, jax.tree.map(lambda a, g: a - 0.1 * g, w, gradient)


@given(WEIGHTS, f32(5, 8))
def mean_squares_and_hessian(w: Any, x: Any) -> Any:
    return jax.hessian(lambda s: jnp.mean((two_layers(w, x * s)) ** 2))(2.0)


@given(f32(6), f32(6), f32(6), f32(6), i32())
def adam(p: Any, m: Any, v: Any, g: Any, t: Any) -> Any:
    m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
    return p - 0.01 * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8), m, v


@given(f32(6, 4))
def clipped_by_norm(g: Any) -> Any:
    norm = jnp.sqrt(jnp.sum(g * g))
    return g * jnp.minimum(1.0, 1.0 / jnp.maximum(norm, 1e-6)), jnp.linalg.norm(g)


@given(f32(2, 12, 4, 8), f32(2, 12, 4, 8), f32(2, 12, 4, 8))
def attention(q: Any, k: Any, v: Any) -> Any:
    return jax.nn.dot_product_attention(q, k, v, is_causal=True)


@given(f32(2, 12, 32), f32(32, 96), f32(32), f32(32, 64), f32(64, 32))
def transformer_layer(x: Any, qkv: Any, g: Any, up: Any, down: Any) -> Any:
    def norm(y: Any) -> Any:
        y = y - y.mean(-1, keepdims=True)
        return y * lax.rsqrt(jnp.mean(y * y, -1, keepdims=True) + 1e-5) * g

    q, k, v = jnp.split(norm(x) @ qkv, 3, axis=-1)
    scores = jnp.einsum("bqd,bkd->bqk", q, k) / jnp.sqrt(32.0)
    scores = jnp.where(jnp.tril(jnp.ones((12, 12), bool)), scores, -jnp.inf)
    x = x + jnp.einsum("bqk,bkd->bqd", jax.nn.softmax(scores), v)
    return x + jax.nn.silu(norm(x) @ up) @ down


@given(f32(2, 12, 12, 3), f32(3, 3, 3, 8), f32(3, 3, 1, 16))
def cnn(x: Any, w: Any, depthwise: Any) -> Any:
    numbers = ("NHWC", "HWIO", "NHWC")
    x = jax.nn.relu(lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=numbers))
    x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    x = lax.conv_general_dilated(
        x, depthwise, (2, 2), "SAME", dimension_numbers=numbers, feature_group_count=8
    )
    return lax.reduce_window(x, 0.0, lax.add, (1, 3, 3, 1), (1, 1, 1, 1), "SAME") / 9


@given(f32(2, 12, 12, 3), f32(3, 3, 3, 8))
def cnn_gradient(x: Any, w: Any) -> Any:
    def loss(w: Any) -> Any:
        y = lax.conv(x.transpose(0, 3, 1, 2), w.transpose(3, 2, 0, 1), (2, 2), "SAME")
        return lax.reduce_window(y, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "SAME").sum()

    return jax.grad(loss)(w)


@given(f32(7, 2, 8), f32(8, 32), f32(8, 32), f32(2, 8))
def lstm(xs: Any, w: Any, u: Any, h: Any) -> Any:
    def step(carry: Any, x: Any) -> Any:
        h, c = carry
        i, f, g, o = jnp.split(x @ w + h @ u, 4, axis=-1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    return jax.grad(lambda h: lax.scan(step, (h, h), xs)[1].sum())(h)


@given(f32(4, 4), f32(4))
def solvers(a: Any, b: Any) -> Any:
    spd = a @ a.T + jnp.eye(4)
    return (
        jnp.linalg.solve(a, b),
        jnp.linalg.cholesky(spd),
        jnp.linalg.eigh(spd),
        jnp.linalg.svd(a, compute_uv=False),
        jnp.linalg.qr(a),
        jnp.linalg.inv(a),
        jnp.linalg.slogdet(a),
    )


@given(f32(4, 4))
def solver_gradient(a: Any) -> Any:
    return jax.grad(lambda a: jnp.linalg.cholesky(a @ a.T + jnp.eye(4)).sum())(a)


@given(f32(4, 16))
def spectra(x: Any) -> Any:
    return jnp.fft.irfft(jnp.fft.rfft(x)), jnp.abs(jnp.fft.fft2(x)), jnp.angle(jnp.fft.fft(x))


@given(f32(4, 16), i32(16))
def orders(x: Any, ids: Any) -> Any:
    return (
        jnp.sort(x),
        jnp.argsort(x, axis=0, descending=True),
        lax.top_k(x, 3),
        jnp.argmax(x, -1),
        jnp.argmin(x),
        jnp.median(x),
        jnp.quantile(x, 0.3),
        jnp.lexsort((x[0], ids)),
        jnp.unique(ids, size=8),
        jnp.searchsorted(jnp.sort(x[0]), x[1]),
        jnp.nanmax(x),
    )


@given(f32(4, 16))
def sums(x: Any) -> Any:
    return (
        jnp.cumsum(x, 1),
        jnp.cumprod(x),
        lax.cummax(x),
        jax.nn.logsumexp(x, -1),
        lax.cumlogsumexp(x),
        jnp.var(x, 0, ddof=1),
        jnp.nanmean(x),
        jnp.prod(x),
        jnp.all(x > 0),
        lax.associative_scan(jnp.maximum, x),
    )


@given(KEY)
def random_numbers(key: Any) -> Any:
    a, b = jax.random.split(key)
    return jax.random.normal(a, (3, 5)), jax.random.bernoulli(b, 0.2, (7,))


@given(KEY, f32(3, 9))
def choices(key: Any, logits: Any) -> Any:
    return jax.random.categorical(key, logits), jax.random.permutation(key, 9)


@given(KEY)
def other_distributions(key: Any) -> Any:
    return jax.random.gumbel(key, (3,)), jax.random.randint(key, (4,), 0, 10)


@given(f32(20, 3), i32(20), i32(4))
def segments(x: Any, ids: Any, places: Any) -> Any:
    return (
        jax.ops.segment_sum(x, ids, num_segments=6),
        jax.ops.segment_max(x, ids, num_segments=6),
        x[places],
        x.at[places].set(1.0),
        x.at[places].add(2.0),
        jnp.take(x, places, axis=0, mode="clip"),
        x.at[jnp.array([0, 3, 5])].max(0.0),
        lax.dynamic_slice(x, (places[0], 0), (2, 3)),
    )


@given(f32(40, 8), i32(2, 5))
def embedding_gradient(table: Any, ids: Any) -> Any:
    return jax.grad(lambda t: jnp.sum(t[ids] ** 2))(table)


@given(bf16(2, 300, 64), bf16(64, 32), f32(32))
def mixed_precision(x: Any, w: Any, g: Any) -> Any:
    y = jnp.einsum("bsd,df->bsf", x, w, preferred_element_type=jnp.float32)
    y = y * lax.rsqrt(jnp.mean(y * y, -1, keepdims=True) + 1e-6) * g
    y = y.astype(jnp.bfloat16)
    return jnp.sum(y, axis=1), jnp.mean(y), jax.nn.softmax(y), jnp.max(y, 0), y @ w.T


@given(bf16(64, 128), bf16(128, 64))
def gradient_in_bf16(w: Any, x: Any) -> Any:
    return jax.grad(lambda w: jnp.mean(jax.nn.gelu(w @ x).astype(jnp.float32) ** 2))(w)


@given(f32(3, 7))
def activations(x: Any) -> Any:
    nn = jax.nn
    return [
        f(x) for f in (nn.relu, nn.relu6, nn.sigmoid, nn.softplus, nn.soft_sign, nn.silu, nn.mish)
    ] + [
        f(x)
        for f in (nn.log_sigmoid, nn.leaky_relu, nn.hard_tanh, nn.elu, nn.celu, nn.selu, nn.glu)
        if f is not nn.glu
    ]


@given(f32(3, 8))
def more_activations(x: Any) -> Any:
    nn = jax.nn
    return (
        *(nn.gelu(x, approximate=False), nn.gelu(x), nn.glu(x), nn.hard_swish(x)),
        *(nn.one_hot(x[0].astype(int), 5), nn.log_softmax(x), nn.squareplus(x)),
    )


@given(f32(3, 8))
def activation_gradients(x: Any) -> Any:
    nn = jax.nn
    functions = (nn.softplus, nn.log_sigmoid, nn.softmax, nn.log_softmax, nn.logsumexp, nn.gelu)
    return [jax.grad(lambda x, f=f: f(x).sum())(x) for f in functions]


@given(f32(3, 8), f32(3, 8))
def special_functions(x: Any, y: Any) -> Any:
    s = jax.scipy.special
    return (
        *(s.xlogy(x, y), s.xlog1py(x, y), s.entr(x), s.rel_entr(x, y), s.erf(x), s.erfc(x)),
        *(s.logit(x), s.expit(x), s.log_ndtr(x), s.ndtr(x), s.gammaln(x), s.digamma(x)),
        *(jnp.logaddexp(x, y), jnp.hypot(x, y), jnp.sinc(x), jnp.expm1(x), jnp.cosh(x)),
    )


@given(f32(3, 8), f32(3, 8))
def losses(x: Any, y: Any) -> Any:
    apart = jnp.abs(x - y)
    return (
        jnp.mean(jnp.where(apart < 1, 0.5 * apart**2, apart - 0.5)),
        jnp.sum(jax.nn.softplus(x) - x * y),
        jnp.sum(jnp.where(y > 0, y * (jnp.log(jnp.where(y > 0, y, 1.0)) - x), 0.0)),
        jnp.sum(x * y) / jnp.maximum(jnp.linalg.norm(x) * jnp.linalg.norm(y), 1e-8),
    )


@given(f32(8, 16), i32(), i32())
def decoding(cache: Any, token: Any, position: Any) -> Any:
    def body(s: Any) -> Any:
        cache, token, position = s
        x = cache[token % 8]
        cache = lax.dynamic_update_slice(cache, x[None], (position, 0))
        scores = jnp.where(jnp.arange(8) <= position, cache @ x, -1e9)
        token = jnp.argmax(jax.nn.softmax(scores) @ cache).astype(jnp.int32)
        return cache, token, position + 1

    return lax.while_loop(lambda s: s[2] < 8, body, (cache, token, position))


@given(f32(4), i32())
def branches(x: Any, n: Any) -> Any:
    x = lax.cond(n > 0, jnp.sin, jnp.cos, x)
    x = lax.switch(n, (jnp.exp, jnp.negative, lambda x: x * 2), x)
    return lax.fori_loop(0, n, lambda i, x: x * 0.5 + i, x), lax.map(jnp.tanh, x)


@given(f32(4, 5))
def rematerialized(x: Any) -> Any:
    @jax.checkpoint
    def block(x: Any) -> Any:
        return jnp.sin(jnp.cos(x))

    return jax.grad(lambda x: block(x).sum())(x)


@jax.custom_vjp
def clamped(x: Any) -> Any:
    return jnp.clip(x, -1, 1)


clamped.defvjp(lambda x: (clamped(x), x), lambda x, g: (jnp.where(jnp.abs(x) < 2, g, 0.0),))


@given(f32(4, 5))
def own_gradient(x: Any) -> Any:
    return jax.vmap(jax.grad(lambda x: clamped(x).sum()))(x)


@given(f32(3, 4, 5), f32(3, 5, 6), f32(6))
def contractions(a: Any, b: Any, c: Any) -> Any:
    return (
        jnp.einsum("bij,bjk,k->bi", a, b, c),
        jnp.vectorize(jnp.dot, signature="(n),(n)->()")(a, a),
        jnp.kron(a[0], b[0]),
        jnp.tensordot(a, b, ((2, 0), (1, 0))),
    )


@given(f32(6, 8))
def shapes(x: Any) -> Any:
    return (
        *(jnp.pad(x, 2, mode="reflect"), jnp.roll(x, 3), jnp.flip(x), jnp.repeat(x, 2, 0)),
        *(jnp.tile(x, (2, 1)), jnp.diag(x[0]), jnp.triu(x), jnp.linspace(0, x[0, 0], 9)),
        jax.image.resize(x, (12, 4), "bilinear"),
        jnp.histogram(x, 5)[0],
        jnp.convolve(x[0], x[1]),
        jnp.interp(x[0], jnp.arange(4.0), jnp.arange(4.0)),
    )


@given(f32(64, 32), jax.ShapeDtypeStruct((32, 8), jnp.int8))
def quantized(x: Any, w: Any) -> Any:
    scale = jnp.maximum(jnp.max(jnp.abs(x)), 1e-6) / 127
    q = jnp.clip(jnp.round(x / scale), -128, 127).astype(jnp.int8)
    y = lax.dot_general(q, w, (((1,), (0,)), ((), ())), preferred_element_type=jnp.int32)
    return y.astype(jnp.float32) * scale, jnp.sum(q > 0)


@given(f32(10, 4), f32(10))
def conjugate_gradients(a: Any, b: Any) -> Any:
    return jax.scipy.sparse.linalg.cg(lambda v: a.T @ (a @ v) + v, a.T @ b, maxiter=5)[0]


@given(f32(16, 2), f32(3, 2))
def k_means(x: Any, centers: Any) -> Any:
    near = jnp.argmin(jnp.sum((x[:, None] - centers) ** 2, -1), axis=1)
    counts = jnp.bincount(near, length=3)
    total = jax.ops.segment_sum(x, near, num_segments=3)
    return total / jnp.maximum(counts, 1)[:, None]


@given(f32(5, 3), jax.ShapeDtypeStruct((5,), jnp.bool_))
def masked_statistics(x: Any, mask: Any) -> Any:
    return (
        jax.nn.softmax(x, where=mask[:, None], axis=0),
        jnp.sum(jnp.where(mask[:, None], x, 0)) / jnp.maximum(mask.sum(), 1),
        jnp.max(x, where=mask[:, None], initial=-jnp.inf),
    )


SYMBOLIC = symbolic_shape("b, s")


@given(jax.ShapeDtypeStruct((*SYMBOLIC, 8), jnp.float32), f32(8, 16))
def unknown_sizes(x: Any, w: Any) -> Any:
    y = jax.nn.gelu(x @ w)
    y = jnp.concatenate([y, y], axis=1)
    return jax.nn.softmax(y.mean(0)), jnp.sort(y, 1), jnp.arange(x.shape[0]), y[:, ::2]


MESH = AbstractMesh((2, 4), ("data", "model"), axis_types=(AxisType.Auto,) * 2)


def on(*axes: Any) -> NamedSharding:
    return NamedSharding(MESH, PartitionSpec(*axes))


def split_step(w: Any, x: Any, y: Any) -> Any:
    def loss(w: Any) -> Any:
        h = lax.with_sharding_constraint(jax.nn.gelu(x @ w), on("data", "model"))
        return jnp.mean((h - y) ** 2)

    return w - 0.1 * jax.grad(loss)(w)


def manual_step(x: Any, w: Any) -> Any:
    y = lax.psum(x @ w, "model")
    rows = lax.all_gather(y, "data", axis=0, tiled=True)
    part = lax.psum_scatter(rows, "data", scatter_dimension=0, tiled=True)
    return y + part + lax.ppermute(y, "data", [(0, 1), (1, 0)]) * lax.axis_index("data")


SPLIT = {
    "shardings": (
        jax.jit(
            split_step,
            in_shardings=(on(None, "model"), on("data"), on("data", "model")),
            out_shardings=on(None, "model"),
            donate_argnums=0,
        ),
        (f32(16, 32), f32(8, 16), f32(8, 32)),
    ),
    "shard_map": (
        jax.jit(
            jax.shard_map(
                manual_step,
                mesh=MESH,
                in_specs=(PartitionSpec("data", "model"), PartitionSpec("model", None)),
                out_specs=PartitionSpec("data", None),
                check_vma=False,
            )
        ),
        (f32(8, 16), f32(16, 4)),
    ),
    "donation": (jax.jit(lambda x, y: (x + y, y.sum()), donate_argnums=0), (f32(4), f32(4))),
}


def complaints(module: str | bytes) -> list[str]:
    """What is found that is worse than a note."""
    findings = check_module(module).findings
    return [f"{f.place}: {f.rule}: {f.message}" for f in findings if f.severity != "note"]


@pytest.mark.parametrize("name", EXPORTS)
def test_nothing_is_wrong_with_what_jax_exports(name: str) -> None:
    function, arguments = EXPORTS[name]
    exported = export(jax.jit(function))(*arguments)
    assert complaints(exported.mlir_module_serialized) == []
    assert complaints(exported.mlir_module()) == []


def test_the_one_pass_variance_of_jax_is_doubtful_indeed() -> None:
    """Of 10000.0, 10000.1, 9999.9 and 10000.0 it makes 0, 0, 0 and 0, or worse."""
    module = export(jax.jit(jax.nn.standardize))(f32(3, 8)).mlir_module()
    assert [c.split(": ")[1] for c in complaints(module)] == ["numerics-one-pass-variance"]


def test_the_number_of_equal_maxima_in_bf16_is_doubtful_indeed() -> None:
    """The gradient of a maximum is divided by it: 300 of them are counted as 256."""
    gradient = jax.grad(lambda x: jnp.max(x).astype(jnp.float32))
    module = export(jax.jit(gradient))(bf16(300)).mlir_module()
    said = [c.split(": ")[1] for c in complaints(module)]
    assert said == ["numerics-low-precision-accumulation"]


def test_sums_that_jax_makes_of_a_gradient_in_bf16_are_worth_a_note() -> None:
    """The gradient of a bias is a sum over the batch, in the type of the bias."""
    gradient = jax.grad(lambda b, x: jnp.mean((x + b).astype(jnp.float32) ** 2))
    exported = export(jax.jit(gradient))(bf16(8), bf16(512, 8))
    assert complaints(exported.mlir_module_serialized) == []
    without_locations = jax.jit(gradient).lower(bf16(8), bf16(512, 8)).as_text()
    assert [c.split(": ")[1] for c in complaints(without_locations)] == [
        "numerics-low-precision-accumulation"
    ]


@pytest.mark.parametrize("name", SPLIT)
def test_nothing_is_wrong_with_what_jax_splits_over_devices(name: str) -> None:
    function, arguments = SPLIT[name]
    lowered = function.trace(*arguments).lower(lowering_platforms=("tpu",))
    assert complaints(lowered.as_text()) == []


@pytest.mark.slow
def test_in_modules_of_front_ends_nothing_is_found_but_what_is_doubtful() -> None:
    bad = {
        (Path(report.name).relative_to(CORPUS).as_posix(), finding.rule)
        for report in check_files([CORPUS], Settings(), cache=False)
        for finding in report.findings
        if finding.severity != "note"
    }
    assert bad == DOUBTFUL
