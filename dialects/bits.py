"""Elementwise ops on the bits of integers."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from dxir.arithmetic import computed, narrowed, widened
from dxir.dialects.elementwise import (
    Binary,
)
from dxir.dialects.unary import Unary
from dxir.examples import Example, Sample
from dxir.types import (
    DType,
    i1,
    i4,
    i8,
    i16,
    i32,
    i64,
    ui8,
    ui16,
    ui32,
    ui64,
)

Array = np.ndarray[Any, Any]


class Bitwise(Binary):
    """Base of the ops that combine bits."""

    accepts: ClassVar[str] = "bool int uint"
    examples = (
        Example(x=i1[4], y=i1[4]),
        Example(x=i32[2, 3], y=i32[3]),
        Example(x=ui8[64], y=ui8[64]),
        Example(x=i4[64], y=i4[()]),
        Example(x=i64[0, 2], y=i64[2]),
    )


class And(Bitwise, name="and", mlir="stablehlo.and"):
    """Logical and for i1, bitwise and for integers."""

    def reference(self, x: Array, y: Array) -> Array:
        return computed(np.bitwise_and, x, y)


class Or(Bitwise, name="or", mlir="stablehlo.or"):
    """Logical or for i1, bitwise or for integers."""

    def reference(self, x: Array, y: Array) -> Array:
        return computed(np.bitwise_or, x, y)


class Xor(Bitwise, name="xor", mlir="stablehlo.xor"):
    """Exclusive or: logical for i1, bitwise for integers."""

    def reference(self, x: Array, y: Array) -> Array:
        return computed(np.bitwise_xor, x, y)


class Not(Unary, name="not", mlir="stablehlo.not"):
    """Logical not for i1, the complement of every bit for integers."""

    examples = (Example(x=i1[4]), Example(x=i32[2, 3]), Example(x=ui8[8]), Example(x=i4[0]))
    accepts = "bool int uint"

    def reference(self, x: Array) -> Array:
        return computed(np.invert, x)


def _shifted(x: Array, y: Array, function: Any, beyond: Any) -> Array:
    """`function` of operands wide enough, `beyond` where the shift is at least the width."""
    width = DType.of(x.dtype).bits
    dtype, x, y = x.dtype, widened(x), widened(y)
    inside = (y >= 0) & (y < width)
    by = np.where(inside, y, 0).astype(x.dtype)
    return narrowed(np.where(inside, function(x, by), beyond(x)), dtype)


class Shift(Binary):
    """Base of the shifts of `x` by `y` bits; a negative `y` is at least the width."""

    accepts: ClassVar[str] = "int uint"
    examples = (
        Example(x=i32[64], y=np.arange(64, dtype=np.int32) - 16),
        Example(x=i32[64], y=i32[64]),
        Example(x=ui8[64], y=ui8[64]),
        Example(x=i8[64], y=i8[64]),
        Example(x=ui32[2, 3], y=ui32[()]),
        Example(x=i64[0], y=i64[0]),
    )


class ShiftLeft(Shift, name="shift_left", mlir="stablehlo.shift_left"):
    """Bits moved up by `y`, zeros below; 0 when `y` is the width or more."""

    def reference(self, x: Array, y: Array) -> Array:
        return _shifted(x, y, np.left_shift, np.zeros_like)


class ShiftRightLogical(Shift, name="shift_right_logical", mlir="stablehlo.shift_right_logical"):
    """Bits moved down by `y`, zeros above; 0 when `y` is the width or more."""

    def reference(self, x: Array, y: Array) -> Array:
        width = DType.of(x.dtype).bits

        def logical(a: Array, by: Array) -> Array:
            bits = a.astype(np.uint64) & np.uint64((1 << width) - 1)
            return (bits >> by.astype(np.uint64)).astype(a.dtype)

        return _shifted(x, y, logical, np.zeros_like)


class ShiftRightArithmetic(
    Shift, name="shift_right_arithmetic", mlir="stablehlo.shift_right_arithmetic"
):
    """Bits moved down by `y`, copies of the top bit above; all of them when `y` is the width."""

    def reference(self, x: Array, y: Array) -> Array:
        width = DType.of(x.dtype).bits
        signed = narrowed(widened(x), f"i{width}")
        shifted = _shifted(signed, y, np.right_shift, lambda a: a >> (width - 1))
        return narrowed(widened(shifted), x.dtype)


class Popcnt(Unary, name="popcnt", mlir="stablehlo.popcnt"):
    """The number of bits that are 1.

    XLA's CPU code counts the sign bit of a negative i4 five times (jaxlib 0.10.2 and 0.12.0.1).
    """

    examples = (
        Example(x=i32[64]),
        Example(x=ui8[64]),
        Example(x=Sample(i4[16], 0, 7), runs=False),
        Example(x=i64[0, 2]),
    )
    accepts = "int uint"

    def reference(self, x: Array) -> Array:
        bits = self.x.tensor.primitive.bits
        count = [bin(int(v) & ((1 << bits) - 1)).count("1") for v in x.reshape(-1)]
        return np.array(count, np.int64).reshape(x.shape).astype(x.dtype)


class CountLeadingZeros(Unary, name="clz", mlir="stablehlo.count_leading_zeros"):
    """The number of 0 bits above the highest 1; the width for 0."""

    examples = (Example(x=i32[64]), Example(x=ui16[64]), Example(x=i16[64]), Example(x=ui32[()]))
    accepts = "int uint"

    def reference(self, x: Array) -> Array:
        bits = self.x.tensor.primitive.bits
        count = [bits - (int(v) & ((1 << bits) - 1)).bit_length() for v in x.reshape(-1)]
        return np.array(count, np.int64).reshape(x.shape).astype(x.dtype)


class Mulhi(Binary, name="mulhi", mlir="chlo.mulhi"):
    """The upper half of the product's bits, exactly."""

    examples = (
        Example(x=i32[64], y=i32[64]),
        Example(x=ui32[64], y=ui32[()]),
        Example(x=i64[64], y=i64[64]),
        Example(x=ui64[64], y=ui64[64]),
        Example(x=i8[2, 32], y=i8[32]),
        Example(x=ui8[0], y=ui8[0]),
    )
    accepts: ClassVar[str] = "int uint"

    def reference(self, x: Array, y: Array) -> Array:
        bits = DType.of(x.dtype).bits
        product = x.astype(object) * y.astype(object)
        upper = [int(v) >> bits for v in np.asarray(product, object).reshape(-1)]
        return np.array(upper, object).reshape(product.shape).astype(x.dtype)
