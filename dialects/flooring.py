"""Division that rounds down: quotient and remainder as Python has them."""

from __future__ import annotations

from typing import Any

import numpy as np

from dxir import ops
from dxir.arithmetic import computed, integer_limits
from dxir.derivatives import Zero
from dxir.dialects.binary import truncated_quotient
from dxir.dialects.elementwise import IDENTITY, Broadcasting, Partial
from dxir.examples import Example, Sample
from dxir.graph import Value
from dxir.op import Derived
from dxir.types import bf16, f32, i8, i32, ui8

Array = np.ndarray[Any, Any]


class Corrected(Broadcasting, Derived):
    """Base of division that rounds down: a truncated quotient or remainder, corrected once."""

    x: Value
    y: Value

    accepts = "int uint float"

    def expand(self, x: Value, y: Value) -> Value:
        dtype = self.x.tensor.primitive
        wide = dtype.accumulator
        x, y = self.stretched(x, y)
        if wide is not dtype:
            x, y = ops.convert(x, dtype=wide), ops.convert(y, dtype=wide)
        result = self.floored(x, y)
        return result if wide is dtype else ops.convert(result, dtype=dtype)

    def floored(self, x: Value, y: Value) -> Value:
        """The result on operands of one shape, and of at least 32 bits when they are floats."""
        raise NotImplementedError

    @staticmethod
    def wrong_side(remainder: Value, y: Value, zero: Value) -> Value:
        """Where the remainder is on the other side of zero than `y`."""
        opposite = ops.compare(
            ops.compare(remainder, zero, direction="LT"),
            ops.compare(y, zero, direction="LT"),
            direction="NE",
        )
        return ops.and_(ops.compare(remainder, zero, direction="NE"), opposite)


class FloorDivide(Corrected, name="floor_divide"):
    """Quotient rounded toward minus infinity; a float `y` of 0 gives x / y.

    Integers divided by 0 give what the corrected `div` gives: -1, and -2 for a negative x.
    """

    examples = (
        Example(x=i32[2, 3], y=i32[3]),
        Example(x=i8[64], y=i8[64]),
        Example(x=ui8[64], y=ui8[64]),
        Example(x=Sample(f32[64], -50, 50), y=f32[64]),
        Example(x=bf16[64], y=bf16[()]),
        Example(x=f32[0], y=f32[0]),
    )

    def floored(self, x: Value, y: Value) -> Value:
        dtype = x.tensor.primitive
        if dtype.is_unsigned:
            return ops.div(x, y)
        remainder, zero = ops.rem(x, y), ops.full_like(y, value=0)
        if dtype.is_integer:
            quotient = ops.div(x, y)
        else:
            quotient = ops.round_nearest_even(ops.div(ops.sub(x, remainder), y))
        wrong = self.wrong_side(remainder, y, zero)
        floored = ops.select(wrong, ops.sub(quotient, 1), quotient)
        if dtype.is_integer:
            return floored
        none = ops.compare(floored, zero, direction="EQ")
        floored = ops.select(none, ops.mul(ops.sign(ops.div(x, y)), zero), floored)
        return ops.select(ops.compare(y, zero, direction="EQ"), ops.div(x, y), floored)

    derivative = Zero("it is constant between jumps")

    def reference(self, x: Array, y: Array) -> Array:
        if self.x.tensor.dtype.is_float:
            return computed(np.floor_divide, x, y)
        if self.x.tensor.dtype.is_unsigned:
            return computed(truncated_quotient, x, y)
        low, _ = integer_limits(x.dtype)

        def floor(a: Array, b: Array) -> Array:
            by_zero, overflow = b == 0, (a == low) & (b == -1)
            safe = np.where(by_zero | overflow, 1, b)
            return np.where(by_zero, np.where(a < 0, -2, -1), np.floor_divide(a, safe))

        return computed(floor, x, y)


class Mod(Corrected, name="mod"):
    """Remainder of the quotient rounded toward minus infinity, with the sign of `y`.

    x mod 0 is x for integers and NaN for floats.
    """

    examples = (
        Example(x=i32[2, 3], y=i32[3]),
        Example(x=i8[64], y=i8[64]),
        Example(x=ui8[64], y=ui8[64]),
        Example(x=Sample(f32[64], -50, 50), y=f32[64]),
        Example(x=bf16[64], y=bf16[()]),
        Example(x=f32[0], y=f32[0]),
    )

    def floored(self, x: Value, y: Value) -> Value:
        remainder = ops.rem(x, y)
        dtype, zero = x.tensor.primitive, ops.full_like(y, value=0)
        if dtype.is_unsigned:
            return remainder
        wrong = self.wrong_side(remainder, y, zero)
        found: Value = ops.select(wrong, ops.add(remainder, y), remainder)
        if dtype.is_integer:
            return found
        none = ops.compare(found, zero, direction="EQ")
        return ops.select(none, ops.mul(ops.sign(y), zero), found)

    singular = True

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (IDENTITY, lambda: ops.div(ops.sub(y, self.x), self.y))

    def reference(self, x: Array, y: Array) -> Array:
        if self.x.tensor.dtype.is_float:
            return computed(np.mod, x, y)
        return computed(lambda a, b: np.where(b == 0, a, np.mod(a, np.where(b == 0, 1, b))), x, y)
