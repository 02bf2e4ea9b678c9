"""Finding all matches in a function, and choosing among those that overlap."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cmp_to_key
from typing import NamedTuple, cast

from dxir.mlir import IrOperation, IrValue, ir
from dxir.pattern.climb import Climber, Ways
from dxir.pattern.matcher import Matcher, Miss, is_rounding
from dxir.pattern.numbers import splat
from dxir.pattern.repeats import Repeats, Template
from dxir.pattern.rule import Attributes, Match, Rule, Search
from dxir.pattern.tensors import reduce_kind
from dxir.pattern.view import CALLS, LAYOUT, Maker, Seen, View
from dxir.reading import has_body, walk

CONSTANT, IOTA = "stablehlo.constant", "stablehlo.iota"
_REDUCE = "stablehlo.reduce"
_COPIED = LAYOUT | {
    "stablehlo.add", "stablehlo.and", "stablehlo.compare", "stablehlo.divide",
    "stablehlo.multiply", "stablehlo.negate", "stablehlo.not", "stablehlo.or", "stablehlo.rsqrt",
    "stablehlo.select", "stablehlo.sqrt", "stablehlo.subtract",
}  # fmt: skip
_SMALL = 4096  # elements of a constant that is not one number
_DEEPEST = 8


class Found(NamedTuple):
    """A match in a function: its ops in order, those that are copied into it, and its operands."""

    rule: Rule
    root: Maker
    ops: list[Maker]
    copied: list[Maker]
    operands: list[IrValue]
    attributes: Attributes
    places: tuple[int, ...] | None
    """Where operands are that are met twice, or below what is copied: see `operand_places`."""


class NearMiss(NamedTuple):
    """Where a pattern nearly fitted, and why it did not."""

    rule: Rule
    root: Maker
    reason: str


class Index:
    """The ops of a function by name, and of the functions that it calls which they contain."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.repeats = Repeats(view)
        self._inside: dict[str, frozenset[str]] = {}

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
                        if inner not in CALLS:
                            found.setdefault(inner, []).append(op)
        return found

    def _contained(self, name: str) -> frozenset[str]:
        if name not in self._inside:
            self._inside[name] = frozenset()  # while it is being read: a recursion ends here
            function = self.view.functions.get(name)
            if function is not None and self.view.callee(name) is not None:
                self._inside[name] = frozenset(self.ops(function))
        return self._inside[name]


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
    climber = Climber(view, _ways(tuple(rules)), misses is not None)
    for name in climber.ways.starts:
        for op in ops.get(name, ()):
            climber.climb(op, name)
    found: list[Found] = []
    for root, searches in climber.found.values():
        for rule in rules:
            # The first of a rule's patterns that fits counts, and the largest stand first.
            for one in rule.searches:
                if one not in searches:
                    continue
                if misses is None:
                    match = _attempt(index, rule, one, root)
                else:
                    match = _try(view, rule, one, root, misses)
                if match is not None:
                    found.append(match)
                    break
    order = {rule: i for i, rule in enumerate(rules)}
    return sorted(found, key=lambda match: order[match.rule])


@functools.lru_cache(maxsize=16)
def _ways(rules: tuple[Rule, ...]) -> Ways:
    return Ways({one: one.pattern for rule in rules for one in rule.searches})


def _attempt(index: Index, rule: Rule, one: Search, root: Maker) -> Found | None:
    """The match at an op, if there is one: known from one like it, or found out."""
    view = index.view
    known = index.repeats.find(one, root)
    if known is not None:
        return _again(view, rule, root, *known)
    found = _try(view, rule, one, root, None)
    if found is not None:
        parts = found.ops, found.copied
        index.repeats.remember(one, root, parts, found.operands, (found.attributes, found.places))
    return found


def _again(
    view: View, rule: Rule, root: Maker, template: Template, values: Sequence[IrValue]
) -> Found | None:
    """The match that a template is at another op."""
    ops = [view.of_value(values[i]) for i in template.ops]
    copied = [view.of_value(values[i]) for i in template.copied]
    operands = [values[i] for i in template.operands]
    block = root.op.block
    if any(maker.op.block != block for maker in ops):
        return None
    if not all(a.op.is_before_in_block(b.op) for a, b in itertools.pairwise(ops)):
        ops.sort(key=cmp_to_key(_by_place))
    if _misplaced(ops, operands, view) is not None:
        return None
    attributes, places = cast("tuple[Attributes, tuple[int, ...] | None]", template.other)
    return Found(rule, root, ops, copied, operands, attributes, places)


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
        reason = _boundary(rule, match, matcher) or rule.where(match)
        if reason is not None:
            return matcher.miss(reason, whole=True)
        matcher.claim_names(rule.spread)
        got = _assembled(view, rule, match, matcher)
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
        misses.append(NearMiss(rule, root, nearest.reason))


