"""Parts that say more of a value than what it is: its name, or that it is reshaped at once."""

from __future__ import annotations

from dxir.mlir import IrValue
from dxir.pattern.forms import PLAIN, How, Pattern
from dxir.pattern.matcher import Matcher, Then
from dxir.pattern.seeds import Seeds
from dxir.pattern.view import RESHAPE, Scope, Seen, View


class Named(Pattern):
    """A part whose value has a name of its own, and may be a result of the match by it."""

    def __init__(self, name: str, part: Pattern) -> None:
        self.name, self.part = name, part

    def starts(self, how: How) -> frozenset[str] | None:
        return self.part.start(PLAIN) if how == PLAIN else frozenset()

    def could(self, view: View, value: IrValue, scope: Scope | None, how: How) -> bool:
        return self.part.plausible(view, value, scope)

    def roots(self) -> frozenset[str]:
        return self.part.roots()

    def seeds(self) -> Seeds | None:
        return self.part.seed()

    def within(self) -> tuple[Pattern, ...]:
        return (self.part,)

    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        m.put(m.named, self.name, m.view.chain(seen)[-1].seen)
        return m.match(self.part, seen, then)


class Reshaped(Pattern):
    """A part whose value is reshaped at once, for a match that ends with the reshape."""

    names = frozenset((RESHAPE,))

    def __init__(self, part: Pattern) -> None:
        self.part = part

    def within(self) -> tuple[Pattern, ...]:
        return (self.part,)

    def seeds(self) -> Seeds | None:
        return self.part.seed()

    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        maker = m.view.maker(seen.value)
        return maker is not None and maker.name == RESHAPE and m.match(self.part, seen, then)
