"""Faults in the process groups of a module's collectives, and in how they fit the processes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dxir.attributes import MeshAxesGroups
from dxir.codecs import CODECS
from dxir.errors import AttributeValueError
from dxir.mlir import IrAttribute, IrOperation, ir, stablehlo
from dxir.process_grid import (
    COLLECTIVES,
    NOT_COVERING,
    ProcessId,
    Strategy,
    count_of_ids,
    fault_of_groups,
    fault_of_pairs,
    process_groups,
    rows_of,
    strategy_of,
    what_ids_are,
)
from dxir.reading import attribute
from dxir.sharding_codec import decode_group_axes, meshes_of

NAMES = frozenset(f"stablehlo.{kind}" for kind in COLLECTIVES)
"""The operations that have process groups."""

Matrix = np.ndarray[tuple[int, ...], np.dtype[np.int64]]

_PARTITIONED = ("cross_partition", "flattened_ids")
_COUNTS = ("mhlo.num_replicas", "mhlo.num_partitions")
_SPLIT = {
    "stablehlo.all_gather": "all_gather_dim",
    "stablehlo.reduce_scatter": "scatter_dimension",
}
_UNEVEN = ("all_reduce", "collective_reduce", "reduce_scatter")


@dataclass(frozen=True, slots=True)
class Grid:
    """How many processes there are; None where that is not known."""

    replicas: int | None = None
    partitions: int | None = None

    def count(self, strategy: Strategy) -> int | None:
        """How many ids there are, if that is known; devices are of one replica, if of no more."""
        known = self.partitions if strategy in _PARTITIONED else self.replicas
        if known is None:
            return None
        return count_of_ids(strategy, self.replicas or 1, self.partitions or 1)


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong (an error) or doubtful (a warning) with the groups of one operation."""

    severity: str
    message: str
    hint: str | None = None


class GroupCheck:
    """Looks at the collectives of a module, of `grid` processes or of those that it states."""

    def __init__(self, module: ir.Module, grid: Grid | None = None) -> None:
        self._meshes = meshes_of(module)
        self.grid = self._stated(module) if grid is None else grid
        self._seen: dict[tuple[str, Strategy, IrAttribute], tuple[list[Fault], int | None]] = {}

    def _stated(self, module: ir.Module) -> Grid:
        """The processes a module says it is for: by its attributes, or the size of its meshes."""
        stated = [
            int(found.value) if isinstance(found, ir.IntegerAttr) else None
            for found in (attribute(module.operation, name) for name in _COUNTS)
        ]
        sizes = {mesh.size for mesh in self._meshes.values() if mesh.size > 1}
        # JAX writes that there is one of each where the devices of a mesh are not known yet.
        if not {*stated} - {None, 1} and len(sizes) == 1:
            return Grid(stated[0], sizes.pop())
        return Grid(*stated)

    def faults(self, op: IrOperation) -> Iterator[Fault]:
        """What is wrong with the groups of a collective among these processes."""
        kind = op.name.removeprefix("stablehlo.")
        try:
            strategy = collective_strategy(op)
        except AttributeValueError:
            return  # MLIR's verifier says it
        pairs = kind == "collective_permute"
        given = attribute(op, "source_target_pairs" if pairs else "replica_groups")
        if given is None:
            return
        key = (kind, strategy, given)
        if key not in self._seen:  # the groups of thousands of devices, on each op of a program
            self._seen[key] = self._of_groups(kind, strategy, given)
        faults, members = self._seen[key]
        yield from faults
        if members is not None:
            yield from self._faults_of_parts(op, members, strategy)

    def idle(self, op: IrOperation) -> Fault | None:
        """Why a collective reaches nobody, though there are several processes: its channel.

        None where it reaches some, or where it is not known how many processes there are.
        """
        try:
            strategy = collective_strategy(op)
        except AttributeValueError:
            return None
        replicas, partitions = self.grid.replicas or 1, self.grid.partitions or 1
        if strategy == "cross_replica" and replicas == 1 < partitions:
            has, counts, one, others = "no channel", "replicas", partitions, "partitions"
            hint = "give it a channel_handle with a positive handle"
        elif strategy == "cross_partition" and partitions == 1 < replicas:
            has, counts, one, others = "a channel", "partitions", replicas, "replicas"
            hint = "take its channel_handle away"
        else:
            return None
        misfit = any(fault.severity == "error" for fault in self.faults(op))
        return Fault(
            "error" if misfit else "warning",
            f"has {has}, so it works on {counts}, of which there is one, and the {one} {others} "
            "do not take part",
            hint,
        )

    def _of_groups(
        self, kind: str, strategy: Strategy, given: IrAttribute
    ) -> tuple[list[Fault], int | None]:
        """The faults of groups or pairs; and how many processes a group has, if there are none."""
        count, what = self.grid.count(strategy), what_ids_are(strategy)
        hint = _told_of(strategy, count)
        matrix = _matrix(given)
        if matrix is None:
            fault = self._fault_of_axes(given, count, what)
            return (
                [] if fault is None else [Fault("error", f"has replica_groups {fault}", hint)]
            ), None
        rows = rows_of(matrix.tolist())
        if kind == "collective_permute":
            fault = fault_of_pairs(rows, count, what)
            text = f"has source_target_pairs that {fault}"
            return ([] if fault is None else [Fault("error", text, hint)]), None
        found = list(_faults_of_sizes(kind, matrix))
        fault = fault_of_groups(rows, count, what, covering=kind not in NOT_COVERING)
        if fault is not None:
            text = f"has replica_groups {_short(matrix)} that {fault}"
            return [*found, Fault("error", text, hint)], None
        if count is None:
            return found, None
        members = len(rows[0]) if rows else count
        if strategy == "cross_replica_and_partition":
            members *= self.grid.partitions or 1
        return found, members

    def _faults_of_parts(
        self, op: IrOperation, members: int, strategy: Strategy
    ) -> Iterator[Fault]:
        """Where a gathered or scattered axis is not as many times larger as a group is large."""
        name = _SPLIT.get(op.name)
        axis = None if name is None else attribute(op, name)
        types = [value.type for value in (*op.operands, *op.results)]
        found = [t for t in types if isinstance(t, ir.RankedTensorType)]
        if not isinstance(axis, ir.IntegerAttr) or not found or found[0].rank <= axis.value:
            return
        first, last = found[0], found[-1]
        if first.is_dynamic_dim(axis.value) or last.is_dynamic_dim(axis.value):
            return
        sizes = sorted((first.get_dim_size(axis.value), last.get_dim_size(axis.value)))
        if sizes[0] * members != sizes[1]:
            yield Fault(
                "error",
                f"goes from {first} to {last}, but its groups have {members} "
                f"process{'es' * (members != 1)}",
                _told_of(strategy, self.grid.count(strategy)),
            )

    def _fault_of_axes(self, given: IrAttribute, count: int | None, what: str) -> str | None:
        """What is wrong with groups along axes of a mesh: they hold each of its devices once."""
        if not stablehlo.ReplicaGroupMeshAxesAttr.isinstance(given):
            return None
        named = stablehlo.ReplicaGroupMeshAxesAttr(given).mesh
        if not isinstance(named, ir.FlatSymbolRefAttr) or named.value not in self._meshes:
            return None
        mesh = self._meshes[named.value]
        known = {name for name, _ in mesh.axes}
        for axis in decode_group_axes(given):
            if axis.name not in known:
                return f"along the axis {axis.name!r}, which the mesh @{mesh.name} does not have"
        if count is None or mesh.size == count:
            return None
        there = f"is one {what}" if count == 1 else f"are {count} {what}s"
        return f"along axes of the mesh @{mesh.name} of {mesh.size} devices, but there {there}"


