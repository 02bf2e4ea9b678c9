"""Control flow that is decided, and ops over so little that nothing is left to do."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from dxir.combiners import combiner_of
from dxir.mlir import IrOperation, IrValue, ir
from dxir.passes.rewrites.constants import (
    CONSTANTS,
    INTEGER,
    Number,
    element_of,
    integer,
    is_minus_zero,
    number_of,
    splat,
)
from dxir.passes.rewrites.matching import fitting, maker
from dxir.pipeline.rewriting import Make, Rules
from dxir.reading import annotations_of, terminator

RULES = Rules()

IF, CASE, WHILE = "stablehlo.if", "stablehlo.case", "stablehlo.while"


@RULES.rule(IF, CASE)
def branch_known(op: IrOperation, make: Make) -> Sequence[IrValue] | None:
    """A branch that is known to be taken stands in place of the choice."""
    chosen = integer(make, 0)
    if chosen is None or annotations_of(op):
        return None
    if op.name == IF:
        branch = 0 if chosen else 1
    else:
        last = len(op.regions) - 1
        branch = chosen if 0 <= chosen <= last else last
    return _inlined(op, branch)


def _inlined(op: IrOperation, branch: int) -> Sequence[IrValue] | None:
    body = list(op.regions[branch].blocks[0].operations)
    values = list(body[-1].operation.operands)
    if [v.type for v in values] != [r.type for r in op.results]:
        return None
    for inner in body[:-1]:
        inner.operation.move_before(op)
    return values


@RULES.rule(IF, CASE)
def branches_agree(op: IrOperation, _: Make) -> Sequence[IrValue] | None:
    """A choice between branches that do nothing but give the same values is these values."""
    found: list[IrValue] | None = None
    for region in op.regions:
        body = list(region.blocks[0].operations)
        values = list(body[-1].operation.operands)
        if len(body) > 1 or (found is not None and found != values):
            return None
        found = values
    if found is None or [v.type for v in found] != [r.type for r in op.results]:
        return None
    return found


@RULES.rule(WHILE)
def loop_never_entered(op: IrOperation, make: Make) -> Sequence[IrValue] | None:
    """A loop whose condition is false is what it starts with."""
    condition = terminator(op.regions[0].blocks[0])
    if splat(make, condition.operands[0]) != 0:
        return None
    given = make.operands
    return given if [v.type for v in given] == [r.type for r in op.results] else None


@RULES.rule("stablehlo.get_tuple_element")
def element_of_tuple(op: IrOperation, make: Make) -> IrValue | None:
    """An element of a tuple that was just made."""
    inner = maker(make, 0, ("stablehlo.tuple",))
    if inner is None:
        return None
    index: Any = op.attributes["index"]
    return fitting(op, inner.operands[index.value])


@RULES.rule("stablehlo.reduce", over=CONSTANTS)
def reduce_nothing(op: IrOperation, make: Make) -> IrValue | None:
    """A reduction over dimensions of size 1, or none, from a neutral value is a reshape."""
    return reduced_to_itself(op, make, is_minus_zero)


def reduced_to_itself(
    op: IrOperation, make: Make, adds_nothing: Callable[[Number | None], bool]
) -> IrValue | None:
    """The operand of a reduction that combines each element with a neutral value only."""
    if len(make.operands) != 2:
        return None
    value = make.operands[0]
    type, result = value.type, op.results[0].type
    if not isinstance(type, ir.RankedTensorType) or not isinstance(result, ir.RankedTensorType):
        return None
    if any(type.is_dynamic_dim(d) or type.get_dim_size(d) != 1 for d in _dimensions(op)):
        return None
    if type.element_type != result.element_type or not _is_neutral(op, make, adds_nothing):
        return None
    if type == result:
        return value
    if not type.has_static_shape or not result.has_static_shape:
        return None
    return make.op("stablehlo.reshape", result, value)


def _dimensions(op: IrOperation) -> list[int]:
    return list(ir.DenseI64ArrayAttr(op.attributes["dimensions"]))


def _is_neutral(op: IrOperation, make: Make, adds_nothing: Callable[[Number | None], bool]) -> bool:
    """Whether the body of a reduction gives its other argument when one is `start`."""
    number = number_of(make, 1)
    name = combiner_of(op)
    if number is None or not name:
        return False
    kind = element_of(make.operands[1].type)
    if name == "add":
        return adds_nothing(number)
    if name == "multiply":
        return number == 1 and not isinstance(number, complex)
    if kind.family == INTEGER:
        neutral = {
            "or": 0,
            "xor": 0,
            "and": -1 if kind.signed else kind.highest,
            "maximum": kind.lowest,
            "minimum": kind.highest,
        }
        return number == neutral.get(name)
    infinite = {"maximum": -math.inf, "minimum": math.inf}.get(name)
    return isinstance(number, float) and kind.bits >= 16 and number == infinite


@RULES.rule("stablehlo.sort")
def sort_of_one(op: IrOperation, make: Make) -> Sequence[IrValue] | None:
    """Sorting along a dimension of size 0 or 1 changes nothing."""
    given = make.operands
    type = given[0].type
    dimension: Any = op.attributes["dimension"]
    if not isinstance(type, ir.RankedTensorType) or type.is_dynamic_dim(dimension.value):
        return None
    if type.get_dim_size(dimension.value) > 1:
        return None
    return given if [v.type for v in given] == [r.type for r in op.results] else None


@RULES.rule("stablehlo.map")
def map_to_itself(op: IrOperation, make: Make) -> IrValue | None:
    """A map that gives one of its arguments is that operand."""
    block = op.regions[0].blocks[0]
    body = list(block.operations)
    given: list[IrValue] = list(block.arguments)
    result = body[0].operation.operands[0] if len(body) == 1 else None
    if result is None or result not in given:
        return None
    return fitting(op, make.operands[given.index(result)])


@RULES.rule("stablehlo.reverse")
def reverse_of_one(op: IrOperation, make: Make) -> IrValue | None:
    """Reversing dimensions of size 0 or 1 changes nothing."""
    value = make.operands[0]
    type = value.type
    if not isinstance(type, ir.RankedTensorType):
        return None
    if any(type.is_dynamic_dim(d) or type.get_dim_size(d) > 1 for d in _dimensions(op)):
        return None
    return fitting(op, value)
