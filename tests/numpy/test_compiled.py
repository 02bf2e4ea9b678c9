"""Functions that are written with dxir.numpy, compiled: as they are when computed at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dxir
import dxir.numpy as xp
from dxir import Array
from dxir.tracing.trees import flatten

X = np.random.default_rng(2).standard_normal((4, 4)).astype(np.float32)
HOSTILE = np.array([0.0, -0.0, 1.5, -2.5, 1e30, 1e-30, np.inf, -np.inf, np.nan], np.float32)

CASES: dict[str, Any] = {
    "elementwise": lambda x: (xp.hypot(x, x[0]), xp.logaddexp(x, 0.5), xp.copysign(x, -x)),
    "rounding": lambda x: (xp.round(x), xp.trunc(x), x // 0.7, x % 0.7, xp.sign(x)),
    "choices": lambda x: (xp.where(x > 0, x, 0), xp.clip(x, -1, 1), xp.nan_to_num(x)),
    "indexing": lambda x: (x[::-1, 1:3], x[[0, -1]], x.at[x > 0].set(0), x.at[1].add(x[2])),
    "reductions": lambda x: (xp.sum(x), xp.std(x, axis=0, correction=1), xp.argmax(x, axis=1)),
    "order": lambda x: (xp.sort(x), xp.argsort(x), xp.searchsorted(xp.sort(x[0]), x)),
    "running": lambda x: (xp.cumulative_sum(x, axis=1, include_initial=True), xp.diff(x, n=2)),
    "shapes": lambda x: (xp.tile(x, (2, 1)), xp.roll(x, 1, axis=0), xp.pad(x, 1, "reflect")),
    "creation": lambda x: x + xp.arange(4) * xp.linspace(0, 1, 4) + xp.eye(4),
    "products": lambda x: (x @ x, xp.einsum("ij,kj->ik", x, x), xp.vecdot(x, x)),
    "linalg": lambda x: (xp.linalg.slogdet(x), xp.linalg.inv(x), xp.linalg.solve(x, x[0])),
    "fourier": lambda x: (xp.fft.fft(x), xp.fft.irfft(x), xp.fft.fftn(x, norm="ortho")),
    "integers": lambda x: (xp.astype(x * 3, xp.int8) % 5, xp.sum(xp.astype(x, xp.uint8))),
}


@pytest.mark.parametrize("name", CASES)
def test_compiled_functions_give_what_they_give_at_once(name: str) -> None:
    function = CASES[name]
    wanted, _ = flatten(function(Array(X)))
    found, _ = flatten(dxir.jit(function)(X))
    for a, b in zip(wanted, found, strict=True):
        assert a.type == b.type
        np.testing.assert_allclose(b, a, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("name", ["elementwise", "rounding", "choices"])
def test_hostile_elements_are_the_same_when_compiled(name: str) -> None:
    given = np.stack([HOSTILE, HOSTILE[::-1]])
    function = CASES[name]
    wanted, _ = flatten(function(Array(given)))
    found, _ = flatten(dxir.jit(function)(given))
    usual = np.abs(given) < 1e20  # of 1e30 by 0.7 nothing is left
    for i, (a, b) in enumerate(zip(wanted, found, strict=True)):
        where = usual if (name, i) in (("rounding", 2), ("rounding", 3)) else np.ones_like(usual)
        np.testing.assert_allclose(np.asarray(b)[where], np.asarray(a)[where], rtol=1e-5)
