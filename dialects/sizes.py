"""Ops that read and set the size of an axis at run time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks
from dxir.derivatives import Undefined
from dxir.errors import ShapeError, TransformError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Primitive, attribute
from dxir.transforms import Batch, Unbatched
from dxir.types import Dim, TensorType, bf16, f32, i32

if TYPE_CHECKING:
    from dxir.transforms.flagging import Flagging

Array = np.ndarray[Any, Any]


class GetDimensionSize(
    Primitive, name="get_dimension_size", mlir="stablehlo.get_dimension_size", rounding="moves"
):
    """The size of one axis at run time, as a scalar i32."""

    x: Value
    axis: int = attribute("i64", mlir="dimension")

    examples = (Example(x=f32[2, 3], axis=1), Example(x=bf16[0, 3], axis=-2))

    def prepare(self) -> None:
        self.update(axis=checks.axis(self.axis, self.x.tensor.rank))

    def infer(self) -> TensorType:
        return i32[()]

    def batch(self, batch: Batch) -> Unbatched:
        return Unbatched(batch.rebuild(batch.operands, axis=self.axis + 1))

    def batch_flags(self, given: Sequence[bool], flagging: Flagging) -> Sequence[bool]:
        return [False]

    def reference(self, x: Array) -> Array:
        return np.asarray(x.shape[self.axis], np.int32)


class SetDimensionSize(
    Primitive, name="set_dimension_size", mlir="stablehlo.set_dimension_size", rounding="moves"
):
    """`x` cut to `size` (a scalar i32) along one axis, whose present size becomes the bound."""

    x: Value
    size: Value
    axis: int = attribute("i64", mlir="dimension")

    examples = (
        Example(x=f32[4, 3], size=np.int32(2), axis=0, runs=False),
        Example(x=bf16[2, 3], size=np.int32(3), axis=-1, runs=False),
    )

    def prepare(self) -> None:
        self.update(axis=checks.axis(self.axis, self.x.tensor.rank))

    def infer(self) -> TensorType:
        checks.rank_is(self.size, 0, "size")
        if self.size.tensor.dtype != i32:
            raise ShapeError(f"size has type {self.size.type}", hint="it must be a scalar i32")
        type = self.x.tensor
        old = type.shape[self.axis]
        bounded = Dim("?", old.bound if isinstance(old, Dim) else old)
        return type.with_shape([bounded if i == self.axis else d for i, d in enumerate(type.shape)])

    derivative = Undefined(
        "what lies beyond the size is not known, and its cotangent neither",
        "mask with dxir.ops.select in place of cutting",
    )

    def batch(self, batch: Batch) -> Value:
        if batch.batched[1]:
            raise TransformError(
                "set_dimension_size: the sizes differ along the batch, so there is no tensor of "
                "all results",
                where=self.location,
            )
        cut: Value = batch.rebuild(batch.operands, axis=self.axis + 1)
        return cut

    def reference(self, x: Array, size: Array) -> Array:
        return np.take(x, range(min(int(size), x.shape[self.axis])), axis=self.axis)
