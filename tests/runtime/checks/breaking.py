"""Cases whose expected values are wrong in one place, which running them must tell."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from dxir.types import DType

from .generating import Case

Array = np.ndarray[Any, Any]


def broken(case: Case) -> Iterator[tuple[str, Case]]:
    """The case with one element of its first result expected to be something else, in each way."""
    for how, change in _CHANGES.items():
        changed = change(case.expected[0])
        if changed is not None:
            yield how, dataclasses.replace(case, expected=(changed, *case.expected[1:]))


def stepped(array: Array, steps: int) -> Array:
    """Each element moved away from 0 by so many representable numbers; of complex ones, one part.

    Of an element type without a sign, and of integers, it is moved up.
    """
    found = np.array(array, order="C")
    if found.dtype.kind == "c":
        found.imag = stepped(found.imag, steps)
        return found
    raw = found.view(f"u{found.dtype.itemsize}")
    raw += np.asarray(steps, raw.dtype)
    return found


def _largest(array: Array) -> tuple[int, ...] | None:
    """The place of the largest number that is finite and not next to nothing, or None."""
    wide = np.abs((array if array.dtype.kind != "c" else array.real).astype(np.float64))
    wide = np.where(wide < 1e30, wide, 0)
    return tuple(np.argwhere(wide == wide.max())[0]) if (wide > 1e-30).any() else None


def _with(array: Array, at: tuple[int, ...] | None, value: Any) -> Array | None:
    if at is None or DType.of(array.dtype).is_bool:
        return None
    found = np.array(array, order="C")
    with np.errstate(all="ignore"):
        found[at] = np.asarray(value(found[at])).astype(found.dtype)
    same = bool(found[at].tobytes() == array[at].tobytes())
    return None if same else found


def _is_inexact(array: Array) -> bool:
    dtype = DType.of(array.dtype)
    return dtype.is_float or dtype.is_complex


def _opposite(array: Array) -> Array | None:
    return _with(array, _largest(array), lambda x: -x) if _is_inexact(array) else None


def _eighth(array: Array) -> Array | None:
    return _with(array, _largest(array), lambda x: x / 8) if _is_inexact(array) else None


def _not_number(array: Array) -> Array | None:
    if not _is_inexact(array):
        return None
    has_nan = np.isnan(np.array([np.nan]).astype(array.dtype).astype(np.complex128)).all()
    return _with(array, _largest(array), lambda _: np.nan) if has_nan else None


def _number(array: Array) -> Array | None:
    if not _is_inexact(array):
        return None
    places = np.argwhere(np.isnan(array.astype(np.complex128)))
    return _with(array, tuple(places[0]), lambda _: 1) if len(places) else None


def _flipped(array: Array) -> Array | None:
    if not DType.of(array.dtype).is_bool or not array.size:
        return None
    found = np.array(array, order="C")
    found.reshape(-1)[-1:] ^= True
    return found


def _one_more(array: Array) -> Array | None:
    """One integer that is another: in the case of the largest, the smallest."""
    dtype = DType.of(array.dtype)
    if not dtype.is_integer or not array.size:
        return None
    found = np.array(array, order="C")
    wide = int(found.reshape(-1)[-1])
    high = 2 ** (dtype.bits - (not dtype.is_unsigned)) - 1
    found.reshape(-1)[-1:] = np.asarray(wide - 1 if wide == high else wide + 1, dtype.numpy)
    return found


def _swapped(array: Array) -> Array | None:
    """Two elements, far apart, in each other's places."""
    wide = array.astype(np.complex128).reshape(-1)
    finite = np.isfinite(wide)
    if not finite.any():
        return None
    low = int(np.where(finite, wide.real, np.inf).argmin())
    high = int(np.where(finite, wide.real, -np.inf).argmax())
    if abs(wide[high] / 2 - wide[low] / 2) < 1:
        return None
    found = np.array(array, order="C")
    flat = found.reshape(-1)
    flat[[low, high]] = flat[[high, low]]
    return found


_CHANGES = {
    "sign": _opposite,
    "an eighth": _eighth,
    "not a number": _not_number,
    "a number": _number,
    "a flipped boolean": _flipped,
    "an integer": _one_more,
    "swapped": _swapped,
}
