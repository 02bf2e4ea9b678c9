"""What tests of layers have in common: results that are the same at once and compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import tree

Checked = Callable[..., Any]


def plain(given: Any) -> Any:
    """A container with NumPy arrays for arrays, in f64 where they are floats."""

    def one(leaf: Any) -> Any:
        found = np.asarray(leaf)
        is_float = isinstance(leaf, dxir.Array) and leaf.dtype.is_float
        return found.astype(np.float64) if is_float else found

    return tree.map(one, given)


@pytest.fixture
def run() -> Checked:
    """`run(f, *args)`: the result of a function, which must be the same when it is compiled."""

    def called(function: Callable[..., Any], *args: Any, near: float = 2e-6) -> Any:
        eager, compiled = function(*args), dxir.jit(function)(*args)
        for a, b in zip(tree.leaves(eager), tree.leaves(compiled), strict=True):
            assert (a.shape, a.dtype) == (b.shape, b.dtype)
            np.testing.assert_allclose(plain(a), plain(b), rtol=near, atol=near)
        return plain(eager)

    return called


@pytest.fixture
def check_gradients() -> Checked:
    """Checks the gradients of a scalar function of a container by finite differences in f64."""

    def checked(function: Callable[[Any], Any], params: Any, near: float = 1e-5) -> None:
        params = tree.map(lambda p: dxir.Array(np.asarray(p, np.float64)), params)
        gradients = tree.leaves(dxir.grad(function)(params))
        leaves, shape = tree.flatten(params)
        numbers = np.random.default_rng(0)
        for i, (leaf, gradient) in enumerate(zip(leaves, gradients, strict=True)):
            way = numbers.normal(size=leaf.shape)
            ends = []
            for sign in (1, -1):
                moved = [*leaves]
                moved[i] = dxir.Array(np.asarray(leaf) + sign * 1e-5 * way)
                ends.append(float(function(tree.unflatten(shape, moved))))
            slope = (ends[0] - ends[1]) / 2e-5
            found = float((np.asarray(gradient) * way).sum())
            assert abs(slope - found) < near * max(1, abs(slope)), tree.paths(params)[i]

    return checked
