"""The forms that patterns are made of: values, numbers, elementwise ops, and alternatives."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from functools import cached_property, partial

import numpy as np

from dxir.mlir import IrValue, ir
from dxir.pattern.matcher import Matcher, Then
from dxir.pattern.numbers import holds_number, number_of, round_to
from dxir.pattern.seeds import Seeds, raised, rarest, together
from dxir.pattern.view import NUMBER, Maker, Scope, Seen, View

How = int
"""How a value stands for a pattern: as it is, as a divisor, as what is subtracted."""

PLAIN: How = 0
INVERSE: How = 1
NEGATIVE: How = 2
NEGATIVE_INVERSE: How = 3  # of numbers alone
_METHODS = ("match", "inverse", "negative", "negative_inverse")


_shapes: dict[Hashable, int] = {}


class Pattern(ABC):
    """What a value must be. Patterns have no state and may stand in several places."""

    names: frozenset[str] = frozenset()
    """The ops whose result the value may be; empty for any."""
    binds: frozenset[str] = frozenset()
    """The names that it gives values, by which a rule has its operands."""

    @abstractmethod
    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        """Whether the value fits, and `then` what is left. The caller undoes a failure."""

    def inverse(self, m: Matcher, seen: Seen, then: Then) -> bool:
        """Whether the value is one divided by this, as a divisor stands for its reciprocal."""
        return False

    def negative(self, m: Matcher, seen: Seen, then: Then) -> bool:
        """Whether the value is this negated, as what is subtracted is."""
        return False

    def starts(self, how: How) -> frozenset[str] | None:
        """The kinds of values (see `View.kinds`) that may match so; None for any.

        It is asked before an attempt is made, and must not leave out a value that matches.
        """
        if how == NEGATIVE_INVERSE:
            return frozenset()
        method = _METHODS[how]
        if how != PLAIN and getattr(type(self), method) is getattr(Pattern, method):
            return frozenset()
        return self.names or None if how == PLAIN else None

    @cached_property
    def _starts(self) -> tuple[frozenset[str] | None, ...]:
        return tuple([self.starts(how) for how in range(NEGATIVE_INVERSE + 1)])

    def start(self, how: How) -> frozenset[str] | None:
        """What `starts` says, asked once."""
        return self._starts[how]

    def plausible(
        self, view: View, value: IrValue, scope: Scope | None = None, how: How = PLAIN
    ) -> bool:
        """Whether a value may match so, its ops looked at but not which values they take.

        Asked before an attempt is made, and known from then on.
        """
        key = (self.shape, value, scope, how)
        known = view.plausible.get(key)
        if known is None:
            start = self.start(how)
            known = view.plausible[key] = (
                (start is None or not start.isdisjoint(view.kinds(value, scope)))
                and (not self.needs_number or holds_number(view, value, scope))
                and self.could(view, value, scope, how)
            )
        return known

    @cached_property
    def shape(self) -> int:
        """A number that patterns share which are the same but for the names of their values."""
        return _shapes.setdefault(self.form(), len(_shapes))

    @cached_property
    def needs_number(self) -> bool:
        """Whether a match has a number among what is multiplied or added up to the value."""
        return False

    def form(self) -> Hashable:
        """What tells the pattern from others, the names of its values left aside."""
        return self

    def could(self, view: View, value: IrValue, scope: Scope | None, how: How) -> bool:
        """Whether a value of one of the kinds it starts at may match; always, unless redefined."""
        return True

    def within(self) -> tuple[Pattern, ...]:
        """The patterns of its operands, all of which must match."""
        return ()

    def roots(self) -> frozenset[str]:
        """The ops that may make a value that fits; empty for any value."""
        return self.names

    def seed(self) -> Seeds | None:
        """What `seeds` says, asked once: a part may stand in many places."""
        return self._seeds

    @cached_property
    def _seeds(self) -> Seeds | None:
        return self.seeds()

    def seeds(self) -> Seeds | None:
        """Ops, one of which is in every match, with how many ops are above it at most.

        None when there may be none.
        """
        found = [raised(part.seed(), 1) for part in self.within()]
        return rarest([dict.fromkeys(self.names, 0) or None, *found])


class Var(Pattern):
    """A value by its name. Where a name stands twice, the value is the same, read alike."""

    def __init__(self, name: str, *, spread: bool = False) -> None:
        self.name, self.spread = name, spread
        self.binds = frozenset((name,))

    def form(self) -> Hashable:
        return "value" if type(self) is Var else self

    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        return m.name(self.name, seen) and then()


_TURNED: tuple[Callable[[float], float], ...] = (
    lambda v: v,
    lambda v: 1 / v if v else math.inf,
    lambda v: -v,
    lambda v: -1 / v if v else math.inf,
)


class Number(Pattern):
    """A constant that is one number everywhere: this one within a tolerance, or any by a name."""

    def __init__(self, value: float | None = None, *, name: str = "") -> None:
        self.value, self.name = value, name

    def form(self) -> Hashable:
        return ("number", self.value) if type(self) in (Number, Count) else self

    def starts(self, how: How) -> frozenset[str] | None:
        return frozenset((NUMBER,))

    def could(self, view: View, value: IrValue, scope: Scope | None, how: How) -> bool:
        found = number_of(view, Seen(value, (), scope))
        if found is None or self.value is None:
            return found is not None
        return close(_TURNED[how](found[0]), self.value, Seen(value, ()))

    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        return self._fits(m, seen, _TURNED[PLAIN]) and then()

    def inverse(self, m: Matcher, seen: Seen, then: Then) -> bool:
        return self._fits(m, seen, _TURNED[INVERSE]) and then()

    def negative(self, m: Matcher, seen: Seen, then: Then) -> bool:
        return self._fits(m, seen, _TURNED[NEGATIVE]) and then()

    def negative_inverse(self, m: Matcher, seen: Seen, then: Then) -> bool:
        """Whether the value is minus one divided by this."""
        return self._fits(m, seen, _TURNED[NEGATIVE_INVERSE]) and then()

    def wanted(self, m: Matcher) -> float | None:
        """The number it must be, given what is bound; None for any."""
        return self.value

    def _fits(self, m: Matcher, seen: Seen, turned: Callable[[float], float]) -> bool:
        found = m.number(seen)
        if found is None:
            return m.miss(lambda: f"{self._label(m)} should stand where another value does")
        number, wanted = turned(found), self.wanted(m)
        if wanted is not None and not self.near(found, wanted, turned, seen):
            return m.miss(lambda: f"a constant is {number:g}, not {wanted:g}")
        if self.name:
            known = m.numbers.get(self.name)
            if known is not None and not close(number, known, seen):
                return m.miss(f"{self.name} is {known:g} in one place and {number:g} in another")
            if known is None:
                m.put(m.numbers, self.name, shortest(number, seen))
        return True

    def near(
        self, found: float, wanted: float, turned: Callable[[float], float], seen: Seen
    ) -> bool:
        """Whether a constant that is there stands for the number that is wanted."""
        return close(turned(found), wanted, seen)

    def _label(self, m: Matcher) -> str:
        wanted = self.wanted(m)
        return f"the number {self.name}" if wanted is None else f"the number {wanted:g}"


class Count(Number):
    """The number of elements along an axis that is known by then."""

    def __init__(self, axis: str) -> None:
        super().__init__()
        self.axis = axis

    def near(
        self, found: float, wanted: float, turned: Callable[[float], float], seen: Seen
    ) -> bool:
        # One more or less is the count of another formula: an unbiased variance, say.
        return found == round_to(seen.value.type, turned(wanted)) or (
            abs(turned(found) - wanted) < 0.5
        )

    def wanted(self, m: Matcher) -> float | None:
        digits = m.axes.get(self.axis)
        return math.nan if digits is None else float(math.prod(size for _, _, size in digits))


class Elementwise(Pattern):
    """An elementwise op of one of some names; `commutes` when its operands may change places."""

    def __init__(
        self,
        names: Sequence[str],
        *operands: Pattern,
        commutes: bool = False,
        where: Callable[[Maker], str | None] | None = None,
    ) -> None:
        self.names = frozenset(names)
        self.operands, self.commutes, self.where = operands, commutes, where

    def form(self) -> Hashable:
        if type(self) is not Elementwise or self.where is not None:
            return self
        return "op", self.names, self.commutes, tuple([part.shape for part in self.operands])

    def within(self) -> tuple[Pattern, ...]:
        return self.operands

    def could(self, view: View, value: IrValue, scope: Scope | None, how: How) -> bool:
        made = next((one for one in view.levels(value, scope) if one[0].name in self.names), None)
        if made is None or len(made[0].operands) != len(self.operands):
            return False
        operands = made[0].operands
        return any(
            all(
                part.plausible(view, operand, made[1])
                for part, operand in zip(self.operands, order, strict=True)
            )
            for order in ((operands, operands[::-1]) if self.commutes else (operands,))
        )

    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        found = m.cores(seen, self.names)
        if found is None:
            return m.miss(lambda: self._other(m, seen))
        core, maker = found
        if len(maker.operands) != len(self.operands):
            return False
        reason = None if self.where is None else self.where(maker)
        if reason is not None:
            return m.miss(reason)
        m.settle(self, core)
        orders = [tuple(range(len(self.operands)))]
        if self.commutes:
            orders.append(orders[0][::-1])
        return any(
            m.attempt(partial(self._in_order, m, core, maker, order, then)) for order in orders
        )

    def _in_order(
        self, m: Matcher, seen: Seen, maker: Maker, order: tuple[int, ...], then: Then
    ) -> bool:
        def rest(i: int) -> bool:
            if i == len(order):
                return then()
            operand = m.operand(seen, maker, order[i])
            return m.match(self.operands[i], operand, lambda: rest(i + 1))

        return rest(0)

    def _other(self, m: Matcher, seen: Seen) -> str:
        return f"{spoken(self.names)} should stand where {made_by(m, seen)} does"


class Either(Pattern):
    """The first of several patterns that fits; `name` remembers which, by its label."""

    def __init__(self, *choices: Pattern, name: str = "", labels: Sequence[str] = ()) -> None:
        self.choices, self.name, self.labels = choices, name, labels

    @cached_property
    def needs_number(self) -> bool:
        """Whether every choice does."""
        return all(choice.needs_number for choice in self.choices)

    def form(self) -> Hashable:
        if type(self) is not Either:
            return self
        return "either", tuple([choice.shape for choice in self.choices])

    def starts(self, how: How) -> frozenset[str] | None:
        found = [choice.start(how) for choice in self.choices]
        if any(part is None for part in found):
            return None
        return frozenset().union(*(part for part in found if part is not None))

    def could(self, view: View, value: IrValue, scope: Scope | None, how: How) -> bool:
        return any(choice.plausible(view, value, scope, how) for choice in self.choices)

    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        return self._any(m, lambda choice: m.match(choice, seen, then))

    def inverse(self, m: Matcher, seen: Seen, then: Then) -> bool:
        return self._any(m, lambda choice: choice.inverse(m, seen, then))

    def negative(self, m: Matcher, seen: Seen, then: Then) -> bool:
        return self._any(m, lambda choice: choice.negative(m, seen, then))

    def _any(self, m: Matcher, how: Callable[[Pattern], bool]) -> bool:
        def one(i: int) -> bool:
            if self.name:
                m.put(m.texts, self.name, self.labels[i])
            return how(self.choices[i])

        return any(m.attempt(partial(one, i)) for i in range(len(self.choices)))

    def roots(self) -> frozenset[str]:
        found = [choice.roots() for choice in self.choices]
        return frozenset().union(*found) if all(found) else frozenset()

    def seeds(self) -> Seeds | None:
        return together([choice.seed() for choice in self.choices])

    def within(self) -> tuple[Pattern, ...]:
        return self.choices


_RELATIVE = 1e-5
_PRECISION = {"bf16": 2.0**-8, "f16": 2.0**-10}


def close(number: float, wanted: float, seen: Seen) -> bool:
    """Whether a constant is a number, rounded to its type and as front ends write it out."""
    if number == wanted or not math.isfinite(wanted):
        return number == wanted
    type = seen.value.type
    element = str(type.element_type) if isinstance(type, ir.RankedTensorType) else ""
    limit = max(_PRECISION.get(element, 0.0), _RELATIVE)
    return abs(number - wanted) <= limit * abs(wanted)


def shortest(number: float, seen: Seen) -> float:
    """A constant with no more digits than tell it apart in its type: 1e-05, not 9.99999974e-06."""
    type = seen.value.type
    element = str(type.element_type) if isinstance(type, ir.RankedTensorType) else ""
    kind = {"f32": np.float32, "f16": np.float16}.get(element)
    return number if kind is None or not math.isfinite(number) else float(str(kind(number)))


def spoken(names: frozenset[str]) -> str:
    """Op names as a sentence has them."""
    found = " or ".join(sorted(name.partition(".")[2] for name in names))
    return f"an {found}" if found[:1] in "aeiou" else f"a {found}"


def made_by(m: Matcher, seen: Seen) -> str:
    """What makes a value, as a sentence has it."""
    maker = m.view.maker(m.view.chain(seen)[-1].seen.value)
    return "an argument" if maker is None else maker.name
