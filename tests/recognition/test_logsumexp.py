"""The logarithm of a sum of exponentials, and what only looks like it."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import nn

import dxir
from dxir import ops

from .exact import found_in, random


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16])
@pytest.mark.parametrize(
    ("axes", "keepdims"), [((1,), False), ((0,), True), ((0, 2), False), ((0, 1, 2), False)]
)
def test_the_logsumexp_of_jax_is_found(dtype: Any, axes: Any, keepdims: bool) -> None:
    x = random(3, 4, 5, dtype=dtype, hostile=True)
    (found,) = found_in(lambda x: nn.logsumexp(x, axes, keepdims=keepdims), x)
    stated = f"axes = {list(axes)}, keepdims = {str(keepdims).lower()}"
    assert (found.pattern, found.attributes) == ("logsumexp", stated)


def test_the_op_of_that_name_is_found_where_it_is_expanded(recognize: Any) -> None:
    for keepdims in (False, True):
        builder = dxir.Builder("main")
        x = builder.param(dxir.bf16[2, 3, 4])
        node = ops.logsumexp(x, axes=(0, 2), keepdims=keepdims)
        (found,) = recognize(dxir.lower(builder.build(node)).run_passes("dxir-decompose"))
        assert found.pattern == "logsumexp"
        assert found.operands == ("tensor<2x3x4xbf16>",)


def test_a_plain_maximum_and_none_are_found() -> None:
    def shifted(x: Any) -> Any:
        top = jnp.max(x, axis=1)
        return top + jnp.log(jnp.sum(jnp.exp(x - top[:, None]), axis=1))

    (found,) = found_in(shifted, random(4, 8, hostile=True))
    assert found.attributes == "axes = [1], keepdims = false"
    (found,) = found_in(lambda x: jnp.log(jnp.sum(jnp.exp(x), axis=1)), random(4, 8))
    assert found.attributes == 'axes = [1], form = "unshifted", keepdims = false'


def other_added(x: Any, y: Any) -> Any:
    top = jnp.max(x, axis=1)
    return jnp.log(jnp.sum(jnp.exp(x - top[:, None]), axis=1)) + jnp.max(y, axis=1)


def taken_away(x: Any, y: Any) -> Any:
    del y
    top = jnp.max(x, axis=1)
    return jnp.log(jnp.sum(jnp.exp(x - top[:, None]), axis=1)) - top


def another_axis(x: Any, y: Any) -> Any:
    del y
    top = jnp.max(x, axis=0)
    return jnp.log(jnp.sum(jnp.exp(x - top[None]), axis=1)) + top


def of_a_mean(x: Any, y: Any) -> Any:
    del y
    top = jnp.max(x, axis=1)
    return jnp.log(jnp.mean(jnp.exp(x - top[:, None]), axis=1)) + top


@pytest.mark.parametrize("what", [other_added, taken_away, another_axis, of_a_mean])
def test_what_only_looks_like_it_is_not_it(what: Any) -> None:
    found = found_in(what, random(6, 6), random(6, 6) + 1)
    assert [f for f in found if f.pattern == "logsumexp"] == []


def test_the_logarithm_in_a_log_softmax_is_part_of_that() -> None:
    found = found_in(lambda x: x - nn.logsumexp(x, -1, keepdims=True), random(4, 8))
    assert [f.pattern for f in found] == ["log_softmax"]
