"""Elementwise ops of one operand that are StableHLO operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from dxir import checks, ops
from dxir.arithmetic import computed, widened
from dxir.attributes import ResultAccuracy
from dxir.derivatives import Cotangent
from dxir.dialects.elementwise import (
    Elementwise,
    Linear,
    Partial,
    masked,
    scaled,
)
from dxir.errors import AttributeValueError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import attribute
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
    i32,
    ui8,
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


class Analytic(Unary):
    """Base of CHLO's functions of floats and complex numbers."""

    examples: ClassVar[tuple[Example, ...]] = (*FLOATS, *COMPLEX)
    accepts: ClassVar[str] = "float complex"


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


class Neg(Numeric, name="neg", mlir="stablehlo.negate", rounding="exact"):
    """Negative; integers wrap around, so the negative of the least integer is itself."""

    examples = (*FLOATS, Example(x=i8[64]), Example(x=ui8[8]), Example(x=i4[16]), Example(x=c64[3]))

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (Linear(ops.neg),)

    def reference(self, x: Array) -> Array:
        return computed(np.negative, x)


class Abs(Numeric, name="abs", mlir="stablehlo.abs", rounding="exact"):
    """Absolute value, real for complex numbers; that of the least integer is itself.

    The derivative at 0 is taken to be 0.
    """

    examples = (*FLOATS, Example(x=i8[64]), Example(x=i32[8]), *COMPLEX)
    accepts = "int float complex"

    def infer(self) -> TensorType:
        checks.not_kind(self.x, "uint", "an unsigned integer is its own absolute value")
        return super().infer()

    def result_type(self, operands: TensorType) -> TensorType:
        return real_part(operands)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        if self.x.tensor.dtype.is_complex:
            return (lambda: masked(g, lambda t: ops.mul(ops.complex(t, 0), self._slope())),)
        return (lambda: scaled(g, ops.sign(self.x)),)

    def jvp(self, tangents: Sequence[Value | None], y: Value) -> Value:
        (t,) = tangents
        assert t is not None
        if self.x.tensor.dtype.is_complex:
            return masked(t, lambda inner: ops.real(ops.mul(inner, self._slope())))
        return scaled(t, ops.sign(self.x))

    def _slope(self) -> Value:
        slope: Value = ops.conj(ops.sign(self.x))
        return slope

    def reference(self, x: Array) -> Array:
        if self.x.tensor.dtype.is_complex:
            return np.abs(widened(x)).astype(x.real.dtype)
        return computed(np.abs, x)


def real_part(type: TensorType) -> TensorType:
    """The type of the real parts."""
    return type.with_dtype(type.primitive.real) if type.dtype.is_complex else type


class Sign(Numeric, name="sign", mlir="stablehlo.sign", rounding="exact"):
    """-1, 0 or 1 by sign; NaN stays NaN, zeros keep their sign, complex gives x / |x| (0 for 0).

    Real signs have the derivative 0, complex ones their own, which is not 0.
    """

    examples = (*FLOATS, Example(x=i8[64]), Example(x=i32[8]), *COMPLEX)
    accepts = "int float complex"

    def infer(self) -> TensorType:
        checks.not_kind(self.x, "uint", "compare it with 0 instead")
        return super().infer()

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        if not self.x.tensor.dtype.is_complex:
            return (None,)

        def turned() -> Value:
            around = ops.div(ops.imag(ops.mul(g, y)), self._radius())
            pulled: Value = ops.mul(
                ops.complex(ops.full_like(around, value=0), around), ops.conj(y)
            )
            return pulled

        return (turned,)

    def jvp(self, tangents: Sequence[Value | None], y: Value) -> Value | None:
        (t,) = tangents
        if not self.x.tensor.dtype.is_complex:
            return None
        assert t is not None
        around = ops.div(ops.imag(ops.mul(t, ops.conj(y))), self._radius())
        pushed: Value = ops.mul(ops.complex(ops.full_like(around, value=0), around), y)
        return pushed

    def _radius(self) -> Value:
        """|x|, or 1 where that is 0."""
        size = ops.abs(self.x)
        radius: Value = ops.select(ops.compare(size, 0, direction="EQ"), 1, size)
        return radius

    def reference(self, x: Array) -> Array:
        if self.x.tensor.dtype.is_complex:
            return computed(lambda v: np.where(v == 0, 0, v / np.where(v == 0, 1, np.abs(v))), x)
        return computed(lambda v: np.where(v == 0, v, np.sign(v)), x)


class Exp(Accurate, name="exp", mlir="stablehlo.exponential"):
    """e to the power x."""

    examples = (*FLOATS, *COMPLEX, *HIGHEST)

    singular = True

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (lambda: y,)

    def reference(self, x: Array) -> Array:
        return computed(np.exp, x)


class Expm1(Accurate, name="expm1", mlir="stablehlo.exponential_minus_one"):
    """e to the power x, minus 1, accurate near x = 0."""

    examples = (*FLOATS, *COMPLEX, *HIGHEST)

    singular = True

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (lambda: ops.add(y, 1),)

    def reference(self, x: Array) -> Array:
        return computed(np.expm1, x)


class Log(Accurate, name="log", mlir="stablehlo.log"):
    """Natural logarithm: -inf at 0, NaN below."""

    examples = (*FLOATS, *COMPLEX, *HIGHEST)

    singular = True

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (Linear.over(self.x),)

    def reference(self, x: Array) -> Array:
        return computed(np.log, x)


class Log1p(Accurate, name="log1p", mlir="stablehlo.log_plus_one"):
    """Natural logarithm of 1 + x, accurate near x = 0."""

    examples = (*FLOATS, *COMPLEX, *HIGHEST)

    singular = True

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (Linear(lambda t: ops.div(t, ops.add(self.x, 1))),)

    def reference(self, x: Array) -> Array:
        return computed(np.log1p, x)


class Logistic(Accurate, name="sigmoid", mlir="stablehlo.logistic"):
    """Logistic function 1 / (1 + exp(-x))."""

    examples = (*FLOATS, *COMPLEX, *HIGHEST)

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (lambda: ops.mul(y, ops.sub(1, y)),)

    def reference(self, x: Array) -> Array:
        return computed(lambda v: 1 / (1 + np.exp(-v)), x)


class Sqrt(Accurate, name="sqrt", mlir="stablehlo.sqrt", rounding="once"):
    """Square root; NaN below 0."""

    examples = (*FLOATS, *COMPLEX, *HIGHEST)

    singular = True

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (Linear(lambda t: ops.div(ops.mul(t, 0.5), y)),)

    def reference(self, x: Array) -> Array:
        return computed(np.sqrt, x)


class Rsqrt(Accurate, name="rsqrt", mlir="stablehlo.rsqrt"):
    """Reciprocal of the square root: +inf at 0 and -inf at -0, NaN below."""

    examples = (*FLOATS, *COMPLEX, *HIGHEST)

    singular = True

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (lambda: ops.mul(ops.div(y, self.x), -0.5),)

    def reference(self, x: Array) -> Array:
        return computed(lambda v: 1 / np.sqrt(v), x)


class Cbrt(Accurate, name="cbrt", mlir="stablehlo.cbrt"):
    """Cube root, with the sign of x; the principal one for complex numbers."""

    examples = (*FLOATS, *HIGHEST)

    singular = True

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (Linear(lambda t: ops.div(t, ops.mul(ops.mul(y, y), 3))),)

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
