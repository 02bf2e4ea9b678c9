"""Parts that many patterns share: elementwise functions, means, and guarded maxima."""

from __future__ import annotations

import math
from collections.abc import Callable

from dxir.pattern import Count, Either, Elementwise, Number, Over, Pattern, Product, Reduce


Part = Callable[[Pattern], Pattern]


def unary(name: str, dialect: str = "stablehlo") -> Part:
    """The elementwise op of one operand and that name, as a part of patterns."""
    return lambda operand: Elementwise((f"{dialect}.{name}",), operand)


exp = unary("exponential")
log = unary("log")
log1p = unary("log_plus_one")
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
