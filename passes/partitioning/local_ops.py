"""What of an op, besides its types, is about the size of its operands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dxir.constants import complex_constant
from dxir.decoding import AttributeText, entry
from dxir.diagnostics import where_of
from dxir.errors import PassError
from dxir.mlir import IrAttribute, IrOperation, IrType, ir, stablehlo
from dxir.passes.partitioning.lying import with_shape
from dxir.passes.partitioning.padding import Padding
from dxir.passes.partitioning.whole import ints, number
from dxir.reading import maker_of
from dxir.sharding import Sharding


@dataclass(frozen=True, slots=True)
class Piece:
    """An op with the types of parts; `whole` is that of its first result, which lies so."""

    op: IrOperation
    whole: IrType
    sharding: Sharding | None
    padding: Padding


Local = Callable[[Piece], "IrOperation | None"]
LOCAL_OPS: dict[str, Local] = {}
"""What makes an op one on parts: the op that stands in its place, or None when it is the same."""


def _op(*names: str) -> Callable[[Local], Local]:
    def declare(local: Local) -> Local:
        for name in names:
            LOCAL_OPS[name] = local
        return local

    return declare


def _shape(type: IrType) -> list[int]:
    return list(ir.RankedTensorType(type).shape)


def _dense(numbers: list[int]) -> IrAttribute:
    return ir.DenseI64ArrayAttr.get(numbers)


@_op("stablehlo.constant", "sdy.constant")
def _constant(piece: Piece) -> IrOperation | None:
    op, whole, sharding = piece.op, piece.whole, piece.sharding
    type = op.results[0].type
    if type == whole and op.name == "stablehlo.constant":
        return None
    value = entry(op.attributes, "value")
    if isinstance(value, AttributeText):
        made = complex_constant(op, value)
    else:
        if type != whole and isinstance(value, ir.DenseElementsAttr) and value.is_splat:
            value = ir.DenseElementsAttr.get_splat(type, value.get_splat_value())
            whole = type
        made = _create(op, "stablehlo.constant", whole, {"value": value})
    if type == whole:
        return made
    assert sharding is not None
    return maker_of(piece.padding.piece(op, made.results[0], sharding))


@_op("stablehlo.iota")
def _iota(piece: Piece) -> IrOperation | None:
    """Numbers along a split dimension: those of the whole dimension, of which a piece is taken."""
    op, whole, sharding = piece.op, piece.whole, piece.sharding
    type = op.results[0].type
    dimension = number(op, "iota_dimension")
    size, local = _shape(whole)[dimension], _shape(type)[dimension]
    if size == local:
        return None
    assert sharding is not None
    line = _create(
        op,
        "stablehlo.iota",
        with_shape(type, [size], op.location),
        {"iota_dimension": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 0)},
    )
    lies = Sharding(sharding.mesh, sharding.dims[dimension])
    own = piece.padding.piece(op, line.results[0], lies)
    return ir.Operation.create(
        "stablehlo.broadcast_in_dim",
        results=[type],
        operands=[own],
        attributes={"broadcast_dimensions": _dense([dimension])},
        ip=ir.InsertionPoint(op),
        loc=op.location,
    )


@_op("stablehlo.slice")
def _slice(piece: Piece) -> IrOperation | None:
    op, whole = piece.op, piece.whole
    limits = ints(op.attributes["limit_indices"])
    before, after = _shape(whole), _shape(op.results[0].type)
    for i, (a, b) in enumerate(zip(before, after, strict=True)):
        if a != b:  # it is all of the dimension
            limits[i] = b
    op.attributes["limit_indices"] = _dense(limits)
    return None


@_op("stablehlo.dynamic_slice")
def _dynamic_slice(piece: Piece) -> IrOperation | None:
    op = piece.op
    op.attributes["slice_sizes"] = _dense(_shape(op.results[0].type))
    return None


@_op("stablehlo.gather")
def _gather(piece: Piece) -> IrOperation | None:
    op = piece.op
    numbers = stablehlo.GatherDimensionNumbers(op.attributes["dimension_numbers"])
    shape = _shape(op.operands[0].type)
    sizes = ints(op.attributes["slice_sizes"])
    gone = {*numbers.collapsed_slice_dims, *numbers.operand_batching_dims}
    op.attributes["slice_sizes"] = _dense(
        [size if i in gone else min(size, shape[i]) for i, size in enumerate(sizes)]
    )
    return None


@_op("stablehlo.reshape")
def _reshape(piece: Piece) -> IrOperation | None:
    op = piece.op
    before, after = _shape(op.operands[0].type), _shape(op.results[0].type)
    count = [1, 1]
    for i, shape in enumerate((before, after)):
        for size in shape:
            count[i] *= size
    if count[0] != count[1]:
        raise PassError(
            f"'stablehlo.reshape' to {piece.whole} takes parts of shape {before} to {after}",
            where=where_of(op.location),
            hint="constrain its operand or result to lie whole along the dimensions that it joins",
        )
    return None


def _create(
    op: IrOperation, name: str, type: IrType, attributes: dict[str, IrAttribute]
) -> IrOperation:
    return ir.Operation.create(
        name,
        results=[type],
        attributes=attributes,
        ip=ir.InsertionPoint(op),
        loc=op.location,
    )
