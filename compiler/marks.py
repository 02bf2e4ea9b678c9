"""The attributes by which recognition says what it found, and coarsening reads it."""

from __future__ import annotations

from dxir.mlir import IrOperation, ir
from dxir.reading import attribute, walk

PATTERN = "dxir.pattern"
"""On each op of a match, the name of the pattern."""

MATCH_ID = "dxir.match_id"
"""On each op of a match, the number of the match in the module."""

MATCH_OPERANDS = "dxir.match_operands"
"""For each operand of an op, which operand of the match it is; -1 for what is inside."""

MATCH = "dxir.match"
"""On the last op of a match: the composite's name and attributes, and how many ops it has."""

MARKS = (PATTERN, MATCH_ID, MATCH_OPERANDS, MATCH)

SHARED = "dxir.shared"
"""On a constant that was copied into decompositions, and on the copies: the number they share."""


def number_on(op: IrOperation, name: str) -> int | None:
    """The number that an op is marked with; None when it is not."""
    if name not in op.attributes:
        return None
    found = attribute(op, name)
    return int(found.value) if isinstance(found, ir.IntegerAttr) else None


def marked(root: ir.Module | IrOperation, name: str) -> dict[int, list[IrOperation]]:
    """The ops that are marked with a number, by the number, in order."""
    found: dict[int, list[IrOperation]] = {}

    def visit(op: IrOperation) -> None:
        number = number_on(op, name)
        if number is not None:
            found.setdefault(number, []).append(op)

    walk(root, visit)
    return found
