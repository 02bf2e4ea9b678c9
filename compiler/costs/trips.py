"""The steps of a loop that counts from a constant to a constant."""

from __future__ import annotations

import numpy as np

from dxir.mlir import IrOperation, IrValue, ir
from dxir.reading import attribute, maker_of, terminator

_CONSTANTS = ("stablehlo.constant", "sdy.constant")
_STEPS = ("stablehlo.add", "stablehlo.subtract")
_DIRECTION = {"LT": "<", "LE": "<=", "GT": ">", "GE": ">=", "NE": "!="}
_REVERSED = {"LT": "GT", "LE": "GE", "GT": "LT", "GE": "LE", "NE": "NE"}


def trips(loop: IrOperation) -> int | None:
    """The steps of a `stablehlo.while` that counts; None for another."""
    condition, body = (region.blocks[0] for region in loop.regions)
    compare = maker_of(terminator(condition).operands[0])
    if compare is None or compare.name != "stablehlo.compare":
        return None
    arguments = list(condition.arguments)
    left, right = compare.operands
    given = attribute(compare, "comparison_direction")
    direction = "" if given is None else str(given).rsplit(" ", 1)[-1].rstrip(">")
    if right in arguments:
        left, right, direction = right, left, _REVERSED.get(direction, "")
    index = next((i for i, argument in enumerate(arguments) if argument == left), None)
    if index is None or direction not in _DIRECTION:
        return None
    limit, start = _constant(right), _constant(loop.operands[index])
    step = _step(terminator(body).operands[index], body.arguments[index])
    if limit is None or start is None or not step:
        return None
    return _count(start, limit, step, direction)


def _count(start: int, limit: int, step: int, direction: str) -> int | None:
    """How often `i += step` runs from `start` while it compares with `limit`."""
    if direction == "NE":
        return (
            (limit - start) // step
            if (limit - start) % step == 0 <= (limit - start) // step
            else None
        )
    if direction in ("GT", "GE"):
        start, limit, step = -start, -limit, -step
    if direction in ("LE", "GE"):
        limit += 1
    if step < 0:
        return 0 if start >= limit else None
    return max(0, -(-(limit - start) // step))


def _step(value: IrValue, argument: IrValue) -> int | None:
    op = maker_of(value)
    if op is None or op.name not in _STEPS:
        return None
    a, b = op.operands
    if a == argument:
        step = _constant(b)
        return -step if op.name == "stablehlo.subtract" and step is not None else step
    return _constant(a) if b == argument and op.name == "stablehlo.add" else None


def _constant(value: IrValue) -> int | None:
    """The number that an integer constant is; one that a loop hands on as it is, too."""
    for _ in range(8):
        op = maker_of(value)
        if op is not None:
            break
        argument = ir.BlockArgument(value)
        outer = argument.owner.owner.operation
        if outer.name != "stablehlo.while":
            return None
        position = argument.arg_number
        body = outer.regions[1].blocks[0]
        if terminator(body).operands[position] != body.arguments[position]:
            return None
        value = outer.operands[position]
    else:
        return None
    if op.name not in _CONSTANTS:
        return None
    given = attribute(op, "value")
    if not isinstance(given, ir.DenseIntElementsAttr) or len(given) < 1:
        return None
    array = np.asarray(given)
    return int(array.reshape(-1)[0]) if array.size == 1 else None
