"""What the derivatives of reductions are written with: spreading over axes, and ties."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dxir import ops
from dxir.dialects.dynamic import runtime_shape
from dxir.graph import Value
from dxir.types import DType


def spread_over(g: Value, x: Value, axes: Sequence[int], keepdims: bool = False) -> Value:
    """A value that `x` was reduced to over `axes`, in the shape of `x`, the same along them."""
    if not axes:
        return g
    return broadcast_like(g, x, [i for i in range(x.rank) if keepdims or i not in axes])


def broadcast_like(value: Value, like: Value, dims: Sequence[int]) -> Value:
    """A value in the shape of another one, its own axes at `dims` of that."""
    found: Value
    if like.tensor.is_static:
        found = ops.broadcast_in_dim(value, shape=like.tensor.static_shape, dims=tuple(dims))
    else:
        sizes = runtime_shape(like)
        found = ops.dynamic_broadcast_in_dim(value, sizes, shape=like.shape, dims=tuple(dims))
    return found


def element_count(x: Value, axes: Sequence[int], dtype: DType) -> Value | float:
    """How many elements of `x` lie along some axes: a number, or a scalar where it is not known."""
    sizes = [x.shape[i] for i in axes]
    known = math.prod([n for n in sizes if isinstance(n, int)])
    unknown = [i for i in axes if not isinstance(x.shape[i], int)]
    if not unknown:
        return float(known)
    found: Value = ops.constant(np.asarray(known, dtype.numpy))
    for i in unknown:
        size = ops.convert(ops.get_dimension_size(x, axis=i), dtype=dtype)
        found = ops.mul(found, size)
    return found


def tied(x: Value, y: Value, axes: Sequence[int], keepdims: bool = False) -> Value:
    """1 for each element of `x` that is the extremum `y` over `axes`, else 0."""
    at = ops.compare(x, spread_over(y, x, axes, keepdims), direction="EQ")
    found: Value = ops.convert(at, dtype=x.tensor.primitive)
    return found


def extremum_cotangent(
    x: Value, y: Value, g: Value, axes: Sequence[int], keepdims: bool = False
) -> Value:
    """The cotangent of `x`: `g` shared equally by the elements that are the extremum `y`."""
    if not axes:
        return g
    at = tied(x, y, axes, keepdims)
    share = ops.div(g, ops.sum(at, axes=axes, keepdims=keepdims))
    return ops.mul(at, spread_over(share, x, axes, keepdims))


def extremum_tangent(
    x: Value, y: Value, t: Value, axes: Sequence[int], keepdims: bool = False
) -> Value:
    """The tangent of the extremum `y`: the mean of those of the elements that are it."""
    if not axes:
        return t
    at = tied(x, y, axes, keepdims)
    total = ops.sum(ops.mul(at, t), axes=axes, keepdims=keepdims)
    return ops.div(total, ops.sum(at, axes=axes, keepdims=keepdims))
