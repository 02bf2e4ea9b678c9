"""Ops that Shardy puts into programs for the time of its propagation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir.derivatives import Cotangent
from dxir.dialects.constants import constant_array
from dxir.dialects.sharding import as_sharding
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Primitive, attribute
from dxir.sharding import Mesh, Sharding
from dxir.types import TensorType, f32

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]

_MESH = Mesh("mesh", {"a": 2, "b": 2, "c": 4})


class SdyConstant(Primitive, name="sdy_constant", mlir="sdy.constant", rounding="moves"):
    """A constant that propagation may split into one for each use; `constant` is what to write."""

    value: Array = attribute("elements", positional=True)

    examples = (
        Example(value=np.arange(4, dtype=np.float32), runs=False),
        Example(value=np.zeros((0, 2), np.int32), runs=False),
    )

    def prepare(self) -> None:
        self.update(value=constant_array(self.value, None))

    def infer(self) -> TensorType:
        return TensorType.of_array(self.value)

    def reference(self) -> Array:
        return self.value


class DataFlowEdge(Primitive, name="data_flow_edge", mlir="sdy.data_flow_edge", rounding="moves"):
    """`x`, as what flows into a region or out of one, to which propagation gives one sharding."""

    x: Value
    spec: Sharding | None = attribute("sharding", default=None, mlir="sharding")

    examples = (
        Example(x=f32[8], runs=False),
        Example(x=f32[8], spec=Sharding(_MESH, "a"), runs=False),
    )

    def prepare(self) -> None:
        if self.spec is not None:
            self.update(spec=as_sharding(self.spec, self.x))

    def infer(self) -> TensorType:
        if self.spec is not None:
            self.spec.check(self.x.tensor, "the operand")
        return self.x.tensor

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent]:
        return (g,)

    def jvp(self, tangents: Sequence[Value | None], y: Value) -> Value | None:
        return tangents[0]

    def batch(self, batch: Batch) -> Value:
        """What flows there itself: Shardy puts the edges where it wants them."""
        return batch.operands[0]

    def reference(self, x: Array) -> Array:
        return x


class FuncDataFlowEdge(
    Primitive, name="func_data_flow_edge", mlir="sdy.func_data_flow_edge", rounding="moves"
):
    """`x`, as what flows into a function or out of one, to which propagation gives one sharding."""

    x: Value

    examples = (Example(x=f32[8], runs=False),)

    def infer(self) -> TensorType:
        return self.x.tensor

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent]:
        return (g,)

    def jvp(self, tangents: Sequence[Value | None], y: Value) -> Value | None:
        return tangents[0]

    def batch(self, batch: Batch) -> Value:
        """What flows there itself: Shardy puts the edges where it wants them."""
        return batch.operands[0]

    def reference(self, x: Array) -> Array:
        return x
