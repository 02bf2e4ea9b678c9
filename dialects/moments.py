"""Moments, norms and logsumexp: reductions that are more than one fold."""

from __future__ import annotations

from typing import Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent
from dxir.dialects.folding import widened
from dxir.dialects.reduction import Reduction, Tangents, fold_axes, narrow, total, widen
from dxir.errors import AttributeValueError
from dxir.examples import Example, Sample
from dxir.graph import Value
from dxir.op import Composite
from dxir.types import TensorType, bf16, c64, f32

Array = np.ndarray[Any, Any]


class Moment(Reduction):
    """Base of the variance and the standard deviation."""

    correction: float = 0

    accepts = "float"

    def prepare(self) -> None:
        super().prepare()
        self.update(correction=checks.number(self.correction, "correction"))

    def infer(self) -> TensorType:
        self.x.tensor.static_shape  # noqa: B018 - the mean is broadcast to it
        return super().infer()

    @property
    def divisor(self) -> float:
        """What the sum of squares is divided by."""
        return float(max(self.count - self.correction, 0))

    def centred(self, x: Value) -> Value:
        """The differences to the mean, in the accumulator type."""
        axes, wide = self.axes or (), widen(x)
        sums = total(wide, axes)
        mean = ops.div(sums, ops.full_like(sums, value=self.count))
        kept = [i for i in range(x.tensor.rank) if i not in axes]
        spread = ops.broadcast_in_dim(mean, shape=x.tensor.static_shape, dims=kept)
        return ops.sub(wide, spread)

    def variance(self, x: Value) -> Value:
        """The variance in the accumulator type, axes gone."""
        centred = self.centred(x)
        squares = total(ops.mul(centred, centred), self.axes or ())
        return ops.div(squares, ops.full_like(squares, value=self.divisor))

    def slope(self, y: Value) -> Value:
        """What a cotangent times the differences to the mean is to be divided by.

        It is of the shape of the result `y`, and in the accumulator type.
        """
        raise NotImplementedError

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        def pulled() -> Value:
            share = self.spread(ops.div(widen(g), self.slope(y)))
            return narrow(ops.mul(self.centred(self.x), share), self.x.tensor.primitive)

        return (pulled,)

    def jvp(self, tangents: Tangents, y: Value) -> Value:
        (t,) = tangents
        assert t is not None
        along = self.keep(total(ops.mul(self.centred(self.x), widen(t)), self.axes or ()))
        return narrow(ops.div(along, self.slope(y)), y.tensor.primitive)

    def moment(self, x: Array) -> Array:
        """The variance in NumPy, in the accumulator type."""
        wide = widened(x)
        mean = wide.sum(self.axes, wide.dtype, keepdims=True) / wide.dtype.type(self.count)
        squares = np.square(wide - mean).sum(self.axes, wide.dtype, keepdims=self.keepdims)
        return np.asarray(squares / wide.dtype.type(max(self.count - self.correction, 0)))


class Var(Moment, name="var", rounding="sums"):
    """Variance over axes, from the differences to the mean; NaN of no elements.

    Two passes: `sum((x - mean)^2) / (count - correction)`, in f32 for narrow floats, rounded once.
    `correction` 0 gives the population's variance, 1 the unbiased estimate.
    """

    examples = (
        Example(x=f32[2, 5], axes=(1,), hostile=False),
        Example(x=f32[2, 5], axes=(0, 1), keepdims=True, correction=1, hostile=False),
        Example(x=bf16[4, 5], axes=(-1,), hostile=False),
        Example(x=np.array([1e4, 10000.1, 9999.9, 1e4], np.float32)),
        Example(x=f32[2, 0], axes=(1,)),
        Example(x=f32[1], correction=1),
        Example(x=f32[()]),
    )

    def expand(self, x: Value) -> Value:
        return self.keep(narrow(self.variance(x), x.tensor.primitive))

    def slope(self, y: Value) -> Value:
        return ops.full_like(widen(y), value=self.divisor / 2)

    def reference(self, x: Array) -> Array:
        return np.asarray(self.moment(x)).astype(x.dtype)


