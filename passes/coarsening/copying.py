"""What a decomposition gets copies of, rather than as an operand: values made of numbers alone."""

from __future__ import annotations

from collections.abc import Container

from dxir.marks import MATCH_ID
from dxir.mlir import IrOperation, IrValue, ir
from dxir.reading import attribute, maker_of

_SMALL = 4096  # elements of a constant that is copied rather than handed in
_DEEPEST = 64  # as deep as recognition looks: what it takes for copied is copied
_MADE_OF_CONSTANTS = frozenset(
    f"stablehlo.{name}"
    for name in (
        "add", "and", "broadcast_in_dim", "compare", "convert", "divide", "multiply", "negate",
        "not", "or", "reshape", "rsqrt", "select", "sqrt", "subtract", "transpose",
    )
)  # fmt: skip


def copied_ops(op: IrOperation, operands: Container[IrValue]) -> list[IrOperation]:
    """An op and those it is made of, in order, when they are made of numbers alone; else none.

    What is an operand is handed in, numbers or not, as is what is marked to be a composite itself.
    """
    found: list[IrOperation] = []
    return found if _made_of_constants(op, found, 0, operands) else []


def _made_of_constants(
    op: IrOperation, found: list[IrOperation], depth: int, operands: Container[IrValue]
) -> bool:
    if MATCH_ID in op.attributes:
        return False
    if op in found:
        return True
    if op.name == "stablehlo.constant":
        if not _is_small(op):
            return False
    elif op.name != "stablehlo.iota":
        if op.name not in _MADE_OF_CONSTANTS or depth > _DEEPEST:
            return False
        for value in op.operands:
            maker = maker_of(value)
            below: list[IrOperation] = [] if value in operands else found
            if maker is None or not _made_of_constants(maker, below, depth + 1, operands):
                return False
    found.append(op)
    return True


def _is_small(op: IrOperation) -> bool:
    found, type = attribute(op, "value"), op.results[0].type
    if not isinstance(type, ir.RankedTensorType) or found is None:
        return False
    if isinstance(found, ir.DenseElementsAttr) and found.is_splat:
        return True
    size = 1
    for dim in type.shape:
        size *= dim
    return size <= _SMALL
