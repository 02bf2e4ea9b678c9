"""Derivatives of the factors of matrices, from the factors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dxir import ops
from dxir.dialects.matrices import (
    adjoint,
    conjugate,
    identity,
    product,
    triangle_mask,
    widened,
)
from dxir.dialects.systems import inverse, rows_of
from dxir.graph import Value


def _whole_lower(factors: Value) -> Value:
    """L, square and with ones on its diagonal."""
    *batch, m, n = factors.tensor.static_shape
    if m < n:
        factors = _corner(factors, m, m)
    elif m > n:
        zero = ops.full(shape=(), value=0, dtype=factors.dtype)
        none = [0] * factors.rank
        wide = [*[0] * len(batch), 0, m - n]
        factors = ops.pad(factors, zero, low=none, high=wide, interior=none)
    below, on = (triangle_mask(factors, d) for d in ("GT", "EQ"))
    kept: Value = ops.select(below, factors, ops.convert(on, dtype=factors.dtype))
    return kept


def _whole_upper(factors: Value) -> Value:
    """U, square: with ones on what its diagonal lacks."""
    *batch, m, n = factors.tensor.static_shape
    if m > n:
        factors = _corner(factors, n, n)
    elif m < n:
        rest = ops.slice(
            identity(batch, n, n, factors.dtype),
            starts=[*[0] * len(batch), m, 0],
            limits=[*batch, n, n],
        )
        factors = ops.concat((factors, rest), axis=-2)
    kept: Value = ops.select(triangle_mask(factors, "LE"), factors, 0)
    return kept


def _corner(x: Value, rows: int, columns: int) -> Value:
    *batch, _, _ = x.tensor.static_shape
    part: Value = ops.slice(x, starts=[0] * x.rank, limits=[*batch, rows, columns])
    return part


def lu_cotangent(g: Value, factors: Value, order: Value) -> Value:
    """The cotangent of the matrix, given that of `factors`: two triangular systems.

    See De Hoog, Anderssen and Lukas, Differentiation of matrix functionals using triangular
    factorization, 2011.
    """
    wide, given = widened(factors), widened(g)
    lower, upper = _whole_lower(wide), _whole_upper(wide)
    x = ops.select(
        triangle_mask(given, "GT"),
        product(lower, given, transpose_x=True),
        product(given, upper, transpose_y=True),
    )
    x = ops.triangular_solve(lower, x, unit_diagonal=True, transpose_a="TRANSPOSE")
    x = ops.triangular_solve(
        upper, x, left_side=False, lower_triangle=False, transpose_a="TRANSPOSE"
    )
    x = ops.take_along(x, rows_of(inverse(order), x), axis=-2)
    return ops.convert(x, dtype=g.dtype)


def lu_tangent(tangent: Value, factors: Value, order: Value) -> Value:
    """The tangent of `factors`, given that of the matrix."""
    wide = widened(factors)
    lower, upper = _whole_lower(wide), _whole_upper(wide)
    x = ops.take_along(widened(tangent), rows_of(order, tangent), axis=-2)
    x = ops.triangular_solve(lower, x, unit_diagonal=True)
    x = ops.triangular_solve(upper, x, left_side=False, lower_triangle=False)
    below = triangle_mask(x, "GT")
    moved = ops.add(
        product(lower, ops.select(below, x, 0)), product(ops.select(below, 0, x), upper)
    )
    return ops.convert(moved, dtype=tangent.dtype)


def _right_of(x: Value, start: int) -> Value:
    """The columns from `start` on."""
    shape = x.tensor.static_shape
    part: Value = ops.slice(x, starts=[*[0] * (x.rank - 1), start], limits=shape)
    return part


def _adjoint_product(x: Value, y: Value) -> Value:
    """`x^H y`."""
    return product(conjugate(x), y, transpose_x=True)


def qr_cotangent(g: Sequence[Value | None], a: Value, q: Value, r: Value) -> Value:
    """The cotangent of the matrix, given those of `q` and `r`, where one may be None.

    See Walter, Structured higher-order algorithmic differentiation, 2012. Columns of `a` beyond
    the square are `q` times those of `r`.
    """
    dtype = a.dtype
    a, q, r = widened(a), widened(q), widened(r)
    of_q, of_r = (None if v is None else conjugate(widened(v)) for v in g)
    *_, m, n = a.tensor.static_shape
    beyond = None
    if m < n:
        if of_r is not None:
            right = _right_of(of_r, m)
            beyond = product(q, right)
            more = product(_right_of(a, m), conjugate(right), transpose_y=True)
            of_q = more if of_q is None else ops.add(of_q, more)
            of_r = _corner(of_r, m, m)
        r = _corner(r, m, m)
    x: Value | None = None
    if of_r is not None:
        x = product(r, conjugate(of_r), transpose_y=True)
    if of_q is not None:
        part = _adjoint_product(of_q, q)
        x = ops.neg(part) if x is None else ops.sub(x, part)
    assert x is not None
    x = product(q, _mirrored(x))
    x = x if of_q is None else ops.add(x, of_q)
    x = _over(r, x, transpose_a="ADJOINT")
    if m < n:
        if beyond is None:
            none = [0] * x.rank
            zero = ops.full(shape=(), value=0, dtype=x.dtype)
            x = ops.pad(x, zero, low=none, high=[*none[1:], n - m], interior=none)
        else:
            x = ops.concat((x, beyond), axis=-1)
    return ops.convert(conjugate(x), dtype=dtype)


def _mirrored(x: Value) -> Value:
    """The Hermitian matrices whose lower triangles are those of `x`."""
    found: Value = ops.select(triangle_mask(x, "GE"), x, adjoint(x))
    if not x.tensor.primitive.is_complex:
        return found
    return _real_diagonal(found)


def _real_diagonal(x: Value) -> Value:
    kept: Value = ops.select(triangle_mask(x, "EQ"), ops.convert(ops.real(x), dtype=x.dtype), x)
    return kept


def _over(r: Value, x: Value, **options: Any) -> Value:
    """`x r^-1`."""
    found: Value = ops.triangular_solve(r, x, left_side=False, lower_triangle=False, **options)
    return found


def qr_tangents(tangent: Value, a: Value, q: Value, r: Value) -> tuple[Value, Value]:
    """The tangents of `q` and `r`, given that of the matrix."""
    dtype = a.dtype
    a, q, r, moved = (widened(v) for v in (a, q, r, tangent))
    *_, m, n = a.tensor.static_shape
    left = _corner(moved, m, m) if m < n else moved
    square = _corner(r, m, m) if m < n else r
    along = _over(square, left)
    inside = _adjoint_product(q, along)
    below = triangle_mask(inside, "GT")
    upper = ops.select(below, 0, ops.add(inside, adjoint(ops.select(below, inside, 0))))
    if upper.tensor.primitive.is_complex:
        upper = _real_diagonal(upper)
    of_q = ops.sub(along, product(q, upper))
    of_r = product(upper, square)
    if m < n:
        rest = ops.add(
            _adjoint_product(of_q, _right_of(a, m)), _adjoint_product(q, _right_of(moved, m))
        )
        of_r = ops.concat((of_r, rest), axis=-1)
    return ops.convert(of_q, dtype=dtype), ops.convert(of_r, dtype=dtype)
