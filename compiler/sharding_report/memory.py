"""The bytes that one device holds, by the types of its parts, and what the whole program would."""

from __future__ import annotations

from collections.abc import Iterable

from dxir.mlir import IrOperation, IrValue, ir
from dxir.reading import symbol, used_values
from dxir.sharding_report.records import Memory
from dxir.sharding_report.scan import ENTERED, Item, Scan, blocks_of

_CONSTANTS = ("stablehlo.constant", "sdy.constant")


def memory_of(inserted: Scan, given: Scan, entry: str) -> Memory:
    """The memory of a program: `inserted` has its collectives, `given` is it as it came."""
    part, whole = _Live(inserted, entry), _Live(given, entry, whole=True)
    return Memory(*part.totals(), *whole.totals())


class _Unknown(Exception):
    """A size that is not known is part of a sum."""


class _Live:
    """The live values of a module, with the bytes of a device's part, or of the whole."""

    def __init__(self, scan: Scan, entry: str, *, whole: bool = False) -> None:
        self._scan = scan
        self._entry = entry
        self._whole = whole
        self._peaks: dict[str, int] = {}

    def totals(self) -> tuple[int | None, int | None, int | None, int | None]:
        """Bytes of parameters, results and constants, and the most that is live at a time."""
        items = [item for item in self._scan.items if item.function == self._entry]
        parameters = self._sum(item for item in items if item.kind == "parameter")
        results = self._sum(item for item in items if item.kind == "result")
        constants = self._sum(i for i in self._scan.items if i.op.name in _CONSTANTS)
        peak = None
        if parameters is not None and constants is not None:
            try:
                peak = parameters + constants + self._of_function(self._entry)
            except _Unknown:
                peak = None
        return parameters, results, constants, peak

    def _sum(self, items: Iterable[Item]) -> int | None:
        try:
            return sum([self._bytes(item) for item in items])
        except _Unknown:
            return None

    def _bytes(self, item: Item) -> int:
        found = self._scan.layouts.bytes(item.type, None if self._whole else item.sharding)
        if found is None:
            raise _Unknown
        return found

    def _of_value(self, value: IrValue) -> int:
        return self._bytes(self._scan.by_key[value])

    def _of_function(self, name: str) -> int:
        """The most that is live in a function beside its parameters."""
        if name not in self._peaks:
            self._peaks[name] = 0  # where functions call themselves
            function = self._scan.functions.get(name)
            self._peaks[name] = 0 if function is None else self._inside(function)
        return self._peaks[name]

    def _inside(self, op: IrOperation) -> int:
        """The most that is live in the regions of an op, of which one runs at a time."""
        return max([self._of_block(block) for block in blocks_of(op)], default=0)

    def _of_block(self, block: ir.Block) -> int:
        ops = [each.operation for each in block.operations]
        ends = _last_uses(ops)
        live = peak = 0
        for i, op in enumerate(ops):
            made = 0 if op.name in _CONSTANTS else sum([self._of_value(v) for v in op.results])
            peak = max(peak, live + max(made, self._within(op)))
            live += made
            live -= sum([self._of_value(value) for value in ends.get(i, ())])
        return peak

    def _within(self, op: IrOperation) -> int:
        if op.name == "func.call":
            return self._of_function(symbol(op, "callee") or "")
        return self._inside(op) if op.name in ENTERED else 0


def _last_uses(ops: list[IrOperation]) -> dict[int, list[IrValue]]:
    """The values that the ops of a block make, by the number of the op that takes them last."""
    last: dict[IrValue, int] = {}
    for i, op in enumerate(ops):
        if op.name not in _CONSTANTS:
            last.update(dict.fromkeys(op.results, i))
        for value in used_values(op) if len(op.regions) else op.operands:
            if value in last:
                last[value] = i
    found: dict[int, list[IrValue]] = {}
    for value, i in last.items():
        found.setdefault(i, []).append(value)
    return found
