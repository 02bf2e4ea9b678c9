"""Systems of linear equations and inverses, by LU.

`solve` expands to `lu` and then `lu_solve`, whose derivative is with respect to the matrix itself:
it uses the factors again, and does not go through the factorization.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent, rebuild
from dxir.dialects.linalg import accumulating, solved_together, square
from dxir.dialects.matrices import (
    identity,
    product,
    well_conditioned,
    widened,
)
from dxir.errors import ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Composite, Derived
from dxir.types import TensorType, Type, bf16, broadcast_shapes, c64, f32, f64

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]


def factored(n: int, dtype: Any) -> tuple[Array, Array, Array, Array]:
    """A matrix and what `lu` gives for it, for examples."""
    a = well_conditioned(n, n, dtype=dtype)
    out, order, pivots = a.copy(), np.arange(n, dtype=np.int32), np.zeros(n, np.int32)
    for k in range(n):
        pivots[k] = p = k + int(np.argmax(np.abs(out[k:, k])))
        out[[k, p]], order[[k, p]] = out[[p, k]], order[[p, k]]
        out[k + 1 :, k] /= out[k, k]
        out[k + 1 :, k + 1 :] -= np.outer(out[k + 1 :, k], out[k, k + 1 :])
    return a, out, pivots, order


def _solving(dtype: Any = np.float64) -> dict[str, Any]:
    a, factors, _, order = factored(4, dtype)
    return {"a": a, "factors": factors, "permutation": order}


class Solve(Composite, name="solve", rounding="sums"):
    """The `x` with `a x = b`, by LU with partial pivoting.

    `a` is `[..., n, n]`; `b` is `[..., n, k]`, or one vector `[n]`. Batches broadcast. A singular
    `a` gives infinities and NaN.
    """

    a: Value
    b: Value

    examples = (
        Example(a=well_conditioned(4, 4), b=f32[4, 2], hostile=False),
        Example(a=well_conditioned(2, 3, 3), b=f32[3], hostile=False),
        Example(a=well_conditioned(3, 3), b=f32[3], hostile=False),
        Example(a=well_conditioned(2, 1, 3, 3), b=f32[3, 3, 1], hostile=False),
        Example(a=well_conditioned(3, 3, dtype=np.complex64), b=c64[3, 2], hostile=False),
        Example(a=well_conditioned(3, 3, dtype=np.float64), b=f64[3, 2], hostile=False),
        Example(a=well_conditioned(3, 3).astype(bf16.numpy), b=bf16[3, 2], hostile=False),
        Example(a=f32[0, 0], b=f32[0, 2]),
    )
    tolerance = 64

    def infer(self) -> TensorType:
        a = square(self.a, "a")
        checks.same_dtype((self.a, self.b))
        b = self.b.tensor
        columns = self._columns()
        n, shape = a.shape[-1], b.static_shape
        if not shape or shape[-2 if columns else -1] != n:
            raise ShapeError(
                f"a is {a} and b is {b}",
                hint=f"b must be [..., {n}, k], or one vector [{n}]",
            )
        cut = -2 if columns else -1
        batch = broadcast_shapes(a.shape[:-2], shape[:cut])
        return TensorType((*batch, *shape[cut:]), a.dtype)

    def _columns(self) -> bool:
        return self.b.rank > 1

    def expand(self, a: Value, b: Value) -> Value:
        type = self.results[0].tensor
        n = a.shape[-1]
        columns = 1 if not self._columns() else type.static_shape[-1]
        batch = type.static_shape[:-2] if self._columns() else type.static_shape[:-1]
        right = ops.broadcast_to(b, shape=type.static_shape)
        right = ops.reshape(widened(right), shape=(*batch, n, columns))
        if type.size:
            a = widened(ops.broadcast_to(a, shape=(*batch, n, n)))
            factors, _, order = ops.lu(a)
            right = ops.lu_solve(a, right, factors, order)
        return ops.convert(ops.reshape(right, shape=type.static_shape), dtype=type.dtype)

    def batch(self, batch: Batch) -> Value:
        """The op: one matrix for all solves them as more right sides."""
        a, b = batch.operands
        if not batch.batched[0] and a.rank == 2:
            if self._columns():
                return solved_together(b, -1, lambda joined: batch.rebuild((a, joined)))
            x = batch.rebuild((a, ops.transpose(b, permutation=(1, 0))))
            swapped: Value = ops.transpose(x, permutation=(1, 0))
            return swapped
        if not self._columns() and batch.batched[1]:
            shape = (batch.size, *[1] * (self.a.rank - 2), b.shape[-1], 1)
            x = batch.rebuild((a, ops.reshape(b, shape=shape)))
            flat: Value = ops.reshape(x, shape=x.tensor.static_shape[:-1])
            return flat
        rank = max(self.a.rank, self.b.rank)
        found: Value = batch.rebuild([
            _aligned(v, rank) if flag else v
            for v, flag in zip((a, b), batch.batched, strict=True)
        ])  # fmt: skip
        return found

    def reference(self, a: Array, b: Array) -> Array:
        left, right = accumulating(a), accumulating(b if self._columns() else b[..., None])
        batch = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
        left = np.broadcast_to(left, (*batch, *left.shape[-2:]))
        right = np.broadcast_to(right, (*batch, *right.shape[-2:]))
        found = np.full(right.shape, np.nan, right.dtype)
        for at in np.ndindex(*batch):
            found[at] = np.linalg.solve(left[at], right[at])
        return (found if self._columns() else found[..., 0]).astype(a.dtype)


def _aligned(value: Value, rank: int) -> Value:
    """A batched value with ones behind the batch, up to a rank without it."""
    size, *rest = value.tensor.static_shape
    if len(rest) == rank:
        return value
    aligned: Value = ops.reshape(value, shape=(size, *[1] * (rank - len(rest)), *rest))
    return aligned


class LuSolve(Derived, name="lu_solve", rounding="sums"):
    """The `x` with `a x = b`, or `a^T x = b`, given what `lu` gives for `a`.

    `a` is `[..., n, n]`, `b` `[..., n, k]`. The factors only say how to compute `x`: derivatives
    are with respect to `a` and `b`, and use the factors again.
    """

    a: Value
    b: Value
    factors: Value
    permutation: Value
    transpose_a: bool = False

    examples = (
        Example(**_solving(), b=f64[4, 2], hostile=False),
        Example(**_solving(), b=f64[4, 2], transpose_a=True, hostile=False),
        Example(**_solving(dtype=np.complex64), b=c64[4, 1], transpose_a=True, hostile=False),
    )
    tolerance = 64

    def prepare(self) -> None:
        self.update(transpose_a=bool(self.transpose_a))

    def infer(self) -> TensorType:
        a, b = square(self.a, "a"), checks.rank_is(self.b, self.a.rank, "b")
        checks.same_dtype((self.a, self.b, self.factors))
        checks.shapes_equal(a.shape, self.factors.shape, "a", "factors")
        checks.shapes_equal(a.shape[:-1], self.permutation.shape, "the rows of a", "permutation")
        checks.shapes_equal(a.shape[:-1], b.shape[:-1], "the rows of a", "the rows of b")
        checks.kind(self.permutation, "int uint", "permutation")
        return b.with_shape(b.static_shape)

    def expand(self, a: Value, b: Value, factors: Value, permutation: Value) -> Value:
        if self.transpose_a:
            x = ops.triangular_solve(factors, b, lower_triangle=False, transpose_a="TRANSPOSE")
            x = ops.triangular_solve(factors, x, unit_diagonal=True, transpose_a="TRANSPOSE")
            return ops.take_along(x, rows_of(inverse(permutation), x), axis=-2)
        x = ops.take_along(b, rows_of(permutation, b), axis=-2)
        x = ops.triangular_solve(factors, x, unit_diagonal=True)
        return ops.triangular_solve(factors, x, lower_triangle=False)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        solved = self._again(g, transpose_a=not self.transpose_a)

        def of_a() -> Value:
            left, right = (y, solved) if self.transpose_a else (solved, y)
            return ops.neg(product(left, right, transpose_y=True))

        return of_a, solved, None, None

    def jvp(self, tangents: Sequence[Value | None], y: Value) -> Value | None:
        a, right, *_ = tangents
        if a is not None:
            part = product(a, y, transpose_x=self.transpose_a)
            right = ops.neg(part) if right is None else ops.sub(right, part)
        return None if right is None else self._again(right)

    def _again(self, b: Value, **changes: Any) -> Value:
        x: Value = rebuild(self, (self.a, b, self.factors, self.permutation), **changes)
        return x

    def batch(self, batch: Batch) -> Value:
        """The op; one matrix for all solves them as more right sides."""
        a, b, factors, permutation = batch.operands
        if batch.batched == (False, True, False, False):
            return solved_together(
                b, -1, lambda joined: batch.rebuild((a, joined, factors, permutation))
            )
        found: Value = batch.rebuild(batch.full_operands())
        return found

    def reference(self, a: Array, b: Array, factors: Array, permutation: Array) -> Array:
        wide = accumulating(a)
        left = wide.swapaxes(-1, -2) if self.transpose_a else wide
        return np.asarray(np.linalg.solve(left, accumulating(b))).astype(b.dtype)


def rows_of(order: Value, like: Value) -> Value:
    """Row numbers for each column of a matrix."""
    shape = like.tensor.static_shape
    rows: Value = ops.broadcast_in_dim(order, shape=shape, dims=range(len(shape) - 1))
    return rows


def inverse(permutation: Value) -> Value:
    """The permutation that undoes another one."""
    found: Value = ops.argsort(permutation, axis=-1)
    return found


class Inv(Composite, name="inv", rounding="sums"):
    """The inverse of square matrices, by LU; infinities and NaN for singular ones.

    To solve a system, `solve` is faster and more accurate.
    """

    a: Value

    examples = (
        Example(a=well_conditioned(4, 4)),
        Example(a=well_conditioned(2, 3, 3, dtype=np.float64)),
        Example(a=well_conditioned(3, 3, dtype=np.complex64)),
        Example(a=well_conditioned(3, 3).astype(bf16.numpy)),
        Example(a=f32[2, 0, 0]),
    )
    tolerance = 64

    def infer(self) -> Type:
        type = square(self.a, "a")
        return type.with_shape(type.static_shape)

    def expand(self, a: Value) -> Value:
        *batch, n, _ = a.shape
        return ops.solve(a, identity(batch, n, n, a.dtype))

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent]:
        def of_a() -> Value:
            inverse = widened(y)
            half = product(inverse, widened(g), transpose_x=True)
            return ops.convert(ops.neg(product(half, inverse, transpose_y=True)), dtype=g.dtype)

        return (of_a,)

    def jvp(self, tangents: Sequence[Value | None], y: Value) -> Value:
        (a,) = tangents
        assert a is not None
        inverse = widened(y)
        moved = product(product(inverse, widened(a)), inverse)
        return ops.convert(ops.neg(moved), dtype=a.dtype)

    def batch(self, batch: Batch) -> Value:
        """The op, which takes batches."""
        found: Value = batch.rebuild(batch.operands)
        return found

    def reference(self, a: Array) -> Array:
        return np.asarray(np.linalg.inv(accumulating(a))).astype(a.dtype)
