"""Collectives that move values between the processes of a group: gather and exchange."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks, ops
from dxir.attributes import MeshAxesGroups
from dxir.derivatives import Cotangent
from dxir.dialects.collective_rules import (
    add,
    apart,
    groups_of,
    many,
    some,
)
from dxir.dialects.process_groups import (
    Collective,
    DeviceCollective,
    check_unsplit,
    growth,
    resized,
    static_axis,
)
from dxir.errors import AttributeValueError, ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import attribute
from dxir.sharding import Mesh
from dxir.types import TensorType, Type, bf16, f32, i1, i32, ui8

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]

_PAIRS = ((0, 1), (2, 3))
_MESH = Mesh("devices", {"x": 2, "y": 4})


class AllGather(DeviceCollective, name="all_gather", mlir="stablehlo.all_gather", rounding="exact"):
    """Concatenate each input along `axis` over the processes of a group, in the group's order.

    `group_size` is needed where the groups do not tell it: without groups, and where the
    partitions of the listed replicas take part. Groups are `cross_replica`, with a channel
    `cross_replica_and_partition`, and with global ids `flattened_ids`, as `dxir.process_groups`
    lists them.
    """

    inputs: tuple[Value, ...]
    axis: int = attribute("i64", mlir="all_gather_dim")
    group_size: int | None = None

    examples = (
        Example(inputs=(f32[2, 3],), axis=0, replica_groups=((0,),)),
        Example(inputs=(f32[2, 3], i32[4, 1]), axis=1, replica_groups=_PAIRS, runs=False),
        Example(inputs=(bf16[3],), axis=-1, group_size=4, runs=False),
        Example(
            inputs=(i1[3, 0],),
            axis=0,
            replica_groups=MeshAxesGroups(_MESH, ("y",)),
            channel=1,
            use_global_device_ids=True,
            runs=False,
        ),
    )

    def prepare(self) -> None:
        super().prepare()
        checks.not_empty(self.inputs, "inputs")
        self.update(axis=checks.axis(self.axis, self.inputs[0].tensor.rank))

    def infer(self) -> Sequence[TensorType]:
        self.check_groups()
        count = self.sized(self.group_size)
        found = []
        for value in self.inputs:
            checks.axis(self.axis, value.tensor.rank)
            size = static_axis(value, self.axis)
            if size == 0:
                raise ShapeError(f"axis {self.axis} of {value.type} is empty, so nothing gathers")
            found.append(resized(value.tensor, self.axis, size * count))
        return tuple(found)

    def vjp(self, g: Any, y: Any) -> tuple[Cotangent, ...]:
        """Each process gets the sum of the parts that came from it."""
        return tuple([None if v is None else partial(self._scattered, v) for v in many(g)])

    def _scattered(self, g: Value) -> Value:
        found: Value = ops.reduce_scatter(
            g, body=add, axis=self.axis, group_size=self.group_size, **groups_of(self)
        )
        return found

    def jvp(self, tangents: Sequence[Value | None], y: Any) -> Sequence[Value | None]:
        return some(tangents, lambda given: ops.all_gather(
            given, axis=self.axis, group_size=self.group_size, **groups_of(self)
        ))  # fmt: skip

    def batch(self, batch: Batch) -> Sequence[Any]:
        """The op along the next axis."""
        return apart(batch, axis=self.axis + 1)

    def reference(self, *inputs: Array) -> tuple[Array, ...]:
        check_unsplit(self)
        return tuple(self.met(inputs))

    def together(self, given: Sequence[Sequence[Array]], body: Any) -> Sequence[Sequence[Array]]:
        columns = zip(*given, strict=True)
        return [[np.concatenate(column, self.axis) for column in columns]] * len(given)

    @classmethod
    def attributes_from_types(
        cls, operand_types: Sequence[Type], result_types: Sequence[Type]
    ) -> dict[str, Any]:
        return {"group_size": growth(operand_types[0], result_types[0])}


class AllToAll(Collective, name="all_to_all", mlir="stablehlo.all_to_all", rounding="exact"):
    """Split each input along `split_axis`, send part i to process i, and join what arrives.

    The parts that arrive are concatenated along `concat_axis`, in the group's order.
    `split_count` is the group's size, and must divide the split axis. Groups are `cross_replica`,
    and with a channel `cross_partition`, as `dxir.process_groups` lists them.
    """

    inputs: tuple[Value, ...]
    split_axis: int = attribute("i64", mlir="split_dimension")
    concat_axis: int = attribute("i64", mlir="concat_dimension")
    split_count: int | None = attribute("i64", default=None)

    examples = (
        Example(inputs=(f32[4, 2],), split_axis=0, concat_axis=1, replica_groups=((0,),)),
        Example(
            inputs=(f32[4, 2], ui8[2, 0]),
            split_axis=0,
            concat_axis=-1,
            replica_groups=_PAIRS,
            runs=False,
        ),
        Example(
            inputs=(bf16[8],),
            split_axis=0,
            concat_axis=0,
            replica_groups=MeshAxesGroups(_MESH, ("y",)),
            channel=1,
            runs=False,
        ),
    )

    def prepare(self) -> None:
        super().prepare()
        checks.not_empty(self.inputs, "inputs")
        rank = self.inputs[0].tensor.rank
        count = self.group_members() if self.split_count is None else self.split_count
        # Without groups, jaxlib 0.10 ends the process in the verifier of this op.
        if count is None or self.group_members() is None:
            raise AttributeValueError("replica_groups must list the processes that exchange parts")
        self.update(
            split_axis=checks.axis(self.split_axis, rank, "split_axis"),
            concat_axis=checks.axis(self.concat_axis, rank, "concat_axis"),
            split_count=checks.integer(count, "split_count"),
        )

    def infer(self) -> Sequence[TensorType]:
        self.check_groups()
        count = self.split_count
        if count is None or count != self.group_members():
            raise AttributeValueError(
                f"split_count is {count}, but a group has {self.group_members()} processes"
            )
        found = []
        for value in self.inputs:
            checks.axis(self.split_axis, value.tensor.rank, "split_axis")
            checks.axis(self.concat_axis, value.tensor.rank, "concat_axis")
            size = static_axis(value, self.split_axis)
            if size % count:
                raise ShapeError(
                    f"axis {self.split_axis} of {value.type} does not split into {count} parts"
                )
            split = resized(value.tensor, self.split_axis, size // count)
            joined = split.shape[self.concat_axis]
            if not isinstance(joined, int):
                raise ShapeError(f"axis {self.concat_axis} of {value.type} is dynamic")
            found.append(resized(split, self.concat_axis, joined * count))
        return tuple(found)

    def vjp(self, g: Any, y: Any) -> Sequence[Value | None]:
        """The exchange back: split and joined along each other's axes."""
        return some(
            many(g), lambda given: self._exchanged(given, self.concat_axis, self.split_axis)
        )

    def jvp(self, tangents: Sequence[Value | None], y: Any) -> Sequence[Value | None]:
        return some(
            tangents, lambda given: self._exchanged(given, self.split_axis, self.concat_axis)
        )

    def _exchanged(self, values: Sequence[Value], split: int, concat: int) -> Sequence[Value]:
        found: Sequence[Value] = ops.all_to_all(
            tuple(values),
            split_axis=split,
            concat_axis=concat,
            split_count=self.split_count,
            **groups_of(self),
        )
        return found

    def batch(self, batch: Batch) -> Sequence[Any]:
        """The op along the next axes."""
        return apart(batch, split_axis=self.split_axis + 1, concat_axis=self.concat_axis + 1)

    def reference(self, *inputs: Array) -> tuple[Array, ...]:
        return tuple(self.met(inputs))

    def together(self, given: Sequence[Sequence[Array]], body: Any) -> Sequence[Sequence[Array]]:
        count, columns = len(given), list(zip(*given, strict=True))
        sent = [[np.split(x, count, self.split_axis) for x in column] for column in columns]
        return [
            [np.concatenate([parts[i] for parts in column], self.concat_axis) for column in sent]
            for i in range(count)
        ]
