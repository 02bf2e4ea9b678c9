"""Looking up, sorting and ranking: take, sort, argsort, top_k."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dxir import checks, ops
from dxir.errors import ShapeError
from dxir.examples import Example, Sample
from dxir.graph import Region, Value
from dxir.op import Composite, Primitive, attribute
from dxir.types import DType, TensorType, Type, bf16, f8e5m2, f16, f32, f64, i1, i8, i32, i64, ui8

Array = np.ndarray[Any, Any]
_ORDERED = "bool int uint float"


class Take(Composite, name="take"):
    """The slices of `x` at `indices` along `axis`, which gives way to the shape of `indices`.

    Indices out of range clamp, negative ones to 0: it is `x[indices]` that counts from the end.
    """

    x: Value
    indices: Value
    axis: int = attribute(default=0)

    examples = (
        Example(x=f32[4, 2], indices=np.array([0, -5, 3, 100], np.int32)),
        Example(x=bf16[3, 4, 2], indices=Sample(i64[2, 3], -1, 4), axis=1),
        Example(x=i1[3, 5], indices=i32[()], axis=-1),
        Example(x=i32[300], indices=Sample(ui8[4], 0, 255)),
        Example(x=f32[3, 2], indices=i32[0], axis=1),
        Example(x=f32[3, 0], indices=i32[2]),
    )

    def prepare(self) -> None:
        checks.rank_at_least(self.x, 1, "x")
        self.update(axis=checks.axis(self.axis, self.x.tensor.rank))

    def infer(self) -> TensorType:
        type, axis = self.x.tensor, self.axis
        checks.kind(self.indices, "int uint", "indices")
        if type.shape[axis] == 0:
            raise ShapeError(f"axis {axis} of {type} has no elements to take")
        return type.with_shape(
            (*type.shape[:axis], *self.indices.tensor.shape, *type.shape[axis + 1 :])
        )

    def expand(self, x: Value, indices: Value) -> Value:
        axis, rank, batch = self.axis, x.tensor.rank, indices.tensor.rank
        sizes = x.tensor.static_shape
        value: Value = ops.gather(
            x,
            indices,
            offset_dims=(*range(axis), *range(axis + batch, batch + rank - 1)),
            collapsed_slice_dims=(axis,),
            start_index_map=(axis,),
            index_vector_dim=batch,
            slice_sizes=(*sizes[:axis], 1, *sizes[axis + 1 :]),
        )
        return value

    def reference(self, x: Array, indices: Array) -> Array:
        return np.take(x, _clamped(indices, x.shape[self.axis]), axis=self.axis)


def _clamped(indices: Array, size: int) -> Array:
    wide = np.array([int(i) for i in indices.reshape(-1)], object)
    inside: Array = np.clip(wide, 0, size - 1).astype(np.int64)
    return inside.reshape(indices.shape)


class TakeAlong(Composite, name="take_along"):
    """For each place of `indices`, the element of `x` there but at that index along `axis`.

    `indices` has the rank of `x` and its sizes on the other axes. They clamp to the axis.
    """

    x: Value
    indices: Value
    axis: int = attribute(default=-1)

    examples = (
        Example(x=f32[3, 4], indices=Sample(i32[3, 2], -2, 5)),
        Example(x=bf16[3, 4, 2], indices=Sample(i64[3, 1, 2], 0, 3), axis=1),
        Example(x=i8[200], indices=Sample(ui8[3], 0, 255)),
        Example(x=f32[3, 0], indices=i32[0, 0], axis=0),
    )

    def prepare(self) -> None:
        checks.rank_at_least(self.x, 1, "x")
        self.update(axis=checks.axis(self.axis, self.x.tensor.rank))

    def infer(self) -> TensorType:
        type, indices = self.x.tensor, self.indices.tensor
        checks.kind(self.indices, "int uint", "indices")
        checks.rank_is(self.indices, type.rank, "indices")
        if type.shape[self.axis] == 0:
            raise ShapeError(f"axis {self.axis} of {type} has no elements to take")
        for axis, (a, b) in enumerate(zip(type.shape, indices.shape, strict=True)):
            if axis != self.axis:
                checks.shapes_equal((a,), (b,), f"axis {axis} of x", f"axis {axis} of indices")
        return type.with_shape(indices.shape)

    def expand(self, x: Value, indices: Value) -> Value:
        rank = x.tensor.rank
        others = tuple(a for a in range(rank) if a != self.axis)
        value: Value = ops.gather(
            x,
            indices,
            offset_dims=(),
            collapsed_slice_dims=(self.axis,),
            operand_batching_dims=others,
            start_indices_batching_dims=others,
            start_index_map=(self.axis,),
            index_vector_dim=rank,
            slice_sizes=tuple(min(1, d) for d in x.tensor.static_shape),
        )
        return value

    def reference(self, x: Array, indices: Array) -> Array:
        return np.take_along_axis(x, _clamped(indices, x.shape[self.axis]), axis=self.axis)


class SortBy(Primitive, name="sort_by", mlir="stablehlo.sort"):
    """The `inputs` reordered together along `dimension` so that a traced `comparator` is content.

    `comparator(a, b, ...)` gets two scalars of each input and says whether the first comes before
    the second: it must be a strict weak order. Without `is_stable`, equal ones come in any order.
    The result is a tuple.
    """

    inputs: tuple[Value, ...]
    comparator: Region
    dimension: int = attribute("i64", default=-1)
    is_stable: bool | None = attribute("bool", default=None)

    examples = (
        Example(
            inputs=(f32[2, 5], i32[2, 5]),
            comparator=lambda a, b, i, j: ops.compare(a, b, direction="GT", total_order=True),
            dimension=1,
            is_stable=True,
        ),
        Example(
            inputs=(i32[4, 2],), comparator=lambda a, b: ops.compare(a, b, direction="LT"),
            dimension=0,
        ),
        Example(inputs=(bf16[0, 3],), comparator=lambda a, b: a < b, dimension=0, hostile=False),
    )  # fmt: skip

    def prepare(self) -> None:
        if not self.inputs:
            raise ShapeError("at least one input is needed")
        rank = checks.rank_at_least(self.inputs[0], 1, "an input").rank
        self.update(dimension=checks.axis(self.dimension, rank, "dimension"))

    def region_params(self) -> Sequence[Sequence[Type]]:
        scalars = [v.tensor.with_shape(()) for v in self.inputs]
        return [[s for s in scalars for _ in range(2)]]

    def infer(self) -> tuple[TensorType, ...]:
        first = self.inputs[0].tensor
        for value in self.inputs[1:]:
            checks.shapes_equal(first.shape, value.tensor.shape, "the first input", "another input")
        checks.region_returns(self.comparator, (i1[()],), "the comparator")
        checks.captures_nothing(self.comparator, "the comparator")
        return tuple(v.tensor for v in self.inputs)

    def reference(self, *inputs: Array, comparator: Callable[..., Any]) -> tuple[Array, ...]:
        axis = self.dimension
        columns = [np.moveaxis(x, axis, -1) for x in inputs]
        results = [np.empty_like(c) for c in columns]
        for at in np.ndindex(*columns[0].shape[:-1]):
            rows = [c[at] for c in columns]

            def order(i: int, j: int, rows: list[Array] = rows) -> int:
                pairs = [np.asarray(r[k]) for r in rows for k in (i, j)]
                if comparator(*pairs)[0]:
                    return -1
                swapped = [np.asarray(r[k]) for r in rows for k in (j, i)]
                return 1 if comparator(*swapped)[0] else 0

            places = sorted(range(len(rows[0])), key=functools.cmp_to_key(order))
            for result, row in zip(results, rows, strict=True):
                result[at] = row[places]
        return tuple(np.moveaxis(r, -1, axis) for r in results)


def _comparison(descending: bool) -> Callable[..., Value]:
    direction = "GT" if descending else "LT"

    def compare(a: Value, b: Value, *_: Value) -> Value:
        total = a.tensor.primitive.is_float
        value: Value = ops.compare(a, b, direction=direction, total_order=total)
        return value

    return compare


class Ordering(Composite):
    """Base of sort and argsort."""

    x: Value
    axis: int = attribute(default=-1)
    descending: bool = attribute(default=False)
    stable: bool = attribute(default=True)

    def prepare(self) -> None:
        rank = checks.rank_at_least(self.x, 1, "x").rank
        self.update(
            axis=checks.axis(self.axis, rank),
            descending=bool(self.descending),
            stable=bool(self.stable),
        )


class Sort(Ordering, name="sort"):
    """The elements of `x` in order along `axis`: floats by total order, so NaN comes after +inf.

    Total order is -NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN.
    """

    examples = (
        Example(x=f32[2, 6]),
        Example(x=bf16[5, 2], axis=0, descending=True),
        Example(x=f16[7], stable=False),
        Example(x=f64[4], descending=True),
        Example(x=f8e5m2[8]),
        Example(x=i32[2, 0, 3], axis=1),
        Example(x=ui8[9], descending=True),
        Example(x=i1[4]),
    )

    def infer(self) -> TensorType:
        checks.kind(self.x, _ORDERED)
        return self.x.tensor

    def expand(self, x: Value) -> Value:
        (value,) = ops.sort_by(
            (x,), _comparison(self.descending), dimension=self.axis, is_stable=self.stable
        )
        return value

    def reference(self, x: Array) -> Array:
        return np.take_along_axis(x, total_order(x, self.axis, self.descending), self.axis)


class Argsort(Ordering, name="argsort"):
    """The i32 indices along `axis` that sort `x`, in the order of `sort`; ties in index order.

    Without `stable`, ties come in any order.
    """

    examples = (
        Example(x=f32[2, 6]),
        Example(x=bf16[5, 2], axis=0, descending=True),
        Example(x=i32[2, 0, 3], axis=1),
        Example(x=i1[5], descending=True),
        Example(x=np.array([3, 1, 2], np.int8), stable=False),
    )

    def infer(self) -> TensorType:
        checks.kind(self.x, _ORDERED)
        return TensorType(self.x.tensor.shape, i32)

    def expand(self, x: Value) -> Value:
        places = ops.iota(shape=x.tensor.static_shape, axis=self.axis, dtype=i32)
        _, value = ops.sort_by(
            (x, places), _comparison(self.descending), dimension=self.axis, is_stable=self.stable
        )
        return value

    def reference(self, x: Array) -> Array:
        return total_order(x, self.axis, self.descending).astype(np.int32)


class TopK(Primitive, name="top_k", mlir="chlo.top_k"):
    """The `k` largest along the last axis, largest first, and their i32 indices.

    Floats rank by total order, so NaN comes before +inf; of equal ones the lower index comes first.
    `is_stable` needs StableHLO 1.22 or later (jaxlib 0.12).
    """

    x: Value
    k: int = attribute("i64")
    is_stable: bool | None = attribute("bool", default=None)

    examples = (
        Example(x=np.array([1, np.nan, 3, 3, 2, np.inf], np.float32), k=4),
        Example(x=bf16[3, 6], k=2),
        Example(x=f32[2, 5], k=5),
        Example(x=i32[8], k=3),
        Example(x=ui8[2, 6], k=6),
        Example(x=f32[2, 4], k=0),
        Example(x=f64[0, 3], k=1),
    )

    def prepare(self) -> None:
        self.update(k=checks.integer(self.k, "k"))

    def infer(self) -> tuple[TensorType, TensorType]:
        type = checks.rank_at_least(self.x, 1, "x")
        checks.kind(self.x, "int uint float", "x")
        last = type.shape[-1]
        if self.k < 0 or (isinstance(last, int) and self.k > last):
            raise ShapeError(f"k is {self.k}, but the last axis of {type} has size {last}")
        result = type.with_shape((*type.shape[:-1], self.k))
        return result, result.with_dtype(i32)

    def reference(self, x: Array) -> tuple[Array, Array]:
        order = total_order(x, -1, descending=True)[..., : self.k]
        return np.take_along_axis(x, order, -1), order.astype(np.int32)


def total_order(x: Array, axis: int, descending: bool) -> Array:
    """The stable argsort of `x`, floats by IEEE total order."""
    keys = _keys(x)
    if descending:
        # Sorting the flipped array by the negated order keeps the lower index first among ties.
        flipped = np.argsort(np.flip(keys, axis), axis=axis, kind="stable")
        return np.flip(x.shape[axis] - 1 - flipped, axis)
    return np.argsort(keys, axis=axis, kind="stable")


def _keys(x: Array) -> Array:
    dtype = DType.of(x.dtype)
    if not dtype.is_float:
        return x.astype(np.uint64 if dtype.is_unsigned else np.int64)
    width = x.dtype.itemsize * 8
    bits = np.ascontiguousarray(x).view(f"u{x.dtype.itemsize}").reshape(x.shape).astype(np.uint64)
    sign = np.uint64(1 << (dtype.bits - 1))
    mask = np.uint64((1 << min(width, dtype.bits)) - 1)
    return np.where(bits & sign, ~bits & mask, bits | sign)
