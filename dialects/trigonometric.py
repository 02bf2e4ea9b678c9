"""Trigonometric and hyperbolic functions and their inverses."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from dxir import ops
from dxir.arithmetic import computed
from dxir.dialects.elementwise import (
    Arithmetic,
    Linear,
    Partial,
)
from dxir.dialects.unary import COMPLEX, FLOATS, HIGHEST, Accurate, Analytic
from dxir.examples import Example, Sample
from dxir.graph import Value
from dxir.types import (
    bf16,
    f32,
    f64,
)

Array = np.ndarray[Any, Any]


class Sin(Accurate, name="sin", mlir="stablehlo.sine"):
    """Sine of x in radians."""

    examples = (*FLOATS, *COMPLEX, *HIGHEST)

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (lambda: ops.cos(self.x),)

    def reference(self, x: Array) -> Array:
        return computed(np.sin, x)


class Cos(Accurate, name="cos", mlir="stablehlo.cosine"):
    """Cosine of x in radians."""

    examples = (*FLOATS, *COMPLEX, *HIGHEST)

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (lambda: ops.neg(ops.sin(self.x)),)

    def reference(self, x: Array) -> Array:
        return computed(np.cos, x)


class Tan(Accurate, name="tan", mlir="stablehlo.tan"):
    """Tangent of x in radians."""

    examples = (*FLOATS, *COMPLEX, *HIGHEST)

    singular = True

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (lambda: ops.add(ops.mul(y, y), 1),)

    def reference(self, x: Array) -> Array:
        return computed(np.tan, x)


class Tanh(Accurate, name="tanh", mlir="stablehlo.tanh"):
    """Hyperbolic tangent."""

    examples = (*FLOATS, *COMPLEX, *HIGHEST)

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (lambda: ops.sub(1, ops.mul(y, y)),)

    def reference(self, x: Array) -> Array:
        return computed(np.tanh, x)


class Atan2(Arithmetic, name="atan2", mlir="stablehlo.atan2"):
    """The angle of the point (y, x), in (-pi, pi]: `x` is the ordinate, `y` the abscissa."""

    examples = (
        Example(x=f32[2, 3], y=f32[3]),
        Example(x=f32[64], y=f32[64]),
        Example(x=bf16[0, 4], y=bf16[4]),
        Example(x=f64[()], y=f64[()]),
    )
    accepts = "float complex"

    singular = True

    def partials(self, y: Value) -> tuple[Partial, ...]:
        @functools.cache
        def square() -> Value:
            total: Value = ops.add(ops.mul(self.x, self.x), ops.mul(self.y, self.y))
            return total

        return (
            lambda: ops.div(self.y, square()),
            lambda: ops.div(ops.neg(self.x), square()),
        )

    def reference(self, x: Array, y: Array) -> Array:
        if self.x.tensor.dtype.is_complex:
            return computed(_complex_atan2, x, y)
        return computed(np.arctan2, x, y)


def _complex_atan2(x: Array, y: Array) -> Array:
    return np.asarray(-1j * np.log((y + 1j * x) / np.sqrt(x * x + y * y)))


def _inverse_cosine(x: Value) -> Value:
    """1 / cos(asin(x))."""
    inverse: Value = ops.rsqrt(ops.sub(1, ops.mul(x, x)))
    return inverse


class ChloTan(Analytic, name="chlo_tan", mlir="chlo.tan"):
    """Tangent of x in radians as CHLO's operation; `tan` is StableHLO's."""

    singular = True

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (lambda: ops.add(ops.mul(y, y), 1),)

    def reference(self, x: Array) -> Array:
        return computed(lambda v: np.sin(v) / np.cos(v), x)


class Asin(Analytic, name="asin", mlir="chlo.asin"):
    """Arc sine in radians; NaN outside -1..1 for real x."""

    examples = (*Analytic.examples, Example(x=Sample(f32[64], -1, 1)))

    singular = True

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (lambda: _inverse_cosine(self.x),)

    def reference(self, x: Array) -> Array:
        return computed(np.arcsin, x)


class Acos(Analytic, name="acos", mlir="chlo.acos"):
    """Arc cosine in radians; NaN outside -1..1 for real x."""

    examples = (*Analytic.examples, Example(x=Sample(f32[64], -1, 1)))

    singular = True

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (lambda: ops.neg(_inverse_cosine(self.x)),)

    def reference(self, x: Array) -> Array:
        return computed(np.arccos, x)


class Atan(Analytic, name="atan", mlir="chlo.atan"):
    """Arc tangent in radians."""

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (Linear(lambda t: ops.div(t, ops.add(ops.mul(self.x, self.x), 1))),)

    def reference(self, x: Array) -> Array:
        return computed(np.arctan, x)


class Asinh(Analytic, name="asinh", mlir="chlo.asinh"):
    """Inverse hyperbolic sine."""

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (lambda: ops.rsqrt(ops.add(ops.mul(self.x, self.x), 1)),)

    def reference(self, x: Array) -> Array:
        return computed(np.arcsinh, x)


class Acosh(Analytic, name="acosh", mlir="chlo.acosh"):
    """Inverse hyperbolic cosine; NaN below 1 for real x."""

    examples = (*Analytic.examples, Example(x=Sample(f32[64], 1, 9)))

    singular = True

    def partials(self, y: Value) -> tuple[Partial, ...]:
        def slope() -> Value:
            if not self.x.tensor.dtype.is_complex:
                return ops.rsqrt(ops.sub(ops.mul(self.x, self.x), 1))
            # The root of the product would have its cut elsewhere.
            return ops.mul(ops.rsqrt(ops.sub(self.x, 1)), ops.rsqrt(ops.add(self.x, 1)))

        return (slope,)

    def reference(self, x: Array) -> Array:
        return computed(np.arccosh, x)


class Atanh(Analytic, name="atanh", mlir="chlo.atanh"):
    """Inverse hyperbolic tangent; infinite at -1 and 1, NaN outside for real x."""

    examples = (*Analytic.examples, Example(x=Sample(f32[64], -1, 1)))

    singular = True

    def partials(self, y: Value) -> tuple[Partial, ...]:
        def divided(t: Value) -> Value:
            quotient: Value = ops.div(t, ops.mul(ops.sub(1, self.x), ops.add(self.x, 1)))
            return quotient

        return (Linear(divided),)

    def reference(self, x: Array) -> Array:
        return computed(np.arctanh, x)


class Sinh(Analytic, name="sinh", mlir="chlo.sinh"):
    """Hyperbolic sine."""

    singular = True

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (lambda: ops.cosh(self.x),)

    def reference(self, x: Array) -> Array:
        return computed(np.sinh, x)


class Cosh(Analytic, name="cosh", mlir="chlo.cosh"):
    """Hyperbolic cosine."""

    singular = True

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (lambda: ops.sinh(self.x),)

    def reference(self, x: Array) -> Array:
        return computed(np.cosh, x)
