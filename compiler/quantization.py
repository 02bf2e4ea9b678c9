"""Uniform quantization on NumPy arrays: what stored integers stand for."""

from __future__ import annotations

from typing import Any

import numpy as np

from dxir.errors import EvaluationError
from dxir.graph import Value
from dxir.making import several
from dxir.op import Op, make
from dxir.types import QuantizedType, TensorType, Type

Array = np.ndarray[Any, Any]


def is_quantized(type: Type) -> bool:
    """Whether it is a tensor of a quantized type."""
    return _quantized(type) is not None


def _quantized(type: Type) -> QuantizedType | None:
    dtype = type.dtype if isinstance(type, TensorType) else None
    return dtype if isinstance(dtype, QuantizedType) else None


def storage_range(dtype: QuantizedType) -> tuple[int, int]:
    """The smallest and the largest stored integer."""
    bits = dtype.storage.bits
    low, high = (
        (0, 2**bits - 1) if dtype.storage.is_unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    )
    return (
        low if dtype.storage_min is None else dtype.storage_min,
        high if dtype.storage_max is None else dtype.storage_max,
    )


def _along(values: Any, dtype: QuantizedType, rank: int) -> Array:
    if dtype.axis is None:
        return np.asarray(values[0], np.float64)
    shape = [1] * rank
    shape[dtype.axis] = len(values)
    return np.reshape(np.asarray(values, np.float64), shape)


def dequantize(stored: Array, dtype: QuantizedType) -> Array:
    """The numbers that stored integers stand for, in the expressed type."""
    scale = _along(dtype.scales, dtype, stored.ndim)
    zero = _along(dtype.zero_points, dtype, stored.ndim)
    return np.asarray((stored.astype(np.float64) - zero) * scale).astype(dtype.expressed.numpy)


def quantize(numbers: Array, dtype: QuantizedType) -> Array:
    """The stored integers nearest to the numbers, ties to even; NaN becomes the zero point."""
    scale = _along(dtype.scales, dtype, numbers.ndim)
    zero = _along(dtype.zero_points, dtype, numbers.ndim)
    low, high = storage_range(dtype)
    steps = np.rint(numbers.astype(np.float64) / scale)
    found = np.clip(np.where(np.isnan(steps), 0, steps) + zero, low, high)
    return np.asarray(found).astype(np.int64).astype(dtype.storage.numpy)


def reference(node: Op, operands: list[Any]) -> tuple[Any, ...]:
    """What the node gives on stored integers: its reference, on the numbers they stand for.

    This is how StableHLO defines arithmetic on quantized types.
    """
    if node.regions:
        raise EvaluationError(f"{node.op}: regions on quantized types cannot be evaluated")
    values = [Value(_expressed(v.type), None, v.index, None) for v in node.operands]
    attrs = {k: v.expressed if isinstance(v, QuantizedType) else v for k, v in node.attrs.items()}
    types = [_expressed(r.type) for r in node.results]
    twin = make(node.__class__, values, attrs, types, segments=node.segments)
    numbers = [
        array if (dtype := _quantized(v.type)) is None else dequantize(array, dtype)
        for array, v in zip(operands, node.operands, strict=True)
    ]
    results = several(twin.reference(*numbers))
    return tuple(
        array if (dtype := _quantized(r.type)) is None else quantize(np.asarray(array), dtype)
        for array, r in zip(results, node.results, strict=True)
    )


def _expressed(type: Type) -> Type:
    if isinstance(type, TensorType) and isinstance(type.dtype, QuantizedType):
        return type.with_dtype(type.dtype.expressed)
    return type
