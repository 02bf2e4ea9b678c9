"""Linear algebra that StableHLO has ops for: Cholesky, triangular systems, Fourier transforms."""

from __future__ import annotations

from typing import Any

import numpy as np

from dxir import checks, ops
from dxir.errors import AttributeValueError, DTypeError, ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Derived, Primitive, attribute
from dxir.types import TensorType, bf16, c64, c128, f32, f64

Array = np.ndarray[Any, Any]

FFT_TYPES = ("FFT", "IFFT", "RFFT", "IRFFT")
TRANSPOSES = ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")


def positive_definite(*shape: int, dtype: Any = np.float32) -> Array:
    """Fixed Hermitian positive definite matrices, for examples."""
    rng = np.random.default_rng(7)
    half = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        half = half + 1j * rng.standard_normal(shape)
    gram = half @ half.conj().swapaxes(-1, -2) + shape[-1] * np.eye(shape[-1])
    return np.asarray(gram).astype(dtype)


def triangular(*shape: int, lower: bool = True, dtype: Any = np.float32) -> Array:
    """Fixed, well-conditioned triangular matrices whose other triangle must not be read."""
    rng = np.random.default_rng(11)
    full = rng.uniform(-1, 1, shape)
    if np.dtype(dtype).kind == "c":
        full = full + 1j * rng.uniform(-1, 1, shape)
    full = full + (2 + shape[-1]) * np.eye(shape[-1])
    kept = np.tril(full) if lower else np.triu(full)
    unread = np.triu(np.full(shape, 99.0), 1) if lower else np.tril(np.full(shape, 99.0), -1)
    return np.asarray(kept + unread).astype(dtype)


def accumulating(array: Array) -> Array:
    """The array in double precision (complex if it was), which references compute in."""
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def square(value: Value, what: str = "operand") -> TensorType:
    """The type of `value`, when it is a batch of square float or complex matrices."""
    checks.kind(value, "float complex", what)
    type = checks.rank_at_least(value, 2, what)
    rows, columns = type.static_shape[-2:]
    if rows != columns:
        raise ShapeError(
            f"{what} has type {type}: its last two axes are {rows} and {columns}",
            hint="they must be equal: square matrices are needed",
        )
    return type


class Cholesky(Primitive, name="cholesky", mlir="stablehlo.cholesky"):
    """The triangular factor of Hermitian positive definite matrices: `a = L L^H`, or `U^H U`.

    `a` is `[..., n, n]`; only its lower triangle is read (the upper one when
    `lower_triangle=False`). The other triangle of the result is left to the backend; zeros on CPU.
    A matrix that is not positive definite has no factor: backends give NaN.
    """

    a: Value
    lower_triangle: bool = attribute("bool", default=True, mlir="lower")

    examples = (
        Example(a=positive_definite(3, 3)),
        Example(a=positive_definite(2, 4, 4), lower_triangle=False),
        Example(a=positive_definite(3, 3, dtype=np.complex64)),
        Example(a=positive_definite(3, 3, dtype=np.float64)),
        Example(a=positive_definite(3, 3).astype(bf16.numpy)),
        Example(a=f32[2, 0, 0]),
    )
    tolerance = 32

    def prepare(self) -> None:
        self.update(lower_triangle=bool(self.lower_triangle))

    def infer(self) -> TensorType:
        return square(self.a, "a").with_shape(self.a.shape)

    def reference(self, a: Array) -> Array:
        wide = accumulating(a)
        if not self.lower_triangle:
            wide = wide.conj().swapaxes(-1, -2)
        out = np.zeros_like(wide)
        for k in range(wide.shape[-1]):
            row = out[..., k, :k]
            pivot = wide[..., k, k].real - np.real(row * row.conj()).sum(-1)
            out[..., k, k] = np.sqrt(pivot)
            inner = np.einsum("...ij,...j->...i", out[..., k + 1 :, :k], row.conj())
            out[..., k + 1 :, k] = (wide[..., k + 1 :, k] - inner) / out[..., k, k, None]
        out[np.isnan(out).any(axis=(-2, -1))] = np.nan
        return np.asarray(out if self.lower_triangle else out.conj().swapaxes(-1, -2)).astype(
            a.dtype
        )


