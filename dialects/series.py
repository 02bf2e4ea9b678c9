"""Special functions that no target has as an operation: sums of a series."""

from __future__ import annotations

import functools
import importlib
import math
from typing import Any, ClassVar

import numpy as np

from dxir import ops
from dxir.arithmetic import computed, finfo
from dxir.dialects.elementwise import Broadcasting, Partial
from dxir.examples import Example, Sample
from dxir.graph import Value
from dxir.op import Derived
from dxir.types import DType, bf16, f16, f32, f64

Array = np.ndarray[Any, Any]


class Series(Broadcasting, Derived):
    """Base of functions of floats that are computed in f32 or f64, and rounded once."""

    accepts: ClassVar[str] = "float"

    def expand(self, *operands: Value) -> Value:
        dtype = self.operands[0].tensor.primitive
        wide = dtype.accumulator
        operands = self.stretched(*operands)
        if wide is dtype:
            return self.summed(*operands)
        result: Value = self.summed(*[ops.convert(v, dtype=wide) for v in operands])
        return ops.convert(result, dtype=dtype)

    def summed(self, *operands: Value) -> Value:
        """The result on operands of one shape, which are f32 or f64."""
        raise NotImplementedError


class BesselI0e(Series, name="bessel_i0e"):
    """Modified Bessel function of the first kind of order 0, times exp(-|x|)."""

    x: Value

    examples = (
        Example(x=f32[2, 32]),
        Example(x=Sample(f32[64], -30, 30)),
        Example(x=bf16[0, 4]),
        Example(x=f16[64]),
        Example(x=Sample(f64[64], -30, 30)),
    )

    def summed(self, *operands: Value) -> Value:
        (x,) = operands
        size = ops.abs(x)
        near, far = (c.tolist() for c in _bessel_coefficients(x.tensor.primitive))
        below = ops.sub(ops.mul(size, 2 / _BORDER), 1)
        inner = _chebyshev(below, near)
        above = ops.sub(ops.div(2 * _BORDER, size), 1)
        outer = ops.mul(_chebyshev(above, far), ops.rsqrt(size))
        border = ops.full_like(size, value=_BORDER)
        result: Value = ops.select(ops.compare(size, border, direction="LE"), inner, outer)
        return result

    def partials(self, y: Value) -> tuple[Partial, ...]:
        return (lambda: ops.sub(ops.bessel_i1e(self.x), ops.mul(ops.sign(self.x), y)),)

    def reference(self, x: Array) -> Array:
        return computed(importlib.import_module("scipy.special").i0e, x)


_BORDER = 8.0


@functools.cache
def _bessel_coefficients(dtype: DType) -> tuple[Array, Array]:
    """Of `i0e` in x up to the border, and of `sqrt(x) i0e` in 1 / x beyond it."""
    fit: Any = np.polynomial.chebyshev.chebinterpolate
    near = fit(lambda t: _i0e((t + 1) * (_BORDER / 2)), 40)
    far = fit(lambda t: np.sqrt(2 * _BORDER / (t + 1)) * _i0e(2 * _BORDER / (t + 1)), 40)
    least = float(finfo(dtype).eps) / 64
    return _until(near, least), _until(far, least)


def _until(coefficients: Array, least: float) -> Array:
    """The coefficients up to the last one that matters."""
    return coefficients[: int(np.flatnonzero(np.abs(coefficients) > least)[-1]) + 1]


def _i0e(x: Array) -> Array:
    """In f64: NumPy's own, and its asymptotic series where exp(x) is too large."""
    small = np.minimum(x, 60.0)
    inverse = 1 / np.maximum(x, 60.0)
    total = term = np.ones_like(x)
    for k in range(1, 24):
        term = term * inverse * ((2 * k - 1) ** 2 / (8 * k))
        total = total + term
    far = total * np.sqrt(inverse / (2 * np.pi))
    return np.where(x <= 60, np.i0(small) * np.exp(-small), far)


