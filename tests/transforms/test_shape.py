"""Derivatives and batches of ops that move elements: what they cost, and their edges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from dxir import ops
from dxir.builder import build_function
from dxir.errors import TransformError
from dxir.graph import Function, Module, walk
from dxir.program import lower
from dxir.transforms import grad_function, jvp_function, vjp_function, vmap_function
from dxir.types import Type, bf16, f32, i32

from .graphs import op_names, values

jax = pytest.importorskip("jax")
lax = jax.lax


def normal(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def pulled(body: Callable[..., Any], *types: Type, wrt: Sequence[int] | None = None) -> Function:
    """The cotangents alone of a function, from those of its results."""
    return vjp_function(build_function(body, *types, name="f"), wrt, value=False)


PADS = [
    ((1, 0), (0, 2), (0, 0)),
    ((-1, 2), (-2, -3), (1, 1)),
    ((2, -1), (-1, 1), (0, 0)),
    ((-2, 0), (-3, 0), (0, 0)),
    ((0, 1), (0, -2), (2, 0)),
    ((-7, 0), (8, 0), (1, 0)),
]


@pytest.mark.parametrize(("low", "high", "interior"), PADS)
def test_pads_of_all_kinds_have_the_derivatives_that_jax_gives(
    low: Any, high: Any, interior: Any
) -> None:
    x, value = normal(6, 4), normal()[()]

    def by_jax(x: Any, v: Any) -> Any:
        return lax.pad(x, v, list(zip(low, high, interior, strict=True)))

    result, pull = jax.vjp(by_jax, x, value)
    g = normal(*result.shape, seed=1)
    back = pulled(
        lambda x, v: ops.pad(x, v, low=low, high=high, interior=interior), f32[6, 4], f32[()]
    )
    for found, wanted in zip(values(back, x, value, g), pull(g), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)


def test_the_gradient_of_a_padding_value_is_not_lost_among_the_elements() -> None:
    back = pulled(lambda x, v: ops.pad(x, v, low=1, high=0), f32[2], f32[()], wrt=[1])
    g = np.array([1e-3, 1e8, np.inf], np.float32)
    assert values(back, normal(2), normal()[()], g)[0] == np.float32(1e-3)


def test_padding_that_only_takes_away_gives_nothing_to_its_value() -> None:
    back = pulled(lambda x, v: ops.pad(x, v, low=-1, high=0), f32[3], f32[()], wrt=[1])
    assert op_names(back) == ["constant"]


def test_a_pad_is_undone_by_one_slice_and_a_slice_by_one_pad() -> None:
    back = pulled(lambda x: ops.pad(x, 0, low=(1, 2), high=(0, 1), interior=(1, 0)), f32[3, 2])
    assert op_names(back) == ["slice"]
    back = pulled(lambda x: ops.slice(x, starts=(1, 0), limits=(4, 5), strides=(2, 1)), f32[4, 5])
    assert op_names(back) == ["constant", "pad"]


def test_slices_with_strides_have_the_gradient_that_jax_gives() -> None:
    x = normal(7, 9)
    at = {"starts": (1, 2), "limits": (7, 9), "strides": (3, 2)}
    result, pull = jax.vjp(lambda x: lax.slice(x, *at.values()), x)
    g = normal(*result.shape, seed=1)
    np.testing.assert_array_equal(
        values(pulled(lambda x: ops.slice(x, **at), f32[7, 9]), x, g)[0], pull(g)[0]
    )


def test_the_pieces_of_a_split_come_back_by_one_concatenation() -> None:
    back = pulled(lambda x: ops.split(x, sizes=3), f32[6, 2])
    assert op_names(back) == ["concat"]


def test_one_used_piece_of_a_split_comes_back_by_one_pad() -> None:
    back = pulled(lambda x: ops.split(x, sizes=(1, 3, 2))[1], f32[6])
    assert op_names(back) == ["constant", "pad"]
    assert values(back, normal(6), np.array([1, 2, 3], np.float32))[0].tolist() == [
        0,
        1,
        2,
        3,
        0,
        0,
    ]


def test_unwanted_cotangents_of_a_concatenation_are_not_cut_out() -> None:
    back = pulled(lambda x, y: ops.concat((x, y), axis=0), f32[2], f32[3], wrt=[1])
    assert op_names(back) == ["slice"]


def test_broadcasts_to_new_axes_of_size_1_are_undone_without_a_sum() -> None:
    back = pulled(lambda x: ops.broadcast_in_dim(x, shape=(1, 3, 1), dims=(1,)), f32[3])
    assert op_names(back) == ["reshape"]


def test_broadcasts_to_permuted_axes_are_undone() -> None:
    x, g = normal(2, 1, 3), normal(3, 4, 2, 5)
    back = pulled(
        lambda x: ops.broadcast_in_dim(x, shape=(3, 4, 2, 5), dims=(2, 3, 0)), f32[2, 1, 3]
    )
    np.testing.assert_allclose(values(back, x, g)[0][:, 0, :], g.sum((1, 3)).transpose(), rtol=1e-5)


def test_a_dynamic_slice_of_everything_passes_the_cotangent_on() -> None:
    back = pulled(lambda x, i: ops.dynamic_slice(x, [i], sizes=(4,)), f32[4], i32[()])
    assert op_names(back) == []
    back = pulled(lambda x, u, i: ops.dynamic_update_slice(x, u, [i]), f32[4], f32[4], i32[()])
    assert op_names(back) == ["constant"]


def test_a_written_block_takes_its_gradient_from_where_it_was_moved_to() -> None:
    back = pulled(lambda x, u, i: ops.dynamic_update_slice(x, u, [i]), f32[4], f32[2], i32[()])
    g = np.array([1, 2, 3, 4], np.float32)
    x, u = values(back, normal(4), normal(2), np.int32(9), g)
    assert x.tolist() == [1, 2, 0, 0]
    assert u.tolist() == [3, 4]


def test_starts_that_are_0_for_all_of_a_batch_are_no_entries_of_its_indices() -> None:
    read = build_function(
        lambda x, i: ops.dynamic_slice(x, [0, i, 0], sizes=(1, 1, 3)), f32[2, 5, 3], i32[()]
    )
    made = vmap_function(read, (None, 0), axis_size=2)
    (gather,) = [n for n in walk(made) if n.op == "gather"]
    assert gather.attrs["start_index_map"] == (1,)
    assert "concat" not in op_names(made)


def test_moving_ops_keep_to_the_type_of_their_operand() -> None:
    f = build_function(lambda x: ops.flatten(ops.reverse(x, axes=0)), bf16[2, 3], name="f")
    (g,) = values(grad_function(f), normal(2, 3).astype(bf16.numpy))
    assert g.dtype == bf16.numpy
    assert g.shape == (2, 3)


def test_the_size_of_an_axis_is_the_same_for_the_whole_batch() -> None:
    f = build_function(lambda x: (ops.get_dimension_size(x, axis=-1), x), f32[2, 3], name="f")
    made = vmap_function(f, 0, (None, 0), axis_size=4)
    assert values(made, normal(4, 2, 3))[0] == 3


def test_what_lies_beyond_a_size_set_at_run_time_has_no_derivative() -> None:
    f = build_function(lambda x, n: ops.set_dimension_size(x, n, axis=0), f32[4], i32[()], name="f")
    for transform in (vjp_function, jvp_function):
        with pytest.raises(TransformError, match="beyond the size"):
            transform(f)


@pytest.mark.parametrize("k", [-1, 0, 2])
def test_triangles_take_the_triangle_of_their_cotangent(k: int) -> None:
    g = normal(3, 4)
    back = pulled(lambda x: ops.tril(x, k=k), f32[3, 4])
    np.testing.assert_array_equal(values(back, normal(3, 4), g)[0], np.tril(g, k))


@pytest.mark.parametrize("method", ["nearest", "bilinear"])
@pytest.mark.parametrize("size", [(3, 9), (6, 2)])
def test_resizing_has_the_gradient_that_jax_gives(method: str, size: tuple[int, int]) -> None:
    x, g = normal(1, 2, 3, 4), normal(1, 2, *size, seed=1)
    kind = {"nearest": "nearest", "bilinear": "linear"}[method]
    pull = jax.vjp(lambda x: jax.image.resize(x, (1, 2, *size), kind, antialias=False), x)[1]
    back = pulled(lambda x: ops.resize2d(x, size=size, method=method), f32[1, 2, 3, 4])
    np.testing.assert_allclose(values(back, x, g)[0], pull(g)[0], rtol=1e-5, atol=1e-5)
    assert "clamp" not in op_names(back)


def test_a_size_set_at_run_time_is_one_for_the_batch_or_refused() -> None:
    f = build_function(lambda x, n: ops.set_dimension_size(x, n, axis=0), f32[4], i32[()], name="f")
    made = vmap_function(f, (0, None), axis_size=3)
    (node,) = [n for n in walk(made) if n.op == "set_dimension_size"]
    assert node.attrs["axis"] == 1
    lower(Module([made])).verify()
    with pytest.raises(TransformError, match="differ along the batch"):
        vmap_function(f, (0, 0), axis_size=3)
