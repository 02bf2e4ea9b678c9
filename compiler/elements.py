"""Dense constants of MLIR as NumPy arrays, every element type bit for bit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from dxir.mlir import ir
from dxir.types import DType

Array = np.ndarray[Any, Any]

_DENSE = re.compile(r"dense<(.*)> : tensor<((?:\d+x)*)(.+)>", re.DOTALL)
_NUMBER = re.compile(r"0x[0-9A-Fa-f]+|[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")
_KEPT_BYTES = 4096  # larger arrays are views of the context's memory instead of copies
_READABLE = frozenset(
    ["bool", "float16", "float32", "float64"]
    + [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
)


def elements_of(attribute: Any) -> Array | None:
    """The array of a dense constant, a splat with all strides 0; None for other attributes.

    Arrays of some size share the context's memory and keep it alive; they are read-only.
    """
    if isinstance(attribute, (ir.DenseIntElementsAttr, ir.DenseFPElementsAttr)):
        try:
            array = np.asarray(attribute)
        except TypeError:  # bf16, f8, i4 and the like have no buffer format
            return elements_of_text(str(attribute))
        if array.dtype.name not in _READABLE or _is_vector(attribute):
            return None
        if not array.size:  # an empty one without a buffer format comes as f64 (0.10.2, 0.12.0.1)
            return elements_of_text(str(attribute))
        return _own(array)
    return None


def _is_vector(attribute: Any) -> bool:
    return not isinstance(attribute.type, ir.RankedTensorType)


def _own(array: Array) -> Array:
    if array.size and not any(array.strides):
        first = array.reshape(-1)[:1].copy()
        return np.broadcast_to(first.reshape(()), array.shape)
    if array.nbytes <= _KEPT_BYTES:
        array = array.copy()
        array.flags.writeable = False
    return array


def elements_of_text(text: str) -> Array | None:
    """The array of a dense constant as MLIR prints it, without element limits."""
    match = _DENSE.fullmatch(text)
    if match is None:
        return None
    body, dims, element = match.groups()
    shape = tuple(int(d) for d in dims.split("x")[:-1])
    if element == "index":
        return None
    dtype = DType.of(element)
    size = int(np.prod(shape, dtype=np.int64))
    if body.startswith('"0x'):
        flat = elements_of_bytes(bytes.fromhex(body[3:-1]), dtype)
    else:
        flat = _numbers(_NUMBER.findall(body), dtype)
    if size and flat.size == 1:
        return np.broadcast_to(flat.reshape(()), shape)
    flat = flat[:size].reshape(shape)
    flat.flags.writeable = False
    return flat


def elements_of_bytes(data: bytes, dtype: DType) -> Array:
    """A flat array of MLIR's raw data, where elements below 8 bits take one byte each."""
    if dtype.is_integer and dtype.bits < 8:
        wide: Array = np.frombuffer(data, np.uint8).astype(np.int16) & (2**dtype.bits - 1)
        if not dtype.is_unsigned:
            wide = np.where(wide >= 2 ** (dtype.bits - 1), wide - 2**dtype.bits, wide)
        return wide.astype(dtype.numpy)
    return np.frombuffer(data, dtype.numpy)


def _numbers(tokens: Sequence[str], dtype: DType) -> Array:
    if dtype.is_complex:
        return _numbers(tokens, dtype.real).view(dtype.numpy)
    if dtype.is_integer:
        return np.array([int(t, 0) for t in tokens], np.int64).astype(dtype.numpy)
    # MLIR prints what has no exact decimal form (NaN with its payload, infinities) as its bits.
    unsigned = np.dtype(f"u{dtype.numpy.itemsize}")
    found = np.array([0.0 if t.startswith("0x") else float(t) for t in tokens]).astype(dtype.numpy)
    bits = found.view(unsigned)
    for position, token in enumerate(tokens):
        if token.startswith("0x"):
            bits[position] = int(token, 16)
    return found
