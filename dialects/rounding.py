"""Rounding to whole numbers, and what lies beside a number."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from dxir import checks, ops
from dxir.arithmetic import computed
from dxir.derivatives import Zero
from dxir.dialects.elementwise import IDENTITY, Binary, Partial
from dxir.dialects.unary import FLOATS, Numeric, Unary
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Derived
from dxir.types import (
    TensorType,
    bf16,
    f16,
    f32,
    f64,
)

Array = np.ndarray[Any, Any]


class Floor(Numeric, name="floor", mlir="stablehlo.floor", rounding="exact"):
    """The greatest whole number that is not above x."""

    examples = FLOATS
    accepts = "float"

    derivative = Zero("it is constant between jumps")

    def reference(self, x: Array) -> Array:
        return computed(np.floor, x)


class Ceil(Numeric, name="ceil", mlir="stablehlo.ceil", rounding="exact"):
    """The least whole number that is not below x."""

    examples = FLOATS
    accepts = "float"

    derivative = Zero("it is constant between jumps")

    def reference(self, x: Array) -> Array:
        return computed(np.ceil, x)


class RoundNearestEven(
    Numeric, name="round_nearest_even", mlir="stablehlo.round_nearest_even", rounding="exact"
):
    """The nearest whole number; of two equally near ones the even one."""

    examples = (*FLOATS, Example(x=np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5], np.float32)))
    accepts = "float"

    derivative = Zero("it is constant between jumps")

    def reference(self, x: Array) -> Array:
        return computed(np.round, x)


class RoundNearestAwayFromZero(
    Unary, name="round_nearest_afz", mlir="stablehlo.round_nearest_afz", rounding="exact"
):
    """The nearest whole number; of two equally near ones the one farther from zero."""

    examples = (
        *FLOATS,
        Example(x=np.array([-2.5, -1.5, -0.5, 0.49999997, 0.5, 1.5, 2.5, 8388609], np.float32)),
    )
    accepts = "float"

    derivative = Zero("it is constant between jumps")

    def reference(self, x: Array) -> Array:
        def away(v: Array) -> Array:
            whole = np.trunc(v)
            return np.where(np.abs(v - whole) >= 0.5, whole + np.copysign(1, v), whole)

        return computed(away, x)


class Round(Derived, name="round"):
    """The nearest whole number; ties go to the even one, or away from zero by `mode="away"`."""

    x: Value
    mode: str = "even"

    examples = (
        Example(x=f32[2, 3]),
        Example(x=np.array([-2.5, -0.5, 0.5, 1.5, 2.5], np.float32), mode="even"),
        Example(x=np.array([-2.5, -0.5, 0.5, 1.5, 2.5], np.float32), mode="away"),
        Example(x=bf16[0, 4], mode="away"),
        Example(x=f16[()]),
    )

    def infer(self) -> TensorType:
        checks.kind(self.x, "float")
        checks.one_of(self.mode, ("even", "away"), "mode")
        return self.x.tensor

    def expand(self, x: Value) -> Value:
        return ops.round_nearest_even(x) if self.mode == "even" else ops.round_nearest_afz(x)

    derivative = Zero("it is constant between jumps")

    def reference(self, x: Array) -> Array:
        if self.mode == "even":
            return computed(np.rint, x)
        return computed(
            lambda v: np.where(v % 1 == 0, v, np.copysign(np.floor(np.abs(v) + 0.5), v)), x
        )


class NextAfter(Binary, name="next_after", mlir="chlo.next_after", rounding="exact"):
    """The number of the same type next to `x` in the direction of `y`; `y` when they are equal.

    It moves along with `x`, and `y` only says where to.
    """

    examples = (
        Example(x=f32[64], y=f32[64]),
        Example(x=f32[2, 3], y=f32[()]),
        Example(x=bf16[64], y=bf16[64]),
        Example(x=f16[64], y=f16[64]),
        Example(x=f64[64], y=f64[64]),
        Example(x=np.array([0, -0.0, 1, 3.4028235e38], np.float32), y=np.float32(np.inf)),
        Example(x=f32[0], y=f32[0]),
    )
    accepts: ClassVar[str] = "float"
    tolerance: ClassVar[float] = 0

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (IDENTITY, None)

    def reference(self, x: Array, y: Array) -> Array:
        return np.nextafter(x, y)
