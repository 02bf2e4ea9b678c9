"""Functions on arrays of which some sizes are known only at run time."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dxir
import dxir.numpy as xp
from dxir import Array
from dxir.errors import DxirError, ShapeError
from dxir.graph import building

X = np.arange(6, dtype=np.float32).reshape(2, 3)

CASES = [
    lambda x: x * 2 + x, xp.mean, lambda x: x.mean(0), lambda x: x.mean(1, keepdims=True),
    lambda x: xp.var(x, axis=0), lambda x: xp.std(x, correction=1), lambda x: x.sum(),
    lambda x: x.max(1), lambda x: x.reshape(-1), lambda x: x.reshape(x.shape[0], 3, 1),
    lambda x: x.reshape(-1, 3, 1), lambda x: xp.reshape(x, (x.shape[0], -1)), lambda x: x[:, None],
    lambda x: x[:, 0], lambda x: x[..., ::-1], lambda x: x[:, 1:], lambda x: x[:, -1:0:-1],
    lambda x: x[::-1], lambda x: x[0], lambda x: x[-1, 1:], lambda x: x[:, [2, 0]],
    lambda x: x + xp.zeros(x.shape), lambda x: xp.zeros_like(x) + x, xp.ones_like,
    lambda x: xp.full_like(x, 2, dtype=xp.int32), lambda x: xp.arange(x.shape[0])[:, None] + x,
    lambda x: x @ xp.ones((3, 2)), lambda x: x @ x.T, lambda x: xp.where(x > 2, x, 0),
    lambda x: xp.concat([x, x], axis=1), lambda x: xp.stack([x, x]),
    lambda x: xp.broadcast_to(x, (2, *x.shape)), lambda x: xp.squeeze(xp.expand_dims(x, axis=0)),
    lambda x: xp.argmax(x, axis=1), xp.sort, lambda x: xp.einsum("ij,ij->i", x, x),
    lambda x: xp.take(xp.arange(28).reshape(7, 4), x.astype(xp.int32), axis=0),
    lambda x: xp.arange(7)[-x.astype(xp.int32)], lambda x: xp.take(x, [0, -1], axis=1),
    lambda x: x.at[x > 2].set(1), lambda x: xp.linalg.vector_norm(x, axis=1),
    lambda x: xp.tensordot(x, x, axes=((0,), (0,))), lambda x: xp.vecdot(x, x),
    lambda x: xp.clip(x, 1, 2), lambda x: xp.tile(x, (1, 2)), lambda x: xp.repeat(x, 2, axis=1),
    lambda x: xp.pad(x, ((0, 0), (1, 1))), lambda x: xp.split(x, [1], axis=1)[1],
    lambda x: xp.unstack(x, axis=1)[0], xp.count_nonzero, lambda x: xp.roll(x, 1, axis=1),
    lambda x: xp.flip(x), lambda x: xp.swapaxes(x, 0, 1), lambda x: xp.diff(x),
    lambda x: xp.all(x > 0, axis=1),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(CASES)))
def test_dynamic_sizes_pass_through(number: int) -> None:
    function = CASES[number]
    graph = dxir.Function("main", [dxir.f32["n", 3]])
    with building(graph):
        graph.seal([function(Array(graph.params[0])).value()])
    wanted = function(Array(X))
    found = dxir.evaluate(graph, X)
    assert (found.shape, found.dtype) == (wanted.shape, wanted.numpy().dtype)
    np.testing.assert_allclose(found, wanted, rtol=1e-6)
    dxir.lower(graph)


def test_programs_with_dynamic_sizes_run() -> None:
    graph = dxir.Function("main", [dxir.f32["n", 3]])
    with building(graph):
        x = Array(graph.params[0])
        y = (x - x.mean(axis=0)) / xp.std(x, axis=0) + xp.arange(x.shape[0])[:, None]
        graph.seal([xp.reshape(y, (x.shape[0], -1, 1))[:, 0].value()])
    run = dxir.compile(graph)
    for rows in (2, 5):
        data = np.random.default_rng(rows).standard_normal((rows, 3)).astype(np.float32)
        wanted = (data - data.mean(0)) / data.std(0) + np.arange(rows)[:, None]
        np.testing.assert_allclose(run(data), wanted[:, :1], rtol=1e-5, atol=1e-6)


LOSSES = {
    "mean": lambda n, x, w: n.mean((x @ w) ** 2),
    "deviation": lambda n, x, w: n.std(x @ w),
    "slice": lambda n, x, w: n.sum((x @ w)[:, 0] ** 2),
    "last": lambda n, x, w: n.sum((x @ w)[-1] ** 2),
    "reshape": lambda n, x, w: n.sum(n.reshape(x @ w, (-1,)) ** 2),
    "axes": lambda n, x, w: n.sum((x @ w)[:, None] * (x @ w)[:, :, None]),
    "maximum": lambda n, x, w: n.sum(n.max(x @ w, axis=1)),
    "zeros": lambda n, x, w: n.sum((x @ w + n.zeros((x.shape[0], 2))) ** 2),
    "broadcast": lambda n, x, w: n.sum(n.broadcast_to(w[0], (x.shape[0], 2)) * (x @ w)),
}


@pytest.mark.parametrize("name", LOSSES)
def test_gradients_through_dynamic_sizes_are_those_of_jax(name: str) -> None:
    loss = LOSSES[name]
    w = np.linspace(-1, 1, 6, dtype=np.float32).reshape(3, 2)
    graph = dxir.Function("main", [dxir.f32["n", 3], dxir.f32[3, 2]])
    x, weights = (Array(p) for p in graph.params)
    with building(graph):
        graph.seal([dxir.grad(lambda v: loss(xp, x, v))(weights).value()])
    wanted = jax.grad(lambda v: loss(jnp, X, v))(w)
    np.testing.assert_allclose(dxir.evaluate(graph, X, w), wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda x: x[1:], "but its size is not known"),
        (lambda x: x.reshape(x.shape[0], 4), "do not fill shape"),
        (lambda x: xp.zeros((dxir.Dim("m"), 2)), "the size of the dimension m is needed"),
        (lambda x: xp.roll(x, 1, axis=0), "its size is not known"),
        (lambda x: xp.unstack(x), "has a size that is not known"),
        (lambda x: xp.diff(x, axis=0), "has a size that is not known"),
        (lambda x: xp.tile(x, (2, 1)), "is repeated 2 times"),
        (lambda x: xp.arange(1, x.shape[0]), "takes the dimension n only as arange"),
        (lambda x: list(x), "n"),
    ],
)
def test_what_needs_a_known_size_says_so(function: Any, message: str) -> None:
    graph = dxir.Function("main", [dxir.f32["n", 3]])
    x = Array(graph.params[0])
    with building(graph), pytest.raises(DxirError, match=message) as refused:
        function(x)
    assert __file__ in str(refused.value)
    assert x.size is None


def test_shapes_with_dynamic_sizes_must_fit() -> None:
    graph = dxir.Function("main", [dxir.f32["n", 3], dxir.f32["m", 3]])
    x, y = (Array(p) for p in graph.params)
    with building(graph), pytest.raises(ShapeError, match="n"):
        x + y
