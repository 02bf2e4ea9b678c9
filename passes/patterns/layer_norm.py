"""Layer norm: `(x - mean) / sqrt(variance + epsilon) * scale + offset`, over one axis or several.

    mean(x)      sum / N, sum * (1 / N)
    variance     mean((x - mean) ^ 2): `form = "two_pass"`
                 mean(x ^ 2) - mean(x) ^ 2: `form = "one_pass"`, which cancels where means are large
                 max(variance, 0): `clipped = true`; as `where(count > 0, variance, nan)` (jnp.var)
    / sqrt       * rsqrt, / sqrt, * 1 / sqrt, a power
    * scale      at either factor, or at the rsqrt first (Flax); or left out
    + offset     or left out; also multiplied out, as x * s + (offset - mean * s) (Keras)

Scale and offset have a number for each place along all the axes that are normalized over, as
`dxir.layer_norm` has them; `operand_segments` says which are there. Where they lie otherwise, as
when they depend on the row (adaptive norms), they are left outside. Computed in f32 of narrow
floats, and rounded, it takes and gives the narrow ones where nothing else uses the wide.

Without an epsilon it is no layer norm; nor is it with an unbiased variance, or one of another value
than `x`. A form is never swapped for the other, as their values differ.
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
