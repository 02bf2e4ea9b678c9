"""Ops whose shape, bounds or padding are values, known only at run time.

`shape` is what is known of the result's shape beforehand: sizes, named dimensions, or `"?"`;
without it nothing but the rank is. XLA takes only results of known sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Undefined, zeros
from dxir.dialects.constants import counted
from dxir.dialects.shape import broadcast_array, check_broadcast, shape_of_result, summed_to
from dxir.errors import AttributeValueError, DTypeError, ShapeError, TransformError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Primitive, attribute
from dxir.transforms import Batch
from dxir.types import (
    UNKNOWN,
    Dim,
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

    def looped(self, batch: Batch) -> Value:
        """The op on each element of the batch, for amounts that differ along it.

        A TransformError unless the type says that the results have one shape all the same.
        """
        type = self.results[0].tensor
        if not type.is_static:
            raise TransformError(
                f"{self.op}: the shapes differ along the batch, so there is no tensor of all of "
                "them",
                where=self.location,
            )
        if not batch.size:
            return zeros(type.with_shape((0, *type.static_shape)))
        found = []
        for k in range(batch.size):
            operands = [
                _one(v, k) if b else v for v, b in zip(batch.operands, batch.batched, strict=True)
            ]
            found.append(batch.rebuild(operands))
        stacked: Value = ops.stack(found)
        return stacked


def _one(value: Value, place: int) -> Value:
    """An element of a batch."""
    shape = value.tensor.static_shape
    starts, limits = [place] + [0] * (len(shape) - 1), [place + 1, *shape[1:]]
    one: Value = ops.reshape(ops.slice(value, starts=starts, limits=limits), shape=shape[1:])
    return one


def runtime_shape(value: Value, dtype: DType = i32) -> Value:
    """The sizes of a tensor as a vector."""
    if value.tensor.is_static:
        return ops.constant(np.array(value.shape, dtype.numpy))
    sizes = [
        ops.constant(np.array([n], np.int32))
        if isinstance(n, int)
        else ops.reshape(ops.get_dimension_size(value, axis=a), shape=(1,))
        for a, n in enumerate(value.shape)
    ]
    joined: Value = sizes[0] if len(sizes) == 1 else ops.concat(sizes, axis=0)
    return joined if dtype == i32 else ops.convert(joined, dtype=dtype)


def reshaped(value: Value, shape: Sequence[Dimension]) -> Value:
    """A value in another shape, whose sizes that are not known are among those of the value."""
    if value.shape == tuple(shape):
        return value
    found: Value
    if value.tensor.is_static:
        found = ops.reshape(value, shape=TensorType(shape, value.tensor.dtype).static_shape)
        return found
    unknown = [d for d in value.shape if isinstance(d, Dim)]
    unnamed = [d for d in unknown if d.name == "?"]
    if len(unnamed) > 1 or any(isinstance(d, Dim) and d not in unknown for d in shape):
        raise ShapeError(
            f"{value.type} cannot be brought to {shape_text(tuple(shape))}: which size is which is "
            "not told",
            hint="give each size that is not known a name of its own",
        )
    sizes = [
        ops.constant(np.array([n], np.int32))
        if isinstance(n, int)
        else ops.reshape(ops.get_dimension_size(value, axis=value.shape.index(n)), shape=(1,))
        for n in shape
    ]
    found = ops.dynamic_reshape(value, ops.concat(sizes, axis=0), shape=tuple(shape))
    return found


def with_size(sizes: Value, axis: int, size: int) -> Value:
    """A vector of sizes with another one for an axis."""
    rank = sizes.tensor.static_shape[0]
    one = ops.constant(np.array([size], sizes.tensor.primitive.numpy))
    parts = [
        *([ops.slice(sizes, starts=(0,), limits=(axis,))] if axis else []),
        one,
        *([ops.slice(sizes, starts=(axis + 1,), limits=(rank,))] if axis + 1 < rank else []),
    ]
    joined: Value = ops.concat(parts, axis=0)
    return joined


def behind(number: int, amounts: Value) -> Value:
    """A vector of integers with one more in front."""
    first = np.array([number]).astype(amounts.tensor.primitive.numpy)
    joined: Value = ops.concat((ops.constant(first), amounts), axis=0)
    return joined


class DynamicReshape(
    Dynamic, name="dynamic_reshape", mlir="stablehlo.dynamic_reshape", rounding="moves"
):
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

    linear = ("x",)

    def vjp(self, g: Value, y: Value) -> tuple[Value, None]:
        x = self.x
        if x.tensor.is_static and g.tensor.is_static:
            return ops.reshape(g, shape=x.tensor.static_shape), None
        return ops.dynamic_reshape(g, runtime_shape(x), shape=x.shape), None

    def batch(self, batch: Batch) -> Value:
        x, output_shape = batch.operands
        if batch.batched[1]:
            return self.looped(batch)
        shape = (batch.size, *self.results[0].tensor.shape)
        found: Value = ops.dynamic_reshape(x, behind(batch.size, output_shape), shape=shape)
        return found

    def reference(self, x: Array, output_shape: Array) -> Array:
        return x.reshape([int(d) for d in output_shape])


class DynamicBroadcastInDim(
    Dynamic,
    name="dynamic_broadcast_in_dim",
    mlir="stablehlo.dynamic_broadcast_in_dim",
    rounding="moves",
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

    def lacks(self, rule: str) -> Undefined | None:
        kept = set(self.known_nonexpanding_dimensions or ())
        shape = self.results[0].tensor.shape
        for axis, size in enumerate(self.x.shape):
            unknown = isinstance(size, Dim) and axis not in kept
            if rule == "vjp" and unknown and shape[self.dims[axis]] != size:
                return Undefined(
                    f"whether axis {axis} of {self.x.type} is repeated is not known, and so not "
                    "what to sum over",
                    "name it in known_nonexpanding_dimensions, or give it the same name as in the "
                    "result",
                )
        return None

    linear = ("x",)

    def vjp(self, g: Value, y: Value) -> tuple[Value, None]:
        if self.x.tensor.is_static and g.tensor.is_static:
            return summed_to(g, self.x.tensor.static_shape, self.dims), None
        ones = [d for a, d in enumerate(self.dims) if self.x.shape[a] == 1]
        axes = [d for d in range(g.rank) if d in ones or d not in self.dims]
        summed = ops.sum(g, axes=axes) if axes else g
        rest = [a for a, size in enumerate(self.x.shape) if size != 1]
        order = sorted(rest, key=self.dims.__getitem__)
        if order != rest:
            summed = ops.transpose(summed, permutation=[order.index(a) for a in rest])
        if summed.shape != self.x.shape:
            summed = ops.dynamic_reshape(summed, runtime_shape(self.x), shape=self.x.shape)
        return summed, None

    def batch(self, batch: Batch) -> Value:
        x, sizes = batch.operands
        if batch.batched[1]:
            return self.looped(batch)
        shape = (batch.size, *self.results[0].tensor.shape)
        expanding, kept = self.known_expanding_dimensions, self.known_nonexpanding_dimensions
        found: Value = ops.dynamic_broadcast_in_dim(
            x, behind(batch.size, sizes), shape=shape, dims=(0, *[d + 1 for d in self.dims]),
            known_expanding_dimensions=None if expanding is None else [a + 1 for a in expanding],
            known_nonexpanding_dimensions=None if kept is None else [a + 1 for a in kept],
        )  # fmt: skip
        return found

    def reference(self, x: Array, output_dimensions: Array) -> Array:
        return broadcast_array(x, [int(d) for d in output_dimensions], self.dims)


class DynamicIota(Dynamic, name="dynamic_iota", mlir="stablehlo.dynamic_iota", rounding="moves"):
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

    def batch(self, batch: Batch) -> Value:
        return self.looped(batch)

    def reference(self, output_shape: Array) -> Array:
        return counted([int(d) for d in output_shape], self.axis, self.dtype)
