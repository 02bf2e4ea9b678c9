"""GELU: `x` times the normal distribution function at `x`, exact or approximated.

    exact    0.5 x (1 + erf(x / sqrt(2)))              form "erf"
             0.5 x erfc(-x / sqrt(2))                  form "erfc", which keeps the negative tail
    tanh     0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))
    quick    x sigmoid(1.702 x), a pattern and composite of its own

Factors stand in any order, 0.5 may be multiplied in anywhere, the cube is a power or products, and
what is constant in tanh's argument may be multiplied out. Other factors than these are left alone:
they make another function.
"""

from __future__ import annotations

import math

from dxir.passes.patterns.blocks import floats, power, square, tanh
from dxir.passes.patterns.error_functions import erf, erfc
from dxir.passes.patterns.silu import sigmoid
from dxir.pattern import Either, Number, Pattern, Product, Rule, Total, Var

_HALF, _ONE = Number(0.5), Number(1.0)
_CUBIC = 0.044715


def gelu(x: Pattern) -> Pattern:
    """A value times the normal distribution function at it, exact or approximated."""
    exact = erf(Product(x, Number(math.sqrt(0.5))))
    negated = erfc(Product(x, Number(-math.sqrt(0.5))))
    return Either(
        Product(_HALF, x, negated),
        *_of_odd(x, exact),
        *_of_odd(x, tanh(_inner(x))),
        name="form",
        labels=("erfc", "erf", "erf", "tanh", "tanh"),
    )


def quick_gelu(x: Pattern) -> Pattern:
    """A value times the logistic function of 1.702 times it."""
    return Product(x, sigmoid(Product(x, Number(1.702))))


def _of_odd(x: Pattern, f: Pattern) -> tuple[Pattern, ...]:
    """A value times half of 1 and an odd function: the half outside, or in both terms."""
    return Product(_HALF, x, Total(_ONE, f)), Product(x, Total(_HALF, Product(_HALF, f)))


def _inner(x: Pattern) -> Pattern:
    scale = math.sqrt(2 / math.pi)
    outer, cubic, both = Number(scale), Number(_CUBIC), Number(scale * _CUBIC)
    squared = square(x)
    return Either(
        Product(outer, Total(x, _cube(cubic, x, squared))),
        Product(outer, x, Total(_ONE, Product(cubic, squared))),
        Product(outer, x, Total(_ONE, Product(cubic, x, x))),
        Total(Product(outer, x), _cube(both, x, squared)),
        Product(x, Total(outer, Product(both, squared))),
        Product(x, Total(outer, Product(both, x, x))),
    )


def _cube(factor: Pattern, x: Pattern, squared: Pattern) -> Pattern:
    return Either(
        Product(factor, x, x, x),
        Product(factor, power(x, 3)),
        Product(factor, x, squared),
    )


_FORMS: dict[str, dict[str, object]] = {
    "erf": {"approximate": "none", "form": "erf"},
    "erfc": {"approximate": "none", "form": "erfc"},
    "tanh": {"approximate": "tanh"},
}

RULES = (
    Rule(
        "gelu",
        (gelu(Var("x")),),
        operands=("x",),
        where=lambda m: floats(m, "x"),
        attributes=lambda m: _FORMS[m.text("form")],
    ),
    Rule(
        "quick_gelu",
        (quick_gelu(Var("x")),),
        operands=("x",),
        where=lambda m: floats(m, "x"),
    ),
)
