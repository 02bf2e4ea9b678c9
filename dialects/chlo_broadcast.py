"""CHLO's operations with implicit broadcasting, for programs that other producers made.

dxir's own ops broadcast by themselves, with one explicit operation for each stretch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from dxir import checks, ops
from dxir.dialects import binary, bits, complex_parts, logic, rounding, special, trigonometric
from dxir.dialects.elementwise import Binary
from dxir.dialects.restating import Restated
from dxir.dialects.shape import broadcast_array
from dxir.errors import ShapeError
from dxir.examples import Example, Sample
from dxir.graph import Value
from dxir.op import attribute
from dxir.types import (
    DType,
    TensorType,
    bf16,
    broadcast_shapes,
    c64,
    f32,
    i1,
    i8,
    i32,
    ui8,
)

Array = np.ndarray[Any, Any]


def _examples(dtype: DType, **attributes: Any) -> tuple[Example, ...]:
    return (
        Example(x=dtype[2, 3], y=dtype[2, 3], **attributes),
        Example(x=dtype[2, 3], y=dtype[3], **attributes),
        Example(x=dtype[()], y=dtype[2, 3], broadcast_dimensions=(), **attributes),
        Example(x=dtype[2, 1], y=dtype[1, 3], **attributes),
        Example(x=dtype[0, 3], y=dtype[3], broadcast_dimensions=(1,), **attributes),
    )


class ChloBroadcast(Restated):
    """Base of CHLO's binary operations with implicit broadcasting.

    `broadcast_dimensions` are the axes of the operand of higher rank that the axes of the other go
    to; without them the operands are aligned on the right.
    """

    x: Value
    y: Value
    broadcast_dimensions: tuple[int, ...] | None = attribute("i64_array", default=None)

    counterpart: ClassVar[type[Binary]]

    def prepare(self) -> None:
        given = self.broadcast_dimensions
        if given is not None:
            self.update(broadcast_dimensions=checks.integers(given, "broadcast_dimensions"))

    def infer(self) -> TensorType:
        counterpart: Any = self.counterpart  # its methods are borrowed, on fields of the same names
        checks.same_dtype((self.x, self.y))
        checks.kind(self.x, counterpart.accepts)
        first, second = self.x.tensor, self.y.tensor
        shapes = [first.shape, second.shape]
        dims = self.broadcast_dimensions
        if dims is not None:
            self._check_dims(dims)
            low = 0 if first.rank < second.rank else 1
            wide: list[Any] = [1] * len(shapes[1 - low])
            for size, axis in zip(shapes[low], dims, strict=True):
                wide[axis] = size
            shapes[low] = tuple(wide)
        shape = broadcast_shapes(shapes[0], shapes[1])
        result: TensorType = counterpart.result_type(self, TensorType(shape, first.dtype))
        return result

    def _check_dims(self, dims: Sequence[int]) -> None:
        ranks = sorted((self.x.rank, self.y.rank))
        checks.length(dims, ranks[0], "broadcast_dimensions")
        if list(dims) != sorted(set(dims)) or any(not 0 <= d < ranks[1] for d in dims):
            raise ShapeError(
                f"broadcast_dimensions {tuple(dims)} do not fit {self.x.type} and {self.y.type}",
                hint=f"give increasing axes below {ranks[1]}",
            )

    def restated(self, x: Value, y: Value) -> Value:
        dims = self.broadcast_dimensions
        if dims is not None and x.rank < y.rank:
            x = _placed(x, y.rank, dims)
        elif dims is not None and y.rank < x.rank:
            y = _placed(y, x.rank, dims)
        attributes = {n: v for n, v in self.attrs.items() if n != "broadcast_dimensions"}
        result: Value = self.counterpart.build(x, y, **attributes)
        return result

    def reference(self, x: Array, y: Array) -> Array:
        dims = self.broadcast_dimensions
        if dims is not None and x.ndim != y.ndim:
            low, high = (x, y) if x.ndim < y.ndim else (y, x)
            wide = [low.shape[dims.index(i)] if i in dims else 1 for i in range(high.ndim)]
            low = broadcast_array(low, wide, dims)
            x, y = (low, y) if x.ndim < y.ndim else (x, low)
        found: Array = self.counterpart.reference(self, x, y)
        return found


def _placed(value: Value, rank: int, dims: Sequence[int]) -> Value:
    """The value with axes of size 1 between its own, which go to `dims` of `rank`."""
    sizes = [1] * rank
    for size, axis in zip(value.tensor.static_shape, dims, strict=True):
        sizes[axis] = size
    return ops.reshape(value, shape=sizes)


class ChloBroadcastAdd(
    ChloBroadcast, name="chlo_broadcast_add", mlir="chlo.broadcast_add", rounding="once"
):
    """Sum; CHLO's operation with implicit broadcasting."""

    counterpart = binary.Add
    examples = _examples(f32)


