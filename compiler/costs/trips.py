"""The steps of a loop that counts from a constant to a constant."""

from __future__ import annotations

import numpy as np

from dxir.costs.liveness import CONSTANTS
from dxir.mlir import IrOperation, IrValue, ir
from dxir.reading import attribute, maker_of, terminator

_STEPS = ("stablehlo.add", "stablehlo.subtract")
_REVERSED = {"LT": "GT", "LE": "GE", "GT": "LT", "GE": "LE", "NE": "NE"}


def trips(loop: IrOperation) -> int | None:
    """The steps of a `stablehlo.while` that counts; None for another."""
    condition, body = (region.blocks[0] for region in loop.regions)
    compare = maker_of(terminator(condition).operands[0])
    if compare is None or compare.name != "stablehlo.compare":
        return None
    left, right = compare.operands
    given = attribute(compare, "comparison_direction")
    direction = "" if given is None else str(given).rsplit(" ", 1)[-1].rstrip(">")
    limit = _constant(right)
    if limit is None:
        left, limit, direction = right, _constant(left), _REVERSED.get(direction, "")
    index = next((i for i, each in enumerate(condition.arguments) if each == left), None)
    if limit is None or index is None or direction not in _REVERSED:
        return None
    start = _constant(loop.operands[index])
    step = _step(terminator(body).operands[index], body.arguments[index])
    return None if start is None or not step else _count(start, limit, step, direction)


def _count(start: int, limit: int, step: int, direction: str) -> int | None:
    """How often `i += step` runs from `start` while it compares with `limit`."""
    if direction == "NE":
        steps, rest = divmod(limit - start, step)
        return steps if not rest and steps >= 0 else None
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
    if op.name not in CONSTANTS:
        return None
    given = attribute(op, "value")
    if not isinstance(given, ir.DenseIntElementsAttr) or len(given) < 1:
        return None
    array = np.asarray(given)
    return int(array.reshape(-1)[0]) if array.size == 1 else None
