"""Eigenvalues of Hermitian matrices, by Jacobi rotations of many planes at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import ops
from dxir.derivatives import Cotangent
from dxir.dialects.eigen_derivatives import eigh_cotangent, eigh_tangents
from dxir.dialects.linalg import accumulating, square
from dxir.dialects.matrices import (
    adjoint,
    conjugate,
    diagonal,
    identity,
    nonzero,
    only,
    places,
    where,
    widened,
    zeros,
)
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Composite
from dxir.types import TensorType, bf16, f32, f64

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]

_SWEEPS = 30  # quadratic convergence: about 6 for f32 and 9 for f64, whatever the size


def hermitian(*shape: int, dtype: Any = np.float32) -> Array:
    """Fixed Hermitian matrices with eigenvalues well apart; the upper triangle must not be read."""
    rng = np.random.default_rng(3)
    full = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        full = full + 1j * rng.standard_normal(shape)
    basis = np.linalg.qr(full)[0]
    values = np.arange(shape[-1]) - 1.5
    found = (basis * values) @ basis.conj().swapaxes(-1, -2)
    return np.asarray(np.tril(found) + np.triu(np.full(shape, 77.0), 1)).astype(dtype)


class Eigh(Composite, name="eigh", rounding="sums"):
    """Eigenvalues, ascending, and eigenvectors of Hermitian matrices: `a v = v diag(w)`.

    Gives `w` (`[..., n]`, real) and `v` (`[..., n, n]`, unitary, one vector a column, whose
    element of largest modulus, the first of those equal to six digits, is real and positive). Only
    the triangle of `a` that `lower_triangle` names is read. A matrix with NaN or infinities gives
    NaN. The derivative is that along Hermitian changes of `a`. Vectors of equal values have none:
    they count as not turning into each other, so that functions of the space that they span, and
    of the values, have finite and right derivatives.
    """

    a: Value
    lower_triangle: bool = True

    examples = (
        Example(a=hermitian(4, 4)),
        Example(a=hermitian(2, 5, 5)),
        Example(a=hermitian(3, 3).T, lower_triangle=False),
        Example(a=hermitian(6, 6, dtype=np.float64)),
        Example(a=hermitian(3, 3, dtype=np.complex64)),
        Example(a=hermitian(2, 2, dtype=np.complex128)),
        Example(a=hermitian(3, 3).astype(bf16.numpy)),
        Example(a=np.full((2, 2), np.nan, np.float32)),
        Example(a=f32[2, 1, 1]),
        Example(a=f64[3, 0, 0]),
    )
    tolerance = 256
    hermitian = ("a",)

    def prepare(self) -> None:
        self.update(lower_triangle=bool(self.lower_triangle))

    def infer(self) -> tuple[TensorType, TensorType]:
        type = square(self.a, "a")
        shape, dtype = type.static_shape, type.primitive
        return TensorType(shape[:-1], dtype.real), TensorType(shape, dtype)

    def expand(self, a: Value) -> tuple[Value, Value]:
        *batch, n, _ = a.shape
        if not n:
            return ops.full(shape=a.shape[:-1], value=0, dtype=self.results[0].dtype), a
        x = _symmetrized(widened(a), lower=self.lower_triangle)
        size = _absolute(x)
        largest = ops.reduce_max(size, axes=(-2, -1), keepdims=True)
        fine = ops.is_finite(largest)
        scale = where(fine, nonzero(largest), ops.full_like(largest, value=1))
        x = where(fine, x, zeros(x)) / ops.convert(scale, dtype=x.dtype)
        values, vectors = _sorted(*_diagonalized(x))
        values = values * ops.reshape(scale, shape=(*batch, 1))
        vectors = _normalized(vectors)
        nan = ops.full_like(values, value=np.nan)
        values = where(ops.reshape(fine, shape=(*batch, 1)), values, nan)
        vectors = where(fine, vectors, ops.full_like(vectors, value=np.nan))
        real, dtype = self.results[0].dtype, self.results[1].dtype
        return ops.convert(values, dtype=real), ops.convert(vectors, dtype=dtype)

    def vjp(self, g: tuple[Value | None, Value | None], y: tuple[Value, Value]) -> tuple[Cotangent]:
        if not self.a.tensor.size:
            return (None,)
        w, v = y
        of_v = g[1]
        if of_v is not None and v.tensor.primitive.is_complex:
            of_v = _phase_cotangent(of_v, v)
        return (lambda: eigh_cotangent(g[0], of_v, w, v),)

    def jvp(
        self, tangents: Sequence[Value | None], y: tuple[Value, Value]
    ) -> tuple[Value | None, Value | None]:
        (a,), (w, v) = tangents, y
        assert a is not None
        if not self.a.tensor.size:
            return None, None
        of_w, of_v = eigh_tangents(a, w, v)
        if v.tensor.primitive.is_complex:
            of_v = _phase_tangent(of_v, v)
        return of_w, of_v

    def batch(self, batch: Batch) -> Sequence[Value]:
        """The op, which takes batches."""
        found: Sequence[Value] = batch.rebuild(batch.operands)
        return found

    def reference(self, a: Array) -> tuple[Array, Array]:
        if not a.size:
            return np.zeros(a.shape[:-1], self.results[0].dtype.numpy), a
        wide = accumulating(a)
        kept = np.tril(wide) if self.lower_triangle else np.triu(wide).swapaxes(-1, -2).conj()
        bad = np.asarray(~np.isfinite(kept).all(axis=(-2, -1)))
        values, vectors = np.linalg.eigh(np.where(bad[..., None, None], 0, kept))
        lead = np.argmax(np.abs(vectors).round(6), axis=-2, keepdims=True)
        phase = np.take_along_axis(vectors, lead, axis=-2)
        vectors = vectors * (phase.conj() / np.abs(phase))
        values[bad], vectors[bad] = np.nan, np.nan
        return values.astype(self.results[0].dtype.numpy), vectors.astype(a.dtype)


def _absolute(x: Value) -> Value:
    """Moduli that are NaN or infinite where any part is."""
    if not x.tensor.primitive.is_complex:
        return ops.abs(x)
    return ops.max(ops.abs(ops.real(x)), ops.abs(ops.imag(x)))


def _symmetrized(x: Value, *, lower: bool) -> Value:
    row, column = places(x, -2), places(x, -1)
    half = only(row > column if lower else row < column, x)
    on = ops.compare(row, column, direction="EQ")
    real = ops.real(x) if x.tensor.primitive.is_complex else x
    return where(on, ops.convert(real, dtype=x.dtype), half + adjoint(half))


def _diagonalized(x: Value) -> tuple[Value, Value]:
    """Eigenvalues and eigenvectors in any order.

    Brent and Luk, The solution of singular-value and symmetric eigenvalue problems on
    multiprocessor arrays, 1985: half of the planes (i, i + n/2) are rotated together, then the
    rows and columns move on as the players of a round-robin tournament do.
    """
    *batch, n, _ = x.shape
    even = n + n % 2
    widths = [0] * len(batch) + [even - n] * 2
    x = ops.pad(x, zeros(x), low=[0] * x.rank, high=widths, interior=[0] * x.rank)
    v = identity(batch, even, even, x.dtype)
    small = float(np.finfo(x.tensor.primitive.real.numpy).eps) ** 2

    def unfinished(sweep: Value, x: Value, _: Value) -> Value:
        size = ops.abs(x)
        size = size * size
        off = ops.compare(places(x, -2), places(x, -1), direction="NE")
        rest = ops.sum(only(off, size), axes=(-2, -1))
        large = rest > ops.sum(size, axes=(-2, -1)) * ops.full_like(rest, value=small)
        return ops.any(large) & (sweep < np.int32(_SWEEPS))

    def sweep(count: Value, x: Value, v: Value) -> tuple[Value, ...]:
        stop = np.int32(max(even - 1, 1))
        x, v = ops.fori_loop(np.int32(0), stop, lambda _, x, v: _rotated(x, v), (x, v))
        return count + np.int32(1), x, v

    _, x, v = ops.while_loop(unfinished, sweep, (np.int32(0), x, v))
    kept = [*batch, n, n]
    starts = [0] * x.rank
    values = diagonal(ops.slice(x, starts=starts, limits=kept))
    if values.tensor.primitive.is_complex:
        values = ops.real(values)
    return values, ops.slice(v, starts=starts, limits=kept)


def _rotated(x: Value, v: Value) -> tuple[Value, Value]:
    half = x.shape[-1] // 2
    sine, tangent = _angles(x, half)
    x = _turned(x, -2, sine, tangent)
    x, v = (_turned(m, -1, conjugate(sine), conjugate(tangent)) for m in (x, v))
    distance = ops.abs(places(x, -2) - places(x, -1))
    paired = ops.compare(distance, np.int32(half), direction="EQ")
    x = where(paired, zeros(x), x)  # what rounding leaves there would stop the convergence
    return _moved_on(_moved_on(x, -2, half), -1, half), _moved_on(v, -1, half)


def _turned(x: Value, axis: int, sine: Value, tangent: Value) -> Value:
    """Rows or columns (i, i + half) rotated, in a form that loses nothing for small angles.

    Rutishauser, The Jacobi method for real symmetric matrices, 1966: `1 - sine * tangent`, with
    the tangent of the half angle, in place of the cosine.
    """
    *batch, half = sine.shape
    shape = (*batch, half, 1) if axis == -2 else (*batch, 1, half)
    z, u = ops.reshape(sine, shape=shape), ops.reshape(tangent, shape=shape)
    first, second = _halves(x, axis, half)
    turned = (
        first - z * (second + conjugate(u) * first),
        second + conjugate(z) * (first - u * second),
    )
    return ops.concat(turned, axis=axis)


def _angles(x: Value, half: int) -> tuple[Value, Value]:
    """Sine and tangent of the half angle that make the elements (i, i + half) 0, with phases."""
    top, bottom = _halves(x, -2, half)
    first, across = (diagonal(part) for part in _halves(top, -1, half))
    second = diagonal(_halves(bottom, -1, half)[1])
    size = ops.abs(across)
    if across.tensor.primitive.is_complex:
        first, second = ops.real(first), ops.real(second)
    none = ops.compare(size, zeros(size), direction="EQ")
    one = ops.full_like(size, value=1)
    slope = (second - first) / (where(none, one, size) * ops.full_like(size, value=2))
    steep = one / (ops.abs(slope) + ops.sqrt(slope * slope + one))
    tangent = where(none, zeros(size), where(slope < zeros(slope), -steep, steep))
    cosine = one / ops.sqrt(tangent * tangent + one)
    phase = where(none, ops.full_like(across, value=1), across / nonzero(_as(size, across)))
    sine = tangent * cosine
    return _as(sine, across) * phase, _as(sine / (one + cosine), across) * phase


def _as(real: Value, like: Value) -> Value:
    return ops.convert(real, dtype=like.dtype)


def _halves(x: Value, axis: int, half: int) -> tuple[Value, Value]:
    return _between(x, axis, 0, half), _between(x, axis, half, 2 * half)


def _between(x: Value, axis: int, start: int, limit: int) -> Value:
    axis = axis % x.rank
    starts = [start if i == axis else 0 for i in range(x.rank)]
    limits = [limit if i == axis else d for i, d in enumerate(x.shape)]
    return ops.slice(x, starts=starts, limits=limits)


def _moved_on(x: Value, axis: int, half: int) -> Value:
    """The next round: the first stays, all others move one place around the two halves."""
    if half == 1:
        return x
    ends = ((0, 1), (half, half + 1), (1, half - 1), (half + 1, 2 * half), (half - 1, half))
    pieces = [_between(x, axis, start, limit) for start, limit in ends if start < limit]
    return ops.concat(pieces, axis=axis)


def _sorted(values: Value, vectors: Value) -> tuple[Value, Value]:
    order = ops.argsort(values, axis=-1)
    *batch, n = values.shape
    dims = [*range(len(batch)), len(batch) + 1]
    columns = ops.broadcast_in_dim(order, shape=(*batch, n, n), dims=dims)
    taken = ops.take_along(vectors, columns, axis=-1)
    return ops.take_along(values, order, axis=-1), taken


def _leads(vectors: Value) -> Value:
    """Where the element of largest modulus of each vector is."""
    size = ops.abs(vectors)
    # Rounded, so that elements equal but for rounding count as equal and the first one leads.
    near = ops.round(size * ops.full_like(size, value=1e6))
    lead = ops.argmax(near, axis=-2, keepdims=True)
    here: Value = ops.compare(places(vectors, -2), lead, direction="EQ")
    return here


def _normalized(vectors: Value) -> Value:
    phase = ops.sum(only(_leads(vectors), vectors), axes=(-2,), keepdims=True)
    return vectors * conjugate(phase) / nonzero(_as(ops.abs(phase), vectors))


def _phase_tangent(tangent: Value, vectors: Value) -> Value:
    """A tangent of vectors turned so that their leading elements stay real."""
    lead = _leads(vectors)
    moved, size = (
        ops.sum(only(lead, part), axes=(-2,), keepdims=True)
        for part in (ops.imag(tangent), ops.real(vectors))
    )
    turn = ops.div(moved, nonzero(size))
    return ops.sub(tangent, ops.mul(vectors, ops.complex(zeros(turn), turn)))


def _phase_cotangent(g: Value, vectors: Value) -> Value:
    """The transpose of `_phase_tangent`."""
    lead = _leads(vectors)
    size = ops.sum(only(lead, ops.real(vectors)), axes=(-2,), keepdims=True)
    turn = ops.sum(ops.imag(ops.mul(g, vectors)), axes=(-2,), keepdims=True)
    turn = ops.div(turn, nonzero(size))
    return ops.sub(g, only(lead, ops.complex(zeros(turn), turn)))
