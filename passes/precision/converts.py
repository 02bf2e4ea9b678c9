"""Making converts and narrow copies, each sharded as the value it stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dxir.mlir import IrAttribute, IrOperation, IrType, IrValue, ir, sdy
from dxir.reading import SHARDING, attribute


def converted(value: IrValue, type: IrType, at: ir.InsertionPoint) -> IrValue:
    """The value converted to another type."""
    sharding = _sharding_of(value)
    return ir.Operation.create(
        "stablehlo.convert",
        results=[type],
        operands=[value],
        attributes={} if sharding is None else {SHARDING: sharding},
        ip=at,
        loc=value.location,
    ).results[0]


def copied(
    op: IrOperation,
    type: IrType,
    operands: Sequence[IrValue],
    attributes: Mapping[str, IrAttribute],
) -> IrValue:
    """The result of an op like `op` after it, of another type and with these attributes."""
    return ir.Operation.create(
        op.name,
        results=[type],
        operands=operands,
        attributes=attributes,
        ip=ir.InsertionPoint.after(op),
        loc=op.location,
    ).results[0]


def _sharding_of(value: IrValue) -> IrAttribute | None:
    """The sharding of an op's result or a function's parameter, as an op of one result has it."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        return _sharding_of_argument(owner, value)
    op = owner.operation
    if SHARDING not in op.attributes:
        return None
    given = op.attributes[SHARDING]
    if len(op.results) == 1:
        return given
    number = _position(value, op.results)
    return _of_one_result(sdy.TensorShardingPerValueAttr(given).shardings[number])


def _sharding_of_argument(block: ir.Block, value: IrValue) -> IrAttribute | None:
    function = block.owner.operation
    given = attribute(function, "arg_attrs")
    if not isinstance(given, ir.ArrayAttr):
        return None
    described = ir.DictAttr(given[_position(value, block.arguments)])
    return _of_one_result(described[SHARDING]) if SHARDING in described else None


def _of_one_result(sharding: IrAttribute) -> IrAttribute:
    return sdy.TensorShardingPerValueAttr.get([sharding])


def _position(value: IrValue, among: Sequence[IrValue]) -> int:
    return next(index for index, other in enumerate(among) if other == value)
