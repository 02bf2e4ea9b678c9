"""The Fourier transform extension of the Python array API standard."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import ops
from dxir.errors import AttributeValueError, DTypeError, ShapeError
from dxir.numpy.arguments import axes_of, axis_of, check_device, dtype_of, integer, made, public
from dxir.numpy.composed import conj
from dxir.numpy.manipulation import moveaxis, pad, roll
from dxir.numpy.promotion import array_of
from dxir.other_names import no_attribute
from dxir.tracing.arrays import Array
from dxir.types import DType, c64, c128, f32, f64

__all__ = [
    "fft", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifftn", "ifftshift", "ihfft", "irfft",
    "irfftn", "rfft", "rfftfreq", "rfftn",
]  # fmt: skip

if not TYPE_CHECKING:  # to type checkers, other names are mistakes

    def __getattr__(name):
        raise no_attribute(
            "dxir.numpy.fft",
            name,
            __all__,
            {"fft2": "fft.fftn", "ifft2": "fft.ifftn", "rfft2": "fft.rfftn"},
        )


_NORMS = ("backward", "ortho", "forward")


def _complex(x: Any) -> Array:
    array = array_of(x)
    if array.dtype.is_complex:
        return array
    return ops.convert(array, dtype=c128 if array.dtype == f64 else c64)


def _real(x: Any, what: str) -> Array:
    array = array_of(x)
    if array.dtype.is_complex:
        raise DTypeError(f"{what} takes real numbers, not {array.type}")
    return array if array.dtype in (f32, f64) else ops.convert(array, dtype=f32)


def _resized(x: Array, size: int, axis: int) -> Array:
    """The array cut, or filled with zeros, along an axis."""
    own = x.shape[axis]
    if own > size:
        return x[(slice(None),) * axis + (slice(0, size),)]
    if own < size:
        widths = [(0, size - own if i == axis else 0) for i in range(len(x.shape))]
        return pad(x, widths)
    return x


def _scaled(x: Array, size: int, norm: str, *, forward: bool) -> Array:
    """The result of an op, which divides where it goes backwards, by another convention."""
    if norm not in _NORMS:
        raise AttributeValueError(f"norm is {norm!r}", hint=f"it is one of {', '.join(_NORMS)}")
    if norm == "backward":
        return x
    by = math.sqrt(size) if norm == "ortho" else float(size)
    factor = x.dtype.numpy.type(1 / by if forward else by)
    found: Array = ops.mul(x, factor)
    return found


def _transformed(op: str, x: Array, axis: int, norm: str, size: int, **length: Any) -> Array:
    """The transform along one axis: `op` takes the last one."""
    if size < 1:
        raise ShapeError(f"a transform of {size} elements")
    last = len(x.shape) - 1
    found = getattr(ops, op)(moveaxis(x, axis, last) if axis != last else x, **length)
    found = _scaled(found, size, norm, forward=op in ("fft", "rfft"))
    return moveaxis(found, last, axis) if axis != last else found


def _one(op: str, x: Array, n: Any, axis: int, norm: str) -> Array:
    at = axis_of(axis, len(x.shape))
    if op == "irfft":
        size = 2 * (x.shape[at] - 1) if n is None else integer(n, "n")
        x = _resized(x, size // 2 + 1, at)
        return _transformed(op, x, at, norm, size, fft_length=(size,))
    size = x.shape[at] if n is None else integer(n, "n")
    return _transformed(op, _resized(x, size, at), at, norm, size)


@public
def fft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """The discrete Fourier transform along an axis."""
    return _one("fft", _complex(x), n, axis, norm)


@public
def ifft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """The inverse of fft."""
    return _one("ifft", _complex(x), n, axis, norm)


@public
def rfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """The transform of real numbers, of which half is enough."""
    return _one("rfft", _real(x, "rfft"), n, axis, norm)


@public
def irfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """The inverse of rfft: `n` real numbers, by default an even number of them."""
    return _one("irfft", _complex(x), n, axis, norm)


@public
def hfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """The transform of what has real frequencies: half of the elements are enough."""
    array = conj(_complex(x))
    turned = {"backward": "forward", "forward": "backward"}.get(norm, norm)
    return irfft(array, n=n, axis=axis, norm=turned)


@public
def ihfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """The inverse of hfft."""
    turned = {"backward": "forward", "forward": "backward"}.get(norm, norm)
    return conj(rfft(x, n=n, axis=axis, norm=turned))


def _sizes(x: Array, s: Any, axes: Any) -> tuple[list[Any], tuple[int, ...]]:
    """The size for each axis (None for its own), and the axes."""
    rank = len(x.shape)
    if axes is None:
        places = tuple(range(rank)) if s is None else tuple(range(rank - len(s), rank))
    else:
        places = axes_of(tuple(axes), rank)
    sizes = [None] * len(places) if s is None else list(s)
    if len(sizes) != len(places):
        raise ShapeError(f"{len(sizes)} sizes are given for {len(places)} axes")
    return [None if n == -1 else n for n in sizes], places


@public
def fftn(x: Any, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Array:
    """The discrete Fourier transform along several axes."""
    array = _complex(x)
    for size, axis in zip(*_sizes(array, s, axes), strict=True):
        array = fft(array, n=size, axis=axis, norm=norm)
    return array


@public
def ifftn(x: Any, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Array:
    """The inverse of fftn."""
    array = _complex(x)
    for size, axis in zip(*_sizes(array, s, axes), strict=True):
        array = ifft(array, n=size, axis=axis, norm=norm)
    return array


@public
def rfftn(x: Any, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Array:
    """The transform of real numbers along several axes, of the last of which half is enough."""
    array = _real(x, "rfftn")
    sizes, places = _sizes(array, s, axes)
    array = rfft(array, n=sizes[-1], axis=places[-1], norm=norm)
    return fftn(array, s=[n or -1 for n in sizes[:-1]], axes=places[:-1], norm=norm)


@public
def irfftn(x: Any, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Array:
    """The inverse of rfftn."""
    array = _complex(x)
    sizes, places = _sizes(array, s, axes)
    array = ifftn(array, s=[n or -1 for n in sizes[:-1]], axes=places[:-1], norm=norm)
    return irfft(array, n=sizes[-1], axis=places[-1], norm=norm)


def _frequencies(numbers: Any, dtype: Any, device: Any) -> Array:
    check_device(device)
    wanted: DType = dtype_of(dtype) or f32
    return made(numbers.astype(wanted.numpy))


@public
def fftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Array:
    """The frequencies of what fft gives, for samples `d` apart."""
    return _frequencies(np.fft.fftfreq(integer(n, "n"), d), dtype, device)


@public
def rfftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Array:
    """The frequencies of what rfft gives, for samples `d` apart."""
    return _frequencies(np.fft.rfftfreq(integer(n, "n"), d), dtype, device)


@public
def fftshift(x: Any, /, *, axes: Any = None) -> Array:
    """The elements moved so that the frequency 0 is in the middle."""
    array = array_of(x)
    places = axes_of(axes, len(array.shape))
    return roll(array, [array.shape[a] // 2 for a in places], axis=places)


@public
def ifftshift(x: Any, /, *, axes: Any = None) -> Array:
    """The inverse of fftshift."""
    array = array_of(x)
    places = axes_of(axes, len(array.shape))
    return roll(array, [-(array.shape[a] // 2) for a in places], axis=places)
