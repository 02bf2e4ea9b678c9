"""Softsign, `x / (1 + |x|)`, and squareplus, `(x + sqrt(x^2 + b)) / 2`: bent by no exponential."""

from __future__ import annotations

from dxir.passes.patterns.blocks import absolute, floats, sqrt, square
from dxir.pattern import Number, Over, Pattern, Product, Rule, Total, Var


def softsign(x: Pattern) -> Pattern:
    """A value over 1 and its magnitude."""
    return Product(x, Over(Total(Number(1.0), absolute(x))))


def squareplus(x: Pattern) -> Pattern:
    """The upper branch of a hyperbola, a smooth `max(x, 0)`."""
    return Product(Number(0.5), Total(x, sqrt(Total(square(x), Number(name="b")))))


RULES = (
    Rule("softsign", (softsign(Var("x")),), operands=("x",), where=lambda m: floats(m, "x")),
    Rule(
        "squareplus",
        (squareplus(Var("x")),),
        operands=("x",),
        where=lambda m: floats(m, "x"),
        attributes=lambda m: {"b": m.number("b")},
    ),
)
