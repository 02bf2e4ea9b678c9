"""Fourier transforms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent, rebuild
from dxir.dialects.linalg import accumulating
from dxir.dialects.matrices import conjugate
from dxir.errors import AttributeValueError, DTypeError, ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Derived, Primitive, attribute
from dxir.types import TensorType, c64, c128, f32, f64

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]

FFT_TYPES = ("FFT", "IFFT", "RFFT", "IRFFT")


class Fft(Primitive, name="fft", mlir="stablehlo.fft", rounding="sums"):
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

    linear = ("x",)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent]:
        """The transform again: its matrix is symmetric, but for the frequencies left out."""
        if not g.tensor.size:
            return (None,)
        if self.fft_type == "RFFT":
            return (lambda: self._of_signal(g),)
        if self.fft_type == "IRFFT":
            return (lambda: self._of_frequencies(g),)
        return (lambda: rebuild(self, (g,)),)

    def _of_signal(self, g: Value) -> Value:
        lengths = self.fft_length
        assert lengths is not None
        last = lengths[-1]
        if len(lengths) == 1:
            weights = (1 + _edges(last)) * (last / 2)
            scaled = ops.mul(conjugate(g), ops.constant(weights.astype(g.dtype.numpy)))
            signal: Value = ops.fft(scaled, fft_type="IRFFT", fft_length=lengths)
            return signal
        # Over several axes, backends want the frequencies of a real signal to have its symmetry.
        high = [0] * (g.rank - 1) + [last - g.tensor.static_shape[-1]]
        zero = ops.constant(np.zeros((), g.tensor.primitive.numpy))
        none = [0] * g.rank
        padded = ops.pad(g, zero, low=none, high=high, interior=none)
        return ops.real(ops.fft(padded, fft_type="FFT", fft_length=lengths))

    def _of_frequencies(self, g: Value) -> Value:
        lengths = self.fft_length
        assert lengths is not None
        found = ops.fft(g, fft_type="RFFT", fft_length=lengths)
        weights = (2 - _edges(lengths[-1])) / np.prod(lengths)
        return conjugate(ops.mul(found, ops.constant(weights.astype(found.dtype.numpy))))

    def batch(self, batch: Batch) -> Value:
        """The op, whose leading axes are batches."""
        found: Value = batch.rebuild(batch.operands)
        return found

    def reference(self, x: Array) -> Array:
        type, lengths = self.results[0].tensor, self.fft_length or ()
        if type.size == 0:
            return np.zeros(type.static_shape, type.dtype.numpy)
        axes = tuple(range(-len(lengths), 0))
        transform = getattr(np.fft, self.fft_type.lower() + "n")
        return np.asarray(transform(accumulating(x), lengths, axes)).astype(type.dtype.numpy)


def _edges(size: int) -> Array:
    """1 for the frequencies that a signal of this size has once, 0 for those it has twice."""
    count = size // 2 + 1
    at = np.arange(count)
    return np.asarray((at == 0) | (2 * at == size)).astype(np.float64)


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


class Ifft(Transform, name="ifft", rounding="sums"):
    """The inverse Fourier transform, scaled by 1/n, over the last one to three axes."""

    examples = (
        Example(x=c64[6], hostile=False),
        Example(x=c64[2, 3, 4], fft_length=(3, 4), hostile=False),
    )
    tolerance = 64

    def reference(self, x: Array) -> Array:
        axes = _axes(self.fft_length)
        return np.asarray(np.fft.ifftn(accumulating(x), axes=axes)).astype(x.dtype)


class Rfft(Transform, name="rfft", rounding="sums"):
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


class Irfft(Transform, name="irfft", rounding="sums"):
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
