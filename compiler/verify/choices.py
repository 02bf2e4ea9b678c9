"""Selections that may leave out what an op makes: what is guarded is no fault."""

from __future__ import annotations

from dxir.mlir import IrOperation, IrValue
from dxir.pattern.view import CALLS
from dxir.reading import symbol
from dxir.verify.values import Here, Values, is_bool

_AHEAD = 3  # ops from a value to the selection that guards it
_MOST_OPS = 60
_SELECT = "stablehlo.select"
_FIXED = frozenset({"stablehlo.constant", "stablehlo.iota"})


def is_chosen_from(values: Values, op: IrOperation) -> bool:
    """Whether a selection stands soon after an op, which may leave out what it makes.

    One by what has nothing to do with the operands of the op, such as a label, leaves out others.
    """
    level, seen = [op], 0
    for _ in range(_AHEAD):
        following: list[IrOperation] = []
        for one in level:
            for result in one.results:
                for use in result.uses:
                    user = use.owner.operation
                    if _selects(values, user, op):
                        return True
                    if seen < _MOST_OPS and len(user.results):
                        following.append(user)
                        seen += 1
        level = following
    return False


def _selects(values: Values, op: IrOperation, among: IrOperation) -> bool:
    if op.name in ("stablehlo.clamp", "stablehlo.is_finite"):
        return True
    if op.name == _SELECT:
        return _may_know(values, op.operands[0], among)
    if op.name not in CALLS:
        return False
    name = symbol(op, "callee" if op.name == "func.call" else "decomposition") or ""
    body = values.view.callee(name)
    if body is None or all(view.operation.name != _SELECT for view in body[0].operations):
        return False
    flags = [value for value in op.operands if is_bool(value)]
    return not flags or any(_may_know(values, value, among) for value in flags)


def _may_know(values: Values, flag: IrValue, op: IrOperation) -> bool:
    """Whether truth values may be made of what the operands of an op are made of."""
    known = _origins(values, Here(flag))
    if not known:
        return True
    for value in op.operands:
        others = _origins(values, Here(value))
        if others is None or not known.isdisjoint(others):
            return True
    return False


def _origins(values: Values, here: Here) -> set[object] | None:
    """What a value is computed from, constants left out; None where that is much."""
    pending, seen = [here], {here}
    found: set[object] = set()
    for _ in range(_MOST_OPS):
        if not pending:
            return found
        at = pending.pop()
        made = values.made(at)
        if made is None:
            found.add(values.root(at))
        elif made.name not in _FIXED:
            found.add((made.maker.key, made.scope))
            new = [each for each in made.inputs if each not in seen]
            seen.update(new)
            pending += new
    return None
