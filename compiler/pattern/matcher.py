"""One attempt to match a pattern at an op: what is bound so far, and how to take it back."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from dxir.mlir import IrValue, ir
from dxir.pattern.access import Access, Digits, Frame, through_reshape
from dxir.pattern.numbers import number_of
from dxir.pattern.view import BROADCAST, CONVERT, RESHAPE, Maker, Scope, Seen, Step, View

if TYPE_CHECKING:
    from dxir.pattern.forms import Pattern

Then = Callable[[], bool]
"""What is left to match; says whether all of it did."""

_MOST_STEPS = 4000  # of one attempt: products of many factors can be split in many ways


class Bound(NamedTuple):
    """The value that a name stands for, and how it is read."""

    value: IrValue
    access: Access


class Miss(NamedTuple):
    """Why an attempt went no further, and how many ops it had matched by then."""

    matched: int
    reason: str


class Matcher:
    """The state of one attempt. Patterns change it by its methods, which `undo` takes back."""

    def __init__(self, view: View, *, reporting: bool = False) -> None:
        self.view = view
        self.frame = Frame()
        self.names: dict[str, list[list[Step]]] = {}
        self.axes: dict[str, Digits] = {}
        self.numbers: dict[str, float] = {}
        self.texts: dict[str, str] = {}
        self.parts: dict[int, tuple[IrValue, Access, Scope | None]] = {}
        self.named: dict[str, Seen] = {}
        self.outer: dict[str, Bound] = {}
        self.resolved: dict[str, Bound | None] | None = None
        self.claims: list[Maker] = []
        self.reporting = reporting
        self.nearest: Miss | None = None
        self._trail: list[tuple[dict[Any, Any], Any, Any]] = []
        self._steps = 0

    # -- doing and undoing ---------------------------------------------------------------------

    def mark(self) -> tuple[int, int]:
        """The state now, to be given to `undo`."""
        return len(self._trail), len(self.claims)

    def undo(self, mark: tuple[int, int]) -> None:
        """Take back all that was bound and claimed since the mark."""
        trail, claims = mark
        while len(self._trail) > trail:
            table, key, before = self._trail.pop()
            if before is _ABSENT:
                del table[key]
            else:
                table[key] = before
        del self.claims[claims:]

    def attempt(self, one: Callable[[], bool]) -> bool:
        """Whether it matches; nothing of it is left when it does not."""
        self._steps += 1
        if self._steps > _MOST_STEPS:
            return False
        mark = self.mark()
        if one():
            return True
        self.undo(mark)
        return False

    def put(self, table: dict[Any, Any], key: Any, value: Any) -> None:
        """Write into one of the tables of this match, so that it is undone with the rest."""
        self._trail.append((table, key, table.get(key, _ABSENT)))
        table[key] = value

    def miss(self, reason: str | Callable[[], str], *, whole: bool = False) -> bool:
        """False, remembering the reason when nothing got further; nothing gets beyond the whole."""
        if self.reporting:
            matched = sys.maxsize if whole else len({id(c) for c in self.claims})
            if self.nearest is None or matched > self.nearest.matched:
                self.nearest = Miss(matched, reason if isinstance(reason, str) else reason())
        return False

    # -- what patterns ask ---------------------------------------------------------------------

    def match(self, pattern: Pattern, seen: Seen, then: Then) -> bool:
        """Whether the pattern fits the value, and all that is left after it.

        A pattern that fitted before fits the same value again at once.
        """
        if not self.may(pattern, seen):
            return False
        known = self.parts.get(id(pattern))
        if known is not None and any(
            known == (s.value, s.access, s.scope) for s, _ in self.view.chain(seen)
        ):
            return self.attempt(lambda: self._again(known, seen) and then())
        return self.attempt(lambda: pattern.match(self, seen, then))

    def may(self, pattern: Pattern, seen: Seen, how: int = 0) -> bool:
        """Whether the ops that make a value are plausible for a pattern; asked before it is tried.

        Always, when near misses are wanted: then the attempt itself tells why it fails.
        """
        return self.reporting or pattern.plausible(self.view, seen.value, seen.scope, how)

    def _again(self, known: tuple[IrValue, Access, Scope | None], seen: Seen) -> bool:
        for step in self.view.chain(seen):
            if step.through is not None:
                self.claim(step.through, step.seen.scope)
            if (step.seen.value, step.seen.access, step.seen.scope) == known:
                return True
        return False

    def settle(self, pattern: Pattern, seen: Seen) -> None:
        """Remember that the pattern stands for this value."""
        self.put(self.parts, id(pattern), (seen.value, seen.access, seen.scope))

    def claim(self, maker: Maker, scope: Scope | None) -> None:
        """Make an op part of the match; inside a call that is looked into, the call."""
        self.claims.append(maker if scope is None else scope.outermost)

    def cores(self, seen: Seen, names: frozenset[str]) -> tuple[Seen, Maker] | None:
        """The nearest value, through layout and calls, that an op of these names makes.

        Claims the ops on the way, and the op.
        """
        for step in self.view.chain(seen):
            if step.through is not None:
                self.claim(step.through, _scope_of(step))
            maker = self.view.maker(step.seen.value)
            if maker is not None and maker.name in names:
                self.claim(maker, step.seen.scope)
                return step.seen, maker
        return None

    def bottom(self, seen: Seen) -> tuple[Seen, Maker] | None:
        """The last value, through layout and calls, that it is read from, and the op that makes it.

        Claims the ops on the way, and the op.
        """
        last = seen
        for step in self.view.chain(seen):
            if step.through is not None:
                self.claim(step.through, _scope_of(step))
            last = step.seen
        maker = self.view.maker(last.value)
        if maker is None:
            return None
        self.claim(maker, last.scope)
        return last, maker

    def operand(self, seen: Seen, maker: Maker, position: int) -> Seen:
        """An operand of an elementwise op, read as the result is; a scalar is spread over it."""
        value = maker.operands[position]
        shape = self.view.shape(value)
        access = seen.access if shape is None or len(shape) == len(seen.access) else ()
        return seen._replace(value=value, access=access)

    def number(self, seen: Seen) -> float | None:
        """The number that a value is everywhere; claims the ops that make it."""
        found = number_of(self.view, seen)
        if found is None:
            return None
        for maker, scope in found[1]:
            self.claim(maker, scope)
        return found[0]

    def name(self, name: str, seen: Seen) -> bool:
        """Let the name stand for the value, if it stands for none other."""
        occurrences = [*self.names.get(name, ()), self.view.chain(seen)]
        if _common(occurrences) is None:
            return self.miss(f"{name} is not one and the same value everywhere")
        self.put(self.names, name, occurrences)
        return True

    # -- what a match comes to -----------------------------------------------------------------

    def bound(self, name: str, *, spread: bool = False) -> Bound | None:
        """The value of a name: the nearest that all its places have in common.

        With `spread` the one that is broadcast to it. None when the name is not used.
        """
        if self.resolved is not None:
            return self.resolved.get(name)
        occurrences = self.names.get(name)
        if name in self.outer:
            return self.outer[name]
        found = None if occurrences is None else _common(occurrences)
        if found is None:
            return None
        value, access = found
        if spread:
            value, access = self._spread(value, access)
        return Bound(value, access)

    def widen_to(self, result: IrValue, access: Access, spread: frozenset[str]) -> None:
        """Let names stand for values like the result, where the match alone makes others of them.

        A value that is converted from the result's type to a wider one before all else, or reshaped
        from its shape, is taken as it was before; these ops are part of the match then.
        """
        self.outer.clear()
        bounds = {name: self.bound(name, spread=name in spread) for name in self.names}
        inside = {maker.key for maker in self.claims}
        for name, bound in bounds.items():
            for chain in self.names[name]:
                for step in chain:
                    if step.through is not None:
                        inside.add(step.through.key)
                    if (step.seen.value, step.seen.access) == bound:
                        break
        for name, bound in bounds.items():
            while bound is not None:
                bound = self._below(bound, result, access, inside)
                if bound is not None:
                    self.outer[name] = bound

    def _below(
        self, bound: Bound, result: IrValue, access: Access, inside: set[IrValue]
    ) -> Bound | None:
        maker = self.view.maker(bound.value)
        if maker is None or not all(
            len(user.results) and user.results[0] in inside for user in maker.users()
        ):
            return None
        if is_widening(maker) and _element(maker.operands[0]) == _element(result):
            inside.add(maker.key)
            return Bound(maker.operands[0], bound.access)
        shape = self.view.shape(maker.operands[0]) if maker.name == RESHAPE else None
        if shape is None or bound.access == access or shape != self.view.shape(result):
            return None
        if through_reshape(bound.access, shape) != access:
            return None
        inside.add(maker.key)
        return Bound(maker.operands[0], access)

    def resolve(self, spread: frozenset[str]) -> None:
        """Settle what all names stand for, before any of it is judged or claimed."""
        self.resolved = None
        self.resolved = {name: self.bound(name, spread=name in spread) for name in self.names}

    def claim_names(self, spread: frozenset[str]) -> None:
        """Claim the ops between the names' values and where the pattern uses them."""
        for name, occurrences in self.names.items():
            found = self.bound(name, spread=name in spread)
            for chain in occurrences:
                for step in chain:
                    if step.through is not None:
                        self.claim(step.through, _scope_of(step))
                    if found is not None and (step.seen.value, step.seen.access) == found:
                        break

    def _spread(self, value: IrValue, access: Access) -> tuple[IrValue, Access]:
        best, least = (value, access), self._extent(value)
        inside = {maker.key for maker in self.claims}
        for step in self.view.chain(Seen(value, access))[1:]:
            maker = step.through
            if maker is None or maker.name not in (BROADCAST, RESHAPE, CONVERT):
                break
            # What others use, too, is theirs as much: two matches must not want one broadcast.
            if not all(len(u.results) and u.results[0] in inside for u in maker.users()):
                break
            inside.add(maker.key)
            extent = self._extent(step.seen.value)
            if extent < least:
                best, least = (step.seen.value, step.seen.access), extent
        return best

    def _extent(self, value: IrValue) -> tuple[int, int]:
        shape = self.view.shape(value) or []
        size = 1
        for dim in shape:
            size *= dim
        return size, len(shape)


