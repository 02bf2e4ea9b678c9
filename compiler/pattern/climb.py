"""From the seeds of a pattern, ops that every match has, up to the ops where a match may end.

Between a seed and the root of a pattern stand parts of it, one in the other. The climb goes from
users to users only as long as each of these parts is plausible where it would have to be, so that
few seeds lead to an attempt at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from dxir.mlir import IrOperation, IrValue
from dxir.pattern.arithmetic import Product, Total
from dxir.pattern.forms import INVERSE, NEGATIVE, PLAIN, Either, Elementwise, Pattern
from dxir.pattern.matcher import is_rounding
from dxir.pattern.opposites import NEGATE, InvSqrt, Minus, Over
from dxir.pattern.tensors import Contract, Reduce
from dxir.pattern.view import CALLS, LAYOUT, Maker, View

_MOST_STATES = 400  # of one seed: what hundreds of ops use is not part of one formula
_UNKNOWN_OPS = 6  # that a pattern of a kind not known here may consist of on the way up


@dataclass(slots=True, eq=False)
class Climb:
    """One part on the way up: how many ops it has there at most, and of which names."""

    part: Pattern
    least: int
    most: int
    names: frozenset[str]
    ways: tuple[int, ...] = ()
    """How the part may stand where the climb leaves it; nothing is asked when empty."""

    @classmethod
    def of(cls, part: Pattern) -> Climb:
        """What is known of a part."""
        if isinstance(part, Product | Total):
            ways = (PLAIN, INVERSE if isinstance(part, Product) else NEGATIVE)
            return cls(part, 1, 2 * len(part.within()), part.names | {NEGATE}, (*ways, NEGATIVE))
        if type(part) in (Elementwise, Reduce, Contract):
            return cls(part, 1, 1, part.names, (PLAIN,))
        if isinstance(part, Minus | Over):
            return cls(part, 0, 1, part.names)
        if isinstance(part, InvSqrt):
            return cls(part, 0, 2, part.names | {"stablehlo.divide"})
        return cls(part, 0, _UNKNOWN_OPS, names_in(part))

    def stands(self, view: View, value: IrValue) -> bool:
        """Whether the part may be this value."""
        return not self.ways or any(
            self.part.plausible(view, value, None, way) for way in self.ways
        )


class Ways:
    """The ways from the seeds of a pattern up to its root: which parts stand in which."""

    def __init__(self, pattern: Pattern) -> None:
        self.starts: dict[str, list[Climb]] = {}
        """The parts that an op may be the root of, by its name."""
        self._up: dict[Climb, list[Climb | None]] = {}
        self._steps: dict[Pattern, Climb] = {}
        self._build(pattern, None)

    @property
    def all(self) -> list[Climb]:
        """Every part on a way up."""
        return list(self._up)

    def up(self, step: Climb) -> list[Climb | None]:
        """The parts that one stands in; None where it is the whole pattern."""
        return self._up[step]

    def _build(self, pattern: Pattern, parent: Climb | None) -> None:
        if isinstance(pattern, Either):
            for choice in pattern.choices:
                self._build(choice, parent)
            return
        step = self._steps.get(pattern)
        if step is not None:
            if parent not in self._up[step]:
                self._up[step].append(parent)
            return
        step = self._steps[pattern] = Climb.of(pattern)
        self._up[step] = [parent]
        seeds = dict(pattern.seed() or {})
        for part in pattern.within():
            inner = part.seed()
            if inner and inner.keys() <= seeds.keys():
                self._build(part, step)
                for name in inner:
                    del seeds[name]
        for name in seeds:
            self.starts.setdefault(name, []).append(step)


@dataclass(slots=True)
class Climber:
    """Climbs from seeds; `roots` are the ops at which the whole pattern may end.

    When near misses are wanted, parts need not be plausible on the way.
    """

    view: View
    ways: Ways
    roots: frozenset[str]
    reporting: bool = False
    _seen: set[tuple[IrValue, Climb, int]] = field(default_factory=set)
    _given: set[IrValue] = field(default_factory=set)

    def climb(self, seed: IrOperation, name: str) -> Iterator[Maker]:
        """The ops at which a match may end that has the seed, each given once."""
        start = self.view.of(seed)
        pending = [(start, step, 1) for step in self.ways.starts[name]]
        if start.name in CALLS:
            pending = [(start, step, min(step.most, 1)) for step in self.ways.all]
        states = 0
        while pending and states < _MOST_STATES:
            maker, step, used = pending.pop()
            key = (maker.key, step, used)
            if key in self._seen:
                continue
            self._seen.add(key)
            states += 1
            if used >= step.least and (self.reporting or step.stands(self.view, maker.key)):
                for outer in self.ways.up(step):
                    if outer is not None:
                        pending.append((maker, outer, 0))
                    else:
                        yield from self._ends(maker)
            if used < step.most:
                pending += self._users(maker, step, used)

    def _ends(self, maker: Maker) -> Iterator[Maker]:
        """The op, and what rounds its result, where a match may end there."""
        for one in (maker, *filter(is_rounding, self.view.users(maker))):
            if one.key in self._given:
                continue
            if one is not maker or maker.name in self.roots or maker.name in CALLS:
                self._given.add(one.key)
                yield one

    def _users(self, maker: Maker, step: Climb, used: int) -> Iterator[tuple[Maker, Climb, int]]:
        for user in self.view.users(maker):
            if user.name in LAYOUT:
                yield user, step, used
            elif user.name in CALLS:
                yield from ((user, one, min(one.most, 1)) for one in self.ways.all)
            elif user.name in step.names:
                yield user, step, used + 1


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
