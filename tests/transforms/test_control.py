"""Control flow that JAX exported: derivatives and batches are those that JAX has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dxir
from dxir.graph import Function
from dxir.transforms import grad_function, jvp_function, vjp_function, vmap_function
from dxir.transforms.options import LoopOptions, using

jax = pytest.importorskip("jax")
jnp = jax.numpy
lax = jax.lax

Array = np.ndarray[Any, Any]
RNG = np.random.default_rng(7)


def data(*shape: int) -> Array:
    return (RNG.normal(size=shape) * 0.7).astype(np.float32)


STEPPED_OUT: list[bool] = []  # JAX has no gradient of any while loop: step by step, it has


def gradient(function: Callable[..., Any]) -> Callable[..., Any]:
    """JAX's, by all arguments."""

    def stepped_out(*operands: Any) -> Any:
        STEPPED_OUT.append(True)
        try:
            return jax.grad(function, tuple(range(len(operands))))(*operands)
        finally:
            STEPPED_OUT.pop()

    return jax.jit(stepped_out)


def raised(function: Callable[..., Any], *arguments: Any) -> Function:
    text = jax.jit(function).lower(*arguments).as_text()
    return dxir.load(text).raise_()["main"]


def run(function: Function, *arguments: Any) -> list[Array]:
    """The results compiled by XLA."""
    found = dxir.compile(dxir.lower(function))(*arguments)
    return list(found) if isinstance(found, (tuple, list)) else [found]


def evaluated(function: Function, *arguments: Any) -> list[Array]:
    """The results by the reference of each op."""
    found = dxir.evaluate(function, *arguments)
    return list(found) if isinstance(found, (tuple, list)) else [found]


def assert_same(found: Any, wanted: Any, tolerance: float = 3e-5) -> None:
    leaves = jax.tree.leaves(wanted)
    assert len(found) == len(leaves)
    for one, other in zip(found, leaves, strict=True):
        np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)


def rnn(w: Any, xs: Any) -> Any:
    def step(h: Any, x: Any) -> Any:
        h = jnp.tanh(h @ w + x)
        return h, (h * x).sum()

    h, ys = lax.scan(step, jnp.zeros(3), xs)
    return h.sum() + (ys**2).sum()


def backwards(w: Any, xs: Any) -> Any:
    def step(h: Any, x: Any) -> Any:
        return jnp.sin(h * w[0] + x), h

    h, ys = lax.scan(step, xs[0], xs, reverse=True)
    return (h * ys.sum(0)).sum()


def indexed(w: Any, xs: Any) -> Any:
    def step(i: Any, state: Any) -> Any:
        h, ys = state
        h = jnp.tanh(w @ h + xs[i] * xs[4 - i])
        return h, ys.at[i].set(h * i)

    h, ys = lax.fori_loop(1, 5, step, (xs[0], jnp.ones((5, 3))))
    return (ys * ys).sum() + h.sum()


def stepped(w: Any, xs: Any) -> Any:
    def step(state: Any) -> Any:
        i, h = state
        return i - 2, jnp.cos(h @ w) + lax.dynamic_index_in_dim(xs, i, keepdims=False)

    if isinstance(w, jax.core.Tracer) and STEPPED_OUT:
        state = (4, xs[1])
        for _ in range(3):
            state = step(state)
        return (state[1] ** 2).sum()
    _, h = lax.while_loop(lambda s: s[0] >= 0, step, (4, xs[1]))
    return (h * h).sum()


def nested(w: Any, xs: Any) -> Any:
    def inner(h: Any, x: Any) -> Any:
        h = lax.cond(h.sum() > x.sum(), lambda: jnp.sin(h @ w), lambda: h * x)
        return h, h.max()

    def outer(i: Any, h: Any) -> Any:
        h, ys = lax.scan(inner, h, xs * jnp.cos(h))
        return lax.switch(i % 3, [lambda: h + ys.sum(), lambda: h * 0.5, lambda: jnp.tanh(h)])

    return lax.fori_loop(0, 4, outer, xs[0]).sum()


def counters(w: Any, xs: Any) -> Any:
    def step(carry: Any, x: Any) -> Any:
        n, h = carry
        return (n + 2, h * jnp.float32(0.3) * n + x @ w), n

    (n, h), ns = lax.scan(step, (1, xs[0]), xs)
    return (h * n).sum() + (ns * h[0]).sum()


