"""Elementwise ops of one operand that are StableHLO operations."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from dxir import checks, ops
from dxir.arithmetic import computed, widened
from dxir.attributes import ResultAccuracy
from dxir.dialects.elementwise import Elementwise
from dxir.errors import AttributeValueError
from dxir.examples import Example, Sample
from dxir.graph import Value
from dxir.op import Derived, attribute
from dxir.types import (
    TensorType,
    bf16,
    c64,
    c128,
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
    ui8,
    ui16,
    ui32,
)

Array = np.ndarray[Any, Any]
FLOATS = (
    Example(x=f32[2, 32]),
    Example(x=bf16[0, 4]),
    Example(x=bf16[64]),
    Example(x=f16[64]),
    Example(x=f64[()]),
)
COMPLEX = (Example(x=c64[2, 3], hostile=False), Example(x=c128[()], hostile=False))
HIGHEST = (Example(x=f32[8], result_accuracy=ResultAccuracy(mode="HIGHEST")),)


class Unary(Elementwise):
    """Base of the elementwise ops of one operand."""

    x: Value


class Numeric(Unary):
    """Base of the unary ops that quantized tensors have too."""

    quantizable: ClassVar[bool] = True


class Accurate(Numeric):
    """Base of the functions whose accuracy may be asked for; None asks for the default."""

    result_accuracy: ResultAccuracy | None = attribute("result_accuracy", default=None)

    accepts: ClassVar[str] = "float complex"

    def prepare(self) -> None:
        given: Any = self.result_accuracy
        if given is None:
            return
        if not isinstance(given, ResultAccuracy):
            raise AttributeValueError(
                f"result_accuracy is {given!r}", hint="give a dxir.attributes.ResultAccuracy"
            )
        checks.one_of(given.mode, ("DEFAULT", "HIGHEST", "TOLERANCE"), "result_accuracy.mode")
        numbers = (given.atol, given.rtol, given.ulps)
        if min(numbers) < 0 or (given.mode != "TOLERANCE" and any(numbers)):
            raise AttributeValueError(
                f"result_accuracy is {given!r}",
                hint="tolerances are at least 0, and 0 unless the mode is TOLERANCE",
            )


class Neg(Numeric, name="neg", mlir="stablehlo.negate"):
    """Negative; integers wrap around, so the negative of the least integer is itself."""

    examples = (*FLOATS, Example(x=i8[64]), Example(x=ui8[8]), Example(x=i4[16]), Example(x=c64[3]))

    def reference(self, x: Array) -> Array:
        return computed(np.negative, x)


class Abs(Numeric, name="abs", mlir="stablehlo.abs"):
    """Absolute value, real for complex numbers; that of the least integer is itself."""

    examples = (*FLOATS, Example(x=i8[64]), Example(x=i32[8]), *COMPLEX)
    accepts = "int float complex"

    def infer(self) -> TensorType:
        checks.not_kind(self.x, "uint", "an unsigned integer is its own absolute value")
        return super().infer()

    def result_type(self, operands: TensorType) -> TensorType:
        return real_part(operands)

    def reference(self, x: Array) -> Array:
        if self.x.tensor.dtype.is_complex:
            return np.abs(widened(x)).astype(x.real.dtype)
        return computed(np.abs, x)


def real_part(type: TensorType) -> TensorType:
    """The type of the real parts."""
    return type.with_dtype(type.primitive.real) if type.dtype.is_complex else type


class Sign(Numeric, name="sign", mlir="stablehlo.sign"):
    """-1, 0 or 1 by sign; NaN stays NaN, zeros keep their sign, complex gives x / |x| (0 for 0)."""

    examples = (*FLOATS, Example(x=i8[64]), Example(x=i32[8]), *COMPLEX)
    accepts = "int float complex"

    def infer(self) -> TensorType:
        checks.not_kind(self.x, "uint", "compare it with 0 instead")
        return super().infer()

    def reference(self, x: Array) -> Array:
        if self.x.tensor.dtype.is_complex:
            return computed(lambda v: np.where(v == 0, 0, v / np.where(v == 0, 1, np.abs(v))), x)
        return computed(lambda v: np.where(v == 0, v, np.sign(v)), x)


class Floor(Numeric, name="floor", mlir="stablehlo.floor"):
    """The greatest whole number that is not above x."""

    examples = FLOATS
    accepts = "float"

    def reference(self, x: Array) -> Array:
        return computed(np.floor, x)


class Ceil(Numeric, name="ceil", mlir="stablehlo.ceil"):
    """The least whole number that is not below x."""

    examples = FLOATS
    accepts = "float"

    def reference(self, x: Array) -> Array:
        return computed(np.ceil, x)


class RoundNearestEven(Numeric, name="round_nearest_even", mlir="stablehlo.round_nearest_even"):
    """The nearest whole number; of two equally near ones the even one."""

    examples = (*FLOATS, Example(x=np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5], np.float32)))
    accepts = "float"

    def reference(self, x: Array) -> Array:
        return computed(np.round, x)


class RoundNearestAwayFromZero(Unary, name="round_nearest_afz", mlir="stablehlo.round_nearest_afz"):
    """The nearest whole number; of two equally near ones the one farther from zero."""

    examples = (
        *FLOATS,
        Example(x=np.array([-2.5, -1.5, -0.5, 0.49999997, 0.5, 1.5, 2.5, 8388609], np.float32)),
    )
    accepts = "float"

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

    def reference(self, x: Array) -> Array:
        if self.mode == "even":
            return computed(np.rint, x)
        return computed(
            lambda v: np.where(v % 1 == 0, v, np.copysign(np.floor(np.abs(v) + 0.5), v)), x
        )


class Exp(Accurate, name="exp", mlir="stablehlo.exponential"):
    """e to the power x."""

    examples = (*FLOATS, *COMPLEX, *HIGHEST)

    def reference(self, x: Array) -> Array:
        return computed(np.exp, x)


class Expm1(Accurate, name="expm1", mlir="stablehlo.exponential_minus_one"):
    """e to the power x, minus 1, accurate near x = 0."""

    examples = (*FLOATS, *COMPLEX, *HIGHEST)

    def reference(self, x: Array) -> Array:
        return computed(np.expm1, x)


class Log(Accurate, name="log", mlir="stablehlo.log"):
    """Natural logarithm: -inf at 0, NaN below."""

    examples = (*FLOATS, *COMPLEX, *HIGHEST)

    def reference(self, x: Array) -> Array:
        return computed(np.log, x)


class Log1p(Accurate, name="log1p", mlir="stablehlo.log_plus_one"):
    """Natural logarithm of 1 + x, accurate near x = 0."""

    examples = (*FLOATS, *COMPLEX, *HIGHEST)

    def reference(self, x: Array) -> Array:
        return computed(np.log1p, x)


class Logistic(Accurate, name="sigmoid", mlir="stablehlo.logistic"):
    """Logistic function 1 / (1 + exp(-x))."""

    examples = (*FLOATS, *COMPLEX, *HIGHEST)

    def reference(self, x: Array) -> Array:
        return computed(lambda v: 1 / (1 + np.exp(-v)), x)


class Sin(Accurate, name="sin", mlir="stablehlo.sine"):
    """Sine of x in radians."""

    examples = (*FLOATS, *COMPLEX, *HIGHEST)

    def reference(self, x: Array) -> Array:
        return computed(np.sin, x)


class Cos(Accurate, name="cos", mlir="stablehlo.cosine"):
    """Cosine of x in radians."""

    examples = (*FLOATS, *COMPLEX, *HIGHEST)

    def reference(self, x: Array) -> Array:
        return computed(np.cos, x)


class Tan(Accurate, name="tan", mlir="stablehlo.tan"):
    """Tangent of x in radians."""

    examples = (*FLOATS, *COMPLEX, *HIGHEST)

    def reference(self, x: Array) -> Array:
        return computed(np.tan, x)


class Tanh(Accurate, name="tanh", mlir="stablehlo.tanh"):
    """Hyperbolic tangent."""

    examples = (*FLOATS, *COMPLEX, *HIGHEST)

    def reference(self, x: Array) -> Array:
        return computed(np.tanh, x)


class Sqrt(Accurate, name="sqrt", mlir="stablehlo.sqrt"):
    """Square root; NaN below 0."""

    examples = (*FLOATS, *COMPLEX, *HIGHEST)

    def reference(self, x: Array) -> Array:
        return computed(np.sqrt, x)


class Rsqrt(Accurate, name="rsqrt", mlir="stablehlo.rsqrt"):
    """Reciprocal of the square root: +inf at 0 and -inf at -0, NaN below."""

    examples = (*FLOATS, *COMPLEX, *HIGHEST)

    def reference(self, x: Array) -> Array:
        return computed(lambda v: 1 / np.sqrt(v), x)


class Cbrt(Accurate, name="cbrt", mlir="stablehlo.cbrt"):
    """Cube root, with the sign of x; the principal one for complex numbers."""

    examples = (*FLOATS, *HIGHEST)

    def reference(self, x: Array) -> Array:
        if self.x.tensor.dtype.is_complex:
            return computed(lambda v: np.where(v == 0, 0, np.power(v, 1 / 3)), x)
        return computed(np.cbrt, x)


class IsFinite(Numeric, name="is_finite", mlir="stablehlo.is_finite"):
    """Whether x is neither NaN nor infinite."""

    examples = (*FLOATS, Example(x=f8e5m2[64]))
    accepts = "float"

    def result_type(self, operands: TensorType) -> TensorType:
        return operands.with_dtype(i1)

    def reference(self, x: Array) -> Array:
        return np.isfinite(widened(x))


class Real(Unary, name="real", mlir="stablehlo.real"):
    """Real part; x itself when it is real."""

    examples = (Example(x=c64[2, 3]), Example(x=c128[()]), Example(x=f32[0, 2]), Example(x=c64[0]))
    accepts = "float complex"

    def result_type(self, operands: TensorType) -> TensorType:
        return real_part(operands)

    def reference(self, x: Array) -> Array:
        return x.real


class Imag(Unary, name="imag", mlir="stablehlo.imag"):
    """Imaginary part; 0 when x is real."""

    examples = (Example(x=c64[2, 3]), Example(x=c128[()]), Example(x=f32[0, 2]), Example(x=f32[3]))
    accepts = "float complex"

    def result_type(self, operands: TensorType) -> TensorType:
        return real_part(operands)

    def reference(self, x: Array) -> Array:
        return x.imag if self.x.tensor.dtype.is_complex else np.zeros_like(x)


class Popcnt(Unary, name="popcnt", mlir="stablehlo.popcnt"):
    """The number of bits that are 1.

    XLA's CPU code counts the sign bit of a negative i4 five times (jaxlib 0.10.2 and 0.12.0.1).
    """

    examples = (
        Example(x=i32[64]),
        Example(x=ui8[64]),
        Example(x=Sample(i4[16], 0, 7), runs=False),
        Example(x=i64[0, 2]),
    )
    accepts = "int uint"

    def reference(self, x: Array) -> Array:
        bits = self.x.tensor.primitive.bits
        count = [bin(int(v) & ((1 << bits) - 1)).count("1") for v in x.reshape(-1)]
        return np.array(count, np.int64).reshape(x.shape).astype(x.dtype)


class CountLeadingZeros(Unary, name="clz", mlir="stablehlo.count_leading_zeros"):
    """The number of 0 bits above the highest 1; the width for 0."""

    examples = (Example(x=i32[64]), Example(x=ui16[64]), Example(x=i16[64]), Example(x=ui32[()]))
    accepts = "int uint"

    def reference(self, x: Array) -> Array:
        bits = self.x.tensor.primitive.bits
        count = [bits - (int(v) & ((1 << bits) - 1)).bit_length() for v in x.reshape(-1)]
        return np.array(count, np.int64).reshape(x.shape).astype(x.dtype)