def _assembled(view: View, rule: Rule, match: Match, matcher: Matcher) -> Found | str:
    """The match with its ops sorted out; a reason where they cannot be outlined."""
    block = match.root.op.block
    distinct = list({id(maker): maker for maker in matcher.claims}.values())
    ops = [maker for maker in distinct if not is_copied(view, maker)]
    copied = [maker for maker in distinct if is_copied(view, maker)]
    names = [name for name in rule.operands if match.has(name)]
    operands = [match.value(name) for name in names]
    if not ops or (len(ops) == 1 and _is_found_inside(ops[0], copied)):
        return "it is a composite or a call already"
    if any(maker.op.block != block for maker in ops):
        return "its ops are in several regions"
    if any(view.maker(value) in ops for value in operands):
        return "one of its operands is a value inside"
    ops.sort(key=cmp_to_key(_by_place))
    if rule.export is not True:
        parts = [match.part(name) for name in rule.export or ()]
        if any(_core(view, value) not in parts for value in _used_outside(ops)):
            return "a value inside is used outside, too"
    places = operand_places(view, ops, operands)
    if places is not None and len(places) != 3 * len(operands):
        return "an operand is inside of a call"
    reason = _misplaced(ops, operands, view)
    return reason or Found(rule, match.root, ops, copied, operands, rule.attributes(match), places)


def operand_places(
    view: View, ops: Sequence[Maker], operands: Sequence[IrValue]
) -> tuple[int, ...] | None:
    """Three numbers for each operand that is found: an op, an operand of it, and how far below.

    The operand is that many ops of layout below the operand of the op. None where each operand is
    one of an op, and no two are the same: then nothing has to be said.
    """
    direct = {value for maker in ops for value in maker.operands}
    if len(set(operands)) == len(operands) and direct.issuperset(operands):
        return None
    known: dict[IrValue, tuple[int, int, int]] = {}
    for i, maker in enumerate(ops):
        for position, value in enumerate(maker.operands):
            depth, below = 0, view.maker(value)
            known.setdefault(value, (i, position, depth))
            while below is not None and below.name in LAYOUT:
                depth, value = depth + 1, below.operands[0]
                below = view.maker(value)
                known.setdefault(value, (i, position, depth))
    return tuple([n for value in operands if value in known for n in known[value]])


def _is_found_inside(maker: Maker, copied: Sequence[Maker]) -> bool:
    """Whether a match that is one call is one in the function, too: no number is handed in."""
    if maker.name != "func.call":
        return maker.name in CALLS
    numbers = {one.key for one in copied}
    return not any(value in numbers for value in maker.operands)


def _used_outside(ops: Sequence[Maker]) -> Iterator[IrValue]:
    """The values, but for the result, that are used by other ops than these."""
    inside = {maker.key for maker in ops}
    for maker in ops[:-1]:
        if any(not len(u.results) or u.results[0] not in inside for u in maker.users()):
            yield maker.key


def _core(view: View, value: IrValue) -> IrValue | None:
    """The value that one is a layout of, of as many elements; None where it is spread."""
    shape = view.shape(value)
    maker = view.maker(value)
    while maker is not None and maker.name in LAYOUT:
        value = maker.operands[0]
        maker = view.maker(value)
    inner = view.shape(value)
    if shape is None or inner is None or math.prod(shape) != math.prod(inner):
        return None
    return value


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


def is_whole(view: View, function: IrOperation, found: Found) -> bool:
    """Whether a match is all that a function of one block does."""
    if len(function.regions[0].blocks) != 1:
        return False
    left = -1  # the terminator
    for one in function.regions[0].blocks[0].operations:
        op = one.operation
        if not len(op.results) or not is_copied(view, view.of(op)):
            left += 1
    return left == len(found.ops)


def is_copied(view: View, maker: Maker, depth: int = 0) -> bool:
    """Whether an op is made of numbers alone, so that whoever uses it may have one of his own."""
    known = maker.memory.get("copied")
    if known is None:
        known = maker.memory["copied"] = _is_copied(view, maker, depth)
    return bool(known)


def _is_copied(view: View, maker: Maker, depth: int) -> bool:
    if maker.name == CONSTANT:
        shape = view.shape(maker.key)
        return shape is not None and (splat(maker) is not None or math.prod(shape) <= _SMALL)
    if maker.name == IOTA:
        return True
    if maker.name not in _COPIED or depth > _DEEPEST:
        return False
    makers = [view.maker(value) for value in maker.operands]
    return all(m is not None and is_copied(view, m, depth + 1) for m in makers)


def _by_place(a: Maker, b: Maker) -> int:
    return -1 if a.op.is_before_in_block(b.op) else 1


def _misplaced(ops: Sequence[Maker], operands: Sequence[IrValue], view: View) -> str | None:
    """Why the ops cannot be one op in their block: something outside stands between them."""
    inside = {maker.key for maker in ops}
    first: IrOperation | None = None
    block = ops[0].op.block
    for maker in ops[:-1]:
        for user in maker.users():
            op = _in_block(user, block)
            if not len(op.results) or op.results[0] not in inside:
                first = op if first is None or op.is_before_in_block(first) else first
    if first is None or not first.is_before_in_block(ops[-1].op):
        return None
    for value in operands:
        source = view.maker(value)
        if source is None or source.op.block != block:
            continue
        if not source.op.is_before_in_block(first):
            return f"{first.name} uses a value inside before {source.name} makes an operand"
    return None


def _in_block(op: IrOperation, block: ir.Block) -> IrOperation:
    """The op of the block that an op is, or is in."""
    while op.block != block:
        parent = op.parent
        assert parent is not None
        op = parent.operation
    return op
