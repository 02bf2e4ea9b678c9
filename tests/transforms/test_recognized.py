"""What JAX writes op by op, recognized and coarsened first: derivatives by formula."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dxir

DERIVE = "dxir-differentiate{seed=one value=false rename-to=main}"
FLAT = "dxir-decompose,inline,symbol-dce,canonicalize,cse"


@pytest.mark.parametrize(
    "loss",
    [
        lambda x: jnp.sum(jax.nn.softmax(x) ** 2),
        lambda x: jnp.sum(jnp.sin(jax.nn.logsumexp(x, axis=-1))),
    ],
)
def test_composites_of_recognized_ops_are_derived_by_formula(loss: Callable[..., Any]) -> None:
    x = np.random.default_rng(0).normal(size=(4, 8)).astype(np.float32)
    program = dxir.load(jax.jit(loss).lower(x).as_text())
    plain = program.run_passes(DERIVE)
    formula = program.run_passes(f"dxir-recognize,dxir-coarsen,{DERIVE}")
    for found in (plain, formula):
        np.testing.assert_allclose(dxir.compile(found)(x), jax.grad(loss)(x), rtol=1e-5, atol=1e-6)

    def count(derived: dxir.Program) -> int:
        text = str(derived.run_passes(FLAT))
        return len(re.findall(r"stablehlo\.(?!constant|return)", text))

    assert 2 * count(formula) < count(plain)
