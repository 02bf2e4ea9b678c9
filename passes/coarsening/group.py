"""The ops of one match as their marks tell of them, and whether they can be one op."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cmp_to_key

from dxir.marks import MATCH, MATCH_OPERANDS, PATTERN
from dxir.mlir import IrAttribute, IrOperation, IrValue, ir
from dxir.reading import attribute, maker_of, used_values

COPIED = frozenset(("stablehlo.constant", "stablehlo.iota"))
"""What is copied into a decomposition when no mark says that it is an operand."""


@dataclass(slots=True)
class Group:
    """Ops of one block, in order, that are to be a composite of that name."""

    pattern: str
    name: str
    attributes: IrAttribute | None
    ops: list[IrOperation]
    operands: list[IrValue]
    """The operands that marks tell of, in order; those not marked follow."""
    first_user: IrOperation | None = None
    """The first op in the block, not of the group, that uses a value from inside."""

    @property
    def root(self) -> IrOperation:
        """The last op."""
        return self.ops[-1]


def group_of(ops: Sequence[IrOperation]) -> Group | str:
    """The group that ops of one mark make up, or why they do not."""
    block = ops[0].block
    if any(op.block != block for op in ops):
        return "they are in several blocks"
    if any(not len(op.results) for op in ops):
        return "one of them has no result"
    ordered = sorted(ops, key=cmp_to_key(_by_place))
    pattern = attribute(ordered[-1], PATTERN)
    if not isinstance(pattern, ir.StringAttr) or any(
        attribute(op, PATTERN) != pattern for op in ops if attribute(op, PATTERN) is not None
    ):
        return "they are marked with several patterns, or with none"
    what = _what(ordered)
    if isinstance(what, str):
        return what
    name, attributes = what
    group = Group(pattern.value, name or _named(pattern.value), attributes, ordered, [])
    group.operands = _placed(group) or _numbered(group)
    reason = _place(group)
    return reason or group


def _by_place(a: IrOperation, b: IrOperation) -> int:
    return -1 if a.is_before_in_block(b) else 1


def _named(pattern: str) -> str:
    return pattern if "." in pattern else f"dxir.{pattern}"


def _what(ops: list[IrOperation]) -> tuple[str, IrAttribute | None] | str:
    """The composite's name and attributes, as far as the last op says them."""
    found = attribute(ops[-1], MATCH)
    if not isinstance(found, ir.DictAttr):
        return "", None
    count: object = found["ops"] if "ops" in found else None  # noqa: SIM401  no dictionary
    name: object = found["composite"]
    if isinstance(count, ir.IntegerAttr) and count.value != len(ops):
        return f"{count.value} ops were marked, and {len(ops)} are left"
    attributes: IrAttribute | None = found["attributes"] if "attributes" in found else None  # noqa: SIM401  no dictionary
    return (name.value if isinstance(name, ir.StringAttr) else ""), attributes


def _placed(group: Group) -> list[IrValue]:
    """The operands as the last op says where they are; none when it does not."""
    found = attribute(group.root, MATCH)
    if not isinstance(found, ir.DictAttr) or "operands" not in found:
        return []
    places = found["operands"]
    assert isinstance(places, ir.ArrayAttr)
    numbers = [int(n.value) for n in places if isinstance(n, ir.IntegerAttr)]
    values: list[IrValue] = []
    for i, position, depth in zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True):
        value = group.ops[i].operands[position]
        for _ in range(depth):
            maker = maker_of(value)
            assert maker is not None
            value = maker.operands[0]
        values.append(value)
    return values


def _numbered(group: Group) -> list[IrValue]:
    """The values that marks number as operands, in order."""
    found: dict[int, IrValue] = {}
    for op in group.ops:
        marks = attribute(op, MATCH_OPERANDS)
        if isinstance(marks, ir.DenseI64ArrayAttr) and len(marks) == len(op.operands):
            for number, value in zip(list(marks), list(op.operands), strict=True):
                if number >= 0:
                    found.setdefault(number, value)
    return [found[number] for number in sorted(found)]


def _place(group: Group) -> str | None:
    """Find the first user from outside; the reason when there is no place for the composite."""
    inside: set[IrValue] = {op.results[0] for op in group.ops}
    block = group.root.block
    for op in group.ops:
        for result in op.results:
            for use in result.uses:
                user = in_block(use.owner.operation, block)
                if is_of(user, inside):
                    continue
                if group.first_user is None or user.is_before_in_block(group.first_user):
                    group.first_user = user
    first = group.first_user
    if first is None or not first.is_before_in_block(group.root):
        return None
    for op in group.ops:
        for value in used_below(op):
            maker = maker_of(value)
            if (
                maker is None
                or maker.block != block
                or is_of(maker, inside)
                or maker.name in COPIED
            ):
                continue
            if not maker.is_before_in_block(first):
                return f"{first.name} uses a value from inside, and {maker.name} gives one later"
    return None


def is_of(op: IrOperation, inside: set[IrValue]) -> bool:
    """Whether an op is one of those with these first results."""
    return bool(len(op.results)) and op.results[0] in inside


def in_block(op: IrOperation, block: ir.Block) -> IrOperation:
    """The op of a block that an op is, or is in."""
    while op.block != block:
        parent = op.parent
        assert parent is not None
        op = parent.operation
    return op


def used_below(op: IrOperation) -> list[IrValue]:
    """The values that an op and its regions take from outside of it, each once, in order."""
    if not len(op.regions):
        return list(op.operands)
    return list(used_values(op))
