"""RMS norm: `x / sqrt(mean(x ^ 2) + epsilon) * scale`, over one axis or several.

The scale may be left out, stand at either factor, or be multiplied into the inverse root first; in
mixed precision it may come after the rounding (Llama), and Flax subtracts a mean of 0 from `x`. The
epsilon is a number or a value that does not vary along the axis. A sum of squares that is not
divided by how many there are is no RMS norm.
"""

from __future__ import annotations

from dxir.passes.patterns.blocks import mean, square
from dxir.passes.patterns.norms import EPSILON, Layout, misfit, misplaced, segments
from dxir.pattern import Either, InvSqrt, Match, Minus, Number, Pattern, Product, Rule, Total, Var


def rms_norm(x: Pattern, axis: str) -> tuple[Pattern, Pattern]:
    """The factors of the norm of a value along an axis."""
    own = Either(Total(x, Minus(Number(0.0))), x)
    return own, InvSqrt(Total(mean(square(x), axis), EPSILON))


def _where(match: Match) -> str | None:
    reason = misfit(match)
    if reason is not None:
        return reason
    layout = Layout(match)
    if layout.cut:
        return "it normalizes over a part of an axis"
    return misplaced(match, ("scale",), layout.over)


def _attributes(match: Match) -> dict[str, object]:
    axis, epsilon = Layout(match).over, match.number("epsilon")
    if epsilon is None:
        return {"axis": axis} | segments(match, ("x", "scale", "epsilon"))
    return {"axis": axis, "epsilon": epsilon} | segments(match, ("x", "scale"))


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
