"""Shapes of which some sizes are known only at run time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from dxir import ops
from dxir.errors import ShapeError
from dxir.graph import Region, Value, current_region
from dxir.locations import caller_location
from dxir.tracing.arrays import Array
from dxir.types import UNKNOWN, Dim, TensorType, i32, shape_text

Shape = tuple[Any, ...]


def is_static(shape: Sequence[Any]) -> bool:
    """Whether all sizes are known."""
    return not any(isinstance(d, Dim) for d in shape)


def _region(arrays: Sequence[Array]) -> Region | None:
    for array in arrays:
        if isinstance(array.held, Value):
            return current_region() or array.held.region
    return current_region()


def size_of(dim: Dim, arrays: Sequence[Array] = ()) -> Array:
    """The size of a dimension at run time, as a scalar i32.

    It is read off one of the arrays, or a parameter of the function that is being traced.
    """
    region = _region(arrays)
    sources: list[Any] = [a for a in arrays if dim in a.shape]
    while region is not None and not sources:
        params = [p for p in region.params if isinstance(p.type, TensorType)]
        sources = [Array(p) for p in params if dim in p.tensor.shape]
        region = region.parent
    if not sources or dim == UNKNOWN:
        raise ShapeError(
            f"the size of the dimension {dim} is needed, and no parameter has it",
            where=caller_location(),
            hint="give the function an array that has this dimension",
        )
    found: Array = ops.get_dimension_size(sources[0], axis=sources[0].shape.index(dim))
    return found


def size_at(x: Array, axis: int) -> Any:
    """The size of an axis: an integer if it is known, else a scalar i32."""
    size = x.shape[axis]
    return ops.get_dimension_size(x, axis=axis) if isinstance(size, Dim) else size


def count_of(x: Array, axes: Sequence[int]) -> Any:
    """How many elements the axes have together, as an integer or a scalar i32."""
    found: Any = math.prod([x.shape[a] for a in axes if not isinstance(x.shape[a], Dim)])
    for axis in axes:
        if isinstance(x.shape[axis], Dim):
            found = ops.mul(ops.get_dimension_size(x, axis=axis), found)
    return found


def vector(sizes: Sequence[Any]) -> Any:
    """Sizes, known or not, as an array of i32."""
    if not any(isinstance(s, Array) for s in sizes):
        return np.asarray(sizes, np.int32)
    parts = [
        ops.reshape(s, shape=(1,)) if isinstance(s, Array) else np.asarray([s], np.int32)
        for s in sizes
    ]
    return ops.concat(parts, axis=0)


def reshaped(x: Array, shape: Shape) -> Array:
    """The same elements in another shape; one size may be -1."""
    if x.type.is_static and is_static(shape):
        return ops.reshape(x, shape=shape)
    sizes: list[Any] = [size_of(d, [x]) if isinstance(d, Dim) else d for d in shape]
    if -1 in shape:
        at = shape.index(-1)
        whole = _left_over(x.shape, [d for d in shape if d != -1])
        if whole is None:
            total = count_of(x, range(len(x.shape)))
            for size in [s for i, s in enumerate(sizes) if i != at]:
                total = ops.div(total, size)
            shape, sizes[at] = (*shape[:at], UNKNOWN, *shape[at + 1 :]), total
        else:
            sizes[at] = size_of(whole, [x]) if isinstance(whole, Dim) else whole
            shape = (*shape[:at], whole, *shape[at + 1 :])
    elif _left_over(x.shape, shape) != 1 and UNKNOWN not in (*x.shape, *shape):
        raise ShapeError(
            f"the elements of {x.type} do not fill shape {shape_text(shape)}",
            where=caller_location(),
        )
    if x.shape == shape:
        return x
    found: Array = ops.dynamic_reshape(x, vector(sizes), shape=shape)
    return found


def _left_over(given: Sequence[Any], wanted: Sequence[Any]) -> Any:
    """What `given` has more than `wanted`, if that is one dimension; None if it is not."""
    have = Counter(d for d in given if isinstance(d, Dim))
    want = Counter(d for d in wanted if isinstance(d, Dim))
    if want - have or UNKNOWN in (*have, *want):
        return None
    more = list((have - want).elements())
    known = math.prod(d for d in given if not isinstance(d, Dim))
    used = math.prod(d for d in wanted if not isinstance(d, Dim))
    if not more:
        return known // used if used and known % used == 0 else None
    return more[0] if len(more) == 1 and known == used else None


def spread(x: Array, shape: Shape, dims: Sequence[int] | None = None) -> Array:
    """The array repeated along axes of size 1 and new ones; `dims` are where its axes go."""
    rank = len(shape)
    if dims is None:
        dims = tuple(range(rank - len(x.shape), rank))
    if is_static(shape) and x.type.is_static:
        return ops.broadcast_in_dim(x, shape=shape, dims=dims)
    if x.shape == shape:
        return x
    sizes = [size_of(d, [x]) if isinstance(d, Dim) else d for d in shape]
    found: Array = ops.dynamic_broadcast_in_dim(x, vector(sizes), shape=shape, dims=dims)
    return found


def counted(shape: Shape, axis: int, dtype: Any = i32) -> Array:
    """Each element's index along an axis."""
    if is_static(shape):
        return Array(ops.iota(shape=shape, axis=axis, dtype=dtype))
    sizes = [size_of(d) if isinstance(d, Dim) else d for d in shape]
    return Array(ops.dynamic_iota(vector(sizes), shape=shape, axis=axis, dtype=dtype))