class ChloBroadcastSubtract(
    ChloBroadcast, name="chlo_broadcast_subtract", mlir="chlo.broadcast_subtract", rounding="once"
):
    """Difference; CHLO's operation with implicit broadcasting."""

    counterpart = binary.Sub
    examples = _examples(f32)


class ChloBroadcastMultiply(
    ChloBroadcast, name="chlo_broadcast_multiply", mlir="chlo.broadcast_multiply", rounding="once"
):
    """Product; CHLO's operation with implicit broadcasting."""

    counterpart = binary.Mul
    examples = _examples(i32)


class ChloBroadcastDivide(
    ChloBroadcast, name="chlo_broadcast_divide", mlir="chlo.broadcast_divide", rounding="once"
):
    """Quotient; CHLO's operation with implicit broadcasting."""

    counterpart = binary.Div
    examples = _examples(i32)


class ChloBroadcastRemainder(
    ChloBroadcast, name="chlo_broadcast_remainder", mlir="chlo.broadcast_remainder"
):
    """Remainder with the sign of `x`; CHLO's operation with implicit broadcasting."""

    counterpart = binary.Rem
    examples = _examples(i8)


class ChloBroadcastPower(ChloBroadcast, name="chlo_broadcast_power", mlir="chlo.broadcast_power"):
    """`x` to the power `y`; CHLO's operation with implicit broadcasting."""

    counterpart = binary.Pow
    examples = _examples(i32)


class ChloBroadcastMaximum(
    ChloBroadcast, name="chlo_broadcast_maximum", mlir="chlo.broadcast_maximum"
):
    """The larger one; CHLO's operation with implicit broadcasting."""

    counterpart = binary.Max
    examples = _examples(bf16)


class ChloBroadcastMinimum(
    ChloBroadcast, name="chlo_broadcast_minimum", mlir="chlo.broadcast_minimum"
):
    """The smaller one; CHLO's operation with implicit broadcasting."""

    counterpart = binary.Min
    examples = _examples(f32)


class ChloBroadcastAtan2(ChloBroadcast, name="chlo_broadcast_atan2", mlir="chlo.broadcast_atan2"):
    """The angle of the point (y, x); CHLO's operation with implicit broadcasting."""

    counterpart = trigonometric.Atan2
    examples = _examples(f32)


class ChloBroadcastComplex(
    ChloBroadcast, name="chlo_broadcast_complex", mlir="chlo.broadcast_complex"
):
    """Complex numbers of parts `x` and `y`; CHLO's operation with implicit broadcasting."""

    counterpart = complex_parts.Complex
    examples = _examples(f32)


class ChloBroadcastAnd(ChloBroadcast, name="chlo_broadcast_and", mlir="chlo.broadcast_and"):
    """Logical or bitwise and; CHLO's operation with implicit broadcasting."""

    counterpart = bits.And
    examples = _examples(i1)


class ChloBroadcastOr(ChloBroadcast, name="chlo_broadcast_or", mlir="chlo.broadcast_or"):
    """Logical or bitwise or; CHLO's operation with implicit broadcasting."""

    counterpart = bits.Or
    examples = _examples(i32)


class ChloBroadcastXor(ChloBroadcast, name="chlo_broadcast_xor", mlir="chlo.broadcast_xor"):
    """Exclusive or; CHLO's operation with implicit broadcasting."""

    counterpart = bits.Xor
    examples = _examples(ui8)


class ChloBroadcastShiftLeft(
    ChloBroadcast, name="chlo_broadcast_shift_left", mlir="chlo.broadcast_shift_left"
):
    """Bits moved up; CHLO's operation with implicit broadcasting."""

    counterpart = bits.ShiftLeft
    examples = _examples(i32)


