"""Parts beyond the end of values that their axes do not divide, kept out of what is summed up.

Every device has a part of the larger size; what is in it beyond the end of the value is whatever
came there. Ops that treat elements alone may compute on it. A reduction or a contraction may not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from dxir.mesh_layout import axes_size, undivided
from dxir.mlir import IrOperation, IrType, IrValue, decode_type, ir, stablehlo
from dxir.passes.partitioning.communication import Communication, Move
from dxir.passes.partitioning.lying import with_shape
from dxir.passes.partitioning.whole import ints
from dxir.sharding import Sharding
from dxir.types import TensorType

_REDUCE = "stablehlo.reduce"
_PRODUCTS = frozenset({"stablehlo.dot_general", "stablehlo.dot", "stablehlo.convolution"})


def loose_dims(type: IrType, sharding: Sharding | None) -> frozenset[int]:
    """The dimensions of a whole value that its axes do not divide."""
    if sharding is None:
        return frozenset()
    decoded = decode_type(type)
    if not isinstance(decoded, TensorType):
        return frozenset()
    return frozenset(each.dimension for each in undivided(decoded, sharding))


class Padding:
    """The whole types of values, and masks of what is within them."""

    def __init__(self, talk: Communication) -> None:
        self.talk = talk
        self.whole: dict[IrValue, IrType] = {}

    def note(self, value: IrValue, type: IrType) -> None:
        """Write down the type that a value has as a whole."""
        self.whole[value] = type

    def mask(self, op: IrOperation, lying: dict[IrValue, Sharding]) -> None:
        """Have an op see what is neutral beyond the ends of what it sums up."""
        if op.name == _REDUCE:
            count = len(op.operands) // 2
            reduced = ints(op.attributes["dimensions"])
            for i in range(count):
                self._mask(op, i, reduced, lying, op.operands[count + i])
        elif op.name in _PRODUCTS:
            for i, dims in enumerate(_contracted(op)):
                self._mask(op, i, dims, lying, None)

    def _mask(
        self,
        op: IrOperation,
        index: int,
        dims: Iterable[int],
        lying: dict[IrValue, Sharding],
        fill: IrValue | None,
    ) -> None:
        value = op.operands[index]
        sharding, whole = lying.get(value), self.whole.get(value)
        if sharding is None or whole is None:
            return
        for dim in sorted(loose_dims(whole, sharding) & set(dims)):
            size = ir.RankedTensorType(whole).shape[dim]
            value = self._cut(op, value, (dim, size), sharding, fill)
        op.operands[index] = value

    def _cut(
        self,
        op: IrOperation,
        value: IrValue,
        end: tuple[int, int],
        sharding: Sharding,
        fill: IrValue | None,
    ) -> IrValue:
        """The value with `fill`, or 0, beyond the end of a dimension."""
        dim, size = end
        type = ir.RankedTensorType(value.type)
        local = type.shape[dim]
        integer, bit = ir.IntegerType.get_signless(64), ir.IntegerType.get_signless(1)
        line = ir.RankedTensorType.get([local], integer, loc=op.location)
        first = self.talk.places.along(op, sharding.mesh, sharding.dims[dim].axes, local)
        steps = np.arange(local, dtype=np.int64)
        counted = _make(op, "stablehlo.constant", line, [], value=ir.DenseElementsAttr.get(steps))
        start = _spread(op, first, line, [])
        index = _make(op, "stablehlo.add", line, [start, counted])
        limit = _make(
            op,
            "stablehlo.constant",
            line,
            [],
            value=ir.DenseElementsAttr.get(np.full(local, size, np.int64)),
        )
        within = _make(
            op,
            "stablehlo.compare",
            ir.RankedTensorType.get([local], bit, loc=op.location),
            [index, limit],
            comparison_direction=ir.Attribute.parse("#stablehlo<comparison_direction LT>"),
        )
        shape = ir.RankedTensorType.get(type.shape, bit, loc=op.location)
        inside = _spread(op, within, shape, [dim])
        if fill is None:
            fill = _nothing(op, type)
        filled = _spread(op, fill, type, [])
        return _make(op, "stablehlo.select", type, [inside, value, filled])

    def moved(self, move: Move) -> IrValue | None:
        """A value moved by way of the whole, where parts do not meet; None where they do."""
        op = move.op
        whole = self.whole[op.operands[0]]
        before, after = move.before, move.after
        if not loose_dims(whole, before) and not loose_dims(whole, after):
            return None
        if op.name in ("sdy.all_reduce", "sdy.replicated_to_unreduced"):
            return None
        value = op.operands[0]
        if op.name == "sdy.reduce_scatter":
            value = self.talk.reduced(move)
        if before is not None:
            value = self._gathered(op, value, whole, before)
        value = self.piece(op, value, after)
        if op.name == "sdy.sharded_to_unreduced":
            return self.talk.first_only(move, value, after.unreduced)
        return value

    def _gathered(self, op: IrOperation, value: IrValue, whole: IrType, lies: Sharding) -> IrValue:
        """The whole value, of the parts of it."""
        for i, dim in enumerate(lies.dims):
            value = self.talk.gathered(op, value, lies.mesh, dim.axes, i)
        shape = list(ir.RankedTensorType(whole).shape)
        if list(ir.RankedTensorType(value.type).shape) == shape:
            return value
        return _make(
            op,
            "stablehlo.slice",
            with_shape(value.type, shape, op.location),
            [value],
            start_indices=ir.DenseI64ArrayAttr.get([0] * len(shape)),
            limit_indices=ir.DenseI64ArrayAttr.get(shape),
            strides=ir.DenseI64ArrayAttr.get([1] * len(shape)),
        )

    def piece(self, op: IrOperation, value: IrValue, lies: Sharding) -> IrValue:
        """The device's part of a whole value that it has, padded where need be."""
        type = ir.RankedTensorType(value.type)
        lists = [dim.axes for dim in lies.dims]
        high = [-size % axes_size(lies.mesh, a) for size, a in zip(type.shape, lists, strict=True)]
        if any(high):
            shape = [size + more for size, more in zip(type.shape, high, strict=True)]
            nothing = ir.DenseI64ArrayAttr.get([0] * len(shape))
            value = _make(
                op,
                "stablehlo.pad",
                with_shape(type, shape, op.location),
                [value, _nothing(op, type)],
                edge_padding_low=nothing,
                edge_padding_high=ir.DenseI64ArrayAttr.get(high),
                interior_padding=nothing,
            )
        return self.talk.sliced(op, value, lies.mesh, lists)


