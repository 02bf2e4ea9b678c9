"""Reductions over axes: sums, products, extrema, means."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from dxir import checks, ops
from dxir.arithmetic import finfo
from dxir.derivatives import Cotangent
from dxir.dialects.dynamic import runtime_shape
from dxir.dialects.folding import widened
from dxir.dialects.spreading import (
    element_count,
    extremum_cotangent,
    extremum_tangent,
    spread_over,
)
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Derived
from dxir.types import (
    DType,
    TensorType,
    bf16,
    c64,
    f8e4m3fn,
    f16,
    f32,
    i1,
    i8,
    i32,
    ui8,
)

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]
Tangents = Sequence[Value | None]


class Reduction(Derived):
    """Base of the reductions over axes (all axes when None), with or without keeping them.

    `accepts` lists the kinds of element types that make sense.
    """

    x: Value
    axes: tuple[int, ...] | None = None
    keepdims: bool = False

    accepts: ClassVar[str] = "int uint float complex"

    def prepare(self) -> None:
        self.update(axes=checks.axes(self.axes, len(self.x.tensor.shape)))

    def infer(self) -> TensorType:
        return self.reduced(checks.kind(self.x, self.accepts, "x"))

    def reduced(self, dtype: object) -> TensorType:
        """The result type, with element type `dtype`."""
        return reduced_type(self.x.tensor, self.axes or (), self.keepdims, dtype)

    @property
    def count(self) -> int:
        """How many elements each result is made of; their sizes must be known."""
        type = self.x.tensor
        return type.with_shape([type.shape[i] for i in self.axes or ()]).size

    def keep(self, value: Value) -> Value:
        """The reduced value, its axes of size 1 restored when `keepdims` asks for them."""
        if not self.keepdims:
            return value
        return restore_axes(value, self.x.tensor, self.axes or ())

    def spread(self, value: Value) -> Value:
        """A value of the result's shape in that of `x`, the same along the axes."""
        return spread_over(value, self.x, self.axes or (), self.keepdims)

    def batch(self, batch: Batch) -> Value:
        axes = tuple([i + 1 for i in self.axes or ()])
        result: Value = batch.rebuild(batch.operands, axes=axes)
        return result


class Choice(Reduction):
    """Base of the extrema; elements that are tied for one share its cotangent equally."""

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        axes = self.axes or ()
        return (lambda: extremum_cotangent(self.x, y, g, axes, self.keepdims),)

    def jvp(self, tangents: Tangents, y: Value) -> Value | None:
        (t,) = tangents
        assert t is not None
        if 0 in [self.x.shape[i] for i in self.axes or ()]:
            return None
        return extremum_tangent(self.x, y, t, self.axes or (), self.keepdims)


def reduced_type(
    type: TensorType, axes: Sequence[int], keepdims: bool, dtype: object
) -> TensorType:
    """`type` without `axes`, or with size 1 there."""
    element = dtype if isinstance(dtype, DType) else DType.of(dtype)
    names = type.axis_names
    if keepdims:
        shape = tuple([1 if i in axes else d for i, d in enumerate(type.shape)])
        if names is None:
            return TensorType.shared(shape, element)
        return TensorType(shape, element, names)
    shape = tuple([d for i, d in enumerate(type.shape) if i not in axes])
    if names is None:
        return TensorType.shared(shape, element)
    return TensorType(shape, element, [n for i, n in enumerate(names) if i not in axes])


def restore_axes(value: Value, type: TensorType, axes: Sequence[int]) -> Value:
    """A value reduced from `type` over `axes`, with those axes back at size 1."""
    kept = [i for i in range(type.rank) if i not in axes]
    if value.tensor.is_static:
        known = iter(value.tensor.static_shape)
        shape = [1 if i in axes else next(known) for i in range(type.rank)]
        return ops.broadcast_in_dim(value, shape=shape, dims=kept)
    found, one = runtime_shape(value), ops.constant(np.ones(1, np.int32))
    places = {axis: place for place, axis in enumerate(kept)}
    sizes = [
        ops.slice(found, starts=(places[i],), limits=(places[i] + 1,)) if i in places else one
        for i in range(type.rank)
    ]
    open_shape = tuple([1 if i in axes else d for i, d in enumerate(type.shape)])
    return ops.dynamic_reshape(value, ops.concat(sizes, axis=0), shape=open_shape)


