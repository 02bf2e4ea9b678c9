"""Shardy's collectives over axes as StableHLO's over groups of devices, on parts of values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dxir.codecs import CODECS
from dxir.diagnostics import where_of
from dxir.errors import PassError
from dxir.mesh_layout import axes_size, coordinates, device_groups, device_ids, part_of
from dxir.mlir import IrAttribute, IrOperation, IrType, IrValue, ir, stablehlo
from dxir.passes.partitioning.lying import with_shape
from dxir.passes.partitioning.places import Places, zero
from dxir.passes.partitioning.reducers import reduction_of
from dxir.reading import attribute, maker_of
from dxir.sharding import REDUCTIONS, AxisRef, Mesh, Sharding

_BODIES = {"SUM": "stablehlo.add", "MAX": "stablehlo.maximum", "MIN": "stablehlo.minimum"}


@dataclass(frozen=True, slots=True)
class Move:
    """One of Shardy's collectives: how its operand lies, and how its result.

    `manual` are the axes along which devices keep to themselves, as it stands in the body of a
    manual computation.
    """

    op: IrOperation
    before: Sharding | None
    after: Sharding
    manual: tuple[str, ...]


class Communication:
    """Makes the collectives of one module, each on a channel of its own."""

    def __init__(self, channel: int) -> None:
        self.channel = channel
        self.places = Places()
        self._groups: dict[tuple[str, tuple[AxisRef, ...]], IrAttribute] = {}

    def local(self, move: Move) -> IrValue:
        """What a collective gives on parts; its operand is one already."""
        make = _MAKERS.get(move.op.name)
        if make is None:
            raise PassError(
                f"'{move.op.name}' has no form on parts of values that is known here",
                where=where_of(move.op.location),
                hint="give the value a sharding without unreduced axes",
            )
        return make(self, move)

    def sliced(self, op: IrOperation, value: IrValue, mesh: Mesh, lists: Axes) -> IrValue:
        """The device's piece of a value that all devices of a group have."""
        shape = list(ir.RankedTensorType(value.type).shape)
        starts: list[IrValue] = []
        point = ir.InsertionPoint(op)
        nothing: IrValue | None = None
        for i, axes in enumerate(lists):
            if axes_size(mesh, axes) > 1:
                shape[i] //= axes_size(mesh, axes)
                starts.append(self.places.along(op, mesh, axes, shape[i]))
            else:
                nothing = zero(point, op.location) if nothing is None else nothing
                starts.append(nothing)
        return _make(
            op,
            "stablehlo.dynamic_slice",
            with_shape(value.type, shape, op.location),
            [value, *starts],
            {"slice_sizes": ir.DenseI64ArrayAttr.get(shape)},
        )

    def gathered(
        self, op: IrOperation, value: IrValue, mesh: Mesh, axes: Sequence[AxisRef], dim: int
    ) -> IrValue:
        """The pieces of a value along a dimension that the devices along axes have, joined."""
        if axes_size(mesh, axes) == 1:
            return value
        shape = list(ir.RankedTensorType(value.type).shape)
        shape[dim] *= axes_size(mesh, axes)
        attributes = self.attributes(mesh, axes)
        attributes["all_gather_dim"] = _i64(dim)
        attributes["use_global_device_ids"] = ir.UnitAttr.get()
        type = with_shape(value.type, shape, op.location)
        return _make(op, "stablehlo.all_gather", type, [value], attributes)

    def reduced(self, move: Move) -> IrValue:
        """What a reduce_scatter gives a piece of."""
        lists = _lists(move.op, "reduce_scatter_axes")
        axes = [axis for one in lists for axis in one]
        return self.all_reduced(move.op, move.after.mesh, axes)

    def all_reduced(self, op: IrOperation, mesh: Mesh, axes: Sequence[AxisRef]) -> IrValue:
        """What the devices along axes have, combined."""
        attributes = self.attributes(mesh, axes)
        attributes["use_global_device_ids"] = ir.UnitAttr.get()
        value = op.operands[0]
        made = _make(op, "stablehlo.all_reduce", value.type, [value], attributes, 1)
        _fill(made, _kind(op))
        return made

    def first_only(self, move: Move, value: IrValue, axes: Sequence[AxisRef]) -> IrValue:
        """Terms of a value that all devices along axes have: the first has it, the others 0."""
        if move.after.reduction != "SUM":  # of which the value may be a term several times
            return value
        op = move.op
        place = self.places.along(op, move.after.mesh, axes, 1)
        bit = ir.RankedTensorType.get([], ir.IntegerType.get_signless(1), loc=op.location)
        direction = ir.Attribute.parse("#stablehlo<comparison_direction EQ>")
        nothing = zero(ir.InsertionPoint(op), op.location)
        first = _make(
            op, "stablehlo.compare", bit, [place, nothing], {"comparison_direction": direction}
        )
        type = ir.RankedTensorType(value.type)
        scalar = ir.RankedTensorType.get([], type.element_type, loc=op.location)
        none = _make(op, "stablehlo.convert", scalar, [nothing], {})
        attributes: dict[str, IrAttribute] = {"broadcast_dimensions": ir.DenseI64ArrayAttr.get([])}
        empty = _make(op, "stablehlo.broadcast_in_dim", type, [none], attributes)
        return _make(op, "stablehlo.select", type, [first, value, empty], {})

    def attributes(self, mesh: Mesh, axes: Sequence[AxisRef]) -> dict[str, IrAttribute]:
        """The groups of devices along axes, and a channel that is not used yet."""
        return {"replica_groups": self.groups(mesh, axes), "channel_handle": self.handle()}

    def groups(self, mesh: Mesh, axes: Sequence[AxisRef]) -> IrAttribute:
        key = (mesh.name, tuple(axes))
        found = self._groups.get(key)
        if found is None:
            rows = np.array(device_groups(mesh, list(axes)), np.int64)
            found = self._groups[key] = ir.DenseElementsAttr.get(rows)
        return found

    def handle(self) -> IrAttribute:
        self.channel += 1
        return stablehlo.ChannelHandle.get(self.channel, 1)


