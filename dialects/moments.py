"""Positions of extrema, moments and norms: reductions that are more than one fold."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from dxir import checks, ops
from dxir.dialects.folding import widened
from dxir.dialects.reduction import (
    Reduction,
    fold_axes,
    highest,
    lowest,
    narrow,
    reduced_type,
    restore_axes,
    total,
    widen,
)
from dxir.errors import AttributeValueError, ShapeError
from dxir.examples import Example, Sample
from dxir.graph import Value
from dxir.op import Composite, Derived
from dxir.types import DType, TensorType, bf16, c64, f16, f32, i1, i8, i32, i64, ui8

Array = np.ndarray[Any, Any]


class Extremum(Derived):
    """Base of argmax and argmin: a reduction of pairs of an element and its index.

    The pair that wins does not depend on the order of the comparisons: NaN beats everything, and
    of equal elements, or of several NaN, the lower index wins.
    """

    x: Value
    axis: int | None = None
    keepdims: bool = False
    dtype: DType = i32

    better: ClassVar[str] = "GT"

    def prepare(self) -> None:
        axis = None if self.axis is None else checks.axis(self.axis, self.x.tensor.rank)
        self.update(axis=axis, keepdims=bool(self.keepdims), dtype=DType.of(self.dtype))

    def infer(self) -> TensorType:
        type = self.x.tensor
        checks.kind(self.x, "bool int uint float", "x")
        if not self.dtype.is_integer or self.dtype.bits < 8:
            raise AttributeValueError(
                f"dtype is {self.dtype}", hint="indices are integers of 8 bits or more"
            )
        axes = tuple(range(type.rank)) if self.axis is None else (self.axis,)
        count = type.with_shape([type.shape[i] for i in axes]).size
        if count == 0:
            raise ShapeError(f"{type} has no elements to choose from", hint="reduce another axis")
        if count - 1 > np.iinfo(self.dtype.numpy).max:
            raise AttributeValueError(f"{self.dtype} cannot count {count} elements")
        return reduced_type(type, axes, self.keepdims, self.dtype)

    def start(self, dtype: DType) -> Any:
        """The element that loses to every other."""
        raise NotImplementedError

    def expand(self, x: Value) -> Value:
        axis = self.axis
        if axis is None:
            x, axis = ops.reshape(x, shape=(-1,)), 0
        dtype = x.tensor.primitive
        index = ops.iota(shape=x.tensor.static_shape, axis=axis, dtype=self.dtype)
        inits = (
            ops.constant(np.asarray(self.start(dtype)).astype(dtype.numpy)),
            ops.constant(np.zeros((), self.dtype.numpy)),
        )
        _, found = ops.reduce((x, index), inits, self._choose, axes=(axis,))
        if not self.keepdims:
            return found
        every = range(self.x.tensor.rank)
        return restore_axes(found, self.x.tensor, every if self.axis is None else (axis,))

    def _choose(self, a: Value, i: Value, b: Value, j: Value) -> tuple[Value, Value]:
        first = ops.compare(a, b, direction=self.better)
        tied = ops.compare(a, b, direction="EQ")
        if a.tensor.dtype.is_float:
            a_nan = ops.compare(a, a, direction="NE")
            b_nan = ops.compare(b, b, direction="NE")
            first = ops.or_(first, ops.and_(a_nan, ops.not_(b_nan)))
            tied = ops.or_(tied, ops.and_(a_nan, b_nan))
        earlier = ops.compare(i, j, direction="LT")
        pick = ops.or_(first, ops.and_(tied, earlier))
        return ops.select(pick, a, b), ops.select(pick, i, j)

    def find(self, x: Array, axis: int | None) -> Array:
        """The index, in NumPy, of an array in a dtype NumPy compares."""
        raise NotImplementedError

    def reference(self, x: Array) -> Array:
        found = self.find(widened(x), self.axis)
        if self.keepdims:
            axes = tuple(range(x.ndim)) if self.axis is None else self.axis
            found = np.expand_dims(found, axes)
        return np.asarray(found).astype(self.dtype.numpy)


class Argmax(Extremum, name="argmax"):
    """Index of the largest element along an axis (of all, flattened, when None).

    The first NaN wins, else the first of equal elements.
    """

    examples = (
        Example(x=f32[5], axis=0),
        Example(x=f32[3, 4], axis=-1, keepdims=True),
        Example(x=bf16[3, 4], axis=0),
        Example(x=i8[3, 4], dtype=i64),
        Example(x=ui8[6], axis=0, dtype="ui8"),
        Example(x=i1[4], axis=0),
        Example(x=np.array([1, np.nan, 3, np.nan, 2], np.float32), axis=0),
        Example(x=np.array([1, 3, 3, 2], np.float32), axis=0),
        Example(x=np.full((3,), -np.inf, np.float32), axis=0),
        Example(x=f32[0, 2], axis=1),
        Example(x=f32[()], keepdims=True),
    )

    def start(self, dtype: DType) -> Any:
        return lowest(dtype)

    def find(self, x: Array, axis: int | None) -> Array:
        return np.asarray(np.argmax(x, axis))


class Argmin(Extremum, name="argmin"):
    """Index of the smallest element along an axis (of all, flattened, when None).

    The first NaN wins, else the first of equal elements.
    """

    examples = (
        Example(x=f32[5], axis=0),
        Example(x=f16[3, 4], axis=1, keepdims=True),
        Example(x=i32[3, 4]),
        Example(x=np.array([1, np.nan, 3, np.nan, 2], np.float32), axis=0),
        Example(x=np.full((3,), np.inf, np.float32), axis=0),
        Example(x=i1[2, 3], axis=0),
    )
    better = "LT"

    def start(self, dtype: DType) -> Any:
        return highest(dtype)

    def find(self, x: Array, axis: int | None) -> Array:
        return np.asarray(np.argmin(x, axis))


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

    def variance(self, x: Value) -> Value:
        """The variance in the accumulator type, axes gone."""
        axes, wide = self.axes or (), widen(x)
        sums = total(wide, axes)
        mean = ops.div(sums, ops.full_like(sums, value=self.count))
        kept = [i for i in range(x.tensor.rank) if i not in axes]
        spread = ops.broadcast_in_dim(mean, shape=x.tensor.static_shape, dims=kept)
        centred = ops.sub(wide, spread)
        squares = total(ops.mul(centred, centred), axes)
        divisor = float(max(self.count - self.correction, 0))
        return ops.div(squares, ops.full_like(squares, value=divisor))

    def moment(self, x: Array) -> Array:
        """The variance in NumPy, in the accumulator type."""
        wide = widened(x)
        mean = wide.sum(self.axes, wide.dtype, keepdims=True) / wide.dtype.type(self.count)
        squares = np.square(wide - mean).sum(self.axes, wide.dtype, keepdims=self.keepdims)
        return np.asarray(squares / wide.dtype.type(max(self.count - self.correction, 0)))


class Var(Moment, name="var"):
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

    def reference(self, x: Array) -> Array:
        return np.asarray(self.moment(x)).astype(x.dtype)


class Std(Moment, name="std"):
    """Standard deviation over axes: the square root of the variance `var` gives.

    Narrow floats stay in f32 until the root is taken, and round once.
    """

    examples = (
        Example(x=f32[2, 5], axes=(1,), hostile=False),
        Example(x=f32[2, 5], keepdims=True, correction=1, hostile=False),
        Example(x=bf16[4, 5], axes=0, hostile=False),
        Example(x=f32[0]),
    )

    def expand(self, x: Value) -> Value:
        return self.keep(narrow(ops.sqrt(self.variance(x)), x.tensor.primitive))

    def reference(self, x: Array) -> Array:
        return np.asarray(np.sqrt(self.moment(x))).astype(x.dtype)


class Norm(Reduction, name="norm"):
    """Vector norm over axes: `ord` 2 (Euclidean), 1 (sum of sizes) or inf (largest size).

    Complex elements count by their absolute value, and the result is real. Sums are plain: the
    squares of elements beyond the root of the type's largest value overflow to inf. Narrow floats
    are kept in f32 and round once.
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

    def reference(self, x: Array) -> Array:
        size = np.abs(widened(x))
        if self.ord == np.inf:
            found = size.max(self.axes, keepdims=self.keepdims, initial=0)
        elif self.ord == 1:
            found = size.sum(self.axes, size.dtype, keepdims=self.keepdims)
        else:
            found = np.sqrt(np.square(size).sum(self.axes, size.dtype, keepdims=self.keepdims))
        return np.asarray(found).astype(self.results[0].tensor.dtype.numpy)


class Logsumexp(Reduction, Composite, name="logsumexp"):
    """`log(sum(exp(x)))` over axes, without overflow; -inf of nothing but -inf.

    The largest element is taken out first, unless it is not finite. Narrow floats are kept in f32
    and round once.
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

    def reference(self, x: Array) -> Array:
        wide = x.astype(np.float64)
        found = np.logaddexp.reduce(wide, self.axes, initial=-np.inf)
        if self.keepdims:
            found = np.expand_dims(found, self.axes or ())
        return np.asarray(found).astype(x.dtype)
