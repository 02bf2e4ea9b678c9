"""Transposes that become part of the dimension numbers of a product."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dxir.mlir import IrAttribute, IrOperation, ir, stablehlo
from dxir.passes.rewrites.elementwise_layout import cancels
from dxir.passes.rewrites.shapes import inner, numbers, sizes, used_once
from dxir.pipeline.rewriting import Make, Result, Rules
from dxir.reading import attribute

RULES = Rules()

_PRODUCT = "stablehlo.dot_general"
_TRANSPOSE = "stablehlo.transpose"


@dataclass(frozen=True, slots=True)
class _Side:
    """An operand's dimensions: batch and contracted ones as listed, the free ones in order."""

    rank: int
    batch: Sequence[int]
    contracted: Sequence[int]

    @property
    def free(self) -> list[int]:
        return [d for d in range(self.rank) if d not in self.batch and d not in self.contracted]


def _sides(op: IrOperation) -> list[_Side] | None:
    shapes = [sizes(value) for value in op.operands]
    given = stablehlo.DotDimensionNumbers(op.attributes["dot_dimension_numbers"])
    batch = (given.lhs_batching_dimensions, given.rhs_batching_dimensions)
    contracted = (given.lhs_contracting_dimensions, given.rhs_contracting_dimensions)
    if None in shapes or sizes(op.results[0]) is None:
        return None
    return [_Side(len(shapes[i] or ()), batch[i], contracted[i]) for i in (0, 1)]


def _product(
    op: IrOperation, sides: Sequence[_Side], *, swap: bool = False
) -> dict[str, IrAttribute]:
    """The attributes of the product `op` with other dimension numbers."""
    left, right = sides
    found: dict[str, IrAttribute] = {
        "dot_dimension_numbers": stablehlo.DotDimensionNumbers.get(
            lhs_batching_dimensions=list(left.batch),
            rhs_batching_dimensions=list(right.batch),
            lhs_contracting_dimensions=list(left.contracted),
            rhs_contracting_dimensions=list(right.contracted),
        )
    }
    for name in ("precision_config", "algorithm"):
        value = attribute(op, name)
        if swap and isinstance(value, ir.ArrayAttr):
            value = ir.ArrayAttr.get(list(value)[::-1])
        if value is not None:
            found[name] = value
    return found


@RULES.rule(_PRODUCT, over=(_TRANSPOSE,))
def product_of_transpose(op: IrOperation, make: Make) -> Result:
    """A product of transposed operands, where the result's dimensions stay in their order."""
    transposes = [inner(make, position, _TRANSPOSE) for position in (0, 1)]
    if all(transpose is None for transpose in transposes):
        return None
    sides = _sides(op)
    if sides is None:
        return None
    operands = list(op.operands)
    changed = False
    for position, transpose in enumerate(transposes):
        if transpose is None or sizes(transpose.operands[0]) is None:
            continue
        place, side = numbers(transpose, "permutation"), sides[position]
        free = [place[d] for d in side.free]
        if free != sorted(free) or cancels(transpose):
            continue
        sides[position] = _Side(
            side.rank, [place[d] for d in side.batch], [place[d] for d in side.contracted]
        )
        operands[position] = transpose.operands[0]
        changed = True
    if not changed:
        return None
    return make.op(_PRODUCT, op.results[0].type, *operands, **_product(op, sides))


@RULES.rule(_TRANSPOSE, over=(_PRODUCT,))
def transposed_product(op: IrOperation, make: Make) -> Result:
    """A transposed product: its batch dimensions listed otherwise, or its operands swapped."""
    first = inner(make, 0, _PRODUCT)
    if first is None or not used_once(op.operands[0]) or sizes(op.results[0]) is None:
        return None
    sides = _sides(first)
    if sides is None:
        return None
    left, right = sides
    batches = len(left.batch)
    permutation = numbers(op, "permutation")
    order, rest = permutation[:batches], permutation[batches:]
    if any(d >= batches for d in order):
        return None
    lefts = list(range(batches, batches + len(left.free)))
    rights = list(range(batches + len(lefts), len(permutation)))
    swap = rest != lefts + rights
    if swap and (rest != rights + lefts or attribute(first, "algorithm") is not None):
        return None
    sides = [
        _Side(side.rank, [side.batch[d] for d in order], side.contracted)
        for side in ((right, left) if swap else (left, right))
    ]
    operands = list(first.operands)[:: -1 if swap else 1]
    attributes = _product(first, sides, swap=swap)
    return make.op(_PRODUCT, op.results[0].type, *operands, **attributes)
