"""A match with its ops sorted out: what can be outlined, and what is copied."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cmp_to_key
from typing import NamedTuple

from dxir.mlir import IrOperation, IrValue
from dxir.pattern.matcher import Matcher
from dxir.pattern.numbers import splat
from dxir.pattern.rule import Attributes, Match, Rule, Search
from dxir.pattern.view import CALLS, LAYOUT, Maker, View
from dxir.reading import in_block

CONSTANT, IOTA = "stablehlo.constant", "stablehlo.iota"
_COPIED = LAYOUT | {
    "stablehlo.add", "stablehlo.and", "stablehlo.compare", "stablehlo.divide",
    "stablehlo.multiply", "stablehlo.negate", "stablehlo.not", "stablehlo.or", "stablehlo.rsqrt",
    "stablehlo.select", "stablehlo.sqrt", "stablehlo.subtract",
}  # fmt: skip
_SMALL = 4096  # elements of a constant that is not one number
_DEEPEST = 64


class Found(NamedTuple):
    """A match in a function: its ops in order, those that are copied into it, and its operands."""

    rule: Rule
    root: Maker
    ops: list[Maker]
    copied: list[Maker]
    operands: list[IrValue]
    attributes: Attributes
    search: Search
    places: tuple[int, ...] | None
    """Where operands are that are met twice, or below what is copied: see `operand_places`."""


class NearMiss(NamedTuple):
    """Where a pattern nearly fitted, and why it did not."""

    rule: Rule
    root: Maker
    reason: str
    matched: int
    """How many ops fitted; more than there can be where all did, and a reason stands against it."""


def assembled(view: View, rule: Rule, one: Search, match: Match, matcher: Matcher) -> Found | str:
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
    ops.sort(key=cmp_to_key(by_place))
    if rule.export is not True:
        parts = {part for name in rule.export or () if (part := match.part(name)) is not None}
        cores = [_core(view, value) for value in _used_outside(ops)]
        if any(core is None or core not in parts for core in cores):
            return "a value inside is used outside, too"
    places = operand_places(view, ops, operands)
    if places is not None and len(places) != 3 * len(operands):
        return "an operand is inside of a call"
    reason = misplaced(ops, operands, view)
    return reason or Found(
        rule, match.root, ops, copied, operands, rule.described(match), one, places
    )


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


def by_place(a: Maker, b: Maker) -> int:
    """The order of two ops of a block, for sorting."""
    return -1 if a.op.is_before_in_block(b.op) else 1


def misplaced(ops: Sequence[Maker], operands: Sequence[IrValue], view: View) -> str | None:
    """Why the ops cannot be one op in their block: something outside stands between them."""
    inside = {maker.key for maker in ops}
    first: IrOperation | None = None
    block = ops[0].op.block
    for maker in ops[:-1]:
        for user in maker.users():
            op = in_block(user, block)
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
