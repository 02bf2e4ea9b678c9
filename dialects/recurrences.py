"""Linear recurrences along an axis, of which the derivatives of running reductions are made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dxir import ops
from dxir.graph import Value


def moved(x: Value, axis: int, steps: int, fill: Any) -> Value:
    """`x` some places further along an axis (towards its start for negative steps)."""
    if not x.shape[axis] or not steps:
        return x
    rank, size = x.rank, x.shape[axis]
    assert isinstance(size, int)
    steps = max(-size, min(steps, size))
    low = [steps if i == axis else 0 for i in range(rank)]
    start = ops.constant(np.asarray(fill).astype(x.tensor.primitive.numpy))
    found: Value = ops.pad(x, start, low=low, high=[-n for n in low])
    return found


def recurrence(factor: Value, term: Value, axis: int, *, reverse: bool) -> Value:
    """`r` with `r[i] = term[i] + factor[i] * r[i - 1]` (`i + 1` in reverse), and 0 beyond the end.

    In log2(n) steps, each of which doubles how far a place looks back. Nothing is divided, so
    factors of 0 do no harm.
    """
    size = term.shape[axis]
    assert isinstance(size, int)
    step, direction = 1, -1 if reverse else 1
    while step < size:
        term = ops.add(term, ops.mul(factor, moved(term, axis, direction * step, 0)))
        if 2 * step < size:
            factor = ops.mul(factor, moved(factor, axis, direction * step, 0))
        step *= 2
    return term


def chosen_places(x: Value, y: Value, axis: int, *, reverse: bool) -> Value:
    """For each place of a running extremum `y` of `x`, the place of the element that it is.

    Of equal elements it is the first on the way, and the first NaN from there on.
    """
    rank, shape = x.rank, x.tensor.static_shape
    index = ops.iota(shape=shape, axis=axis, dtype="i32")
    direction = -1 if reverse else 1
    before = moved(y, axis, direction, 0)
    new = ops.compare(y, before, direction="NE")
    if x.tensor.dtype.is_float:
        # NaN differs from itself, but only the first one is new.
        new = ops.and_(new, ops.compare(before, before, direction="EQ"))
    first = [shape[axis] - 1 if reverse else 0] * rank
    ends = ops.compare(index, ops.full_like(index, value=first[axis]), direction="EQ")
    none = ops.full_like(index, value=shape[axis] - 1 if reverse else 0)
    marks = ops.select(ops.or_(new, ends), index, none)
    found: Value = (
        ops.cummin(marks, axis=axis, reverse=True) if reverse else ops.cummax(marks, axis=axis)
    )
    return found


def summed_at(g: Value, places: Value, axis: int) -> Value:
    """The elements of `g` summed up at `places` along an axis: what undoes `take_along`."""
    rank = g.rank
    others: Sequence[int] = [i for i in range(rank) if i != axis]
    (found,) = ops.scatter(
        (ops.full_like(g, value=0),), places, (g,), lambda a, b: ops.add(a, b),
        update_window_dims=(), inserted_window_dims=(axis,), input_batching_dims=others,
        scatter_indices_batching_dims=others, scatter_dims_to_operand_dims=(axis,),
        index_vector_dim=rank,
    )  # fmt: skip
    return found
