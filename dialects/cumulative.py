"""Running reductions along an axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from dxir import ops
from dxir.derivatives import Cotangent
from dxir.dialects.folding import widened
from dxir.dialects.recurrences import moved
from dxir.dialects.reduction import highest, lowest
from dxir.dialects.running import Chained, Cumulative, Running
from dxir.examples import Example, Sample
from dxir.graph import Value
from dxir.types import bf16, c64, f16, f32, i8, i32, ui8

Array = np.ndarray[Any, Any]


class Cumsum(Cumulative, name="cumsum", rounding="sums"):
    """Running sum along an axis; narrow floats accumulate in f32 and round once.

    Each place gets the sum of all up to it; `reverse` runs from the end, `exclusive` leaves the
    place itself out.
    """

    examples = (
        Example(x=f32[7], axis=0, hostile=False),
        Example(x=f32[3, 5], axis=-1, reverse=True, hostile=False),
        Example(x=i8[4, 3], axis=0, exclusive=True),
        Example(x=i32[6], axis=0, reverse=True, exclusive=True),
        Example(x=bf16[9], axis=0, hostile=False),
        Example(x=i32[2, 33, 2], axis=1),
        Example(x=i32[300], axis=0, reverse=True, exclusive=True),
        Example(x=c64[4], axis=0, hostile=False),
        Example(x=f32[2, 0], axis=1, exclusive=True),
        Example(x=f32[1], axis=0),
    )
    accepts = "int uint float complex"

    def identity(self, x: Value) -> Any:
        return 0

    def combine(self, a: Value, b: Value) -> Value:
        return ops.add(a, b)

    linear = ("x",)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        return (
            lambda: ops.cumsum(
                g, axis=self.axis, reverse=not self.reverse, exclusive=self.exclusive
            ),
        )

    def accumulate(self, x: Array) -> Array:
        return np.cumsum(x, self.axis, dtype=x.dtype)


class Cumprod(Chained, name="cumprod", rounding="sums"):
    """Running product along an axis; narrow floats accumulate in f32 and round once.

    Each place gets the product of all up to it; `reverse` runs from the end, `exclusive` leaves
    the place itself out.
    """

    examples = (
        Example(x=f32[7], axis=0, hostile=False),
        Example(x=f32[3, 5], axis=1, reverse=True, exclusive=True, hostile=False),
        Example(x=i32[4, 3], axis=0),
        Example(x=f16[5], axis=0, hostile=False),
        Example(x=c64[4], axis=0, hostile=False),
        Example(x=f32[0], axis=0),
    )
    accepts = "int uint float complex"

    def identity(self, x: Value) -> Any:
        return 1

    def combine(self, a: Value, b: Value) -> Value:
        return ops.mul(a, b)

    def beyond(self, x: Value) -> Any:
        return 0

    def carry(self, x: Value, y: Value) -> Value:
        return x

    def own(self, x: Value, y: Value) -> Value:
        return moved(y, self.axis, self._step, 1)

    def accumulate(self, x: Array) -> Array:
        return np.cumprod(x, self.axis, dtype=x.dtype)


class Cummax(Running, name="cummax", rounding="exact"):
    """Running maximum along an axis; from the first NaN on, NaN.

    Each place gets the maximum of all up to it; `reverse` runs from the end, `exclusive` leaves
    the place itself out, and the first one gets -inf or the least value. Of equal elements, the
    first on the way has the derivative.
    """

    examples = (
        Example(x=f32[7], axis=0),
        Example(x=f32[3, 5], axis=1, reverse=True),
        Example(x=bf16[5], axis=0, exclusive=True),
        Example(x=f32[40], axis=0),
        Example(x=ui8[4], axis=0),
        Example(x=i32[0, 2], axis=0),
    )
    wide = False

    def identity(self, x: Value) -> Any:
        return lowest(x.tensor.primitive)

    def combine(self, a: Value, b: Value) -> Value:
        return ops.max(a, b)

    def accumulate(self, x: Array) -> Array:
        return np.maximum.accumulate(widened(x), self.axis).astype(x.dtype)


class Cummin(Running, name="cummin", rounding="exact"):
    """Running minimum along an axis; from the first NaN on, NaN.

    Each place gets the minimum of all up to it; `reverse` runs from the end, `exclusive` leaves
    the place itself out, and the first one gets +inf or the largest value. Of equal elements, the
    first on the way has the derivative.
    """

    examples = (
        Example(x=f32[7], axis=0),
        Example(x=f32[3, 5], axis=1, reverse=True),
        Example(x=bf16[5], axis=0, exclusive=True),
        Example(x=i8[4], axis=0),
    )
    wide = False

    def identity(self, x: Value) -> Any:
        return highest(x.tensor.primitive)

    def combine(self, a: Value, b: Value) -> Value:
        return ops.min(a, b)

    def accumulate(self, x: Array) -> Array:
        return np.minimum.accumulate(widened(x), self.axis).astype(x.dtype)


def _from_nothing(y: Value) -> Value:
    """`y` with 0 for -inf, so that the shares in nothing but -inf are 0."""
    none = ops.compare(y, ops.full_like(y, value=-np.inf), direction="EQ")
    return ops.select(none, ops.full_like(y, value=0), y)


class Cumlogsumexp(Chained, name="cumlogsumexp", rounding="sums"):
    """Running `log(sum(exp(x)))` along an axis, without overflow; -inf of nothing but -inf.

    Each place gets the value of all up to it; `reverse` runs from the end, `exclusive` leaves the
    place itself out. Narrow floats are kept in f32 and round once.
    """

    examples = (
        Example(x=f32[7], axis=0),
        Example(x=f32[3, 5], axis=1, reverse=True),
        Example(x=bf16[5], axis=0, exclusive=True),
        Example(x=Sample(f32[4], 900, 1000), axis=0),
        Example(x=Sample(f32[20], -5, 5), axis=0, exclusive=True),
        Example(x=f32[0], axis=0),
    )
    accepts = "float"

    def identity(self, x: Value) -> Any:
        return -np.inf

    def combine(self, a: Value, b: Value) -> Value:
        """`max + log1p(exp(-|a - b|))`; equal infinities, whose difference is NaN, are the sum."""
        difference = ops.sub(a, b)
        small = ops.log1p(ops.exp(ops.neg(ops.abs(difference))))
        apart = ops.add(ops.max(a, b), small)
        undefined = ops.compare(difference, difference, direction="NE")
        return ops.select(undefined, ops.add(a, b), apart)

    def beyond(self, x: Value) -> Any:
        return np.inf

    def carry(self, x: Value, y: Value) -> Value:
        return ops.exp(ops.sub(moved(y, self.axis, self._step, -np.inf), _from_nothing(y)))

    def own(self, x: Value, y: Value) -> Value:
        return ops.exp(ops.sub(x, _from_nothing(y)))

    def accumulate(self, x: Array) -> Array:
        return np.logaddexp.accumulate(x.astype(np.float64), self.axis)