def widen(x: Value) -> Value:
    """`x` in the type sums are kept in."""
    dtype = x.tensor.primitive
    wide = dtype.accumulator
    return x if wide is dtype else ops.convert(x, dtype=wide)


def narrow(x: Value, dtype: DType) -> Value:
    """`x` rounded back to `dtype`."""
    return x if x.tensor.dtype is dtype else ops.convert(x, dtype=dtype)


def fold_axes(x: Value, init: Any, op: str, axes: Sequence[int]) -> Value:
    """`x` folded over `axes` with the binary op, from its identity."""
    combine = ops.lookup(op)
    assert combine is not None
    identity = ops.constant(np.asarray(init).astype(x.tensor.primitive.numpy))
    (result,) = ops.reduce((x,), (identity,), lambda a, b: combine(a, b), axes=axes)
    return result


def total(x: Value, axes: Sequence[int]) -> Value:
    """The sum over `axes`, not rounded back from the accumulator type."""
    return fold_axes(widen(x), 0, "add", axes)


def lowest(dtype: DType) -> Any:
    """The identity of max: -inf, or the smallest value of a type without infinities."""
    if dtype.is_bool:
        return False
    if dtype.is_integer:
        return 0 if dtype.is_unsigned else -(2 ** (dtype.bits - 1))
    return _extreme(dtype, -np.inf)


def highest(dtype: DType) -> Any:
    """The identity of min: +inf, or the largest value of a type without infinities."""
    if dtype.is_bool:
        return True
    if dtype.is_integer:
        return 2 ** (dtype.bits - (0 if dtype.is_unsigned else 1)) - 1
    return _extreme(dtype, np.inf)


def _extreme(dtype: DType, infinity: float) -> Any:
    """`infinity` in `dtype`, or the finite value nearest to it."""
    with np.errstate(all="ignore"):
        found = np.array(infinity).astype(dtype.numpy)
    if np.isinf(found.astype(np.float64)):
        return found
    info = finfo(dtype)
    if infinity > 0:
        return info.max
    return info.smallest_normal if dtype.name == "f8e8m0fnu" else info.min


class Sum(Reduction, name="sum", rounding="sums"):
    """Sum over axes; narrow floats accumulate in f32 and round once."""

    examples = (
        Example(x=f32[2, 3], axes=(1,), keepdims=True),
        Example(x=bf16[4, 5]),
        Example(x=f16[2, 3, 4], axes=(-1, 0)),
        Example(x=i32[0, 3], axes=(0,)),
        Example(x=i8[4, 3], axes=()),
        Example(x=c64[3], keepdims=True),
        Example(x=f32[()]),
    )

    def expand(self, x: Value) -> Value:
        return self.keep(narrow(total(x, self.axes or ()), x.tensor.primitive))

    linear = ("x",)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        return (lambda: self.spread(g),)

    def reference(self, x: Array) -> Array:
        wide = widened(x)
        return np.asarray(
            wide.sum(axis=self.axes, keepdims=self.keepdims, dtype=wide.dtype)
        ).astype(x.dtype)


class Prod(Reduction, name="prod", rounding="sums"):
    """Product over axes; narrow floats accumulate in f32 and round once.

    The derivative is made of the products of the others, by a tree, and never of a quotient.
    """

    examples = (
        Example(x=f32[2, 3], axes=(1,), keepdims=True),
        Example(x=bf16[4], hostile=False),
        Example(x=i32[3, 2], axes=0),
        Example(x=f32[0, 3], axes=(0,)),
        Example(x=f32[()]),
    )

    def expand(self, x: Value) -> Value:
        folded = fold_axes(widen(x), 1, "mul", self.axes or ())
        return self.keep(narrow(folded, x.tensor.primitive))

    def reference(self, x: Array) -> Array:
        wide = widened(x)
        return np.asarray(
            wide.prod(axis=self.axes, keepdims=self.keepdims, dtype=wide.dtype)
        ).astype(x.dtype)


