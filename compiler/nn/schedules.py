"""Learning rates as functions of the number of steps taken before.

Each function here gives a schedule; a schedule takes a whole number, or an integer array, and
gives an array of f32.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dxir import ops
from dxir.errors import AttributeValueError
from dxir.locations import caller_location
from dxir.numpy.arguments import public
from dxir.numpy.promotion import array_of, as_type
from dxir.tracing.arrays import Array
from dxir.types import f32

Schedule = Callable[[Any], Array]


def _steps(given: Any, what: str, least: int = 1) -> int:
    if isinstance(given, bool) or not isinstance(given, (int, np.integer)) or given < least:
        raise AttributeValueError(
            f"{what} is {given!r}, but must be a whole number of {least} or more",
            where=caller_location(),
        )
    return int(given)


def _number(step: Any) -> Array:
    return as_type(array_of(step), f32)


def _part(step: Any, start: int, steps: int) -> Array:
    """How much of some steps after `start` is done, from 0 to 1."""
    done = (_number(step) - float(start)) / float(max(steps, 1))
    return ops.clamp(Array(np.float32(0)), done, Array(np.float32(1)))


@public
def constant(rate: float) -> Schedule:
    """One rate for all steps."""

    def schedule(step: Any) -> Array:
        found: Array = _number(step) * 0.0 + float(rate)
        return found

    return schedule


@public
def linear(start: float, end: float, steps: int) -> Schedule:
    """A straight line from `start` to `end` within `steps`, and `end` from there on."""
    count = _steps(steps, "steps")

    def schedule(step: Any) -> Array:
        part = _part(step, 0, count)
        found: Array = (1.0 - part) * float(start) + part * float(end)
        return found

    return schedule


@public
def cosine(rate: float, steps: int, *, end: float = 0.0) -> Schedule:
    """Half a cosine from `rate` down to `end` within `steps` (Loshchilov and Hutter, 2017).

    From there on it is `end`.
    """
    count = _steps(steps, "steps")

    def schedule(step: Any) -> Array:
        return _cosine(_part(step, 0, count), rate, end)

    return schedule


def _cosine(part: Array, rate: float, end: float) -> Array:
    return (ops.cos(part * math.pi) + 1.0) * ((rate - end) / 2) + float(end)


@public
def warmup_cosine(
    rate: float, warmup_steps: int, steps: int, *, start: float = 0.0, end: float = 0.0
) -> Schedule:
    """A straight line from `start` up to `rate`, then half a cosine down to `end`.

    The line takes `warmup_steps` of the `steps`.
    """
    first, count = _steps(warmup_steps, "warmup_steps", 0), _steps(steps, "steps")
    if first >= count:
        raise AttributeValueError(
            f"warmup_steps is {first}, but must be less than all {count} steps",
            where=caller_location(),
        )

    def schedule(step: Any) -> Array:
        number = _number(step)
        part = _part(number, 0, first)
        rising = (1.0 - part) * float(start) + part * float(rate)
        falling = _cosine(_part(number, first, count - first), rate, end)
        return ops.select(number < float(first), rising, falling)

    return schedule


@public
def exponential(rate: float, decay: float, steps: int, *, staircase: bool = False) -> Schedule:
    """`rate * decay^(step / steps)`; in whole powers of `decay` with `staircase`."""
    count = _steps(steps, "steps")
    if not decay > 0:
        raise AttributeValueError(f"decay is {decay}, but must be above 0")

    def schedule(step: Any) -> Array:
        power = _number(step) / float(count)
        power = ops.floor(power) if staircase else power
        return ops.exp(power * math.log(decay)) * float(rate)

    return schedule


@public
def piecewise(rate: float, factors: Mapping[int, float]) -> Schedule:
    """A rate that is multiplied by a factor at each of some steps, from that step on."""
    places = sorted((_steps(s, "a step", 0), float(f)) for s, f in factors.items())

    def schedule(step: Any) -> Array:
        number = _number(step)
        found: Array = number * 0.0 + float(rate)
        for place, factor in places:
            found = ops.select(number < float(place), found, found * factor)
        return found

    return schedule