class ChloBroadcastShiftRightLogical(
    ChloBroadcast,
    name="chlo_broadcast_shift_right_logical",
    mlir="chlo.broadcast_shift_right_logical",
):
    """Bits moved down, zeros above; CHLO's operation with implicit broadcasting."""

    counterpart = bits.ShiftRightLogical
    examples = _examples(i32)


class ChloBroadcastShiftRightArithmetic(
    ChloBroadcast,
    name="chlo_broadcast_shift_right_arithmetic",
    mlir="chlo.broadcast_shift_right_arithmetic",
):
    """Bits moved down, copies of the top bit above; CHLO's operation with implicit broadcasting."""

    counterpart = bits.ShiftRightArithmetic
    examples = _examples(i32)


class ChloBroadcastNextAfter(
    ChloBroadcast, name="chlo_broadcast_next_after", mlir="chlo.broadcast_next_after"
):
    """The next number in the direction of `y`; CHLO's operation with implicit broadcasting."""

    counterpart = rounding.NextAfter
    examples = _examples(f32)


class ChloBroadcastPolygamma(
    ChloBroadcast, name="chlo_broadcast_polygamma", mlir="chlo.broadcast_polygamma"
):
    """Derivatives of digamma at `y`; CHLO's operation with implicit broadcasting."""

    counterpart = special.Polygamma
    examples = (
        Example(x=np.float32(1), y=Sample(f32[2, 3], 0.5, 20), hostile=False),
        Example(x=np.ones(3, np.float32), y=Sample(f32[2, 3], 0.5, 20), hostile=False),
    )


class ChloBroadcastZeta(ChloBroadcast, name="chlo_broadcast_zeta", mlir="chlo.broadcast_zeta"):
    """Hurwitz zeta function; CHLO's operation with implicit broadcasting."""

    counterpart = special.Zeta
    examples = (
        Example(x=Sample(f32[3], 1.1, 10), y=Sample(f32[2, 3], 0.5, 10), hostile=False),
        Example(x=Sample(f32[2, 3], 1.1, 10), y=Sample(f32[()], 0.5, 10), hostile=False),
    )


class ChloBroadcastCompare(
    ChloBroadcast, name="chlo_broadcast_compare", mlir="chlo.broadcast_compare"
):
    """Whether `x` is related to `y` as `direction` says; CHLO's op with implicit broadcasting."""

    direction: str = attribute("chlo_comparison_direction", mlir="comparison_direction")
    total_order: bool = False
    compare_type: str | None = attribute("chlo_comparison_type", default=None)

    counterpart = logic.Compare
    examples = (
        *_examples(f32, direction="LT"),
        Example(x=f32[64], y=f32[64], direction="GE", total_order=True),
        Example(x=i32[2, 3], y=i32[3], direction="NE"),
        Example(x=ui8[()], y=ui8[4], direction="GT"),
        Example(x=c64[3], y=c64[3], direction="EQ"),
    )

    def prepare(self) -> None:
        super().prepare()
        logic.Compare.prepare(self)  # type: ignore[arg-type]  # borrowed: the fields are the same

    def infer(self) -> TensorType:
        logic.check_order(self.x, self.direction)
        return super().infer()


class ChloBroadcastSelect(Restated, name="chlo_broadcast_select", mlir="chlo.broadcast_select"):
    """Elements of `a` where `pred` is true, of `b` elsewhere; CHLO's op, which aligns all three.

    XLA cannot legalize it (jaxlib 0.10.2 and 0.12.0.1 leave a `shape.const_witness` behind).
    """

    pred: Value
    a: Value
    b: Value

    examples = (
        Example(pred=i1[2, 3], a=f32[2, 3], b=f32[2, 3], runs=False),
        Example(pred=i1[()], a=f32[2, 3], b=f32[3], runs=False),
        Example(pred=i1[3], a=i8[2, 1], b=i8[()], runs=False),
        Example(pred=i1[0], a=bf16[0], b=bf16[()], runs=False),
    )

    def infer(self) -> TensorType:
        checks.kind(self.pred, "bool", "pred")
        checks.same_dtype((self.a, self.b))
        chosen = broadcast_shapes(self.a.shape, self.b.shape)
        return self.a.tensor.with_shape(broadcast_shapes(self.pred.shape, chosen))

    def restated(self, pred: Value, a: Value, b: Value) -> Value:
        return ops.select(pred, a, b)

    def reference(self, pred: Array, a: Array, b: Array) -> Array:
        return np.where(pred, a, b)
