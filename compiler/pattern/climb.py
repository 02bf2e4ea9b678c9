"""From the seeds of a pattern, ops that every match has, up to the ops where a match may end.

Between a seed and the root of a pattern stand parts of it, one in the other. The climb goes from
users to users only as long as each of these parts is plausible where it would have to be, so that
few seeds lead to an attempt at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dxir.mlir import IrOperation, IrValue
from dxir.pattern.arithmetic import Product, Total
from dxir.pattern.forms import INVERSE, NEGATIVE, PLAIN, Either, Elementwise, Pattern
from dxir.pattern.matcher import is_rounding
from dxir.pattern.opposites import NEGATE, InvSqrt, Minus, Over
from dxir.pattern.spelled import Spelled
from dxir.pattern.tensors import Contract, Reduce
from dxir.pattern.view import CALLS, LAYOUT, Maker, View

_MOST_STATES = 400  # of one seed: what hundreds of ops use is not part of one formula
_UNKNOWN_OPS = 6  # that a pattern of a kind not known here may consist of on the way up


@dataclass(slots=True, eq=False)
class Climb:
    """One part on the way up: how many ops it has there at most, and of which names.

    Parts of one shape are one, in whatever patterns they stand.
    """

    part: Pattern
    least: int
    most: int
    names: frozenset[str]
    exact: bool = False
    """Whether it may stand at what its last op makes only where it is plausible there."""
    ways: set[int] = field(default_factory=set)
    """How it may stand there, as the parts that it stands in have it."""
    up: dict[Climb, None] = field(default_factory=dict)
    """The parts that it stands in."""
    ends: dict[object, frozenset[str]] = field(default_factory=dict)
    """What it is the whole pattern of, and the ops that may make its value."""

    @classmethod
    def of(cls, part: Pattern) -> Climb:
        """What is known of a part."""
        if isinstance(part, Product | Total):
            return cls(part, 1, 2 * len(part.within()), part.names | {NEGATE}, exact=True)
        if type(part) in (Elementwise, Reduce, Contract, Spelled):
            return cls(part, 1, 1, part.names, exact=True)
        if isinstance(part, Minus | Over):
            return cls(part, 0, 1, part.names)
        if isinstance(part, InvSqrt):
            return cls(part, 0, 2, part.names | {"stablehlo.divide"})
        return cls(part, 0, _UNKNOWN_OPS, names_in(part))

    def stands(self, view: View, value: IrValue) -> bool:
        """Whether the part may be this value."""
        if not self.exact:
            return True
        return any(self.part.plausible(view, value, None, way) for way in self.ways)


class Ways:
    """The ways from the seeds of some patterns up to their roots: which parts stand in which."""

    def __init__(self, patterns: Mapping[object, Pattern]) -> None:
        self.starts: dict[str, dict[Climb, None]] = {}
        """The parts that an op may be the root of, by its name."""
        self._steps: dict[int, Climb] = {}
        self._built: set[Pattern] = set()
        for what, pattern in patterns.items():
            self._build(pattern, None, what, pattern.roots())
        self.all = list(self._steps.values())

    def _build(
        self, pattern: Pattern, outer: Climb | None, what: object, roots: frozenset[str]
    ) -> None:
        if isinstance(pattern, Either):
            for choice in pattern.choices:
                self._build(choice, outer, what, roots)
            return
        step = self._steps.get(pattern.shape)
        if step is None:
            step = self._steps[pattern.shape] = Climb.of(pattern)
        if outer is None:
            step.ends[what] = roots
        else:
            step.up[outer] = None
        step.ways |= _ways_in(outer)
        if pattern in self._built:
            return
        self._built.add(pattern)
        seeds = dict(pattern.seed() or {})
        for part in pattern.within():
            inner = part.seed()
            if inner and inner.keys() <= seeds.keys():
                self._build(part, step, what, roots)
                for name in inner:
                    del seeds[name]
        for name in seeds:
            self.starts.setdefault(name, {})[step] = None


def _ways_in(outer: Climb | None) -> set[int]:
    """How a part may stand in another one."""
    part = None if outer is None else outer.part
    if part is None or type(part) in (Elementwise, Reduce, Contract, Spelled):
        return {PLAIN}
    if isinstance(part, Product):
        return {PLAIN, INVERSE}
    return {PLAIN, NEGATIVE} if isinstance(part, Total) else {PLAIN, INVERSE, NEGATIVE}


@dataclass(slots=True)
class Climber:
    """Climbs from seeds; `found` has the ops at which patterns may end, and which patterns.

    When near misses are wanted, parts need not be plausible on the way.
    """

    view: View
    ways: Ways
    reporting: bool = False
    found: dict[IrValue, tuple[Maker, set[object]]] = field(default_factory=dict)
    _seen: set[tuple[IrValue, Climb, int]] = field(default_factory=set)

    def climb(self, seed: IrOperation, name: str) -> None:
        """Go up from an op that is a seed by that name."""
        start = self.view.of(seed)
        pending = [(start, step, 1) for step in self.ways.starts[name]]
        if start.name in CALLS:
            pending = [(start, step, min(step.most, 1)) for step in self.ways.all]
        states, most = 0, _MOST_STATES * max(1, len(pending))
        seen = self._seen
        called: set[IrValue] = set()
        while pending and states < most:
            maker, step, used = pending.pop()
            key = (maker.key, step, used)
            if key in seen:
                continue
            seen.add(key)
            states += 1
            if used >= step.least and (self.reporting or step.stands(self.view, maker.key)):
                pending += [(maker, outer, 0) for outer in step.up]
                if step.ends:
                    self._ends(maker, step)
            if used < step.most:
                pending += self._users(maker, step, used, called)

    def _ends(self, maker: Maker, step: Climb) -> None:
        """Note the op, and what rounds its result, where patterns may end there."""
        for one in (maker, *filter(is_rounding, self.view.users(maker))):
            free = one is not maker or maker.name in CALLS
            whole = [what for what, roots in step.ends.items() if free or maker.name in roots]
            if whole:
                self.found.setdefault(one.key, (one, set()))[1].update(whole)

    def _users(
        self, maker: Maker, step: Climb, used: int, called: set[IrValue]
    ) -> list[tuple[Maker, Climb, int]]:
        """The users that may be above, with what they may be; of a call anything, said once."""
        found: list[tuple[Maker, Climb, int]] = []
        for user in self.view.users(maker):
            if user.name in LAYOUT:
                found.append((user, step, used))
            elif user.name in CALLS:
                if user.key in called:
                    continue
                called.add(user.key)
                found += [(user, one, min(one.most, 1)) for one in self.ways.all]
            elif user.name in step.names:
                found.append((user, step, used + 1))
        return found


def names_in(pattern: Pattern) -> frozenset[str]:
    """The names of all ops in a pattern."""
    found: dict[Pattern, None] = {}
    pending = [pattern]
    while pending:
        part = pending.pop()
        if part not in found:
            found[part] = None
            pending += part.within()
    return frozenset().union(*(part.names for part in found))
