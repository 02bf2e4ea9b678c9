"""Ops whose shape, bounds or padding are values, known only at run time.

`shape` is what is known of the result's shape beforehand: sizes, named dimensions, or `"?"`;
without it nothing but the rank is. XLA takes only results of known sizes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from dxir import checks
from dxir.dialects.constants import counted
from dxir.dialects.indexing import Gather, batch_shape, check_batching, check_vectors, vector_dim
from dxir.dialects.padding import padded
from dxir.dialects.shape import broadcast_array, check_broadcast, shape_of_result
from dxir.errors import AttributeValueError, DTypeError, ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Primitive, attribute, make
from dxir.types import (
    UNKNOWN,
    Dimension,
    DType,
    TensorType,
    Type,
    bf16,
    f32,
    i1,
    i8,
    i32,
    i64,
    shape_text,
)

Array = np.ndarray[Any, Any]


class Dynamic(Primitive):
    """Base of the ops that take a shape, or one number for each axis, as a value."""

    shape: tuple[Dimension, ...] | None = None

    attributes_from_types = staticmethod(shape_of_result)

    def numbers(self, value: Value, what: str, count: int | None = None) -> int:
        """How many numbers there are in `value`, which must be integers along one axis."""
        checks.kind(value, "int uint", what)
        type = checks.rank_is(value, 1, what)
        size = type.shape[0]
        if not isinstance(size, int):
            raise ShapeError(f"{what} has type {type}", hint="the number of sizes must be known")
        if count is not None and size != count:
            raise ShapeError(f"{what} has {size} entries, but {count} are needed")
        return size

    def shaped(self, rank: int, dtype: object) -> TensorType:
        """The result type of that rank."""
        if self.shape is None:
            return TensorType([UNKNOWN] * rank, dtype)
        result = TensorType(self.shape, dtype)
        if result.rank != rank:
            raise ShapeError(
                f"shape {shape_text(result.shape)} has {result.rank} axes, "
                f"but the result has {rank}"
            )
        return result

    def prepare(self) -> None:
        if self.shape is not None:
            self.update(shape=TensorType(self.shape, f32).shape)


class DynamicReshape(Dynamic, name="dynamic_reshape", mlir="stablehlo.dynamic_reshape"):
    """The same elements in row-major order in the shape that the value `output_shape` says."""

    x: Value
    output_shape: Value

    examples = (
        Example(x=f32[2, 6], output_shape=np.array([3, 4], np.int32), shape=(3, 4)),
        Example(x=bf16[1], output_shape=np.zeros(0, np.int64), shape=()),
        Example(x=f32["n", 4], output_shape=i32[1], shape=("m",), runs=False),
        Example(x=i8[4], output_shape=i64[2], runs=False),
    )

    def infer(self) -> TensorType:
        rank = self.numbers(self.output_shape, "output_shape")
        type = self.x.tensor
        result = self.shaped(rank, type.dtype)
        if type.is_static and result.is_static and type.size != result.size:
            raise ShapeError(
                f"{type} has {type.size} elements, but shape {shape_text(result.shape)} "
                f"has {result.size}"
            )
        return result

    def reference(self, x: Array, output_shape: Array) -> Array:
        return x.reshape([int(d) for d in output_shape])


class DynamicBroadcastInDim(
    Dynamic, name="dynamic_broadcast_in_dim", mlir="stablehlo.dynamic_broadcast_in_dim"
):
    """`broadcast_in_dim` to the shape that the value `output_dimensions` says.

    Axes of the operand that will stretch, or will not, may be named in advance.
    """

    x: Value
    output_dimensions: Value
    dims: tuple[int, ...] = attribute("i64_array", mlir="broadcast_dimensions")
    known_expanding_dimensions: tuple[int, ...] | None = attribute("i64_array", default=None)
    known_nonexpanding_dimensions: tuple[int, ...] | None = attribute("i64_array", default=None)

    examples = (
        Example(
            x=f32[3], output_dimensions=np.array([2, 3], np.int32), dims=(1,), shape=(2, 3),
        ),
        Example(
            x=f32["n", 1], output_dimensions=i64[3], dims=(0, 2), shape=(2, "n", 4),
            known_expanding_dimensions=(1,), known_nonexpanding_dimensions=(0,), runs=False,
        ),
        Example(x=i1[()], output_dimensions=i32[1], dims=(), runs=False),
    )  # fmt: skip

    def prepare(self) -> None:
        super().prepare()
        self.update(dims=checks.integers(self.dims, "dims"))
        for name in ("known_expanding_dimensions", "known_nonexpanding_dimensions"):
            given: Any = self.attrs[name]
            if given is not None:
                self.update(**{name: checks.axes(given, self.x.rank, name)})

    def infer(self) -> TensorType:
        rank = self.numbers(self.output_dimensions, "output_dimensions")
        result = self.shaped(rank, self.x.dtype)
        for d in self.dims:
            if not 0 <= d < rank:
                raise ShapeError(f"dims entry {d} is out of range for a result of rank {rank}")
        check_broadcast(self.x.tensor, result.shape, self.dims)
        expanding = set(self.known_expanding_dimensions or ())
        both = expanding & set(self.known_nonexpanding_dimensions or ())
        if both:
            raise AttributeValueError(f"axes {sorted(both)} are said to expand and not to expand")
        return result

    def reference(self, x: Array, output_dimensions: Array) -> Array:
        return broadcast_array(x, [int(d) for d in output_dimensions], self.dims)


class DynamicIota(Dynamic, name="dynamic_iota", mlir="stablehlo.dynamic_iota"):
    """`iota` in the shape that the value `output_shape` says."""

    output_shape: Value
    axis: int = attribute("i64", mlir="iota_dimension")
    dtype: DType

    examples = (
        Example(output_shape=np.array([2, 3], np.int32), axis=1, dtype=f32, shape=(2, 3)),
        Example(output_shape=i64[1], axis=0, dtype=bf16, runs=False),
        Example(output_shape=i32[2], axis=-1, dtype=i8, shape=("n", 3), runs=False),
    )

    def prepare(self) -> None:
        super().prepare()
        rank = self.numbers(self.output_shape, "output_shape")
        self.update(axis=checks.axis(self.axis, rank), dtype=DType.of(self.dtype))

    @staticmethod
    def attributes_from_types(
        operand_types: Sequence[Type], result_types: Sequence[Type]
    ) -> dict[str, Any]:
        """The attributes that MLIR keeps in the result type."""
        type: Any = result_types[0]
        return {"shape": type.shape, "dtype": type.dtype}

    def infer(self) -> TensorType:
        if self.dtype.is_bool:
            raise DTypeError("iota does not count in i1", hint="count in an integer, then convert")
        return self.shaped(self.numbers(self.output_shape, "output_shape"), self.dtype)

    def reference(self, output_shape: Array) -> Array:
        return counted([int(d) for d in output_shape], self.axis, self.dtype)


class DynamicPad(Dynamic, name="dynamic_pad", mlir="stablehlo.dynamic_pad"):
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

    def reference(self, x: Array, value: Array, low: Array, high: Array, interior: Array) -> Array:
        return padded(x, value, low.tolist(), high.tolist(), interior.tolist())


class RealDynamicSlice(Dynamic, name="real_dynamic_slice", mlir="stablehlo.real_dynamic_slice"):
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

    def reference(self, x: Array, starts: Array, limits: Array, strides: Array) -> Array:
        cuts = [tuple(map(int, c)) for c in zip(starts, limits, strides, strict=True)]
        for axis, (start, limit, stride) in enumerate(cuts):
            if not 0 <= start <= limit <= x.shape[axis] or stride < 1:
                raise ShapeError(
                    f"{start}:{limit}:{stride} on axis {axis} is not inside {list(x.shape)}"
                )
        return x[tuple(slice(*c) for c in cuts)]


class DynamicGather(Dynamic, name="dynamic_gather", mlir="stablehlo.dynamic_gather"):
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

    def reference(self, operand: Array, start_indices: Array, slice_sizes: Array) -> Array:
        attrs = {k: v for k, v in self.attrs.items() if k != "shape"}
        attrs["slice_sizes"] = tuple(map(int, slice_sizes))
        static = make(Gather, self.operands[:2], attrs, [r.type for r in self.results])
        found: Array = static.reference(operand, start_indices)
        return found
