"""Collectives in which every process of a group takes part alike: reduce, gather, exchange."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from dxir import checks
from dxir.attributes import MeshAxesGroups
from dxir.dialects.process_groups import (
    Collective,
    DeviceCollective,
    changed_dtype,
    check_reducer,
    check_unsplit,
    growth,
    reducer_dtype,
    resized,
    static_axis,
)
from dxir.errors import AttributeValueError, ShapeError
from dxir.examples import Example
from dxir.graph import Region, Value
from dxir.op import attribute
from dxir.sharding import Mesh
from dxir.types import DType, TensorType, Type, bf16, f32, i1, i32, ui8

Array = np.ndarray[Any, Any]

_PAIRS = ((0, 1), (2, 3))
_MESH = Mesh("devices", {"x": 2, "y": 4})


class AllReduce(DeviceCollective, name="all_reduce", mlir="stablehlo.all_reduce"):
    """Combine each input over the processes of a group with a traced `body(a, b)`.

    Every process of the group gets the result. The body is applied in any order, so it must be
    associative and commutative. All inputs have one element type; with `dtype` the body works in,
    and the results have, a wider one (XLA on CPU ignores that: convert first). Groups of different
    sizes are allowed here.
    """

    inputs: tuple[Value, ...]
    body: Region
    dtype: DType | None = None

    ragged: ClassVar[bool] = True
    examples = (
        Example(inputs=(f32[4],), body=lambda a, b: a + b),
        Example(inputs=(f32[2, 3], f32[()]), body=lambda a, b: a + b, replica_groups=((0,),)),
        Example(
            inputs=(f32[4],),
            body=lambda a, b: a + b,
            replica_groups=_PAIRS,
            channel=1,
            use_global_device_ids=True,
            runs=False,
        ),
        Example(
            inputs=(bf16[4],),
            body=lambda a, b: a + b,
            replica_groups=((0, 1), (2,)),
            dtype=f32,
            runs=False,
        ),
        Example(
            inputs=(i32[0, 2],),
            body=lambda a, b: a * b,
            replica_groups=MeshAxesGroups(_MESH, ("x",)),
            runs=False,
        ),
    )

    def prepare(self) -> None:
        super().prepare()
        checks.not_empty(self.inputs, "inputs")
        self.update(dtype=None if self.dtype is None else reducer_dtype(self.inputs, self.dtype))

    def region_params(self) -> Sequence[Sequence[Type]]:
        scalar = reducer_dtype(self.inputs, self.dtype)[()]
        return [(scalar, scalar)]

    def infer(self) -> Sequence[TensorType]:
        self.check_groups()
        dtype = reducer_dtype(self.inputs, self.dtype)
        check_reducer(self.body, dtype)
        return tuple(v.tensor.with_dtype(dtype) for v in self.inputs)

    def reference(self, *inputs: Array, body: Callable[..., Any]) -> tuple[Array, ...]:
        self.check_alone()
        return tuple(x.astype(r.dtype.numpy) for x, r in zip(inputs, self.results, strict=True))

    @classmethod
    def attributes_from_types(
        cls, operand_types: Sequence[Type], result_types: Sequence[Type]
    ) -> dict[str, Any]:
        return {"dtype": changed_dtype(operand_types[0], result_types[0])}


class ReduceScatter(DeviceCollective, name="reduce_scatter", mlir="stablehlo.reduce_scatter"):
    """Combine `x` over the processes of a group with `body(a, b)`, and give each its part.

    The result is split along `axis`, whose size the group's must divide; the i-th process of the
    group gets the i-th part. `group_size` is needed where the groups do not tell it.
    """

    x: Value
    body: Region
    axis: int = attribute("i64", mlir="scatter_dimension")
    group_size: int | None = None
    dtype: DType | None = None

    examples = (
        Example(x=f32[4, 3], body=lambda a, b: a + b, axis=0, replica_groups=((0,),)),
        Example(x=f32[2, 4], body=lambda a, b: a + b, axis=-1, replica_groups=_PAIRS, runs=False),
        Example(x=i32[4], body=lambda a, b: a + b, axis=0, group_size=2, runs=False),
        Example(
            x=f32[8],
            body=lambda a, b: a + b,
            axis=0,
            replica_groups=_PAIRS,
            channel=2,
            group_size=8,
            runs=False,
        ),
        Example(x=bf16[2], body=lambda a, b: a + b, axis=0, dtype=f32, group_size=1, runs=False),
    )

    def prepare(self) -> None:
        super().prepare()
        self.update(
            axis=checks.axis(self.axis, self.x.tensor.rank),
            dtype=None if self.dtype is None else reducer_dtype((self.x,), self.dtype),
        )

    def region_params(self) -> Sequence[Sequence[Type]]:
        scalar = reducer_dtype((self.x,), self.dtype)[()]
        return [(scalar, scalar)]

    def infer(self) -> TensorType:
        self.check_groups()
        dtype = reducer_dtype((self.x,), self.dtype)
        check_reducer(self.body, dtype)
        size = static_axis(self.x, self.axis)
        parts = self.sized(self.group_size)
        if size == 0 or size % parts:
            raise ShapeError(
                f"axis {self.axis} of {self.x.type} does not split into {parts} equal parts"
            )
        return resized(self.x.tensor, self.axis, size // parts).with_dtype(dtype)

    def reference(self, x: Array, body: Callable[..., Any]) -> Array:
        self.check_alone()
        check_unsplit(self.op, self.x.tensor, self.results[0].tensor)
        return x.astype(self.results[0].dtype.numpy)

    @classmethod
    def attributes_from_types(
        cls, operand_types: Sequence[Type], result_types: Sequence[Type]
    ) -> dict[str, Any]:
        operand, result = operand_types[0], result_types[0]
        size = growth(result, operand)
        return {"dtype": changed_dtype(operand, result), "group_size": size}


class AllGather(DeviceCollective, name="all_gather", mlir="stablehlo.all_gather"):
    """Concatenate each input along `axis` over the processes of a group, in the group's order.

    `group_size` is needed where the groups do not tell it: without groups, and where the
    partitions of the listed replicas take part.
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

    def reference(self, *inputs: Array) -> tuple[Array, ...]:
        self.check_alone()
        for value, result in zip(self.inputs, self.results, strict=True):
            check_unsplit(self.op, value.tensor, result.tensor)
        return inputs

    @classmethod
    def attributes_from_types(
        cls, operand_types: Sequence[Type], result_types: Sequence[Type]
    ) -> dict[str, Any]:
        return {"group_size": growth(operand_types[0], result_types[0])}


class AllToAll(Collective, name="all_to_all", mlir="stablehlo.all_to_all"):
    """Split each input along `split_axis`, send part i to process i, and join what arrives.

    The parts that arrive are concatenated along `concat_axis`, in the group's order.
    `split_count` is the group's size, and must divide the split axis.
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

    def reference(self, *inputs: Array) -> tuple[Array, ...]:
        self.check_alone()
        return inputs
