"""Which processes work together in a collective, and what the collectives share.

`replica_groups` lists which processes talk to each other: rows of ids, each id in one row, or a
`MeshAxesGroups`. Without any, all processes are one group. What an id is depends on `channel` and
`use_global_device_ids`: without a channel it is a replica; with a channel a partition (or, for
all_reduce, all_gather and reduce_scatter, a replica whose partitions all take part); with a channel
and `use_global_device_ids` a device, counted over both. `dxir.process_groups` lists the processes
that work together by each of these strategies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, ClassVar

import numpy as np

from dxir import checks
from dxir.attributes import ChannelHandle, MeshAxesGroups
from dxir.dialects.folding import simple_fold, widened
from dxir.errors import AttributeValueError, DTypeError, EvaluationError, ShapeError
from dxir.graph import Region, Value
from dxir.lockstep import Crew, current_process
from dxir.op import Primitive, attribute
from dxir.process_grid import (
    NOT_COVERING,
    ProcessId,
    fault_of_groups,
    process_groups,
    rows_of,
    strategy_of,
)
from dxir.types import Dimension, DType, TensorType, Type

Array = np.ndarray[Any, Any]
Groups = tuple[tuple[int, ...], ...] | MeshAxesGroups


class Collective(Primitive):
    """Base of the ops that work within groups of processes."""

    ragged: ClassVar[bool] = False
    contiguous: ClassVar[bool] = True

    replica_groups: Groups = attribute("replica_groups", default=())
    channel: ChannelHandle | None = attribute("channel_handle", default=None, mlir="channel_handle")

    def prepare(self) -> None:
        self.update(replica_groups=as_groups(self.replica_groups), channel=as_channel(self.channel))

    def check_groups(self) -> None:
        """Raise unless the groups are what StableHLO accepts for this op."""
        groups = self.replica_groups
        if isinstance(groups, MeshAxesGroups):
            return
        if not self.ragged and any(-1 in row for row in groups):
            raise AttributeValueError(
                f"replica_groups {groups} have different sizes",
                hint=f"{self.op} needs groups of one size",
            )
        fault = fault_of_groups(rows_of(groups), None, "id", covering=self.contiguous)
        if fault is not None:
            raise AttributeValueError(
                f"replica_groups {groups} {fault}",
                hint="list each id once, from 0 on" if "leave out" in fault else None,
            )

    def group_members(self) -> int | None:
        """How many ids a group lists; None when all processes are one group."""
        groups = self.replica_groups
        if isinstance(groups, MeshAxesGroups):
            return groups.size
        return len(groups[0]) if groups and groups[0] else None

    def check_alone(self) -> None:
        """Raise EvaluationError unless process 0 is in a group of its own."""
        members = self.group_members()
        groups = self.replica_groups
        if isinstance(groups, tuple):
            members = next((len(set(row) - {-1}) for row in groups if 0 in row), members)
        if members not in (None, 1):
            raise EvaluationError(
                f"{self.op}: an evaluation has one participant, but its group has {members}",
                hint="dxir.evaluate_processes evaluates as many as there are",
            )

    def together(self, given: Sequence[Sequence[Array]], body: Any) -> Sequence[Sequence[Array]]:
        """What each member of a group gets for the operands of all, both in the group's order."""
        raise NotImplementedError

    def met(self, operands: Sequence[Array], body: Any = None) -> Sequence[Array]:
        """What the process that evaluates this gets from its group, once all of it are here."""
        here = current_process()
        if here is None:
            self.check_alone()
            return self.together([operands], body)[0]
        group = here.group_of(self, lambda: self._groups(here.crew))
        if group is None:
            return [np.zeros(r.tensor.static_shape, r.dtype.numpy) for r in self.results]
        found: Sequence[Array] = here.meet(
            self, group, operands, lambda given: self.together(given, body)
        )
        return found

    def _groups(self, crew: Crew) -> Sequence[tuple[ProcessId, ...]]:
        try:
            strategy = strategy_of(
                self.op, self.channel, getattr(self, "use_global_device_ids", None)
            )
            return process_groups(
                strategy,
                self.replica_groups,
                replicas=crew.replicas,
                partitions=crew.partitions,
                covering=self.op not in NOT_COVERING,
            )
        except AttributeValueError as error:
            raise EvaluationError(
                f"{self.op}: {error.message}", where=self.location, hint=error.hint
            ) from None


class DeviceCollective(Collective):
    """Base of the collectives whose ids may count devices over replicas and partitions."""

    use_global_device_ids: bool | None = attribute("unit", default=None)

    def prepare(self) -> None:
        super().prepare()
        self.update(use_global_device_ids=True if self.use_global_device_ids else None)
        if self.use_global_device_ids and (self.channel is None or self.channel.handle <= 0):
            raise AttributeValueError(
                f"use_global_device_ids needs a channel with a positive handle, not {self.channel}",
                hint="give channel=1, say",
            )

    def sized(self, given: object) -> int:
        """The number of processes in a group: listed ids, times partitions where those join."""
        members = self.group_members()
        spans = self.channel is not None and self.channel.handle > 0
        spans = spans and not self.use_global_device_ids
        if given is None:
            if members is None:
                raise AttributeValueError(
                    "without replica_groups, the number of processes is not known",
                    hint="give replica_groups, or group_size",
                )
            return members
        size = checks.integer(given, "group_size")
        if size < 1 or (
            members is not None and (size % members or (size != members and not spans))
        ):
            raise AttributeValueError(f"group_size is {size}, but a group lists {members} ids")
        return size


