"""Derivatives and batches of the composites of neural networks, beside JAX's and at the edges."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dxir
from dxir import bf16, f32, i1, ops
from dxir.graph import Function, Value
from dxir.transforms import grad_function, jvp_function, vjp_function, vmap_function
from dxir.types import TensorType

from .graphs import Array, function_of

INF = float("inf")
MAX = float(np.finfo(np.float32).max)


def run(function: Function, *arrays: Any) -> list[Array]:
    results = dxir.compile(function)(*arrays)
    return [np.asarray(r) for r in (results if isinstance(results, tuple) else (results,))]


def gradients(body: Callable[..., Any], *arrays: Any, wrt: Any = None) -> list[Array]:
    """Of the sum of the results."""
    return run(grad_function(function_of(body, *arrays), wrt), *arrays)


def draw(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed + sum(shape)).normal(size=shape).astype(np.float32)


def weighed(body: Callable[..., Value]) -> Callable[..., Value]:
    """The body's result times numbers that tell its elements apart."""

    def changed(*values: Value) -> Value:
        y = body(*values)
        weights = np.cos(np.arange(y.tensor.size)).reshape(y.tensor.static_shape)
        return ops.mul(y, weights.astype(y.tensor.primitive.numpy))

    return changed


def weighed_sum(y: Any) -> Any:
    return jnp.sum(y * jnp.cos(jnp.arange(y.size)).reshape(y.shape).astype(y.dtype))


def ops_of(function: Function) -> list[str]:
    return [n.op for n in function.nodes if n.op != "constant"]


def counted(program: dxir.Program) -> dict[str, int]:
    simple = program.decompose().run_passes("inline,canonicalize,cse,symbol-dce")
    found = simple.op_counts(nested=False)
    return {k: n for k, n in found.items() if not k.startswith("func.") and "constant" not in k}


def against_jax(body: Callable[..., Any], theirs: Callable[..., Any], *arrays: Any) -> None:
    """The gradients by all arrays, of the sum of the weighed results."""
    floats = [i for i, a in enumerate(arrays) if a.dtype.kind == "f"]
    found = gradients(weighed(body), *arrays)
    gradient = jax.grad(lambda *xs: weighed_sum(theirs(*xs)), argnums=tuple(floats))
    wanted = jax.jit(gradient)(*arrays)
    assert len(found) == len(wanted)
    for f, w in zip(found, wanted, strict=True):
        np.testing.assert_allclose(f, w, rtol=2e-5, atol=2e-5)


ACTIVATIONS: list[tuple[Callable[..., Any], Callable[..., Any]]] = [
    (ops.relu, jax.nn.relu),
    (ops.relu6, jax.nn.relu6),
    (ops.silu, jax.nn.silu),
    (ops.gelu, lambda x: jax.nn.gelu(x, approximate=False)),
    (lambda x: ops.gelu(x, approximate="tanh"), lambda x: jax.nn.gelu(x, approximate=True)),
    (ops.elu, jax.nn.elu),
    (lambda x: ops.elu(x, alpha=0.3), lambda x: jax.nn.elu(x, 0.3)),
    (ops.leaky_relu, jax.nn.leaky_relu),
    (ops.softplus, jax.nn.softplus),
    (ops.softsign, jax.nn.soft_sign),
    (ops.hard_sigmoid, jax.nn.hard_sigmoid),
    (ops.hard_swish, jax.nn.hard_swish),
    (ops.mish, jax.nn.mish),
]
LINE = np.array([-20, -3.5, -3, -1, -0.2, 0, 0.2, 1, 2.9, 3, 3.5, 6, 6.5, 20], np.float32)


