"""Ops that only say what derivatives do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dxir.derivatives import Zero
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Composite
from dxir.types import TensorType, bf16, c64, f32, i32

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]


class StopGradient(Composite, name="stop_gradient"):
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
