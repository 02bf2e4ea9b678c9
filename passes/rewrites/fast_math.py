"""Arithmetic of floats that holds for real numbers, and hardly for NaN, infinities and rounding.

`ALLOWED` says by LLVM's names what is taken for granted: no NaN (nnan), no infinities (ninf), that
the sign of zero does not matter (nsz), that a quotient may be a product with the inverse (arcp),
that sums and products may be ordered anew (reassoc), and other formulas for a function (afn).

Left alone even so: comparisons (`x != x` is how programs ask for NaN), and sums with differences
(`(x + y) - y` is how they round and how they compensate for rounding).
"""

from __future__ import annotations

import math

from dxir.mlir import IrOperation, IrValue
from dxir.passes.rewrites.algebra import (
    ADD,
    DIVIDE,
    MULTIPLY,
    NEGATE,
    POWER,
    SUBTRACT,
    product,
)
from dxir.passes.rewrites.constants import (
    COMPLEX,
    CONSTANTS,
    FLOAT,
    can_fill,
    element,
    full,
    is_zero,
    number_of,
    splat,
)
from dxir.passes.rewrites.control import reduced_to_itself
from dxir.passes.rewrites.matching import fitting, maker
from dxir.passes.rewrites.shapes import used_once
from dxir.pipeline.rewriting import Make, Rules

RULES = Rules()

ALLOWED = ("nnan", "ninf", "nsz", "arcp", "reassoc", "afn")

SQRT, RSQRT = "stablehlo.sqrt", "stablehlo.rsqrt"
EXPONENTIAL, LOG = "stablehlo.exponential", "stablehlo.log"

_INEXACT = (FLOAT, COMPLEX)
_NORMAL_EXPONENT = 120  # of f32 and bf16; of f64 and f16 the number is looked at as such, too


@RULES.rule(ADD, SUBTRACT, over=CONSTANTS)
def fast_zero(op: IrOperation, make: Make) -> IrValue | None:
    """x + 0 and x - 0 are x, 0 - x is -x, whatever the sign of zero."""
    left, right = make.operands
    if element(op).family not in _INEXACT:
        return None
    if is_zero(number_of(make, 1)):
        return fitting(op, left)
    if op.name == SUBTRACT and is_zero(number_of(make, 0)):
        return make.op(NEGATE, op.results[0].type, right)
    return None


@RULES.rule(SUBTRACT, DIVIDE)
def fast_itself(op: IrOperation, make: Make) -> IrValue | None:
    """x - x is 0, x / x is 1."""
    left, right = make.operands
    if left != right or element(op).family != FLOAT:
        return None
    return full(make, op.results[0].type, 0 if op.name == SUBTRACT else 1)


@RULES.rule(MULTIPLY, DIVIDE, over=CONSTANTS)
def fast_constant(op: IrOperation, make: Make) -> IrValue | None:
    """x * 0 and 0 / x are 0; x / c is x * (1 / c); of complex numbers x * 1 and x / 1 are x."""
    left, right = make.operands
    family = element(op).family
    number = number_of(make, 1) if family in _INEXACT else None
    if number is None:
        is_none = family in _INEXACT and op.name == DIVIDE and is_zero(number_of(make, 0))
        return fitting(op, left) if is_none else None
    if number == 1:
        return fitting(op, left)
    if op.name == MULTIPLY:
        return fitting(op, right) if number == 0 else None
    if isinstance(number, complex) or number == 0 or not math.isfinite(number):
        return None
    limit = 14 if element(op).bits == 16 else _NORMAL_EXPONENT
    if abs(math.frexp(number)[1]) > limit or element(op).bits < 16 or not can_fill(right.type):
        return None
    inverse = full(make, right.type, 1 / number)
    return inverse and make.op(MULTIPLY, op.results[0].type, left, inverse)


@RULES.rule(NEGATE)
def fast_negated_difference(op: IrOperation, make: Make) -> IrValue | None:
    """-(x - y) is y - x."""
    inner = maker(make, 0, (SUBTRACT,))
    if inner is None or element(op).family not in _INEXACT:
        return None
    left, right = inner.operands
    return make.op(SUBTRACT, op.results[0].type, right, left)


@RULES.rule(POWER, over=CONSTANTS)
def fast_power(op: IrOperation, make: Make) -> IrValue | None:
    """x^0.5 is sqrt(x), x^-0.5 is rsqrt(x); x^3, x^4 and x^-2 are made of products."""
    base = make.operands[0]
    number = number_of(make, 1)
    type = op.results[0].type
    if not isinstance(number, float) or base.type != type:
        return None
    if number in (0.5, -0.5):
        return make.op(SQRT if number > 0 else RSQRT, type, base)
    if number in (3.0, 4.0):
        return product(make, base, int(number))
    if number == -2.0 and can_fill(type):
        one = full(make, type, 1)
        return one and make.op(DIVIDE, type, one, product(make, base, 2))
    return None


