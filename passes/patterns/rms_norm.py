"""RMS norm: `x / sqrt(mean(x ^ 2) + epsilon)`, with or without a scale."""

from __future__ import annotations

from dxir.passes.patterns.blocks import mean, square
from dxir.pattern import Either, InvSqrt, Match, Number, Pattern, Product, Rule, Total, Var

_EPSILON = Either(Number(name="epsilon"), Var("epsilon", spread=True))


def rms_norm(x: Pattern, axis: str) -> tuple[Pattern, Pattern]:
    """The factors of the norm of a value along an axis."""
    return x, InvSqrt(Total(mean(square(x), axis), _EPSILON))


def _where(match: Match) -> str | None:
    if not match.dims("x", "axis"):
        return "it normalizes over no axis of x"
    if match.has("epsilon") and set(match.axis("axis")) & {
        d for part in match.access("epsilon") for d in part
    }:
        return "epsilon varies along the axis"
    return None


def _attributes(match: Match) -> dict[str, object]:
    found: dict[str, object] = {"axis": match.dims("x", "axis") or ()}
    epsilon = match.number("epsilon")
    return found if epsilon is None else {**found, "epsilon": epsilon}


RULES = (
    Rule(
        "rms_norm",
        (
            Product(*rms_norm(Var("x"), "axis"), Var("scale", spread=True)),
            Product(*rms_norm(Var("x"), "axis")),
        ),
        operands=("x", "scale", "epsilon"),
        where=_where,
        attributes=_attributes,
    ),
)