class Std(Moment, name="std", rounding="sums"):
    """Standard deviation over axes: the square root of the variance `var` gives.

    Narrow floats stay in f32 until the root is taken, and round once. The derivative is 0 where
    all elements are the same, as that of a norm is at 0.
    """

    examples = (
        Example(x=f32[2, 5], axes=(1,), hostile=False),
        Example(x=f32[2, 5], keepdims=True, correction=1, hostile=False),
        Example(x=bf16[4, 5], axes=0, hostile=False),
        Example(x=f32[0]),
    )

    def expand(self, x: Value) -> Value:
        return self.keep(narrow(ops.sqrt(self.variance(x)), x.tensor.primitive))

    def slope(self, y: Value) -> Value:
        wide = _nonzero(widen(y))
        return ops.mul(wide, ops.full_like(wide, value=self.divisor))

    def reference(self, x: Array) -> Array:
        return np.asarray(np.sqrt(self.moment(x))).astype(x.dtype)


def _nonzero(y: Value) -> Value:
    """`y` with 1 for 0, to divide by what is 0 then."""
    none = ops.compare(y, ops.full_like(y, value=0), direction="EQ")
    return ops.select(none, ops.full_like(y, value=1), y)


class Norm(Reduction, name="norm", rounding="sums"):
    """Vector norm over axes: `ord` 2 (Euclidean), 1 (sum of sizes) or inf (largest size).

    Complex elements count by their absolute value, and the result is real. Sums are plain: the
    squares of elements beyond the root of the type's largest value overflow to inf. Narrow floats
    are kept in f32 and round once. The derivative at 0 is 0; elements tied for the largest size
    share a cotangent equally.
    """

    ord: float = 2

    examples = (
        Example(x=f32[2, 5], axes=(1,)),
        Example(x=f32[2, 5], keepdims=True, ord=1),
        Example(x=f32[2, 5], axes=(0,), ord=np.inf),
        Example(x=bf16[4, 5], hostile=False),
        Example(x=c64[3], hostile=False),
        Example(x=f32[0], ord=np.inf),
        Example(x=f32[()], hostile=False),  # XLA takes sqrt(x * x) for |x|
    )
    accepts = "float complex"

    def prepare(self) -> None:
        super().prepare()
        if self.ord not in (1, 2, np.inf):
            raise AttributeValueError(f"ord is {self.ord!r}", hint="it must be 1, 2 or inf")
        self.update(ord=float(self.ord))

    def infer(self) -> TensorType:
        return self.reduced(checks.kind(self.x, self.accepts, "x").real)

    def expand(self, x: Value) -> Value:
        axes, wide = self.axes or (), widen(x)
        size = ops.abs(wide) if self.ord != 2 or wide.tensor.dtype.is_complex else wide
        if self.ord == np.inf:
            result = fold_axes(size, 0, "max", axes)
        elif self.ord == 1:
            result = total(size, axes)
        else:
            result = ops.sqrt(total(ops.mul(size, size), axes))
        return self.keep(narrow(result, x.tensor.primitive.real))

    def _direction(self, y: Value) -> tuple[Value, Value | None]:
        """The derivative of the norm `y`: a factor for each element, and a divisor for each norm.

        The factor is conjugated, as cotangents want it.
        """
        x, wide = widen(self.x), widen(y)
        if self.ord == 2:
            return ops.conj(x) if x.tensor.dtype.is_complex else x, _nonzero(wide)
        sign = ops.sign(x)
        if x.tensor.dtype.is_complex:
            sign = ops.conj(sign)
        if self.ord == 1:
            return sign, None
        at = ops.convert(
            ops.compare(ops.abs(x), self.spread(wide), direction="EQ"), dtype=wide.tensor.primitive
        )
        count = self.keep(total(at, self.axes or ()))
        return ops.mul(_like(at, sign), sign), count

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        def pulled() -> Value:
            factor, divisor = self._direction(y)
            share = widen(g) if divisor is None else ops.div(widen(g), divisor)
            found = ops.mul(factor, _like(self.spread(share), factor))
            return narrow(found, self.x.tensor.primitive)

        return (pulled,)

    def jvp(self, tangents: Tangents, y: Value) -> Value | None:
        (t,) = tangents
        assert t is not None
        if self.count == 0:
            return None
        factor, divisor = self._direction(y)
        moved = ops.mul(factor, widen(t))
        if moved.tensor.dtype.is_complex:
            moved = ops.real(moved)
        along = self.keep(total(moved, self.axes or ()))
        found = along if divisor is None else ops.div(along, divisor)
        return narrow(found, y.tensor.primitive)

    def reference(self, x: Array) -> Array:
        size = np.abs(widened(x))
        if self.ord == np.inf:
            found = size.max(self.axes, keepdims=self.keepdims, initial=0)
        elif self.ord == 1:
            found = size.sum(self.axes, size.dtype, keepdims=self.keepdims)
        else:
            found = np.sqrt(np.square(size).sum(self.axes, size.dtype, keepdims=self.keepdims))
        return np.asarray(found).astype(self.results[0].tensor.dtype.numpy)