def no_steps(w: Any, xs: Any) -> Any:
    h, ys = lax.scan(lambda h, x: (h @ w + x, h), xs[0], xs[:0])
    return h.sum() + ys.sum() + lax.fori_loop(3, 3, lambda i, h: h @ w, xs[1]).sum()


def invariant(w: Any, xs: Any) -> Any:
    def step(carry: Any, x: Any) -> Any:
        h, m = carry
        return (jnp.tanh(h @ jnp.sin(m) + x), m), None

    (h, m), _ = lax.scan(step, (xs[0], w), xs)
    return h.sum() + m.sum()


def mapped(w: Any, xs: Any) -> Any:
    return (lax.map(lambda x: jnp.exp(x @ w), xs) * xs).sum()


def blocks(w: Any, xs: Any) -> Any:
    def layer(h: Any) -> Any:
        return jnp.tanh(h @ w) + h

    called = jax.jit(layer)
    return (called(called(called(xs))) ** 2).sum()


def checkpointed(w: Any, xs: Any) -> Any:
    def layer(h: Any, x: Any) -> Any:
        return jnp.tanh(jnp.sin(h @ w) + x), None

    h, _ = lax.scan(jax.checkpoint(layer), xs[0], xs)
    return h.sum()


PROGRAMS = [
    rnn, backwards, indexed, stepped, nested, counters, no_steps, invariant, mapped, blocks,
    checkpointed,
]  # fmt: skip
OPERANDS = (data(3, 3), data(5, 3))
TANGENTS = (data(3, 3), data(5, 3))


@pytest.mark.parametrize("program", PROGRAMS)
def test_gradients_are_those_of_jax(program: Callable[..., Any]) -> None:
    found = run(grad_function(raised(program, *OPERANDS)), *OPERANDS)
    assert_same(found, gradient(program)(*OPERANDS))


@pytest.mark.parametrize("program", PROGRAMS)
def test_tangents_are_those_of_jax(program: Callable[..., Any]) -> None:
    found = evaluated(jvp_function(raised(program, *OPERANDS)), *OPERANDS, *TANGENTS)
    assert_same(found, jax.jvp(jax.jit(program), OPERANDS, TANGENTS))


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS)
def test_batched_gradients_are_those_of_jax(program: Callable[..., Any]) -> None:
    function = raised(program, *OPERANDS)
    for axes in ((0, None), (None, 0), (0, 0)):
        given = [
            np.stack([a, 1.3 * a]) if i == 0 else a for a, i in zip(OPERANDS, axes, strict=True)
        ]
        rows = [[g[i] if a == 0 else g for g, a in zip(given, axes, strict=True)] for i in (0, 1)]
        wanted = [
            np.stack(pair) for pair in zip(*[gradient(program)(*r) for r in rows], strict=True)
        ]
        batched = vmap_function(grad_function(function), axes, axis_size=2)
        assert_same(evaluated(batched, *given), wanted)
        wanted = [w if a == 0 else w.sum(0) for w, a in zip(wanted, axes, strict=True)]
        other = grad_function(vmap_function(function, axes, axis_size=2))
        assert_same(evaluated(other, *given), wanted)


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS)
def test_second_derivatives_are_those_of_jax(program: Callable[..., Any]) -> None:
    function = raised(program, *OPERANDS)
    wanted = jax.jit(lambda *a: jax.jvp(gradient(program), a, TANGENTS)[1])(*OPERANDS)
    forward_over_reverse = jvp_function(grad_function(function), (0, 1), value=False)
    assert_same(evaluated(forward_over_reverse, *OPERANDS, *TANGENTS), wanted, 1e-4)
    reverse_over_forward = grad_function(jvp_function(function, value=False), (0, 1))
    assert_same(evaluated(reverse_over_forward, *OPERANDS, *TANGENTS), wanted, 1e-4)
    reverse_over_reverse = vjp_function(grad_function(function), (0, 1), value=False)
    assert_same(evaluated(reverse_over_reverse, *OPERANDS, *TANGENTS), wanted, 1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("loops", ["recomputed", 1, 2, 3, 5])
def test_what_is_kept_of_loops_does_not_change_gradients(
    program: Callable[..., Any], loops: str | int
) -> None:
    with using(LoopOptions(loops=loops)):
        function = grad_function(raised(program, *OPERANDS))
    assert_same(evaluated(function, *OPERANDS), gradient(program)(*OPERANDS))
