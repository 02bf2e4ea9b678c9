"""Ops with regions replaced by what one of their regions does, done once."""

from __future__ import annotations

from collections.abc import Sequence

from dxir.editing import replace_with
from dxir.mlir import IrOperation, ir
from dxir.reading import walk
from dxir.reduction.places import is_inside, picked
from dxir.reduction.search import InChunks


class Unwrap(InChunks[tuple[int, int]]):
    """The body of a loop, the branch of a choice or the inside of a computation, run once."""

    name = "loops and branches"

    def sites(self, module: ir.Module) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        place = -1

        def visit(op: IrOperation) -> None:
            nonlocal place
            place += 1
            if is_inside(op):
                found.extend((place, n) for n in range(len(op.regions)) if _fits(op, n))

        walk(module, visit)
        return found

    def apply(self, module: ir.Module, sites: Sequence[tuple[int, int]]) -> bool:
        chosen = dict(reversed(sites))  # of several regions of an op, the first
        done = False
        for place, op in picked(module, chosen):
            if _fits(op, chosen[place]):
                _unwrap(op, chosen[place])
                done = True
        return done


def _fits(op: IrOperation, number: int) -> bool:
    """Whether a region takes what the op takes, or nothing, and gives what the op gives."""
    blocks = op.regions[number].blocks
    if len(blocks) != 1 or not len(blocks[0].operations):
        return False
    operations = blocks[0].operations
    given = [value.type for value in operations[len(operations) - 1].operation.operands]
    taken = [argument.type for argument in blocks[0].arguments]
    return given == [result.type for result in op.results] and (
        not taken or taken == [operand.type for operand in op.operands]
    )


def _unwrap(op: IrOperation, number: int) -> None:
    block = op.regions[number].blocks[0]
    for argument, operand in zip(block.arguments, op.operands, strict=False):
        argument.replace_all_uses_with(operand)
    *body, end = [view.operation for view in block.operations]
    values = list(end.operands)
    for inner in body:
        inner.move_before(op)
    replace_with(op, values)
