"""Masks: what they depend on, and what stands behind them."""

from __future__ import annotations

import math

from dxir.mlir import stablehlo
from dxir.pattern.tensors import reduce_kind
from dxir.verify.powers import sum_of
from dxir.verify.values import Here, Made, Values

_SUMMED = 3  # sums of sums that are looked through
_NEAR = 6  # ops below a softmax among which its mask is looked for


def comparison(values: Values, here: Here) -> tuple[str, Made] | None:
    """The direction of the comparison that makes a mask, and its op; through a negation."""
    made = values.made(here)
    flips = False
    while made is not None and made.name == "stablehlo.not":
        made, flips = values.made(made.input(0)), not flips
    if made is None or made.name != "stablehlo.compare":
        return None
    attribute = made.op.attributes["comparison_direction"]
    direction = stablehlo.ComparisonDirectionAttr(attribute).value
    return (_OPPOSITE[direction] if flips else direction), made


_OPPOSITE = {"EQ": "NE", "NE": "EQ", "LT": "GE", "GE": "LT", "GT": "LE", "LE": "GT"}


def counted(values: Values, here: Here) -> Here | None:
    """The mask that a value is the number of elements of, or None."""
    for _ in range(_SUMMED):
        inner = sum_of(values, here)
        if inner is None:
            return None
        mask = values.mask(inner)
        if mask is not None:
            return mask
        here = inner
    return None


def may_be_empty(values: Values, mask: Here) -> bool:
    """Whether a mask may hold no element, unlike one of maxima.

    One of what is not NaN is left out: of nothing but NaN, NaN is what is wanted.
    """
    if not values.varies(mask):
        return False
    compared = comparison(values, mask)
    if compared is None:
        return True
    direction, made = compared
    if values.are_one(made):
        return False
    extremes = any(_is_extreme(values, each) for each in made.inputs)
    return not (extremes and direction in ("EQ", "GE", "LE"))


def _is_extreme(values: Values, here: Here) -> bool:
    """Whether a value is the maximum or minimum of something, that some element equals."""
    made = values.made_by(here, "stablehlo.reduce")
    return made is not None and (
        len(made.op.results) > 1 or reduce_kind(made.maker) in ("maximum", "minimum")
    )


def masked_out(values: Values, here: Here) -> Here | None:
    """The mask that sets elements of a value to minus infinity."""
    for each in values.below(here, _NEAR):
        if each is None or each.name != "stablehlo.select":
            continue
        if -math.inf in (values.number(each.input(1)), values.number(each.input(2))):
            return each.input(0)
    return None
