"""Batch norms: results and statistics, and batches of them."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from dxir import ops
from dxir.evaluation import evaluate
from dxir.transforms import vjp_function, vmap_function

from .graphs import function_of, made_of, normal


def norm_of(x: Any, scale: Any, offset: Any) -> tuple[Any, Any, Any]:
    """Batch normalization in JAX, of features along axis 1."""
    mean, variance = jnp.mean(x, (0, 2)), jnp.var(x, (0, 2))
    shape = (1, -1, 1)
    y = (x - mean.reshape(shape)) / jnp.sqrt(variance.reshape(shape) + 1e-5)
    return y * scale.reshape(shape) + offset.reshape(shape), mean, variance


def test_batch_norm_pulls_back_through_its_result_and_its_statistics() -> None:
    x, scale, offset = normal(4, 3, 5), normal(3) + 2, normal(3)
    function = function_of(lambda *v: ops.batch_norm_training(*v), x, scale, offset)
    out, pull = jax.vjp(norm_of, x, scale, offset)
    gs = [normal(*o.shape) for o in out]
    found = evaluate(vjp_function(function, value=False), x, scale, offset, *gs)
    for one, other in zip(found, pull(tuple(gs)), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-4)
    only = vjp_function(function, outputs=0, value=False)
    assert made_of(only) == ["batch_norm_training", "batch_norm_grad"]


def test_a_batch_of_batch_norms_has_its_members_for_features() -> None:
    xs, scales, offset = normal(2, 4, 3, 5), normal(2, 3), normal(3)
    function = function_of(lambda *v: ops.batch_norm_training(*v), xs[0], scales[0], offset)
    made = vmap_function(function, (0, 0, None), axis_size=2)
    found = evaluate(made, xs, scales, offset)
    for k in range(2):
        for one, other in zip(found, norm_of(xs[k], scales[k], offset), strict=True):
            np.testing.assert_allclose(one[k], other, rtol=1e-4, atol=1e-4)