Axes = Sequence[Sequence[AxisRef]]
_Maker = Callable[[Communication, Move], IrValue]
_MAKERS: dict[str, _Maker] = {}


def _maker(name: str) -> Callable[[_Maker], _Maker]:
    def declare(make: _Maker) -> _Maker:
        _MAKERS[f"sdy.{name}"] = make
        return make

    return declare


def _make(
    op: IrOperation,
    name: str,
    type: IrType,
    operands: Sequence[IrValue],
    attributes: dict[str, IrAttribute],
    regions: int = 0,
) -> IrValue:
    return ir.Operation.create(
        name,
        results=[type],
        operands=list(operands),
        attributes=attributes,
        regions=regions,
        ip=ir.InsertionPoint(op),
        loc=op.location,
    ).results[0]


def _lists(op: IrOperation, name: str) -> Axes:
    found: Axes = CODECS["sdy_axis_lists"].decode(op.attributes[name])
    return found


@_maker("all_slice")
def _all_slice(self: Communication, move: Move) -> IrValue:
    return self.sliced(
        move.op, move.op.operands[0], move.after.mesh, _lists(move.op, "slicing_axes")
    )


@_maker("all_gather")
def _all_gather(self: Communication, move: Move) -> IrValue:
    value = move.op.operands[0]
    for i, axes in enumerate(_lists(move.op, "gathering_axes")):
        value = self.gathered(move.op, value, move.after.mesh, axes, i)
    return value


@_maker("all_reduce")
def _all_reduce(self: Communication, move: Move) -> IrValue:
    axes = CODECS["sdy_axes"].decode(move.op.attributes["reduction_axes"])
    return self.all_reduced(move.op, move.after.mesh, axes)


@_maker("reduce_scatter")
def _reduce_scatter(self: Communication, move: Move) -> IrValue:
    op, mesh = move.op, move.after.mesh
    value = op.operands[0]
    for i, axes in enumerate(_lists(op, "reduce_scatter_axes")):
        if axes_size(mesh, axes) > 1:
            shape = list(ir.RankedTensorType(value.type).shape)
            shape[i] //= axes_size(mesh, axes)
            attributes = self.attributes(mesh, axes)
            attributes["scatter_dimension"] = _i64(i)
            attributes["use_global_device_ids"] = ir.UnitAttr.get()
            type = with_shape(value.type, shape, op.location)
            value = _make(op, "stablehlo.reduce_scatter", type, [value], attributes, 1)
            _fill(value, _kind(op))
    return value


