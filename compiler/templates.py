"""What an expansion emitted, kept so that the next use repeats it without a look at the graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from dxir.mlir import IrAttribute, IrLocation, IrOperation, IrType, IrValue, ir

_create = ir.Operation.create


class Recorded(NamedTuple):
    """One operation as it was made; `source` is the operation itself where it has regions."""

    name: str
    types: Sequence[IrType]
    operands: Sequence[IrValue]
    attributes: dict[str, IrAttribute] | None
    results: Sequence[IrValue]
    source: IrOperation | None


class Step(NamedTuple):
    """One operation of a template; operands are positions among the values so far."""

    name: str
    types: Sequence[IrType]
    operands: tuple[int, ...]
    attributes: dict[str, IrAttribute] | None
    source: IrOperation | None


class Template:
    """The operations that one use of an expansion emitted, ready for other operands."""

    __slots__ = ("_location", "_only", "_results", "_steps")

    def __init__(
        self, count: int, steps: tuple[Step, ...], results: tuple[int, ...], location: IrLocation
    ) -> None:
        self._steps = steps
        self._results = results
        self._location = location
        self._only: Step | None = None  # where one plain operation on the operands is all there is
        plain = len(steps) == 1 and steps[0].source is None
        if plain and steps[0].operands == tuple(range(count)) and results == (count,):
            self._only = steps[0]

    @classmethod
    def of(
        cls,
        operands: Sequence[IrValue],
        record: Sequence[Recorded],
        results: Sequence[IrValue],
        location: IrLocation,
    ) -> Template | None:
        """The template of what was recorded.

        None when it cannot be told which operand is which (one was given twice), when something
        was used that is neither an operand nor recorded, and when a region captures a value: a copy
        of it would go on using the first one.
        """
        if any(made.source is not None and _captures(made.source) for made in record):
            return None
        places: dict[Any, int] = {value: i for i, value in enumerate(operands)}
        if len(places) != len(operands):
            return None
        steps: list[Step] = []
        try:
            for made in record:
                used = tuple([places[v] for v in made.operands])
                steps.append(Step(made.name, made.types, used, made.attributes, made.source))
                for value in made.results:
                    places[value] = len(places)
            found = tuple([places[v] for v in results])
            return cls(len(operands), tuple(steps), found, location)
        except KeyError:
            return None

    def repeat(
        self, operands: Sequence[IrValue], location: IrLocation, insertion: Any
    ) -> list[IrValue]:
        """Emit the operations on other operands; gives the results."""
        only = self._only
        if only is not None:
            name, types, _, attributes, _ = only
            op = _create(name, types, operands, attributes, None, 0, location, insertion)
            return [op.result]
        elsewhere = location != self._location
        values = list(operands)
        for name, types, used, attributes, source in self._steps:
            inputs = [values[i] for i in used]
            if source is None:
                op = _create(name, types, inputs, attributes, None, 0, location, insertion)
            else:
                op = source.clone(insertion)
                places = op.operands
                for i, operand in enumerate(inputs):
                    places[i] = operand
                if elsewhere:
                    _relocate(op, location)
            if len(types) == 1:
                values.append(op.result)
            else:
                values += op.results
        return [values[i] for i in self._results]


def _captures(op: Any) -> bool:
    """Whether a region of the operation uses a value from outside."""
    inside: set[Any] = set()
    pending = [op]
    while pending:
        for region in pending.pop().regions:
            for block in region.blocks:
                inside.update(block.arguments)
                for nested in block.operations:
                    if any(v not in inside for v in nested.operation.operands):
                        return True
                    inside.update(nested.operation.results)
                    pending.append(nested.operation)
    return False


def _relocate(op: Any, location: IrLocation) -> None:
    op.location = location
    for region in op.regions:
        for block in region.blocks:
            for argument in block.arguments:
                argument.set_location(location)
            for inner in block.operations:
                _relocate(inner.operation, location)