@RULES.rule(DIVIDE, over=(SQRT, RSQRT))
def fast_divide_by_root(op: IrOperation, make: Make) -> IrValue | None:
    """1 / sqrt(x) is rsqrt(x), 1 / rsqrt(x) is sqrt(x); y over them is a product."""
    inner = _plain_maker(make, 1, (SQRT, RSQRT))
    if inner is None or element(op).family != FLOAT:
        return None
    name = RSQRT if inner.name == SQRT else SQRT
    if number_of(make, 0) == 1:
        return make.op(name, op.results[0].type, inner.operands[0])
    if not used_once(inner.results[0]):
        return None
    root = make.op(name, inner.results[0].type, inner.operands[0])
    return make.op(MULTIPLY, op.results[0].type, make.operands[0], root)


@RULES.rule(MULTIPLY, over=(SQRT,))
def fast_square_of_root(op: IrOperation, make: Make) -> IrValue | None:
    """sqrt(x) * sqrt(x) is x."""
    left, right = make.operands
    inner = _plain_maker(make, 0, (SQRT,)) if left == right else None
    if inner is None or element(op).family != FLOAT:
        return None
    return fitting(op, inner.operands[0])


@RULES.rule(SQRT, over=(MULTIPLY,))
def fast_root_of_square(op: IrOperation, make: Make) -> IrValue | None:
    """sqrt(x * x) is |x|."""
    inner = maker(make, 0, (MULTIPLY,))
    if inner is None or element(op).family != FLOAT or inner.operands[0] != inner.operands[1]:
        return None
    return make.op("stablehlo.abs", op.results[0].type, inner.operands[0])


@RULES.rule(EXPONENTIAL, LOG)
def fast_inverse_function(op: IrOperation, make: Make) -> IrValue | None:
    """exp(log(x)) and log(exp(x)) are x."""
    inner = _plain_maker(make, 0, (LOG if op.name == EXPONENTIAL else EXPONENTIAL,))
    if inner is None or element(op).family != FLOAT:
        return None
    return fitting(op, inner.operands[0])


@RULES.rule(MULTIPLY, over=CONSTANTS)
def fast_factors_combined(op: IrOperation, make: Make) -> IrValue | None:
    """(x * a) * b is x * (a * b), of constants whose product is an ordinary number."""
    outer = number_of(make, 1)
    inner = maker(make, 0, (MULTIPLY,)) if isinstance(outer, float) else None
    first = None if inner is None else splat(make, inner.operands[1])
    if inner is None or not isinstance(first, float) or not isinstance(outer, float):
        return None
    limit = 14 if element(op).bits == 16 else _NORMAL_EXPONENT
    if first * outer == 0 or not math.isfinite(first * outer) or element(op).bits < 16:
        return None
    type = make.operands[1].type
    if abs(math.frexp(first * outer)[1]) > limit or not can_fill(type):
        return None
    factor = full(make, type, first * outer)
    return factor and make.op(MULTIPLY, op.results[0].type, inner.operands[0], factor)


@RULES.rule(ADD, SUBTRACT, over=(MULTIPLY,))
def fast_factored(op: IrOperation, make: Make) -> IrValue | None:
    """a * c + b * c is (a + b) * c, where the products are used for nothing else."""
    left, right = maker(make, 0, (MULTIPLY,)), maker(make, 1, (MULTIPLY,))
    if left is None or right is None or element(op).family != FLOAT or left == right:
        return None
    type = op.results[0].type
    for i in (0, 1):
        for j in (0, 1):
            a, b, c = left.operands[1 - i], right.operands[1 - j], left.operands[i]
            if c != right.operands[j] or {a.type, b.type, c.type} != {type}:
                continue
            if used_once(left.results[0]) and used_once(right.results[0]):
                total = make.op(op.name, type, a, b)
                return make.op(MULTIPLY, type, total, c)
    return None


@RULES.rule("stablehlo.reduce", over=CONSTANTS)
def fast_reduce_nothing(op: IrOperation, make: Make) -> IrValue | None:
    """A sum over dimensions of size 1, from zero of either sign, is a reshape."""
    return reduced_to_itself(op, make, is_zero)


def _plain_maker(make: Make, position: int, names: tuple[str, ...]) -> IrOperation | None:
    """The maker of an operand, where neither it nor the op asks for an accuracy."""
    inner = maker(make, position, names)
    if inner is None or any("result_accuracy" in op.attributes for op in (inner, make.to)):
        return None
    return inner
