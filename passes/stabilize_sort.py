"""Have sorts keep the order of equal elements by comparing where they were.

    sort(x), is_stable = true, comparing cmp(a, b)
        ->  sort(x, iota), comparing cmp(a, b) or (not cmp(b, a) and i < j)

For compilers whose sort leaves equal elements in any order. An iota that is sorted with the others
serves for the places, too. The sort that is left has no equal elements, so it does not ask to be
stable. Sorts that do not ask for it stay as they are, and so do those of sizes that are not known,
and those that compare by ops with regions.
"""

from __future__ import annotations

from collections.abc import Sequence

from dxir.mlir import IrOperation, IrValue, ir
from dxir.passes.building import AND, NOT, OR, Building, made_by
from dxir.pipeline.base import Pass
from dxir.reading import attribute, attributes_of, is_dynamic, ops_below

_SORT, _IOTA = "stablehlo.sort", "stablehlo.iota"
_ENOUGH_BITS = 32


class StabilizeSort(Pass, name="dxir-stabilize-sort"):
    """Have stable sorts compare the places of elements that are equal otherwise."""

    def run(self, module: ir.Module) -> bool:
        with module.context, ir.Location.unknown():
            for op in ops_below(module.operation, (_SORT,)):
                stable = attribute(op, "is_stable")
                known = not any(is_dynamic(v.type) for v in op.operands)
                if not isinstance(stable, ir.BoolAttr) or not stable.value:
                    continue
                if known and not any(len(o.regions) for o in ops_below(op)):
                    _stabilize(op)
                    self.count("sorts stabilized")
        return bool(self.statistics)


def _stabilize(op: IrOperation) -> None:
    make = Building(op)
    dimension = attribute(op, "dimension")
    axis = dimension.value if isinstance(dimension, ir.IntegerAttr) else -1
    axis %= ir.RankedTensorType(op.operands[0].type).rank
    operands = list(op.operands)
    place = next((i for i, v in enumerate(operands) if _counts(v, axis)), len(operands))
    if place == len(operands):
        places = make.of(operands[0], ir.IntegerType.get_signless(32))
        number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), axis)
        operands.append(make.op(_IOTA, places, iota_dimension=number))
    made = make.many(
        _SORT,
        [v.type for v in operands],
        operands,
        attributes_of(op, without=("is_stable",)),
        regions=1,
    )
    _compare(op, made, make, place)
    make.finish(*list(made.results)[: len(op.results)])


def _counts(value: IrValue, axis: int) -> bool:
    """Whether a value says already where along the axis each element is."""
    iota = made_by(value, _IOTA)
    if iota is None or ir.IntegerAttr(iota.attributes["iota_dimension"]).value != axis:
        return False
    element = ir.RankedTensorType(value.type).element_type
    return isinstance(element, ir.IntegerType) and element.width >= _ENOUGH_BITS


def _compare(op: IrOperation, made: IrOperation, make: Building, place: int) -> None:
    """Fill the region of the new sort; the operand of that number says where elements are."""
    old = op.regions[0].blocks[0]
    types: list[ir.Type] = []
    for value in made.operands:
        element = ir.RankedTensorType(value.type).element_type
        types += [ir.RankedTensorType.get([], element)] * 2
    block = ir.Block.create_at_start(made.regions[0], types, [make.location] * len(types))
    first, second = block.arguments[2 * place], block.arguments[2 * place + 1]
    given = list(block.arguments)[: len(old.arguments)]
    crossed = [given[i ^ 1] for i in range(len(given))]
    with ir.InsertionPoint(block):
        before, after = (_copied(old, values) for values in (given, crossed))
        inside = Building.at(block, make.location)
        earlier = inside.compare("LT", first, second)
        tied = inside.like(AND, inside.like(NOT, after), earlier)
        inside.many("stablehlo.return", [], [inside.like(OR, before, tied)])


def _copied(block: ir.Block, arguments: Sequence[IrValue]) -> IrValue:
    """What the ops of a block give for other arguments, copied to the insertion point."""
    values: dict[IrValue, IrValue] = dict(zip(block.arguments, arguments, strict=True))
    *body, last = [view.operation for view in block.operations]
    for op in body:
        copy = op.clone().operation
        for i, operand in enumerate(op.operands):
            copy.operands[i] = values.get(operand, operand)
        values.update(zip(op.results, copy.results, strict=True))
    (result,) = last.operands
    return values.get(result, result)
