"""Group norm: `(x - mean) / sqrt(variance + epsilon) * scale + offset`, over groups of channels.

    reshape to groups, normalize, reshape back, scale and shift      (PyTorch, Equinox)
    reshape to groups, normalize, scale and shift, reshape back      (Keras)
    reshape for the statistics alone                                 (Flax)

The channels are the axis that falls into `groups`, or the one that scale and offset run along when
there is a single group; all axes after the batch are normalized over, those before the batch are
none. The batch is axis 0, as `dxir.group_norm` has it; `batch` counts its axes when it is not one.
Spellings and forms of the variance are those of a layer norm. Groups of one channel each are an
instance norm, and a single group whose scale has a number for each element is a layer norm.
"""

from __future__ import annotations

from dxir.passes.patterns.norms import (
    NORMALIZED,
    Layout,
    described,
    misfit,
    misplaced,
    normalized,
    runs_along,
)
from dxir.pattern import Match, Reshaped, Rule, Var


def _feature(match: Match, layout: Layout) -> int | str:
    """The axis of the channels; the reason when there is none."""
    if len(layout.cut) == 1 and layout.cut[0][1]:
        return layout.cut[0][0]
    if layout.cut:
        return "it normalizes over parts of several axes"
    for name in ("scale", "offset"):
        if match.has(name):
            found = runs_along(match, name)
            if found is not None and len(found) == 1 and found[0] in layout.over:
                return found[0]
    return "no axis falls into groups"


def _where(match: Match) -> str | None:
    reason = misfit(match)
    if reason is not None:
        return reason
    layout = Layout(match)
    feature = _feature(match, layout)
    if isinstance(feature, str):
        return feature
    if not layout.cut and layout.over == (feature,):
        return "it normalizes over the channels alone"
    if layout.kept and max(layout.kept) > min((*layout.over, feature)):
        return f"axis {max(layout.kept)} has statistics of its own, and is not of the batch"
    return misplaced(match, ("scale", "offset"), (feature,))


def _attributes(match: Match) -> dict[str, object]:
    layout = Layout(match)
    feature = _feature(match, layout)
    assert isinstance(feature, int)
    groups = match.result_shape[feature] // layout.cut[0][1] if layout.cut else 1
    found: dict[str, object] = {"groups": groups, "feature_index": feature}
    batch = min((*layout.over, feature))
    if batch != 1:
        found["batch"] = batch
    return described(match, **found)


_SPELLINGS = normalized(Var("x"), "axis")

RULES = (
    Rule(
        "group_norm",
        (*[Reshaped(spelling) for spelling in _SPELLINGS], *_SPELLINGS),
        operands=NORMALIZED,
        where=_where,
        attributes=_attributes,
    ),
)
