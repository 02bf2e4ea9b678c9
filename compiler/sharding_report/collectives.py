"""The collectives of a module: over which axes, of how many bytes, how often, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import combinations

import numpy as np

from dxir.codecs import CODECS
from dxir.collective_costs import Interconnect, bytes_sent
from dxir.mesh_layout import axes_size, device_groups, device_ids
from dxir.mlir import IrOperation, ir, stablehlo
from dxir.passes.device_groups import OVER_AXES, OVER_IDS
from dxir.process_grid import Strategy, rows_of, strategy_of
from dxir.reading import attribute
from dxir.sharding import AxisRef, Mesh, Sharding
from dxir.sharding_report.causes import Causes
from dxir.sharding_report.records import CollectiveReport
from dxir.sharding_report.runs import Frequencies
from dxir.sharding_report.scan import Scan, short

Groups = tuple[tuple[int, ...], ...]

_MOST_AXES = 8
_AXES: dict[str, tuple[str, str]] = {
    "sdy.all_reduce": ("reduction_axes", "sdy_axes"),
    "sdy.all_gather": ("gathering_axes", "sdy_axis_lists"),
    "sdy.all_slice": ("slicing_axes", "sdy_axis_lists"),
    "sdy.reduce_scatter": ("reduce_scatter_axes", "sdy_axis_lists"),
    "sdy.all_to_all": ("params", "sdy_exchanges"),
}


class Collectives:
    """The collectives of a module that has all of them, with what they cost."""

    def __init__(
        self,
        scan: Scan,
        runs: Frequencies,
        causes: Causes,
        interconnect: Interconnect | None,
    ) -> None:
        self._scan = scan
        self._runs = runs
        self._causes = causes
        self._interconnect = interconnect
        self._by_groups: dict[Groups, tuple[Mesh, tuple[AxisRef, ...]] | None] = {}

    def all(self) -> tuple[CollectiveReport, ...]:
        """All collectives, in order of the module."""
        found: list[CollectiveReport] = []
        for function, op in self._scan.ops:
            if op.name in OVER_AXES:
                found.append(self._over_axes(function, op))
            elif op.name in OVER_IDS:
                found += self._over_ids(function, op)
        return tuple(found)

    def _over_axes(self, function: str, op: IrOperation) -> CollectiveReport:
        given, final = self._scan.sharding(op.operands[0]), self._scan.sharding(op.results[0])
        assert final is not None
        mesh = final.mesh
        axes = axes_of(op, given, final)
        cause, inserted = self._causes.of_shardy(op, axes)
        return self._report(function, op, mesh, axes, axes_size(mesh, axes), 0, cause, inserted)

    def _over_ids(self, function: str, op: IrOperation) -> list[CollectiveReport]:
        groups = _groups(op)
        devices = max(map(len, groups), default=1)
        mesh: Mesh | None = None
        axes: tuple[AxisRef, ...] | None = None
        if op.name != "stablehlo.collective_permute":
            found = self._along_axes(groups)
            mesh, axes = (None, None) if found is None else found
        report = partial(self._report, function, op, mesh, axes, devices)
        cause = "the program has it"
        return [report(i, cause, False, groups, _strategy(op)) for i in range(len(op.operands))]

    def _report(
        self,
        function: str,
        op: IrOperation,
        mesh: Mesh | None,
        axes: tuple[AxisRef, ...] | None,
        devices: int,
        operand: int,
        cause: str,
        inserted: bool,
        rows: Groups = (),
        strategy: Strategy = "cross_partition",
    ) -> CollectiveReport:
        value = op.operands[operand]
        kind = short(op.name)
        local, size = self._scan.layouts.local(value.type, self._scan.sharding(value))
        return CollectiveReport(
            kind=kind,
            op=op.name,
            function=function,
            where=self._scan.place(op.location),
            mesh=mesh,
            axes=axes,
            devices=devices,
            operand=local,
            operand_bytes=size,
            sent=None if size is None else bytes_sent(kind, size, devices),
            seconds=None if size is None else self._seconds(kind, size, mesh, axes, rows),
            runs=self._runs.of(function, op),
            cause=cause,
            inserted=inserted,
            strategy=strategy,
            rows=rows,
        )

    def _seconds(
        self,
        kind: str,
        size: int,
        mesh: Mesh | None,
        axes: tuple[AxisRef, ...] | None,
        groups: Groups,
    ) -> float | None:
        if self._interconnect is None:
            return None
        if mesh is not None and axes is not None:
            return self._interconnect.seconds(kind, size, mesh, axes)
        return self._interconnect.seconds_of_rows(kind, size, groups)

    def _along_axes(self, groups: Groups) -> tuple[Mesh, tuple[AxisRef, ...]] | None:
        """The axes that groups of ids lie along, if they do along whole ones."""
        if groups not in self._by_groups:
            self._by_groups[groups] = _axes_of_groups(groups, self._scan.layouts.meshes)
        return self._by_groups[groups]


def _strategy(op: IrOperation) -> Strategy:
    """What the ids of a collective of StableHLO stand for."""
    channel = attribute(op, "channel_handle")
    handle = None if channel is None else int(stablehlo.ChannelHandle(channel).handle)
    return strategy_of(short(op.name), handle, "use_global_device_ids" in op.attributes)


def axes_of(op: IrOperation, given: Sharding | None, final: Sharding) -> tuple[AxisRef, ...]:
    """The axes that a collective of Shardy goes over, in order."""
    if op.name == "sdy.collective_permute":
        return _moved(given, final)
    key, codec = _AXES[op.name]
    found = CODECS[codec].decode(op.attributes[key])
    if codec == "sdy_axes":
        return tuple(found)
    lists: Iterable[Sequence[AxisRef]]
    lists = [entry[0] for entry in found] if codec == "sdy_exchanges" else found
    return tuple([axis for axes in lists for axis in axes])


def _moved(given: Sharding | None, final: Sharding) -> tuple[AxisRef, ...]:
    """The axes that lie elsewhere after a permute, in the mesh's order; all, if devices do."""
    if given is not None and device_ids(given.mesh) != device_ids(final.mesh):
        return tuple([AxisRef(name) for name, size in final.mesh.axes if size > 1])
    before = [] if given is None else [dim.axes for dim in given.dims]
    moved: set[str] = set()
    for i, dim in enumerate(final.dims):
        old, new = before[i] if i < len(before) else (), dim.axes
        if old != new:
            moved |= {a.name for a in (*old, *new)}
    return tuple([AxisRef(name) for name, _ in final.mesh.axes if name in moved])


