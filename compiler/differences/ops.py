"""The ops that two functions do not share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dxir.diagnostics import where_of
from dxir.differences.aligning import align, increasing, neighbourhoods
from dxir.differences.attributes import (
    Same,
    attribute_changes,
    region_changes,
    type_changes,
    type_shown,
)
from dxir.differences.records import Change, OpDifference, OpKind, OpText
from dxir.differences.sides import Line, Lines, Numbers
from dxir.effects import is_ordered
from dxir.mlir import IrType, IrValue, ir
from dxir.reading import attribute

_MOST = 16  # operands and results of an op that are told


@dataclass(frozen=True, slots=True)
class Side:
    """The ops of a function of one program, and how its values are called."""

    lines: Lines
    state: ir.AsmState

    def text(self, number: int) -> OpText:
        """How an op reads."""
        line = self.lines.lines[number]
        op = line.op
        results = self._names(op.results)
        operands = self._names(op.operands)
        types = _listed([type_shown(v.type) for v in op.results[:_MOST]], len(op.results))
        text = f"{results} = " if results else ""
        text += f"{line.name} {operands}".rstrip() + (f" : {types}" if types else "")
        return OpText(line.name, text, where_of(op.location))

    def _names(self, values: Sequence[IrValue]) -> str:
        return _listed([v.get_name(self.state) for v in values[:_MOST]], len(values))

    def name(self, value: int) -> str:
        """How a value is called."""
        found = self.lines.values[value]
        return "a later value" if found is None else found.get_name(self.state)


def _listed(shown: Sequence[str], count: int) -> str:
    """The first of some words, and how many there are."""
    return ", ".join([*shown, *([f"... ({count:,})"] if count > len(shown) else [])])


def op_differences(
    a: Side, b: Side, parameters: dict[int, int], numbers: Numbers, same: Same
) -> tuple[OpDifference, ...]:
    """What two functions do not share, in order; `parameters` has those that belong together."""
    return _Comparison(a, b, parameters, same).differences(numbers)


class _Comparison:
    def __init__(self, a: Side, b: Side, parameters: dict[int, int], same: Same) -> None:
        self._a, self._b = a, b
        self._parameters = parameters
        self._same = same
        self._pairs: dict[int, int] = {}
        self._taken: set[int] = set()

    def differences(self, numbers: Numbers) -> tuple[OpDifference, ...]:
        """What differs, in order of the second function, what is gone before what follows it."""
        lines_a, lines_b = self._a.lines.lines, self._b.lines.lines
        self._pairs = self._matched(numbers)
        taken = self._taken = set(self._pairs.values())
        found: list[tuple[float, OpDifference]] = []
        at = -1.0
        for i in range(len(lines_a)):
            j = self._pairs.get(i)
            if j is None:
                found.append((at + 0.5, OpDifference("removed", self._a.text(i), None)))
                continue
            at = float(j)
            kind, changes = self._compared(lines_a[i], lines_b[j])
            if changes:
                texts = self._a.text(i), self._b.text(j)
                found.append((at, OpDifference(kind, *texts, tuple(changes))))
        found += [
            (float(j), OpDifference("added", None, self._b.text(j)))
            for j in range(len(lines_b))
            if j not in taken
        ]
        found += self._moved()
        return tuple([each for _, each in sorted(found, key=lambda entry: entry[0])])

    def _matched(self, numbers: Numbers) -> dict[int, int]:
        """The lines that belong together: the same expressions wherever they stand, then by order.

        Where an expression is more often on one side, order decides which of its ops are alike.
        """
        a, b = self._a.lines.lines, self._b.lines.lines
        first, second = _by_deep(a), _by_deep(b)
        pairs = {
            i: j
            for deep, places in first.items()
            if len(second.get(deep, ())) == len(places)
            for i, j in zip(places, second[deep], strict=True)
        }
        taken = set(pairs.values())
        rest_a = [i for i in range(len(a)) if i not in pairs]
        rest_b = [j for j in range(len(b)) if j not in taken]
        if rest_a and rest_b:
            keys_a = self._a.lines.levels(numbers, rest_a)
            keys_b = self._b.lines.levels(numbers, rest_b)
            for keys in (keys_a, keys_b):
                keys.insert(2, list(map(numbers.of, neighbourhoods(keys[2]))))
            pairs |= {rest_a[i]: rest_b[j] for i, j in align(keys_a, keys_b)}
        return pairs

    def _compared(self, a: Line, b: Line) -> tuple[OpKind, list[Change]]:
        """What differs of two ops that belong together."""
        if a.key != b.key:
            return "changed", self._changes(a, b)
        return "rewired", self._rewired(a, b)

    def _changes(self, a: Line, b: Line) -> list[Change]:
        found = attribute_changes(a.op, b.op, self._same)
        found += type_changes(_types(a, operands=True), _types(b, operands=True), "operand")
        found += type_changes(_types(a), _types(b), "result")
        if not found and len(a.op.regions):
            found = region_changes(a.op, b.op)
        return found or [Change("op", a.name, b.name)]

    def _rewired(self, a: Line, b: Line) -> list[Change]:
        found: list[Change] = []
        for place, (x, y) in enumerate(zip(a.operands, b.operands, strict=True)):
            if self._is_another(x, y):
                names = self._a.name(x), self._b.name(y)
                found.append(Change(f"operand {place}", *names))
        return found

    def _is_another(self, x: int, y: int) -> bool:
        """Whether two values are of both sides, and not those that belong together.

        A value that only one side has is a difference where it is made.
        """
        if self._a.lines.deep[x] == self._b.lines.deep[y]:  # the same expression
            return False
        line_x, index_x, result_x = self._a.lines.makers[x]
        line_y, index_y, result_y = self._b.lines.makers[y]
        partner = self._partner(line_x, index_x, is_result=result_x)
        return (
            partner is not None
            and self._is_shared(line_y, index_y, is_result=result_y)
            and (partner != (line_y, index_y, result_y))
        )

    def _partner(self, line: int, index: int, *, is_result: bool) -> tuple[int, int, bool] | None:
        if line < 0:
            other = self._parameters.get(index)
            return None if other is None else (-1, other, False)
        found = self._pairs.get(line)
        return None if found is None else (found, index, is_result)

    def _is_shared(self, line: int, index: int, *, is_result: bool) -> bool:
        if line < 0:
            return index in self._parameters.values()
        return line in self._taken

    def _moved(self) -> list[tuple[float, OpDifference]]:
        """The ops with side effects that stand elsewhere among those."""
        lines = self._a.lines.lines
        pairs = [(i, j) for i, j in sorted(self._pairs.items()) if _has_effect(lines[i])]
        kept = set(increasing(pairs))
        return [
            (float(j), OpDifference("moved", self._a.text(i), self._b.text(j), _PLACE))
            for i, j in pairs
            if (i, j) not in kept
        ]


_PLACE = (Change("place among the ops with side effects", "another", "this"),)


def _by_deep(lines: Sequence[Line]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for i, line in enumerate(lines):
        found.setdefault(line.deep, []).append(i)
    return found


def _types(line: Line, *, operands: bool = False) -> list[IrType]:
    return [value.type for value in (line.op.operands if operands else line.op.results)]


def _has_effect(line: Line) -> bool:
    if is_ordered(line.name):
        return True
    flag = attribute(line.op, "has_side_effect") if line.name == "stablehlo.custom_call" else None
    return isinstance(flag, ir.BoolAttr) and flag.value