def collective_strategy(op: IrOperation) -> Strategy:
    """The strategy by which a collective finds its groups."""
    channel = attribute(op, "channel_handle")
    handle = None if channel is None else CODECS["channel_handle"].decode(channel).handle
    ids = attribute(op, "use_global_device_ids") is not None
    return strategy_of(op.name.removeprefix("stablehlo."), handle, ids)


def _faults_of_sizes(kind: str, groups: Matrix) -> Iterator[Fault]:
    if groups.size == 0 and kind == "all_to_all":
        yield Fault("error", "has empty replica_groups; it needs at least one group")
    if (groups == -1).any():
        uneven = "has replica_groups of different sizes (padded with -1)"
        if kind in _UNEVEN:
            yield Fault("warning", f"{uneven}; few targets run it")
        else:
            yield Fault("error", uneven)


def _told_of(strategy: Strategy, count: int | None) -> str:
    """What the ids of an op are, and what makes them others."""
    ids = f"its ids are {what_ids_are(strategy)}s"
    if count is not None:
        ids += f", 0 to {count - 1}" if count > 1 else ", of which there is one"
    how = {
        "cross_replica": "since it has no channel; with one they are partitions or devices",
        "cross_partition": "since it has a channel; without one they are replicas",
        "cross_replica_and_partition": "since it has a channel and no use_global_device_ids; with "
        "that they are devices, counted over replicas and partitions",
        "flattened_ids": "since it has use_global_device_ids, counted over replicas and partitions",
    }[strategy]
    return f"{ids} ({strategy}), {how}"


def _matrix(given: IrAttribute | None) -> Matrix | None:
    if not isinstance(given, ir.DenseIntElementsAttr):
        return None
    found = np.asarray(given, np.int64)
    return found if found.ndim == 2 else None


def _short(matrix: Matrix) -> str:
    text = str(matrix.tolist())
    return text if len(text) < 80 else f"{text[:70]}...]]"


def groups_of(op: IrOperation, replicas: int, partitions: int) -> tuple[tuple[ProcessId, ...], ...]:
    """The groups of processes of a collective that has `replica_groups`.

    Raises AttributeValueError where they do not fit.
    """
    given = attribute(op, "replica_groups")
    rows: object = _matrix(given)
    if isinstance(rows, np.ndarray):
        rows = rows.tolist()
    elif given is not None and stablehlo.ReplicaGroupMeshAxesAttr.isinstance(given):
        mesh = stablehlo.ReplicaGroupMeshAxesAttr(given).mesh
        known = meshes_of(_module_of(op))
        if not isinstance(mesh, ir.FlatSymbolRefAttr) or mesh.value not in known:
            raise AttributeValueError(f"their mesh is {mesh}", hint="name it with an sdy.mesh op")
        rows = MeshAxesGroups(known[mesh.value], decode_group_axes(given))
    return process_groups(
        collective_strategy(op),
        rows,
        replicas=replicas,
        partitions=partitions,
        covering=op.name.removeprefix("stablehlo.") not in NOT_COVERING,
    )


def _module_of(op: IrOperation) -> IrOperation:
    root = op
    while root.parent is not None:
        root = root.parent.operation
    return root
