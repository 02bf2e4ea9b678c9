"""Logic, shifts, comparisons and selections: exact for every element type they are for.

All ones is a number of its own for every width: 1 for booleans, -1 or 2^n - 1 for integers.
"""

from __future__ import annotations

from dxir.mlir import IrAttribute, IrOperation, IrValue, stablehlo
from dxir.passes.rewrites.constants import (
    CONSTANTS,
    INTEGER,
    Element,
    element,
    element_of,
    full,
    integer,
    is_constant,
)
from dxir.passes.rewrites.matching import fitting, maker
from dxir.pipeline.rewriting import Make, Rules

RULES = Rules()

AND, OR, XOR, NOT = "stablehlo.and", "stablehlo.or", "stablehlo.xor", "stablehlo.not"
COMPARE, SELECT = "stablehlo.compare", "stablehlo.select"
LEFT = "stablehlo.shift_left"
LOGICAL, ARITHMETIC = "stablehlo.shift_right_logical", "stablehlo.shift_right_arithmetic"
DIRECTION = "comparison_direction"

_SWAPPED = {"EQ": "EQ", "NE": "NE", "LT": "GT", "GT": "LT", "LE": "GE", "GE": "LE"}
_NEGATED = {"EQ": "NE", "NE": "EQ", "LT": "GE", "GE": "LT", "GT": "LE", "LE": "GT"}
_TRUE_OF_EQUALS = ("EQ", "GE", "LE")


def all_ones(kind: Element) -> int:
    """The integer of the type whose bits are all 1."""
    return -1 if kind.signed else kind.highest


@RULES.rule(AND, OR, XOR, over=CONSTANTS)
def logic_with_constant(op: IrOperation, make: Make) -> IrValue | None:
    """x & ~0, x | 0 and x ^ 0 are x; x & 0 is 0, x | ~0 is ~0, x ^ ~0 is ~x."""
    left, right = make.operands
    number = integer(make, 1)
    if number is None:
        return None
    ones = all_ones(element(op))
    if number == (ones if op.name == AND else 0):
        return fitting(op, left)
    if number != (0 if op.name == AND else ones):
        return None
    if op.name != XOR:
        return fitting(op, right)
    return make.op(NOT, op.results[0].type, left)


@RULES.rule(AND, OR, XOR)
def logic_of_same(op: IrOperation, make: Make) -> IrValue | None:
    """x & x and x | x are x, x ^ x is 0; x & ~x is 0, x | ~x and x ^ ~x are ~0."""
    left, right = make.operands
    if left == right:
        return full(make, op.results[0].type, 0) if op.name == XOR else fitting(op, left)
    for position in (0, 1):
        inner = maker(make, position, (NOT,))
        if inner is not None and inner.operands[0] == make.operands[1 - position]:
            return full(make, op.results[0].type, 0 if op.name == AND else all_ones(element(op)))
    return None


@RULES.rule(AND, OR, XOR, over=(AND, OR, XOR))
def logic_absorbed(op: IrOperation, make: Make) -> IrValue | None:
    """x & (x & y) is x & y, x & (x | y) is x, and so on; x ^ (x ^ y) is y."""
    for position in (0, 1):
        other = make.operands[1 - position]
        inner = maker(make, position, (XOR,) if op.name == XOR else (AND, OR))
        if inner is None:
            continue
        first, second = inner.operands
        if other not in (first, second):
            continue
        if op.name == XOR:
            return fitting(op, second if other == first else first)
        return fitting(op, make.operands[position] if inner.name == op.name else other)
    return None


@RULES.rule(NOT)
def not_not(op: IrOperation, make: Make) -> IrValue | None:
    """Not not x is x; not (x < y) is x >= y, of integers; not (x == y) is x != y, of all."""
    inner = maker(make, 0, (NOT, COMPARE))
    if inner is None:
        return None
    if inner.name == NOT:
        return fitting(op, inner.operands[0])
    direction = _direction(inner)
    kind = element_of(inner.operands[0].type)
    # With NaN, neither x < y nor x >= y.
    if kind.family != INTEGER and (kind.family == "other" or direction not in ("EQ", "NE")):
        return None
    return _compare(op, make, inner, _NEGATED[direction], *inner.operands)


