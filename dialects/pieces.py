"""Ops that take tensors apart and put them together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dxir import checks, ops
from dxir.errors import AttributeValueError, OperandError, ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Derived, Primitive, attribute
from dxir.types import (
    Dim,
    Dimension,
    TensorType,
    bf16,
    c64,
    f32,
    i1,
    i8,
    i32,
    same_dimension,
    shape_text,
    ui8,
)

Array = np.ndarray[Any, Any]


class Slice(Primitive, name="slice", mlir="stablehlo.slice"):
    """The elements from `starts` up to but not including `limits`, every `strides`-th."""

    x: Value
    starts: tuple[int, ...] = attribute("i64_array", mlir="start_indices")
    limits: tuple[int, ...] = attribute("i64_array", mlir="limit_indices")
    strides: tuple[int, ...] | None = attribute("i64_array", default=None)

    examples = (
        Example(x=f32[4], starts=0, limits=4, strides=2),
        Example(x=f32[3, 5], starts=(1, 0), limits=(3, 4), strides=(1, 3)),
        Example(x=bf16[2, 3], starts=(0, 2), limits=(2, 2)),
        Example(x=i8[()], starts=(), limits=()),
        Example(x=c64[0, 2], starts=(0, 1), limits=(0, 2)),
    )

    def prepare(self) -> None:
        starts = checks.integers(self.starts, "starts")
        given = self.strides
        strides = (1,) * len(starts) if given is None else checks.integers(given, "strides")
        self.update(starts=starts, limits=checks.integers(self.limits, "limits"), strides=strides)

    def infer(self) -> TensorType:
        type = self.x.tensor
        strides = self.strides or ()
        for name, values in (
            ("starts", self.starts),
            ("limits", self.limits),
            ("strides", strides),
        ):
            checks.length(values, type.rank, name)
        shape = []
        for axis, size in enumerate(type.shape):
            start, limit, stride = self.starts[axis], self.limits[axis], strides[axis]
            if stride < 1:
                raise AttributeValueError(
                    f"strides[{axis}] is {stride}", hint="it must be positive"
                )
            if not 0 <= start <= limit or (isinstance(size, int) and limit > size):
                raise ShapeError(
                    f"{start}:{limit} on axis {axis} is not inside {type}",
                    hint=f"0 <= start <= limit <= {size} is needed; negative ones do not count "
                    "from the end",
                )
            shape.append(-(-(limit - start) // stride))
        return type.with_shape(shape)

    def reference(self, x: Array) -> Array:
        cuts = zip(self.starts, self.limits, self.strides or (), strict=True)
        return x[tuple(slice(*c) for c in cuts)]


def widen_indices(starts: Sequence[Value]) -> tuple[Value, ...]:
    """Indices narrower than 32 bits as i32, zero-extended when they are unsigned."""
    return tuple([ops.convert(s, dtype=i32) if s.tensor.primitive.bits < 32 else s for s in starts])


class Starts(Primitive):
    """Base of the ops that work at a place given by one scalar for each axis."""

    def coerce(self, position: int, given: Any) -> Value:
        if isinstance(given, int) and not isinstance(given, bool):
            given = np.int32(given)
        return super().coerce(position, given)

    def check_starts(self, starts: Sequence[Value], rank: int) -> tuple[Value, ...]:
        """The starts, checked and wide enough."""
        checks.length(starts, rank, "starts")
        for start in starts:
            checks.kind(start, "int uint", "a start")
            checks.rank_is(start, 0, "a start")
        wide = widen_indices(starts)
        if wide:
            checks.same_dtype(wide)
        return wide


def clamped(
    starts: Sequence[Array], shape: Sequence[int], sizes: Sequence[int]
) -> tuple[slice, ...]:
    """The slices of `sizes` at `starts`, moved so that they lie inside `shape`."""
    places = [min(max(int(s), 0), d - n) for s, d, n in zip(starts, shape, sizes, strict=True)]
    return tuple(slice(p, p + n) for p, n in zip(places, sizes, strict=True))


class DynamicSlice(Starts, name="dynamic_slice", mlir="stablehlo.dynamic_slice"):
    """The block of `sizes` at the scalars `starts`, moved inside when it would stick out."""

    x: Value
    starts: tuple[Value, ...]
    sizes: tuple[int, ...] = attribute("i64_array", mlir="slice_sizes")

    examples = (
        Example(x=f32[4, 5], starts=(i32[()], i32[()]), sizes=(3, 2)),
        Example(x=bf16[4], starts=(np.uint8(200),), sizes=(3,)),
        Example(x=i8[4], starts=(np.int64(-5),), sizes=(4,)),
        Example(x=f32[()], starts=(), sizes=()),
        Example(x=f32[3, 2], starts=(ui8[()], ui8[()]), sizes=(0, 1)),
    )

    def prepare(self) -> None:
        self.operands = (self.x, *self.check_starts(self.starts, self.x.tensor.rank))
        self.update(sizes=checks.integers(self.sizes, "sizes"))

    def infer(self) -> TensorType:
        type = self.x.tensor
        checks.length(self.sizes, type.rank, "sizes")
        for axis, (size, wanted) in enumerate(zip(type.shape, self.sizes, strict=True)):
            if wanted < 0 or (isinstance(size, int) and wanted > size):
                raise ShapeError(f"a slice of size {wanted} does not fit axis {axis} of {type}")
        return type.with_shape(self.sizes)

    def reference(self, x: Array, *starts: Array) -> Array:
        return x[clamped(starts, x.shape, self.sizes)]


class DynamicUpdateSlice(
    Starts, name="dynamic_update_slice", mlir="stablehlo.dynamic_update_slice"
):
    """`x` with `update` written over the block at the scalars `starts`, moved inside if need be."""

    x: Value
    update: Value  # type: ignore[assignment]  # its node has no attributes to normalize
    starts: tuple[Value, ...]

    examples = (
        Example(x=f32[4, 5], update=f32[2, 3], starts=(i32[()], i32[()])),
        Example(x=bf16[4], update=bf16[3], starts=(np.uint8(200),)),
        Example(x=i8[4], update=i8[4], starts=(np.int64(-5),)),
        Example(x=f32[()], update=f32[()], starts=()),
        Example(x=f32[3], update=f32[0], starts=(i32[()],)),
    )

    def prepare(self) -> None:
        starts = self.check_starts(self.starts, self.x.tensor.rank)
        self.operands = (self.x, self.update, *starts)

    def infer(self) -> TensorType:
        type = self.x.tensor
        checks.same_dtype((self.x, self.update))
        checks.rank_is(self.update, type.rank, "update")
        for axis, (size, part) in enumerate(zip(type.shape, self.update.shape, strict=True)):
            if isinstance(size, int) and isinstance(part, int) and part > size:
                raise ShapeError(f"update {self.update.type} does not fit axis {axis} of {type}")
        return type

    def reference(self, x: Array, update: Array, *starts: Array) -> Array:
        out = x.copy()
        out[clamped(starts, x.shape, update.shape)] = update
        return out


class Concat(Primitive, name="concat", mlir="stablehlo.concatenate"):
    """The tensors one after the other along `axis`."""

    xs: tuple[Value, ...]
    axis: int = attribute("i64", mlir="dimension")

    examples = (
        Example(xs=(f32[2, 3], f32[2, 1], f32[2, 3]), axis=1),
        Example(xs=(bf16[3], bf16[0]), axis=0),
        Example(xs=(i1[1, 2],), axis=-2),
        Example(xs=(c64[2], c64[1]), axis=0),
    )

    def prepare(self) -> None:
        if not self.xs:
            raise OperandError("there is nothing to join", hint="give at least one tensor")
        self.update(axis=checks.axis(self.axis, self.xs[0].tensor.rank))

    def infer(self) -> TensorType:
        checks.same_dtype(self.xs)
        shape: list[Dimension] = list(self.xs[0].tensor.shape)
        total: Dimension = 0
        for position, value in enumerate(self.xs):
            type = checks.rank_is(value, len(shape), f"xs[{position}]")
            for axis, (a, b) in enumerate(zip(shape, type.shape, strict=True)):
                if axis != self.axis and not same_dimension(a, b):
                    raise ShapeError(
                        f"xs[{position}] has type {type}, but xs[0] has type {self.xs[0].type}: "
                        f"axis {axis} differs",
                        hint=f"only axis {self.axis} may have different sizes",
                    )
                if axis != self.axis and isinstance(a, Dim):
                    shape[axis] = b
            size = type.shape[self.axis]
            if isinstance(total, int) and isinstance(size, int):
                total += size
            else:
                total = Dim("?")
        shape[self.axis] = total
        return self.xs[0].tensor.with_shape(shape)

    def reference(self, *xs: Array) -> Array:
        return np.concatenate(xs, self.axis)


class Stack(Derived, name="stack"):
    """Tensors of one shape side by side along a new axis, at position `axis` of the result."""

    xs: tuple[Value, ...]
    axis: int = 0

    examples = (
        Example(xs=(f32[2, 3], f32[2, 3])),
        Example(xs=(bf16[2], bf16[2], bf16[2]), axis=-1),
        Example(xs=(i32[()], i32[()])),
        Example(xs=(f32[0, 2],), axis=1),
    )

    def prepare(self) -> None:
        if not self.xs:
            raise OperandError("there is nothing to stack", hint="give at least one tensor")
        self.update(axis=checks.axis(self.axis, self.xs[0].tensor.rank + 1))

    def infer(self) -> TensorType:
        checks.same_dtype(self.xs)
        first = checks.static(self.xs[0], "dynamic_reshape and concat")
        for position, value in enumerate(self.xs):
            checks.shapes_equal(value.shape, first.shape, f"xs[{position}]", "xs[0]")
        shape = list(first.shape)
        shape.insert(self.axis, len(self.xs))
        return first.with_shape(shape)

    def expand(self, *xs: Value) -> Value:
        single = [ops.expand_dims(x, axes=self.axis) for x in xs]
        return ops.concat(single, axis=self.axis)

    def reference(self, *xs: Array) -> Array:
        return np.stack(xs, self.axis)


class Split(Derived, name="split"):
    """The pieces along `axis`: `sizes` of them, all equal, or one of each of the given sizes."""

    x: Value
    sizes: int | tuple[int, ...]
    axis: int = 0

    examples = (
        Example(x=f32[4, 3], sizes=2),
        Example(x=f32[2, 6], sizes=(1, 0, 5), axis=-1),
        Example(x=bf16[0, 2], sizes=1),
        Example(x=i8[3], sizes=(3,)),
    )

    def prepare(self) -> None:
        type = self.x.tensor
        axis = checks.axis(self.axis, type.rank)
        size = checks.static(self.x, "real_dynamic_slice").static_shape[axis]
        sizes = self.sizes
        if isinstance(sizes, (tuple, list)):
            pieces = checks.integers(sizes, "sizes")
        else:
            count = checks.integer(sizes, "sizes")
            if count < 1 or size % count:
                raise ShapeError(f"axis {axis} of {type} does not split into {count} equal pieces")
            pieces = (size // count,) * count
        if not pieces or min(pieces) < 0 or sum(pieces) != size:
            raise ShapeError(f"pieces of sizes {pieces} do not make up axis {axis} of {type}")
        self.update(sizes=pieces, axis=axis)

    def infer(self) -> Sequence[TensorType]:
        shape = self.x.tensor.shape
        return tuple(
            [
                self.x.tensor.with_shape([*shape[: self.axis], size, *shape[self.axis + 1 :]])
                for size in checks.integers(self.sizes, "sizes")
            ]
        )

    def expand(self, x: Value) -> tuple[Value, ...]:
        starts, limits = [0] * x.rank, list(x.shape)
        pieces = []
        for size in checks.integers(self.sizes, "sizes"):
            limits[self.axis] = starts[self.axis] + size
            pieces.append(ops.slice(x, starts=tuple(starts), limits=tuple(limits)))
            starts[self.axis] += size
        return tuple(pieces)

    def reference(self, x: Array) -> tuple[Array, ...]:
        return tuple(np.split(x, np.cumsum(self.sizes)[:-1], self.axis))


class Pad(Primitive, name="pad", mlir="stablehlo.pad"):
    """`value` put before (`low`), after (`high`) and between (`interior`) the elements.

    Negative `low` and `high` take elements away instead. `value` is a scalar of the type of `x`.
    """

    x: Value
    value: Value
    low: tuple[int, ...] = attribute("i64_array", mlir="edge_padding_low")
    high: tuple[int, ...] = attribute("i64_array", mlir="edge_padding_high")
    interior: tuple[int, ...] | None = attribute("i64_array", mlir="interior_padding", default=None)

    examples = (
        Example(x=f32[3], value=np.float32(0), low=0, high=0, interior=2),
        Example(x=f32[2, 3], value=f32[()], low=(1, 0), high=(0, 2)),
        Example(x=i8[4, 3], value=np.int8(-1), low=(-1, 2), high=(-2, -3), interior=(1, 1)),
        Example(x=bf16[0], value=bf16[()], low=2, high=1),
        Example(x=i1[()], value=i1[()], low=(), high=()),
        Example(x=f32[2], value=f32[()], low=-3, high=2, interior=1),
    )

    def coerce(self, position: int, given: Any) -> Value:
        x: Any = self.x
        if position == 1 and isinstance(x, Value) and isinstance(given, (int, float, complex)):
            return ops.full(shape=(), value=given, dtype=self.x.tensor.primitive)
        return super().coerce(position, given)

    def prepare(self) -> None:
        low = checks.integers(self.low, "low")
        given = self.interior
        interior = (0,) * len(low) if given is None else checks.integers(given, "interior")
        self.update(low=low, high=checks.integers(self.high, "high"), interior=interior)

    def infer(self) -> TensorType:
        type = self.x.tensor
        checks.same_dtype((self.x, self.value))
        checks.rank_is(self.value, 0, "value")
        interior = self.interior or ()
        for name, values in (("low", self.low), ("high", self.high), ("interior", interior)):
            checks.length(values, type.rank, name)
        if interior and min(interior) < 0:
            raise AttributeValueError(f"interior is {interior}", hint="it cannot be negative")
        shape: list[Dimension] = []
        for axis, size in enumerate(type.shape):
            if isinstance(size, Dim):
                shape.append(Dim("?"))
                continue
            spread = size + max(size - 1, 0) * interior[axis]
            padded = self.low[axis] + spread + self.high[axis]
            if padded < 0:
                raise ShapeError(
                    f"low {shape_text(self.low)} and high {shape_text(self.high)} take more than "
                    f"there is of axis {axis} of {type}"
                )
            shape.append(padded)
        return type.with_shape(shape)

    def reference(self, x: Array, value: Array) -> Array:
        return padded(x, value, self.low, self.high, self.interior or ())


def padded(
    x: Array, value: Array, low: Sequence[int], high: Sequence[int], interior: Sequence[int]
) -> Array:
    """The array padded as `pad` says."""
    spread = [n + max(n - 1, 0) * int(k) for n, k in zip(x.shape, interior, strict=True)]
    out = np.full(
        [int(a) + n + int(b) for a, n, b in zip(low, spread, high, strict=True)], value, x.dtype
    )
    for index in np.ndindex(*x.shape):
        at = [int(a) + i * (int(k) + 1) for a, i, k in zip(low, index, interior, strict=True)]
        if all(0 <= i < n for i, n in zip(at, out.shape, strict=True)):
            out[tuple(at)] = x[index]
    return out
