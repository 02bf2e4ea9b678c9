"""From the seeds of a pattern, ops that every match has, up to the ops where a match may end.

Between a seed and the root of a pattern stand parts of it, one in the other. The climb goes from
users to users only as long as each of these parts is plausible where it would have to be, so that
few seeds lead to an attempt at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dxir.mlir import IrOperation, IrValue
from dxir.pattern.arithmetic import NEGATE, InvSqrt, Minus, Over, Product, Total
from dxir.pattern.forms import INVERSE, NEGATIVE, PLAIN, Either, Elementwise, Pattern
from dxir.pattern.matcher import is_rounding
from dxir.pattern.tensors import Contract, Reduce
from dxir.pattern.view import CALLS, LAYOUT, Maker, View

_MOST_STATES = 400  # of one seed: what hundreds of ops use is not part of one formula
_UNKNOWN_OPS = 6  # that a pattern of a kind not known here may consist of on the way up

Path = tuple[Pattern, ...]
"""The parts of a pattern from the one that a seed is the root of up to the whole."""


def paths_of(pattern: Pattern) -> dict[str, list[Path]]:
    """The ways from each seed of a pattern up to its root."""
    found: dict[str, list[Path]] = {}
    for name, path in _paths(pattern):
        found.setdefault(name, []).append(path)
    return found


def _paths(pattern: Pattern) -> Iterator[tuple[str, Path]]:
    if isinstance(pattern, Either):
        for choice in pattern.choices:
            yield from _paths(choice)
        return
    seeds = pattern.seeds() or {}
    for part in pattern.within():
        inner = part.seeds()
        if inner and set(inner) <= set(seeds):
            for name, path in _paths(part):
                yield name, (*path, pattern)
            seeds = {name: height for name, height in seeds.items() if name not in inner}
    for name in seeds:
        yield name, (pattern,)


@dataclass(slots=True)
class Climb:
    """One part on the way up: how many ops it has there at most, and of which names."""

    part: Pattern
    least: int
    most: int
    names: frozenset[str]
    ways: tuple[int, ...] = ()
    """How the part may stand where the climb leaves it; nothing is asked when empty."""

    @classmethod
    def of(cls, part: Pattern, names: frozenset[str]) -> Climb:
        """What is known of a part, given the names of all ops in it."""
        if isinstance(part, Product | Total):
            ways = (PLAIN, INVERSE if isinstance(part, Product) else NEGATIVE)
            return cls(part, 1, 2 * len(part.within()), part.names | {NEGATE}, (*ways, NEGATIVE))
        if type(part) in (Elementwise, Reduce, Contract):
            return cls(part, 1, 1, part.names, (PLAIN,))
        if isinstance(part, Minus | Over):
            return cls(part, 0, 1, part.names)
        if isinstance(part, InvSqrt):
            return cls(part, 0, 2, part.names | {"stablehlo.divide"})
        return cls(part, 0, _UNKNOWN_OPS, names)

    def stands(self, view: View, value: IrValue) -> bool:
        """Whether the part may be this value."""
        return not self.ways or any(
            self.part.plausible(view, value, None, way) for way in self.ways
        )


@dataclass(slots=True)
class Climber:
    """Climbs from seeds; `roots` are the ops at which the whole pattern may end."""

    view: View
    roots: frozenset[str]
    _seen: set[tuple[IrValue, tuple[int, int], int, int]] = field(default_factory=set)
    _given: set[IrValue] = field(default_factory=set)

    def climb(
        self, seed: IrOperation, path: Sequence[Climb], number: tuple[int, int]
    ) -> Iterator[Maker]:
        """The ops at which a match may end that has the seed, each given once."""
        start = self.view.of(seed)
        pending = [(start, 0, 1)]
        if start.name in CALLS:
            pending = [(start, i, step.most) for i, step in enumerate(path)]
        states = 0
        while pending and states < _MOST_STATES:
            maker, at, used = pending.pop()
            key = (maker.key, number, at, used)
            if key in self._seen:
                continue
            self._seen.add(key)
            states += 1
            step = path[at]
            if used >= step.least and step.stands(self.view, maker.key):
                if at + 1 < len(path):
                    pending.append((maker, at + 1, 0))
                elif maker.key not in self._given and self._may_end(maker):
                    self._given.add(maker.key)
                    yield maker
            pending += self._up(maker, at, used, path)

    def _may_end(self, maker: Maker) -> bool:
        return maker.name in self.roots or maker.name in CALLS or is_rounding(maker)

    def _up(
        self, maker: Maker, at: int, used: int, path: Sequence[Climb]
    ) -> Iterator[tuple[Maker, int, int]]:
        step = path[at]
        for user in self.view.users(maker):
            if user.name in LAYOUT:
                yield user, at, used
            elif user.name in CALLS:
                yield from ((user, i, one.most) for i, one in enumerate(path[at:], at))
            elif used < step.most and user.name in step.names:
                yield user, at, used + 1


def climbs(
    pattern: Pattern, names: Mapping[Pattern, frozenset[str]]
) -> dict[str, list[list[Climb]]]:
    """The ways up of a pattern, by the name of the seed."""
    return {
        name: [[Climb.of(part, names[part]) for part in path] for path in paths]
        for name, paths in paths_of(pattern).items()
    }
