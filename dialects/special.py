"""Special functions that are CHLO operations."""

from __future__ import annotations

import importlib
import math
from typing import Any, ClassVar

import numpy as np

from dxir import ops
from dxir.arithmetic import computed, finfo, widened
from dxir.dialects.elementwise import (
    Binary,
    Partial,
)
from dxir.dialects.unary import Analytic, Unary
from dxir.examples import Example, Sample
from dxir.graph import Value
from dxir.types import (
    TensorType,
    bf16,
    c64,
    c128,
    f16,
    f32,
    f64,
    i1,
)

Array = np.ndarray[Any, Any]
FLOATS = (
    Example(x=f32[2, 32]),
    Example(x=bf16[0, 4]),
    Example(x=bf16[64]),
    Example(x=f16[64]),
    Example(x=f64[64]),
    Example(x=f32[()]),
)
COMPLEX = (Example(x=c64[2, 3], hostile=False), Example(x=c128[()], hostile=False))


def _scipy() -> Any:
    """SciPy's special functions, imported on first use: they take 0.1 s to load."""
    return importlib.import_module("scipy.special")


def _bell(x: Value, scale: float) -> Value:
    """`scale * exp(-x^2)`."""
    bell: Value = ops.mul(ops.exp(ops.neg(ops.mul(x, x))), scale)
    return bell


class Erf(Unary, name="erf", mlir="chlo.erf"):
    """Error function, 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x."""

    examples = FLOATS
    accepts: ClassVar[str] = "float"

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (lambda: _bell(self.x, 2 / math.sqrt(math.pi)),)

    def reference(self, x: Array) -> Array:
        return computed(_scipy().erf, x)


class Erfc(Unary, name="erfc", mlir="chlo.erfc"):
    """1 - erf(x), accurate for large x."""

    examples = FLOATS
    accepts: ClassVar[str] = "float"

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (lambda: _bell(self.x, -2 / math.sqrt(math.pi)),)

    def reference(self, x: Array) -> Array:
        return computed(_scipy().erfc, x)


class ErfInv(Unary, name="erf_inv", mlir="chlo.erf_inv"):
    """Inverse of the error function: infinite at -1 and 1, NaN outside."""

    examples = (
        *FLOATS,
        Example(x=Sample(f32[64], -1, 1)),
        Example(x=np.array([-1, -0.999, 0, 0.5, 1, 1.5], np.float32)),
    )
    accepts: ClassVar[str] = "float"

    singular = True

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (lambda: ops.mul(ops.exp(ops.mul(y, y)), math.sqrt(math.pi) / 2),)

    def reference(self, x: Array) -> Array:
        return computed(_scipy().erfinv, x)


class Lgamma(Unary, name="lgamma", mlir="chlo.lgamma"):
    """Logarithm of the absolute value of the gamma function; +inf at 0, -1, -2, ... and -inf."""

    examples = (*FLOATS, Example(x=np.array([-3, -2.5, -1, 0, 1, 2, 171.5], np.float32)))
    accepts: ClassVar[str] = "float"
    tolerance: ClassVar[float] = 64  # the Lanczos sum loses digits near zeros and poles

    singular = True

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (lambda: ops.digamma(self.x),)

    def reference(self, x: Array) -> Array:
        # SciPy has -inf at -inf, against C, and against its own values at all large integers.
        return computed(lambda a: np.where(np.isneginf(a), np.inf, _scipy().gammaln(a)), x)


class Digamma(Unary, name="digamma", mlir="chlo.digamma"):
    """Derivative of `lgamma`; NaN at -1, -2, ...; at 0 it is NaN or infinite."""

    examples = (
        *(Example(x=t[64], hostile=False) for t in (f32, bf16, f16, f64)),
        Example(x=bf16[0, 4]),
        Example(x=f32[()], hostile=False),
        Example(x=np.array([-2.5, -1.25, 0.5, 1, 171.5, -1, -3, np.inf, np.nan], np.float32)),
    )
    accepts: ClassVar[str] = "float"
    tolerance: ClassVar[float] = 256  # the Lanczos sum loses digits near zeros and poles

    singular = True

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (lambda: ops.polygamma(1, self.x),)

    def reference(self, x: Array) -> Array:
        return computed(_scipy().digamma, x)


