"""Padding, slices and gather whose amounts are values, known only at run time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent, scalar
from dxir.dialects.addressing import Addressing, added
from dxir.dialects.dynamic import Dynamic, behind, runtime_shape, with_size
from dxir.dialects.indexing import (
    Gather,
    batch_shape,
    check_batching,
    check_vectors,
    vector_dim,
    widened,
)
from dxir.dialects.padding import padded
from dxir.errors import ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import attribute, make
from dxir.transforms import Batch
from dxir.types import UNKNOWN, Dimension, TensorType, bf16, f32, i1, i8, i32

Array = np.ndarray[Any, Any]


def cut(value: Value, axis: int, start: int, limit: int, stride: int = 1) -> Value:
    """Every `stride`-th element along an axis of known size, whatever sizes the others have."""
    rank = value.rank
    axis %= rank
    bounds = [0] * rank, [1] * rank
    bounds[0][axis], bounds[1][axis] = start, stride
    found: Value
    if value.tensor.is_static:
        limits = [limit if i == axis else n for i, n in enumerate(value.tensor.static_shape)]
        found = ops.slice(value, starts=bounds[0], limits=limits, strides=bounds[1])
        return found
    shape = [-(-(limit - start) // stride) if i == axis else n for i, n in enumerate(value.shape)]
    starts, strides = (np.asarray(b, np.int32) for b in bounds)
    ends = with_size(runtime_shape(value), axis, limit)
    found = ops.real_dynamic_slice(value, starts, ends, strides, shape=shape)
    return found


def zero_of(value: Value) -> Value:
    """A scalar 0 of the type of a tensor's elements."""
    return scalar(0, value.tensor.with_shape(()))


class DynamicPad(Dynamic, name="dynamic_pad", mlir="stablehlo.dynamic_pad", rounding="moves"):
    """`pad` with amounts that are values: one number for each axis in `low`, `high`, `interior`."""

    x: Value
    value: Value
    low: Value
    high: Value
    interior: Value

    examples = (
        Example(
            x=f32[2, 3], value=f32[()], low=np.array([1, -1]), high=np.array([0, 2]),
            interior=np.array([1, 0]), shape=(4, 4), runs=False,
        ),
        Example(x=bf16["n"], value=bf16[()], low=i32[1], high=i32[1], interior=i32[1], runs=False),
    )  # fmt: skip

    def infer(self) -> TensorType:
        type = self.x.tensor
        checks.same_dtype((self.x, self.value))
        checks.rank_is(self.value, 0, "value")
        for name in ("low", "high", "interior"):
            self.numbers(getattr(self, name), name, type.rank)
        checks.same_dtype((self.low, self.high, self.interior))
        return self.shaped(type.rank, type.dtype)

    linear = ("x", "value")

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        kept: list[Value] = []

        def of_elements() -> Value:
            if not kept:
                kept.append(self._kept(g))
            return kept[0]

        def of_value() -> Value:
            rest: Value = ops.sub(ops.sum(g), ops.sum(of_elements()))
            return rest

        return of_elements, of_value, None, None, None

    def _kept(self, g: Value) -> Value:
        """The elements of `g` where those of `x` are; 0 for those that were taken away."""
        dtype = self.low.tensor.primitive
        none = ops.full(shape=self.low.shape, value=0, dtype=dtype)
        whole = ops.dynamic_pad(g, zero_of(g), ops.neg(self.low), ops.neg(self.high), none)
        strides = ops.add(self.interior, 1)
        limits = runtime_shape(whole, dtype)
        found: Value = ops.real_dynamic_slice(whole, none, limits, strides, shape=self.x.shape)
        return found

    def batch(self, batch: Batch) -> Value:
        _, value, *amounts = batch.operands
        if any(batch.batched[2:]):
            return self.looped(batch)
        shape = (batch.size, *self.results[0].tensor.shape)
        around = [behind(0, a) for a in amounts]
        if not batch.batched[1]:
            found: Value = ops.dynamic_pad(batch.full(0), value, *around, shape=shape)
            return found
        zero = scalar(0, self.value.tensor)
        inside = ops.dynamic_pad(batch.full(0), zero, *around, shape=shape)
        false = ops.full(shape=self.x.tensor.static_shape, value=False, dtype=i1)
        outside = ops.dynamic_pad(batch.spread(false), np.bool_(True), *around, shape=shape)
        sizes = runtime_shape(inside)
        values = ops.dynamic_broadcast_in_dim(value, sizes, shape=shape, dims=(0,))
        return ops.select(outside, values, inside)

    def reference(self, x: Array, value: Array, low: Array, high: Array, interior: Array) -> Array:
        return padded(x, value, low.tolist(), high.tolist(), interior.tolist())


