"""Exponential linear units: `x` above 0, a saturating exponential below.

    elu   x where x > 0, alpha (exp(x) - 1) elsewhere
    celu  x where x > 0, alpha (exp(x / alpha) - 1) elsewhere; or max(x, 0) and that of min(x, 0)
    selu  1.0507 elu(x) with alpha = 1.67326, the scale outside or in both branches

The exponential may be taken of `min(x, 0)`, of `x` with 0 above, or of `x`. A celu of alpha 1 is an
elu.
"""

from __future__ import annotations

import math

from dxir.passes.patterns.blocks import (
    above,
    exp,
    expm1,
    floats,
    maximum,
    minimum,
    select,
    times,
)
from dxir.pattern import Either, Match, Number, Pattern, Product, Rule, Total, Var

_ZERO, _ONE = Number(0.0), Number(1.0)
_ALPHA, _SCALE = 1.6732632423543772, 1.0507009873554805


def elu(x: Pattern, alpha: Pattern) -> Pattern:
    """A value above 0, and `alpha (exp(x) - 1)` below."""
    return _bent(x, times(x, _ONE), Product(_grown(x), alpha))


def selu(x: Pattern) -> Pattern:
    """The elu of fixed alpha and scale that keeps mean 0 and variance 1."""
    below = Product(_grown(x), Number(_ALPHA * _SCALE))
    return Either(
        Product(elu(x, Number(_ALPHA)), Number(_SCALE)),
        _bent(x, Product(x, Number(_SCALE)), below),
    )


def celu(x: Pattern) -> Pattern:
    """A value above 0, and `alpha (exp(x / alpha) - 1)` below."""
    narrowed = Product(minimum(x, _ZERO), Number(name="inverse"))
    below = Product(_less_one(narrowed), Number(name="alpha"))
    return Either(
        Total(maximum(x, _ZERO), below),
        _bent(x, x, Product(_less_one(Product(x, Number(name="inverse"))), Number(name="alpha"))),
    )


def _bent(x: Pattern, upper: Pattern, lower: Pattern) -> Pattern:
    return Either(
        select(above(x, _ZERO), upper, lower),
        select(above(_ZERO, x), lower, upper),
    )


def _grown(x: Pattern) -> Pattern:
    lowered = Either(x, minimum(x, _ZERO), select(above(x, _ZERO), _ZERO, x))
    return _less_one(times(lowered, _ONE))


def _less_one(x: Pattern) -> Pattern:
    return Either(expm1(x), Total(exp(x), Number(-1.0)))


def _alpha(match: Match) -> dict[str, object]:
    alpha = match.number("alpha")
    return {"alpha": 1.0 if alpha is None else alpha}


def _celu(match: Match) -> str | None:
    alpha, inverse = match.number("alpha"), match.number("inverse")
    if (
        alpha is not None
        and inverse is not None
        and not math.isclose(alpha * inverse, 1, rel_tol=1e-2)
    ):
        return f"its exponential is of {inverse:g} x, and multiplied by {alpha:g}"
    return floats(match, "x")


RULES = (
    Rule(
        "elu",
        (elu(Var("x"), Number(name="alpha")), _bent(Var("x"), Var("x"), _grown(Var("x")))),
        operands=("x",),
        where=lambda m: floats(m, "x"),
        attributes=_alpha,
    ),
    Rule("celu", (celu(Var("x")),), operands=("x",), where=_celu, attributes=_alpha),
    Rule("selu", (selu(Var("x")),), operands=("x",), where=lambda m: floats(m, "x")),
)
