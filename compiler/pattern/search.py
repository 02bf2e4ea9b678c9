"""Finding all matches in a function, and choosing among those that overlap."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cmp_to_key
from typing import cast

from dxir.mlir import IrOperation, IrValue
from dxir.pattern.climb import Climber, Ways
from dxir.pattern.found import Found, NearMiss, assembled, by_place, misplaced
from dxir.pattern.matcher import Matcher, Miss, is_rounding
from dxir.pattern.periods import WINDOW, Periods
from dxir.pattern.repeats import Repeats, Template
from dxir.pattern.rule import Attributes, Match, Rule, Search
from dxir.pattern.tensors import reduce_kind
from dxir.pattern.view import CALLS, MOST_SCOPES, Maker, Seen, View
from dxir.reading import has_body, ops_below, walk

_REDUCE = "stablehlo.reduce"
MANY = 600  # ops of a function in which repetitions are worth to be looked for


class Index:
    """The ops of a function by name, and of the functions that it calls which they contain."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.repeats = Repeats(view)
        self._inside: dict[str, frozenset[str]] = {}
        self._calls: dict[str, list[str]] = {}

    def ops(self, function: IrOperation) -> dict[str, list[IrOperation]]:
        """The ops of a function by what seeds call them, in order; a call counts as all in it."""
        found: dict[str, list[IrOperation]] = {}

        def visit(op: IrOperation) -> None:
            found.setdefault(op.name, []).append(op)

        walk(function, visit)
        for op in found.get(_REDUCE, ()):
            found.setdefault(f"reduce:{reduce_kind(self.view.of(op))}", []).append(op)
        for name in CALLS:
            for op in list(found.get(name, ())):
                if len(op.results):
                    for inner in self._contained(self.view.called(self.view.of(op))):
                        found.setdefault(inner, []).append(op)
        return found

    def _contained(self, name: str) -> frozenset[str]:
        """The names of all ops in a function and in those it calls, as deep as is looked into."""
        known = self._inside.get(name)
        if known is None:
            names: set[str] = set()
            for callee in self._reached(name):
                function = self.view.functions[callee]
                for op in ops_below(function):
                    names.add(op.name)
                    if op.name == _REDUCE:
                        names.add(f"reduce:{reduce_kind(self.view.of(op))}")
            known = self._inside[name] = frozenset(names - CALLS)
        return known

    def _reached(self, name: str) -> dict[str, None]:
        found: dict[str, None] = {}
        level = [name]
        for _ in range(MOST_SCOPES):
            level = [n for n in level if n not in found and self.view.callee(n) is not None]
            found.update(dict.fromkeys(level))
            level = [callee for n in dict.fromkeys(level) for callee in self._called(n)]
        return found

    def _called(self, name: str) -> list[str]:
        known = self._calls.get(name)
        if known is None:
            calls = [op for op in ops_below(self.view.functions[name], CALLS) if len(op.results)]
            known = self._calls[name] = [self.view.called(self.view.of(op)) for op in calls]
        return known


def search(
    view: View,
    index: Index,
    function: IrOperation,
    rules: Sequence[Rule],
    misses: list[NearMiss] | None = None,
) -> list[Found]:
    """All matches of the rules in a function, rule by rule, overlapping ones among them.

    Given a list, near misses are added to it.
    """
    if not has_body(function):
        return []
    ops = index.ops(function)
    if misses is not None or sum(map(len, ops.values())) < MANY:
        climber = Climber(view, _ways(tuple(rules)), misses is not None)
        for name in climber.ways.starts:
            for op in ops.get(name, ()):
                climber.climb(op, name)
        found = [
            match
            for root, searches in climber.found.values()
            for match in _matches(index, rules, root, searches, misses)
        ]
    else:
        found = _repeated(index, function, rules, ops)
    order = {rule: i for i, rule in enumerate(rules)}
    return sorted(found, key=lambda match: order[match.rule])


def _matches(
    index: Index,
    rules: Sequence[Rule],
    root: Maker,
    searches: Container[object],
    misses: list[NearMiss] | None,
) -> Iterator[Found]:
    """The matches that end at an op; of each rule the first that fits, the largest stand first."""
    for rule in rules:
        for one in rule.searches:
            if one not in searches:
                continue
            if misses is None:
                match = _attempt(index, rule, one, root)
            else:
                match = _try(index.view, rule, one, root, misses)
            if match is not None:
                yield match
                break


