"""Arithmetic on two operands."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import ops
from dxir.arithmetic import computed
from dxir.derivatives import Cotangent, unbroadcast
from dxir.dialects.elementwise import (
    IDENTITY,
    Arithmetic,
    Linear,
    Partial,
    guarded,
    is_constant,
    masked,
    scaled,
    uniform_number,
)
from dxir.examples import Example, Sample
from dxir.graph import Value, place
from dxir.types import (
    bf16,
    c64,
    f8e4m3fn,
    f16,
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

if TYPE_CHECKING:
    from dxir.transforms.forward import Forward
    from dxir.transforms.reverse import Pull, Reverse

Array = np.ndarray[Any, Any]


class Add(Arithmetic, name="add", mlir="stablehlo.add", rounding="once"):
    """Sum; logical or for i1."""

    examples = (
        Example(x=f32[2, 3], y=f32[2, 3]),
        Example(x=f32[1, 4], y=f32[3, 1]),
        Example(x=i8[5], y=i8[()]),
        Example(x=i1[4], y=i1[4]),
        Example(x=bf16[0, 2], y=bf16[2]),
        Example(x=c64[3], y=c64[3]),
        Example(x=f8e4m3fn[64], y=f8e4m3fn[64]),
        Example(x=i4[64], y=i4[64]),
    )
    quantizable_by_axis = True
    accepts = "bool int uint float complex"

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        x_type, y_type = self.tensor_types
        return (lambda: unbroadcast(g, x_type), lambda: unbroadcast(g, y_type))

    def jvp(self, tangents: Sequence[Value | None], y: Value) -> Value:
        a, b = tangents
        if a is not None and b is not None:
            return ops.add(a, b)
        only = a if b is None else b
        assert only is not None
        return self.widened(only, y)

    def reference(self, x: Array, y: Array) -> Array:
        return computed(np.add, x, y)


class Sub(Arithmetic, name="sub", mlir="stablehlo.subtract", rounding="once"):
    """Difference; integers wrap around."""

    examples = (
        Example(x=f32[2, 3], y=f32[3]),
        Example(x=ui8[64], y=ui8[64]),
        Example(x=i64[64], y=i64[64]),
        Example(x=bf16[4], y=bf16[()]),
        Example(x=c64[0, 3], y=c64[1, 3]),
    )

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        x_type, y_type = self.tensor_types
        return (lambda: unbroadcast(g, x_type), lambda: self._negative(unbroadcast(g, y_type)))

    def jvp(self, tangents: Sequence[Value | None], y: Value) -> Value:
        a, b = tangents
        if a is not None and b is not None:
            return ops.sub(a, b)
        if b is None:
            assert a is not None
            return self.widened(a, y)
        return self.widened(self._negative(b), y)

    def _negative(self, t: Value) -> Value:
        return masked(t, ops.neg) if is_constant(self.x) else ops.neg(t)

    def reference(self, x: Array, y: Array) -> Array:
        return computed(np.subtract, x, y)


class Mul(Arithmetic, name="mul", mlir="stablehlo.multiply", rounding="once"):
    """Product; logical and for i1, and integers wrap around."""

    examples = (
        Example(x=f32[2, 3], y=f32[2, 1]),
        Example(x=i32[64], y=i32[64]),
        Example(x=i4[64], y=i4[64]),
        Example(x=i1[4], y=i1[4]),
        Example(x=bf16[()], y=bf16[0]),
        Example(x=c64[3], y=c64[3], hostile=False),
    )
    accepts = "bool int uint float complex"

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (lambda: self.y, lambda: self.x)

    def reference(self, x: Array, y: Array) -> Array:
        return computed(np.multiply, x, y)


class Div(Arithmetic, name="div", mlir="stablehlo.divide", rounding="once"):
    """Quotient; integers truncate toward zero, x / 0 has all bits set, and min / -1 is min.

    XLA's CPU code multiplies by the reciprocal of a `y` that is broadcast, which flushes to 0 for
    the largest numbers: -inf / 3.4e38 is NaN there.
    """

    examples = (
        Example(x=f32[64], y=f32[64]),
        Example(x=f32[2, 3], y=f32[3], hostile=False),
        Example(x=i32[64], y=i32[64]),
        Example(x=i8[64], y=i8[64]),
        Example(x=ui32[64], y=ui32[64]),
        Example(x=bf16[4], y=bf16[4]),
        Example(x=c64[3], y=c64[3], hostile=False),
        Example(x=f16[0, 2], y=f16[()]),
    )

    singular = True

    def partials(self, y: Value) -> tuple[Partial, ...]:
        def denominator(t: Value) -> Value:
            turned: Value = ops.neg(ops.div(ops.mul(t, y), self.y))
            return turned

        return (Linear.over(self.y), Linear(denominator))

    def jvp(self, tangents: Sequence[Value | None], y: Value) -> Value | None:
        a, b = tangents
        if a is None or b is None:
            return self._jvp_of_partials(tangents, y)
        moved = ops.sub(a, ops.mul(b, y))
        return self.widened(guarded(moved, lambda t: ops.div(t, self.y)), y)

    def pullback(self, sweep: Reverse) -> tuple[tuple[Value, ...], Pull]:
        place(self)
        y = self.result
        logistic = _logistic_argument(self)

        def pull(g: Sequence[Value | None]) -> list[tuple[Value, Cotangent]]:
            if logistic is None:
                return list(zip(self.operands, self.vjp(g[0], y), strict=True))
            assert g[0] is not None
            return [(logistic, scaled(g[0], _logistic_slope(y)))]

        return self.results, pull

    def pushforward(self, sweep: Forward) -> tuple[tuple[Value, ...], list[Value | None]]:
        place(self)
        y = self.result
        logistic = _logistic_argument(self)
        if logistic is None:
            tangents = [sweep.tangents.get(v) for v in self.operands]
            return self.results, [self.jvp(tangents, y)]
        tangent = sweep.tangents.get(logistic)
        return self.results, [None if tangent is None else scaled(tangent, _logistic_slope(y))]

    def reference(self, x: Array, y: Array) -> Array:
        if x.dtype.kind in "fc" or self.x.tensor.dtype.is_float:
            return computed(np.divide, x, y)
        return computed(truncated_quotient, x, y)


def _logistic_argument(node: Div) -> Value | None:
    """The `x` of a quotient `1 / (1 + exp(-x))` of one shape; None for other quotients.

    JAX writes its sigmoid so, where the derivative by parts is NaN once the exponential overflows.
    """
    total = node.y.producer
    if total is None or total.op != "add" or uniform_number(node.x) != 1:
        return None
    for one, power in (total.operands, total.operands[::-1]):
        maker = power.producer
        if maker is None or maker.op != "exp" or uniform_number(one) != 1:
            continue
        turned = maker.operands[0].producer
        if turned is not None and turned.op == "neg":
            argument = turned.operands[0]
            return argument if argument.type == node.result.type else None
    return None


def _logistic_slope(y: Value) -> Value:
    slope: Value = ops.mul(y, ops.sub(ops.full_like(y, value=1), y))
    return slope


def truncated_quotient(x: Array, y: Array) -> Array:
    """The integer quotient rounded toward zero; all bits set where `y` is 0."""
    one = np.ones_like(y)
    divisor = np.where(y == 0, one, y)
    quotient = np.floor_divide(x, divisor)
    if x.dtype.kind == "i":
        quotient = quotient + ((x != quotient * divisor) & (quotient < 0))
    return np.where(y == 0, np.invert(np.zeros_like(x)), quotient)


class Rem(Arithmetic, name="rem", mlir="stablehlo.remainder", rounding="once"):
    """Remainder of the truncated quotient, with the sign of `x`; x rem 0 is x for integers.

    For floats it is exact, NaN for an infinite `x` or a `y` of 0, and `x` for an infinite `y`.
    """

    examples = (
        Example(x=f32[2, 3], y=f32[3]),
        Example(x=i32[64], y=i32[64]),
        Example(x=i8[64], y=i8[64]),
        Example(x=ui8[64], y=ui8[64]),
        Example(x=bf16[4], y=bf16[()]),
        Example(x=f64[0, 2], y=f64[2]),
    )
    accepts = "int uint float"

    singular = True

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (IDENTITY, lambda: ops.div(ops.sub(y, self.x), self.y))

    def reference(self, x: Array, y: Array) -> Array:
        if self.x.tensor.dtype.is_float:
            return computed(np.fmod, x, y)
        return computed(lambda a, b: np.where(b == 0, a, np.fmod(a, np.where(b == 0, 1, b))), x, y)


class Pow(Arithmetic, name="pow", mlir="stablehlo.power"):
    """`x` to the power `y`; integer powers wrap around, and those of a negative `y` truncate.

    A float x below 0 gives NaN unless y is whole; pow(x, 0) and pow(1, y) are 1 even for NaN. The
    derivative by `x` is 0 where y is 0, that by `y` is 0 where x is 0 (and y is not negative) and
    NaN where x is negative.
    """

    examples = (
        Example(x=Sample(f32[2, 3], 0.1, 3), y=f32[3]),
        Example(x=f32[64], y=f32[64]),
        Example(x=i32[64], y=i32[64]),
        Example(x=i8[64], y=i8[64]),
        Example(x=ui8[64], y=ui8[64]),
        Example(x=bf16[()], y=bf16[4]),
        Example(x=Sample(c64[3], 0.5, 2), y=Sample(c64[3], -1, 1), hostile=False),
    )

    singular = True

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (self._by_base(y), lambda: self._by_exponent(y))

    def _by_base(self, y: Value) -> Partial:
        """`y * x ** (y - 1)`, and 0 for `y = 0` even where `x` is 0."""
        x, exponent = self.x, uniform_number(self.y)
        if exponent == 0:
            return None
        if exponent == 1:
            return IDENTITY
        if exponent == 2:
            return Linear(lambda t: ops.mul(t, ops.mul(x, 2)), safe=True)
        if exponent == 0.5:
            return Linear(lambda t: ops.div(ops.mul(t, 0.5), y))
        if exponent is not None:
            return lambda: ops.mul(ops.pow(x, exponent - 1), exponent)

        def general() -> Value:
            power = ops.mul(self.y, ops.pow(x, ops.sub(self.y, 1)))
            slope: Value = ops.select(ops.compare(self.y, 0, direction="EQ"), 0, power)
            return slope

        return general

    def _by_exponent(self, y: Value) -> Value:
        """`log(x) * x ** y`, and 0 where `x` is 0."""
        base = uniform_number(self.x)
        if base is not None and base > 0:
            return ops.mul(y, math.log(base))
        inside = ops.select(ops.compare(self.x, 0, direction="EQ"), 1, self.x)
        slope: Value = ops.mul(ops.log(inside), y)
        return slope

    def reference(self, x: Array, y: Array) -> Array:
        if self.x.tensor.dtype.is_integer:
            return computed(_integer_power, x, y)
        return computed(np.power, x, y)


def _integer_power(x: Array, y: Array) -> Array:
    x, y = np.broadcast_arrays(x, y)
    out = np.empty(x.shape, x.dtype)
    for at in np.ndindex(x.shape):
        base, exponent = int(x[at]), int(y[at])
        if exponent < 0:
            out[at] = base ** (exponent % 2) if abs(base) == 1 else 0
        else:
            value = pow(base, exponent, 1 << 64)
            signed = x.dtype.kind == "i" and value >= 1 << 63
            out[at] = value - (1 << 64) if signed else value
    return out


def _shared(x: Value, y: Value, direction: str) -> tuple[Partial, ...]:
    """What the chosen of two operands gets: all of it where `x direction y`, half if they tie.

    Where one is NaN neither gets anything.
    """
    tie = functools.cache(lambda: ops.compare(x, y, direction="EQ"))
    halved = functools.cache(lambda t: ops.select(tie(), ops.mul(t, 0.5), t))

    def where(a: Value, b: Value) -> Linear:
        return Linear(lambda t: ops.select(ops.compare(a, b, direction=direction), halved(t), 0))

    return (where(x, y), where(y, x))


class Max(Arithmetic, name="max", mlir="stablehlo.maximum", rounding="exact"):
    """The larger one; NaN when either is NaN, and +0 is larger than -0.

    Operands that tie share the cotangent equally; where one is NaN neither gets any.
    """

    examples = (
        Example(x=f32[2, 3], y=f32[3]),
        Example(x=f32[64], y=f32[64]),
        Example(x=i32[64], y=i32[64]),
        Example(x=ui8[64], y=ui8[()]),
        Example(x=i1[4], y=i1[4]),
        Example(x=bf16[64], y=bf16[64]),
        Example(x=f16[0], y=f16[0]),
    )
    accepts = "bool int uint float"

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return _shared(self.x, self.y, "GE")

    def reference(self, x: Array, y: Array) -> Array:
        if not self.x.tensor.dtype.is_float:
            return computed(np.maximum, x, y)
        return computed(lambda a, b: np.where((a == 0) & (b == 0), a + b, np.maximum(a, b)), x, y)


class Min(Arithmetic, name="min", mlir="stablehlo.minimum", rounding="exact"):
    """The smaller one; NaN when either is NaN, and -0 is smaller than +0.

    Operands that tie share the cotangent equally; where one is NaN neither gets any.
    """

    examples = (
        Example(x=f32[2, 3], y=f32[3]),
        Example(x=f32[64], y=f32[64]),
        Example(x=i8[64], y=i8[64]),
        Example(x=ui32[64], y=ui32[()]),
        Example(x=i1[4], y=i1[4]),
        Example(x=bf16[64], y=bf16[64]),
        Example(x=f16[0], y=f16[0]),
    )
    accepts = "bool int uint float"

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return _shared(self.x, self.y, "LE")

    def reference(self, x: Array, y: Array) -> Array:
        if not self.x.tensor.dtype.is_float:
            return computed(np.minimum, x, y)
        return computed(
            lambda a, b: np.where((a == 0) & (b == 0), -(-a - b), np.minimum(a, b)), x, y
        )