class BesselI1e(Unary, name="bessel_i1e", mlir="chlo.bessel_i1e"):
    """Modified Bessel function of the first kind of order 1, times exp(-|x|)."""

    examples = FLOATS
    accepts: ClassVar[str] = "float"

    def partials(self, y: Value) -> tuple[Partial, ...]:
        def slope() -> Value:
            """i0e(x) - y (sign(x) + 1 / x), and 1/2 where 1 / x is too large."""
            x = self.x
            least = ops.full_like(x, value=float(finfo(x.tensor.primitive).eps))
            tiny = ops.compare(ops.abs(x), least, direction="LE")
            safe = ops.select(tiny, least, x)
            inner = ops.add(ops.sign(safe), ops.div(1, safe))
            found: Value = ops.select(tiny, 0.5, ops.sub(ops.bessel_i0e(safe), ops.mul(y, inner)))
            return found

        return (slope,)

    def reference(self, x: Array) -> Array:
        return computed(_scipy().i1e, x)


class Square(Analytic, name="square", mlir="chlo.square", rounding="once"):
    """x times x."""

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (lambda: ops.mul(self.x, 2),)

    def reference(self, x: Array) -> Array:
        return computed(np.square, x)


class Classification(Unary):
    """Base of the tests for infinities."""

    examples = (*FLOATS, Example(x=np.array([np.inf, -np.inf, np.nan, 3e38, -0.0], np.float32)))
    accepts: ClassVar[str] = "float"

    def result_type(self, operands: TensorType) -> TensorType:
        return operands.with_dtype(i1)


class IsInf(Classification, name="is_inf", mlir="chlo.is_inf"):
    """Whether x is infinite, of either sign."""

    def reference(self, x: Array) -> Array:
        return np.isinf(widened(x))


class IsPosInf(Classification, name="is_pos_inf", mlir="chlo.is_pos_inf"):
    """Whether x is plus infinity."""

    def reference(self, x: Array) -> Array:
        return np.isposinf(widened(x))


class IsNegInf(Classification, name="is_neg_inf", mlir="chlo.is_neg_inf"):
    """Whether x is minus infinity."""

    def reference(self, x: Array) -> Array:
        return np.isneginf(widened(x))


class Polygamma(Binary, name="polygamma", mlir="chlo.polygamma"):
    """The derivative of order `n` of digamma at `y`; NaN unless n is a whole number of at least 0.

    The operation is meant for y > 0; at poles and infinities backends differ. As a whole number n
    has no derivative: it is taken to be 0.
    """

    examples = (
        Example(x=np.arange(5, dtype=np.float32), y=Sample(f32[5], 0.5, 20), hostile=False),
        Example(x=np.float32(1), y=Sample(f32[2, 3], 0.5, 20), hostile=False),
        Example(x=np.array([0, 1, 2], np.float64), y=Sample(f64[3], 0.5, 20), hostile=False),
        Example(x=np.array([-1, 0.5, np.nan], np.float32), y=f32[3]),
        Example(x=bf16[0], y=bf16[0]),
    )
    accepts: ClassVar[str] = "float"

    singular = True

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (None, lambda: ops.polygamma(ops.add(self.x, 1), self.y))

    def reference(self, x: Array, y: Array) -> Array:
        def derivative(n: Array, at: Array) -> Array:
            whole = (n >= 0) & (n == np.floor(n))
            return np.where(whole, _scipy().polygamma(np.where(whole, n, 0), at), np.nan)

        return computed(derivative, x, y)


class Zeta(Binary, name="zeta", mlir="chlo.zeta"):
    """Hurwitz zeta function: the sum of (y + k)^-x over k = 0, 1, 2, ...; NaN for x < 1.

    The operation is meant for x >= 1 and y > 0; at poles and infinities backends differ.
    """

    examples = (
        Example(x=Sample(f32[16], 1.1, 10), y=Sample(f32[16], 0.5, 10), hostile=False),
        Example(x=Sample(f64[2, 3], 1.1, 10), y=Sample(f64[3], 0.5, 10), hostile=False),
        Example(x=np.array([1, 0.5, np.nan], np.float32), y=np.float32(2)),
        Example(x=bf16[0], y=bf16[0]),
    )
    accepts: ClassVar[str] = "float"

    singular = True

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (
            lambda: ops.zeta_slope(self.x, self.y),
            lambda: ops.neg(ops.mul(self.x, ops.zeta(ops.add(self.x, 1), self.y))),
        )

    def reference(self, x: Array, y: Array) -> Array:
        return computed(lambda s, q: np.where(np.isnan(s), np.nan, _scipy().zeta(s, q)), x, y)
