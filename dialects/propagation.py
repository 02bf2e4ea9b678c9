"""What propagation of shardings is told of values that it is not to change: barriers, groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks
from dxir.derivatives import Cotangent, rebuild
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Primitive, attribute
from dxir.types import TensorType, bf16, f32, i32

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]

_BATCHED = 1 << 32  # added to the ids of groups, far from those that programs use


class PropagationBarrier(
    Primitive, name="propagation_barrier", mlir="sdy.propagation_barrier", rounding="moves"
):
    """`x`; shardings propagate through it in the allowed direction only.

    FORWARD is from the operand to the result, BACKWARD from the result to the operand, and NONE
    lets nothing pass.
    """

    x: Value
    allowed_direction: str = attribute("sdy_direction", default="NONE")

    examples = (
        Example(x=f32[2, 3], runs=False),
        Example(x=bf16[0], allowed_direction="FORWARD", runs=False),
        Example(x=i32[()], allowed_direction="BACKWARD", runs=False),
    )

    def infer(self) -> TensorType:
        checks.one_of(self.allowed_direction, ("NONE", "FORWARD", "BACKWARD"), "allowed_direction")
        return self.x.tensor

    linear = ("x",)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent]:
        """A barrier of the other direction: cotangents go the other way."""
        turned = {"FORWARD": "BACKWARD", "BACKWARD": "FORWARD"}
        direction = turned.get(self.allowed_direction, self.allowed_direction)
        return (lambda: rebuild(self, (g,), allowed_direction=direction),)

    def batch(self, batch: Batch) -> Value:
        """The op, which takes any shape."""
        found: Value = batch.rebuild(batch.operands)
        return found

    def reference(self, x: Array) -> Array:
        return x


class ShardingGroup(Primitive, name="sharding_group", mlir="sdy.sharding_group", rounding="moves"):
    """Put `x` into the group `group_id`: all values of a group get one sharding. No result."""

    x: Value
    group_id: int = attribute("i64", positional=True)

    examples = (Example(x=f32[2, 3], group_id=0, runs=False),)

    @property
    def has_side_effect(self) -> bool:
        """True: what it does is seen by propagation, not through a result."""
        return True

    def prepare(self) -> None:
        self.update(group_id=checks.integer(self.group_id, "group_id"))

    def infer(self) -> Sequence[TensorType]:
        assert self.x.tensor is not None
        return ()

    def batch(self, batch: Batch) -> Sequence[Any]:
        """A group of the batched values alone: values of a group have one rank."""
        batch.rebuild(batch.operands, group_id=self.group_id + _BATCHED)
        return ()

    def reference(self, x: Array) -> tuple[Array, ...]:
        return ()