class RealDynamicSlice(
    Dynamic, name="real_dynamic_slice", mlir="stablehlo.real_dynamic_slice", rounding="moves"
):
    """`slice` with bounds that are values: one number for each axis; out of bounds is an error."""

    x: Value
    starts: Value
    limits: Value
    strides: Value

    examples = (
        Example(
            x=f32[4, 3], starts=np.array([1, 0]), limits=np.array([4, 2]),
            strides=np.array([2, 1]), shape=(2, 2), runs=False,
        ),
        Example(x=i8["n"], starts=i32[1], limits=i32[1], strides=i32[1], runs=False),
    )  # fmt: skip

    def infer(self) -> TensorType:
        type = self.x.tensor
        for name in ("starts", "limits", "strides"):
            self.numbers(getattr(self, name), name, type.rank)
        checks.same_dtype((self.starts, self.limits, self.strides))
        result = self.shaped(type.rank, type.dtype)
        for axis, (whole, part) in enumerate(zip(type.shape, result.shape, strict=True)):
            if isinstance(whole, int) and isinstance(part, int) and part > whole:
                raise ShapeError(f"a slice of size {part} does not fit axis {axis} of {type}")
        return result

    linear = ("x",)

    def vjp(self, g: Value, y: Value) -> tuple[Value, None, None, None]:
        starts, strides = self.starts, self.strides
        dtype = starts.tensor.primitive
        sizes = runtime_shape(g, dtype)
        steps = ops.max(ops.sub(sizes, 1), 0)
        taken = ops.add(ops.mul(steps, strides), ops.min(sizes, 1))
        high = ops.sub(runtime_shape(self.x, dtype), ops.add(starts, taken))
        between = ops.sub(strides, 1)
        padded = ops.dynamic_pad(g, zero_of(g), starts, high, between, shape=self.x.shape)
        return padded, None, None, None

    def batch(self, batch: Batch) -> Value:
        x, starts, limits, strides = batch.operands
        if any(batch.batched[1:]):
            return self.looped(batch)
        shape = (batch.size, *self.results[0].tensor.shape)
        found: Value = ops.real_dynamic_slice(
            x, behind(0, starts), behind(batch.size, limits), behind(1, strides), shape=shape
        )
        return found

    def reference(self, x: Array, starts: Array, limits: Array, strides: Array) -> Array:
        cuts = [tuple(map(int, c)) for c in zip(starts, limits, strides, strict=True)]
        for axis, (start, limit, stride) in enumerate(cuts):
            if not 0 <= start <= limit <= x.shape[axis] or stride < 1:
                raise ShapeError(
                    f"{start}:{limit}:{stride} on axis {axis} is not inside {list(x.shape)}"
                )
        return x[tuple(slice(*c) for c in cuts)]