def is_widening(maker: Maker) -> bool:
    """Whether an op converts floats to floats of more bits."""
    return maker.name == CONVERT and 0 < _bits(maker.operands[0]) < _bits(maker.key)


def is_rounding(maker: Maker) -> bool:
    """Whether an op converts floats to floats of fewer bits, and nothing else uses the former."""
    return (
        maker.name == CONVERT
        and 0 < _bits(maker.key) < _bits(maker.operands[0])
        and len(list(maker.operands[0].uses)) == 1
    )


def _bits(value: IrValue) -> int:
    element = _element(value)
    return element.width if isinstance(element, ir.FloatType) else 0


def _element(value: IrValue) -> ir.Type | None:
    return value.type.element_type if isinstance(value.type, ir.RankedTensorType) else None


def _scope_of(step: Step) -> Scope | None:
    """The scope of the op that a step goes through: for a call that of the call."""
    scope = step.seen.scope
    if step.through is not None and scope is not None and scope.call is step.through:
        return scope.parent
    return scope


def _common(occurrences: list[list[Step]]) -> tuple[IrValue, Access] | None:
    """The nearest value outside of calls that all chains go through, read alike."""
    first, *rest = occurrences
    others = [{(s.value, s.access) for s, _ in chain if s.scope is None} for chain in rest]
    for seen, _ in first:
        key = (seen.value, seen.access)
        if seen.scope is None and all(key in other for other in others):
            return key
    return None


_ABSENT: Any = object()
