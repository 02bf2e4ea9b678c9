"""Ops that only say what derivatives do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dxir.derivatives import Zero, zeros
from dxir.errors import DTypeError, ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Composite, Derived
from dxir.transforms.joint import where
from dxir.types import TensorType, bf16, c64, f32, i1, i32

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]


class StopGradient(Composite, name="stop_gradient", rounding="moves"):
    """`x` itself, as a constant to derivatives: none goes through it."""

    x: Value

    examples = (
        Example(x=f32[2, 3]),
        Example(x=bf16[0, 4]),
        Example(x=c64[()]),
        Example(x=i32[5]),
    )
    derivative = Zero("it is there to stop them")

    def infer(self) -> TensorType:
        return self.x.tensor

    def expand(self, x: Value) -> Value:
        return x

    def batch(self, batch: Batch) -> Value:
        found: Value = batch.rebuild(batch.operands)
        return found

    def reference(self, x: Array) -> Array:
        return x


class MaskGradient(Derived, name="mask_gradient", rounding="moves"):
    """`x` itself, through which derivatives go where `mask` is true only.

    `mask` has the leading axes of `x`. Elsewhere the derivative is zero, even where what follows
    has none that is finite.
    """

    x: Value
    mask: Value

    examples = (
        Example(x=f32[2, 3], mask=np.ones(2, np.bool_)),
        Example(x=c64[3], mask=np.ones(3, np.bool_)),
        Example(x=i32[2, 3], mask=i1[()]),
    )

    def infer(self) -> TensorType:
        mask, x = self.mask.tensor, self.x.tensor
        if mask.dtype != i1:
            raise DTypeError(f"the mask is {mask}, but must be of i1")
        if mask.shape != x.shape[: mask.rank]:
            raise ShapeError(f"the mask is {mask}, but must have the leading axes of {x}")
        return x

    def expand(self, x: Value, mask: Value) -> Value:
        return x

    def vjp(self, g: Value, y: Value) -> tuple[Value, None]:
        return where(self.mask, g, zeros(g)), None

    def jvp(self, tangents: tuple[Value | None, Value | None], y: Value) -> Value | None:
        t = tangents[0]
        return None if t is None else where(self.mask, t, zeros(t))

    def batch(self, batch: Batch) -> Value:
        found: Value = batch.rebuild(batch.full_operands())
        return found

    def reference(self, x: Array, mask: Array) -> Array:
        return x
