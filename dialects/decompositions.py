"""Factorizations of matrices, and what follows from them, as loops over columns.

All take batches `[..., m, n]` of float or complex matrices of static shape; the small floats are
computed in f32 and rounded once. Each is a composite, so that a target can put its own routine in
its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import ops
from dxir.derivatives import Cotangent
from dxir.dialects.factor_derivatives import (
    lu_cotangent,
    lu_tangent,
    qr_cotangent,
    qr_tangents,
)
from dxir.dialects.linalg import accumulating
from dxir.dialects.matrices import (
    column_norms,
    conjugate,
    cut,
    identity,
    matrices,
    nonzero,
    only,
    paste,
    places,
    reflected,
    well_conditioned,
    where,
    widened,
    zeros,
)
from dxir.dialects.substitutes import pull_through, push_through
from dxir.examples import Example
from dxir.graph import Value, place
from dxir.op import Composite, expansion
from dxir.types import TensorType, bf16, c64, f32, f64, i32

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch
    from dxir.transforms.forward import Forward
    from dxir.transforms.reverse import Pull, Reverse

Array = np.ndarray[Any, Any]


class Lu(Composite, name="lu", rounding="sums"):
    """The factors of `a[permutation] = L U`, with partial pivoting; like LAPACK's `getrf`.

    Gives `lu` (`[..., m, n]`: U, and L below the diagonal, whose own diagonal is 1), `pivots`
    (i32 `[..., k]`, k the smaller size: step i swapped rows i and `pivots[i]`) and `permutation`
    (i32 `[..., m]`). The pivot is the element of largest modulus, the first of equal ones. Where
    all are 0, U gets a 0 on its diagonal.
    """

    a: Value

    examples = (
        Example(a=f32[4, 4], hostile=False),
        Example(a=f64[2, 3, 5], hostile=False),
        Example(a=f32[5, 3], hostile=False),
        Example(a=c64[3, 3], hostile=False),
        Example(a=well_conditioned(2, 4, 4).astype(bf16.numpy)),
        Example(a=np.array([[0, 0, 1], [0, 0, 2], [0, 0, 3]], np.float32)),
        Example(a=f32[2, 0, 3]),
        Example(a=f32[0, 2, 2]),
    )
    tolerance = 64

    def infer(self) -> tuple[TensorType, TensorType, TensorType]:
        type = matrices(self.a, "a")
        *batch, m, n = type.static_shape
        return type, i32[(*batch, min(m, n))], i32[(*batch, m)]

    def expand(self, a: Value) -> tuple[Value, Value, Value]:
        *batch, m, n = a.shape
        order = ops.iota(shape=(*batch, m), axis=-1, dtype=i32)
        pivots = ops.full(shape=(*batch, min(m, n)), value=0, dtype=i32)
        if min(m, n):
            init = (widened(a), pivots, order)
            steps = np.int32(min(m, n))
            wide, pivots, order = ops.fori_loop(np.int32(0), steps, _eliminate, init)
            a = ops.convert(wide, dtype=a.dtype)
        return a, pivots, order

    def vjp(self, g: tuple[Value | None, ...], y: tuple[Value, Value, Value]) -> tuple[Cotangent]:
        given, (factors, _, order) = g[0], y
        if given is None or not factors.tensor.size:
            return (None,)
        return (lambda: lu_cotangent(given, factors, order),)

    def jvp(
        self, tangents: Sequence[Value | None], y: tuple[Value, Value, Value]
    ) -> tuple[Value | None, None, None]:
        (tangent,), (factors, _, order) = tangents, y
        assert tangent is not None
        moved = lu_tangent(tangent, factors, order) if factors.tensor.size else None
        return moved, None, None

    def batch(self, batch: Batch) -> Sequence[Value]:
        """The op, which takes batches."""
        found: Sequence[Value] = batch.rebuild(batch.operands)
        return found

    def reference(self, a: Array) -> tuple[Array, Array, Array]:
        out = accumulating(a)
        *batch, m, n = a.shape
        pivots = np.zeros((*batch, min(m, n)), np.int32)
        order = np.empty((*batch, m), np.int32)
        for at in np.ndindex(*batch):
            factor, rows = out[at], np.arange(m)
            for k in range(min(m, n)):
                pivots[at][k] = p = k + int(np.argmax(np.abs(factor[k:, k])))
                factor[[k, p]], rows[[k, p]] = factor[[p, k]], rows[[p, k]]
                if factor[k, k] != 0:
                    factor[k + 1 :, k] /= factor[k, k]
                factor[k + 1 :, k + 1 :] -= np.outer(factor[k + 1 :, k], factor[k, k + 1 :])
            order[at] = rows
        return out.astype(a.dtype), pivots, order


def _eliminate(k: Value, a: Value, pivots: Value, order: Value) -> tuple[Value, Value, Value]:
    row, column = places(a, -2), places(a, -1)
    size = where(
        row >= k,
        ops.abs(cut(a, -1, k)),
        ops.full(shape=(), value=-1, dtype=a.tensor.primitive.real),
    )
    pivot_row = ops.argmax(size, axis=-2, keepdims=True)
    chosen = ops.compare(row, pivot_row, direction="EQ")
    current = ops.compare(row, k, direction="EQ")
    top = ops.sum(only(chosen, a), axes=(-2,), keepdims=True)
    a = where(current, top, where(chosen, cut(a, -2, k), a))
    factors = cut(a, -1, k) / nonzero(cut(top, -1, k))
    below = row > k
    a = where(below & (column > k), a - factors * top, a)
    a = where(below & ops.compare(column, k, direction="EQ"), factors, a)
    flat = ops.reshape(pivot_row, shape=pivot_row.shape[:-1])
    place = places(order, -1)
    chosen = ops.compare(place, flat, direction="EQ")
    swapped = ops.sum(only(chosen, order), axes=(-1,), keepdims=True)
    here = ops.compare(place, k, direction="EQ")
    order = where(here, swapped, where(chosen, cut(order, -1, k), order))
    return a, paste(pivots, flat, -1, k), order


class Qr(Composite, name="qr", rounding="sums"):
    """The factors of `a = q r`, by Householder reflections: q unitary, r upper triangular.

    `q` is `[..., m, k]` and `r` `[..., k, n]` with k the smaller size; with `full_matrices`, k is
    m. Signs are LAPACK's: a diagonal element of r is negative where the column it comes from had
    to be reflected and began with a positive element.
    """

    a: Value
    full_matrices: bool = False

    examples = (
        Example(a=f32[4, 4], hostile=False),
        Example(a=f32[2, 5, 3], hostile=False),
        Example(a=f64[2, 4], hostile=False),
        Example(a=f32[4, 2], full_matrices=True, hostile=False),
        Example(a=c64[3, 3], hostile=False),
        Example(a=well_conditioned(4, 4).astype(bf16.numpy)),
        Example(a=np.zeros((3, 2), np.float32)),
        Example(a=f32[3, 0], full_matrices=True),
        Example(a=f32[2, 0, 3]),
    )
    tolerance = 256

    def prepare(self) -> None:
        self.update(full_matrices=bool(self.full_matrices))

    def infer(self) -> tuple[TensorType, TensorType]:
        type = matrices(self.a, "a")
        *batch, m, n = type.static_shape
        k = m if self.full_matrices else min(m, n)
        return type.with_shape((*batch, m, k)), type.with_shape((*batch, k, n))

    def expand(self, a: Value) -> tuple[Value, Value]:
        *batch, m, n = a.shape
        k = m if self.full_matrices else min(m, n)
        steps = min(m, n)
        r = widened(a)
        q = identity(batch, m, k, r.dtype)
        if steps:
            vectors = ops.full(shape=(*batch, m, steps), value=0, dtype=r.dtype)
            scales = ops.full(shape=(*batch, 1, steps), value=0, dtype=r.dtype)
            stop = np.int32(steps)
            r, vectors, scales = ops.fori_loop(np.int32(0), stop, _reflect, (r, vectors, scales))

            def apply(i: Value, q: Value) -> Value:
                j = np.int32(steps - 1) - i
                return reflected(q, cut(vectors, -1, j), cut(scales, -1, j))

            (q,) = ops.fori_loop(np.int32(0), stop, apply, (q,))
        kept = only(places(r, -2) <= places(r, -1), r)
        starts, limits = [0] * r.rank, [*batch, k, n]
        kept = ops.slice(kept, starts=starts, limits=limits)
        return ops.convert(q, dtype=a.dtype), ops.convert(kept, dtype=a.dtype)

    def pullback(self, sweep: Reverse) -> tuple[Sequence[Value], Pull]:
        if self._completes():
            return pull_through(sweep, self, expansion(self))
        place(self)
        q, r = self.results

        def pull(g: Sequence[Value | None]) -> Iterable[tuple[Value, Cotangent]]:
            return ((self.a, lambda: qr_cotangent(g, self.a, q, r)),)

        return (q, r), pull

    def _completes(self) -> bool:
        """Whether q has columns that `a` does not determine, but the reflections do."""
        *_, m, n = self.a.shape
        return self.full_matrices and m > n

    def pushforward(self, sweep: Forward) -> tuple[Sequence[Value], Sequence[Value | None]]:
        if self._completes():
            return push_through(sweep, self, expansion(self))
        place(self)
        q, r = self.results
        return (q, r), qr_tangents(sweep.tangents[self.a], self.a, q, r)

    def batch(self, batch: Batch) -> Sequence[Value]:
        """The op, which takes batches."""
        found: Sequence[Value] = batch.rebuild(batch.operands)
        return found

    def reference(self, a: Array) -> tuple[Array, Array]:
        wide = accumulating(a)
        q, r = np.linalg.qr(wide, "complete") if self.full_matrices else np.linalg.qr(wide)
        return q.astype(a.dtype), r.astype(a.dtype)


def _reflect(j: Value, a: Value, vectors: Value, scales: Value) -> tuple[Value, Value, Value]:
    row, column = places(a, -2), places(a, -1)
    whole = only(row >= j, cut(a, -1, j))
    tail = only(row > j, whole)
    alpha = cut(whole, -2, j)
    norm = column_norms(whole)
    is_complex = alpha.tensor.primitive.is_complex
    real = ops.real(alpha) if is_complex else alpha
    beta = where(real < zeros(real), norm, -norm)
    done = ops.compare(column_norms(tail), zeros(norm), direction="EQ")
    if is_complex:
        imaginary = ops.imag(alpha)
        done = done & ops.compare(imaginary, zeros(imaginary), direction="EQ")
    beta = where(done, alpha, ops.convert(beta, dtype=a.dtype))
    scale = where(done, zeros(alpha), (beta - alpha) / nonzero(beta))
    at_j = ops.compare(row, j, direction="EQ")
    vector = where(at_j, ops.full_like(tail, value=1), tail / nonzero(alpha - beta))
    vector = only(row >= j, vector)
    a = reflected(a, vector, conjugate(scale))
    a = where(at_j & ops.compare(column, j, direction="EQ"), beta, a)
    return a, paste(vectors, vector, -1, j), paste(scales, scale, -1, j)
