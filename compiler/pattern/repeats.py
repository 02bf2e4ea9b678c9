"""What was found once is known wherever the same ops stand again, as layers of a model do.

A match is remembered as a template: its ops by what they are (name, attributes, types, how often
each is used), how they hang together, and what makes its operands. At another op that is the root
of the same ops, hung together alike, the match is the same, and no attempt has to be made.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dxir.mlir import IrValue, ir
from dxir.pattern.tensors import reduce_kind
from dxir.pattern.view import LAYOUT, Maker, View
from dxir.reading import attribute, attribute_names

_BELOW = 3  # ops below an operand that a reason against a match may look at, layout aside
_MOST_TEMPLATES = 8  # of one rule and one kind of root


class _Node(NamedTuple):
    """A value of a template: what it is, and the places of the operands of its op."""

    static: int
    used: int
    """How often it is used; -1 where that does not matter."""
    operands: tuple[int, ...] | None
    """None for a value that is not looked below."""


class Template(NamedTuple):
    """A match by the places of its values."""

    nodes: tuple[_Node, ...]
    ops: tuple[int, ...]
    copied: tuple[int, ...]
    operands: tuple[int, ...]
    other: object
    """What else is known of the match, the same wherever it stands."""


class Repeats:
    """The templates of the matches in a module, by rule and by what their root is."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._numbers: dict[object, int] = {}
        self._statics: dict[IrValue, int] = {}
        self._templates: dict[tuple[object, int], list[Template]] = {}

    def find(self, rule: object, root: Maker) -> tuple[Template, list[IrValue]] | None:
        """A template that stands at an op, and the values at its places."""
        for template in self._templates.get((rule, self.static(root.key)), ()):
            values = self._values(template, root.key)
            if values is not None:
                return template, values
        return None

    def remember(
        self,
        rule: object,
        root: Maker,
        parts: tuple[Sequence[Maker], Sequence[Maker]],
        operands: Sequence[IrValue],
        other: object,
    ) -> None:
        """Make a template of a match: its ops, those that are copied, and its operands."""
        templates = self._templates.setdefault((rule, self.static(root.key)), [])
        if len(templates) >= _MOST_TEMPLATES:
            return
        inside = {maker.key for maker in (*parts[0], *parts[1])}
        values, nodes = self._nodes(root.key, inside, set(operands))
        places = {value: i for i, value in enumerate(values)}
        ops, copied = ([places.get(m.key, -1) for m in part] for part in parts)
        given = [places.get(value, -1) for value in operands]
        if -1 not in (*ops, *copied, *given):
            templates.append(Template(nodes, tuple(ops), tuple(copied), tuple(given), other))

    def static(self, value: IrValue) -> int:
        """A number for all that a value and its op are by themselves."""
        known = self._statics.get(value)
        if known is None:
            known = self._statics[value] = self._numbered(value)
        return known

    def _nodes(
        self, root: IrValue, inside: set[IrValue], operands: set[IrValue]
    ) -> tuple[list[IrValue], tuple[_Node, ...]]:
        places, values, below = {root: 0}, [root], [_BELOW]
        nodes: list[_Node] = []
        while len(nodes) < len(values):
            value, left = values[len(nodes)], below[len(nodes)]
            maker = self._view.maker(value)
            is_inside = value in inside or (maker is not None and maker.key in inside)
            # Masks are read down to the indices they are made of, however deep.
            free = is_inside or (maker is not None and _is_free(maker))
            left = left if free else left - 1
            found: list[int] | None = None
            if maker is not None and left >= 0:
                found = []
                for operand in maker.operands:
                    place = places.setdefault(operand, len(values))
                    if place == len(values):
                        values.append(operand)
                        below.append(left)
                    found.append(place)
            used = len(maker.users()) if is_inside and maker is not None and value != root else -1
            nodes.append(_Node(self.static(value), used, None if found is None else tuple(found)))
        return values, tuple(nodes)

    def _values(self, template: Template, root: IrValue) -> list[IrValue] | None:
        values = [root]
        for i, node in enumerate(template.nodes):
            value = values[i]
            if self.static(value) != node.static:
                return None
            if node.operands is None:
                continue
            maker = self._view.of_value(value)
            if node.used >= 0 and len(maker.users()) != node.used:
                return None
            for operand, place in zip(maker.operands, node.operands, strict=True):
                if place == len(values):
                    values.append(operand)
                elif values[place] != operand:
                    return None
        return values

    def _numbered(self, value: IrValue) -> int:
        maker = self._view.maker(value)
        numbers = self._numbers
        if maker is None:
            return numbers.setdefault(("argument", value.type), len(numbers))
        kind = reduce_kind(maker) if len(maker.op.regions) else ""
        attributes = [(name, attribute(maker.op, name)) for name in attribute_names(maker.op)]
        key: object = (maker.name, kind, tuple(attributes), _types(maker), _place(value))
        if (len(maker.op.regions) and not kind) or any(part is None for _, part in attributes):
            key = value  # what it is cannot be told: it is like itself alone
        return numbers.setdefault(key, len(numbers))


def _is_free(maker: Maker) -> bool:
    type = maker.key.type
    return maker.name in LAYOUT or (
        isinstance(type, ir.RankedTensorType) and isinstance(type.element_type, ir.IntegerType)
    )


def _types(maker: Maker) -> tuple[object, ...]:
    operands: Iterable[IrValue] = maker.operands
    return (*(r.type for r in maker.op.results), len(list(operands)))


def _place(value: IrValue) -> int:
    number: int = getattr(value, "result_number", 0)
    return number
