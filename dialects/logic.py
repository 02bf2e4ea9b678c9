"""Elementwise ops that compare, choose and work on bits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from dxir import checks, ops
from dxir.arithmetic import narrowed, widened
from dxir.derivatives import Cotangent, mask_of, unbroadcast
from dxir.dialects.elementwise import (
    Arithmetic,
    Broadcasting,
    Elementwise,
    Linear,
    Partial,
)
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
    ui8,
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


class Select(Elementwise, name="select", mlir="stablehlo.select", rounding="exact"):
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

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        a_type, b_type = self.tensor_types[1:]

        def pulled(type: TensorType, *, chosen: bool) -> Value:
            if not self.pred.rank:  # summed first, it still shows as masked to what comes below
                return _kept(self.pred, unbroadcast(g, type), chosen=chosen)
            return unbroadcast(_kept(self.pred, g, chosen=chosen), type)

        return (None, lambda: pulled(a_type, chosen=True), lambda: pulled(b_type, chosen=False))

    def jvp(self, tangents: Sequence[Value | None], y: Value) -> Value:
        _, a, b = tangents
        return self.widened(ops.select(self.pred, 0 if a is None else a, 0 if b is None else b), y)

    def reference(self, pred: Array, a: Array, b: Array) -> Array:
        return np.where(pred, a, b)


def _kept(pred: Value, g: Value, *, chosen: bool) -> Value:
    """`g` where `pred` is true, or where it is not, and zeros elsewhere."""
    mask = mask_of(g)
    if mask is not None and mask[0] is pred and mask[2] == chosen:
        return g
    kept: Value = ops.select(pred, g, 0) if chosen else ops.select(pred, 0, g)
    return kept


class Clamp(Elementwise, name="clamp", mlir="stablehlo.clamp", rounding="exact"):
    """`x` brought into `lo`..`hi`, that is min(max(lo, x), hi); NaN in any of them gives NaN.

    On a limit neither it nor `x` gets a gradient.
    """

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

    def partials(self, y: Value) -> tuple[Partial, ...]:
        lo, x, hi = self.lo, self.x, self.hi

        def where(pred: Callable[[], Value]) -> Linear:
            return Linear(lambda t: ops.select(pred(), t, 0))

        def less(a: Value, b: Value) -> Value:
            result: Value = ops.compare(a, b, direction="LT")
            return result

        return (
            where(lambda: ops.and_(less(x, lo), less(lo, hi))),
            where(lambda: ops.and_(less(lo, x), less(x, hi))),
            where(lambda: less(hi, ops.max(lo, x))),
        )

    def reference(self, lo: Array, x: Array, hi: Array) -> Array:
        if self.x.tensor.dtype.is_bool:
            return (lo | x) & hi
        return narrowed(np.minimum(np.maximum(widened(lo), widened(x)), widened(hi)), x.dtype)


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
