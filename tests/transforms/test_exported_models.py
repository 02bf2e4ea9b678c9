"""Modules exported from JAX, differentiated and batched by dxir, against jax.grad and jax.vmap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import dxir
from dxir.errors import TransformError
from dxir.graph import Function, Module
from dxir.transforms import grad_function, jvp_function, vmap_function

jax = pytest.importorskip("jax")
jnp, lax = jax.numpy, jax.lax
_RNG = np.random.default_rng(6)


def normal(*shape: int, scale: float = 0.5) -> Any:
    return (_RNG.standard_normal(shape) * scale).astype(np.float32)


@dataclass(frozen=True)
class Model:
    """A function of arrays with a scalar (or array) result; `batched` are what vmap maps."""

    name: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    batched: tuple[int, ...] = (0,)

    def text(self) -> str:
        """The exported module."""
        return str(jax.jit(self.function).lower(*self.arguments).as_text())


def mlp(x: Any, w1: Any, b1: Any, w2: Any, b2: Any, y: Any) -> Any:
    hidden = jax.nn.gelu(x @ w1 + b1)
    return jnp.mean((jax.nn.log_softmax(hidden @ w2 + b2) * y).sum(-1))


def cnn(x: Any, w1: Any, scale: Any, offset: Any, w2: Any) -> Any:
    h = lax.conv_general_dilated(x, w1, (2, 2), "SAME")
    mean = h.mean((0, 2, 3), keepdims=True)
    var = ((h - mean) ** 2).mean((0, 2, 3), keepdims=True)
    h = (h - mean) * lax.rsqrt(var + 1e-5) * scale[:, None, None] + offset[:, None, None]
    h = jax.nn.relu(h)
    h = lax.reduce_window(h, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")
    h = lax.conv_general_dilated(h, w2, (1, 1), [(1, 1), (0, 2)], feature_group_count=2)
    return jnp.tanh(h).sum()


def transformer(x: Any, wq: Any, wk: Any, wv: Any, wo: Any, w1: Any, w2: Any, mask: Any) -> Any:
    def norm(h: Any) -> Any:
        return (h - h.mean(-1, keepdims=True)) * lax.rsqrt(h.var(-1, keepdims=True) + 1e-5)

    def heads(h: Any) -> Any:
        return h.reshape(*h.shape[:-1], 2, h.shape[-1] // 2).swapaxes(-2, -3)

    n = norm(x)
    q, k, v = heads(n @ wq), heads(n @ wk), heads(n @ wv)
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / jnp.sqrt(jnp.float32(q.shape[-1]))
    weights = jax.nn.softmax(jnp.where(mask[:, None], scores, -1e9))
    h = jnp.einsum("bhqk,bhkd->bhqd", weights, v).swapaxes(-2, -3).reshape(x.shape)
    x = x + h @ wo
    return jnp.square(x + jax.nn.silu(norm(x) @ w1) @ w2).mean()


def gru(xs: Any, h0: Any, w: Any, u: Any, b: Any) -> Any:
    def step(h: Any, x: Any) -> Any:
        z, r, n = jnp.split(x @ w + b, 3, -1)
        uz, ur, un = jnp.split(h @ u, 3, -1)
        z, r = jax.nn.sigmoid(z + uz), jax.nn.sigmoid(r + ur)
        n = jnp.tanh(n + r * un)
        h = (1 - z) * n + z * h
        return h, h.sum(-1)

    last, ys = lax.scan(step, h0, xs)
    return jnp.square(last).sum() + jnp.cos(ys).sum()


def fori(x: Any, a: Any) -> Any:
    """Runge-Kutta steps of dx/dt = tanh(a x), a fixed number of them."""

    def body(i: Any, x: Any) -> Any:
        k1 = jnp.tanh(a @ x)
        k2 = jnp.tanh(a @ (x + 0.05 * k1))
        return x + 0.1 * k2 * (1 + 0.01 * i)

    return jnp.square(lax.fori_loop(0, 12, body, x)).sum()


def adaptive(x: Any, a: Any) -> Any:
    """A while loop whose number of steps depends on the values: forward mode and batching."""

    def cond(state: Any) -> Any:
        return state[0] < 1.0

    def body(state: Any) -> Any:
        t, x = state
        step = 0.1 / (1 + jnp.abs(x).max())
        return t + step, x + step * jnp.tanh(a @ x)

    return jnp.sum(lax.while_loop(cond, body, (jnp.float32(0), x))[1] ** 2)


def fft_filter(x: Any, h: Any) -> Any:
    spectrum = jnp.fft.rfft(x) * jnp.fft.rfft(h, x.shape[-1])
    y = jnp.fft.irfft(spectrum, x.shape[-1])
    return jnp.square(y).sum() + jnp.abs(spectrum).sum()


def kalman(ys: Any, a: Any, c: Any, q: Any, r: Any) -> Any:
    """The log likelihood of observations, by Cholesky factors and triangular solutions."""

    def step(state: Any, y: Any) -> Any:
        m, p = state
        m, p = a @ m, a @ p @ a.T + q @ q.T + 0.1 * jnp.eye(a.shape[0])
        s = c @ p @ c.T + r @ r.T + 0.1 * jnp.eye(c.shape[0])
        factor = lax.linalg.cholesky(s)
        e = y - c @ m
        w = lax.linalg.triangular_solve(factor, e[:, None], left_side=True, lower=True)[:, 0]
        gain = lax.linalg.triangular_solve(factor, c @ p, left_side=True, lower=True)
        m = m + gain.T @ w
        p = p - gain.T @ gain
        return (m, p), -0.5 * w @ w - jnp.log(jnp.diagonal(factor)).sum()

    start = (jnp.zeros(a.shape[0]), jnp.eye(a.shape[0]))
    return lax.scan(step, start, ys)[1].sum()


def branches(x: Any, y: Any) -> Any:
    z = lax.cond(x.sum() > 0, lambda: jnp.sin(x) * y, lambda: x * jnp.exp(y))
    i = (jnp.abs(y.sum()) * 3).astype(jnp.int32) % 3
    return lax.switch(i, [lambda z: (z**2).sum(), lambda z: (z**3).sum(), lambda z: z.sum()], z)


_MASK = np.tril(np.ones((2, 5, 5), bool))
_LABELS = np.eye(3, dtype=np.float32)[[0, 2, 1, 1]]
MODELS = (
    Model("mlp", mlp, (normal(4, 8), normal(8, 16), normal(16), normal(16, 3), normal(3), _LABELS),
          (0, 2, 5)),
    Model("cnn", cnn, (normal(2, 3, 9, 9), normal(4, 3, 3, 3), normal(4), normal(4),
                       normal(6, 2, 2, 2))),
    Model("transformer", transformer,
          (normal(2, 5, 8), *[normal(8, 8) for _ in range(4)], normal(8, 16), normal(16, 8), _MASK),
          (0, 7)),
    Model("gru", gru, (normal(6, 2, 3), normal(2, 4), normal(3, 12), normal(4, 12), normal(12))),
    Model("fori", fori, (normal(4), normal(4, 4))),
    Model("adaptive", adaptive, (normal(4), normal(4, 4))),
    Model("fft_filter", fft_filter, (normal(3, 16), normal(5))),
    Model("kalman", kalman, (normal(7, 2), normal(3, 3), normal(2, 3), normal(3, 3), normal(2, 2))),
    Model("branches", branches, (normal(5), normal(5)), (0, 1)),
)  # fmt: skip

IDS = [m.name for m in MODELS]


def raised(model: Model) -> Function:
    return dxir.load(model.text()).raise_()["main"]


def run(function: Function, *arguments: Any) -> tuple[Any, ...]:
    results = dxir.compile(Module([function]), cache=False)(*arguments)
    return tuple(map(np.asarray, results if isinstance(results, tuple) else (results,)))


def wrt(model: Model) -> tuple[int, ...]:
    return tuple(i for i, a in enumerate(model.arguments) if a.dtype == np.float32)


def assert_close(found: Any, wanted: Any) -> None:
    for f, w in zip(found, jax.tree.leaves(wanted), strict=True):
        w = np.asarray(w)
        np.testing.assert_allclose(f, w, rtol=1e-5, atol=1e-5 * max(1e-3, float(np.abs(w).max())))


@pytest.mark.slow
@pytest.mark.parametrize("model", [m for m in MODELS if m.name != "adaptive"], ids=lambda m: m.name)
def test_gradients_are_those_of_jax(model: Model) -> None:
    positions = wrt(model)
    made = grad_function(raised(model), positions, value=True)
    found = run(made, *model.arguments)
    assert_close(found, jax.value_and_grad(model.function, positions)(*model.arguments))


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS, ids=IDS)
def test_tangents_are_those_of_jax(model: Model) -> None:
    positions = wrt(model)
    rng = np.random.default_rng(1)
    tangents = [rng.standard_normal(model.arguments[i].shape).astype(np.float32) for i in positions]
    found = run(jvp_function(raised(model), positions), *model.arguments, *tangents)

    def of_floats(*given: Any) -> Any:
        arguments = list(model.arguments)
        for i, value in zip(positions, given, strict=True):
            arguments[i] = value
        return model.function(*arguments)

    primals = [model.arguments[i] for i in positions]
    assert_close(found, jax.jvp(of_floats, tuple(primals), tuple(tangents)))


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS, ids=IDS)
def test_batches_are_those_of_jax(model: Model) -> None:
    rng = np.random.default_rng(2)
    axes = tuple(0 if i in model.batched else None for i in range(len(model.arguments)))
    arguments = list(model.arguments)
    for i in model.batched:
        noise = rng.standard_normal((3, *arguments[i].shape)) * 0.3
        arguments[i] = (arguments[i] + noise).astype(arguments[i].dtype)
    found = run(vmap_function(raised(model), axes, axis_size=3), *arguments)
    assert_close(found, jax.vmap(model.function, axes)(*arguments))


@pytest.mark.slow
@pytest.mark.parametrize("model", [m for m in MODELS if m.name != "adaptive"], ids=lambda m: m.name)
def test_batched_gradients_are_those_of_jax(model: Model) -> None:
    position = model.batched[0]
    made = grad_function(raised(model), position)
    axes = tuple(0 if i == position else None for i in range(len(model.arguments)))
    arguments = list(model.arguments)
    arguments[position] = np.stack([arguments[position], arguments[position] * np.float32(0.7)])
    found = run(vmap_function(made, axes, axis_size=2), *arguments)
    gradient = jax.grad(model.function, position)
    assert_close(found, jax.vmap(gradient, axes)(*arguments))


def test_reverse_mode_of_a_loop_of_unknown_length_is_refused_with_its_place() -> None:
    model = next(m for m in MODELS if m.name == "adaptive")
    with pytest.raises(TransformError, match="while_loop"):
        grad_function(raised(model))