def _repeated(
    index: Index,
    function: IrOperation,
    rules: Sequence[Rule],
    ops: dict[str, list[IrOperation]],
) -> list[Found]:
    """All matches in a function of many ops, where what stands in equal surroundings is equal."""
    view = index.view
    periods = Periods(view, function.regions[0].blocks[0], index.repeats.static)
    ways = _ways(tuple(rules))
    climbed: dict[tuple[str, int], list[tuple[int, set[object]]] | None] = {}
    roots: dict[IrValue, tuple[Maker, set[object]]] = {}
    rest = Climber(view, ways, found=roots)
    for name in ways.starts:
        for op in ops.get(name, ()):
            around = periods.surroundings(view.of(op))
            if around is not None and (name, around[1]) not in climbed:
                climbed[name, around[1]] = _climbed(Climber(view, ways), op, name, periods)
            known = None if around is None else climbed[name, around[1]]
            if around is None or known is None:
                rest.climb(op, name)
                continue
            for offset, searches in known:
                root = periods.makers[around[0] + offset]
                roots.setdefault(root.key, (root, set()))[1].update(searches)
    return [
        match
        for root, searches in roots.values()
        for match in _matches(index, rules, root, searches, None)
    ]


def _climbed(
    climber: Climber, seed: IrOperation, name: str, periods: Periods
) -> list[tuple[int, set[object]]] | None:
    """Where a climb ends, from its seed on; None where that is out of its surroundings."""
    climber.climb(seed, name)
    place = periods.place(climber.view.of(seed)) or 0
    found: list[tuple[int, set[object]]] = []
    for root, searches in climber.found.values():
        at = periods.place(root)
        if at is None or abs(at - place) >= WINDOW:
            return None
        found.append((at - place, searches))
    return found


@functools.lru_cache(maxsize=16)
def _ways(rules: tuple[Rule, ...]) -> Ways:
    return Ways({one: one.pattern for rule in rules for one in rule.searches})


def _attempt(index: Index, rule: Rule, one: Search, root: Maker) -> Found | None:
    """The match at an op, if there is one: known from one like it, or found out."""
    view = index.view
    known = index.repeats.find(one, root)
    again = None if known is None else _again(view, rule, one, root, known)
    if again is not None:
        return again
    found = _try(view, rule, one, root, None)
    if found is not None:
        parts = found.ops, found.copied
        index.repeats.remember(one, root, parts, found.operands, (found.attributes, found.places))
    return found


def _again(
    view: View, rule: Rule, one: Search, root: Maker, known: tuple[Template, list[IrValue]]
) -> Found | None:
    """The match that a template is at another op."""
    template, values = known
    ops = [view.of_value(values[i]) for i in template.ops]
    copied = [view.of_value(values[i]) for i in template.copied]
    operands = [values[i] for i in template.operands]
    block = root.op.block
    if any(maker.op.block != block for maker in ops):
        return None
    if not all(a.op.is_before_in_block(b.op) for a, b in itertools.pairwise(ops)):
        ops.sort(key=cmp_to_key(by_place))
    if misplaced(ops, operands, view) is not None:
        return None
    attributes, places = cast("tuple[Attributes, tuple[int, ...] | None]", template.other)
    return Found(rule, root, ops, copied, operands, attributes, one, places)


def _try(
    view: View, rule: Rule, one: Search, root: Maker, misses: list[NearMiss] | None
) -> Found | None:
    shape = view.shape(root.key)
    if shape is None or len(root.op.results) != 1:
        return None
    matcher = Matcher(view, reporting=misses is not None)
    seen = Seen(root.key, matcher.frame.access(shape))
    found: list[Found] = []

    def complete() -> bool:
        match = Match(rule, matcher, root)
        matcher.resolved = None
        reason = _boundary(rule, match, matcher)
        matcher.resolve(rule.spread)
        reason = reason or rule.reason(match)
        if reason is not None:
            return matcher.miss(reason, whole=True)
        matcher.claim_names(rule.spread)
        got = assembled(view, rule, one, match, matcher)
        if isinstance(got, str):
            return matcher.miss(got, whole=True)
        found.append(got)
        return True

    matcher.match(one.pattern, seen, complete)
    if not found and misses is not None:
        _report(rule, root, matcher.nearest, misses)
    return found[0] if found else None


def _boundary(rule: Rule, match: Match, matcher: Matcher) -> str | None:
    """Let a match take and give narrow floats; the reason why it cannot end at its root.

    A conversion at its end is part of it where those of its operands are: a norm computed in f32
    of a bf16 value, and rounded, takes bf16 and gives it.
    """
    matcher.widen_to(match.root.key, match.result, rule.spread)
    if is_rounding(match.root):
        first = next(name for name in rule.operands if match.has(name))
        if match.element(first) != str(match.root_element):
            return f"{first} is of another type than what the result is rounded to"
    return None


def _report(rule: Rule, root: Maker, nearest: Miss | None, misses: list[NearMiss]) -> None:
    if nearest is not None and nearest.matched >= rule.least:
        misses.append(NearMiss(rule, root, nearest.reason, nearest.matched))


def choose(found: Sequence[Found], taken: Iterable[IrValue] = ()) -> list[Found]:
    """The matches that stay when each op is part of one at most: the largest, then by rule."""
    used = set(taken)
    chosen: list[Found] = []
    for one in sorted(found, key=lambda f: -len(f.ops)):
        keys = {maker.key for maker in one.ops}
        if not keys & used:
            used |= keys
            chosen.append(one)
    return chosen
