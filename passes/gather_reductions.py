"""Reduce by any body where a collective cannot: gather what the processes have, and fold it.

    all_reduce(x), body          ->  parts = all_gather(reshape(x))        : tensor<n x ...>
                                     halves of parts, map(halves), body, until one is left
    reduce_scatter(x), body      ->  parts = all_to_all(reshape(x)), and the same

A runtime has collectives for few bodies: one op on its two parameters, `add`, `multiply`,
`maximum` or `minimum`, or `and` and `or` of booleans. These stay as they are. For any other, XLA
fails, or ends the process for narrow floats. Neighbours are folded, so the order is kept. It sends
more: (n-1) B instead of 2(n-1)/n B for an all_reduce.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dxir.combiners import ASSOCIATIVE, combiner_of
from dxir.diagnostics import where_of
from dxir.errors import DxirError, PassError
from dxir.group_faults import groups_of
from dxir.mlir import IrAttribute, IrOperation, IrType, IrValue, ir
from dxir.passes.building import Building
from dxir.pipeline.base import Pass, option
from dxir.process_grid import ProcessId
from dxir.reading import attribute, attributes_of, is_dynamic, ops_below

_REDUCING = ("stablehlo.all_reduce", "stablehlo.reduce_scatter")
_KNOWN = ASSOCIATIVE - {"xor"}
_OF_BITS = ("and", "or")


class GatherReductions(Pass, name="dxir-gather-reductions"):
    """Reduce by bodies that no collective has: gather what the processes have, and fold it."""

    replicas: int = option("how many replicas the program is for", default=1)
    partitions: int = option("how many partitions each replica has", default=1)

    def check(self) -> None:
        if self.replicas < 1 or self.partitions < 1:
            raise PassError("there is 1 replica or more, and 1 partition or more")
        if self.replicas > 1 and self.partitions > 1:
            raise PassError("replicas that are partitioned, too, are not gathered from")

    def run(self, module: ir.Module) -> bool:
        found = unusual_reductions(module)
        groups = [self._groups(op) for op in found]
        with module.context, ir.Location.unknown():
            for op, rows in zip(found, groups, strict=True):
                _Gathering(op, rows).run()
                self.count("reductions gathered")
        return bool(self.statistics)

    def _groups(self, op: IrOperation) -> tuple[tuple[ProcessId, ...], ...]:
        where = where_of(op.location)
        try:
            rows = groups_of(op, self.replicas, self.partitions)
        except DxirError as error:
            raise PassError(
                f"the groups of {op.name} do not fit {self.replicas} replicas of "
                f"{self.partitions} partitions: {error.message}",
                where=where,
                hint="say with the options replicas and partitions what the program is for",
            ) from error
        if len({len(row) for row in rows}) > 1:
            raise PassError(f"the groups of {op.name} have different sizes", where=where)
        if any(is_dynamic(v.type) for v in op.operands):
            raise PassError(f"{op.name} is of a size that is not known", where=where)
        return rows


def unusual_reductions(module: ir.Module) -> list[IrOperation]:
    """The collectives that reduce by a body that runtimes do not have."""
    return [op for op in ops_below(module.operation, _REDUCING) if not _is_usual(op)]


def _is_usual(op: IrOperation) -> bool:
    name = combiner_of(op)
    element = str(ir.RankedTensorType(op.regions[0].blocks[0].arguments[0].type))
    return name in _KNOWN and (name not in _OF_BITS or element == _BOOLEAN)


_BOOLEAN = "tensor<i1>"


class _Gathering:
    """One reduction, made anew of what is gathered along a new axis."""

    def __init__(self, op: IrOperation, rows: tuple[tuple[ProcessId, ...], ...]) -> None:
        self.op, self.make = op, Building(op)
        self.size = len(rows[0])
        spans = any(partition for row in rows for _, partition in row)
        self.rows = [[p if spans else r for r, p in row] for row in rows]
        self.spans = spans

    def run(self) -> None:
        scattered = self.op.name == "stablehlo.reduce_scatter"
        made = [
            self._scattered(x, r.type) if scattered else self._reduced(x, r.type)
            for x, r in zip(self.op.operands, self.op.results, strict=True)
        ]
        self.make.finish(*made)

    def _reduced(self, x: IrValue, result: IrType) -> IrValue:
        shape = list(ir.RankedTensorType(result).shape)
        x = self._converted(x, result)
        if self.size == 1:
            return x
        whole = ir.RankedTensorType.get(
            [self.size, *shape], ir.RankedTensorType(result).element_type
        )
        one = self._shaped(x, [1, *shape])
        kept = ("replica_groups", "channel_handle", "use_global_device_ids")
        told = {k: v for k, v in attributes_of(self.op).items() if k in kept}
        told["all_gather_dim"] = self._number(0)
        parts = self.make.many("stablehlo.all_gather", [whole], [one], told).results[0]
        return self._shaped(self._folded(parts, 0), shape)

    def _scattered(self, x: IrValue, result: IrType) -> IrValue:
        axis = ir.IntegerAttr(self.op.attributes["scatter_dimension"]).value
        shape = list(ir.RankedTensorType(result).shape)
        x = self._converted(x, result)
        if self.size == 1:
            return x
        parts = self._shaped(x, [*shape[:axis], self.size, *shape[axis:]])
        told: dict[str, IrAttribute] = {
            "split_dimension": self._number(axis),
            "concat_dimension": self._number(axis),
            "split_count": self._number(self.size),
            "replica_groups": ir.DenseIntElementsAttr.get(np.array(self.rows, np.int64)),
        }
        channel = attribute(self.op, "channel_handle")
        if self.spans and channel is not None:
            told["channel_handle"] = channel
        parts = self.make.many("stablehlo.all_to_all", [parts.type], [parts], told).results[0]
        return self._shaped(self._folded(parts, axis), shape)

    def _folded(self, parts: IrValue, axis: int) -> IrValue:
        """Neighbours along an axis folded, until one is left."""
        count = ir.RankedTensorType(parts.type).shape[axis]
        while count > 1:
            even = count - count % 2
            folded = self._mapped(
                self._slice(parts, axis, 0, even, 2), self._slice(parts, axis, 1, even, 2)
            )
            if count % 2:
                last = self._slice(parts, axis, even, count, 1)
                shape = list(ir.RankedTensorType(parts.type).shape)
                shape[axis] = even // 2 + 1
                type = ir.RankedTensorType.get(shape, ir.RankedTensorType(parts.type).element_type)
                folded = self.make.op(
                    "stablehlo.concatenate", type, folded, last, dimension=self._number(axis)
                )
            parts, count = folded, even // 2 + count % 2
        return parts

    def _mapped(self, a: IrValue, b: IrValue) -> IrValue:
        """The body on each pair of elements."""
        rank = ir.RankedTensorType(a.type).rank
        dimensions = ir.DenseI64ArrayAttr.get(list(range(rank)))
        made = self.make.many("stablehlo.map", [a.type], [a, b], {"dimensions": dimensions}, 1)
        copy = self.op.clone().operation
        copy.regions[0].blocks[0].append_to(made.regions[0])
        copy.erase()
        return made.results[0]

    def _slice(self, x: IrValue, axis: int, start: int, limit: int, stride: int) -> IrValue:
        type = ir.RankedTensorType(x.type)
        shape = list(type.shape)
        starts, limits, strides = [0] * type.rank, list(shape), [1] * type.rank
        starts[axis], limits[axis], strides[axis] = start, limit, stride
        shape[axis] = -(-(limit - start) // stride)
        numbers = ir.DenseI64ArrayAttr.get
        return self.make.op(
            "stablehlo.slice",
            ir.RankedTensorType.get(shape, type.element_type),
            x,
            start_indices=numbers(starts),
            limit_indices=numbers(limits),
            strides=numbers(strides),
        )

    def _shaped(self, x: IrValue, shape: Sequence[int]) -> IrValue:
        type = ir.RankedTensorType.get(list(shape), ir.RankedTensorType(x.type).element_type)
        return self.make.op("stablehlo.reshape", type, x)

    def _converted(self, x: IrValue, result: IrType) -> IrValue:
        given, wanted = ir.RankedTensorType(x.type), ir.RankedTensorType(result)
        if given.element_type == wanted.element_type:
            return x
        type = ir.RankedTensorType.get(list(given.shape), wanted.element_type)
        return self.make.op("stablehlo.convert", type, x)

    def _number(self, value: int) -> IrAttribute:
        return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)
