"""Ops replaced by something simpler: an operand of theirs, a parameter, a constant, or nothing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Collection, Sequence

from dxir.mlir import IrOperation, IrType, IrValue, ir
from dxir.parameters import add_parameters
from dxir.reading import function_name, is_used, maker_of
from dxir.reduction.literals import TRIVIAL, literal
from dxir.reduction.places import ends_block, entries, is_inside, numbered, picked
from dxir.reduction.search import Apply, InChunks

_MOST_LOOKED_AT = 100
_CONTROL = frozenset({"stablehlo.if", "stablehlo.case", "stablehlo.while"})
_FREE = _CONTROL | {"func.func", "sdy.manual_computation", "sdy.named_computation"}
"""The ops in whose bodies any value will do."""


class _Replace(ABC):
    """Other values in the place of all results of an op."""

    def apply(self, module: ir.Module, sites: Sequence[int]) -> bool:
        """Replace the ops at these places, as many as can be; False when none can."""
        done = False
        for _, op in picked(module, sites):
            values = self._values(op)
            if values is None:
                continue
            for old, new in values:
                old.replace_all_uses_with(new)
            op.erase()
            done = True
        return done

    def _values(self, op: IrOperation) -> list[tuple[IrValue, IrValue]] | None:
        """What takes the place of each result that is used; None when something has none."""
        found: list[tuple[IrValue, IrValue]] = []
        for index, result in enumerate(op.results):
            if is_used(result):
                value = self.value(op, index)
                if value is None:
                    return None
                found.append((result, value))
        return found

    @abstractmethod
    def value(self, op: IrOperation, index: int) -> IrValue | None:
        """What takes the place of a result, defined before the op."""


def _is_work(op: IrOperation) -> bool:
    if not is_inside(op) or not len(op.results) or op.name in TRIVIAL:
        return False
    return not _is_combined(op)


def _is_combined(op: IrOperation) -> bool:
    """Whether an op makes what the body of a reduction, a sort or the like gives.

    A body that gives one of its arguments, or a constant, would leave the results undefined.
    """
    around = op.parent
    if around is None or around.operation.name in _FREE:
        return False
    return any(ends_block(use.owner.operation) for result in op.results for use in result.uses)


class ByOperand(_Replace):
    """An operand of the same type in the place of each result, or what one is computed from."""

    def __init__(self, *, last: bool = False) -> None:
        self.last = last

    def value(self, op: IrOperation, index: int) -> IrValue | None:
        type = op.results[index].type
        operands = list(op.operands)
        if len(op.results) > 1 and index < len(operands) and operands[index].type == type:
            return operands[index]
        return _source(operands[::-1] if self.last else operands, type)


def _source(values: list[IrValue], type: IrType) -> IrValue | None:
    """The nearest value of a type among the values and what they are computed from."""
    seen: set[IrValue] = set()
    pending = deque(values)
    while pending and len(seen) < _MOST_LOOKED_AT:
        value = pending.popleft()
        if value in seen:
            continue
        if value.type == type:
            return value
        seen.add(value)
        maker = maker_of(value)
        if maker is not None:
            pending.extend(maker.operands)
    return None


class ByParameter(_Replace):
    """New parameters of the function in the place of the results, where it has no callers."""

    def __init__(self) -> None:
        self._entries: Collection[str] = ()

    def apply(self, module: ir.Module, sites: Sequence[int]) -> bool:
        self._entries = frozenset(entries(module))
        return super().apply(module, sites)

    def value(self, op: IrOperation, index: int) -> IrValue | None:
        function = _function_of(op)
        if function is None or function_name(function) not in self._entries:
            return None
        return add_parameters(function, [op.results[index].type], [{}], [op.location])[0]


def _function_of(op: IrOperation) -> IrOperation | None:
    """The function whose parameters an op may use; None inside of regions that may not."""
    around = op.parent
    while around is not None and around.operation.name in _CONTROL:
        around = around.operation.parent
    function = None if around is None else around.operation
    return function if function is not None and function.name == "func.func" else None


class ByConstant(_Replace):
    """Constants of zeros or ones in the place of the results."""

    def __init__(self, number: int) -> None:
        self.number = number

    def value(self, op: IrOperation, index: int) -> IrValue | None:
        return literal(op.results[index].type, self.number, op)


class Replace(InChunks[int]):
    """Something simpler in the place of ops: what they are made from, parameters, constants."""

    name = "ops"

    def __init__(self) -> None:
        self._ways = (
            ByOperand(),
            ByParameter(),
            ByOperand(last=True),
            ByConstant(0),
            ByConstant(1),
        )

    def sites(self, module: ir.Module) -> list[int]:
        return numbered(module, _is_work)

    def ways(self) -> Sequence[Apply[int]]:
        return [way.apply for way in self._ways]

    def apply(self, module: ir.Module, sites: Sequence[int]) -> bool:
        return any(way.apply(module, sites) for way in self._ways)


class Erase(InChunks[int]):
    """Ops whose results nobody uses, those with effects among them."""

    name = "unused ops"

    def sites(self, module: ir.Module) -> list[int]:
        return numbered(module, is_inside)[::-1]

    def apply(self, module: ir.Module, sites: Sequence[int]) -> bool:
        done = False
        for _, op in picked(module, sites):
            if not any(map(is_used, op.results)):
                op.erase()
                done = True
        return done