@pytest.mark.parametrize(("ours", "theirs"), ACTIVATIONS)
def test_activations_have_the_slopes_of_jax_at_their_corners_too(ours: Any, theirs: Any) -> None:
    found = gradients(ours, LINE)[0]
    np.testing.assert_allclose(
        found, jax.jit(jax.vmap(jax.grad(theirs)))(LINE), rtol=2e-5, atol=1e-7
    )
    moved = run(jvp_function(function_of(ours, f32[14])), LINE, np.ones_like(LINE))[1]
    np.testing.assert_allclose(moved, found, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize(("ours", "theirs"), ACTIVATIONS)
def test_slopes_are_finite_wherever_the_input_is(ours: Any, theirs: Any) -> None:
    x = np.array([-MAX, -1e30, -1e19, -100, -1e-38, 1e-38, 100, 1e19, 1e30, MAX], np.float32)
    found = gradients(ours, x)[0]
    assert np.isfinite(found).all()
    assert ((found >= -0.2) & (found <= 1.2)).all()


@pytest.mark.parametrize(("ours", "theirs"), ACTIVATIONS)
def test_slopes_take_no_more_operations_than_those_of_jax(ours: Any, theirs: Any) -> None:
    mine = counted(dxir.lower(grad_function(function_of(ours, f32[14]))))
    text = jax.jit(jax.grad(lambda x: jnp.sum(theirs(x)))).lower(LINE).as_text()
    other = counted(dxir.load(text))
    assert sum(mine.values()) <= sum(other.values()), (mine, other)


def test_a_masked_softmax_moves_nothing_where_all_is_masked() -> None:
    x = np.array([[-INF, -INF, -INF], [-INF, 1, 2], [0, 1, 2]], np.float32)
    found = gradients(weighed(lambda x: ops.softmax(x, masked=True)), x)[0]
    assert np.isfinite(found).all()
    assert not found[0].any()
    assert found[1, 0] == 0
    wanted = jax.jit(jax.grad(lambda x: weighed_sum(jax.nn.softmax(x))))(x)
    np.testing.assert_allclose(found[1:], wanted[1:], rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_softmax_and_its_logarithm_have_the_gradients_of_jax(axis: int) -> None:
    x = draw(3, 4, 5)
    for ours, theirs in ((ops.softmax, jax.nn.softmax), (ops.log_softmax, jax.nn.log_softmax)):
        against_jax(lambda x, f=ours: f(x, axis=axis), lambda x, f=theirs: f(x, axis), x)


def test_the_gradient_of_softmax_is_five_operations_on_its_result() -> None:
    made = vjp_function(function_of(ops.softmax, f32[3, 4]))
    assert ops_of(made) == ["softmax", "mul", "sum", "broadcast_in_dim", "sub", "mul"]


def test_narrow_softmax_gradients_are_summed_in_f32() -> None:
    x = np.zeros((1, 4096), bf16.numpy)
    weights = np.linspace(0, 2, 4096).astype(np.float32).astype(bf16.numpy)[None]
    found = gradients(lambda x: ops.mul(ops.softmax(x), weights), x)[0].astype(np.float64)
    wide = weights.astype(np.float64)
    np.testing.assert_allclose(found, (wide - wide.mean()) / 4096, rtol=0.01, atol=1e-6)


COMPOSITES: list[tuple[Callable[..., Any], list[TensorType], str, dict[str, Any]]] = [
    (ops.softmax, [f32[3, 4]], "softmax", {"axis": 2}),
    (lambda x: ops.log_softmax(x, axis=0), [f32[3, 4]], "log_softmax", {"axis": 1}),
    (ops.gelu, [f32[3, 4]], "gelu", {}),
    (lambda x: ops.layer_norm(x, axis=-1), [f32[3, 4]], "layer_norm", {"axis": (2,)}),
    (lambda x: ops.rms_norm(x, axis=0), [f32[3, 4]], "rms_norm", {"axis": (1,)}),
    (lambda x: ops.group_norm(x, groups=2), [f32[3, 4, 2]], "group_norm", {"feature_index": 1}),
    (ops.instance_norm, [f32[3, 4, 2]], "instance_norm", {"feature_index": 1}),
    (ops.rope, [f32[3, 4], f32[3, 2], f32[3, 2]], "rope", {}),
    (ops.scaled_dot_product_attention, [f32[3, 4]] * 3, "scaled_dot_product_attention", {}),
    (ops.cross_entropy, [f32[3, 4], f32[3, 4]], "cross_entropy", {"axis": 2}),
    (ops.soft_cross_entropy, [f32[3, 4], f32[3, 4]], "soft_cross_entropy", {"axis": 2}),
]


@pytest.mark.parametrize(("body", "types", "name", "attrs"), COMPOSITES)
def test_composites_stay_composites_in_a_batch(
    body: Any, types: Any, name: str, attrs: dict[str, Any]
) -> None:
    made = vmap_function(function_of(body, *types), axis_size=5)
    nodes = [n for n in made.nodes if n.op == name]
    assert len(nodes) == 1
    for key, value in attrs.items():
        assert nodes[0].attrs[key] == value
    assert set(ops_of(made)) <= {name, "reshape"}


@pytest.mark.parametrize(("body", "types", "name", "attrs"), COMPOSITES)
def test_composites_stay_composites_in_the_forward_part_of_a_gradient(
    body: Any, types: Any, name: str, attrs: dict[str, Any]
) -> None:
    made = grad_function(function_of(body, *types), value=True)
    assert ops_of(made)[0] == name


def test_a_batch_of_scales_keeps_the_norm_whole() -> None:
    f = function_of(lambda x, s: ops.layer_norm(x, s), f32[3, 4], f32[4])
    made = vmap_function(f, (None, 0), axis_size=2)
    assert ops_of(made).count("layer_norm") == 1
    x, s = draw(3, 4), draw(2, 4)
    wanted = np.stack([run(f, x, row)[0] for row in s])
    np.testing.assert_allclose(run(made, x, s)[0], wanted, rtol=1e-6, atol=1e-6)


def layer_norm(x: Any, scale: Any, offset: Any) -> Any:
    mean = x.mean(-1, keepdims=True)
    unit = (x - mean) * jax.lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5)
    return unit * scale + offset


def rms_norm(x: Any, scale: Any) -> Any:
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5) * scale