def as_groups(given: object) -> Groups:
    """Replica groups in normal form: rows of one length, short ones filled with -1."""
    if isinstance(given, MeshAxesGroups):
        return given
    if isinstance(given, np.ndarray):
        given = given.tolist()
    if given is None:
        return ()
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise AttributeValueError(
            f"replica_groups is {given!r}", hint="give rows of ids such as ((0, 1), (2, 3))"
        )
    rows = [checks.integers(row, "replica_groups entry") for row in given]
    width = max(map(len, rows), default=0)
    return tuple(row + (-1,) * (width - len(row)) for row in rows)


def listed(groups: Groups) -> tuple[tuple[int, ...], ...]:
    """Replica groups as rows of ids, those given as axes of a mesh too."""
    return rows_of(groups) if isinstance(groups, MeshAxesGroups) else groups


def combined(
    node: Any, given: Sequence[Sequence[Array]], body: Callable[..., Any]
) -> tuple[Array, ...]:
    """What the members of a group have, combined by a reducer; one array for each result."""
    found: list[Array] = []
    ufunc = simple_fold(node.body)
    for k, result in enumerate(node.results):
        dtype = result.tensor.dtype.numpy
        rows = [np.asarray(operands[k]).astype(dtype) for operands in given]
        if ufunc is not None:
            found.append(np.asarray(reduce(ufunc, map(widened, rows))).astype(dtype))
        else:
            found.append(reduce(lambda a, b: _by_element(a, b, body), rows))
    return tuple(found)


def _by_element(a: Array, b: Array, body: Callable[..., Any]) -> Array:
    out = np.empty_like(a)
    for at in np.ndindex(*a.shape):
        (out[at],) = body(np.asarray(a[at]), np.asarray(b[at]))
    return out


def as_channel(given: object) -> ChannelHandle | None:
    """A channel, from its number too; its type is left open, as artifacts do not keep one."""
    if given is None or isinstance(given, ChannelHandle):
        return given
    return ChannelHandle(checks.integer(given, "channel"))


def reducer_dtype(values: Sequence[Value], wanted: object) -> DType:
    """The element type the reducer of a collective works in: the operands', or a wider one."""
    checks.same_dtype(values)
    dtype = values[0].tensor.primitive
    if wanted is None:
        return dtype
    wider = DType.of(wanted)
    integers = dtype.kind in ("bool", "int", "uint") and wider.kind in ("bool", "int", "uint")
    if not (integers or dtype.kind == wider.kind) or wider.bits < dtype.bits:
        raise DTypeError(
            f"the reducer cannot work in {wider} on operands of {dtype}",
            hint="it must be a type of the same kind, and no narrower",
        )
    return wider


def check_reducer(body: Region, dtype: DType) -> None:
    """Raise unless the reducer returns one scalar of the type it works in."""
    if body.result_types != (dtype[()],):
        raise ShapeError(f"the reducer must return one {dtype[()]}, not {body.result_types}")


def changed_dtype(operand: Type, result: Type) -> DType | None:
    """The element type of the result, when it is not the operand's."""
    assert isinstance(operand, TensorType)
    assert isinstance(result, TensorType)
    return None if operand.dtype == result.dtype else result.primitive


def static_axis(x: Value, axis: int) -> int:
    """The size of an axis that must be known."""
    size = x.tensor.shape[axis]
    if not isinstance(size, int):
        raise ShapeError(f"axis {axis} of {x.type} is dynamic, but its size must be known")
    return size


def resized(type: TensorType, axis: int, size: int) -> TensorType:
    """The type with one axis of another size."""
    shape: list[Dimension] = list(type.shape)
    shape[axis] = size
    return type.with_shape(shape)


def check_unsplit(node: Any) -> None:
    """Raise EvaluationError when a result of another shape needs more than the one participant."""
    for value, result in zip(node.operands, node.results, strict=True):
        if current_process() is None and value.tensor.shape != result.tensor.shape:
            raise EvaluationError(
                f"{node.op}: an evaluation has one participant, but {result.type} needs more",
                hint="dxir.evaluate_processes evaluates as many as there are",
            )


def growth(small: Type, large: Type) -> int:
    """How many times larger the only axis that differs is; 1 when none does."""
    assert isinstance(small, TensorType)
    assert isinstance(large, TensorType)
    for a, b in zip(small.shape, large.shape, strict=True):
        if a != b and isinstance(a, int) and isinstance(b, int) and a:
            return b // a
    return 1
