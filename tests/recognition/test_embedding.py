"""Rows of a table, by gathers and one-hot products, and what only looks like them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import nn

import dxir
from dxir import ops

from .exact import found, found_in, lowered, random

IDS = np.array([[0, 9, 3], [-1, 12, -11]], np.int32)
Look = Callable[[Any, Any], Any]

FORMS: dict[str, tuple[Look, str]] = {
    "index": (lambda t, i: t[i], 'out_of_range = "clamped", wraps = true'),
    "zeros": (
        lambda t, i: t.at[i].get(mode="fill", fill_value=0),
        'fill = 0.000000e+00 : f64, out_of_range = "filled", wraps = true',
    ),
    "one hot": (
        lambda t, i: nn.one_hot(i, 10, dtype=t.dtype) @ t,
        'form = "one_hot", out_of_range = "zero"',
    ),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16])
def test_rows_are_found_however_they_are_looked_up(form: str, dtype: Any) -> None:
    make, stated = FORMS[form]
    (match,) = found_in(make, random(10, 8, dtype=dtype), IDS)
    assert (match.pattern, match.attributes) == ("embedding", stated)
    element = "f32" if dtype is np.float32 else "bf16"
    assert match.operands == (f"tensor<10x8x{element}>", "tensor<2x3xi32>")


@pytest.mark.parametrize(
    ("mode", "stated"),
    [("fill", 'out_of_range = "nan", wraps = true'), ("clip", 'out_of_range = "clamped"')],
)
def test_rows_are_found_in_the_function_that_takes_them(
    recognize: Any, mode: str, stated: str
) -> None:
    program = lowered(lambda t, i: jnp.take(t, i, axis=0, mode=mode), random(10, 8), IDS)
    assert ("embedding", stated) in [(f.pattern, f.attributes) for f in recognize(program)]


def test_rows_of_padding_are_zeros(recognize: Any) -> None:
    for padding in (None, 3):
        builder = dxir.Builder("main")
        table, ids = builder.param(dxir.bf16[10, 8]), builder.param(dxir.i32[2, 3])
        node = ops.embedding(table, ids, padding_index=padding)
        program = dxir.lower(builder.build(node)).run_passes("dxir-decompose")
        (match,) = recognize(program)
        more = "" if padding is None else f", padding_index = {padding} : i64"
        assert match.attributes == f'out_of_range = "clamped"{more}'


def test_places_that_are_the_same_for_a_batch_are_handed_in_for_the_batch() -> None:
    def places(t: Any, x: Any) -> Any:
        return t[jnp.broadcast_to(jnp.arange(5), (2, 5))] + x

    program = lowered(places, random(10, 8), random(2, 5, 8))
    assert [m.pattern for m in found(program, random(10, 8), random(2, 5, 8))] == ["embedding"]


def test_rows_taken_one_by_one_are_found() -> None:
    (match,) = found_in(lambda t, i: jax.vmap(lambda one: t[one])(i), random(10, 8), IDS[0])
    assert match.pattern == "embedding"
    assert match.operands == ("tensor<10x8xf32>", "tensor<3x1xi32>")


def test_indices_clamped_before_are_found() -> None:
    (match,) = found_in(lambda t, i: t.at[jax.lax.clamp(0, i, 9)].get(mode="clip"),
                        random(10, 8), IDS)  # fmt: skip
    assert match.operands == ("tensor<10x8xf32>", "tensor<2x3xi32>")


NOT: dict[str, Look] = {
    "columns": lambda t, i: t[:, i],
    "columns first": lambda t, i: jnp.moveaxis(t[:, i], 0, -1),
    "elements": lambda t, i: t[i, i],
    "parts of rows": lambda t, i: jax.vmap(
        lambda one: jax.lax.dynamic_slice(t, (one, 0), (1, 4))[0]
    )(i.reshape(-1)),
    "several rows at once": lambda t, i: jax.vmap(
        lambda one: jax.lax.dynamic_slice(t, (one, 0), (2, 8))
    )(i.reshape(-1)),
    "off by one": lambda t, i: ((jnp.arange(10) + 1) == i[..., None]).astype(t.dtype) @ t,
    "at least": lambda t, i: (jnp.arange(10) >= i[..., None]).astype(t.dtype) @ t,
}


@pytest.mark.parametrize("what", NOT)
def test_what_only_looks_like_rows_is_not_it(what: str) -> None:
    matches = found_in(NOT[what], random(10, 8), IDS)
    assert [m for m in matches if m.pattern == "embedding"] == []


def test_a_one_hot_product_with_a_transposed_table_takes_the_transposed() -> None:
    (match,) = found_in(lambda t, i: nn.one_hot(i, 8) @ t.T, random(10, 8), IDS)
    assert match.operands[0] == "tensor<8x10xf32>"


def test_tables_of_integers_and_of_other_ranks_are_left_alone() -> None:
    assert found_in(lambda t, i: t[i], random(10, 8, dtype=np.int32), IDS) == []
    assert found_in(lambda t, i: t[i], random(10, 8, 4), IDS) == []
    assert found_in(lambda t, i: t[i], random(10), IDS) == []
