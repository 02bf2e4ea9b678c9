"""The ops of one match as their marks tell of them, and whether they can be one op."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cmp_to_key

from dxir.decoding import entry, keys
from dxir.effects import has_effect, kind_of
from dxir.marks import MATCH, MATCH_OPERANDS, PATTERN
from dxir.mlir import IrAttribute, IrOperation, IrValue, ir
from dxir.passes.coarsening.copying import copied_ops
from dxir.reading import attribute, in_block, maker_of, used_values

_NAME = re.compile(r"[a-zA-Z]\w*(\.[\w$]+)+", re.ASCII)
_OPERAND = 3  # numbers that say where an operand is


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

    @property
    def place(self) -> IrOperation:
        """The op that the composite goes before: the first user, or the last op."""
        first, root = self.first_user, self.root
        return root if first is None or not first.is_before_in_block(root) else first


def group_of(
    ops: Sequence[IrOperation], effectful: Callable[[], Container[str]] = tuple
) -> Group | str:
    """The group that ops of one mark make up, or why they do not.

    `effectful` gives the functions that do more than compute their results.
    """
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
    said = _said(ordered[-1])
    what = _what(said, len(ordered))
    if isinstance(what, str):
        return what
    name = what[0] or _named(pattern.value)
    if not _NAME.fullmatch(name):
        return f"{name!r} names no composite: it takes the form namespace.name"
    group = Group(pattern.value, name, what[1], ordered, [])
    placed = _placed(group, said)
    if placed is None:
        return f"{MATCH} says of operands what is not so"
    group.operands = placed or _numbered(group)
    return _place(group) or _order(group, effectful) or group


def _by_place(a: IrOperation, b: IrOperation) -> int:
    return -1 if a.is_before_in_block(b) else 1


def _named(pattern: str) -> str:
    return pattern if "." in pattern else f"dxir.{pattern}"


def _what(said: Mapping[str, object], size: int) -> tuple[str, IrAttribute | None] | str:
    """The composite's name and attributes, as far as the last op says them."""
    count, name, attributes = (said.get(n) for n in ("ops", "composite", "attributes"))
    if isinstance(count, ir.IntegerAttr) and count.value != size:
        return f"{count.value} ops were marked, and {size} are left"
    if not isinstance(attributes, ir.DictAttr | None):
        return f"the attributes in {MATCH} are no dictionary"
    return (name.value if isinstance(name, ir.StringAttr) else ""), attributes


def _said(op: IrOperation) -> dict[str, object]:
    """What the last op says of the match, by name."""
    found = attribute(op, MATCH)
    return {k: entry(found, k) for k in keys(found)} if isinstance(found, ir.DictAttr) else {}


def _placed(group: Group, said: Mapping[str, object]) -> list[IrValue] | None:
    """The operands as the last op says where they are, if it does; None where there are none."""
    places = said.get("operands")
    if places is None:
        return []
    if not isinstance(places, ir.ArrayAttr) or len(places) % _OPERAND:
        return None
    numbers = [int(n.value) for n in places if isinstance(n, ir.IntegerAttr)]
    values: list[IrValue] = []
    for i in range(0, len(numbers), _OPERAND):
        value = _value_at(group, *numbers[i : i + _OPERAND])
        if value is None:
            return None
        values.append(value)
    return values if len(numbers) == len(places) else None


def _value_at(group: Group, place: int, position: int, depth: int) -> IrValue | None:
    """The value that is so many ops below an operand of an op; None where there is none."""
    if not (0 <= place < len(group.ops) and 0 <= position < len(group.ops[place].operands)):
        return None
    value: IrValue = group.ops[place].operands[position]
    for _ in range(depth):
        maker = maker_of(value)
        if maker is None or not len(maker.operands):
            return None
        value = maker.operands[0]
    return value


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
    if any(is_of(maker, inside) for maker in map(maker_of, group.operands) if maker is not None):
        return "one of its operands is a value from inside"
    first = group.place
    if first == group.root:
        return None
    for value in (*group.operands, *(value for op in group.ops for value in used_below(op))):
        maker = maker_of(value)
        if maker is None or maker.block != block or is_of(maker, inside):
            continue
        is_copied = value not in group.operands and copied_ops(maker, group.operands)
        if not is_copied and not maker.is_before_in_block(first):
            return f"{first.name} uses a value from inside, and {maker.name} gives one later"
    return None


def _order(group: Group, effectful: Callable[[], Container[str]]) -> str | None:
    """Why ops with effects cannot come together: another one stands between them."""
    known = [op for op in group.ops if kind_of(op.name) not in ("pure", "end")]
    acting = [op for op in known if has_effect(op, effectful())]
    if not acting:
        return None
    inside: set[IrValue] = {op.results[0] for op in group.ops}
    places = sorted((acting[0], group.place, acting[-1]), key=cmp_to_key(_by_place))
    ops = [view.operation for view in group.root.block.operations]
    for op in ops[ops.index(places[0]) : ops.index(places[-1])]:
        if not is_of(op, inside) and has_effect(op, effectful()):
            return f"{op.name} stands between them, and the order of effects counts"
    return None


def is_of(op: IrOperation, inside: set[IrValue]) -> bool:
    """Whether an op is one of those with these first results."""
    return bool(len(op.results)) and op.results[0] in inside


def used_below(op: IrOperation) -> list[IrValue]:
    """The values that an op and its regions take from outside of it, each once, in order."""
    if not len(op.regions):
        return list(op.operands)
    return list(used_values(op))