def _chebyshev(t: Value, coefficients: list[float]) -> Value:
    """The sum of Chebyshev polynomials of `t`, by Clenshaw's recurrence."""
    twice = ops.mul(t, 2)
    last = ops.full_like(t, value=coefficients[-1])
    before = ops.full_like(t, value=0)
    for c in coefficients[-2:0:-1]:
        last, before = ops.add(ops.sub(ops.mul(twice, last), before), c), last
    result: Value = ops.add(ops.sub(ops.mul(t, last), before), coefficients[0])
    return result


class ZetaSlope(Series, name="zeta_slope"):
    """Derivative of `zeta` by `x`: the sum of -log(y + k) (y + k)^-x over k = 0, 1, 2, ...

    Meant for x > 1 and y > 0, by the formula of Euler and Maclaurin.
    """

    x: Value
    y: Value

    examples = (
        Example(x=Sample(f32[16], 1.25, 10), y=Sample(f32[16], 0.5, 10), hostile=False),
        Example(x=Sample(f64[2, 3], 1.25, 10), y=Sample(f64[3], 0.5, 10), hostile=False),
        Example(x=bf16[0], y=bf16[0]),
    )
    tolerance: ClassVar[float] = 512  # powers of y round in proportion to x log(y)

    def summed(self, *operands: Value) -> Value:
        x, y = operands
        negative = ops.neg(x)
        parts: list[Value] = []
        for k in range(_DIRECT):
            log = ops.log(ops.add(y, k) if k else y)
            parts.append(ops.mul(log, ops.exp(ops.mul(negative, log))))
        tail = ops.add(y, _DIRECT)
        log = ops.log(tail)
        power = ops.exp(ops.mul(negative, log))
        # The derivatives of tail^(1 - x) / (x - 1), of tail^-x / 2 and of the corrections.
        over = ops.div(1, ops.sub(x, 1))
        whole = ops.mul(ops.mul(ops.mul(tail, power), over), ops.add(log, over))
        total: Value = ops.add(whole, ops.mul(ops.mul(log, power), 0.5))
        for part in parts:
            total = ops.add(total, part)
        rising, slope, scale = x, ops.full_like(x, value=1), ops.div(power, tail)
        for j, weight in enumerate(_WEIGHTS, 1):
            term = ops.mul(ops.sub(slope, ops.mul(rising, log)), scale)
            total = ops.sub(total, ops.mul(term, weight))
            if j == len(_WEIGHTS):
                break
            for step in (2 * j - 1, 2 * j):
                factor = ops.add(x, step)
                slope = ops.add(ops.mul(slope, factor), rising)
                rising = ops.mul(rising, factor)
            scale = ops.div(scale, ops.mul(tail, tail))
        return ops.neg(total)

    def reference(self, x: Array, y: Array) -> Array:
        return computed(_zeta_slope, x, y)


_DIRECT = 10
# Bernoulli numbers over factorials: B_2 / 2!, B_4 / 4!, ...
_WEIGHTS = tuple(
    b / math.factorial(2 * j)
    for j, b in enumerate((1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6), 1)
)


def _zeta_slope(x: Array, y: Array) -> Array:
    """With more terms summed and fewer corrections than `expand`."""
    terms = y + np.arange(64.0).reshape(-1, *[1] * np.broadcast(x, y).ndim)
    direct = np.sum(np.log(terms) * terms**-x, axis=0)
    tail = y + 64.0
    log, power = np.log(tail), tail**-x
    whole = tail * power / (x - 1) * (log + 1 / (x - 1)) + log * power / 2
    first = (x * log - 1) * power / tail / 12
    rising, slope = x * (x + 1) * (x + 2), 3 * x * x + 6 * x + 2
    second = (rising * log - slope) * power / tail**3 / -720
    return np.asarray(-(direct + whole + first + second))
