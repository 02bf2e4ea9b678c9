"""Elements and bytes of types."""

from __future__ import annotations

import math

from dxir.errors import DxirError
from dxir.mlir import IrType, decode_type
from dxir.types import DType, TensorType, TupleType, Type

_MOST = (1 << 63) - 1


class UnknownSize(Exception):
    """A size that is not known; the text says why."""


def bytes_of(type: Type) -> int | None:
    """The bytes of a value: elements of less than 8 bits are packed, but for `i1`, a byte each.

    None where a dimension or the width of an element is not known; 0 for a token.
    """
    if isinstance(type, TupleType):
        parts = [bytes_of(t) for t in type.types]
        return None if None in parts else sum(p or 0 for p in parts)
    if not isinstance(type, TensorType):
        return 0
    if not all(isinstance(size, int) for size in type.shape):
        return None
    element = type.dtype if isinstance(type.dtype, DType) else type.dtype.storage
    bits = 8 if element.is_bool else element.bits
    return -(-math.prod(type.static_shape) * bits // 8)


def elements_of(type: Type) -> int | None:
    """The elements of a value; None where a dimension is not known, 0 for a token."""
    if isinstance(type, TupleType):
        parts = [elements_of(t) for t in type.types]
        return None if None in parts else sum(p or 0 for p in parts)
    if not isinstance(type, TensorType):
        return 0
    return math.prod(type.static_shape) if type.is_static else None


def _there(size: int | None) -> int | None:
    """The size; None for one that no memory has, whose sums and products would know no bounds."""
    return None if size is None or size > _MOST else size


class Sizes:
    """The sizes of MLIR's types, each worked out once."""

    def __init__(self) -> None:
        self._known: dict[IrType, tuple[int | None, int | None, bool]] = {}

    def _of(self, type: IrType) -> tuple[int | None, int | None, bool]:
        found = self._known.get(type)
        if found is None:
            try:
                decoded: Type = decode_type(type)
            except DxirError:
                found = (None, None, False)
            else:
                element = decoded.dtype if isinstance(decoded, TensorType) else None
                is_complex = isinstance(element, DType) and element.kind == "complex"
                found = (_there(elements_of(decoded)), _there(bytes_of(decoded)), is_complex)
            self._known[type] = found
        return found

    def elements(self, type: IrType) -> int:
        """How many elements; UnknownSize where that is not known."""
        found = self._of(type)[0]
        if found is None:
            raise UnknownSize(f"the size of {type} is not known")
        return found

    def bytes(self, type: IrType) -> int:
        """How many bytes; UnknownSize where that is not known."""
        found = self._of(type)[1]
        if found is None:
            raise UnknownSize(f"the size of {type} is not known")
        return found

    def known_bytes(self, type: IrType) -> int | None:
        """How many bytes; None where that is not known."""
        return self._of(type)[1]

    def is_complex(self, type: IrType) -> bool:
        """Whether the elements are complex numbers."""
        return self._of(type)[2]
