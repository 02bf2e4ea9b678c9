"""Layer norm: `(x - mean) / sqrt(variance + epsilon) * scale + offset`, over one axis or several.

    mean(x)      sum / N, sum * (1 / N)
    variance     in two passes or in one, as `form` says (see `norms.py`)
    / sqrt       * rsqrt, / sqrt, * 1 / sqrt, a power
    * scale      at either factor, or at the rsqrt first (Flax); or left out
    + offset     or left out; also multiplied out, as x * s + (offset - mean * s) (Keras)

Scale and offset have a number for each place along all the axes that are normalized over, as
`dxir.layer_norm` has them. Where they lie otherwise, as when they depend on the row (adaptive
norms), they are left outside. Without an epsilon it is no layer norm; nor is it with an unbiased
variance, or one of another value than `x`.
"""

from __future__ import annotations

from dxir.passes.patterns.norms import (
    NORMALIZED,
    Layout,
    described,
    misfit,
    misplaced,
    normalized,
)
from dxir.pattern import Match, Rule, Var


def _where(match: Match) -> str | None:
    reason = misfit(match)
    if reason is not None:
        return reason
    layout = Layout(match)
    if layout.cut:
        return "it normalizes over a part of an axis"
    return misplaced(match, ("scale", "offset"), layout.over)


RULES = (
    Rule(
        "layer_norm",
        normalized(Var("x"), "axis"),
        operands=NORMALIZED,
        where=_where,
        attributes=lambda m: described(m, axis=Layout(m).over),
    ),
)
