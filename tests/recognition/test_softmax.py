"""Softmax: shifted, guarded, masked, unshifted, and what only looks like it."""

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

PLAIN = "axis = 1 : i64, masked = false"


def kept(value: Any, axis: int, size: int) -> Any:
    shape = [4, 8]
    return ops.broadcast_in_dim(value, shape=shape, dims=[d for d in (0, 1) if d != axis])


def shares(powers: Any, axis: int = 1) -> Any:
    return powers / kept(ops.sum(powers, axes=(axis,)), axis, 8)


def below(x: Any, axis: int = 1) -> Any:
    return x - kept(ops.reduce_max(x, axes=(axis,)), axis, 8)


def guarded_by_finite(x: Any) -> Any:
    top = ops.reduce_max(x, axes=(1,))
    top = ops.select(ops.is_finite(top), top, ops.full_like(top, value=0))
    return shares(ops.exp(x - kept(top, 1, 8)))


def by_reciprocal(x: Any) -> Any:
    powers = ops.exp(below(x))
    total = ops.sum(powers, axes=(1,))
    return kept(ops.full_like(total, value=1) / total, 1, 8) * powers


FORMS = {
    "plain": lambda x: shares(ops.exp(below(x))),
    "guarded": guarded_by_finite,
    "by the reciprocal": by_reciprocal,
    "of a negated difference": lambda x: shares(
        ops.exp(-(kept(ops.reduce_max(x, axes=(1,)), 1, 8) - x))
    ),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("element", ["f32", "f16", "bf16"])
def test_a_softmax_is_found_however_it_is_spelled(find: Any, form: str, element: str) -> None:
    found = find(FORMS[form], element)
    assert [(f.pattern, f.attributes) for f in found] == [("softmax", PLAIN)]
    assert found[0].operands == (f"tensor<4x8x{element}>",)


def masked(x: Any) -> Any:
    top = ops.reduce_max(x, axes=(1,))
    dead = ops.compare(top, ops.full_like(top, value=-np.inf), direction="EQ")
    powers = ops.exp(x - kept(ops.select(dead, ops.full_like(top, value=0), top), 1, 8))
    total = ops.sum(powers, axes=(1,))
    return powers / kept(ops.select(dead, ops.full_like(total, value=1), total), 1, 8)


def dead_rows_zeroed(x: Any) -> Any:
    top = ops.reduce_max(x, axes=(1,))
    safe = ops.select(ops.is_finite(top), top, ops.full_like(top, value=0))
    powers = ops.exp(x - kept(safe, 1, 8))
    total = ops.sum(powers, axes=(1,))
    alive = ops.compare(total, ops.full_like(total, value=0), direction="NE")
    return powers / kept(ops.select(alive, total, ops.full_like(total, value=1)), 1, 8)


@pytest.mark.parametrize("form", [masked, dead_rows_zeroed])
def test_a_row_without_anything_may_give_zeros(find: Any, form: Any) -> None:
    (found,) = find(form)
    assert found == ("softmax", "axis = 1 : i64, masked = true", ("tensor<4x8xf32>",))


def test_the_op_of_that_name_is_found_where_it_is_expanded(recognize: Any) -> None:
    for given in (False, True):
        builder = dxir.Builder("main")
        x = builder.param(dxir.bf16[2, 3, 4])
        program = dxir.lower(builder.build(ops.softmax(x, axis=1, masked=given)))
        (found,) = recognize(program.run_passes("dxir-decompose"))
        assert found.attributes == f"axis = 1 : i64, masked = {str(given).lower()}"


def test_a_softmax_without_a_maximum_says_so(find: Any) -> None:
    (found,) = find(lambda x: shares(ops.exp(x)))
    assert found.attributes == 'axis = 1 : i64, form = "unshifted", masked = false'


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_the_softmax_of_jax_is_found_along_each_axis(dtype: Any, axis: int) -> None:
    x = random(3, 4, 5, dtype=dtype, hostile=True)
    (found,) = found_in(lambda x: nn.softmax(x, axis=axis), x)
    assert (found.pattern, found.attributes) == ("softmax", f"axis = {axis} : i64, masked = false")


def test_a_softmax_of_what_a_mask_keeps_takes_the_mask() -> None:
    x, mask = random(4, 8), random(4, 8) > 0
    (found,) = found_in(lambda x, m: nn.softmax(x, where=m), x, mask)
    assert found.attributes == 'axis = 1 : i64, form = "where", masked = false'
    assert found.operands == ("tensor<4x8xf32>", "tensor<4x8xi1>")


def test_the_transposed_softmax_of_a_transposed_value_is_one_of_the_transposed() -> None:
    (found,) = found_in(lambda x: nn.softmax(x.T, axis=0), random(4, 8))
    assert found.operands == ("tensor<8x4xf32>",)
    assert found.attributes == "axis = 0 : i64, masked = false"


def at_least(number: float, x: Any) -> Any:
    return ops.max(x, ops.full_like(x, value=number))


NOT = {
    "the sum along another axis": lambda x: shares(ops.exp(below(x)), axis=0),
    "the maximum of another": lambda x: shares(
        ops.exp(x - kept(ops.reduce_max(ops.sin(x), axes=(1,)), 1, 8))
    ),
    "the sum of another": lambda x: (
        ops.exp(below(x)) / kept(ops.sum(ops.exp(below(-x)), axes=(1,)), 1, 8)
    ),
    "another base": lambda x: shares(ops.exp(below(x) * np.log(2.0))),
    "the sum of magnitudes": lambda x: (
        ops.exp(below(x)) / kept(ops.sum(ops.exp(ops.abs(below(x))), axes=(1,)), 1, 8)
    ),
    "a mean": lambda x: ops.exp(below(x)) / kept(ops.mean(ops.exp(below(x)), axes=(1,)), 1, 8),
    "the maximum or 0": lambda x: shares(
        ops.exp(x - kept(at_least(0.0, ops.reduce_max(x, axes=(1,))), 1, 8))
    ),
    "the maximum or infinity": lambda x: shares(
        ops.exp(x - kept(at_least(np.inf, ops.reduce_max(x, axes=(1,))), 1, 8))
    ),
    "a sum that starts at 1": lambda x: (
        ops.exp(below(x)) / kept(ops.sum(ops.exp(below(x)), axes=(1,)) + 1.0, 1, 8)
    ),
    "turned around": lambda x: (
        kept(ops.sum(ops.exp(below(x)), axes=(1,)), 1, 8) / ops.exp(below(x))
    ),
}


@pytest.mark.parametrize("what", NOT)
def test_what_only_looks_like_a_softmax_is_not_one(find: Any, what: str) -> None:
    assert [f.pattern for f in find(NOT[what]) if f.pattern == "softmax"] == []


def test_a_softmax_over_several_axes_at_once_is_not_one_along_an_axis() -> None:
    assert found_in(lambda x: nn.softmax(x, axis=(1, 2)), random(2, 3, 4)) == []


def test_a_sum_along_another_axis_is_told(near_misses: Any) -> None:
    told = near_misses(lambda x: shares(ops.exp(below(x)), axis=0), "softmax")
    assert "nearly softmax: softmax over axis 1, but its sum reduces axis 0" in told


def test_what_others_use_of_a_softmax_is_given_to_them() -> None:
    def also_the_sum(x: Any) -> Any:
        powers = jnp.exp(x - jnp.max(x, axis=-1, keepdims=True))
        total = jnp.sum(powers, axis=-1, keepdims=True)
        return powers / total, total

    (found,) = found_in(also_the_sum, random(4, 8, hostile=True))
    assert found.pattern == "softmax"