def group_norm(x: Any, scale: Any, offset: Any) -> Any:
    n, c, *rest = x.shape
    groups = x.reshape(n, 2, -1)
    mean = groups.mean(-1, keepdims=True)
    variance = ((groups - mean) ** 2).mean(-1, keepdims=True)
    unit = ((groups - mean) * jax.lax.rsqrt(variance + 1e-5)).reshape(x.shape)
    shape = (1, c, *[1 for _ in rest])
    return unit * scale.reshape(shape) + offset.reshape(shape)


def test_norms_have_the_gradients_of_jax() -> None:
    x, s, o = draw(2, 3, 8), draw(8), draw(8, seed=1)
    against_jax(ops.layer_norm, layer_norm, x, s, o)
    against_jax(ops.rms_norm, rms_norm, x, s)
    x, s, o = draw(2, 6, 3, 2), draw(6), draw(6, seed=1)
    against_jax(lambda *xs: ops.group_norm(*xs, groups=2), group_norm, x, s, o)


@pytest.mark.parametrize(
    ("ours", "theirs", "count"), [(ops.layer_norm, layer_norm, 3), (ops.rms_norm, rms_norm, 2)]
)
def test_gradients_of_norms_take_fewer_operations_than_those_of_jax(
    ours: Any, theirs: Any, count: int
) -> None:
    arrays = [draw(4, 8), draw(8), draw(8)][:count]
    mine = counted(dxir.lower(grad_function(function_of(weighed(ours), *arrays))))
    gradient = jax.grad(lambda *xs: weighed_sum(theirs(*xs)), argnums=tuple(range(count)))
    other = counted(dxir.load(jax.jit(gradient).lower(*arrays).as_text()))
    assert sum(mine.values()) < sum(other.values()), (mine, other)