class TriangularSolve(Primitive, name="triangular_solve", mlir="stablehlo.triangular_solve"):
    """The `x` with `op(a) x = b` (`x op(a) = b` when `left_side=False`), for triangular `a`.

    `a` is `[..., n, n]`, `b` `[..., n, k]` (`[..., k, n]` on the right side). `op` is chosen by
    `transpose_a`: NO_TRANSPOSE, TRANSPOSE or ADJOINT. Only the triangle that `lower_triangle`
    names is read, and with `unit_diagonal` its diagonal counts as ones. A zero on the diagonal
    gives infinities and NaN.
    """

    a: Value
    b: Value
    left_side: bool = attribute("bool", default=True)
    lower_triangle: bool = attribute("bool", default=True, mlir="lower")
    unit_diagonal: bool = attribute("bool", default=False)
    transpose_a: str = attribute("transpose", default="NO_TRANSPOSE")

    examples = (
        Example(a=triangular(3, 3), b=f32[3, 2], hostile=False),
        Example(
            a=triangular(2, 3, 3, lower=False), b=f32[2, 3, 1], lower_triangle=False, hostile=False
        ),
        Example(a=triangular(3, 3), b=f32[2, 3], left_side=False, hostile=False),
        Example(a=triangular(3, 3) / 8, b=f32[3, 2], unit_diagonal=True, hostile=False),
        Example(a=triangular(3, 3), b=f32[3, 2], transpose_a="TRANSPOSE", hostile=False),
        Example(
            a=triangular(3, 3, dtype=np.complex64),
            b=c64[3, 2],
            transpose_a="ADJOINT",
            hostile=False,
        ),
        Example(
            a=triangular(3, 3, lower=False, dtype=np.complex128),
            b=c128[2, 3],
            lower_triangle=False,
            left_side=False,
            transpose_a="ADJOINT",
            hostile=False,
        ),
        Example(a=triangular(3, 3).astype(bf16.numpy), b=bf16[3, 2], hostile=False),
        Example(a=f64[0, 0], b=f64[0, 4]),
    )
    tolerance = 32

    def prepare(self) -> None:
        self.update(
            left_side=bool(self.left_side),
            lower_triangle=bool(self.lower_triangle),
            unit_diagonal=bool(self.unit_diagonal),
            transpose_a=checks.one_of(self.transpose_a, TRANSPOSES, "transpose_a"),
        )

    def infer(self) -> TensorType:
        a, b = square(self.a, "a"), checks.rank_is(self.b, self.a.rank, "b")
        checks.same_dtype((self.a, self.b))
        checks.shapes_equal(a.shape[:-2], b.shape[:-2], "the batch of a", "the batch of b")
        axis = -2 if self.left_side else -1
        if b.static_shape[axis] != a.shape[-1]:
            side = "left" if self.left_side else "right"
            raise ShapeError(
                f"a is {a} and b is {b}: with a on the {side} side, axis {axis} of b "
                f"must have size {a.shape[-1]}"
            )
        return b.with_shape(b.shape)

    def reference(self, a: Array, b: Array) -> Array:
        kept = accumulating(np.tril(a) if self.lower_triangle else np.triu(a))
        n = a.shape[-1]
        if self.unit_diagonal:
            kept[..., range(n), range(n)] = 1
        if self.transpose_a == "ADJOINT":
            kept = kept.conj()
        lower = self.lower_triangle
        if (self.transpose_a != "NO_TRANSPOSE") == self.left_side:
            kept, lower = kept.swapaxes(-1, -2), not lower
        right = accumulating(b) if self.left_side else accumulating(b).swapaxes(-1, -2)
        x = np.zeros_like(right)
        for k in range(n) if lower else reversed(range(n)):
            known = np.einsum("...j,...jk->...k", kept[..., k, :], x)
            x[..., k, :] = (right[..., k, :] - known) / kept[..., k, k, None]
        return np.asarray(x if self.left_side else x.swapaxes(-1, -2)).astype(b.dtype)


class Fft(Primitive, name="fft", mlir="stablehlo.fft"):
    """The discrete Fourier transform over the last one to three axes.

    `fft_length` holds the sizes of the transformed axes (the last axis, unless given), in samples
    of the signal. `fft_type` is FFT, IFFT (scaled by 1/n), RFFT (real to the `n // 2 + 1`
    non-negative frequencies) or IRFFT (back; imaginary parts of frequency 0 and, for even `n`,
    of n/2 count as 0).
    """

    x: Value
    fft_length: tuple[int, ...] | None = attribute("i64_array", default=None)
    fft_type: str = attribute("fft_type", default="FFT")

    examples = (
        Example(x=c64[8], hostile=False),
        Example(x=c128[2, 6], fft_type="IFFT", hostile=False),
        Example(x=c64[2, 3, 4], fft_length=(3, 4), hostile=False),
        Example(x=f32[2, 7], fft_type="RFFT", hostile=False),
        Example(x=f64[3, 4, 6], fft_type="RFFT", fft_length=(3, 4, 6), hostile=False),
        Example(x=c64[2, 5], fft_type="IRFFT", fft_length=(9,), hostile=False),
        Example(x=c64[2, 5], fft_type="IRFFT", hostile=False),
        Example(x=c64[2, 0]),
    )
    tolerance = 64

    def prepare(self) -> None:
        kind = checks.one_of(self.fft_type, FFT_TYPES, "fft_type")
        self.update(fft_type=kind, fft_length=_lengths(self.x, kind, self.fft_length))

    def infer(self) -> TensorType:
        return _transformed(self.x, self.fft_type, self.fft_length or ())

    def reference(self, x: Array) -> Array:
        type, lengths = self.results[0].tensor, self.fft_length or ()
        if type.size == 0:
            return np.zeros(type.static_shape, type.dtype.numpy)
        axes = tuple(range(-len(lengths), 0))
        transform = getattr(np.fft, self.fft_type.lower() + "n")
        return np.asarray(transform(accumulating(x), lengths, axes)).astype(type.dtype.numpy)


