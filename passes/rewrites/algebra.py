"""Arithmetic that holds bit for bit: of integers that wrap around, and of IEEE 754 floats.

Floats keep NaN, infinities, the sign of zero and subnormals; which NaN an op gives is not part of
its meaning. Adding 0.0 is left alone (it turns -0.0 into 0.0), as are `x * 0.0`, `x - x` and
`x / x` (NaN, infinities), `power(x, 0.5)` (differs from sqrt at -0.0 and -inf), `power(x, 3)` (two
roundings instead of one) and products and quotients of complex numbers (infinite parts).
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

from dxir.mlir import IrOperation, IrValue
from dxir.passes.rewrites.constants import (
    COMPLEX,
    CONSTANTS,
    FLOAT,
    INTEGER,
    can_fill,
    element,
    full,
    integer,
    is_constant,
    is_minus_zero,
    is_nan,
    is_plus_zero,
    number_of,
    splat,
)
from dxir.passes.rewrites.matching import fitting, maker
from dxir.pipeline.rewriting import Make, Rules

RULES = Rules()

ADD, SUBTRACT = "stablehlo.add", "stablehlo.subtract"
MULTIPLY, DIVIDE = "stablehlo.multiply", "stablehlo.divide"
NEGATE, POWER = "stablehlo.negate", "stablehlo.power"
MAXIMUM, MINIMUM, CLAMP = "stablehlo.maximum", "stablehlo.minimum", "stablehlo.clamp"
AND, OR, XOR = "stablehlo.and", "stablehlo.or", "stablehlo.xor"

_REAL = (INTEGER, FLOAT)
_SIGNED = (INTEGER, FLOAT, COMPLEX)
# The exponents of the least and the greatest power of two that are normal, and whose inverse is.
_POWERS_OF_TWO = {16: 14, 32: 126, 64: 1022}


@RULES.rule(ADD, MULTIPLY, AND, OR, XOR, MAXIMUM, MINIMUM, benefit=2, over=CONSTANTS)
def constant_last(op: IrOperation, make: Make) -> IrValue | None:
    """c + x is x + c."""
    left, right = make.operands
    if not is_constant(make, 0) or is_constant(make, 1):
        return None
    family = element(op).family
    if family not in (_SIGNED if op.name in (ADD, MULTIPLY) else _REAL):
        return None
    return make.op(op.name, op.results[0].type, right, left)


@RULES.rule(ADD, over=CONSTANTS)
def add_zero(op: IrOperation, make: Make) -> IrValue | None:
    """x + 0 is x, of floats x + -0.0."""
    return fitting(op, make.operands[0]) if is_minus_zero(number_of(make, 1)) else None


@RULES.rule(ADD, over=(NEGATE,))
def add_negated(op: IrOperation, make: Make) -> IrValue | None:
    """x + -y and -y + x are x - y."""
    for position in (1, 0):
        inner = maker(make, position, (NEGATE,))
        if inner is not None and element(op).family in _SIGNED:
            kept, taken = make.operands[1 - position], inner.operands[0]
            return make.op(SUBTRACT, op.results[0].type, kept, taken)
    return None


@RULES.rule(ADD, over=(SUBTRACT,))
def add_difference(op: IrOperation, make: Make) -> IrValue | None:
    """(x - y) + y and y + (x - y) are x, of integers."""
    for position in (0, 1):
        inner = maker(make, position, (SUBTRACT,))
        if inner is not None and inner.operands[1] == make.operands[1 - position]:
            return fitting(op, inner.operands[0]) if element(op).family == INTEGER else None
    return None


@RULES.rule(SUBTRACT, over=CONSTANTS)
def subtract_zero(op: IrOperation, make: Make) -> IrValue | None:
    """x - 0 is x, of floats x - 0.0; 0 - x is -x, of floats -0.0 - x."""
    left, right = make.operands
    if is_plus_zero(number_of(make, 1)):
        return fitting(op, left)
    if is_minus_zero(number_of(make, 0)) and element(op).family in _SIGNED:
        return make.op(NEGATE, op.results[0].type, right)
    return None


@RULES.rule(SUBTRACT)
def subtract_itself(op: IrOperation, make: Make) -> IrValue | None:
    """x - x is 0, of integers."""
    left, right = make.operands
    if left != right or element(op).family != INTEGER:
        return None
    return full(make, op.results[0].type, 0)


@RULES.rule(SUBTRACT, over=(NEGATE,))
def subtract_negated(op: IrOperation, make: Make) -> IrValue | None:
    """x - -y is x + y."""
    inner = maker(make, 1, (NEGATE,))
    if inner is None or element(op).family not in _SIGNED:
        return None
    return make.op(ADD, op.results[0].type, make.operands[0], inner.operands[0])


@RULES.rule(SUBTRACT, over=(ADD, SUBTRACT))
def subtract_part(op: IrOperation, make: Make) -> IrValue | None:
    """(x + y) - y is x, (x - y) - x is -y and x - (x - y) is y, of integers."""
    left, right = make.operands
    inner = maker(make, 0, (ADD, SUBTRACT))
    if inner is not None and element(op).family == INTEGER:
        first, second = inner.operands
        if inner.name == ADD and right in (first, second):
            return fitting(op, first if right == second else second)
        if inner.name == SUBTRACT and right == first:
            return make.op(NEGATE, op.results[0].type, second)
    inner = maker(make, 1, (SUBTRACT,))
    if inner is not None and inner.operands[0] == left and element(op).family == INTEGER:
        return fitting(op, inner.operands[1])
    return None


@RULES.rule(MULTIPLY, over=CONSTANTS)
def multiply_constant(op: IrOperation, make: Make) -> IrValue | None:
    """x * 1 is x and x * -1 is -x, neither of complex numbers; x * 0 is 0, of integers."""
    left, right = make.operands
    number = number_of(make, 1)
    if number is None or isinstance(number, complex):
        return None
    if number == 1:
        return fitting(op, left)
    if number == 0 and isinstance(number, int):
        return fitting(op, right)
    if number == -1:
        return make.op(NEGATE, op.results[0].type, left)
    return None


@RULES.rule(MULTIPLY, DIVIDE, over=(NEGATE,))
def signs_cancel(op: IrOperation, make: Make) -> IrValue | None:
    """-x * -y is x * y; -x / -y is x / y, of floats."""
    left, right = maker(make, 0, (NEGATE,)), maker(make, 1, (NEGATE,))
    if left is None or right is None:
        return None
    if element(op).family not in (_REAL if op.name == MULTIPLY else (FLOAT,)):
        return None
    return make.op(op.name, op.results[0].type, left.operands[0], right.operands[0])


@RULES.rule(DIVIDE, over=CONSTANTS)
def divide_constant(op: IrOperation, make: Make) -> IrValue | None:
    """x / 1 is x, not of complex numbers; x / 2^k is x * 2^-k, of floats."""
    left, right = make.operands
    number = number_of(make, 1)
    if number is None or isinstance(number, complex):
        return None
    if number == 1:
        return fitting(op, left)
    if isinstance(number, int) or not math.isfinite(number) or abs(math.frexp(number)[0]) != 0.5:
        return None
    # The inverse is a normal number in every type of the size (bf16 has more range than f16).
    if abs(math.frexp(number)[1] - 1) > _POWERS_OF_TWO.get(element(op).bits, -1):
        return None
    inverse = full(make, right.type, 1 / number) if can_fill(right.type) else None
    return inverse and make.op(MULTIPLY, op.results[0].type, left, inverse)


@RULES.rule("stablehlo.remainder", over=CONSTANTS)
def remainder_one(op: IrOperation, make: Make) -> IrValue | None:
    """The remainder of a division by 1 is 0, of integers."""
    return full(make, op.results[0].type, 0) if integer(make, 1) == 1 else None


@RULES.rule(NEGATE)
def negate_negated(op: IrOperation, make: Make) -> IrValue | None:
    """-(-x) is x; -(x - y) is y - x, of integers."""
    inner = maker(make, 0, (NEGATE, SUBTRACT))
    if inner is None:
        return None
    family = element(op).family
    if inner.name == NEGATE:
        return fitting(op, inner.operands[0]) if family in _SIGNED else None
    if family != INTEGER:
        return None
    left, right = inner.operands
    return make.op(SUBTRACT, op.results[0].type, right, left)


@RULES.rule("stablehlo.abs")
def abs_abs(op: IrOperation, make: Make) -> IrValue | None:
    """||x|| is |x|; |-x| is |x|, not of complex numbers."""
    inner = maker(make, 0, ("stablehlo.abs", NEGATE))
    if inner is None or element(op).family not in _REAL:
        return None
    if inner.name == "stablehlo.abs":
        return fitting(op, make.operands[0])
    if element(inner).family not in _REAL:
        return None
    return make.op("stablehlo.abs", op.results[0].type, inner.operands[0])


_ROUNDINGS = tuple(
    f"stablehlo.{name}" for name in ("floor", "ceil", "round_nearest_afz", "round_nearest_even")
)


@RULES.rule("stablehlo.sign", *_ROUNDINGS)
def already_so(op: IrOperation, make: Make) -> IrValue | None:
    """The sign of a sign is that sign, and an integral float is rounded already."""
    inner = maker(make, 0, ("stablehlo.sign", *(_ROUNDINGS if op.name in _ROUNDINGS else ())))
    if inner is None or element(op).family not in _REAL:
        return None
    return fitting(op, make.operands[0])


@RULES.rule(POWER, over=CONSTANTS)
def power_constant(op: IrOperation, make: Make) -> IrValue | None:
    """x^0 is 1, x^1 is x, x^2 is x * x, x^-1 is 1 / x, none of complex numbers.

    x^3 and x^4 are products, of integers.
    """
    base = make.operands[0]
    number = number_of(make, 1)
    type = op.results[0].type
    if number is None or isinstance(number, complex):
        return None
    if number == 0:
        return full(make, type, 1)
    if number == 1:
        return fitting(op, base)
    if number == -1 and isinstance(number, float):
        one = full(make, base.type, 1)
        return one and make.op(DIVIDE, type, one, base)
    if number in ((2, 3, 4) if isinstance(number, int) else (2,)) and element(op).bits > 8:
        return product(make, base, int(number)) if base.type == type else None
    return None


def product(make: Make, base: IrValue, factors: int) -> IrValue:
    """The product of two, three or four times the same."""
    square = make.op(MULTIPLY, base.type, base, base)
    if factors == 2:
        return square
    return make.op(MULTIPLY, base.type, square, base if factors == 3 else square)


@RULES.rule(MAXIMUM, MINIMUM, over=CONSTANTS)
def extreme_constant(op: IrOperation, make: Make) -> IrValue | None:
    """max(x, least) is x, min(x, greatest) is x; of integers max(x, greatest) is the greatest."""
    left, right = make.operands
    number = number_of(make, 1)
    if isinstance(number, int):
        kind = element(op)
        ends = (kind.lowest, kind.highest)
        neutral, absorbing = ends if op.name == MAXIMUM else ends[::-1]
        if number == neutral:
            return fitting(op, left)
        return fitting(op, right) if number == absorbing else None
    if not isinstance(number, float) or element(op).bits < 16:
        return None
    return fitting(op, left) if number == (-math.inf if op.name == MAXIMUM else math.inf) else None


@RULES.rule(MAXIMUM, MINIMUM)
def extreme_of_same(op: IrOperation, make: Make) -> IrValue | None:
    """max(x, x) is x, max(x, max(x, y)) is max(x, y); max(x, min(x, y)) is x, of integers."""
    left, right = make.operands
    if left == right:
        return fitting(op, left) if element(op).family in _REAL else None
    for position in (0, 1):
        inner = maker(make, position, (MAXIMUM, MINIMUM))
        other = make.operands[1 - position]
        if inner is None or other not in tuple(inner.operands) or element(op).family not in _REAL:
            continue
        if inner.name == op.name:
            return fitting(op, make.operands[position])
        if element(op).family == INTEGER:
            return fitting(op, other)
    return None


@RULES.rule(CLAMP, over=(CLAMP,))
def clamp_clamped(op: IrOperation, make: Make) -> IrValue | None:
    """Clamping twice between constants is clamping once; between the same values, too."""
    inner = maker(make, 1, (CLAMP,))
    if inner is None or element(op).family not in _REAL:
        return None
    low, _, high = make.operands
    inner_low, value, inner_high = inner.operands
    if low == inner_low and high == inner_high:
        return fitting(op, make.operands[1])
    bounds = [splat(make, v) for v in (inner_low, inner_high, low, high)]
    real = [b for b in bounds if isinstance(b, int | float) and not is_nan(b)]
    if len(real) < 4 or real[0] > real[1] or real[2] > real[3] or _has_both_zeros(real):
        return None
    new_low = low if real[0] < real[2] else high if real[0] > real[3] else inner_low
    new_high = low if real[1] < real[2] else high if real[1] > real[3] else inner_high
    return make.op(CLAMP, op.results[0].type, new_low, value, new_high)


def _has_both_zeros(numbers: list[int | float]) -> bool:
    return len({math.copysign(1, n) for n in numbers if n == 0}) > 1


_COMBINED: dict[str, Callable[[int, int], int]] = {
    ADD: operator.add,
    MULTIPLY: operator.mul,
    AND: operator.and_,
    OR: operator.or_,
    XOR: operator.xor,
    MAXIMUM: max,
    MINIMUM: min,
}


@RULES.rule(*_COMBINED, over=CONSTANTS)
def constants_combined(op: IrOperation, make: Make) -> IrValue | None:
    """(x + a) + b is x + (a + b), of integers; of the other associative ops as well."""
    inner = maker(make, 0, (op.name,))
    outer = None if inner is None else integer(make, 1)
    if inner is None or outer is None:
        return None
    first = splat(make, inner.operands[1])
    if not isinstance(first, int) or not can_fill(make.operands[1].type):
        return None
    kind = element(op)
    if kind.bits == 1 and op.name in (ADD, MULTIPLY):
        return None
    combined = full(make, make.operands[1].type, kind.wrapped(_COMBINED[op.name](first, outer)))
    return combined and make.op(op.name, op.results[0].type, inner.operands[0], combined)
