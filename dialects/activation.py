"""Activation functions of one tensor, and the gated unit built from them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent, Zero
from dxir.dialects.elementwise import scaled
from dxir.dialects.nn import batched_linear, linear, linear_type
from dxir.dialects.reduction import narrow, widen
from dxir.examples import Example, Sample
from dxir.graph import Value
from dxir.op import Composite
from dxir.types import TensorType, bf16, f8e5m2, f16, f32, f64, i4, i8, i32, ui8

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]
_FLOATS = (Example(x=f32[2, 3]), Example(x=bf16[0, 4]), Example(x=bf16[7]), Example(x=f32[()]))
_NUMBERS = (*_FLOATS, Example(x=f16[5]), Example(x=i32[4]), Example(x=i8[3, 1]))


class Activation(Composite):
    """Base of the activations: one tensor in, one of the same type out.

    `formula` is the expansion and `moved` the derivative's. With `wide` they are computed in f32
    for narrower floats and rounded once; activations whose ops round at most once, and `silu`,
    need no conversion. Derivatives are finite for finite `x`.
    """

    x: Value

    accepts: ClassVar[str] = "float"
    wide: ClassVar[bool] = True

    def infer(self) -> TensorType:
        checks.kind(self.x, self.accepts)
        checks.has_zero(self.x)
        return self.x.tensor

    def formula(self, x: Value) -> Value:
        """The activation of `x`, in the element type it is computed in."""
        raise NotImplementedError

    def moved(self, t: Value, x: Value, y: Value) -> Value:
        """`t` times the derivative at `x`, where the activation is `y`; in the type of `x`."""
        raise NotImplementedError

    def exact(self, x: Array) -> Array:
        """The activation in f64 (of the integers as they are)."""
        raise NotImplementedError

    def expand(self, x: Value) -> Value:
        if not self.wide:
            return self.formula(x)
        return narrow(self.formula(widen(x)), x.tensor.primitive)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        return (lambda: self._moved(g, y),)

    def jvp(self, tangents: Sequence[Value], y: Value) -> Value:
        return self._moved(tangents[0], y)

    def _moved(self, t: Value, y: Value) -> Value:
        if not self.wide:
            return self.moved(t, self.x, y)
        return narrow(self.moved(widen(t), widen(self.x), y), self.x.tensor.primitive)

    def batch(self, batch: Batch) -> Any:
        return batch.rebuild(batch.operands)

    def reference(self, x: Array) -> Array:
        if not self.x.tensor.primitive.is_float:
            return self.exact(x).astype(x.dtype)
        return np.asarray(self.exact(x.astype(np.float64))).astype(x.dtype)


class Relu(Activation, name="relu", rounding="exact"):
    """`max(x, 0)`; NaN stays NaN. The derivative at 0 is 0."""

    examples = _NUMBERS
    accepts = "int uint float"
    wide = False

    def formula(self, x: Value) -> Value:
        return ops.max(x, ops.full_like(x, value=0))

    def moved(self, t: Value, x: Value, y: Value) -> Value:
        zero = ops.full_like(y, value=0)
        return ops.select(ops.compare(y, zero, direction="GT"), t, zero)

    def exact(self, x: Array) -> Array:
        return np.where(x > 0, x, np.where(x == x, np.zeros_like(x), x))


class Step(Activation, name="step", rounding="exact"):
    """1 where `x > 0`, 0 elsewhere: at 0 and at NaN too."""

    examples = _NUMBERS
    accepts = "int uint float"
    wide = False
    derivative = Zero("it is constant on either side of its step")

    def formula(self, x: Value) -> Value:
        zero = ops.full_like(x, value=0)
        return ops.select(ops.compare(x, zero, direction="GT"), ops.full_like(x, value=1), zero)

    def exact(self, x: Array) -> Array:
        return np.asarray(x > 0).astype(x.dtype)


class Silu(Activation, name="silu", rounding="sums"):
    """`x` times its logistic (swish); NaN at -inf, where the formula is `-inf * 0`."""

    examples = (*_FLOATS, Example(x=Sample(f32[6], -90.0, 90.0)))
    wide = False

    def formula(self, x: Value) -> Value:
        return ops.mul(x, ops.sigmoid(x))

    def moved(self, t: Value, x: Value, y: Value) -> Value:
        share = ops.sigmoid(x)
        return scaled(t, share + y * (1.0 - share))

    def exact(self, x: Array) -> Array:
        return np.where(x == -np.inf, np.nan, x / (1 + np.exp(-x)))


class Gelu(Activation, name="gelu", rounding="sums"):
    """`x` times the normal distribution function at `x`; NaN at -inf.

    `approximate="none"` is `0.5 x erfc(-x / sqrt(2))`, which keeps the negative tail that
    `0.5 x (1 + erf(x / sqrt(2)))` cancels away. `approximate="tanh"` is
    `0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))` (Hendrycks and Gimpel, 2016), another
    function: it differs in the fourth digit.
    """

    approximate: str = "none"

    examples = (
        *_FLOATS,
        Example(x=Sample(f32[6], -7.0, 7.0)),
        Example(x=f16[4]),
        Example(x=f64[3]),
        Example(x=f32[2, 3], approximate="tanh"),
        Example(x=bf16[5], approximate="tanh"),
        Example(x=f16[5], approximate="tanh"),
    )

    def prepare(self) -> None:
        checks.one_of(self.approximate, ("none", "tanh"), "approximate")

    def formula(self, x: Value) -> Value:
        half = x * 0.5
        if self.approximate == "none":
            return half * ops.erfc(-x * math.sqrt(0.5))
        inner = (x + x * x * x * 0.044715) * math.sqrt(2 / math.pi)
        return half * (ops.tanh(inner) + 1.0)

    def moved(self, t: Value, x: Value, y: Value) -> Value:
        if self.approximate == "none":
            root = -x * math.sqrt(0.5)
            density = ops.exp(-(root * root)) * math.sqrt(0.5 / math.pi)
            return scaled(t, ops.erfc(root) * 0.5 + x * density)
        square = x * x
        tanh = ops.tanh((x + square * x * 0.044715) * math.sqrt(2 / math.pi))
        # From here on tanh is 1 in every type; without the limit it would be 0 times infinity.
        slope = ops.min(square, 1e3) * (3 * 0.044715 * math.sqrt(0.5 / math.pi))
        slope = slope + math.sqrt(0.5 / math.pi)
        rest = (1.0 - tanh * tanh) * x * slope
        return scaled(t, (tanh + 1.0) * 0.5 + rest)

    def exact(self, x: Array) -> Array:
        if self.approximate == "none":
            factor = np.vectorize(math.erfc, otypes=[np.float64])(-x / math.sqrt(2))
        else:
            inner = math.sqrt(2 / math.pi) * (x + 0.044715 * np.power(x, 3))
            factor = 1 + np.tanh(inner)
        return np.asarray(0.5 * x * factor)


class Elu(Activation, name="elu", rounding="sums"):
    """`x` where positive, `alpha (exp(x) - 1)` elsewhere; the derivative at 0 is `alpha`."""

    alpha: float = 1.0

    examples = (
        *_FLOATS,
        Example(x=f32[5], alpha=0.5),
        Example(x=f16[5], alpha=2),
        Example(x=f8e5m2[6]),
    )

    def prepare(self) -> None:
        self.update(alpha=checks.number(self.alpha, "alpha"))

    def formula(self, x: Value) -> Value:
        zero = ops.full_like(x, value=0)
        below = ops.expm1(ops.min(x, zero)) * self.alpha
        return ops.select(ops.compare(x, zero, direction="GT"), x, below)

    def moved(self, t: Value, x: Value, y: Value) -> Value:
        zero = ops.full_like(x, value=0)
        below = scaled(t, ops.exp(ops.min(x, zero)))
        if self.alpha != 1:
            below = below * self.alpha
        return ops.select(ops.compare(x, zero, direction="GT"), t, below)

    def exact(self, x: Array) -> Array:
        return np.where(x > 0, x, self.alpha * np.expm1(np.where(x > 0, 0, x)))


class LeakyRelu(Activation, name="leaky_relu", rounding="sums"):
    """`x` where it is 0 or more, `negative_slope x` elsewhere; the derivative at 0 is 1."""

    negative_slope: float = 0.01

    examples = (*_FLOATS, Example(x=f32[5], negative_slope=0.2), Example(x=f16[5]))
    wide = False

    def prepare(self) -> None:
        self.update(negative_slope=checks.number(self.negative_slope, "negative_slope"))

    def formula(self, x: Value) -> Value:
        zero = ops.full_like(x, value=0)
        below = x * self.negative_slope
        return ops.select(ops.compare(x, zero, direction="GE"), x, below)

    def moved(self, t: Value, x: Value, y: Value) -> Value:
        above = ops.compare(x, ops.full_like(x, value=0), direction="GE")
        return ops.select(above, t, t * self.negative_slope)

    def exact(self, x: Array) -> Array:
        return np.where(x >= 0, x, self.negative_slope * x)


class Softplus(Activation, name="softplus", rounding="sums"):
    """`log(1 + exp(x))`, a smooth `max(x, 0)`: `max(x, 0) + log1p(exp(-|x|))`."""

    examples = (*_FLOATS, Example(x=Sample(f32[6], -110.0, 110.0)), Example(x=f16[5]))

    def formula(self, x: Value) -> Value:
        above = ops.max(x, ops.full_like(x, value=0))
        return above + ops.log1p(ops.exp(-ops.abs(x)))

    def moved(self, t: Value, x: Value, y: Value) -> Value:
        return scaled(t, ops.sigmoid(x))

    def exact(self, x: Array) -> Array:
        return np.logaddexp(x, 0.0)


class Softsign(Activation, name="softsign", rounding="sums"):
    """`x / (1 + |x|)`; NaN at the infinities."""

    examples = (*_FLOATS, Example(x=f16[5]), Example(x=f8e5m2[6]))

    def formula(self, x: Value) -> Value:
        return x / (ops.abs(x) + 1.0)

    def moved(self, t: Value, x: Value, y: Value) -> Value:
        share = 1.0 / (ops.abs(x) + 1.0)
        return scaled(scaled(t, share), share)

    def exact(self, x: Array) -> Array:
        return np.asarray(x / (1 + np.abs(x)))


class Relu6(Activation, name="relu6", rounding="exact"):
    """`x` clamped to 0..6; NaN stays NaN. The derivative at 0 and at 6 is 0."""

    examples = (*_NUMBERS, Example(x=ui8[4]), Example(x=i4[5]))
    accepts = "int uint float"
    wide = False

    def infer(self) -> TensorType:
        checks.represents(checks.kind(self.x, self.accepts), 6)
        return super().infer()

    def formula(self, x: Value) -> Value:
        return ops.clamp(0, x, 6)

    def moved(self, t: Value, x: Value, y: Value) -> Value:
        zero = ops.full_like(y, value=0)
        above = ops.compare(y, zero, direction="GT")
        below = ops.compare(y, ops.full_like(y, value=6), direction="LT")
        return ops.select(ops.and_(above, below), t, zero)

    def exact(self, x: Array) -> Array:
        return np.asarray(np.minimum(np.maximum(x, x.dtype.type(0)), x.dtype.type(6)))


def _within(x: Value, limit: float) -> Value:
    """Where `x` is nearer to 0 than `limit`."""
    return ops.compare(ops.abs(x), ops.full_like(x, value=limit), direction="LT")


class HardSigmoid(Activation, name="hard_sigmoid", rounding="sums"):
    """`(x + 3) / 6` clamped to 0..1, a piecewise linear logistic; its slope at -3 and 3 is 0."""

    examples = (*_FLOATS, Example(x=f16[5]), Example(x=Sample(f32[9], -4.0, 4.0)))

    def formula(self, x: Value) -> Value:
        return ops.clamp(0.0, x + 3.0, 6.0) / 6.0

    def moved(self, t: Value, x: Value, y: Value) -> Value:
        return ops.select(_within(x, 3), t / 6.0, ops.full_like(x, value=0))

    def exact(self, x: Array) -> Array:
        return np.clip((x + 3) / 6, 0, 1)


class HardSwish(Activation, name="hard_swish", rounding="sums"):
    """`x` times its hard sigmoid, a piecewise `silu`; NaN at -inf.

    The slope at -3 is 0, and at 3 it is 1.
    """

    examples = (*_FLOATS, Example(x=f16[5]), Example(x=Sample(f32[9], -4.0, 4.0)))

    def formula(self, x: Value) -> Value:
        return x * (ops.clamp(0.0, x + 3.0, 6.0) / 6.0)

    def moved(self, t: Value, x: Value, y: Value) -> Value:
        share = ops.clamp(0.0, x + 3.0, 6.0) / 6.0
        rest = ops.select(_within(x, 3), x / 6.0, ops.full_like(x, value=0))
        return scaled(t, share + rest)

    def exact(self, x: Array) -> Array:
        return x * np.clip((x + 3) / 6, 0, 1)


class Mish(Activation, name="mish", rounding="sums"):
    """`x tanh(softplus(x))` (Misra, 2019); NaN at -inf."""

    examples = (*_FLOATS, Example(x=Sample(f32[6], -100.0, 100.0)), Example(x=f16[5]))

    def formula(self, x: Value) -> Value:
        return x * ops.tanh(ops.softplus(x))

    def moved(self, t: Value, x: Value, y: Value) -> Value:
        share = ops.tanh(ops.softplus(x))
        return scaled(t, share + (1.0 - share * share) * x * ops.sigmoid(x))

    def exact(self, x: Array) -> Array:
        return x * np.tanh(np.logaddexp(x, 0.0))


class Swiglu(Composite, name="swiglu", rounding="sums"):
    """Gated linear unit `silu(x @ w_gate) * (x @ w_up)` (Shazeer, 2020).

    `x` is `[..., d]`, both weights are `[d, f]`, the result is `[..., f]`. Its derivatives are
    those of its parts, so that the products of the forward program serve both ways.
    """

    x: Value
    w_gate: Value
    w_up: Value

    examples = (
        Example(x=f32[2, 3], w_gate=f32[3, 5], w_up=f32[3, 5], hostile=False),
        Example(x=f32[2, 2, 3], w_gate=f32[3, 4], w_up=f32[3, 4], hostile=False),
        Example(x=bf16[4, 3], w_gate=bf16[3, 2], w_up=bf16[3, 2], hostile=False),
        Example(x=f32[3], w_gate=f32[3, 2], w_up=f32[3, 2], hostile=False),
        Example(x=f32[0, 3], w_gate=f32[3, 2], w_up=f32[3, 2]),
    )

    def infer(self) -> TensorType:
        gate = linear_type(self.x, self.w_gate, "w_gate")
        up = linear_type(self.x, self.w_up, "w_up")
        checks.shapes_equal(gate.shape, up.shape, "x @ w_gate", "x @ w_up")
        return gate

    def expand(self, x: Value, w_gate: Value, w_up: Value) -> Value:
        return ops.mul(ops.silu(linear(x, w_gate)), linear(x, w_up))

    def batch(self, batch: Batch) -> Any:
        return batched_linear(self, batch)

    def reference(self, x: Array, w_gate: Array, w_up: Array) -> Array:
        wide = x.astype(np.float64)
        gate, up = wide @ w_gate.astype(np.float64), wide @ w_up.astype(np.float64)
        return np.asarray(gate / (1 + np.exp(-gate)) * up).astype(x.dtype)
