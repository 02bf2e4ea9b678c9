"""Rectifiers, which are linear but for a bend or two.

    relu          maximum(x, 0), or x where x > 0 and 0 elsewhere
    leaky_relu    x where x >= 0, slope x elsewhere; maximum(x, slope x) for a slope below 1
    relu6         x clamped to 0..6
    hard_tanh     x clamped to -1..1
    hard_sigmoid  (x + 3) clamped to 0..6, over 6; or x / 6 + 1/2 clamped to 0..1
    hard_swish    x hard_sigmoid(x)

A selection gives 0 for NaN where a maximum keeps it: such a relu says `form = "select"`. Integers
are left alone: what is clamped there is an index.
"""

from __future__ import annotations

from dxir.passes.patterns.blocks import above, between, floats, greater, maximum, select
from dxir.pattern import Either, Match, Number, Pattern, Product, Rule, Total, Var

_ZERO, _ONE, _SIX = Number(0.0), Number(1.0), Number(6.0)
_SIXTH = Number(1 / 6)


def relu(x: Pattern) -> Pattern:
    """The greater of a value and 0."""
    return Either(
        maximum(x, _ZERO),
        select(above(x, _ZERO), x, _ZERO),
        select(above(_ZERO, x), _ZERO, x),
        name="form",
        labels=("maximum", "select", "select"),
    )


def relu6(x: Pattern) -> Pattern:
    """A value clamped to 0..6."""
    return between(_ZERO, x, _SIX)


def leaky_relu(x: Pattern) -> Pattern:
    """A value where it is 0 or more, a fraction of it elsewhere."""
    below = Product(x, Number(name="negative_slope"))
    return Either(
        maximum(x, below),
        select(above(x, _ZERO), x, below),
        select(above(_ZERO, x), below, x),
        name="form",
        labels=("maximum", "select", "select"),
    )


def hard_tanh(x: Pattern) -> Pattern:
    """A value clamped to -1..1."""
    one, minus = Number(1.0), Number(-1.0)
    return Either(
        between(minus, x, one),
        select(greater(x, one), one, select(greater(minus, x), minus, x)),
    )


def hard_sigmoid(x: Pattern) -> Pattern:
    """A piecewise linear logistic: 0 below -3, 1 above 3."""
    half = Number(0.5)
    return Either(
        Product(between(_ZERO, Total(x, Number(3.0)), _SIX), _SIXTH),
        between(_ZERO, Total(Product(x, _SIXTH), half), _ONE),
    )


def hard_swish(x: Pattern) -> Pattern:
    """A value times its hard sigmoid."""
    return Either(
        Product(x, between(_ZERO, Total(x, Number(3.0)), _SIX), _SIXTH),
        Product(x, hard_sigmoid(x)),
    )


def _slopes(match: Match) -> str | None:
    slope = match.number("negative_slope")
    if slope is None or slope == 0:
        return "the part below 0 is constant: it is a relu"
    if match.text("form") == "maximum" and not 0 < slope < 1:
        return f"maximum(x, {slope:g} x) is not {slope:g} x below 0"
    return floats(match, "x")


RULES = (
    Rule(
        "relu",
        (relu(Var("x")),),
        operands=("x",),
        where=lambda m: floats(m, "x"),
        attributes=lambda m: {"form": "select"} if m.text("form") == "select" else {},
    ),
    Rule(
        "leaky_relu",
        (leaky_relu(Var("x")),),
        operands=("x",),
        where=_slopes,
        attributes=lambda m: {"negative_slope": m.number("negative_slope")},
    ),
    Rule("relu6", (relu6(Var("x")),), operands=("x",), where=lambda m: floats(m, "x")),
    Rule("hard_tanh", (hard_tanh(Var("x")),), operands=("x",), where=lambda m: floats(m, "x")),
    Rule(
        "hard_sigmoid", (hard_sigmoid(Var("x")),), operands=("x",), where=lambda m: floats(m, "x")
    ),
    Rule("hard_swish", (hard_swish(Var("x")),), operands=("x",), where=lambda m: floats(m, "x")),
)
