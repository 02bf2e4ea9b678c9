"""Complex numbers and their parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from dxir import ops
from dxir.arithmetic import widened
from dxir.derivatives import Cotangent, unbroadcast
from dxir.dialects.elementwise import (
    Binary,
    masked,
)
from dxir.dialects.unary import FLOATS, Analytic, Unary, real_part
from dxir.errors import DTypeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.types import (
    TensorType,
    c64,
    c128,
    f32,
    f64,
)

Array = np.ndarray[Any, Any]


class Complex(Binary, name="complex", mlir="stablehlo.complex", rounding="exact"):
    """Complex numbers of real parts `x` and imaginary parts `y`."""

    examples = (
        Example(x=f32[2, 3], y=f32[3]),
        Example(x=f64[()], y=f64[()]),
        Example(x=f32[0], y=f32[0]),
    )
    accepts = "float"

    def result_type(self, operands: TensorType) -> TensorType:
        parts = {"f32": "c64", "f64": "c128"}
        if operands.dtype.name not in parts:
            raise DTypeError(
                f"the parts have type {operands}",
                hint="they must be f32 (for c64) or f64 (for c128)",
            )
        return operands.with_dtype(parts[operands.dtype.name])

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        x_type, y_type = self.tensor_types
        return (
            lambda: unbroadcast(masked(g, ops.real), x_type),
            lambda: unbroadcast(masked(g, lambda t: ops.neg(ops.imag(t))), y_type),
        )

    def jvp(self, tangents: Sequence[Value | None], y: Value) -> Value:
        a, b = tangents
        known = b if a is None else a
        assert known is not None
        zero = ops.full_like(known, value=0)
        tangent = ops.complex(zero if a is None else a, zero if b is None else b)
        return self.widened(tangent, y)

    def reference(self, x: Array, y: Array) -> Array:
        x, y = np.broadcast_arrays(x, y)
        out = np.empty(x.shape, np.complex64 if x.dtype == np.float32 else np.complex128)
        out.real, out.imag = x, y
        return out


class Real(Unary, name="real", mlir="stablehlo.real", rounding="exact"):
    """Real part; x itself when it is real."""

    examples = (Example(x=c64[2, 3]), Example(x=c128[()]), Example(x=f32[0, 2]), Example(x=c64[0]))
    accepts = "float complex"

    def result_type(self, operands: TensorType) -> TensorType:
        return real_part(operands)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        if not self.x.tensor.dtype.is_complex:
            return (g,)
        return (lambda: masked(g, lambda t: ops.complex(t, 0)),)

    linear = ("x",)

    def reference(self, x: Array) -> Array:
        return x.real


class Imag(Unary, name="imag", mlir="stablehlo.imag", rounding="exact"):
    """Imaginary part; 0 when x is real."""

    examples = (Example(x=c64[2, 3]), Example(x=c128[()]), Example(x=f32[0, 2]), Example(x=f32[3]))
    accepts = "float complex"

    def result_type(self, operands: TensorType) -> TensorType:
        return real_part(operands)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        if not self.x.tensor.dtype.is_complex:
            return (None,)
        return (lambda: masked(g, lambda t: ops.complex(ops.full_like(t, value=0), ops.neg(t))),)

    linear = ("x",)

    def reference(self, x: Array) -> Array:
        return x.imag if self.x.tensor.dtype.is_complex else np.zeros_like(x)


class Conj(Analytic, name="conj", mlir="chlo.conj", rounding="exact"):
    """Complex conjugate; x itself when it is real."""

    examples = (*FLOATS, Example(x=c64[2, 3]), Example(x=c128[()]), Example(x=c64[0]))

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        return (lambda: masked(g, ops.conj) if self.x.tensor.dtype.is_complex else g,)

    linear = ("x",)

    def reference(self, x: Array) -> Array:
        return np.conjugate(x) if self.x.tensor.dtype.is_complex else x


class AsinAcosKernel(Unary, name="asin_acos_kernel", mlir="chlo._asin_acos_kernel"):
    """What the complex arc sine and arc cosine have in common.

    For z = x + iy it is sqrt((a + |x|)(a - |x|)) + i log(a + sqrt(a^2 - 1)), with a half the sum of
    |z - 1| and |z + 1| (Hull, Fairgrieve and Tang, 1997).
    """

    examples = (Example(x=c64[2, 3], hostile=False), Example(x=c128[4], hostile=False))
    accepts: ClassVar[str] = "complex"

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        def pulled() -> Value:
            a, b = ops.real(g), ops.imag(g)
            x, height = ops.real(self.x), ops.imag(self.x)
            below = ops.sub(ops.mul(b, ops.sign(height)), ops.mul(a, height))
            found: Value = ops.mul(ops.complex(ops.neg(ops.mul(a, x)), below), self._slope())
            return found

        return (pulled,)

    def jvp(self, tangents: Sequence[Value | None], y: Value) -> Value:
        (t,) = tangents
        assert t is not None
        angle = ops.mul(t, self._slope())
        p, q = ops.real(angle), ops.imag(angle)
        x, height = ops.real(self.x), ops.imag(self.x)
        first = ops.sub(ops.mul(height, q), ops.mul(x, p))
        found: Value = ops.complex(first, ops.mul(ops.sign(height), q))
        return found

    def _slope(self) -> Value:
        """The derivative of the arc sine."""
        slope: Value = ops.rsqrt(ops.sub(1, ops.mul(self.x, self.x)))
        return slope

    def reference(self, x: Array) -> Array:
        angle = np.arcsin(widened(x))
        kernel = np.cos(np.real(angle)) * np.cosh(np.imag(angle)) + 1j * np.abs(np.imag(angle))
        return np.asarray(kernel, x.dtype)