def _contracted(op: IrOperation) -> tuple[Sequence[int], Sequence[int]]:
    """The dimensions of both operands that a product sums over."""
    if op.name == "stablehlo.dot_general":
        numbers = stablehlo.DotDimensionNumbers(op.attributes["dot_dimension_numbers"])
        return (
            list(numbers.lhs_contracting_dimensions),
            list(numbers.rhs_contracting_dimensions),
        )
    if op.name == "stablehlo.dot":
        return [ir.RankedTensorType(op.operands[0].type).rank - 1], [0]
    window = stablehlo.ConvDimensionNumbers(op.attributes["dimension_numbers"])
    return [window.input_feature_dimension], [window.kernel_input_feature_dimension]


def _make(
    op: IrOperation,
    name: str,
    type: IrType,
    operands: Sequence[IrValue],
    **attributes: ir.Attribute,
) -> IrValue:
    return ir.Operation.create(
        name,
        results=[type],
        operands=list(operands),
        attributes=attributes,
        ip=ir.InsertionPoint(op),
        loc=op.location,
    ).results[0]


def _spread(op: IrOperation, value: IrValue, type: IrType, dims: Sequence[int]) -> IrValue:
    axes = ir.DenseI64ArrayAttr.get(list(dims))
    return _make(op, "stablehlo.broadcast_in_dim", type, [value], broadcast_dimensions=axes)


def _nothing(op: IrOperation, type: IrType) -> IrValue:
    """The scalar 0 of the element type."""
    element = ir.RankedTensorType(type).element_type
    number = ir.IntegerType.get_signless(32)
    zero = _make(
        op,
        "stablehlo.constant",
        ir.RankedTensorType.get([], number, loc=op.location),
        [],
        value=ir.DenseElementsAttr.get(np.array(0, np.int32)),
    )
    scalar = ir.RankedTensorType.get([], element, loc=op.location)
    return zero if element == number else _make(op, "stablehlo.convert", scalar, [zero])
