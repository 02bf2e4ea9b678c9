"""Ops that give the same elements in another shape."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import unbroadcast
from dxir.errors import AttributeValueError, ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Derived, Primitive, attribute
from dxir.transforms import Batch
from dxir.types import QuantizedType, TensorType, Type, bf16, c64, f32, i1, i4, i8, i32, shape_text

Array = np.ndarray[Any, Any]


def shape_of_result(_: Sequence[Type], result_types: Sequence[Any]) -> dict[str, Any]:
    """The `shape` attribute of an op whose shape MLIR keeps in the result type."""
    return {"shape": result_types[0].shape}


class Reshape(Primitive, name="reshape", mlir="stablehlo.reshape", rounding="moves"):
    """The same elements in row-major order in another shape; one `-1` is worked out."""

    x: Value
    shape: tuple[int, ...]

    examples = (
        Example(x=f32[2, 6], shape=(3, -1)),
        Example(x=f32[()], shape=(1, 1)),
        Example(x=f32[0, 3], shape=(3, 0)),
        Example(x=bf16[1], shape=()),
        Example(x=i4[4, 2], shape=(8,)),
        Example(x=i1[2, 3], shape=(-1,)),
    )

    def prepare(self) -> None:
        checks.static(self.x, "dynamic_reshape")
        self.update(shape=reshaped(self.x.tensor, self.shape))

    attributes_from_types = staticmethod(shape_of_result)

    def infer(self) -> TensorType:
        return TensorType(self.shape, self.x.tensor.dtype)

    linear = ("x",)

    def vjp(self, g: Value, y: Value) -> tuple[Value]:
        return (ops.reshape(g, shape=self.x.tensor.static_shape),)

    def batch(self, batch: Batch) -> Value:
        return ops.reshape(batch.operands[0], shape=(batch.size, *self.shape))

    def reference(self, x: Array) -> Array:
        return x.reshape(self.shape)


def reshaped(type: TensorType, given: Any) -> tuple[int, ...]:
    """The shape with its -1 worked out; a ShapeError when the elements do not fill it."""
    shape = checks.static_shape(given, "shape", "dynamic_reshape", least=-1)
    if shape.count(-1) > 1:
        raise AttributeValueError(f"shape {shape_text(shape)} has more than one -1")
    known = math.prod(d for d in shape if d != -1)
    if -1 in shape and known and type.size % known == 0:
        shape = tuple([type.size // known if d == -1 else d for d in shape])
    if -1 in shape or math.prod(shape) != type.size:
        said = f"{type} has {type.size} elements, which do not fill shape {shape_text(shape)}"
        raise ShapeError(said, hint="one -1 stands for the size that is left")
    return shape


class Transpose(Primitive, name="transpose", mlir="stablehlo.transpose", rounding="moves"):
    """The axes in another order; reversed when no permutation is given."""

    x: Value
    permutation: tuple[int, ...] | None = attribute("i64_array", default=None)

    examples = (
        Example(x=f32[2, 3, 4], permutation=(2, 0, 1)),
        Example(x=bf16[2, 3]),
        Example(x=i32[()]),
        Example(x=c64[0, 2], permutation=(-1, 0)),
    )

    def prepare(self) -> None:
        rank = self.x.tensor.rank
        given = self.permutation
        order = tuple(range(rank))[::-1] if given is None else checks.integers(given, "permutation")
        order = tuple([checks.axis(a, rank, "permutation entry") for a in order])
        if sorted(order) != list(range(rank)):
            raise ShapeError(f"{order} is not a permutation of the {rank} axes of {self.x.type}")
        self.update(permutation=order)

    def infer(self) -> TensorType:
        type = self.x.tensor
        order = self.permutation or ()
        names = None if type.axis_names is None else [type.axis_names[i] for i in order]
        dtype = type.dtype
        if isinstance(dtype, QuantizedType) and dtype.axis is not None:
            dtype = replace(dtype, axis=order.index(dtype.axis))
        return TensorType([type.shape[i] for i in order], dtype, names)

    linear = ("x",)

    def vjp(self, g: Value, y: Value) -> tuple[Value]:
        order = self.permutation or ()
        return (ops.transpose(g, permutation=sorted(range(len(order)), key=order.__getitem__)),)

    def batch(self, batch: Batch) -> Value:
        order = [a + 1 for a in self.permutation or ()]
        moved: Value = ops.transpose(batch.operands[0], permutation=(0, *order))
        return moved

    def reference(self, x: Array) -> Array:
        return x.transpose(self.permutation)


class BroadcastInDim(
    Primitive, name="broadcast_in_dim", mlir="stablehlo.broadcast_in_dim", rounding="moves"
):
    """Operand axis `i` becomes result axis `dims[i]`; new axes and axes of size 1 repeat."""

    x: Value
    shape: tuple[int, ...]
    dims: tuple[int, ...] = attribute("i64_array", mlir="broadcast_dimensions")

    examples = (
        Example(x=f32[3], shape=(2, 3), dims=(1,)),
        Example(x=f32[2, 1], shape=(2, 3, 4), dims=(0, 2)),
        Example(x=f32[2, 3], shape=(3, 4, 2), dims=(2, 0)),
        Example(x=i1[()], shape=(2, 0), dims=()),
        Example(x=bf16[0, 1], shape=(0, 2), dims=(0, -1)),
    )

    def prepare(self) -> None:
        checks.static(self.x, "dynamic_broadcast_in_dim")
        shape = checks.static_shape(self.shape, "shape", "dynamic_broadcast_in_dim")
        given = checks.integers(self.dims, "dims")
        dims = tuple([checks.axis(d, len(shape), "dims entry") for d in given])
        self.update(shape=shape, dims=dims)

    attributes_from_types = staticmethod(shape_of_result)

    def infer(self) -> TensorType:
        check_broadcast(self.x.tensor, self.shape, self.dims)
        return TensorType.shared(self.shape, self.x.tensor.dtype)

    linear = ("x",)

    def vjp(self, g: Value, y: Value) -> tuple[Value]:
        return (summed_to(g, self.x.tensor.static_shape, self.dims),)

    def batch(self, batch: Batch) -> Value:
        shape, dims = (batch.size, *self.shape), (0, *[d + 1 for d in self.dims])
        wide: Value = ops.broadcast_in_dim(batch.operands[0], shape=shape, dims=dims)
        return wide

    def reference(self, x: Array) -> Array:
        return broadcast_array(x, self.shape, self.dims)


def summed_to(g: Value, shape: tuple[int, ...], dims: Sequence[int]) -> Value:
    """The transpose of a broadcast of `shape` to the axes `dims`: sums over what was repeated."""
    wide = g.tensor.static_shape
    sources = {d: shape[i] for i, d in enumerate(dims)}
    axes = [d for d, n in enumerate(wide) if n != 1 and sources.get(d, 1) == 1]
    order = sorted(range(len(dims)), key=dims.__getitem__)
    if axes:
        g = ops.sum(g, axes=axes)
    if list(order) != list(range(len(dims))):
        g = ops.reshape(g, shape=[shape[i] for i in order])
        g = ops.transpose(g, permutation=dims_ranks(dims))
    return g if g.shape == shape else ops.reshape(g, shape=shape)


def dims_ranks(dims: Sequence[int]) -> list[int]:
    """For each axis its place among the sorted ones."""
    inside = sorted(dims)
    return [inside.index(d) for d in dims]


def check_broadcast(type: TensorType, shape: Sequence[Any], dims: Sequence[int]) -> None:
    """Raise ShapeError unless the axes of `type` can go to the axes `dims` of `shape`."""
    checks.length(dims, type.rank, "dims")
    if len(set(dims)) != len(dims):
        raise ShapeError(f"dims {tuple(dims)} name a result axis twice")
    for i, d in enumerate(dims):
        size, target = type.shape[i], shape[d]
        if isinstance(size, int) and isinstance(target, int) and size not in (1, target):
            raise ShapeError(
                f"axis {i} of {type} has size {size}, but goes to axis {d} of size {target}",
                hint="only size 1 stretches",
            )


def broadcast_array(x: Array, shape: Sequence[int], dims: Sequence[int]) -> Array:
    """The array with axis `i` moved to `dims[i]` and repeated to fill `shape`."""
    wide = [1] * len(shape)
    for i, d in enumerate(dims):
        wide[d] = x.shape[i]
    order = np.argsort(np.array(dims, np.int64), kind="stable")
    return np.broadcast_to(x.transpose(order).reshape(wide), tuple(shape))


class BroadcastTo(Derived, name="broadcast_to", rounding="moves"):
    """Repeated to fill `shape`, axes aligned on the right; nothing is emitted when it fits."""

    x: Value
    shape: tuple[int, ...]

    examples = (
        Example(x=f32[3], shape=(2, 3)),
        Example(x=f32[2, 1], shape=(2, 2, 3)),
        Example(x=i8[2, 3], shape=(2, 3)),
        Example(x=bf16[()], shape=(0, 2)),
    )

    def prepare(self) -> None:
        self.update(shape=checks.static_shape(self.shape, "shape", "dynamic_broadcast_in_dim"))

    def infer(self) -> TensorType:
        type = self.x.tensor
        lead = len(self.shape) - type.rank
        if lead < 0:
            raise ShapeError(f"{type} has more axes than shape {shape_text(self.shape)}")
        if type.shape == self.shape:
            return type
        checks.static(self.x, "dynamic_broadcast_in_dim")
        check_broadcast(type, self.shape, range(lead, len(self.shape)))
        return TensorType.shared(self.shape, type.dtype)

    def expand(self, x: Value) -> Value:
        if x.shape == self.shape:
            return x
        dims = range(len(self.shape) - x.rank, len(self.shape))
        return ops.broadcast_in_dim(x, shape=self.shape, dims=dims)

    linear = ("x",)

    def vjp(self, g: Value, y: Value) -> tuple[Value]:
        return (unbroadcast(g, self.x.tensor),)

    def batch(self, batch: Batch) -> Value:
        x = batch.operands[0]
        lead = len(self.shape) + 1 - x.rank
        shape, dims = (batch.size, *self.shape), (0, *range(lead + 1, len(self.shape) + 1))
        wide: Value = x if x.shape == shape else ops.broadcast_in_dim(x, shape=shape, dims=dims)
        return wide

    def reference(self, x: Array) -> Array:
        return np.broadcast_to(x, self.shape)


class Reshaping(Derived, rounding="moves"):
    """Base of the ops that are a reshape with another spelling."""

    x: Value

    def expand(self, x: Value) -> Value:
        return ops.reshape(x, shape=self.results[0].tensor.static_shape)

    linear = ("x",)

    def vjp(self, g: Value, y: Value) -> tuple[Value]:
        return (ops.reshape(g, shape=self.x.tensor.static_shape),)

    def batch(self, batch: Batch) -> Value:
        shape = (batch.size, *self.results[0].tensor.static_shape)
        return ops.reshape(batch.operands[0], shape=shape)

    def reference(self, x: Array) -> Array:
        return x.reshape(self.results[0].tensor.static_shape)


class Squeeze(Reshaping, name="squeeze"):
    """Without the given axes, which must have size 1; without all such axes when none is given."""

    axes: tuple[int, ...] | None = None

    examples = (
        Example(x=f32[1, 2, 1]),
        Example(x=f32[1, 2, 1], axes=(-1,)),
        Example(x=bf16[1], axes=0),
        Example(x=i32[0, 1]),
    )

    def prepare(self) -> None:
        type = checks.static(self.x, "dynamic_reshape")
        ones = tuple([i for i, d in enumerate(type.shape) if d == 1])
        axes = ones if self.axes is None else checks.axes(self.axes, type.rank)
        for i in axes:
            if i not in ones:
                raise ShapeError(
                    f"axis {i} of {type} has size {type.shape[i]}",
                    hint="only an axis of size 1 can go",
                )
        self.update(axes=axes)

    def infer(self) -> TensorType:
        kept = [i for i in range(self.x.tensor.rank) if i not in (self.axes or ())]
        return picked(self.x.tensor, kept)


def picked(type: TensorType, axes: Sequence[int]) -> TensorType:
    """The type of the given axes, with their names."""
    names = None if type.axis_names is None else [type.axis_names[i] for i in axes]
    return TensorType([type.shape[i] for i in axes], type.dtype, names)


class ExpandDims(Reshaping, name="expand_dims"):
    """With axes of size 1 put in, at the given positions of the result."""

    axes: tuple[int, ...]

    examples = (
        Example(x=f32[2, 3], axes=(0, -1)),
        Example(x=f32[()], axes=0),
        Example(x=bf16[0], axes=(1,)),
        Example(x=i32[2], axes=()),
    )

    def prepare(self) -> None:
        type = checks.static(self.x, "dynamic_reshape")
        axes = checks.integers(self.axes, "axes")
        self.update(axes=checks.axes(axes, type.rank + len(axes)))

    def infer(self) -> TensorType:
        sizes = iter(self.x.tensor.shape)
        rank = self.x.tensor.rank + len(self.axes)
        shape = [1 if i in self.axes else next(sizes) for i in range(rank)]
        return TensorType(shape, self.x.tensor.dtype)


class Flatten(Reshaping, name="flatten"):
    """Axes `start` to `end` (inclusive) as one, in row-major order; all of them by default."""

    start: int = 0
    end: int = -1

    examples = (
        Example(x=f32[2, 3, 4]),
        Example(x=f32[2, 3, 4], start=1),
        Example(x=bf16[2, 0, 4], start=0, end=1),
        Example(x=i32[()]),
    )

    def prepare(self) -> None:
        type = checks.static(self.x, "dynamic_reshape")
        rank = max(type.rank, 1)
        start, end = checks.axis(self.start, rank, "start"), checks.axis(self.end, rank, "end")
        if end < start:
            raise ShapeError(f"axes {start} to {end} of {type} are none")
        self.update(start=start, end=end)

    def infer(self) -> TensorType:
        type = self.x.tensor
        shape = type.static_shape
        joined = math.prod(shape[self.start : self.end + 1])
        return type.with_shape([*shape[: self.start], joined, *shape[self.end + 1 :]])


class Reverse(Primitive, name="reverse", mlir="stablehlo.reverse", rounding="moves"):
    """The elements along `axes` in opposite order."""

    x: Value
    axes: tuple[int, ...] = attribute("i64_array", mlir="dimensions")

    examples = (
        Example(x=f32[2, 3], axes=(1,)),
        Example(x=i8[2, 3], axes=(0, -1)),
        Example(x=bf16[0, 2], axes=0),
        Example(x=f32[()], axes=()),
    )

    def prepare(self) -> None:
        axes = checks.integers(self.axes, "axes")
        self.update(axes=checks.axes(axes, self.x.tensor.rank))

    def infer(self) -> TensorType:
        return self.x.tensor

    linear = ("x",)

    def vjp(self, g: Value, y: Value) -> tuple[Value]:
        return (ops.reverse(g, axes=self.axes),)

    def batch(self, batch: Batch) -> Value:
        turned: Value = ops.reverse(batch.operands[0], axes=[a + 1 for a in self.axes])
        return turned

    def reference(self, x: Array) -> Array:
        return np.flip(x, self.axes)
