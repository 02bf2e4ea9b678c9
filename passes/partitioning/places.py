"""Numbers that depend on which device asks, computed from its id."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dxir.mesh_layout import coordinates, device_ids, index_along
from dxir.mlir import IrLocation, IrOperation, IrValue, ir
from dxir.reading import maker_of
from dxir.sharding import AxisRef, Mesh


def positions(mesh: Mesh, axes: Sequence[AxisRef]) -> list[int]:
    """Where along `axes`, major first, each device stands, by the id of the device."""
    found = [0] * mesh.size
    for id, at in zip(device_ids(mesh), coordinates(mesh), strict=True):
        position = 0
        for axis in axes:
            position = position * axis.size(mesh) + index_along(mesh, axis, at[axis.name])
        found[id] = position
    return found


class Places:
    """Makes the numbers of one function, each once for a block."""

    def __init__(self) -> None:
        self._made: dict[tuple[object, ...], IrValue] = {}
        self._ids: dict[object, IrValue] = {}

    def along(self, op: IrOperation, mesh: Mesh, axes: Sequence[AxisRef], step: int) -> IrValue:
        """`step` times where the device stands along `axes`, an i64 for ops from `op` on."""
        block = op.block
        key = (_key(block), mesh.name, tuple(axes), step)
        found = self._made.get(key)
        if found is None:
            point = ir.InsertionPoint.at_block_begin(block)
            numbers = np.array(positions(mesh, axes), np.int64) * step
            found = self._made[key] = self._looked_up(block, point, numbers, op.location)
        return found

    def _looked_up(
        self, block: ir.Block, point: ir.InsertionPoint, numbers: np.ndarray, location: IrLocation
    ) -> IrValue:
        """The element of a table that is for the device."""
        device = self._ids.get(_key(block))
        if device is None:
            unsigned = ir.Type.parse("ui32")
            type = ir.RankedTensorType.get([], unsigned, loc=location)
            made = ir.Operation.create(
                "stablehlo.partition_id", results=[type], ip=point, loc=location
            )
            device = self._ids[_key(block)] = made.results[0]
            point = ir.InsertionPoint.after(made)
        else:
            maker = maker_of(device)
            assert maker is not None
            point = ir.InsertionPoint.after(maker)
        integer = ir.IntegerType.get_signless(64)
        table = ir.Operation.create(
            "stablehlo.constant",
            results=[ir.RankedTensorType.get([len(numbers)], integer, loc=location)],
            attributes={"value": ir.DenseElementsAttr.get(numbers)},
            ip=point,
            loc=location,
        )
        piece = ir.Operation.create(
            "stablehlo.dynamic_slice",
            results=[ir.RankedTensorType.get([1], integer, loc=location)],
            operands=[table.results[0], device],
            attributes={"slice_sizes": ir.DenseI64ArrayAttr.get([1])},
            ip=point,
            loc=location,
        )
        return ir.Operation.create(
            "stablehlo.reshape",
            results=[ir.RankedTensorType.get([], integer, loc=location)],
            operands=[piece.results[0]],
            ip=point,
            loc=location,
        ).results[0]


def _key(block: ir.Block) -> object:
    """What tells blocks apart: the op that ends them."""
    operations = block.operations
    return operations[len(operations) - 1].operation


def zero(point: ir.InsertionPoint, location: IrLocation) -> IrValue:
    """The i64 0."""
    integer = ir.IntegerType.get_signless(64)
    return ir.Operation.create(
        "stablehlo.constant",
        results=[ir.RankedTensorType.get([], integer, loc=location)],
        attributes={"value": ir.DenseElementsAttr.get(np.array(0, np.int64))},
        ip=point,
        loc=location,
    ).results[0]