class DynamicGather(
    Dynamic, name="dynamic_gather", mlir="stablehlo.dynamic_gather", rounding="moves"
):
    """`gather` with window sizes that are a value, one number for each axis of the operand."""

    operand: Value
    start_indices: Value
    slice_sizes: Value
    offset_dims: tuple[int, ...]
    collapsed_slice_dims: tuple[int, ...]
    operand_batching_dims: tuple[int, ...] = ()
    start_indices_batching_dims: tuple[int, ...] = ()
    start_index_map: tuple[int, ...]
    index_vector_dim: int
    indices_are_sorted: bool | None = attribute("bool", default=None)

    packed: ClassVar[Mapping[str, tuple[str, tuple[str, ...]]]] = Gather.packed

    examples = (
        Example(
            operand=f32[4, 2], start_indices=np.array([[0], [-5], [3], [100]], np.int32),
            slice_sizes=np.array([1, 2]), offset_dims=(1,), collapsed_slice_dims=(0,),
            start_index_map=(0,), index_vector_dim=1, shape=(4, 2), runs=False,
        ),
        Example(
            operand=bf16["n", 2], start_indices=i32["m"], slice_sizes=i32[2], offset_dims=(1,),
            collapsed_slice_dims=(0,), start_index_map=(0,), index_vector_dim=1,
            indices_are_sorted=True, runs=False,
        ),
    )  # fmt: skip

    def prepare(self) -> None:
        super().prepare()
        self.update(
            index_vector_dim=vector_dim(self.index_vector_dim, self.start_indices.rank),
            **{
                name: checks.integers(self.attrs[name], name)
                for _, names in self.packed.values()
                for name in names
                if name != "index_vector_dim"
            },
        )

    def infer(self) -> TensorType:
        operand, indices = self.operand.tensor, self.start_indices.tensor
        checks.kind(self.start_indices, "int uint", "start_indices")
        self.numbers(self.slice_sizes, "slice_sizes", operand.rank)
        dropped = (*self.collapsed_slice_dims, *self.operand_batching_dims)
        if len(self.offset_dims) + len(dropped) != operand.rank:
            raise ShapeError(
                f"{operand} has {operand.rank} axes, but {len(self.offset_dims)} offset_dims and "
                f"{len(dropped)} collapsed or batching axes are given",
                hint="every axis of the operand is either offset, collapsed or batching",
            )
        checks.axes(dropped, operand.rank, "collapsed_slice_dims and operand_batching_dims")
        checks.axes(self.start_index_map, operand.rank, "start_index_map")
        check_vectors(indices, self.index_vector_dim, self.start_index_map, "start_index_map")
        check_batching(
            operand, indices, self.operand_batching_dims, self.start_indices_batching_dims,
            self.index_vector_dim,
        )  # fmt: skip
        batch = list(batch_shape(indices, self.index_vector_dim))
        rank = len(batch) + len(self.offset_dims)
        offset = checks.axes(self.offset_dims, rank, "offset_dims")
        known: list[Dimension] = [UNKNOWN if i in offset else batch.pop(0) for i in range(rank)]
        if self.shape is None:
            return operand.with_shape(known)
        checks.shapes_equal(self.shape, known, "the given result", "the gather")
        return operand.with_shape(self.shape)

    linear = ("operand",)

    def addressing(self, result: TensorType) -> Addressing:
        """The dimension numbers, with the sizes of windows that the type of the result tells."""
        dropped = (*self.collapsed_slice_dims, *self.operand_batching_dims)
        window = iter([result.shape[a] for a in self.offset_dims])
        sizes = [1 if a in dropped else next(window) for a in range(self.operand.rank)]
        return Addressing(
            self.offset_dims, self.collapsed_slice_dims, self.operand_batching_dims,
            self.start_indices_batching_dims, self.start_index_map, self.index_vector_dim,
            tuple(sizes),  # type: ignore[arg-type]  # or unknown: batches do not look at them
        )  # fmt: skip

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        type, indices = self.operand.tensor, widened(self.start_indices)
        how, is_sorted = self.addressing(g.tensor), self.indices_are_sorted
        if type.is_static and g.tensor.is_static and indices.tensor.is_static:
            return how.transposed(g, indices, type, is_sorted=is_sorted), None, None

        def added_up() -> Value:
            sizes = runtime_shape(self.operand)
            nothing = ops.dynamic_broadcast_in_dim(zero_of(g), sizes, shape=type.shape, dims=())
            return how.scatter(nothing, self._inside(indices), g, added)

        return added_up, None, None

    def _inside(self, indices: Value) -> Value:
        """The indices moved so that windows fit."""
        dtype = self.slice_sizes.tensor.primitive
        room = ops.sub(runtime_shape(self.operand, dtype), self.slice_sizes)
        limits = [ops.slice(room, starts=a, limits=a + 1) for a in self.start_index_map]
        high = ops.convert(ops.concat(limits, axis=0), dtype=indices.tensor.primitive)
        dims: tuple[int, ...] = (self.index_vector_dim,)
        if self.index_vector_dim == indices.rank:
            high, dims = ops.reshape(high, shape=()), ()
        sizes, shape = runtime_shape(indices), indices.shape
        most = ops.dynamic_broadcast_in_dim(high, sizes, shape=shape, dims=dims)
        least = ops.dynamic_broadcast_in_dim(zero_of(indices), sizes, shape=shape, dims=())
        moved: Value = ops.clamp(least, indices, most)
        return moved

    def batch(self, batch: Batch) -> Value:
        operand, indices, sizes = batch.operands
        if batch.batched[2]:
            return self.looped(batch)
        shape = (batch.size, *self.results[0].tensor.shape)
        how = self.addressing(self.results[0].tensor)
        is_sorted = self.indices_are_sorted
        if batch.batched[1]:
            is_sorted = None
            how = how.both_batched(batch.size) if batch.batched[0] else how.indices_batched()
        else:
            how = how.operand_batched(batch.size)
        if batch.batched[0]:
            sizes = behind(how.sizes[0], sizes)
        found: Value = ops.dynamic_gather(
            operand, indices, sizes, offset_dims=how.window, collapsed_slice_dims=how.dropped,
            operand_batching_dims=how.batching, start_indices_batching_dims=how.index_batching,
            start_index_map=how.targets, index_vector_dim=how.vector,
            indices_are_sorted=is_sorted, shape=shape,
        )  # fmt: skip
        return found

    def reference(self, operand: Array, start_indices: Array, slice_sizes: Array) -> Array:
        attrs = {k: v for k, v in self.attrs.items() if k != "shape"}
        attrs["slice_sizes"] = tuple(map(int, slice_sizes))
        static = make(Gather, self.operands[:2], attrs, [r.type for r in self.results])
        found: Array = static.reference(operand, start_indices)
        return found
