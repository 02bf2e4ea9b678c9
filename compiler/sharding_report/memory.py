"""The bytes that one device holds, by the types of its parts, and what the whole program would."""

from __future__ import annotations

from collections.abc import Iterable

from dxir.costs.liveness import CONSTANTS, Liveness
from dxir.costs.tree import Tree
from dxir.mlir import IrValue
from dxir.sharding_report.records import Memory
from dxir.sharding_report.scan import Item, Scan


def memory_of(inserted: Scan, given: Scan, entry: str) -> Memory:
    """The memory of a program: `inserted` has its collectives, `given` is it as it came."""
    part, whole = _Live(inserted, entry), _Live(given, entry, whole=True)
    return Memory(*part.totals(), *whole.totals())


class _Live:
    """The live values of a module, with the bytes of a device's part, or of the whole."""

    def __init__(self, scan: Scan, entry: str, *, whole: bool = False) -> None:
        self._scan = scan
        self._entry = entry
        self._whole = whole

    def totals(self) -> tuple[int | None, int | None, int | None, int | None]:
        """Bytes of parameters, results and constants, and the most that is live at a time."""
        items = [item for item in self._scan.items if item.function == self._entry]
        parameters = self._sum(item for item in items if item.kind == "parameter")
        results = self._sum(item for item in items if item.kind == "result")
        constants = self._sum(i for i in self._scan.items if i.op.name in CONSTANTS)
        if parameters is None or constants is None:
            return parameters, results, constants, None
        peak = Liveness(Tree.of(self._scan.module), self._of_value).of_function(self._entry)
        most = None if peak is None else parameters + constants + peak.bytes
        return parameters, results, constants, most

    def _sum(self, items: Iterable[Item]) -> int | None:
        sizes = [self._bytes(item) for item in items]
        return None if None in sizes else sum([size or 0 for size in sizes])

    def _bytes(self, item: Item) -> int | None:
        return self._scan.layouts.bytes(item.type, None if self._whole else item.sharding)

    def _of_value(self, value: IrValue) -> int | None:
        return self._bytes(self._scan.by_key[value])