def test_statistics_of_narrow_norms_are_those_of_f32_in_the_gradient_too() -> None:
    x = (draw(4, 512) + 8).astype(bf16.numpy)
    scale = draw(512).astype(bf16.numpy)
    found = gradients(weighed(ops.layer_norm), x, scale)
    wide = [a.astype(np.float32) for a in (x, scale)]
    wanted = gradients(weighed(ops.layer_norm), *wide)
    for f, w in zip(found, wanted, strict=True):
        np.testing.assert_allclose(f.astype(np.float32), w, rtol=0.02, atol=0.02 * np.abs(w).max())


def attention(q: Any, k: Any, v: Any, added: Any) -> Any:
    repeat = q.shape[-3] // k.shape[-3]
    k, v = (jnp.repeat(x, repeat, axis=-3) for x in (k, v))
    scores = jnp.einsum("...sd,...td->...st", q, k) / math.sqrt(q.shape[-1]) + added
    return jnp.einsum("...st,...te->...se", jax.nn.softmax(scores), v)


@pytest.mark.slow
@pytest.mark.parametrize("heads", [4, 2, 1])
@pytest.mark.parametrize("kind", ["plain", "mask", "causal", "bias"])
def test_attention_has_the_gradients_of_jax(heads: int, kind: str) -> None:
    q, k, v = draw(2, 4, 3, 8), draw(2, heads, 5, 8), draw(2, heads, 5, 6)
    mask = np.array([[1, 1, 0, 0, 1], [1, 0, 1, 1, 1], [0, 1, 1, 0, 0]], np.bool_)
    bias = draw(4, 3, 5)
    hidden = np.float32(0)
    attrs: dict[str, Any] = {}
    if kind == "mask":
        hidden, attrs = np.where(mask, 0, -INF).astype(np.float32), {"mask": mask}
    elif kind == "causal":
        hidden, attrs = np.where(np.tri(3, 5) > 0, 0, -INF).astype(np.float32), {"causal": True}
    elif kind == "bias":
        against_jax(
            lambda q, k, v, b: ops.scaled_dot_product_attention(q, k, v, bias=b),
            attention, q, k, v, bias,
        )  # fmt: skip
        return
    against_jax(
        lambda q, k, v: ops.scaled_dot_product_attention(q, k, v, **attrs),
        lambda q, k, v: attention(q, k, v, hidden), q, k, v,
    )  # fmt: skip


def test_a_query_that_sees_no_key_moves_nothing() -> None:
    q, k, v = draw(2, 4), draw(3, 4), draw(3, 5)
    mask = np.array([[0, 0, 0], [1, 0, 1]], np.bool_)

    def body(q: Value, k: Value, v: Value, m: Value) -> Value:
        return ops.scaled_dot_product_attention(q, k, v, m)

    of_q, of_k, of_v = gradients(weighed(body), q, k, v, mask)
    assert not of_q[0].any()
    assert np.isfinite(of_q).all()
    assert not of_k[1].any()
    assert not of_v[1].any()
    assert of_v[0].any()


def test_the_gradient_of_attention_makes_its_shares_once() -> None:
    f = function_of(ops.scaled_dot_product_attention, *[f32[2, 4, 6, 8]] * 3, i1[6, 6])
    made = counted(dxir.lower(grad_function(f, value=True)))
    assert made["stablehlo.exponential"] == 1
    assert made["stablehlo.dot_general"] == 6  # two forwards, four back: no product is done twice