def _groups(op: IrOperation) -> Groups:
    """The groups of ids of a collective of StableHLO; of a permute, the pairs."""
    if op.name == "stablehlo.collective_permute":
        pairs = attribute(op, "source_target_pairs")
        return rows_of(np.asarray(pairs).tolist()) if pairs is not None else ()
    given = attribute(op, "replica_groups")
    if given is None:
        return ()
    if isinstance(given, ir.DenseIntElementsAttr):
        array = np.asarray(given)
        width = ir.ShapedType(given.type).get_dim_size(1)
        return rows_of(array.reshape(-1, width).tolist()) if width else ()
    return ()


def _axes_of_groups(
    groups: Groups, meshes: Sequence[Mesh]
) -> tuple[Mesh, tuple[AxisRef, ...]] | None:
    wanted = {frozenset(group) for group in groups}
    for mesh in meshes:
        names = [name for name, _ in mesh.axes]
        if len(names) > _MOST_AXES or sum(map(len, groups)) != mesh.size:
            continue
        for count in range(1, len(names) + 1):
            for chosen in combinations(names, count):
                axes = tuple([AxisRef(name) for name in chosen])
                if axes_size(mesh, axes) != len(groups[0]):
                    continue
                if {frozenset(row) for row in device_groups(mesh, axes)} == wanted:
                    return mesh, axes
    return None
