"""Exponentials, squares and sums, as several rules look for them."""

from __future__ import annotations

from dxir.pattern.tensors import reduce_kind
from dxir.verify.values import Here, Made, Values, dtype_of

_DOT = "stablehlo.dot_general"
_EXP, _DIVIDE, _MULTIPLY = "stablehlo.exponential", "stablehlo.divide", "stablehlo.multiply"

PICKS = frozenset(f"stablehlo.{name}" for name in ("slice", "gather", "dynamic_slice", "reverse"))
"""The ops that give some elements of their first operand."""


def powers_over_their_sum(values: Values, made: Made) -> Made | None:
    """The exponential that an op divides by its own sum: what makes a softmax."""
    if made.name == _DIVIDE:
        pairs = [made.inputs]
    elif made.name == _MULTIPLY:
        pairs = [made.inputs, made.inputs[::-1]]
    else:
        return None
    for one, other in pairs:
        if made.name == _MULTIPLY:
            inverse = values.made_by(other, _DIVIDE)
            if inverse is None or values.number(inverse.input(0)) != 1:
                continue
            other = inverse.input(1)
        total = sum_of(values, other)
        for each in () if total is None else _parts(values, one):
            power = power_of(values, each)
            if power is not None and total is not None and values.is_one(total, each):
                return power
    return None


def _parts(values: Values, here: Here) -> list[Here]:
    """A value, or what a product of tensors that makes it is of: attention divides last."""
    dot = values.made_by(here, "stablehlo.dot_general")
    return [here] if dot is None else dot.inputs


def power_of(values: Values, here: Here) -> Made | None:
    """The exponential that a value is, or is where a mask keeps it."""
    made = values.made_by(here, _EXP, "stablehlo.select")
    if made is None or made.name == _EXP:
        return made
    for one, other in ((1, 2), (2, 1)):
        if values.number(made.input(other)) == 0:
            return values.made_by(made.input(one), _EXP)
    return None


def sum_of(values: Values, here: Here) -> Here | None:
    """What a value is the sum of along some axes, written as a reduction or a product with ones."""
    made = values.made_by(here, "stablehlo.reduce", _DOT)
    if made is not None and made.name == _DOT:
        return values.pair(made, 1.0)
    if made is None or reduce_kind(made.maker) != "add":
        return None
    return made.input(0)


def square_of(values: Values, here: Here) -> Here | None:
    """What is squared, if the value is a square."""
    made = values.made(here)
    if made is None:
        return None
    if made.name == "chlo.square":
        return made.input(0)
    if made.name == _MULTIPLY and values.are_one(made):
        return made.input(0)
    is_power = made.name == "stablehlo.power" and values.number(made.input(1)) == 2
    return made.input(0) if is_power else None


_FAR = {"f64": 710, "f32": 89, "bf16": 89, "f16": 12}


def far(power: Made) -> int:
    """A number whose exponential is infinite in the type of an exponential."""
    dtype = dtype_of(power.maker.key)
    return _FAR.get("" if dtype is None else dtype.name, 89)


def sigmoid_of(values: Values, here: Here) -> Made | None:
    """The op that makes a logistic function, written as an op or as 1 / (1 + exp(-x))."""
    made = values.made_by(here, "stablehlo.logistic", _DIVIDE)
    if made is None or made.name != _DIVIDE:
        return made
    if values.number(made.input(0)) != 1:
        return None
    total = values.made_by(made.input(1), "stablehlo.add")
    other = None if total is None else values.pair(total, 1.0)
    return made if other is not None and values.made_by(other, _EXP) is not None else None
