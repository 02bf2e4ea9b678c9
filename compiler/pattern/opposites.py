"""Parts that stand for the opposite of another: what is subtracted, or divided by, or its root."""

from __future__ import annotations

from collections.abc import Hashable

from dxir.pattern.forms import INVERSE, NEGATIVE, PLAIN, Either, Elementwise, How, Number, Pattern
from dxir.pattern.matcher import Matcher, Then
from dxir.pattern.seeds import Seeds, raised
from dxir.pattern.view import Seen

DIVIDE, NEGATE = "stablehlo.divide", "stablehlo.negate"


class Minus(Pattern):
    """What is subtracted in a sum, or negated."""

    names = frozenset((NEGATE,))

    def __init__(self, part: Pattern) -> None:
        self.part = part
        self._negated = Elementwise((NEGATE,), part)

    def form(self) -> Hashable:
        return "minus", self.part.shape

    def starts(self, how: How) -> frozenset[str] | None:
        if how == PLAIN:
            found = self.part.start(NEGATIVE)
            return None if found is None else found | {NEGATE}
        return self.part.start(PLAIN) if how == NEGATIVE else frozenset()

    def within(self) -> tuple[Pattern, ...]:
        return (self.part,)

    def seeds(self) -> Seeds | None:
        return raised(self.part.seed(), 1)

    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        if m.match(self._negated, seen, then):
            return True
        return m.attempt(lambda: self.part.negative(m, seen, then))

    def negative(self, m: Matcher, seen: Seen, then: Then) -> bool:
        return m.match(self.part, seen, then)


class Over(Pattern):
    """What a product is divided by; by itself, one divided by it."""

    names = frozenset((DIVIDE,))

    def __init__(self, part: Pattern) -> None:
        self.part = part
        self._divided = Elementwise((DIVIDE,), Number(1.0), part)

    def form(self) -> Hashable:
        return "over", self.part.shape

    def starts(self, how: How) -> frozenset[str] | None:
        if how == INVERSE:
            return self.part.start(PLAIN)
        found = self.part.start(INVERSE) if how == PLAIN else None
        if found is None:
            return None if how == PLAIN else frozenset()
        return self.names | found

    def within(self) -> tuple[Pattern, ...]:
        return (self.part,)

    def seeds(self) -> Seeds | None:
        return raised(self.part.seed(), 1)

    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        if m.match(self._divided, seen, then):
            return True
        return m.attempt(lambda: self.part.inverse(m, seen, then))

    def inverse(self, m: Matcher, seen: Seen, then: Then) -> bool:
        return m.match(self.part, seen, then)


class InvSqrt(Pattern):
    """One over the square root, however it is spelled: `rsqrt`, `1 / sqrt`, a power."""

    names = frozenset(("stablehlo.rsqrt", "stablehlo.sqrt", "stablehlo.power"))

    def __init__(self, part: Pattern) -> None:
        self.part = part
        self._root = Either(
            Elementwise(("stablehlo.sqrt",), part),
            Elementwise(("stablehlo.power",), part, Number(0.5)),
        )
        self._whole = Either(
            Elementwise(("stablehlo.rsqrt",), part),
            Elementwise(("stablehlo.power",), part, Number(-0.5)),
            Over(self._root),
        )

    def form(self) -> Hashable:
        return "one over the root", self.part.shape

    def starts(self, how: How) -> frozenset[str] | None:
        if how == NEGATIVE:
            return frozenset()
        return self._whole.start(PLAIN) if how == PLAIN else self._root.start(PLAIN)

    def within(self) -> tuple[Pattern, ...]:
        return (self.part,)

    def seeds(self) -> Seeds | None:
        return dict.fromkeys(self.names, 1)

    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        return m.match(self._whole, seen, then)

    def inverse(self, m: Matcher, seen: Seen, then: Then) -> bool:
        return m.match(self._root, seen, then)
