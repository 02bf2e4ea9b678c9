"""Neural-network composites: activations, softmax and losses, normalisation."""

from __future__ import annotations

from typing import Any

import numpy as np

from dxir import checks, ops
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Composite
from dxir.types import TensorType, bf16, f32

Array = np.ndarray[Any, Any]


class Relu(Composite, name="relu"):
    """`max(x, 0)`; NaN stays NaN."""

    x: Value

    examples = (Example(x=f32[2, 3]), Example(x=bf16[0, 4]))

    def infer(self) -> TensorType:
        checks.kind(self.x, "int uint float")
        return self.x.tensor

    def expand(self, x: Value) -> Value:
        return ops.add(x, ops.full_like(x, value=0))

    def reference(self, x: Array) -> Array:
        return x+0
