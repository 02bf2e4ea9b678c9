"""Values that are made of indices alone: masks of triangles, whoever spells them.

Such a value is either a sum of index digits, each times a number, or one of two numbers, by
inequalities of such sums: `select(row >= column, 0, -1e30)` is 0 where `row - column >= 0`. Iotas,
constants and the arithmetic, comparisons and logic on them are computed to this form as far as it
goes, through layout and calls.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dxir.elements import elements_of
from dxir.mlir import ir, stablehlo
from dxir.pattern.access import Access, Digit, Digits
from dxir.pattern.numbers import splat
from dxir.pattern.view import CONVERT, Maker, Scope, Seen, View
from dxir.reading import attribute

_DEEPEST = 12
_MOST_ELEMENTS = 1 << 24  # of a constant that is compared with a triangle


@dataclass(frozen=True)
class Linear:
    """A sum of digits of the frame's variables, each times a number, and of a number."""

    terms: frozenset[tuple[Digit, int]]
    number: float

    def plus(self, other: Linear, times: int) -> Linear:
        """This, and the other one so many times."""
        found = dict(self.terms)
        for digit, factor in other.terms:
            found[digit] = found.get(digit, 0) + times * factor
        terms = frozenset((d, f) for d, f in found.items() if f)
        return Linear(terms, self.number + times * other.number)

    def times(self, number: float) -> Linear | None:
        """This times a number; None where that would be no whole factor."""
        if self.terms and not number.is_integer():
            return None
        if not self.terms:
            return Linear(self.terms, self.number * number)
        return Linear(frozenset((d, f * int(number)) for d, f in self.terms), self.number * number)


@dataclass(frozen=True)
class Choice:
    """One number where all of these sums are 0 or more, another elsewhere."""

    conditions: frozenset[Linear]
    yes: float
    no: float

    def map(self, how: Callable[[float], float]) -> Choice:
        """The choice between what becomes of the numbers."""
        return Choice(self.conditions, how(self.yes), how(self.no))

    def flipped(self) -> Choice | None:
        """The same told by the opposite of its inequality; None where there are several."""
        if len(self.conditions) != 1:
            return None
        (condition,) = self.conditions
        opposite = Linear(frozenset(), -1.0).plus(condition, -1)
        return Choice(frozenset((opposite,)), self.no, self.yes)


Array = np.ndarray[Any, Any]
Known = Linear | Choice
_Claim = tuple[Maker, Scope | None]


def index(digits: Digits) -> Linear:
    """The index that digits make, the most significant first."""
    terms: list[tuple[Digit, int]] = []
    stride = 1
    for digit in reversed(digits):
        terms.append((digit, stride))
        stride *= digit[2]
    return Linear(frozenset(terms), 0.0)


class Indices:
    """What one value comes to, and the ops that it is made by."""

    def __init__(self, view: View) -> None:
        self._view = view
        self.claims: list[_Claim] = []

    def read(self, seen: Seen, depth: int = 0) -> Known | None:
        """The value in terms of indices; None when it is not made of them alone."""
        last = seen
        for step in self._view.chain(seen):
            if step.through is not None:
                self.claims.append((step.through, _outside(step.seen.scope, step.through)))
            last = step.seen
        maker = self._view.maker(last.value)
        if maker is None or depth > _DEEPEST:
            return None
        self.claims.append((maker, last.scope))
        if maker.name == "stablehlo.constant":
            return self._constant(maker, last.access)
        if maker.name == "stablehlo.iota":
            return _iota(maker, last.access)
        make = _MADE.get(maker.name)
        if make is None:
            return None
        known: list[Known] = []
        for value in maker.operands:
            shape = self._view.shape(value)
            if shape is None or (shape and len(shape) != len(last.access)):
                return None
            access = last.access if shape else ()
            one = self.read(last._replace(value=value, access=access, dropped=()), depth + 1)
            if one is None:
                return None
            known.append(one)
        return make(maker, known)

    def _constant(self, maker: Maker, access: Access) -> Known | None:
        number = splat(maker)
        if number is not None:
            return Linear(frozenset(), number)
        found = attribute(maker.op, "value")
        wide = [part for part in access if part]
        if len(wide) != 2 or any(len(part) != 1 for part in wide):
            return None
        if wide[0][0][2] * wide[1][0][2] > _MOST_ELEMENTS or found is None:
            return None
        array = elements_of(found)
        if array is None or array.dtype.kind not in "biuf":
            return None
        flat = array.reshape(wide[0][0][2], wide[1][0][2])
        return _triangle(flat, wide[0][0], wide[1][0])


def _triangle(array: Array, row: Digit, column: Digit) -> Choice | None:
    """The choice that a table is, where it is one number on the diagonal and to one side of it."""
    for table, above, below in ((array, column, row), (array.T, row, column)):
        inside = np.tri(*table.shape, dtype=np.bool_)
        if inside.all():
            continue
        yes, no = table[inside], table[~inside]
        if (yes == yes[0]).all() and (no == no[0]).all() and yes[0] != no[0]:
            condition = Linear(frozenset(((below, 1), (above, -1))), 0.0)
            return Choice(frozenset((condition,)), float(yes[0]), float(no[0]))
    return None


