"""Looking up: the elements of a tensor at computed places of one axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from dxir import checks
from dxir.derivatives import Cotangent
from dxir.dialects.addressing import Addressing, along
from dxir.dialects.indexing import widened
from dxir.errors import ShapeError
from dxir.examples import Example, Sample
from dxir.graph import Value
from dxir.op import Composite, attribute
from dxir.transforms import Batch
from dxir.types import TensorType, bf16, f32, i1, i8, i32, i64, ui8

Array = np.ndarray[Any, Any]


class Lookup(Composite):
    """Base of take and take_along: a gather whose indices clamp, along one axis.

    The gradient goes to the elements that are read: that of an index out of range to the one that
    it clamps to.
    """

    x: Value
    indices: Value
    axis: int = attribute(default=0)

    linear = ("x",)

    @property
    def addressing(self) -> Addressing:
        """The dimension numbers of the gather that it is."""
        raise NotImplementedError(f"{self.op} does not say where it looks")

    def expand(self, x: Value, indices: Value) -> Value:
        return self.addressing.gather(x, indices)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, None]:
        return (self.addressing.transposed(g, widened(self.indices), self.x.tensor), None)


class Take(Lookup, name="take", rounding="exact"):
    """The slices of `x` at `indices` along `axis`, which gives way to the shape of `indices`.

    Indices out of range clamp, negative ones to 0: it is `x[indices]` that counts from the end.
    """

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

    @property
    def addressing(self) -> Addressing:
        axis, rank, batch = self.axis, self.x.tensor.rank, self.indices.tensor.rank
        sizes = self.x.tensor.static_shape
        window = (*range(axis), *range(axis + batch, batch + rank - 1))
        return Addressing(
            window, (axis,), (), (), (axis,), batch, (*sizes[:axis], 1, *sizes[axis + 1 :])
        )

    def batch(self, batch: Batch) -> Value:
        only_x = not batch.batched[1]
        if only_x or not (batch.batched[0] or self.axis):
            taken: Value = batch.rebuild(batch.operands, axis=self.axis + only_x)
            return taken
        operands = (batch.operands[0], widened(batch.operands[1]))
        return self.addressing.batched_gather(operands, batch.batched, batch.size)

    def reference(self, x: Array, indices: Array) -> Array:
        return np.take(x, _clamped(indices, x.shape[self.axis]), axis=self.axis)


def _clamped(indices: Array, size: int) -> Array:
    wide = np.array([int(i) for i in indices.reshape(-1)], object)
    inside: Array = np.clip(wide, 0, size - 1).astype(np.int64)
    return inside.reshape(indices.shape)


class TakeAlong(Lookup, name="take_along", rounding="exact"):
    """For each place of `indices`, the element of `x` there but at that index along `axis`.

    `indices` has the rank of `x` and its sizes on the other axes. They clamp to the axis.
    """

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

    @property
    def addressing(self) -> Addressing:
        return along(self.x.tensor.static_shape, self.axis)

    def batch(self, batch: Batch) -> Value:
        if all(batch.batched):
            taken: Value = batch.rebuild(batch.operands, axis=self.axis + 1)
            return taken
        operands = (batch.operands[0], widened(batch.operands[1]))
        return self.addressing.batched_gather(operands, batch.batched, batch.size)

    def reference(self, x: Array, indices: Array) -> Array:
        return np.take_along_axis(x, _clamped(indices, x.shape[self.axis]), axis=self.axis)
