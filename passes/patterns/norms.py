"""What the norms have in common: variances, normalized values, and how their parameters lie.

A variance is found in two forms, which a match tells apart (`form`), as they differ in values:

    two_pass    mean((x - mean(x)) ^ 2)
    one_pass    mean(x ^ 2) - mean(x) ^ 2, which cancels where the mean is large

Either may be kept from going below 0 (`clipped`), and stand in a `where(count > 0, variance, nan)`.
"""

from __future__ import annotations

from collections.abc import Sequence

from dxir.passes.patterns.blocks import maximum, mean, select, square
from dxir.pattern import (
    Either,
    InvSqrt,
    Match,
    Minus,
    Number,
    Over,
    Pattern,
    Product,
    Reduce,
    Total,
    Var,
)
from dxir.pattern.access import Digit, joined, whole

EPSILON = Either(Number(name="epsilon"), Var("epsilon", spread=True))
"""A number, or a value that does not vary along the axis."""

NORMALIZED = ("x", "scale", "offset", "epsilon")
"""The names of a normalized value, in the order of the composites' operands."""


def variance(x: Pattern, axis: str, mean_: Pattern, count: Pattern | None = None) -> Pattern:
    """The variance of a value of that mean; sums are divided by the size, or by `count`."""

    def average(a: Pattern) -> Pattern:
        return mean(a, axis) if count is None else Product(Reduce("add", a, axis), Over(count))

    plain = Either(
        average(square(Total(x, Minus(mean_)))),
        Total(mean(square(x), axis), Minus(square(mean_))),
        name="form",
        labels=("two_pass", "one_pass"),
    )
    chosen = Either(plain, select(Number(1.0), plain, Number()))
    return Either(chosen, maximum(Number(0.0), chosen), name="clipped", labels=("", "at zero"))


def affine(
    x: Pattern, mean_: Pattern, scale: Pattern, *, scaled: bool, offset: bool
) -> tuple[Pattern, ...]:
    """`(x - mean) * inverse * scale + offset`, with either parameter left out, and multiplied out.

    `scale` is the inverse deviation.
    """
    factors = (scale, Var("scale", spread=True)) if scaled else (scale,)
    shift = (Var("offset", spread=True),) if offset else ()
    together = Product(Total(x, Minus(mean_)), *factors)
    moved = Either(Product(Minus(mean_), *factors), Minus(Product(mean_, *factors)))
    apart = Total(Product(x, *factors), moved, *shift)
    return (Total(together, *shift) if shift else together, apart)


def normalized(x: Pattern, axis: str) -> tuple[Pattern, ...]:
    """All spellings of a normalized value, those with most parameters first."""
    mean_ = mean(x, axis)
    inverse = InvSqrt(Total(variance(x, axis, mean_), EPSILON))
    return tuple(
        [
            pattern
            for scaled, offset in ((True, True), (True, False), (False, True), (False, False))
            for pattern in affine(x, mean_, inverse, scaled=scaled, offset=offset)
        ]
    )


class Layout:
    """Which dimensions of `x`, laid out as the result is, a norm is over."""

    def __init__(self, match: Match) -> None:
        axis = whole(match.axis("axis"))
        self.over: tuple[int, ...] = ()
        """Dimensions that are reduced as a whole."""
        self.kept: tuple[int, ...] = ()
        """Dimensions with statistics of their own; those of size 1 are neither."""
        self.cut: tuple[tuple[int, int], ...] = ()
        """Dimensions of which only the inner part is reduced, each with the size of that part."""
        for dim, digits in enumerate(match.result):
            if not digits:
                continue
            inner = [d for d in axis if d[0] == digits[0][0]]
            if not inner:
                self.kept += (dim,)
            elif inner == list(digits):
                self.over += (dim,)
            else:
                size = inner[0][2] if len(inner) == 1 and inner[0][1] == 1 else 0
                self.cut += ((dim, size),)


def misfit(match: Match) -> str | None:
    """Why a normalized value is no norm of `x`, whatever its parameters are."""
    if not match.axis("axis"):
        return "it normalizes over one element"
    if match.access("x") != match.result or match.shape("x") != match.result_shape:
        return "the result is not laid out as x is"
    if (match.number("epsilon") or 0) < 0:
        return "epsilon is negative"
    if match.has("epsilon") and _varies(match, "epsilon", match.axis("axis")):
        return "epsilon varies along the axis"
    return None


def _varies(match: Match, name: str, axis: Sequence[Digit]) -> bool:
    variables = {variable for variable, _, _ in axis}
    return any(digit[0] in variables for part in match.access(name) for digit in part)


def runs_along(match: Match, name: str) -> tuple[int, ...] | None:
    """The dimensions of the result, in order, that a parameter has a number for each place of.

    None when it is laid out in another way.
    """
    digits = joined(digit for part in match.access(name) for digit in part)
    places = {part: dim for dim, part in enumerate(match.result) if part}
    found = [places.get((digit,)) for digit in digits]
    dims = tuple([dim for dim in found if dim is not None])
    return dims if len(dims) == len(found) and dims == tuple(sorted(dims)) else None


def misplaced(match: Match, names: Sequence[str], dims: Sequence[int]) -> str | None:
    """Why parameters, those that there are, are not along these dimensions of the result."""
    for name in names:
        if match.has(name):
            found = runs_along(match, name)
            if found != tuple(dims):
                along = "another layout" if found is None else f"axes {list(found)}"
                return f"{name} is along {along}, not along axes {list(dims)}"
    return None


def segments(match: Match, names: Sequence[str]) -> dict[str, object]:
    """Which of the operands that may be left out are there, as dxir's own composites say it."""
    there = tuple([int(match.has(name)) for name in names])
    return {"operand_segments": there}


def described(match: Match, **attributes: object) -> dict[str, object]:
    """The attributes of a norm: its own, and those of every normalized value."""
    found = dict(attributes)
    epsilon = match.number("epsilon")
    names = NORMALIZED[:3] if epsilon is not None else NORMALIZED
    if epsilon is not None:
        found["epsilon"] = epsilon
    found["form"] = match.text("form")
    if match.text("clipped"):
        found["clipped"] = True
    return found | segments(match, names)
