"""Elementwise ops that compare, choose and work on bits."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from dxir import checks, ops
from dxir.arithmetic import computed, narrowed, widened
from dxir.dialects.elementwise import Arithmetic, Binary, Broadcasting, Elementwise
from dxir.dialects.unary import Unary
from dxir.errors import DTypeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Derived, Op, attribute
from dxir.types import (
    DType,
    TensorType,
    bf16,
    broadcast_shapes,
    c64,
    f8e5m2,
    f32,
    f64,
    i1,
    i4,
    i8,
    i32,
    i64,
    ui8,
    ui32,
)

Array = np.ndarray[Any, Any]
_RELATIONS = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "LT": np.less,
    "LE": np.less_equal,
    "GT": np.greater,
    "GE": np.greater_equal,
}
_DIRECTIONS = tuple(_RELATIONS)
_TYPES = ("FLOAT", "SIGNED", "UNSIGNED", "TOTALORDER", "NOTYPE")


class Compare(Arithmetic, name="compare", mlir="stablehlo.compare"):
    """Whether `x` is related to `y` as `direction` (EQ NE LT LE GT GE) says, element by element.

    Comparisons with NaN are false, except NE. `total_order` ranks floats -NaN < -inf < ... < -0 <
    +0 < ... < +inf < +NaN instead; it is short for `compare_type="TOTALORDER"`. The compare type
    follows from the element type unless given, and is absent only in programs of other producers.
    """

    direction: str = attribute("comparison_direction", mlir="comparison_direction")
    total_order: bool = False
    compare_type: str | None = attribute("comparison_type", default=None)

    examples = (
        *(Example(x=f32[64], y=f32[64], direction=d) for d in _DIRECTIONS),
        *(Example(x=f32[64], y=f32[64], direction=d, total_order=True) for d in _DIRECTIONS),
        Example(x=bf16[64], y=bf16[64], direction="GT", total_order=True),
        Example(x=f8e5m2[64], y=f8e5m2[64], direction="LT"),
        Example(x=i32[64], y=i32[()], direction="LE"),
        Example(x=ui8[64], y=ui8[64], direction="GT"),
        Example(x=i1[4], y=i1[4], direction="LT"),
        Example(x=c64[3], y=c64[3], direction="EQ"),
        Example(x=c64[3], y=c64[3], direction="NE"),
        Example(x=f64[0, 3], y=f64[3], direction="NE"),
    )
    accepts = "bool int uint float complex"

    def prepare(self) -> None:
        checks.one_of(self.direction, _DIRECTIONS, "direction")
        dtype = self.x.tensor.dtype
        kind = self.compare_type
        if kind is None:
            kind = "TOTALORDER" if self.total_order else _natural_comparison(dtype)
        checks.one_of(kind, _TYPES, "compare_type")
        total = kind == "TOTALORDER"
        if self.total_order and not total:
            raise DTypeError(f"total_order contradicts compare_type={kind!r}")
        if total and not dtype.is_float:
            raise DTypeError(
                f"total order is defined for floats, not for {self.x.type}",
                hint="leave out total_order: integers are ordered totally anyway",
            )
        if kind not in ("TOTALORDER", "NOTYPE", _natural_comparison(dtype)):
            raise DTypeError(
                f"compare_type {kind!r} does not fit {self.x.type}",
                hint=f"leave it out, or give {_natural_comparison(dtype)!r}",
            )
        self.update(compare_type=kind, total_order=total)

    def infer(self) -> TensorType:
        check_order(self.x, self.direction)
        return super().infer()

    def result_type(self, operands: TensorType) -> TensorType:
        return operands.with_dtype(i1)

    def reference(self, x: Array, y: Array) -> Array:
        if self.compare_type == "TOTALORDER":
            a, b = _total_rank(x), _total_rank(y)
        else:
            a, b = widened(x), widened(y)
        return np.asarray(_RELATIONS[self.direction](a, b))


def check_order(x: Value, direction: str) -> None:
    """Raise DTypeError for an order of complex numbers."""
    if x.tensor.dtype.is_complex and direction not in ("EQ", "NE"):
        raise DTypeError(
            f"complex numbers have no order, so {direction} of {x.type} means nothing",
            hint="compare their real or imaginary parts, or their absolute values",
        )


def _natural_comparison(dtype: Any) -> str:
    if dtype.is_float or dtype.is_complex or dtype.kind == "quantized":
        return "FLOAT"
    return "UNSIGNED" if dtype.is_unsigned or dtype.is_bool else "SIGNED"


def _total_rank(x: Array) -> Array:
    """Integers in the total order of the floats."""
    width = DType.of(x.dtype).bits - 1
    raw = x.view(f"u{x.dtype.itemsize}").astype(np.uint64)
    magnitude = (raw & np.uint64((1 << width) - 1)).astype(np.int64)
    return np.where((raw >> np.uint64(width)) & np.uint64(1), -1 - magnitude, magnitude)


class Select(Elementwise, name="select", mlir="stablehlo.select"):
    """Elements of `a` where `pred` is true, of `b` elsewhere; a scalar `pred` chooses either."""

    pred: Value
    a: Value
    b: Value

    examples = (
        Example(pred=i1[2, 3], a=f32[2, 3], b=f32[2, 3]),
        Example(pred=i1[()], a=f32[2, 3], b=f32[3]),
        Example(pred=i1[3], a=i8[2, 1], b=i8[()]),
        Example(pred=i1[64], a=bf16[64], b=bf16[64]),
        Example(pred=i1[4], a=i1[4], b=i1[4]),
        Example(pred=i1[0], a=c64[0], b=c64[0]),
        Example(pred=i1[()], a=i4[()], b=i4[()]),
    )
    scalars = (0,)
    quantizable = True
    accepts = "bool int uint float complex"

    def infer(self) -> TensorType:
        checks.kind(self.pred, "bool", "pred")
        chosen = self.joined(self.operands[1:])
        shape = broadcast_shapes(self.pred.tensor.shape, chosen.shape)
        return chosen if shape == chosen.shape else chosen.with_shape(shape)

    def coerce(self, position: int, given: Any) -> Value:
        if position == 0 and isinstance(given, (bool, np.bool_)):
            return ops.constant(np.bool_(given))
        other: Any = self.operands[3 - position] if position else None
        if isinstance(other, Value) and isinstance(given, (bool, int, float, complex)):
            checks.represents(other.tensor.primitive, given)
            return ops.full_like(other, value=given)
        return Op.coerce(self, position, given)

    def reference(self, pred: Array, a: Array, b: Array) -> Array:
        return np.where(pred, a, b)


class Clamp(Elementwise, name="clamp", mlir="stablehlo.clamp"):
    """`x` brought into `lo`..`hi`, that is min(max(lo, x), hi); NaN in any of them gives NaN."""

    lo: Value
    x: Value
    hi: Value

    examples = (
        Example(lo=np.float32(-1), x=f32[2, 3], hi=np.float32(1)),
        Example(lo=f32[64], x=f32[64], hi=f32[64]),
        Example(lo=f32[3], x=f32[2, 3], hi=f32[()]),
        Example(lo=i8[64], x=i8[64], hi=i8[64]),
        Example(lo=ui8[()], x=ui8[4], hi=ui8[()]),
        Example(lo=bf16[()], x=bf16[64], hi=bf16[()]),
        Example(lo=f32[()], x=f32[0], hi=f32[()]),
    )
    scalars = (0, 2)
    quantizable = True
    accepts = "bool int uint float"

    def coerce(self, position: int, given: Any) -> Value:
        x: Any = self.x
        if isinstance(x, Value) and isinstance(given, (bool, int, float)):
            dtype = x.tensor.primitive
            checks.represents(dtype, given)
            return ops.constant(np.asarray(given).astype(dtype.numpy))
        return super().coerce(position, given)

    def reference(self, lo: Array, x: Array, hi: Array) -> Array:
        if self.x.tensor.dtype.is_bool:
            return (lo | x) & hi
        return narrowed(np.minimum(np.maximum(widened(lo), widened(x)), widened(hi)), x.dtype)


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


class Logical(Broadcasting, Derived):
    """Base of the logical ops, which take nothing but i1."""

    x: Value
    y: Value

    accepts: ClassVar[str] = "bool"
    examples = (Example(x=i1[4], y=i1[4]), Example(x=i1[2, 1], y=i1[3]), Example(x=i1[0], y=i1[0]))


class LogicalAnd(Logical, name="land"):
    """Whether both are true; `and` for i1 only."""

    def expand(self, x: Value, y: Value) -> Value:
        return ops.and_(x, y)

    def reference(self, x: Array, y: Array) -> Array:
        return np.logical_and(x, y)


class LogicalOr(Logical, name="lor"):
    """Whether at least one is true; `or` for i1 only."""

    def expand(self, x: Value, y: Value) -> Value:
        return ops.or_(x, y)

    def reference(self, x: Array, y: Array) -> Array:
        return np.logical_or(x, y)


class LogicalNot(Broadcasting, Derived, name="lnot"):
    """Whether it is false; `not` for i1 only."""

    x: Value

    examples = (Example(x=i1[4]), Example(x=i1[()]), Example(x=i1[0, 2]))
    accepts = "bool"

    def expand(self, x: Value) -> Value:
        return ops.not_(x)

    def reference(self, x: Array) -> Array:
        return np.logical_not(x)


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
