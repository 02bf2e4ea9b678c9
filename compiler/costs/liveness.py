"""The bytes that are live at a time.

A value is held from the op that makes it to the last that takes it; parameters and constants are
held throughout. What only looks at the bytes of another value (a reshape, a tuple) holds no bytes
of its own, and holds that value for as long as it lives. Regions and functions that an op runs are
held beside what is live around it, in place of its results, into which they write theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from dxir.costs.tree import Tree
from dxir.mlir import IrOperation, IrValue

ENTERED = frozenset(
    {
        "func.func",
        "stablehlo.while",
        "stablehlo.case",
        "stablehlo.if",
        "stablehlo.optimization_barrier",
        "sdy.manual_computation",
        "sdy.named_computation",
    }
)
"""The ops whose regions have values of a program's sizes; others have reducers and the like."""

CONSTANTS = frozenset(("stablehlo.constant", "sdy.constant"))

_ONE = frozenset(
    (
        "stablehlo.reshape", "stablehlo.bitcast_convert", "stablehlo.get_tuple_element",
        "sdy.sharding_constraint", "sdy.propagation_barrier",
    )
)  # fmt: skip
_SAME = _ONE | {"stablehlo.optimization_barrier", "stablehlo.tuple"}

SizeOf = Callable[[IrValue], int | None]
"""The bytes of a value; None where they are not known."""


class Peak(NamedTuple):
    """The most that is live at a time, and the number of the op that runs then; -1 for none."""

    bytes: int
    op: int = -1


_NONE = Peak(0)


class _Unknown(Exception):
    """A size that is not known is part of a sum."""


class Liveness:
    """What is live in the functions of a module, beside parameters and constants."""

    def __init__(self, tree: Tree, size: SizeOf) -> None:
        self._tree = tree
        self._size = size
        self._functions: dict[str, Peak | None] = {}
        self._taken: dict[int, dict[IrValue, None]] = {}  # of the function at hand
        for name in tree.order:
            try:
                self._functions[name] = self._function(name)
            except _Unknown:
                self._functions[name] = None

    def of_function(self, name: str) -> Peak | None:
        """The most that is live in a function; None where a size is not known."""
        return self._functions.get(name, _NONE)

    def _function(self, name: str) -> Peak:
        first, end = self._tree.spans[name]
        within: dict[int, Peak] = {}
        self._taken = {}
        for i in range(end - 1, first - 1, -1):  # what is inside an op comes after it
            if i > first and len(self._tree.ops[i].regions):
                self._taken[i] = self._taken_inside(i)
            callee = self._tree.callees.get(i)
            if callee is not None:
                # Where functions call themselves, what is inside is left out.
                peak = self._functions.get(callee, _NONE)
                if peak is None:
                    raise _Unknown
                within[i] = Peak(peak.bytes, i if peak.op < 0 else peak.op)
            elif self._tree.names[i] in ENTERED:
                blocks = self._tree.children.get(i, ())
                within[i] = max([self._block(b, within) for b in blocks], default=_NONE)
        return within.get(first, _NONE)

    def _taken_inside(self, number: int) -> dict[IrValue, None]:
        """The values that the regions of an op take from outside of it."""
        found: dict[IrValue, None] = {}
        made: set[IrValue] = set()
        for region in self._tree.ops[number].regions:
            for block in region.blocks:
                made.update(block.arguments)
        for block_ops in self._tree.children.get(number, ()):
            for i in block_ops:
                found.update(dict.fromkeys(self._tree.ops[i].operands))
                found.update(self._taken.get(i, ()))
                made.update(self._tree.ops[i].results)
        return {value: None for value in found if value not in made}

    def _block(self, numbers: Sequence[int], within: dict[int, Peak]) -> Peak:
        ops = [self._tree.ops[i] for i in numbers]
        taken = [self._taken.get(i, ()) for i in numbers]
        own, ends = _lifetimes(ops, [self._tree.names[i] for i in numbers], taken)
        live, peak = 0, _NONE
        for place, number in enumerate(numbers):
            made = self._sum(own.get(place, ()))
            inside = within.get(number, _NONE)
            most = Peak(live + made, number)
            if inside.bytes and inside.bytes >= made:
                most = Peak(live + inside.bytes, inside.op)
            if most.bytes > peak.bytes:
                peak = most
            live += made - self._sum(ends.get(place, ()))
        return peak

    def _sum(self, values: Iterable[IrValue]) -> int:
        total = 0
        for value in values:
            size = self._size(value)
            if size is None:
                raise _Unknown
            total += size
        return total


_Values = dict[int, list[IrValue]]


def _lifetimes(
    ops: Sequence[IrOperation], names: Sequence[str], taken: Sequence[Iterable[IrValue]]
) -> tuple[_Values, _Values]:
    """The values that the ops of a block make, by the place of the op, and of the last that takes.

    `taken` has what the regions of each op take. What is the same bytes as another value is no
    value of its own.
    """
    made: _Values = {}
    last: dict[IrValue, int] = {}
    same: dict[IrValue, tuple[IrValue, ...]] = {}
    for i, (op, name) in enumerate(zip(ops, names, strict=True)):
        for value in (*op.operands, *taken[i]):
            for each in same.get(value, ()):
                last[each] = i
        if name in CONSTANTS:
            continue
        results: list[IrValue] = list(op.results)
        if name in _SAME:
            for result, held in zip(results, _held(op, name, same), strict=True):
                same[result] = held
            continue
        made[i] = results
        for value in results:
            same[value] = (value,)
            last[value] = i
    ends: _Values = {}
    for value, i in last.items():
        ends.setdefault(i, []).append(value)
    return made, ends


def _held(
    op: IrOperation, name: str, same: dict[IrValue, tuple[IrValue, ...]]
) -> list[tuple[IrValue, ...]]:
    """The values whose bytes each result of an op is."""
    operands = list(op.operands)
    if name in _ONE:
        operands = operands[:1]
    each = [same.get(value, ()) for value in operands]
    if name == "stablehlo.tuple":
        return [tuple(dict.fromkeys([v for held in each for v in held]))]
    return each
