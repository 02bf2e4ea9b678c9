"""Ops that change the element type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from dxir import checks, ops
from dxir.arithmetic import integer_limits, narrowed, widened
from dxir.derivatives import Cotangent, Zero
from dxir.dialects.elementwise import masked
from dxir.dialects.unary import Numeric
from dxir.errors import AttributeValueError, DTypeError, ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Primitive, attribute
from dxir.types import (
    DType,
    ElementType,
    QuantizedType,
    TensorType,
    Type,
    bf16,
    c64,
    f8e4m3fn,
    f8e5m2,
    f16,
    f32,
    f64,
    i1,
    i4,
    i8,
    i16,
    i32,
    i64,
    ui4,
    ui8,
    ui16,
    ui32,
    ui64,
)

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]


class Convert(Primitive, name="convert", mlir="stablehlo.convert", rounding="once"):
    """The same values in another element type.

    Floats go to integers truncated toward zero, saturated, and NaN to 0; to narrower floats rounded
    to nearest even. Integers go to narrower integers modulo the width. i1 is "not zero", complex to
    real drops the imaginary part.
    """

    x: Value
    dtype: ElementType

    examples = (
        *(Example(x=f32[64], dtype=t) for t in (i8, i16, i32, i64, ui8, ui16, ui32, ui64)),
        *(Example(x=f64[64], dtype=t) for t in (i4, ui4, i32, i64, ui64, f32, f16, bf16)),
        *(Example(x=f32[64], dtype=t) for t in (i1, f16, bf16, f8e4m3fn, f8e5m2, f64, c64)),
        Example(x=bf16[64], dtype=i8),
        Example(x=f8e5m2[64], dtype=i32),
        Example(x=bf16[2, 3], dtype=f32),
        *(Example(x=i64[64], dtype=t) for t in (i8, ui8, i32, ui64, i4)),
        *(Example(x=ui64[64], dtype=t) for t in (i32, i64, f32)),
        *(Example(x=i32[64], dtype=t) for t in (f32, bf16, i1, c64)),
        *(Example(x=i1[4], dtype=t) for t in (f32, i8, i1)),
        Example(x=c64[3], dtype=f32),
        Example(x=f32[0, 2], dtype=i32),
        Example(x=f32[()], dtype=f32),
    )
    tolerance: ClassVar[float] = 1

    def prepare(self) -> None:
        given: Any = self.dtype
        self.update(dtype=given if isinstance(given, QuantizedType) else DType.of(given))

    @classmethod
    def attributes_from_types(
        cls, operand_types: Sequence[Type], result_types: Sequence[Type]
    ) -> dict[str, Any]:
        """The attributes that MLIR keeps in the result type."""
        (result,) = result_types
        assert isinstance(result, TensorType)
        return {"dtype": result.dtype}

    def infer(self) -> TensorType:
        type = self.x.tensor
        if type.dtype.kind == "quantized" or self.dtype.kind == "quantized":
            raise DTypeError(
                f"{type} does not convert to {self.dtype}",
                hint="use uniform_quantize and uniform_dequantize",
            )
        return type.with_dtype(self.dtype)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        """The cotangent in the type of `x`; of a complex one, for a real `x`, the real part."""
        dtype = self.x.tensor.primitive
        if dtype is self.dtype:
            return (g,)
        return (lambda: masked(g, lambda t: ops.convert(t, dtype=dtype)),)

    linear = ("x",)

    def batch(self, batch: Batch) -> Value:
        result: Value = batch.rebuild(batch.operands)
        return result

    def reference(self, x: Array) -> Array:
        return converted(x, self.results[0].tensor.primitive)


def converted(x: Array, dtype: DType) -> Array:
    """The values in another element type, as `convert` says."""
    source = DType.of(x.dtype)
    if source.is_complex and not dtype.is_complex:
        x, source = x.real, source.real
    if dtype.is_bool:
        return np.asarray(widened(x) != 0)
    if dtype.is_integer and source.is_float:
        return _saturated(widened(x), dtype)
    if dtype.is_integer:
        return narrowed(x.astype(np.int64), dtype.numpy)
    if dtype.is_complex and not source.is_complex:
        return x.astype(dtype.real.numpy).astype(dtype.numpy)
    return x.astype(dtype.numpy)


def _saturated(x: Array, dtype: DType) -> Array:
    low, high = integer_limits(dtype)
    inside = np.trunc(np.where((x > low - 1) & (x < high + 1), x, 0))
    signed = np.uint64 if dtype.name == "ui64" else np.int64
    whole = inside.astype(signed).astype(dtype.numpy)
    edge = np.where(x < 0, np.array(low, dtype.numpy), np.array(high, dtype.numpy))
    return np.where((x > low - 1) & (x < high + 1) | np.isnan(x), whole, edge).astype(dtype.numpy)


class BitcastConvert(
    Primitive, name="bitcast_convert", mlir="stablehlo.bitcast_convert", rounding="exact"
):
    """The same bits as another element type.

    Elements that become narrower by a factor add a last axis of that size; to become wider the last
    axis must have that size, and goes.
    """

    x: Value
    dtype: DType

    examples = (
        Example(x=f32[2, 3], dtype=i32),
        Example(x=f32[4], dtype=ui8),
        Example(x=i16[2, 4], dtype=i64),
        Example(x=bf16[3], dtype=ui16),
        Example(x=f64[()], dtype=i32),
        Example(x=i32[0], dtype=f32),
        Example(x=i8[3], dtype=i4),
        Example(x=ui4[3, 2], dtype=i8),
    )

    def prepare(self) -> None:
        self.update(dtype=DType.of(self.dtype))

    @classmethod
    def attributes_from_types(
        cls, operand_types: Sequence[Type], result_types: Sequence[Type]
    ) -> dict[str, Any]:
        """The attributes that MLIR keeps in the result type."""
        (result,) = result_types
        assert isinstance(result, TensorType)
        return {"dtype": result.dtype}

    def infer(self) -> TensorType:
        type = self.x.tensor
        old, new = type.primitive, self.dtype
        if old.is_complex != new.is_complex:
            raise DTypeError(
                f"{type} and {new} do not share their bits: one is complex, the other is not",
                hint="take the real and imaginary parts first",
            )
        wide, narrow = max(old.bits, new.bits), min(old.bits, new.bits)
        if wide % narrow:
            raise DTypeError(f"{wide} bits of {type} or {new} are no multiple of {narrow} bits")
        if old.bits == new.bits:
            return type.with_dtype(new)
        if old.bits > new.bits:
            return TensorType([*type.shape, wide // narrow], new)
        if not type.rank or type.shape[-1] != wide // narrow:
            raise ShapeError(
                f"{type} does not become {new}: {wide // narrow} elements make one, "
                f"but the last axis does not have that size",
                hint=f"reshape it to [..., {wide // narrow}] first",
            )
        return TensorType(type.shape[:-1], new)

    derivative = Zero("bits are no numbers to go a little further with")

    def batch(self, batch: Batch) -> Value:
        result: Value = batch.rebuild(batch.operands)
        return result

    def reference(self, x: Array) -> Array:
        old, new = self.x.tensor.primitive, self.dtype
        bits = _bits_of(x, old.bits)
        flat = bits.reshape(-1, new.bits)
        shape = x.shape[:-1] if new.bits > old.bits else x.shape
        last = (old.bits // new.bits,) if new.bits < old.bits else ()
        return _from_bits(flat, new).reshape(shape + last)


def _bits_of(x: Array, width: int) -> Array:
    raw = np.ascontiguousarray(x).reshape(-1)
    octets = raw.view(np.uint8).reshape(raw.size, raw.dtype.itemsize)
    return np.unpackbits(octets, axis=1, bitorder="little")[:, :width]


def _from_bits(bits: Array, dtype: DType) -> Array:
    size = dtype.numpy.itemsize
    full = np.zeros((len(bits), size * 8), np.uint8)
    full[:, : dtype.bits] = bits
    if dtype.kind == "int" and dtype.bits < 8:
        full[:, dtype.bits :] = bits[:, -1:]
    return np.packbits(full, axis=1, bitorder="little").reshape(-1).view(dtype.numpy)


class ReducePrecision(
    Numeric, name="reduce_precision", mlir="stablehlo.reduce_precision", rounding="exact"
):
    """Rounded to a float of fewer exponent and mantissa bits, and kept in the same type.

    Ties go to the even mantissa, too large values to infinity, and values below the least normal
    one of the narrow format to zero. Tangents and cotangents are rounded in the same way, as if
    this were linear: who wants fewer bits wants them in both directions.
    """

    exponent_bits: int = attribute("i32")
    mantissa_bits: int = attribute("i32")

    examples = (
        Example(x=f32[64], exponent_bits=8, mantissa_bits=7),
        Example(x=f32[64], exponent_bits=5, mantissa_bits=10),
        Example(x=f32[64], exponent_bits=4, mantissa_bits=3),
        Example(x=f32[64], exponent_bits=5, mantissa_bits=0),
        Example(x=bf16[64], exponent_bits=5, mantissa_bits=3),
        Example(x=f64[64], exponent_bits=8, mantissa_bits=23),
        Example(x=f16[0, 2], exponent_bits=5, mantissa_bits=2),
        Example(x=f32[()], exponent_bits=8, mantissa_bits=23),
    )
    accepts = "float"
    tolerance: ClassVar[float] = 0

    def prepare(self) -> None:
        exponent = checks.integer(self.exponent_bits, "exponent_bits")
        mantissa = checks.integer(self.mantissa_bits, "mantissa_bits")
        if exponent < 1 or mantissa < 0:
            raise AttributeValueError(
                f"exponent_bits={exponent}, mantissa_bits={mantissa}",
                hint="at least 1 bit of exponent and 0 bits of mantissa are needed",
            )
        self.update(exponent_bits=exponent, mantissa_bits=mantissa)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        def rounded(t: Value) -> Value:
            return ops.reduce_precision(
                t, exponent_bits=self.exponent_bits, mantissa_bits=self.mantissa_bits
            )

        return (lambda: masked(g, rounded),)

    linear = ("x",)

    def reference(self, x: Array) -> Array:
        wide = widened(x)
        _, exponent = np.frexp(np.where(np.isfinite(wide), wide, 1))
        step = np.ldexp(1.0, np.maximum(exponent - 1 - self.mantissa_bits, -1074))
        rounded = np.rint(wide / step) * step
        bias = (1 << (self.exponent_bits - 1)) - 1
        largest = np.ldexp(2 - np.ldexp(1.0, -self.mantissa_bits), min(bias, 1023))
        least = np.ldexp(1.0, max(1 - bias, -1074))
        rounded = np.where(np.abs(rounded) > largest, np.copysign(np.inf, wide), rounded)
        rounded = np.where(np.abs(rounded) < least, np.copysign(0.0, wide), rounded)
        return np.where(np.isfinite(wide), rounded, wide).astype(x.dtype)
