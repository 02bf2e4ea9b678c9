"""Softplus, `log(1 + exp(x))`, and the functions made of it.

    softplus     max(x, 0) + log1p(exp(-|x|)), also under JAX's selection for NaN
                 log1p(exp(x)), log(1 + exp(x))                          form "plain"
                 x where x > threshold, log1p(exp(x)) elsewhere          form "threshold"
                 x above, exp(x) below, log1p(exp(x)) between            form "threshold"
    log_sigmoid  -softplus(-x), min(x, 0) - log1p(exp(-|x|)), log(sigmoid(x))
    mish         x tanh(softplus(x))

The forms agree where they do not overflow: a plain one is infinite for large numbers. A softplus
of `beta x` over beta is left alone unless beta is 1; it is a softplus within products.
"""

from __future__ import annotations

from dxir.passes.patterns.blocks import (
    absolute,
    compare,
    exp,
    floats,
    greater,
    log,
    log1p,
    maximum,
    minimum,
    negated,
    select,
    tanh,
    times,
)
from dxir.passes.patterns.silu import sigmoid
from dxir.pattern import Either, Match, Minus, Number, Pattern, Product, Rule, Total, Var

_ZERO, _ONE = Number(0.0), Number(1.0)


def softplus(x: Pattern) -> Pattern:
    """The logarithm of 1 and the exponential of a value."""
    shifted = Either(x, Total(x, _ZERO))
    same = Either(x, Total(x, Minus(_ZERO)))
    smooth = Total(maximum(x, _ZERO), log1p(exp(negated(absolute(same)))))
    inner = times(x, _ONE)
    plain = times(_log_of_exp(inner), _ONE)
    above = greater(inner, Number(name="threshold"))
    return Either(
        select(compare("NE", same, same), shifted, smooth),
        smooth,
        select(above, x, plain),
        select(above, x, select(greater(Number(name="least"), x), exp(x), plain)),
        plain,
        name="form",
        labels=("", "", "threshold", "threshold", "plain"),
    )


def _log_of_exp(x: Pattern) -> Pattern:
    grown = exp(x)
    return Either(log1p(grown), log(Total(_ONE, grown)))


def log_sigmoid(x: Pattern) -> Pattern:
    """The logarithm of the logistic of a value."""
    tail = times(log1p(exp(negated(absolute(x)))), _ONE)
    return Either(
        Minus(softplus(Minus(x))),
        Total(minimum(x, _ZERO), Minus(tail)),
        log(sigmoid(x)),
    )


def mish(x: Pattern) -> Pattern:
    """A value times the hyperbolic tangent of its softplus."""
    return Product(x, tanh(softplus(x)))


def _where(match: Match) -> str | None:
    threshold, least = match.number("threshold"), match.number("least")
    if threshold is not None and threshold < 5:
        return f"above {threshold:g} its softplus is not x"
    if least is not None and least > -5:
        return f"below {least:g} its softplus is not exp(x)"
    return floats(match, "x")


def _attributes(match: Match) -> dict[str, object]:
    form = match.text("form")
    return {"form": form} if form else {}


RULES = tuple(
    Rule(name, (make(Var("x")),), operands=("x",), where=_where, attributes=_attributes)
    for name, make in (("softplus", softplus), ("log_sigmoid", log_sigmoid), ("mish", mish))
)