def _outside(scope: Scope | None, through: Maker) -> Scope | None:
    return scope.parent if scope is not None and scope.call is through else scope


def _iota(maker: Maker, access: Access) -> Linear | None:
    given = attribute(maker.op, "iota_dimension")
    if not isinstance(given, ir.IntegerAttr) or _element(maker) not in _EXACT:
        return None
    return index(access[given.value])


def _sum(sign: int) -> Callable[[Maker, list[Known]], Known | None]:
    def make(_: Maker, known: list[Known]) -> Known | None:
        a, b = known
        if isinstance(a, Linear) and isinstance(b, Linear):
            return a.plus(b, sign)
        if isinstance(a, Choice) and isinstance(b, Linear) and not b.terms:
            return a.map(lambda v: v + sign * b.number)
        if isinstance(a, Linear) and isinstance(b, Choice) and not a.terms:
            return b.map(lambda v: a.number + sign * v)
        return None

    return make


def _product(_: Maker, known: list[Known]) -> Known | None:
    a, b = known if isinstance(known[1], Linear) and not known[1].terms else known[::-1]
    if not isinstance(b, Linear) or b.terms:
        return None
    return a.times(b.number) if isinstance(a, Linear) else a.map(lambda v: v * b.number)


def _negated(_: Maker, known: list[Known]) -> Known | None:
    return known[0].times(-1) if isinstance(known[0], Linear) else known[0].map(lambda v: -v)


def _inverted(maker: Maker, known: list[Known]) -> Known | None:
    if not _is_boolean(maker):
        return None
    if isinstance(known[0], Choice):
        return known[0].map(lambda v: 1 - v)
    return None if known[0].terms else Linear(frozenset(), 1 - known[0].number)


def _converted(maker: Maker, known: list[Known]) -> Known | None:
    if isinstance(known[0], Choice) and _is_boolean(maker):
        return known[0].map(lambda v: float(v != 0))
    if isinstance(known[0], Linear) and known[0].terms:
        return known[0] if _element(maker) in _EXACT else None
    return None if _is_boolean(maker) else known[0]


def _compared(maker: Maker, known: list[Known]) -> Known | None:
    a, b = known
    direction = stablehlo.ComparisonDirectionAttr(maker.op.attributes["comparison_direction"]).value
    if isinstance(a, Linear) and isinstance(b, Linear):
        order = {"GE": (a, b, 0), "GT": (a, b, 1), "LE": (b, a, 0), "LT": (b, a, 1)}
        if direction not in order or _element(maker) != "i1":
            return None
        more, less, gap = order[direction]
        difference = more.plus(less, -1)
        if not difference.terms or difference.number != int(difference.number):
            return None
        condition = Linear(difference.terms, difference.number - gap)
        return Choice(frozenset((condition,)), 1.0, 0.0)
    if isinstance(a, Choice) and isinstance(b, Linear) and not b.terms:
        if direction == "EQ":
            return a.map(lambda v: float(v == b.number))
        if direction == "NE":
            return a.map(lambda v: float(v != b.number))
    return None


def _selected(_: Maker, known: list[Known]) -> Known | None:
    which, a, b = known
    if isinstance(which, Linear):
        return None if which.terms else (a if which.number else b)
    if not which.yes:
        a, b = b, a
    if isinstance(b, Linear) and not b.terms:
        if isinstance(a, Linear):
            return None if a.terms else Choice(which.conditions, a.number, b.number)
        if a.no == b.number:
            return Choice(which.conditions | a.conditions, a.yes, a.no)
    return None


def _both(maker: Maker, known: list[Known]) -> Known | None:
    return _joined(known, 1.0) if _is_boolean(maker) else None


def _any(maker: Maker, known: list[Known]) -> Known | None:
    return _joined(known, 0.0) if _is_boolean(maker) else None


def _joined(known: list[Known], yes: float) -> Known | None:
    """Conditions that all have to hold: for `and` to be true, for `or` to be false."""
    a, b = known if isinstance(known[0], Choice) else known[::-1]
    if isinstance(a, Linear):
        return None
    if isinstance(b, Linear):
        if b.terms:
            return None
        return a if b.number == yes else Linear(frozenset(), 1 - yes)
    if a.yes == b.yes == yes and a.no == b.no:
        return Choice(a.conditions | b.conditions, a.yes, a.no)
    return None


def _is_boolean(maker: Maker) -> bool:
    return _element(maker) == "i1"


def _element(maker: Maker) -> str:
    type = maker.key.type
    return str(type.element_type) if isinstance(type, ir.RankedTensorType) else ""


_EXACT = frozenset(("i32", "i64", "f32", "f64"))
"""The types in which indices are what they are: others wrap around, or round."""


_MADE: dict[str, Callable[[Maker, list[Known]], Known | None]] = {
    "stablehlo.add": _sum(1), "stablehlo.subtract": _sum(-1), "stablehlo.multiply": _product,
    "stablehlo.negate": _negated, "stablehlo.not": _inverted, CONVERT: _converted,
    "stablehlo.compare": _compared, "stablehlo.select": _selected, "stablehlo.and": _both,
    "stablehlo.or": _any,
}  # fmt: skip
