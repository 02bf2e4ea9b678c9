"""Determinants, by LU; `det` expands to `lu` and then `lu_det`, which has the derivative."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent
from dxir.dialects.linalg import accumulating, square
from dxir.dialects.matrices import (
    diagonal,
    identity,
    places,
    product,
    triangle_mask,
    well_conditioned,
    where,
    widened,
)
from dxir.dialects.systems import factored, inverse, rows_of
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Composite, Derived
from dxir.types import TensorType, bf16, c64, f32, f64, i32

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]


def _determining(n: int, dtype: Any = np.float64) -> dict[str, Any]:
    names = ("a", "factors", "pivots", "permutation")
    return dict(zip(names, factored(n, dtype), strict=True))


class Det(Composite, name="det", rounding="sums"):
    """The determinant of square matrices `[..., n, n]`, by LU; 1 for empty matrices.

    Its derivative is the matrix of cofactors, of singular matrices too.
    """

    a: Value

    examples = (
        Example(a=f32[3, 3], hostile=False),
        Example(a=f64[2, 4, 4], hostile=False),
        Example(a=c64[3, 3], hostile=False),
        Example(a=well_conditioned(3, 3).astype(bf16.numpy)),
        Example(a=np.array([[1, 2], [2, 4]], np.float32)),
        Example(a=f32[3, 0, 0]),
        Example(a=f32[2, 1, 1]),
    )
    tolerance = 512

    def infer(self) -> TensorType:
        type = square(self.a, "a")
        return type.with_shape(type.static_shape[:-2])

    def expand(self, a: Value) -> Value:
        if not a.shape[-1]:
            return ops.full(shape=a.shape[:-2], value=1, dtype=a.dtype)
        wide = widened(a)
        factors, pivots, order = ops.lu(wide)
        return ops.convert(ops.lu_det(wide, factors, pivots, order), dtype=a.dtype)

    def batch(self, batch: Batch) -> Value:
        """The op, which takes batches."""
        found: Value = batch.rebuild(batch.operands)
        return found

    def reference(self, a: Array) -> Array:
        return np.asarray(np.linalg.det(accumulating(a))).astype(a.dtype)


class LuDet(Derived, name="lu_det", rounding="sums"):
    """The determinant of `a`, given what `lu` gives for it.

    The factors only say how to compute it: the derivative is with respect to `a`, and is the matrix
    of cofactors, of singular matrices too. Where a is larger than 3 by 3 those come from the
    factors, and second derivatives exist for regular matrices only.
    """

    a: Value
    factors: Value
    pivots: Value
    permutation: Value

    examples = (
        Example(**_determining(4)),
        Example(**_determining(5)),
        Example(**_determining(3)),
        Example(**_determining(2)),
        Example(**_determining(1)),
        Example(**_determining(3, dtype=np.complex64)),
    )
    tolerance = 512

    def infer(self) -> TensorType:
        type = square(self.a, "a")
        checks.same_dtype((self.a, self.factors))
        checks.shapes_equal(type.shape, self.factors.shape, "a", "factors")
        for value, what in ((self.pivots, "pivots"), (self.permutation, "permutation")):
            checks.kind(value, "int uint", what)
            checks.shapes_equal(type.shape[:-1], value.shape, "the rows of a", what)
        return type.with_shape(type.static_shape[:-2])

    def expand(self, a: Value, factors: Value, pivots: Value, permutation: Value) -> Value:
        return _signed(ops.prod(diagonal(factors), axes=(-1,)), pivots)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        def of_a() -> Value:
            if self.a.shape[-1] == 1:
                only: Value = ops.reshape(g, shape=self.a.tensor.static_shape)
                return only
            cofactors = self._cofactors()
            dims = range(g.rank)
            spread = ops.broadcast_in_dim(g, shape=cofactors.tensor.static_shape, dims=dims)
            return ops.mul(spread, cofactors)

        return of_a, None, None, None

    def jvp(self, tangents: Sequence[Value | None], y: Value) -> Value | None:
        a = tangents[0]
        if a is None:
            return None
        if self.a.shape[-1] == 1:
            only: Value = ops.reshape(a, shape=y.tensor.static_shape)
            return only
        return ops.sum(ops.mul(a, self._cofactors()), axes=(-2, -1))

    def _cofactors(self) -> Value:
        n = self.a.shape[-1]
        if n == 2:
            signs = np.array([[1, -1], [-1, 1]], self.a.dtype.numpy)
            turned = ops.reverse(self.a, axes=(self.a.rank - 2, self.a.rank - 1))
            return ops.mul(turned, ops.constant(signs))
        return _cofactors_of_three(self.a) if n == 3 else self._cofactors_by_factors()

    def _cofactors_by_factors(self) -> Value:
        """`s P^T L^-T adj(U)^T`.

        Where one element of U's diagonal is 0, let T be the inverse of the transpose of U with a 1
        in its place: adj(U)^T is the product of the others, times that column and row of T.
        """
        factors, on = self.factors, triangle_mask(self.factors, "EQ")
        zero = on & ops.compare(factors, 0, direction="EQ")
        regular = ops.select(zero, 1, factors)
        *batch, n, _ = factors.tensor.static_shape
        eye = identity(batch, n, n, factors.dtype)
        t = ops.triangular_solve(regular, eye, lower_triangle=False, transpose_a="TRANSPOSE")
        singular = ops.convert(zero, dtype=factors.dtype)
        crossed = product(product(t, singular), t)
        zeros = ops.sum(ops.convert(zero, dtype=i32), axes=(-2, -1), keepdims=True)
        t = where(ops.compare(zeros, 0, direction="EQ"), t, crossed)
        size = ops.prod(diagonal(regular), axes=(-1,))
        size = ops.reshape(_signed(size, self.pivots), shape=(*batch, 1, 1))
        size = ops.select(ops.compare(zeros, 1, direction="LE"), size, 0)
        t = ops.triangular_solve(
            factors, ops.mul(t, size), unit_diagonal=True, transpose_a="TRANSPOSE"
        )
        found: Value = ops.take_along(t, rows_of(inverse(self.permutation), t), axis=-2)
        return found

    def batch(self, batch: Batch) -> Value:
        """The op, which takes batches."""
        found: Value = batch.rebuild(batch.full_operands())
        return found

    def reference(self, a: Array, factors: Array, pivots: Array, permutation: Array) -> Array:
        return np.asarray(np.linalg.det(accumulating(a))).astype(a.dtype)


def _signed(product: Value, pivots: Value) -> Value:
    """A product with the sign of the permutation that pivots describe."""
    moved = ops.compare(pivots, places(pivots, -1), direction="NE")
    swaps = ops.sum(ops.convert(moved, dtype=i32), axes=(-1,))
    odd = ops.compare(swaps & np.int32(1), np.int32(1), direction="EQ")
    return where(odd, -product, product)


def _cofactors_of_three(a: Value) -> Value:
    """Of 3 by 3 matrices: minors of rows and columns counted on past the last one."""
    twice = ops.concat((a, a), axis=-1)
    twice = ops.concat((twice, twice), axis=-2)

    def moved(row: int, column: int) -> Value:
        starts = [0] * (a.rank - 2) + [row, column]
        limits = [*a.tensor.static_shape[:-2], row + 3, column + 3]
        part: Value = ops.slice(twice, starts=starts, limits=limits)
        return part

    return ops.sub(ops.mul(moved(1, 1), moved(2, 2)), ops.mul(moved(1, 2), moved(2, 1)))