@_maker("all_to_all")
def _all_to_all(self: Communication, move: Move) -> IrValue:
    op, mesh = move.op, move.after.mesh
    value = op.operands[0]
    for axes, source, target in CODECS["sdy_exchanges"].decode(op.attributes["params"]):
        count = axes_size(mesh, axes)
        shape = list(ir.RankedTensorType(value.type).shape)
        shape[source] *= count
        shape[target] //= count
        attributes = self.attributes(mesh, axes)
        attributes["split_dimension"] = _i64(target)
        attributes["concat_dimension"] = _i64(source)
        attributes["split_count"] = _i64(count)
        type = with_shape(value.type, shape, op.location)
        value = _make(op, "stablehlo.all_to_all", type, [value], attributes)
    return value


@_maker("collective_permute")
def _collective_permute(self: Communication, move: Move) -> IrValue:
    value = move.op.operands[0]
    assert move.before is not None
    pairs = np.array(moves(move.before, move.after, move.manual), np.int64)
    attributes: dict[str, IrAttribute] = {
        "source_target_pairs": ir.DenseElementsAttr.get(pairs),
        "channel_handle": self.handle(),
    }
    return _make(move.op, "stablehlo.collective_permute", value.type, [value], attributes)


@_maker("replicated_to_unreduced")
def _replicated_to_unreduced(self: Communication, move: Move) -> IrValue:
    axes = CODECS["sdy_axes"].decode(move.op.attributes["axes"])
    return self.first_only(move, move.op.operands[0], axes)


@_maker("sharded_to_unreduced")
def _sharded_to_unreduced(self: Communication, move: Move) -> IrValue:
    value, mesh, lists = move.op.operands[0], move.after.mesh, _lists(move.op, "axes")
    for i, axes in enumerate(lists):
        value = self.gathered(move.op, value, mesh, axes, i)
    return self.first_only(move, value, [axis for axes in lists for axis in axes])


def moves(before: Sharding, after: Sharding, manual: Sequence[str]) -> list[tuple[int, int]]:
    """From which device each gets its part, where all parts are alike in size; by target."""
    mesh = after.mesh
    shape = [dim.size(mesh) for dim in after.dims]
    sources: dict[object, list[int]] = {}
    targets: dict[object, list[int]] = {}
    for id, at in zip(device_ids(mesh), coordinates(mesh), strict=True):
        own = tuple(at[name] for name in manual)
        for sharding, found in ((before, sources), (after, targets)):
            part = tuple(s.start for s in part_of(shape, sharding, at))
            found.setdefault((own, part), []).append(id)
    pairs: list[tuple[int, int]] = []
    for key, wanting in targets.items():
        having = sources[key]
        staying = set(having) & set(wanting)
        left = [id for id in having if id not in staying]
        pairs += [(id, id) for id in staying]
        pairs += zip(left, [id for id in wanting if id not in staying], strict=True)
    return sorted(pairs, key=lambda pair: pair[1])


def _i64(number: int) -> IrAttribute:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), number)


def _kind(op: IrOperation) -> str:
    """What devices combine their terms by: what the op says, or what made the terms."""
    said = attribute(op, "reduction_op")
    if said is not None:
        return str(REDUCTIONS[int(ir.IntegerAttr(said).value)])
    made = maker_of(op.operands[0])
    while made is not None and made.name in _MOVES:
        if made.name in ("stablehlo.all_reduce", "stablehlo.reduce_scatter"):
            return reduction_of(made) or "SUM"
        made = maker_of(made.operands[0])
    if made is not None and made.name in ("stablehlo.reduce", "stablehlo.scatter"):
        return reduction_of(made) or "SUM"
    return "SUM"


_MOVES = frozenset(
    {
        "stablehlo.all_gather",
        "stablehlo.all_reduce",
        "stablehlo.all_to_all",
        "stablehlo.collective_permute",
        "stablehlo.dynamic_slice",
        "stablehlo.reduce_scatter",
    }
)


def _fill(made: IrValue, kind: str) -> None:
    """Give the collective that a value is of the region that combines two values."""
    op = maker_of(made)
    assert op is not None
    element = ir.RankedTensorType(op.results[0].type).element_type
    scalar = ir.RankedTensorType.get([], element, loc=op.location)
    block = op.regions[0].blocks.append(scalar, scalar, arg_locs=[op.location, op.location])
    point = ir.InsertionPoint(block)
    combined = ir.Operation.create(
        _BODIES[kind],
        results=[scalar],
        operands=list(block.arguments),
        ip=point,
        loc=op.location,
    )
    ir.Operation.create(
        "stablehlo.return", operands=list(combined.results), ip=point, loc=op.location
    )
