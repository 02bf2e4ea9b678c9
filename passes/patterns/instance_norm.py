"""Instance norm: `(x - mean) / sqrt(variance + epsilon) * scale + offset`, for each channel.

The statistics are those of each channel of each sample, over all other axes; the batch is axis 0.
In the spellings of a layer norm, from which its scale and offset tell it apart: they run along the
channels, which are not normalized over. Without them it is a layer norm over those axes.
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
    features = [dim for dim in layout.kept if dim]
    if 0 in layout.over:
        return "the batch is normalized over, too"
    if layout.cut or len(features) != 1:
        return "there is not one axis of channels with statistics of its own"
    if not (match.has("scale") or match.has("offset")):
        return "neither scale nor offset tells of channels"
    return misplaced(match, ("scale", "offset"), features)


def _attributes(match: Match) -> dict[str, object]:
    return described(match, feature_index=next(dim for dim in Layout(match).kept if dim))


RULES = (
    Rule(
        "instance_norm",
        normalized(Var("x"), "axis"),
        operands=NORMALIZED,
        where=_where,
        attributes=_attributes,
    ),
)