def _like(x: Value, y: Value) -> Value:
    """`x` as a complex number, where `y` is one."""
    return ops.convert(x, dtype=y.tensor.primitive) if y.tensor.dtype.is_complex else x


class Logsumexp(Reduction, Composite, name="logsumexp", rounding="sums"):
    """`log(sum(exp(x)))` over axes, without overflow; -inf of nothing but -inf.

    The largest element is taken out first, unless it is not finite. Narrow floats are kept in f32
    and round once. The derivative is that of the elements' shares, all 0 where the value is -inf.
    """

    examples = (
        Example(x=f32[2, 5], axes=(1,)),
        Example(x=f32[2, 5], keepdims=True),
        Example(x=bf16[4, 5], axes=(0,)),
        Example(x=Sample(f32[2, 5], 900, 1000), axes=(1,)),
        Example(x=np.full((2, 2), -np.inf, np.float32), axes=(0,)),
        Example(x=f32[2, 0], axes=(1,)),
        Example(x=f32[()]),
    )
    accepts = "float"

    def infer(self) -> TensorType:
        self.x.tensor.static_shape  # noqa: B018 - the maximum is broadcast to it
        return super().infer()

    def expand(self, x: Value) -> Value:
        axes, wide = self.axes or (), widen(x)
        top = fold_axes(wide, -np.inf, "max", axes)
        top = ops.select(ops.is_finite(top), top, ops.full_like(top, value=0))
        kept = [i for i in range(x.tensor.rank) if i not in axes]
        spread = ops.broadcast_in_dim(top, shape=x.tensor.static_shape, dims=kept)
        sums = total(ops.exp(ops.sub(wide, spread)), axes)
        return self.keep(narrow(ops.add(ops.log(sums), top), x.tensor.primitive))

    def _shares(self, y: Value) -> tuple[Value, Value | None]:
        """The share of each element in the sum, or a multiple of it and what to divide it by.

        A value rounded to a narrow type is not good enough to tell shares, but a scale for them.
        """
        x, wide = widen(self.x), widen(y)
        none = ops.compare(wide, ops.full_like(wide, value=-np.inf), direction="EQ")
        top = ops.select(none, ops.full_like(wide, value=0), wide)
        shares = ops.exp(ops.sub(x, self.spread(top)))
        if x is self.x:
            return shares, None
        sums = self.keep(total(shares, self.axes or ()))
        return shares, ops.select(none, ops.full_like(sums, value=1), sums)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        def pulled() -> Value:
            shares, sums = self._shares(y)
            wide = widen(g) if sums is None else ops.div(widen(g), sums)
            return narrow(ops.mul(self.spread(wide), shares), self.x.tensor.primitive)

        return (pulled,)

    def jvp(self, tangents: Tangents, y: Value) -> Value:
        (t,) = tangents
        assert t is not None
        shares, sums = self._shares(y)
        along = self.keep(total(ops.mul(shares, widen(t)), self.axes or ()))
        found = along if sums is None else ops.div(along, sums)
        return narrow(found, y.tensor.primitive)

    def reference(self, x: Array) -> Array:
        wide = x.astype(np.float64)
        found = np.logaddexp.reduce(wide, self.axes, initial=-np.inf)
        if self.keepdims:
            found = np.expand_dims(found, self.axes or ())
        return np.asarray(found).astype(x.dtype)