def _lengths(x: Value, kind: str, given: object) -> tuple[int, ...]:
    if given is not None:
        return checks.integers(given, "fft_length")
    last = checks.rank_at_least(x, 1).static_shape[-1]
    return (max(2 * (last - 1), 0) if kind == "IRFFT" else last,)


def _transformed(x: Value, kind: str, lengths: tuple[int, ...]) -> TensorType:
    if not 1 <= len(lengths) <= 3 or min(lengths) < 0:
        raise AttributeValueError(
            f"fft_length is {lengths}", hint="give one to three sizes that are not negative"
        )
    type = checks.rank_at_least(x, len(lengths))
    allowed = (f32, f64) if kind == "RFFT" else (c64, c128)
    if type.dtype not in allowed:
        raise DTypeError(
            f"{kind} cannot take {type}", hint=f"it must be {allowed[0]} or {allowed[1]}"
        )
    shape = list(type.static_shape)
    expected = list(lengths)
    half = lengths[-1] // 2 + 1 if lengths[-1] else 0
    if kind == "IRFFT":
        expected[-1] = half
    if shape[-len(lengths) :] != expected:
        raise ShapeError(
            f"{kind} with fft_length {list(lengths)} needs axes of size {expected} "
            f"at the end, but the operand has type {type}"
        )
    if kind == "RFFT":
        shape[-1] = half
        return TensorType(shape, c64 if type.dtype == f32 else c128)
    if kind == "IRFFT":
        shape[-1] = lengths[-1]
    return TensorType(shape, type.primitive.real if kind == "IRFFT" else type.dtype)


class Transform(Derived):
    """Base of the transforms that have a name of their own."""

    x: Value
    fft_length: tuple[int, ...] | None = None

    def prepare(self) -> None:
        self.update(fft_length=_lengths(self.x, self.op.upper(), self.fft_length))

    def infer(self) -> TensorType:
        return _transformed(self.x, self.op.upper(), self.fft_length or ())

    def expand(self, x: Value) -> Value:
        return ops.fft(x, fft_type=self.op.upper(), fft_length=self.fft_length)


class Ifft(Transform, name="ifft"):
    """The inverse Fourier transform, scaled by 1/n, over the last one to three axes."""

    examples = (
        Example(x=c64[6], hostile=False),
        Example(x=c64[2, 3, 4], fft_length=(3, 4), hostile=False),
    )
    tolerance = 64

    def reference(self, x: Array) -> Array:
        axes = _axes(self.fft_length)
        return np.asarray(np.fft.ifftn(accumulating(x), axes=axes)).astype(x.dtype)


class Rfft(Transform, name="rfft"):
    """The Fourier transform of a real signal, at its `n // 2 + 1` non-negative frequencies."""

    examples = (
        Example(x=f32[6], hostile=False),
        Example(x=f64[2, 3, 5], fft_length=(3, 5), hostile=False),
    )
    tolerance = 64

    def reference(self, x: Array) -> Array:
        axes = _axes(self.fft_length)
        found = np.fft.rfftn(accumulating(x), axes=axes)
        return np.asarray(found).astype(self.results[0].dtype.numpy)


class Irfft(Transform, name="irfft"):
    """The real signal that has the given frequencies; its last size is `fft_length[-1]`.

    Without `fft_length` the size is even, `2 * (m - 1)` for `m` frequencies.
    """

    examples = (
        Example(x=c64[4], hostile=False),
        Example(x=c128[2, 3, 4], fft_length=(3, 7), hostile=False),
    )
    tolerance = 64

    def reference(self, x: Array) -> Array:
        axes = _axes(self.fft_length)
        found = np.fft.irfftn(accumulating(x), self.fft_length, axes)
        return np.asarray(found).astype(self.results[0].dtype.numpy)


def _axes(lengths: tuple[int, ...] | None) -> tuple[int, ...]:
    return tuple(range(-len(lengths or (0,)), 0))
