"""What rules of layout ask of ops and types: static shapes, lists of numbers, who makes a value.

All of it leaves out tensors whose shape is not static or carries an encoding, and quantized ones:
a scale along an axis would have to move with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from dxir.elements import elements_of
from dxir.mlir import IrAttribute, IrOperation, IrType, IrValue, ir
from dxir.pipeline.rewriting import Make
from dxir.reading import annotations_of, attribute


def sizes_of(type: IrType) -> list[int] | None:
    """The sizes of a plain tensor type; None for any other type."""
    if (
        isinstance(type, ir.RankedTensorType)
        and type.has_static_shape
        and isinstance(type.element_type, ir.IntegerType | ir.FloatType | ir.ComplexType)
        and type.encoding is None
    ):
        return type.shape
    return None


def sizes(value: IrValue) -> list[int] | None:
    """The sizes of a value of a plain tensor type; None for any other value."""
    return sizes_of(value.type)


def resized(like: IrValue, shape: Sequence[int], make: Make) -> IrType:
    """The tensor type of that shape with the elements of `like`."""
    assert isinstance(like.type, ir.RankedTensorType)
    return ir.RankedTensorType.get(list(shape), like.type.element_type, loc=make.location)


def numbers(op: IrOperation, name: str) -> list[int]:
    """An attribute that is a list of numbers."""
    return list(ir.DenseI64ArrayAttr(op.attributes[name]))


def number(op: IrOperation, name: str) -> int:
    """An attribute that is a number."""
    return int(ir.IntegerAttr(op.attributes[name]).value)


def listed(values: Sequence[int]) -> IrAttribute:
    """The attribute of a list of numbers."""
    return ir.DenseI64ArrayAttr.get(list(values))


def inner(make: Make, position: int, *names: str) -> IrOperation | None:
    """The op of one of these names that makes an operand; None when it is annotated.

    An annotation, a sharding say, is of the value in between, which goes.
    """
    name, found = make.makers[position]
    return found if found is not None and name in names and is_plain(found) else None


# How many attributes an op has at least, all part of its meaning; to ask which is slower.
_OWN_ATTRIBUTES = {
    "stablehlo.broadcast_in_dim": 1,
    "stablehlo.concatenate": 1,
    "stablehlo.dot_general": 1,
    "stablehlo.iota": 1,
    "stablehlo.pad": 3,
    "stablehlo.reverse": 1,
    "stablehlo.slice": 3,
    "stablehlo.transpose": 1,
}


def is_plain(op: IrOperation) -> bool:
    """Whether an op has no annotations."""
    return len(op.attributes) <= _OWN_ATTRIBUTES.get(op.name, 0) or not annotations_of(op)


def used_once(value: IrValue) -> bool:
    """Whether a value has one use."""
    return sum(1 for _ in islice(value.uses, 2)) == 1


def splat_of(value: IrValue) -> IrAttribute | None:
    """The element that a constant has everywhere; None for anything else, and for complex ones."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        return None
    op = owner.operation
    if op.name != "stablehlo.constant" or len(op.attributes) != 1:
        return None
    found = attribute(op, "value")
    if isinstance(found, ir.DenseElementsAttr) and found.is_splat and sizes(value) is not None:
        return found.get_splat_value()
    return None


def splat(element: IrAttribute, type: IrType, make: Make) -> IrValue:
    """A constant that is the element everywhere."""
    value: IrValue = make.op(
        "stablehlo.constant", type, value=ir.DenseElementsAttr.get_splat(type, element)
    )
    return value


def integers_of(value: IrValue) -> list[int] | None:
    """The elements of an integer constant of few elements, in order."""
    owner = value.owner
    if isinstance(owner, ir.Block) or owner.operation.name != "stablehlo.constant":
        return None
    found = attribute(owner.operation, "value")
    if not isinstance(found, ir.DenseIntElementsAttr) or sizes(value) is None:
        return None
    if len(found) > _MOST_INDICES:
        return None
    array = elements_of(found)
    return None if array is None else [int(v) for v in array.reshape(-1)]


_MOST_INDICES = 4096
