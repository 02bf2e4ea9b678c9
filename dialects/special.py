"""Special functions that are CHLO operations."""

from __future__ import annotations

import importlib
from typing import Any, ClassVar

import numpy as np

from dxir.arithmetic import computed, widened
from dxir.dialects.elementwise import Binary
from dxir.dialects.unary import Unary
from dxir.examples import Example, Sample
from dxir.types import (
    DType,
    TensorType,
    bf16,
    c64,
    c128,
    f16,
    f32,
    f64,
    i1,
    i8,
    i32,
    i64,
    ui8,
    ui32,
    ui64,
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


class Erf(Unary, name="erf", mlir="chlo.erf"):
    """Error function, 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x."""

    examples = FLOATS
    accepts: ClassVar[str] = "float"

    def reference(self, x: Array) -> Array:
        return computed(_scipy().erf, x)


class Erfc(Unary, name="erfc", mlir="chlo.erfc"):
    """1 - erf(x), accurate for large x."""

    examples = FLOATS
    accepts: ClassVar[str] = "float"

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

    def reference(self, x: Array) -> Array:
        return computed(_scipy().erfinv, x)


class Lgamma(Unary, name="lgamma", mlir="chlo.lgamma"):
    """Logarithm of the absolute value of the gamma function; +inf at 0, -1, -2, ... and -inf."""

    examples = (*FLOATS, Example(x=np.array([-3, -2.5, -1, 0, 1, 2, 171.5], np.float32)))
    accepts: ClassVar[str] = "float"
    tolerance: ClassVar[float] = 64  # the Lanczos sum loses digits near zeros and poles

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

    def reference(self, x: Array) -> Array:
        return computed(_scipy().digamma, x)


class BesselI1e(Unary, name="bessel_i1e", mlir="chlo.bessel_i1e"):
    """Modified Bessel function of the first kind of order 1, times exp(-|x|)."""

    examples = FLOATS
    accepts: ClassVar[str] = "float"

    def reference(self, x: Array) -> Array:
        return computed(_scipy().i1e, x)


class Analytic(Unary):
    """Base of the functions that take floats and complex numbers."""

    examples: ClassVar[tuple[Example, ...]] = (*FLOATS, *COMPLEX)
    accepts: ClassVar[str] = "float complex"


class ChloTan(Analytic, name="chlo_tan", mlir="chlo.tan"):
    """Tangent of x in radians as CHLO's operation; `tan` is StableHLO's."""

    def reference(self, x: Array) -> Array:
        return computed(lambda v: np.sin(v) / np.cos(v), x)


class Asin(Analytic, name="asin", mlir="chlo.asin"):
    """Arc sine in radians; NaN outside -1..1 for real x."""

    examples = (*Analytic.examples, Example(x=Sample(f32[64], -1, 1)))

    def reference(self, x: Array) -> Array:
        return computed(np.arcsin, x)


class Acos(Analytic, name="acos", mlir="chlo.acos"):
    """Arc cosine in radians; NaN outside -1..1 for real x."""

    examples = (*Analytic.examples, Example(x=Sample(f32[64], -1, 1)))

    def reference(self, x: Array) -> Array:
        return computed(np.arccos, x)


class Atan(Analytic, name="atan", mlir="chlo.atan"):
    """Arc tangent in radians."""

    def reference(self, x: Array) -> Array:
        return computed(np.arctan, x)


class Asinh(Analytic, name="asinh", mlir="chlo.asinh"):
    """Inverse hyperbolic sine."""

    def reference(self, x: Array) -> Array:
        return computed(np.arcsinh, x)


class Acosh(Analytic, name="acosh", mlir="chlo.acosh"):
    """Inverse hyperbolic cosine; NaN below 1 for real x."""

    examples = (*Analytic.examples, Example(x=Sample(f32[64], 1, 9)))

    def reference(self, x: Array) -> Array:
        return computed(np.arccosh, x)


class Atanh(Analytic, name="atanh", mlir="chlo.atanh"):
    """Inverse hyperbolic tangent; infinite at -1 and 1, NaN outside for real x."""

    examples = (*Analytic.examples, Example(x=Sample(f32[64], -1, 1)))

    def reference(self, x: Array) -> Array:
        return computed(np.arctanh, x)


class Sinh(Analytic, name="sinh", mlir="chlo.sinh"):
    """Hyperbolic sine."""

    def reference(self, x: Array) -> Array:
        return computed(np.sinh, x)


class Cosh(Analytic, name="cosh", mlir="chlo.cosh"):
    """Hyperbolic cosine."""

    def reference(self, x: Array) -> Array:
        return computed(np.cosh, x)


class Square(Analytic, name="square", mlir="chlo.square"):
    """x times x."""

    def reference(self, x: Array) -> Array:
        return computed(np.square, x)


class Conj(Analytic, name="conj", mlir="chlo.conj"):
    """Complex conjugate; x itself when it is real."""

    examples = (*FLOATS, Example(x=c64[2, 3]), Example(x=c128[()]), Example(x=c64[0]))

    def reference(self, x: Array) -> Array:
        return np.conjugate(x) if self.x.tensor.dtype.is_complex else x


class AsinAcosKernel(Unary, name="asin_acos_kernel", mlir="chlo._asin_acos_kernel"):
    """What the complex arc sine and arc cosine have in common.

    For z = x + iy it is sqrt((a + |x|)(a - |x|)) + i log(a + sqrt(a^2 - 1)), with a half the sum of
    |z - 1| and |z + 1| (Hull, Fairgrieve and Tang, 1997).
    """

    examples = (Example(x=c64[2, 3], hostile=False), Example(x=c128[4], hostile=False))
    accepts: ClassVar[str] = "complex"

    def reference(self, x: Array) -> Array:
        angle = np.arcsin(widened(x))
        kernel = np.cos(np.real(angle)) * np.cosh(np.imag(angle)) + 1j * np.abs(np.imag(angle))
        return np.asarray(kernel, x.dtype)


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

    The operation is meant for y > 0; at poles and infinities backends differ.
    """

    examples = (
        Example(x=np.arange(5, dtype=np.float32), y=Sample(f32[5], 0.5, 20), hostile=False),
        Example(x=np.float32(1), y=Sample(f32[2, 3], 0.5, 20), hostile=False),
        Example(x=np.array([0, 1, 2], np.float64), y=Sample(f64[3], 0.5, 20), hostile=False),
        Example(x=np.array([-1, 0.5, np.nan], np.float32), y=f32[3]),
        Example(x=bf16[0], y=bf16[0]),
    )
    accepts: ClassVar[str] = "float"

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

    def reference(self, x: Array, y: Array) -> Array:
        return computed(lambda s, q: np.where(np.isnan(s), np.nan, _scipy().zeta(s, q)), x, y)


class NextAfter(Binary, name="next_after", mlir="chlo.next_after"):
    """The number of the same type next to `x` in the direction of `y`; `y` when they are equal."""

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

    def reference(self, x: Array, y: Array) -> Array:
        return np.nextafter(x, y)


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
