"""Ops made in the place of another, spelled by what they compute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dxir.elements import Array, elements_of
from dxir.mlir import IrAttribute, IrLocation, IrOperation, IrType, IrValue, ir
from dxir.reading import annotations_of, attribute, maker_of

ADD, AND, OR, NOT = "stablehlo.add", "stablehlo.and", "stablehlo.or", "stablehlo.not"
SELECT, CLAMP, CONSTANT = "stablehlo.select", "stablehlo.clamp", "stablehlo.constant"
BROADCAST = "stablehlo.broadcast_in_dim"


class Building:
    """Makes ops right before one, at its place in the user's source, to stand for it."""

    def __init__(self, op: IrOperation) -> None:
        self.to = op
        self.location = op.location
        self._point = ir.InsertionPoint(op)

    @classmethod
    def at(cls, block: ir.Block, location: IrLocation) -> Building:
        """One that makes ops at the end of a block, to stand for none."""
        building = cls.__new__(cls)
        building.location, building._point = location, ir.InsertionPoint(block)
        return building

    def many(
        self,
        name: str,
        types: Sequence[IrType],
        operands: Sequence[IrValue],
        attributes: Mapping[str, IrAttribute] | None = None,
        regions: int = 0,
    ) -> IrOperation:
        """An op of any number of results and regions."""
        return ir.Operation.create(
            name,
            results=list(types),
            operands=list(operands),
            attributes=dict(attributes or {}),
            regions=regions,
            ip=self._point,
            loc=self.location,
        )

    def op(self, name: str, type: IrType, *operands: IrValue, **attributes: IrAttribute) -> IrValue:
        """The only result of an op."""
        return self.many(name, [type], operands, attributes).results[0]

    def like(self, name: str, *operands: IrValue) -> IrValue:
        """An elementwise op, of the type of its first operand."""
        return self.op(name, operands[0].type, *operands)

    def compare(self, direction: str, a: IrValue, b: IrValue) -> IrValue:
        """Where `a` and `b` compare so (`LT`, ...), as StableHLO compares their type."""
        wanted = ir.Attribute.parse(f"#stablehlo<comparison_direction {direction}>")
        bits = ir.IntegerType.get_signless(1)
        return self.op("stablehlo.compare", self.of(a, bits), a, b, comparison_direction=wanted)

    def select(self, where: IrValue, a: IrValue, b: IrValue) -> IrValue:
        """`a` where it is so, `b` elsewhere."""
        return self.op(SELECT, a.type, where, a, b)

    def of(self, value: IrValue, element: IrType) -> IrType:
        """The type of a value, of other elements."""
        return ir.RankedTensorType.get(ir.RankedTensorType(value.type).shape, element)

    def full(self, type: IrType, number: float) -> IrValue:
        """A constant that is one number everywhere; of complex types, a real one."""
        tensor = ir.RankedTensorType(type)
        element = tensor.element_type
        if isinstance(element, ir.ComplexType):
            part = self.full(ir.RankedTensorType.get(tensor.shape, element.element_type), number)
            return self.op("stablehlo.complex", type, part, self.full(part.type, 0))
        scalar: Any
        if isinstance(element, ir.IntegerType):
            width = element.width
            low = 0 if width == 1 else -(1 << (width - 1))  # unsigned ones are given so, too
            scalar = ir.IntegerAttr.get(element, (int(number) - low) % (1 << width) + low)
        else:
            scalar = ir.FloatAttr.get(element, number)
        return self.op(CONSTANT, type, value=ir.DenseElementsAttr.get_splat(type, scalar))

    def integers(self, numbers: Sequence[int], type: IrType) -> IrValue:
        """A constant of rank 1 with these numbers, of an integer type of that length."""
        element = ir.RankedTensorType(type).element_type
        made = [ir.IntegerAttr.get(element, n) for n in numbers]
        get: Any = ir.DenseElementsAttr.get  # whose stub does not know lists of attributes
        return self.op(CONSTANT, type, value=get(made, type))

    def spread(self, value: IrValue, type: IrType, axes: Sequence[int]) -> IrValue:
        """The value along those axes of a larger type."""
        dims = ir.DenseI64ArrayAttr.get(list(axes))
        return self.op(BROADCAST, type, value, broadcast_dimensions=dims)

    def pad(
        self,
        value: IrValue,
        fill: IrValue,
        low: Sequence[int],
        high: Sequence[int],
        interior: Sequence[int] | None = None,
    ) -> IrValue:
        """The value with `fill` around it and between its elements; negative edges are cut off."""
        tensor = ir.RankedTensorType(value.type)
        between = [0] * len(low) if interior is None else list(interior)
        sizes = [
            a + b + n + max(n - 1, 0) * i
            for a, b, n, i in zip(low, high, tensor.shape, between, strict=True)
        ]
        if sizes == list(tensor.shape) and not any(low):
            return value
        return self.op(
            "stablehlo.pad",
            ir.RankedTensorType.get(sizes, tensor.element_type),
            value,
            fill,
            edge_padding_low=ir.DenseI64ArrayAttr.get(list(low)),
            edge_padding_high=ir.DenseI64ArrayAttr.get(list(high)),
            interior_padding=ir.DenseI64ArrayAttr.get(between),
        )

    def slice(
        self, value: IrValue, starts: Sequence[int], limits: Sequence[int], strides: Sequence[int]
    ) -> IrValue:
        """Every `strides`-th element from `starts` up to `limits`."""
        tensor = ir.RankedTensorType(value.type)
        sizes = [-(-(b - a) // s) for a, b, s in zip(starts, limits, strides, strict=True)]
        return self.op(
            "stablehlo.slice",
            ir.RankedTensorType.get(sizes, tensor.element_type),
            value,
            start_indices=ir.DenseI64ArrayAttr.get(list(starts)),
            limit_indices=ir.DenseI64ArrayAttr.get(list(limits)),
            strides=ir.DenseI64ArrayAttr.get(list(strides)),
        )

    def finish(self, *values: IrValue) -> None:
        """Put the values in the place of the op's results; what was said of these is kept."""
        said = annotations_of(self.to)
        for value in values:
            maker = maker_of(value)
            for name, note in said.items() if maker is not None else ():
                if note is not None and maker is not None and name not in maker.attributes:
                    maker.attributes[name] = note
        for result, value in zip(self.to.results, values, strict=True):
            result.replace_all_uses_with(value)
        self.to.erase()


def made_by(value: IrValue, name: str) -> IrOperation | None:
    """The op of that name that makes a value; None when it is anything else."""
    op = maker_of(value)
    return op if op is not None and op.name == name else None


def known(value: IrValue) -> Array | None:
    """The numbers of a constant, or of one that is broadcast, as an array of the value's shape."""
    op = maker_of(value)
    if op is None:
        return None
    if op.name == CONSTANT:
        return elements_of(attribute(op, "value"))
    if op.name != BROADCAST or not ir.RankedTensorType(value.type).has_static_shape:
        return None
    inner = known(op.operands[0])
    if inner is None:
        return None
    shape = list(ir.RankedTensorType(value.type).shape)
    axes = list(ir.DenseI64ArrayAttr(op.attributes["broadcast_dimensions"]))
    aligned = [1] * len(shape)
    for axis, size in zip(axes, inner.shape, strict=True):
        aligned[axis] = size
    return np.broadcast_to(inner.reshape(aligned), shape) if axes == sorted(axes) else None
