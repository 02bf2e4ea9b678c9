"""What the derivatives of reductions are written with: spreading over axes, and ties."""

from __future__ import annotations

from collections.abc import Sequence

from dxir import ops
from dxir.graph import Value
from dxir.types import TensorType


def spread_over(g: Value, type: TensorType, axes: Sequence[int], keepdims: bool = False) -> Value:
    """A value reduced over `axes` in the shape it was reduced from, the same along them."""
    if not axes:
        return g
    dims = range(type.rank) if keepdims else [i for i in range(type.rank) if i not in axes]
    found: Value = ops.broadcast_in_dim(g, shape=type.static_shape, dims=tuple(dims))
    return found


def tied(x: Value, y: Value, axes: Sequence[int], keepdims: bool = False) -> Value:
    """1 for each element of `x` that is the extremum `y` over `axes`, else 0."""
    at = ops.compare(x, spread_over(y, x.tensor, axes, keepdims), direction="EQ")
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
    return ops.mul(at, spread_over(share, x.tensor, axes, keepdims))


def extremum_tangent(
    x: Value, y: Value, t: Value, axes: Sequence[int], keepdims: bool = False
) -> Value:
    """The tangent of the extremum `y`: the mean of those of the elements that are it."""
    if not axes:
        return t
    at = tied(x, y, axes, keepdims)
    total = ops.sum(ops.mul(at, t), axes=axes, keepdims=keepdims)
    return ops.div(total, ops.sum(at, axes=axes, keepdims=keepdims))
