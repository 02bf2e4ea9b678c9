"""Arrays of a type to try a program on: everyday ones, and hostile ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from dxir.arithmetic import finfo
from dxir.types import Dim, DType, TensorType

Array = np.ndarray[Any, Any]

UNKNOWN_SIZE = 3
"""The size that a dimension without one is given."""


def ordinary(
    type: TensorType,
    rng: np.random.Generator,
    low: float | None = None,
    high: float | None = None,
) -> Array:
    """Everyday data: small numbers of both signs, or between `low` and `high` where given."""
    shape, dtype = _shape(type), _dtype(type)
    if dtype.is_bool:
        return rng.integers(0, 2, shape).astype(np.bool_)
    if dtype.is_integer:
        limits = integer_limits(dtype)
        low = max(-5, limits[0]) if low is None else low
        high = min(6, limits[1]) if high is None else high
        return np.asarray(rng.integers(int(low), int(high), shape, endpoint=True)).astype(
            dtype.numpy
        )
    if low is not None and high is not None:
        data = rng.uniform(low, high, shape)
    else:
        data = rng.standard_normal(shape) * 2
    if dtype.is_complex:
        data = data + 1j * rng.standard_normal(shape)
    return np.asarray(data).astype(dtype.numpy)


def hostile(type: TensorType, rng: np.random.Generator) -> Array:
    """NaN, infinities, signed zeros, subnormals and extremes, in random places."""
    dtype = _dtype(type)
    if dtype.is_bool:
        return ordinary(type, rng)
    if dtype.is_integer:
        low, high = integer_limits(dtype)
        pool = np.array([low, high, 0, 1, high - 1, low + 1], object).astype(dtype.numpy)
    else:
        info = finfo(dtype.real)
        special = [np.nan, np.inf, -np.inf, -0.0, 0.0, 1.0, -1.0, info.max, info.min, info.tiny]
        special.append(info.smallest_subnormal)
        real = np.array([float(v) for v in special]).astype(dtype.real.numpy)
        pool = real.astype(dtype.numpy)
        if dtype.is_complex:
            pool.imag = np.roll(real, 3)
    return np.asarray(pool[rng.integers(0, len(pool), _shape(type))])


def integer_limits(dtype: DType) -> tuple[int, int]:
    """The least and the greatest number of an integer type."""
    if dtype.is_unsigned:
        return 0, 2**dtype.bits - 1
    return -(2 ** (dtype.bits - 1)), 2 ** (dtype.bits - 1) - 1


def _shape(type: TensorType) -> list[int]:
    return [UNKNOWN_SIZE if isinstance(d, Dim) else d for d in type.shape]


def _dtype(type: TensorType) -> DType:
    """The element type; of a quantized one, what it is stored as."""
    return type.dtype if isinstance(type.dtype, DType) else type.dtype.storage
