"""Softmax: `exp(x - max) / sum(exp(x - max))`, along one axis.

    shifted      the maximum as it is, or 0 for it where it is not finite (a row of -inf gives NaN)
    masked       so, and a sum of nothing taken for 1: a row of nothing but -inf gives 0
    where        of the elements that a mask keeps, 0 for the others: the mask is the second operand
    unshifted    `exp(x) / sum(exp(x))`, which overflows where the others do not

The composite's `form` says "where" or "unshifted" of these two. A sum along another axis than the
maximum, the sum of another value, powers of another base, and several axes at once are left alone.
"""

from __future__ import annotations

import math

from dxir.mlir import IrValue
from dxir.passes.patterns.blocks import absolute, compare, exp, is_finite, largest, select
from dxir.pattern import (
    Either,
    Match,
    Minus,
    Number,
    Over,
    Pattern,
    Product,
    Reduce,
    Rule,
    Total,
    Var,
)
from dxir.pattern.view import BROADCAST, View

_ZERO, _ONE, _LEAST = Number(0.0), Number(1.0), Number(-math.inf)
_SCALES = frozenset(f"stablehlo.{n}" for n in ("multiply", "divide", "negate", "convert"))
_DEEPEST = 1  # ops below x: what a reason against a match looks at is near


def guarded(top: Pattern) -> Pattern:
    """A maximum, or 0 where it is not finite, so that taking it from itself is no NaN."""
    return Either(
        select(is_finite(top), top, _ZERO),
        select(compare("EQ", top, _LEAST), _ZERO, top),
        select(compare("NE", top, _LEAST), top, _ZERO),
        select(compare("EQ", absolute(top), Number(math.inf)), _ZERO, top),
    )


def shifted(x: Pattern, top: Pattern) -> Pattern:
    """A value less its maximum."""
    return Total(x, Minus(top))


def _share(powers: Pattern, axis: str) -> Pattern:
    return Product(powers, Over(Reduce("add", powers, axis)))


def _masked(x: Pattern, axis: str) -> Pattern:
    top = largest(x, axis)
    powers = exp(shifted(x, guarded(top)))
    total = Reduce("add", powers, axis)
    dead = Either(compare("EQ", top, _LEAST), compare("EQ", total, _ZERO))
    alive = Either(compare("NE", top, _LEAST), compare("NE", total, _ZERO))
    sums = Either(select(dead, _ONE, total), select(alive, total, _ONE))
    share = Product(powers, Over(sums))
    return Either(share, select(dead, _ZERO, share), select(alive, share, _ZERO))


def softmax(x: Pattern, axis: str) -> Pattern:
    """The softmax of a value along an axis, the maximum taken out first."""
    top = largest(x, axis)
    powers = exp(shifted(x, Either(top, guarded(top))))
    return Either(
        _share(powers, axis), _masked(x, axis), name="softmax", labels=("shifted", "masked")
    )


def _where_kept(x: Pattern, mask: Pattern, axis: str) -> Pattern:
    """The softmax of what a mask keeps, as `jax.nn.softmax` has it."""
    kept = select(mask, x, _LEAST)
    top = largest(kept, axis)
    powers = exp(shifted(kept, Either(top, guarded(top))))
    share = Product(powers, Over(Reduce("add", select(mask, powers, _ZERO), axis)))
    return select(mask, share, _ZERO)


def _apart(x: Pattern) -> Pattern:
    """What a softmax would be if its sum were along the axis of its maximum."""
    return _share_of(exp(shifted(x, largest(x, "axis"))))


def _share_of(powers: Pattern) -> Pattern:
    return Product(powers, Over(Reduce("add", powers, "sums")))


def unlike(match: Match, name: str = "x") -> str | None:
    """The reason why a match does not count when its result is laid out otherwise than a value."""
    if match.access(name) != match.result or match.shape(name) != match.result_shape:
        return f"its result is laid out otherwise than {name}"
    return None


def axis_of(match: Match, name: str = "x") -> int | None:
    """The one dimension of a value that the axis is; None where it is another number of them."""
    dims = match.dims(name, "axis")
    return dims[0] if dims is not None and len(dims) == 1 else None


def is_shifted(view: View, value: IrValue, depth: int = 0) -> bool:
    """Whether a value is another less something that is spread over it, or a multiple of that."""
    maker = view.maker(value)
    if maker is None or depth > _DEEPEST:
        return False
    if maker.name == "stablehlo.subtract":
        less = view.maker(maker.operands[1])
        return less is not None and less.name == BROADCAST
    return maker.name in _SCALES and any(is_shifted(view, v, depth + 1) for v in maker.operands)


def _where(match: Match) -> str | None:
    axis = match.dims("x", "axis")
    if axis is None or len(axis) != 1:
        return f"softmax is along one axis of x, not along {_spoken(axis) or 'none'}"
    if match.has_axis("sums"):
        return (
            f"softmax over axis {_spoken(axis)}, "
            f"but its sum reduces axis {_spoken(match.dims('x', 'sums'))}"
        )
    if match.text("softmax") == "unshifted" and is_shifted(match.view, match.value("x")):
        return "x is shifted already, but not by its maximum along the axis"
    return unlike(match)


def _spoken(dims: tuple[int, ...] | None) -> str:
    return " and ".join(map(str, dims or ()))


def _attributes(match: Match) -> dict[str, object]:
    form = match.text("softmax")
    found: dict[str, object] = {"axis": axis_of(match), "masked": form == "masked"}
    return {**found, "form": form} if form in ("unshifted", "where") else found


def _labelled(pattern: Pattern, label: str) -> Pattern:
    return Either(pattern, name="softmax", labels=(label,))


_X = Var("x")
RULES = (
    Rule(
        "softmax",
        (
            _labelled(_where_kept(_X, Var("mask"), "axis"), "where"),
            softmax(_X, "axis"),
            _labelled(_share(exp(_X), "axis"), "unshifted"),
            _apart(_X),
        ),
        operands=("x", "mask"),
        where=_where,
        attributes=_attributes,
    ),
)
