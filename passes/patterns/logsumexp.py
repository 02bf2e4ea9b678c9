"""The logarithm of a sum of exponentials: `log(sum(exp(x - max))) + max`, along any axes.

    guarded      0 for the maximum where it is not finite, so that a row of -inf gives -inf
    of abs       of the magnitude of the sum, which is positive anyway
    unshifted    `log(sum(exp(x)))`, which overflows where the others do not: `form = "unshifted"`

A maximum along another axis, another value added to the logarithm than was taken from x, and the
logarithm inside of a log softmax are left alone.
"""

from __future__ import annotations

from dxir.passes.patterns.blocks import absolute, exp, largest, log, times
from dxir.passes.patterns.softmax import guarded, is_shifted, shifted
from dxir.pattern import Either, Match, Number, Pattern, Reduce, Rule, Total, Var


def log_of_sum(powers: Pattern, axis: str) -> Pattern:
    """The logarithm of a sum of powers, or of its magnitude."""
    total = Reduce("add", powers, axis)
    return log(Either(total, absolute(total)))


def logsumexp(x: Pattern, axis: str) -> Pattern:
    """The logarithm of the sum of the exponentials of a value, the maximum taken out first."""
    top = largest(x, axis)
    # PyTorch multiplies the maximum by 1.
    least = times(Either(guarded(top), top), Number(1.0))
    return Total(log_of_sum(exp(shifted(x, least)), axis), least)


def _where(match: Match) -> str | None:
    axis = match.dims("x", "axis")
    if not axis:
        return "it sums over no axis of x"
    if match.text("logsumexp") == "unshifted" and is_shifted(match.view, match.value("x")):
        return "x is shifted already, but not by its maximum along the axis"
    access, shape = match.access("x"), match.shape("x")
    kept = [d for d in range(len(shape)) if d not in axis]
    if _keeps_dims(match, axis):
        kept, inside = list(range(len(shape))), axis
    else:
        inside = ()
    if match.result != tuple([() if d in inside else access[d] for d in kept]):
        return "its result is laid out otherwise than x without the axes"
    if match.result_shape != [1 if d in inside else shape[d] for d in kept]:
        return "its result is of another shape than x without the axes"
    return None


def _keeps_dims(match: Match, axis: tuple[int, ...]) -> bool:
    return len(match.result_shape) == len(match.shape("x")) and bool(axis)


def _attributes(match: Match) -> dict[str, object]:
    axis = match.dims("x", "axis") or ()
    found: dict[str, object] = {"axes": axis, "keepdims": _keeps_dims(match, axis)}
    form = match.text("logsumexp")
    return {**found, "form": form} if form == "unshifted" else found


RULES = (
    Rule(
        "logsumexp",
        (
            logsumexp(Var("x"), "axis"),
            Either(log_of_sum(exp(Var("x")), "axis"), name="logsumexp", labels=("unshifted",)),
        ),
        operands=("x",),
        where=_where,
        attributes=_attributes,
    ),
)
