"""Softmax: `exp(x - max) / sum(exp(x - max))`."""

from __future__ import annotations

from dxir.passes.patterns.blocks import exp, largest
from dxir.pattern import Match, Minus, Over, Pattern, Product, Reduce, Rule, Total, Var


def softmax(x: Pattern, axis: str) -> Pattern:
    """The softmax of a value along an axis."""
    top = exp(Total(x, Minus(largest(x, axis))))
    return Product(top, Over(Reduce("add", top, axis)))


def _along_one_axis(match: Match) -> str | None:
    dims = match.dims("x", "axis")
    if dims is None or len(dims) != 1:
        return f"softmax is along one axis of x, not along {dims}"
    return None


RULES = (
    Rule(
        "softmax",
        (softmax(Var("x"), "axis"),),
        operands=("x",),
        where=_along_one_axis,
        attributes=lambda m: {"axis": (m.dims("x", "axis") or (0,))[0], "masked": False},
    ),
)