class ReduceMax(Choice, name="reduce_max", rounding="exact"):
    """Largest element over axes; NaN wins, and -inf (the least value) is that of no elements.

    The elementwise maximum of two tensors is `max`.
    """

    examples = (
        Example(x=f32[2, 3], axes=(1,)),
        Example(x=bf16[4, 5], keepdims=True),
        Example(x=f8e4m3fn[3]),
        Example(x=i8[2, 3], axes=(0,)),
        Example(x=ui8[3]),
        Example(x=i1[2, 3], axes=(1,)),
        Example(x=f32[2, 0], axes=(1,)),
        Example(x=f32[()]),
    )
    accepts = "bool int uint float"

    def expand(self, x: Value) -> Value:
        return self.keep(fold_axes(x, lowest(x.tensor.primitive), "max", self.axes or ()))

    def reference(self, x: Array) -> Array:
        wide = widened(x)
        start: Any = np.asarray(lowest(self.x.tensor.primitive)).astype(wide.dtype)
        found = wide.max(axis=self.axes, keepdims=self.keepdims, initial=start)
        return np.asarray(found).astype(x.dtype)


class ReduceMin(Choice, name="reduce_min", rounding="exact"):
    """Smallest element over axes; NaN wins, and +inf (the largest value) is that of no elements.

    The elementwise minimum of two tensors is `min`.
    """

    examples = (
        Example(x=f32[2, 3], axes=(1,), keepdims=True),
        Example(x=bf16[4, 5]),
        Example(x=i8[2, 3], axes=(0,)),
        Example(x=i1[2, 3], axes=(1,)),
        Example(x=f32[2, 0], axes=(1,)),
        Example(x=f32[()]),
    )
    accepts = "bool int uint float"

    def expand(self, x: Value) -> Value:
        return self.keep(fold_axes(x, highest(x.tensor.primitive), "min", self.axes or ()))

    def reference(self, x: Array) -> Array:
        wide = widened(x)
        start: Any = np.asarray(highest(self.x.tensor.primitive)).astype(wide.dtype)
        found = wide.min(axis=self.axes, keepdims=self.keepdims, initial=start)
        return np.asarray(found).astype(x.dtype)


class AnyTrue(Reduction, name="any", rounding="exact"):
    """Whether any element over axes is true; false of no elements."""

    examples = (
        Example(x=i1[2, 3], axes=(1,)),
        Example(x=i1[2, 0], axes=(1,), keepdims=True),
        Example(x=i1[()]),
    )
    accepts = "bool"

    def expand(self, x: Value) -> Value:
        return self.keep(fold_axes(x, False, "or", self.axes or ()))

    def reference(self, x: Array) -> Array:
        return np.asarray(x.any(axis=self.axes, keepdims=self.keepdims))


class AllTrue(Reduction, name="all", rounding="exact"):
    """Whether all elements over axes are true; true of no elements."""

    examples = (
        Example(x=i1[2, 3], axes=(1,)),
        Example(x=i1[2, 0], axes=(1,), keepdims=True),
        Example(x=i1[()]),
    )
    accepts = "bool"

    def expand(self, x: Value) -> Value:
        return self.keep(fold_axes(x, True, "and", self.axes or ()))

    def reference(self, x: Array) -> Array:
        return np.asarray(x.all(axis=self.axes, keepdims=self.keepdims))


class Mean(Reduction, name="mean", rounding="sums"):
    """Arithmetic mean over axes: the sum divided by the element count; NaN of no elements.

    Narrow floats accumulate and divide in f32 and round once.
    """

    examples = (
        Example(x=f32[2, 3], axes=(1,), keepdims=True),
        Example(x=bf16[4, 5]),
        Example(x=f32[2, 0], axes=(1,)),
        Example(x=c64[3, 2], axes=(0,)),
        Example(x=f32[()]),
    )
    accepts = "float complex"

    def expand(self, x: Value) -> Value:
        return self.keep(self._divided(total(x, self.axes or ())))

    linear = ("x",)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        return (lambda: self.spread(self._divided(g)),)

    def _divided(self, g: Value) -> Value:
        """A sum, or the cotangent of the mean, over the number of elements that are added up."""
        wide = widen(g)
        number = element_count(self.x, self.axes or (), wide.tensor.primitive)
        if not isinstance(number, Value):
            number = ops.full_like(wide, value=number)
        return narrow(ops.div(wide, number), self.x.tensor.primitive)

    def reference(self, x: Array) -> Array:
        wide = widened(x)
        sums = wide.sum(axis=self.axes, keepdims=self.keepdims, dtype=wide.dtype)
        count = math.prod([x.shape[i] for i in self.axes or ()])
        return np.asarray(np.true_divide(sums, wide.dtype.type(count))).astype(x.dtype)
