"""The functions of a program as lists of ops with keys, which those of another can be told from.

A key of an op is a number that another op has when it is the same on its own: its name, attributes,
types and reducers, with the functions and meshes that it names told as pairs of both programs. A
deep key has what makes the operands as well, to the start of the function.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from dxir.costs.liveness import ENTERED
from dxir.fingerprint import OpDigests
from dxir.mlir import IrOperation, IrType, IrValue, ir

_RETURNS = frozenset(("func.return", "stablehlo.return"))


class Numbers:
    """A number for each key, the same for equal ones, of both programs."""

    def __init__(self) -> None:
        self._known: dict[Hashable, int] = {}

    def of(self, key: Hashable) -> int:
        """The number of a key."""
        return self._known.setdefault(key, len(self._known))


@dataclass(slots=True)
class Line:
    """An op of a function; `parent` is the number of the op that it is in, or -1.

    `operands` and `first` are numbers of values: its results are `first` and those after it.
    """

    op: IrOperation
    name: str
    key: int
    deep: int
    operands: tuple[int, ...]
    first: int
    results: int
    parent: int


@dataclass(slots=True)
class Lines:
    """The ops of a function, outer before inner, and the values that they make and take.

    `makers` has for each value the line that makes it, or that has it as an argument, which, and
    whether it is a result; -1 is the function. `values` are the values, `deep` what each is made
    of. The first stands for one that is made later, between blocks.
    """

    lines: list[Line] = field(default_factory=list)
    makers: list[tuple[int, int, bool]] = field(default_factory=lambda: [(-1, -1, False)])
    values: list[IrValue | None] = field(default_factory=lambda: [None])
    deep: list[int] = field(default_factory=lambda: [-1])

    def levels(self, numbers: Numbers, chosen: Sequence[int]) -> list[list[int]]:
        """The keys of some lines, the finest first: with what makes operands, and without."""
        lines = self.lines
        around = _Around(self, numbers)
        return [
            [around.key(i, 3) for i in chosen],
            [around.key(i, 1) for i in chosen],
            [lines[i].key for i in chosen],
            [numbers.of(("results", *self._shape(lines[i]))) for i in chosen],
            [
                numbers.of(("name", lines[i].name, len(lines[i].operands), lines[i].results))
                for i in chosen
            ],
        ]

    def _shape(self, line: Line) -> tuple[Hashable, ...]:
        types = [str(result.type) for result in line.op.results]
        return (line.name, *types)


class _Around:
    """Keys of ops with what makes their operands, some ops far."""

    def __init__(self, lines: Lines, numbers: Numbers) -> None:
        self._lines = lines
        self._numbers = numbers
        self._known: dict[tuple[int, int], int] = {}

    def key(self, i: int, reach: int) -> int:
        """The key of a line with what is made up to `reach` ops before it."""
        if not reach:
            return self._lines.lines[i].key
        found = self._known.get((i, reach))
        if found is None:
            parts: list[int] = []
            for value in self._lines.lines[i].operands:
                line, index, is_result = self._lines.makers[value]
                parts += (self.key(line, reach - 1), index) if is_result else (-1, index)
            found = self._numbers.of((reach, self._lines.lines[i].key, *parts))
            self._known[i, reach] = found
        return found


class Reading:
    """What reads the functions of one program."""

    def __init__(self, module: ir.Module, symbols: Mapping[str, bytes], numbers: Numbers) -> None:
        self._digests = OpDigests(module, symbols)
        self._numbers = numbers
        self._types: dict[IrType, int] = {}

    def digest(self, op: IrOperation) -> bytes:
        """The digest of an op with its regions."""
        return self._digests.whole(op)

    def type(self, type: IrType) -> int:
        """The number of a type."""
        found = self._types.get(type)
        if found is None:
            found = self._types[type] = self._numbers.of(("type", str(type)))
        return found

    def lines(self, function: IrOperation, parameters: Mapping[int, int]) -> Lines:
        """The ops of a function; `parameters` has what each parameter is told by."""
        found = Lines()
        places: dict[IrValue, int] = {}
        stack: list[tuple[IrOperation, int, int]] = []

        def enter(op: IrOperation, number: int, deep: int) -> None:
            """Put the ops of an op on the stack, in order, once its arguments are values."""
            inside: list[tuple[IrOperation, int, int]] = []
            for i, region in enumerate(op.regions):
                for block in region.blocks:
                    for j, argument in enumerate(block.arguments):
                        key = parameters.get(j, j) if number < 0 else (deep, i, j)
                        places[argument] = len(found.values)
                        found.values.append(argument)
                        found.makers.append((number, j, False))
                        found.deep.append(self._numbers.of(("argument", key)))
                    around = self._numbers.of(("in", deep, i))
                    inside += [(view.operation, number, around) for view in block.operations]
            stack.extend(reversed(inside))

        enter(function, -1, 0)
        while stack:
            op, parent, around = stack.pop()
            line = self._line(op, parent, around, found, places)
            found.lines.append(line)
            if op.name in ENTERED and len(op.regions):
                enter(op, len(found.lines) - 1, line.deep)
        return found

    def _line(
        self, op: IrOperation, parent: int, around: int, found: Lines, places: dict[IrValue, int]
    ) -> Line:
        name = op.name
        values = list(op.operands)
        types = tuple([self.type(value.type) for value in values])
        key = self._numbers.of((self._digest(op, name), types))
        operands = tuple([places.get(value, 0) for value in values])
        deep = self._numbers.of((key, around, *[found.deep[i] for i in operands]))
        first, number = len(found.values), len(found.lines)
        results = list(op.results)
        for i, value in enumerate(results):
            places[value] = len(found.values)
            found.values.append(value)
            found.makers.append((number, i, True))
            found.deep.append(self._numbers.of(("result", deep, i)))
        return Line(op, name, key, deep, operands, first, len(results), parent)

    def _digest(self, op: IrOperation, name: str) -> bytes:
        if name in _RETURNS:
            return b"return"
        return self._digests.head(op) if name in ENTERED else self._digests.whole(op)
