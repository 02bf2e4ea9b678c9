"""The logarithm of the softmax along one axis.

    log_sum_exp     (x - max) - log(sum(exp(x - max))), or x - logsumexp(x)
    log1p           (x - max) - log1p(S), S the sum without one maximum, as dxir's own op has it
    log(softmax)    the logarithm of a softmax, which is -inf where the others are not
    unshifted       x - log(sum(exp(x))), which overflows where the others do not

The composite's `form` says which; all mean the same and round differently. A sum along another axis
than the maximum, or of the exponentials of another value than is before the minus, is left alone.
"""

from __future__ import annotations

from dxir.passes.patterns.blocks import compare, exp, largest, log, log1p, select, times
from dxir.passes.patterns.logsumexp import log_of_sum
from dxir.passes.patterns.softmax import axis_of, guarded, is_shifted, shifted, softmax, unlike
from dxir.pattern import Either, Match, Minus, Number, Pattern, Reduce, Rule, Total, Var
from dxir.pattern.picking import Converted, is_truth

_ZERO = Number(0.0)


def log_softmax(x: Pattern, axis: str) -> Pattern:
    """The log softmax of a value along an axis, the maximum taken out first."""
    top = largest(x, axis)
    least = times(Either(guarded(top), top), Number(1.0))
    logs = log_of_sum(exp(shifted(x, least)), axis)
    return Total(x, Minus(least), Minus(logs))


def _by_log1p(x: Pattern, axis: str) -> Pattern:
    top = largest(x, axis)
    below = shifted(x, top)
    is_top = compare("EQ", below, _ZERO)
    others = Reduce("add", select(is_top, _ZERO, exp(below)), axis)
    tops = Reduce("add", Converted(is_top, is_truth), axis)
    rest = Total(others, Total(tops, Number(-1.0)))
    return Total(x, Minus(top), Minus(log1p(rest)))


def any_log_softmax(x: Pattern, axis: str) -> Pattern:
    """The log softmax of a value along an axis in any form that is safe from overflow."""
    return Either(
        log_softmax(x, axis),
        _by_log1p(x, axis),
        log(softmax(x, axis)),
        name="log_softmax",
        labels=("log_sum_exp", "log1p", "log(softmax)"),
    )


def _where(match: Match) -> str | None:
    if axis_of(match) is None:
        return f"log softmax is along one axis of x, not along {match.dims('x', 'axis') or 'none'}"
    if match.text("log_softmax") == "unshifted" and is_shifted(match.view, match.value("x")):
        return "x is shifted already, but not by its maximum along the axis"
    return unlike(match)


def _unshifted(x: Pattern) -> Pattern:
    whole = Total(x, Minus(log_of_sum(exp(x), "axis")))
    return Either(whole, name="log_softmax", labels=("unshifted",))


RULES = (
    Rule(
        "log_softmax",
        (any_log_softmax(Var("x"), "axis"), _unshifted(Var("x"))),
        operands=("x",),
        where=_where,
        attributes=lambda m: {"axis": axis_of(m), "form": m.text("log_softmax")},
    ),
)
