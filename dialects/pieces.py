"""Ops that read and write a block of a tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent, is_zeros, zeros
from dxir.dialects.addressing import Addressing, replaced
from dxir.errors import AttributeValueError, ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Primitive, attribute
from dxir.transforms import Batch
from dxir.types import TensorType, bf16, c64, f32, i8, i32, ui8

Array = np.ndarray[Any, Any]


class Slice(Primitive, name="slice", mlir="stablehlo.slice", rounding="moves"):
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

    linear = ("x",)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent]:
        if g.tensor.size == 0:
            return (None,)
        strides = self.strides or ()
        low, high = list(self.starts), []
        for a, whole in enumerate(self.x.tensor.static_shape):
            last = self.starts[a] + (g.tensor.static_shape[a] - 1) * strides[a]
            high.append(whole - last - 1)
        return (ops.pad(g, 0, low=low, high=high, interior=[s - 1 for s in strides]),)

    def batch(self, batch: Batch) -> Value:
        cut: Value = batch.rebuild(
            batch.operands,
            starts=(0, *self.starts),
            limits=(batch.size, *self.limits),
            strides=(1, *(self.strides or ())),
        )
        return cut

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


def zero_like(starts: Sequence[Value]) -> Value:
    """The start of the axis of the batch, of the type of the others."""
    dtype = starts[0].tensor.primitive if starts else i32
    zero: Value = ops.full(shape=(), value=0, dtype=dtype)
    return zero


def block_addressing(
    operands: Sequence[Value], batched: Sequence[bool], sizes: Sequence[int], size: int
) -> tuple[Addressing, Value]:
    """How a batch of blocks of `sizes` lies in `x` (first operand), and its index vectors.

    The scalars that say where are the others, some of them batched. Where a block fills its axis,
    it starts at 0 whatever they say.
    """
    x, starts = operands[0], operands[1:]
    whole = x.shape[1:] if batched[0] else x.shape
    moving = [
        a
        for a, start in enumerate(starts)
        if sizes[a] != whole[a] and (batched[a + 1] or not is_zeros(start))
    ] or [0]
    columns: list[Value] = []
    for a in moving:
        column = starts[a]
        if batched[a + 1]:
            columns.append(ops.reshape(column, shape=(size, 1)))
        else:
            columns.append(ops.broadcast_in_dim(column, shape=(size, 1), dims=()))
    indices = columns[0] if len(columns) == 1 else ops.concat(columns, axis=1)
    inner = tuple(range(1, len(whole) + 1))
    if not batched[0]:
        return Addressing(inner, (), (), (), tuple(moving), 1, tuple(sizes)), indices
    targets = tuple([a + 1 for a in moving])
    return Addressing(inner, (), (0,), (0,), targets, 1, (min(size, 1), *sizes)), indices


def clamped(
    starts: Sequence[Array], shape: Sequence[int], sizes: Sequence[int]
) -> tuple[slice, ...]:
    """The slices of `sizes` at `starts`, moved so that they lie inside `shape`."""
    places = [min(max(int(s), 0), d - n) for s, d, n in zip(starts, shape, sizes, strict=True)]
    return tuple(slice(p, p + n) for p, n in zip(places, sizes, strict=True))


class DynamicSlice(Starts, name="dynamic_slice", mlir="stablehlo.dynamic_slice", rounding="moves"):
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

    linear = ("x",)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        none = (None,) * len(self.starts)
        if self.sizes == self.x.shape:
            return (g, *none)
        base = self.x.type
        return (lambda: ops.dynamic_update_slice(zeros(base), g, self.starts), *none)

    def batch(self, batch: Batch) -> Value:
        x, *starts = batch.operands
        if not any(batch.batched[1:]):
            cut: Value = ops.dynamic_slice(
                x, [zero_like(starts), *starts], sizes=(batch.size, *self.sizes)
            )
            return cut
        how, indices = block_addressing(batch.operands, batch.batched, self.sizes, batch.size)
        return how.gather(x, indices)

    def reference(self, x: Array, *starts: Array) -> Array:
        return x[clamped(starts, x.shape, self.sizes)]


class DynamicUpdateSlice(
    Starts, name="dynamic_update_slice", mlir="stablehlo.dynamic_update_slice", rounding="moves"
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

    linear = ("x", "update")

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        none = (None,) * len(self.starts)
        part = self.operands[1].tensor
        if part.shape == self.x.shape:
            return (None, g, *none)

        def updated() -> Value:
            found: Value = ops.dynamic_slice(g, self.starts, sizes=part.static_shape)
            return found

        return (
            lambda: ops.dynamic_update_slice(g, zeros(part), self.starts),
            updated if part.size else None,
            *none,
        )

    def batch(self, batch: Batch) -> Value:
        x, part = batch.full(0), batch.full(1)
        starts = batch.operands[2:]
        if not any(batch.batched[2:]):
            written: Value = ops.dynamic_update_slice(x, part, [zero_like(starts), *starts])
            return written
        how, indices = block_addressing(
            (x, *starts), (True, *batch.batched[2:]), part.tensor.static_shape[1:], batch.size
        )
        inside, _ = how.clamped(indices, x.tensor.static_shape)
        return how.scatter(x, inside, part, replaced, unique=True)

    def reference(self, x: Array, update: Array, *starts: Array) -> Array:
        out = x.copy()
        out[clamped(starts, x.shape, update.shape)] = update
        return out
