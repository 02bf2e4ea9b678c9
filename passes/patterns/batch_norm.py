"""Batch norm: `(x - mean) / sqrt(variance + epsilon) * scale + offset`, for each channel.

For inference mean and variance are values with a number for each channel, as are scale and offset.
Without scale and offset there are only arguments and constants for mean and variance: what is
computed is another norm's. In training mean and variance are those of `x` over the batch and all
axes but that of the channels; where they are used, too, they are further results.

All spellings of a normalized value are found, those of a layer norm, also with the scale multiplied
into the inverse deviation first, or multiplied out (Keras, TensorFlow). Statistics over the batch
without scale and offset are a layer norm over those axes.
"""

from __future__ import annotations

from dxir.passes.patterns.norms import (
    NORMALIZED,
    Layout,
    affine,
    described,
    misfit,
    misplaced,
    normalized,
    runs_along,
    segments,
)
from dxir.pattern import InvSqrt, Match, Number, Rule, Total, Var

_OPERANDS = ("x", "scale", "offset", "mean", "variance")
_EACH_CHANNEL = _OPERANDS[1:]
_mean = Var("mean", spread=True)
_inverse = InvSqrt(Total(Var("variance", spread=True), Number(name="epsilon")))


def _where(match: Match) -> str | None:
    if match.access("x") != match.result or match.shape("x") != match.result_shape:
        return "the result is not laid out as x is"
    if (match.number("epsilon") or 0) < 0:
        return "epsilon is negative"
    feature = runs_along(match, "variance")
    if feature is None or len(feature) != 1:
        return "the variance has no number for each channel"
    if len(match.result_shape) < 2:
        return "there is no axis but that of the channels"
    if not (match.has("scale") or match.has("offset")) and not (
        match.is_given("mean") and match.is_given("variance")
    ):
        return "mean and variance are computed, and there is neither scale nor offset"
    return misplaced(match, _EACH_CHANNEL, feature)


def _attributes(match: Match) -> dict[str, object]:
    (feature,) = runs_along(match, "variance") or (0,)
    found: dict[str, object] = {"epsilon": match.number("epsilon"), "feature_index": feature}
    return found | segments(match, _OPERANDS)


def _where_trained(match: Match) -> str | None:
    reason = misfit(match)
    if reason is not None:
        return reason
    layout = Layout(match)
    if 0 not in layout.over:
        return "the batch is not normalized over"
    if layout.cut or len(layout.kept) != 1:
        return "there is not one axis of channels with statistics of its own"
    if not (match.has("scale") or match.has("offset")):
        return "neither scale nor offset tells of channels"
    return misplaced(match, ("scale", "offset"), layout.kept)


RULES = (
    Rule(
        "batch_norm_training",
        normalized(Var("x"), "axis"),
        operands=NORMALIZED,
        where=_where_trained,
        attributes=lambda m: described(m, feature_index=Layout(m).kept[0]),
    ),
    Rule(
        "batch_norm_inference",
        tuple(
            [
                pattern
                for scaled, offset in ((True, True), (True, False), (False, True), (False, False))
                for pattern in affine(Var("x"), _mean, _inverse, scaled=scaled, offset=offset)
            ]
        ),
        operands=_OPERANDS,
        where=_where,
        attributes=_attributes,
    ),
)
