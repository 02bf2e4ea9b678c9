"""Derivatives of eigenvalues and eigenvectors of Hermitian matrices, from both."""

from __future__ import annotations

from dxir import ops
from dxir.dialects.matrices import (
    adjoint,
    conjugate,
    diagonal,
    hermitian_part,
    product,
    triangle_mask,
    widened,
)
from dxir.graph import Value


def _reciprocal_gaps(w: Value, v: Value) -> Value:
    """`1 / (w_j - w_i)` at (i, j), 0 where both are equal."""
    shape, rank = v.tensor.static_shape, v.rank
    columns = ops.broadcast_in_dim(w, shape=shape, dims=[*range(rank - 2), rank - 1])
    rows = ops.broadcast_in_dim(w, shape=shape, dims=range(rank - 1))
    gaps = ops.sub(columns, rows)
    equal = ops.compare(gaps, 0, direction="EQ")
    found = ops.select(equal, 0, ops.div(1, ops.select(equal, 1, gaps)))
    return ops.convert(found, dtype=v.dtype)


def eigh_cotangent(of_w: Value | None, of_v: Value | None, w: Value, v: Value) -> Value:
    """The Hermitian cotangent of the matrix, given those of values and vectors.

    Where one is None it is zero. See Giles, Collected matrix derivative results for forward and
    reverse mode algorithmic differentiation, 2008.
    """
    dtype = v.dtype
    w, v = widened(w), widened(v)
    if of_v is None:
        assert of_w is not None
        scale = ops.convert(widened(of_w), dtype=v.dtype)
        dims = [*range(v.rank - 2), v.rank - 1]
        spread = ops.broadcast_in_dim(scale, shape=v.tensor.static_shape, dims=dims)
        x = product(ops.mul(v, spread), conjugate(v), transpose_y=True)
        return ops.convert(conjugate(x), dtype=dtype)
    x = product(conjugate(v), conjugate(widened(of_v)), transpose_x=True)
    x = hermitian_part(ops.mul(_reciprocal_gaps(w, v), x))
    if of_w is not None:
        scale = ops.convert(widened(of_w), dtype=v.dtype)
        dims = list(range(v.rank - 1))
        spread = ops.broadcast_in_dim(scale, shape=v.tensor.static_shape, dims=dims)
        x = ops.select(triangle_mask(x, "EQ"), spread, x)
    x = product(product(v, x), conjugate(v), transpose_y=True)
    return ops.convert(conjugate(x), dtype=dtype)


def eigh_tangents(tangent: Value, w: Value, v: Value) -> tuple[Value, Value]:
    """The tangents of values and vectors, along the Hermitian part of that of the matrix."""
    real, dtype = w.dtype, v.dtype
    w, v = widened(w), widened(v)
    moved = hermitian_part(widened(tangent))
    inside = product(adjoint(v), product(moved, v))
    of_v = product(v, ops.mul(_reciprocal_gaps(w, v), inside))
    of_w = diagonal(inside)
    if of_w.tensor.primitive.is_complex:
        of_w = ops.real(of_w)
    return ops.convert(of_w, dtype=real), ops.convert(of_v, dtype=dtype)
