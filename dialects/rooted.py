"""Collectives with a root: one process that sends to all of its group, or gets what it combines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from dxir import checks, ops
from dxir.attributes import MeshAxesGroups
from dxir.derivatives import Cotangent, Undefined, rebuild, zeros
from dxir.dialects.collective_rules import (
    add,
    converted,
    groups_of,
    is_root,
    kept_at,
    many,
    one_by_one,
    place_of_root,
    some,
    summed,
)
from dxir.dialects.fold_trees import folded_op
from dxir.dialects.process_groups import (
    Collective,
    DeviceCollective,
    changed_dtype,
    check_reducer,
    combined,
    listed,
    reducer_dtype,
)
from dxir.errors import LoweringError, OperandError
from dxir.examples import Example
from dxir.graph import Region, Value
from dxir.op import attribute, inline
from dxir.sharding import Mesh
from dxir.types import DType, TensorType, Type, bf16, f32, i1, i32

if TYPE_CHECKING:
    from dxir.lowering import Emitter, IrValue
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]

_PAIRS = ((0, 1), (2, 3))
_MESH = Mesh("devices", {"x": 2, "y": 4})


def _check_support(e: Emitter, op: str) -> None:
    if not e.context.is_registered_operation("stablehlo.collective_reduce"):
        raise LoweringError(
            f"{op} is not in the StableHLO of this jaxlib", hint="it needs jaxlib 0.12 or later"
        )


def _data(op: Any) -> tuple[Value, ...]:
    """The inputs without the roots, which must be one `i32` for each input."""
    if not op.has_dynamic_root:
        checks.not_empty(op.inputs, "inputs")
        return tuple(op.inputs)
    if len(op.inputs) < 2:
        raise OperandError("has_dynamic_root needs one input and, as the last one, its root")
    *data, roots = op.inputs
    if roots.type != i32[len(data)]:
        raise OperandError(
            f"the last input has type {roots.type}, but the roots of {len(data)} inputs "
            f"are {i32[len(data)]}"
        )
    return tuple(data)


class CollectiveBroadcast(
    Collective, name="collective_broadcast", mlir="stablehlo.collective_broadcast", rounding="moves"
):
    """Send each input from one process of a group to all of it; outside all groups it is zeros.

    The sender is the first of the group or, with `has_dynamic_root`, the one whose place in the
    group the last input gives: an `i32[k]` for k inputs. That, and more than one input, needs
    jaxlib 0.12 or later. Groups are `cross_replica`, and with a channel `cross_partition`, as
    `dxir.process_groups` lists them.
    """

    inputs: tuple[Value, ...]
    has_dynamic_root: bool | None = attribute("unit", default=None)

    contiguous: ClassVar[bool] = False
    examples = (
        Example(inputs=(f32[4],), replica_groups=((0,),), runs=False),
        Example(inputs=(i1[0, 3],), replica_groups=((4, 1), (2, 3)), channel=1, runs=False),
        Example(inputs=(bf16[2],), replica_groups=MeshAxesGroups(_MESH, ("x",)), runs=False),
    )

    def prepare(self) -> None:
        super().prepare()
        self.update(has_dynamic_root=True if self.has_dynamic_root else None)

    def infer(self) -> Sequence[TensorType]:
        self.check_groups()
        return tuple(v.tensor for v in _data(self))

    def lower(self, e: Emitter, *operands: IrValue) -> Sequence[IrValue]:
        if len(operands) != 1:
            _check_support(e, "collective_broadcast of several inputs or with a dynamic root")
        return e.emit_declared(self, operands)

    def vjp(self, g: Any, y: Any) -> Sequence[Cotangent]:
        """The sum of what all of the group send back, for the one that sent it."""
        found: list[Cotangent] = [None] * len(self.inputs)
        for k, given in enumerate(many(g)):
            if given is not None:
                found[k] = partial(self._returned, given, k)
        return found

    def _returned(self, g: Value, k: int) -> Value:
        (total,) = self._total((g,))
        return kept_at(is_root(self, place_of_root(self, k)), total)

    def _total(self, values: Sequence[Value]) -> Sequence[Value]:
        """Sums within each group; who is in none keeps its own."""
        rows = [tuple([i for i in row if i != -1]) for row in listed(self.replica_groups)]
        known = {i for row in rows for i in row}
        rows += [(i,) for i in range(max(known, default=-1)) if i not in known]
        found: Sequence[Value] = ops.all_reduce(
            tuple(values), body=add, replica_groups=tuple(rows), channel=self.channel
        )
        return found

    def jvp(self, tangents: Sequence[Value | None], y: Any) -> Sequence[Value | None]:
        data = _data(self)
        if not self.has_dynamic_root:
            return some(tangents, lambda given: ops.collective_broadcast(given, **groups_of(self)))
        full = [zeros(x.type) if t is None else t for x, t in zip(data, tangents, strict=False)]
        found: Sequence[Value] = rebuild(self, (*full, self.inputs[-1]))
        return found

    def batch(self, batch: Batch) -> Sequence[Any]:
        """The op, which takes any shapes; roots that differ in the batch make it a masked sum."""
        if not self.has_dynamic_root or not batch.batched[-1]:
            return one_by_one(batch)
        roots = batch.operands[-1]
        data = [batch.full(k) for k in range(len(self.results))]
        sent = []
        for k, value in enumerate(data):
            column = ops.slice(roots, starts=(0, k), limits=(batch.size, k + 1))
            mask = is_root(self, ops.reshape(column, shape=(batch.size,)))
            sent.append(kept_at(mask, value))
        return self._total(sent)

    def reference(self, *inputs: Array) -> tuple[Array, ...]:
        return tuple(self.met(inputs))

    def together(self, given: Sequence[Sequence[Array]], body: Any) -> Sequence[Sequence[Array]]:
        return [
            [given[_root_of(self, mine, k)][k] for k in range(len(self.results))] for mine in given
        ]


class CollectiveReduce(
    DeviceCollective, name="collective_reduce", mlir="stablehlo.collective_reduce", rounding="moves"
):
    """Combine each input over the processes of a group with `body(a, b)`, for one of them.

    That one is the first of the group or, with `has_dynamic_root`, the one whose place in the
    group the last input gives: an `i32[k]` for k inputs. What the others get is not defined.
    Needs jaxlib 0.12 or later. Groups are those of an all_reduce.
    """

    inputs: tuple[Value, ...]
    body: Region
    has_dynamic_root: bool | None = attribute("unit", default=None)
    dtype: DType | None = None

    ragged: ClassVar[bool] = True
    examples = (
        Example(inputs=(f32[4],), body=lambda a, b: a + b, replica_groups=_PAIRS, runs=False),
        Example(
            inputs=(f32[4], f32[2, 3], i32[2]),
            body=lambda a, b: a + b,
            replica_groups=((0, 1), (2,)),
            has_dynamic_root=True,
            runs=False,
        ),
        Example(
            inputs=(bf16[0],),
            body=lambda a, b: a + b,
            replica_groups=_PAIRS,
            channel=1,
            use_global_device_ids=True,
            dtype=f32,
            runs=False,
        ),
    )

    def prepare(self) -> None:
        super().prepare()
        self.update(
            has_dynamic_root=True if self.has_dynamic_root else None,
            dtype=None if self.dtype is None else reducer_dtype(_data(self), self.dtype),
        )

    def region_params(self) -> Sequence[Sequence[Type]]:
        scalar = reducer_dtype(_data(self), self.dtype)[()]
        return [(scalar, scalar)]

    def infer(self) -> Sequence[TensorType]:
        self.check_groups()
        data = _data(self)
        dtype = reducer_dtype(data, self.dtype)
        check_reducer(self.body, dtype)
        return tuple(v.tensor.with_dtype(dtype) for v in data)

    def lower(self, e: Emitter, *operands: IrValue) -> Sequence[IrValue]:
        _check_support(e, self.op)
        return e.emit_declared(self, operands)

    def lacks(self, rule: str) -> Undefined | None:
        if rule == "batch":
            return None
        if folded_op(self.body) != "add":
            return Undefined("its body is no sum", "reduce with all_reduce")
        rows = self.replica_groups
        ragged = isinstance(rows, tuple) and any(-1 in row for row in rows)
        if ragged if self.use_global_device_ids else self.channel is not None:
            return Undefined(
                "which process is the root cannot be told from its groups",
                "use groups of one size and global device ids, or replicas without a channel",
            )
        return None

    def vjp(self, g: Any, y: Any) -> Sequence[Cotangent]:
        """What the root sends back, for all of its group."""
        given = many(g)
        back = self._from_root(given)
        return [*converted(back, self.inputs[: len(given)]), *[None] * self._roots()]

    def _roots(self) -> int:
        return 1 if self.has_dynamic_root else 0

    def _from_root(self, g: Sequence[Value | None]) -> Sequence[Value | None]:
        places = [None if v is None else place_of_root(self, k) for k, v in enumerate(g)]
        if not self.use_global_device_ids:
            sent = [
                None if v is None else kept_at(is_root(self, place), v)
                for v, place in zip(g, places, strict=True)
            ]
            return summed(self, sent)
        first = [
            None if v is None else ops.reshape(v, shape=(1, *v.tensor.static_shape)) for v in g
        ]
        gathered = some(first, lambda given: ops.all_gather(given, axis=0, **groups_of(self)))
        return [
            None if v is None else _at(v, np.int32(0) if place is None else place)
            for v, place in zip(gathered, places, strict=True)
        ]

    def jvp(self, tangents: Sequence[Value | None], y: Any) -> Sequence[Value | None]:
        data = _data(self)
        full = [zeros(x.type) if t is None else t for x, t in zip(data, tangents, strict=False)]
        found: Sequence[Value] = rebuild(self, (*full, *self.inputs[len(data) :]))
        return found

    def batch(self, batch: Batch) -> Sequence[Any]:
        """The op; where roots differ in the batch, all get what one of them must."""
        if not self.has_dynamic_root or not batch.batched[-1]:
            return one_by_one(batch)
        data = tuple([batch.full(k) for k in range(len(self.results))])
        found: Sequence[Any] = ops.all_reduce(
            data,
            body=lambda a, b: inline(self.body, (a, b)),
            dtype=self.dtype,
            **groups_of(self),
        )
        return found

    def reference(self, *inputs: Array, body: Callable[..., Any]) -> tuple[Array, ...]:
        return tuple(self.met(inputs, body))

    def together(self, given: Sequence[Sequence[Array]], body: Any) -> Sequence[Sequence[Array]]:
        """What all have, for the root; zeros for the others."""
        totals = combined(self, given, body)
        return [
            [
                total if _root_of(self, mine, k) == place else np.zeros_like(total)
                for k, total in enumerate(totals)
            ]
            for place, mine in enumerate(given)
        ]

    @classmethod
    def attributes_from_types(
        cls, operand_types: Sequence[Type], result_types: Sequence[Type]
    ) -> dict[str, Any]:
        return {"dtype": changed_dtype(operand_types[0], result_types[0])}


def _root_of(node: Any, operands: Sequence[Array], k: int) -> int:
    """The place in its group of the process that an input goes out from, or comes to."""
    return int(operands[-1][k]) if node.has_dynamic_root else 0


def _at(x: Value, index: Any) -> Value:
    """The element of the first axis at an index."""
    shape = x.tensor.static_shape
    starts = [index, *[np.int32(0)] * (len(shape) - 1)]
    part = ops.dynamic_slice(x, starts, sizes=(1, *shape[1:]))
    found: Value = ops.reshape(part, shape=shape[1:])
    return found
