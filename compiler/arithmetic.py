"""Arithmetic on NumPy arrays of every element type, for the references of ops.

Floats narrower than f64 are computed in f64 and rounded once, integers wrap around, and the small
types of `ml_dtypes` need no code of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from dxir.types import DType

Array = np.ndarray[Any, Any]


def computed(function: Callable[..., Any], *arrays: Array) -> Array:
    """`function` of the arrays computed wide, in the element type of the first one."""
    return narrowed(function(*[widened(a) for a in arrays]), arrays[0].dtype)


def widened(array: Array) -> Array:
    """The same values in f64, c128, or a 64-bit integer (as they are for bool)."""
    dtype = DType.of(array.dtype)
    if dtype.is_bool or dtype.name == "ui64":
        return array
    wide: Any = {"float": np.float64, "complex": np.complex128}.get(dtype.kind, np.int64)
    found: Array = array.astype(wide)
    return found


def narrowed(values: Any, dtype: Any) -> Array:
    """`values` rounded to a float type, or modulo the range of an integer type."""
    kind, values = DType.of(dtype), np.asarray(values)
    if not kind.is_integer or kind.bits == 64 or values.dtype == bool:
        return np.asarray(values.astype(kind.numpy))
    low = values & ((1 << kind.bits) - 1)
    if not kind.is_unsigned:
        low = low - ((low >> (kind.bits - 1)) << kind.bits)
    return np.asarray(low.astype(kind.numpy))


def finfo(dtype: DType) -> Any:
    """The limits of a float element type, as NumPy's `finfo` gives them."""
    return ml_dtypes.finfo(dtype.numpy)  # type: ignore[no-untyped-call]  # it has no annotations


def integer_limits(dtype: Any) -> tuple[int, int]:
    """The least and the greatest value of an integer element type."""
    kind = DType.of(dtype)
    if kind.is_unsigned:
        return 0, (1 << kind.bits) - 1
    return -(1 << (kind.bits - 1)), (1 << (kind.bits - 1)) - 1
