"""Transposes around elementwise ops, where they cancel.

    transpose(tanh(transpose(x) + broadcast(b)))  ->  tanh(x + broadcast'(b))

The elementwise ops between may be several, each used once; every value they start from has to be
transposed back, or be a splat or a broadcast, which can be made in any order of dimensions. So a
transpose less is left each time. Left alone: annotated ops, and values used elsewhere too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dxir.mlir import IrAttribute, IrOperation, IrValue, ir
from dxir.passes.rewrites.shapes import (
    is_plain,
    listed,
    numbers,
    resized,
    sizes,
    splat,
    splat_of,
    used_once,
)
from dxir.pipeline.rewriting import Make, Result, Rules
from dxir.reading import attributes_of

RULES = Rules()

_ELEMENTWISE = frozenset(
    f"stablehlo.{name}"
    for name in (
        "abs", "add", "and", "atan2", "cbrt", "ceil", "clamp", "compare", "complex", "convert",
        "cosine", "count_leading_zeros", "divide", "exponential", "exponential_minus_one", "floor",
        "imag", "is_finite", "log", "log_plus_one", "logistic", "maximum", "minimum", "multiply",
        "negate", "not", "or", "popcnt", "power", "real", "reduce_precision", "remainder",
        "round_nearest_afz", "round_nearest_even", "rsqrt", "select", "shift_left",
        "shift_right_arithmetic", "shift_right_logical", "sign", "sine", "sqrt", "subtract", "tan",
        "tanh", "xor",
    )
)  # fmt: skip

_MOST_OPS = 32
_TRANSPOSE = "stablehlo.transpose"
_BROADCAST = "stablehlo.broadcast_in_dim"


@dataclass(slots=True)
class _Region:
    """The elementwise ops above a transpose, operands first, and what they start from."""

    permutation: Sequence[int]
    ops: list[IrOperation] = field(default_factory=list)
    sources: dict[IrValue, IrValue] = field(default_factory=dict)
    """Values before a transpose that the permutation undoes, by what it makes of them."""
    splats: dict[IrValue, IrAttribute] = field(default_factory=dict)
    broadcasts: dict[IrValue, IrOperation] = field(default_factory=dict)


@RULES.rule(_TRANSPOSE, over=_ELEMENTWISE)
def transposes_around_elementwise(op: IrOperation, make: Make) -> Result:
    """Transposes before and after elementwise ops that undo each other."""
    region = _region(op)
    return None if region is None else _remade(region, make)


def cancels(transpose: IrOperation) -> bool:
    """Whether a transpose goes together with those before the elementwise ops it follows.

    Then it had better not become part of another op.
    """
    return _region(transpose) is not None


def _region(transpose: IrOperation) -> _Region | None:
    value = transpose.operands[0]
    owner = value.owner
    if isinstance(owner, ir.Block) or owner.operation.name not in _ELEMENTWISE:
        return None
    if not _may_cancel(value) or sizes(transpose.results[0]) is None:
        return None
    region = _Region(numbers(transpose, "permutation"))
    return region if _collect(value, region) and region.sources else None


def _may_cancel(top: IrValue) -> bool:
    """Whether there is a transpose above elementwise ops used once; a fast look before a full one.

    Says True of what only the full look can tell.
    """
    pending, ops, found = [top], 0, False
    while pending:
        value = pending.pop()
        owner = value.owner
        if isinstance(owner, ir.Block):
            if sizes(value):  # a scalar has no order of dimensions
                return False
            continue
        op = owner.operation
        name = op.name
        if name == _TRANSPOSE:
            found = True
        elif name in _ELEMENTWISE:
            ops += 1
            if ops > _MOST_OPS or not used_once(value):
                return False
            pending += op.operands
    return found


def _collect(top: IrValue, region: _Region) -> bool:
    """Find all the ops; False when one of them cannot be had in another order of dimensions."""
    pending = [top]
    while pending:
        value = pending.pop()
        shape = sizes(value)
        if shape is None:
            return False
        if not shape or _is_start(value, region):
            continue
        owner = value.owner
        if isinstance(owner, ir.Block) or len(region.ops) == _MOST_OPS:
            return False
        op = owner.operation
        if op.name not in _ELEMENTWISE or not used_once(value):
            return False
        if not is_plain(op):
            return False
        region.ops.append(op)
        pending += op.operands
    region.ops.reverse()
    return True


def _is_start(value: IrValue, region: _Region) -> bool:
    if value in region.sources or value in region.splats or value in region.broadcasts:
        return True
    element = splat_of(value)
    if element is not None:
        region.splats[value] = element
        return True
    owner = value.owner
    if isinstance(owner, ir.Block):
        return False
    op = owner.operation
    if op.name not in (_TRANSPOSE, _BROADCAST) or not is_plain(op):
        return False
    if sizes(op.operands[0]) is None:
        return False
    if op.name == _BROADCAST:
        region.broadcasts[value] = op
        return True
    before = numbers(op, "permutation")
    if [before[d] for d in region.permutation] != list(range(len(before))):
        return False
    region.sources[value] = op.operands[0]
    return True


def _remade(region: _Region, make: Make) -> IrValue:
    """The ops again, in the order of dimensions that the permutation gives."""
    made: dict[IrValue, IrValue] = dict(region.sources)
    place = {dimension: position for position, dimension in enumerate(region.permutation)}

    def permuted(value: IrValue) -> ir.Type:
        shape = sizes(value) or []
        return resized(value, [shape[d] for d in region.permutation], make)

    for value, element in region.splats.items():
        made[value] = splat(element, permuted(value), make)
    for value, op in region.broadcasts.items():
        dims = [place[d] for d in numbers(op, "broadcast_dimensions")]
        made[value] = make.op(
            _BROADCAST, permuted(value), op.operands[0], broadcast_dimensions=listed(dims)
        )
    result: IrValue | None = None
    for op in region.ops:
        operands = [made.get(operand, operand) for operand in op.operands]
        result = make.op(op.name, permuted(op.results[0]), *operands, **attributes_of(op))
        made[op.results[0]] = result
    assert result is not None
    return result