def test_hessians_of_attention_are_those_of_jax() -> None:
    q, k, v = draw(2, 4), draw(3, 4), draw(3, 2)
    first = grad_function(
        function_of(weighed(lambda q, k, v: ops.scaled_dot_product_attention(q, k, v)),
                    f32[2, 4], f32[3, 4], f32[3, 2]), 1
    )  # fmt: skip
    t = draw(3, 4, seed=5)
    found = run(jvp_function(first, 1, value=False), q, k, v, t)[0]

    def theirs(k: Any) -> Any:
        scores = q @ k.T / 2
        return weighed_sum(jax.nn.softmax(scores) @ v)

    wanted = jax.jit(lambda k, t: jax.jvp(jax.grad(theirs), (k,), (t,))[1])(k, t)
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("interleaved", [False, True])
@pytest.mark.parametrize("size", [3, 6])
def test_rope_is_turned_back(interleaved: bool, size: int) -> None:
    x, cos, sin = draw(2, 4, 6), draw(4, size), draw(4, size, seed=3)

    def theirs(x: Any, cos: Any, sin: Any) -> Any:
        if interleaved:
            a, b = x[..., ::2], x[..., 1::2]
            halves = [(t, t) if size == 3 else (t[..., ::2], t[..., 1::2]) for t in (cos, sin)]
        else:
            a, b = x[..., :3], x[..., 3:]
            halves = [(t, t) if size == 3 else (t[..., :3], t[..., 3:]) for t in (cos, sin)]
        (c, d), (s, t) = halves
        first, second = a * c - b * s, b * d + a * t
        if interleaved:
            return jnp.stack([first, second], -1).reshape(x.shape)
        return jnp.concatenate([first, second], -1)

    against_jax(lambda *xs: ops.rope(*xs, interleaved=interleaved), theirs, x, cos, sin)


def test_rope_goes_back_as_a_rope() -> None:
    f = function_of(ops.rope, f32[4, 6], f32[4, 3], f32[4, 3])
    assert ops_of(grad_function(f, 0)) == ["neg", "rope"]


def test_cross_entropy_takes_labels_of_any_sum() -> None:
    logits, labels = draw(4, 3), np.abs(draw(4, 3, seed=2))
    labels[1] = 0
    labels[2] = [0, 1, 0]

    def theirs(x: Any, w: Any) -> Any:
        return -(w * jax.nn.log_softmax(x)).sum(-1)

    against_jax(ops.cross_entropy, theirs, logits, labels)
    for reduction, reduce in (("mean", jnp.mean), ("sum", jnp.sum)):
        against_jax(
            lambda x, w, r=reduction: ops.cross_entropy(x, w, reduction=r),
            lambda x, w, r=reduce: r(theirs(x, w)), logits, labels,
        )  # fmt: skip


def test_an_integer_outside_moves_nothing() -> None:
    logits, labels = draw(4, 3), np.array([0, -1, 3, 2], np.int32)
    logits[1] = -INF
    found = gradients(ops.cross_entropy, logits, labels)[0]
    wanted = jax.nn.softmax(logits) - jax.nn.one_hot(labels, 3)
    assert not found[1:3].any()
    np.testing.assert_allclose(found[[0, 3]], wanted[np.array([0, 3])], rtol=1e-6, atol=1e-7)


def test_logits_of_minus_infinity_without_weight_move_nothing() -> None:
    logits = np.array([[-INF, 1, 2], [-INF, -INF, -INF]], np.float32)
    labels = np.array([[0, 0.5, 1], [0, 0, 0]], np.float32)
    of_logits, of_labels = gradients(ops.cross_entropy, logits, labels)
    assert of_logits[0, 0] == 0
    assert not of_logits[1].any()
    assert of_labels[0, 0] == 0
    np.testing.assert_allclose(of_logits[0].sum(), 0, atol=1e-6)
    np.testing.assert_allclose(of_labels[0, 1:], -jax.nn.log_softmax(logits[0, 1:]), rtol=1e-6)


def test_soft_cross_entropy_has_the_gradients_of_jax() -> None:
    def theirs(student: Any, teacher: Any) -> Any:
        shares = jax.nn.softmax(teacher, 1)
        return -(shares * jax.nn.log_softmax(student, 1)).sum(1, keepdims=True)

    against_jax(lambda s, t: ops.soft_cross_entropy(s, t, axis=1), theirs,
                draw(2, 4, 3), draw(2, 4, 3, seed=1))  # fmt: skip


def test_gated_layers_have_the_gradients_of_jax() -> None:
    x, gate, up, down = draw(2, 3, 4), draw(4, 6), draw(4, 6, seed=1), draw(6, 4)

    def theirs(x: Any, g: Any, u: Any, d: Any) -> Any:
        return (jax.nn.silu(x @ g) * (x @ u)) @ d

    against_jax(ops.mlp, theirs, x, gate, up, down)
