"""Moments: the variance of a value over one axis or several, and its mean if that is used, too.

    two_pass    sum((x - mean(x)) ^ 2) / N, or / (N - 1): `correction`
    one_pass    mean(x ^ 2) - mean(x) ^ 2

`form` tells which: they differ in values, the one in one pass cancels. The first result is the
variance, the second the mean. Where other values inside are used outside, as the centred ones of a
norm that is none of those known, nothing is matched; nor is a mean alone.
"""

from __future__ import annotations

from dxir.passes.patterns.blocks import mean
from dxir.passes.patterns.norms import variance
from dxir.pattern import Match, Named, Number, Rule, Var

_x = Var("x")


def _where(match: Match) -> str | None:
    if not match.dims("x", "axis"):
        return "it is over no whole axis of x"
    divisor, count = match.number("divisor"), match.size("axis")
    if divisor is not None and divisor not in (count, count - 1):
        return f"the variance of {count} elements is divided by {divisor:g}"
    kept = [part for dim, part in enumerate(match.access("x")) if not _is_over(match, dim)]
    if [part for part in kept if part] != [part for part in match.result if part]:
        return "the result is not laid out as x is"
    return None


def _is_over(match: Match, dim: int) -> bool:
    return dim in (match.dims("x", "axis") or ())


def _attributes(match: Match) -> dict[str, object]:
    axes = match.dims("x", "axis") or ()
    divisor = match.number("divisor")
    found: dict[str, object] = {"axes": axes, "form": match.text("form")}
    found["keepdims"] = len(match.result_shape) == len(match.shape("x"))
    found["correction"] = 0 if divisor is None else int(match.size("axis") - divisor)
    return found | ({"clipped": True} if match.text("clipped") else {})


RULES = (
    Rule(
        "moments",
        (variance(_x, "axis", Named("mean", mean(_x, "axis")), Number(name="divisor")),),
        operands=("x",),
        where=_where,
        attributes=_attributes,
        export=("mean",),
    ),
)
