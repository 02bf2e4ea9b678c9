"""Sizes that no machine has; XLA counts bytes in 64 bits and ends the process beyond."""

from __future__ import annotations

from math import prod
from typing import Any, cast

from dxir.errors import DxirError
from dxir.mlir import IrOperation, IrType, decode_type, ir
from dxir.types import DType, TensorType, TupleType, Type

MOST_BYTES = 1 << 60
"""The most bytes that the values of a program may have together, be they ever made or not."""

MOST_MEMORY = 1 << 47
"""The most bytes that parameters and results may have together: what a process can address."""


class Sizes:
    """The sizes of the values of a program, each type looked at once."""

    def __init__(self) -> None:
        self._known: dict[IrType, int] = {}
        self._total = 0

    def excess(self, op: IrOperation) -> str | None:
        """Count the results of an op; what is wrong with them when that is beyond MOST_BYTES."""
        known = self._known
        for result in cast(Any, op).results:
            type: IrType = result.type
            found = known.get(type)
            if found is None:
                found = known[type] = _bytes_of(type)
            self._total += found
            if self._total > MOST_BYTES:
                alone = found > MOST_BYTES
                return f"its result has type {type}, " + (
                    "which has more than 2^60 bytes"
                    if alone
                    else "and the values up to there have more than 2^60 bytes"
                )
        return None


def _bytes_of(type: IrType) -> int:
    if not isinstance(type, ir.RankedTensorType | ir.TupleType):
        return 0
    try:
        return bytes_of(decode_type(type))
    except DxirError:
        return 0


def bytes_of(type: Type) -> int:
    """The bytes of a value, as if no size were 0 (XLA multiplies the others) or unknown."""
    if isinstance(type, TupleType):
        return sum(map(bytes_of, type.types))
    if not isinstance(type, TensorType):
        return 0
    bits = type.dtype.bits if isinstance(type.dtype, DType) else type.dtype.storage.bits
    return prod([d for d in type.shape if isinstance(d, int) and d]) * max(bits, 8) // 8
