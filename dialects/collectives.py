"""Collectives that combine values of all processes of a group."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from dxir import checks, ops
from dxir.attributes import MeshAxesGroups
from dxir.derivatives import Cotangent, Undefined
from dxir.dialects.collective_rules import (
    add,
    converted,
    extreme_cotangents,
    extreme_tangents,
    folded,
    gathering_refusal,
    groups_of,
    holders,
    one_by_one,
    summed,
)
from dxir.dialects.fold_trees import combiner, fold_tree, folded_op
from dxir.dialects.process_groups import (
    DeviceCollective,
    changed_dtype,
    check_reducer,
    check_unsplit,
    combined,
    growth,
    reducer_dtype,
    resized,
    static_axis,
)
from dxir.dialects.substitutes import pull_through, push_through
from dxir.errors import ShapeError
from dxir.examples import Example
from dxir.graph import Function, Region, Value, place
from dxir.op import attribute, trace
from dxir.sharding import Mesh
from dxir.types import DType, TensorType, Type, bf16, f32, i32

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch
    from dxir.transforms.forward import Forward
    from dxir.transforms.reverse import Pull, Reverse

Array = np.ndarray[Any, Any]

_EXTREMES = ("max", "min")
_PAIRS = ((0, 1), (2, 3))
_MESH = Mesh("devices", {"x": 2, "y": 4})


class AllReduce(DeviceCollective, name="all_reduce", mlir="stablehlo.all_reduce"):
    """Combine each input over the processes of a group with a traced `body(a, b)`.

    Groups are `cross_replica`, with a channel `cross_replica_and_partition`, and with global ids
    `flattened_ids`, as `dxir.process_groups` lists them.

    Every process of the group gets the result. The body is applied in any order, so it must be
    associative and commutative. All inputs have one element type; with `dtype` the body works in,
    and the results have, a wider one (XLA on CPU ignores that: convert first). Groups of different
    sizes are allowed here. The largest and smallest value have their cotangent shared equally by
    the processes that have it; of a sum, it is the sum of those of all processes.
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

    def lacks(self, rule: str) -> Undefined | None:
        if rule == "batch" or folded_op(self.body) in ("add", *_EXTREMES):
            return None
        return gathering_refusal(self)

    def pullback(self, sweep: Reverse) -> tuple[Sequence[Value], Pull]:
        op = folded_op(self.body)
        if op != "add" and op not in _EXTREMES:
            return pull_through(sweep, self, self._gathered())
        place(self)

        def pull(g: Sequence[Value | None]) -> Sequence[tuple[Value, Cotangent]]:
            found: Sequence[Value | None]
            if op == "add":
                found = converted(summed(self, g), self.inputs)
            else:
                found = extreme_cotangents(self, g, self.inputs, self.results)
            return list(zip(self.inputs, found, strict=True))

        return self.results, pull

    def pushforward(self, sweep: Forward) -> tuple[Sequence[Value], Sequence[Value | None]]:
        op = folded_op(self.body)
        if op != "add" and op not in _EXTREMES:
            return push_through(sweep, self, self._gathered())
        place(self)
        tangents = tuple([sweep.tangents.get(v) for v in self.inputs])
        if op in _EXTREMES:
            return self.results, extreme_tangents(self, tangents, self.inputs, self.results)
        return self.results, summed(self, converted(tangents, self.results))

    def _gathered(self) -> Function:
        """The same from a gathered copy of all values."""

        def restated(*inputs: Value) -> Sequence[Value]:
            wide = [
                ops.convert(x, dtype=r.dtype) for x, r in zip(inputs, self.results, strict=True)
            ]
            return folded(self, self.body, self.sized(None), wide)

        return trace(restated, Function(self.op, [v.type for v in self.inputs], public=False))

    def batch(self, batch: Batch) -> Sequence[Any]:
        """The op, which takes any shapes."""
        return one_by_one(batch)

    def reference(self, *inputs: Array, body: Callable[..., Any]) -> tuple[Array, ...]:
        return tuple(self.met(inputs, body))

    def together(self, given: Sequence[Sequence[Array]], body: Any) -> Sequence[Sequence[Array]]:
        return [combined(self, given, body)] * len(given)

    @classmethod
    def attributes_from_types(
        cls, operand_types: Sequence[Type], result_types: Sequence[Type]
    ) -> dict[str, Any]:
        return {"dtype": changed_dtype(operand_types[0], result_types[0])}


