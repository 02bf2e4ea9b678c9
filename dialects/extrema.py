"""Positions of extrema: reductions of pairs of an element and its index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from dxir import checks, ops
from dxir.dialects.dynamic import runtime_shape
from dxir.dialects.folding import widened
from dxir.dialects.reduction import highest, lowest, reduced_type, restore_axes
from dxir.errors import AttributeValueError, ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Derived
from dxir.types import DType, TensorType, bf16, f16, f32, i1, i8, i32, i64, ui8

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]


def _index_along(axis: int, like: Value, dtype: DType) -> Value:
    """For each element of `like`, its index along an axis."""
    if like.tensor.is_static:
        return ops.iota(shape=like.tensor.static_shape, axis=axis, dtype=dtype)
    return ops.dynamic_iota(runtime_shape(like), shape=like.shape, axis=axis, dtype=dtype)


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
        index = _index_along(axis, x, self.dtype)
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

    def batch(self, batch: Batch) -> Value:
        (x,) = batch.operands
        if self.axis is not None:
            result: Value = batch.rebuild((x,), axis=self.axis + 1)
            return result
        flat = ops.reshape(x, shape=(batch.size, -1))
        found: Value = batch.rebuild((flat,), axis=1, keepdims=False)
        if not self.keepdims:
            return found
        return ops.reshape(found, shape=(batch.size, *[1] * self.x.rank))

    def find(self, x: Array, axis: int | None) -> Array:
        """The index, in NumPy, of an array in a dtype NumPy compares."""
        raise NotImplementedError

    def reference(self, x: Array) -> Array:
        found = self.find(widened(x), self.axis)
        if self.keepdims:
            axes = tuple(range(x.ndim)) if self.axis is None else self.axis
            found = np.expand_dims(found, axes)
        return np.asarray(found).astype(self.dtype.numpy)


class Argmax(Extremum, name="argmax", rounding="exact"):
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


class Argmin(Extremum, name="argmin", rounding="exact"):
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
