"""The logarithm of the softmax in its forms, and what only looks like it."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import nn

import dxir
from dxir import ops

from .exact import found_in, lowered, random


def by_hand(x: Any) -> Any:
    below = x - jnp.max(x, axis=-1, keepdims=True)
    return below - jnp.log(jnp.sum(jnp.exp(below), axis=-1, keepdims=True))


FORMS = {
    "log_sum_exp": by_hand,
    "log(softmax)": lambda x: jnp.log(nn.softmax(x)),
    "unshifted": lambda x: x - jnp.log(jnp.sum(jnp.exp(x), axis=-1, keepdims=True)),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16])
def test_each_form_is_found(form: str, dtype: Any) -> None:
    (found,) = found_in(FORMS[form], random(4, 8, dtype=dtype, hostile=True))
    assert (found.pattern, found.attributes) == ("log_softmax", f'axis = 1 : i64, form = "{form}"')
    assert len(found.operands) == 1


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_jax_and_the_difference_to_the_logsumexp_are_found(recognize: Any, axis: int) -> None:
    x = random(3, 4, 5)
    for make in (nn.log_softmax, lambda x, a: x - nn.logsumexp(x, a, keepdims=True)):
        (found,) = recognize(lowered(lambda x, make=make: make(x, axis), x))
        stated = f'axis = {axis} : i64, form = "log_sum_exp"'
        assert (found.pattern, found.attributes) == ("log_softmax", stated)


@pytest.mark.parametrize("element", ["f32", "bf16"])
def test_the_op_of_that_name_is_found_where_it_is_expanded(recognize: Any, element: str) -> None:
    builder = dxir.Builder("main")
    x = builder.param(getattr(dxir, element)[2, 3, 4])
    program = dxir.lower(builder.build(ops.log_softmax(x, axis=1)))
    (found,) = recognize(program.run_passes("dxir-decompose"))
    assert (found.pattern, found.attributes) == ("log_softmax", 'axis = 1 : i64, form = "log1p"')
    assert found.operands == (f"tensor<2x3x4x{element}>",)


def test_a_softmax_that_is_used_besides_is_given_to_its_user() -> None:
    def entropy(x: Any) -> Any:
        shares = nn.softmax(x)
        return -jnp.sum(shares * jnp.log(shares), axis=-1)

    (found,) = found_in(entropy, random(4, 8))
    assert found.pattern == "log_softmax"


def another_axis(x: Any, y: Any) -> Any:
    del y
    below = x - jnp.max(x, axis=-1, keepdims=True)
    return below - jnp.log(jnp.sum(jnp.exp(below), axis=0, keepdims=True))


def of_another(x: Any, y: Any) -> Any:
    below = x - jnp.max(x, axis=-1, keepdims=True)
    return below - jnp.log(jnp.sum(jnp.exp(y - jnp.max(y)), axis=-1, keepdims=True))


def added(x: Any, y: Any) -> Any:
    del y
    below = x - jnp.max(x, axis=-1, keepdims=True)
    return below + jnp.log(jnp.sum(jnp.exp(below), axis=-1, keepdims=True))


def of_base_two(x: Any, y: Any) -> Any:
    del y
    below = x - jnp.max(x, axis=-1, keepdims=True)
    return below - jnp.log2(jnp.sum(jnp.exp(below), axis=-1, keepdims=True))


@pytest.mark.parametrize("what", [another_axis, of_another, added, of_base_two])
def test_what_only_looks_like_it_is_not_it(what: Any) -> None:
    found = found_in(what, random(6, 6), random(6, 6) + 1)
    assert [f for f in found if f.pattern == "log_softmax"] == []