class ReduceScatter(DeviceCollective, name="reduce_scatter", mlir="stablehlo.reduce_scatter"):
    """Combine `x` over the processes of a group with `body(a, b)`, and give each its part.

    The result is split along `axis`, whose size the group's must divide; the i-th process of the
    group gets the i-th part. `group_size` is needed where the groups do not tell it. Groups are
    `cross_replica`, with a channel `cross_replica_and_partition`, and with global ids
    `flattened_ids`, as `dxir.process_groups` lists them.
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

    def lacks(self, rule: str) -> Undefined | None:
        if rule == "batch" or folded_op(self.body) in ("add", *_EXTREMES):
            return None
        if self.use_global_device_ids or self.group_members() is None:
            return Undefined(
                f"its body is no sum, and {self.op} of one has a derivative only where "
                "replica_groups list replicas or partitions",
                "reduce with all_reduce and take a slice",
            )
        return None

    def pullback(self, sweep: Reverse) -> tuple[Sequence[Value], Pull]:
        op = folded_op(self.body)
        if op != "add" and op not in _EXTREMES:
            return pull_through(sweep, self, self._exchanged())
        place(self)
        (y,) = self.results

        def pull(g: Sequence[Value | None]) -> Sequence[tuple[Value, Cotangent]]:
            (given,) = g
            assert given is not None
            if op == "add":
                (found,) = self._everywhere(given)
            else:
                (whole,) = self._everywhere(y)
                mask = holders(self.x, whole)
                (shared,) = self._everywhere(ops.div(given, self._scattered(mask)))
                found = ops.mul(mask, shared)
            return [(self.x, ops.convert(found, dtype=self.x.dtype))]

        return (y,), pull

    def pushforward(self, sweep: Forward) -> tuple[Sequence[Value], Sequence[Value | None]]:
        op = folded_op(self.body)
        if op != "add" and op not in _EXTREMES:
            return push_through(sweep, self, self._exchanged())
        place(self)
        (y,) = self.results
        tangent = ops.convert(sweep.tangents[self.x], dtype=y.dtype)
        if op == "add":
            return (y,), (self._scattered(tangent),)
        (whole,) = self._everywhere(y)
        mask = holders(self.x, whole)
        moved = self._scattered(ops.mul(mask, tangent))
        return (y,), (ops.div(moved, self._scattered(mask)),)

    def _everywhere(self, *parts: Value) -> Sequence[Value]:
        """What the processes have parts of, on each of them."""
        found: Sequence[Value] = ops.all_gather(
            parts, axis=self.axis, group_size=self.group_size, **groups_of(self)
        )
        return found

    def _scattered(self, x: Value) -> Value:
        """The sum over processes, of which each gets its part."""
        found: Value = ops.reduce_scatter(
            x, body=add, axis=self.axis, group_size=self.group_size, **groups_of(self)
        )
        return found

    def _exchanged(self) -> Function:
        """The same from the parts that all processes of the group send to this one."""

        def restated(x: Value) -> Value:
            wide = ops.convert(x, dtype=self.results[0].dtype)
            members, axis = self.sized(self.group_size), self.axis
            shape = list(wide.tensor.static_shape)
            shape[axis : axis + 1] = [members, shape[axis] // members]
            (parts,) = ops.all_to_all(
                (ops.reshape(wide, shape=shape),),
                split_axis=axis,
                concat_axis=axis,
                replica_groups=self.replica_groups,
                channel=self.channel,
            )
            (found,) = fold_tree([parts], axis, combiner(self.body))
            result: Value = ops.reshape(found, shape=self.results[0].tensor.static_shape)
            return result

        return trace(restated, Function(self.op, [self.x.type], public=False))

    def batch(self, batch: Batch) -> Value:
        """The op along the next axis."""
        found: Value = batch.rebuild(batch.operands, axis=self.axis + 1)
        return found

    def reference(self, x: Array, body: Callable[..., Any]) -> Array:
        check_unsplit(self)
        return self.met((x,), body)[0]

    def together(self, given: Sequence[Sequence[Array]], body: Any) -> Sequence[Sequence[Array]]:
        (total,) = combined(self, given, body)
        return [(part,) for part in np.split(total, len(given), self.axis)]

    @classmethod
    def attributes_from_types(
        cls, operand_types: Sequence[Type], result_types: Sequence[Type]
    ) -> dict[str, Any]:
        operand, result = operand_types[0], result_types[0]
        size = growth(result, operand)
        return {"dtype": changed_dtype(operand, result), "group_size": size}
