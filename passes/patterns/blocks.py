"""Parts that many patterns share: elementwise functions, means, and guarded maxima."""

from __future__ import annotations

import math
from collections.abc import Callable

from dxir.mlir import stablehlo
from dxir.pattern import (
    Count,
    Either,
    Elementwise,
    Match,
    Minus,
    Number,
    Over,
    Pattern,
    Product,
    Reduce,
)
from dxir.pattern.view import Maker
from dxir.reading import attribute

Part = Callable[[Pattern], Pattern]


def unary(name: str, dialect: str = "stablehlo") -> Part:
    """The elementwise op of one operand and that name, as a part of patterns."""
    return lambda operand: Elementwise((f"{dialect}.{name}",), operand)


exp = unary("exponential")
log = unary("log")
log1p = unary("log_plus_one")
expm1 = unary("exponential_minus_one")
absolute = unary("abs")
tanh = unary("tanh")
logistic = unary("logistic")
erf = unary("erf", "chlo")
erfc = unary("erfc", "chlo")
sqrt = unary("sqrt")
cosine = unary("cosine")
sine = unary("sine")
is_finite = unary("is_finite")


def maximum(a: Pattern, b: Pattern) -> Pattern:
    """The greater of two values."""
    return Elementwise(("stablehlo.maximum",), a, b, commutes=True)


def minimum(a: Pattern, b: Pattern) -> Pattern:
    """The lesser of two values."""
    return Elementwise(("stablehlo.minimum",), a, b, commutes=True)


def between(least: Pattern, a: Pattern, most: Pattern) -> Pattern:
    """A value, or the bound that it is beyond: clamp, or a maximum and a minimum in any order."""
    return Either(
        Elementwise(("stablehlo.clamp",), least, a, most),
        minimum(maximum(a, least), most),
        maximum(minimum(a, most), least),
    )


def select(condition: Pattern, a: Pattern, b: Pattern) -> Pattern:
    """The first of two values where the condition holds, the second elsewhere."""
    return Elementwise(("stablehlo.select",), condition, a, b)


def greater(a: Pattern, b: Pattern) -> Pattern:
    """Whether `a > b`, or `b < a`."""
    return Either(compare("GT", a, b), compare("LT", b, a))


def above(a: Pattern, b: Pattern) -> Pattern:
    """Whether `a > b` or `a >= b`, where it does not matter which."""
    return Either(_compared(("GT", "GE"), a, b), _compared(("LT", "LE"), b, a))


def compare(direction: str, a: Pattern, b: Pattern) -> Pattern:
    """A comparison in that direction, in which NaN has no place: not one of the total order."""
    return _compared((direction,), a, b)


def _compared(directions: tuple[str, ...], a: Pattern, b: Pattern) -> Pattern:
    commutes = directions[0] in ("EQ", "NE")
    return Elementwise(
        ("stablehlo.compare",), a, b, commutes=commutes, where=lambda m: _unlike(m, directions)
    )


def _unlike(maker: Maker, directions: tuple[str, ...]) -> str | None:
    found = maker.memory.get("direction")
    if found is None:
        found = stablehlo.ComparisonDirectionAttr(maker.op.attributes["comparison_direction"]).value
        kind = attribute(maker.op, "compare_type")
        if kind is not None and stablehlo.ComparisonTypeAttr(kind).value == "TOTALORDER":
            found = f"{found} in total order"
        maker.memory["direction"] = found
    wanted = " or ".join(directions)
    return None if found in directions else f"a comparison is {found}, not {wanted}"


def power(a: Pattern, exponent: float) -> Pattern:
    """A value to a power, as an op of its own."""
    return Elementwise(("stablehlo.power",), a, Number(exponent))


def negated(a: Pattern) -> Pattern:
    """A value with the other sign, by an op of its own or by a product with -1."""
    return Either(Minus(a), Product(Number(-1.0), a))


def times(a: Pattern, number: Pattern) -> Pattern:
    """A value as it is, or multiplied by a number."""
    return Either(Product(a, number), a)


def square(a: Pattern) -> Pattern:
    """A value times itself."""
    return Either(
        Product(a, a),
        Elementwise(("stablehlo.power",), a, Number(2.0)),
        Elementwise(("chlo.square",), a),
    )


def mean(a: Pattern, axis: str) -> Pattern:
    """The sum over an axis divided by its size."""
    return Product(Reduce("add", a, axis), Over(Count(axis)))


def largest(a: Pattern, axis: str) -> Pattern:
    """The maximum over an axis, or no less than minus infinity."""
    top = Reduce("maximum", a, axis)
    return Either(top, maximum(Number(-math.inf), top))


def floats(match: Match, name: str) -> str | None:
    """The reason why a match does not count when a value of it is not of floats."""
    element = match.element(name)
    return None if element.startswith(("f", "bf")) else f"{name} is of {element}, not of floats"
