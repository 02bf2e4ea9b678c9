"""Derivatives of functions that are written with dxir.numpy, against JAX."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dxir
import dxir.numpy as xp
from dxir import Array
from dxir.graph import building

RNG = np.random.default_rng(11)
X = (RNG.standard_normal((4, 4)) + np.eye(4) * 3).astype(np.float32)

LOSSES = {
    "mlp": lambda n, x: n.mean(n.tanh(x @ x.T) ** 2),
    "softmax": lambda n, x: n.sum(n.exp(x - n.max(x, axis=-1, keepdims=True)) * x),
    "indexing": lambda n, x: n.sum(x[1:, ::-1] ** 3) + x[0, 2] * x[-1, 0],
    "gather": lambda n, x: n.sum(x[n.asarray([0, 2, 2])] ** 2),
    "update": lambda n, x: n.sum(x.at[0].set(x[1] ** 2).at[:, 1].add(x[2]) ** 2),
    "mask": lambda n, x: n.sum(n.where(x > 0, n.log(n.where(x > 0, x, 1.0)), x * 2)),
    "norms": lambda n, x: n.std(x) + n.linalg.vector_norm(x) + n.var(x, axis=0)[1],
    "shapes": lambda n, x: n.sum(n.concat([n.roll(x, 1, axis=0), n.flip(x)], axis=1)[:, ::2] ** 2),
    "linalg": lambda n, x: n.linalg.det(x) + n.sum(n.linalg.inv(x)) + n.linalg.slogdet(x)[1],
    "solve": lambda n, x: n.sum(n.linalg.solve(x, x[0]) ** 2),
    "fourier": lambda n, x: n.sum(n.real(n.fft.fft(x)) ** 2) + n.sum(n.fft.irfft(n.fft.rfft(x))),
    "hypot": lambda n, x: n.sum(n.hypot(x, x[0])) + n.sum(n.logaddexp(x, x[1])),
    "cumulative": lambda n, x: n.sum(n.cumulative_sum(x, axis=1) ** 2) + n.sum(n.sort(x) * x),
    "einsum": lambda n, x: n.sum(n.einsum("ij,jk,ik->i", x, x, x) ** 2),
    "pow": lambda n, x: n.sum(n.abs(x) ** 1.5) + n.sum(x**3) + n.sum(2.0**x),
    "clip": lambda n, x: n.sum(n.clip(x, -0.5, 0.5) * x) + n.sum(n.maximum(x, 0.1)),
}  # fmt: skip


@pytest.mark.parametrize("name", LOSSES)
def test_gradients_are_those_of_jax(name: str) -> None:
    loss = LOSSES[name]
    wanted = np.asarray(jax.grad(lambda x: loss(jnp, x))(jnp.asarray(X)))
    found = dxir.grad(lambda x: loss(xp, x))(Array(X))
    np.testing.assert_allclose(found, wanted, rtol=2e-3, atol=2e-3 * max(1, abs(wanted).max()))
    graph = dxir.Function("main", [dxir.f32[4, 4]])
    with building(graph):
        graph.seal([dxir.grad(lambda x: loss(xp, x))(Array(graph.params[0])).value()])
    np.testing.assert_allclose(dxir.evaluate(graph, X), found, rtol=1e-4, atol=1e-4)


def test_functions_are_mapped_over_an_axis() -> None:
    def norm(x: Any) -> Any:
        return xp.linalg.vector_norm(x - xp.mean(x)) + x[xp.argmax(x)]

    wanted = [float(norm(Array(row))) for row in X]
    np.testing.assert_allclose(dxir.vmap(norm)(Array(X)), wanted, rtol=1e-5)