@RULES.rule(LEFT, LOGICAL, ARITHMETIC, over=CONSTANTS)
def shift_constant(op: IrOperation, make: Make) -> IrValue | None:
    """x shifted by 0 is x; 0 shifted is 0; x shifted by its width or more is 0.

    Shifted to the right arithmetically by that much, x becomes its sign everywhere; left alone, as
    are negative amounts.
    """
    left = make.operands[0]
    amount = integer(make, 1)
    if amount == 0 or integer(make, 0) == 0:
        return fitting(op, left)
    if amount is not None and amount >= element(op).bits and op.name != ARITHMETIC:
        return full(make, op.results[0].type, 0)
    return None


@RULES.rule(COMPARE, benefit=2, over=CONSTANTS)
def compare_constant_last(op: IrOperation, make: Make) -> IrValue | None:
    """c < x is x > c."""
    left, right = make.operands
    if not is_constant(make, 0) or is_constant(make, 1):
        return None
    if element_of(left.type).family == "other":
        return None
    return _compare(op, make, op, _SWAPPED[_direction(op)], right, left)


@RULES.rule(COMPARE)
def compare_itself(op: IrOperation, make: Make) -> IrValue | None:
    """x == x, x <= x and x >= x are true, the others false, of integers."""
    left, right = make.operands
    if left != right or element_of(left.type).family != INTEGER:
        return None
    return full(make, op.results[0].type, int(_direction(op) in _TRUE_OF_EQUALS))


@RULES.rule(COMPARE, over=CONSTANTS)
def compare_limit(op: IrOperation, make: Make) -> IrValue | None:
    """x < least is false, x >= least true, x > greatest false, x <= greatest true, of integers.

    A boolean that is compared with a constant for equality is itself, or its inverse.
    """
    left = make.operands[0]
    number = integer(make, 1)
    if number is None:
        return None
    direction = _direction(op)
    kind = element_of(left.type)
    if direction in ("EQ", "NE"):
        if kind.bits != 1:
            return None
        if (direction == "EQ") == bool(number):
            return fitting(op, left)
        return make.op(NOT, op.results[0].type, left)
    if number == kind.lowest and direction in ("LT", "GE"):
        return full(make, op.results[0].type, int(direction == "GE"))
    if number == kind.highest and direction in ("GT", "LE"):
        return full(make, op.results[0].type, int(direction == "LE"))
    return None


def _direction(op: IrOperation) -> str:
    return stablehlo.ComparisonDirectionAttr(op.attributes[DIRECTION]).value


def _compare(
    op: IrOperation,
    make: Make,
    like: IrOperation,
    direction: str,
    left: IrValue,
    right: IrValue,
) -> IrValue:
    attributes: dict[str, IrAttribute] = {
        DIRECTION: stablehlo.ComparisonDirectionAttr.get(direction, op.context)
    }
    if "compare_type" in like.attributes:
        attributes["compare_type"] = like.attributes["compare_type"]
    return make.op(COMPARE, op.results[0].type, left, right, **attributes)


@RULES.rule(SELECT)
def select_known(op: IrOperation, make: Make) -> IrValue | None:
    """A choice that is known, or between equal values, is made; a choice of truths is its test."""
    test, yes, no = make.operands
    if yes == no:
        return fitting(op, yes)
    known = integer(make, 0)
    if known is not None:
        return fitting(op, yes if known else no)
    values = integer(make, 1), integer(make, 2)
    if None in values or element(op).bits != 1:
        return None
    if values == (1, 0):
        return fitting(op, test)
    if values == (0, 1) and test.type == op.results[0].type:
        return make.op(NOT, op.results[0].type, test)
    return None


@RULES.rule(SELECT)
def select_nested(op: IrOperation, make: Make) -> IrValue | None:
    """A choice by not p is one by p; a choice by p within one by p is made."""
    test, yes, no = make.operands
    inner = maker(make, 0, (NOT,))
    if inner is not None:
        return _select(op, make, inner.operands[0], no, yes)
    inner = maker(make, 1, (SELECT,))
    if inner is not None and inner.operands[0] == test:
        return _select(op, make, test, inner.operands[1], no)
    inner = maker(make, 2, (SELECT,))
    if inner is not None and inner.operands[0] == test:
        return _select(op, make, test, yes, inner.operands[2])
    return None


def _select(op: IrOperation, make: Make, test: IrValue, yes: IrValue, no: IrValue) -> IrValue:
    return make.op(SELECT, op.results[0].type, test, yes, no)
