"""How often the ops of a module run, where loops and calls tell."""

from __future__ import annotations

from collections.abc import Mapping

from dxir.call_graph import order
from dxir.costs.trips import trips
from dxir.mlir import IrOperation
from dxir.reading import symbol
from dxir.sharding_report.records import Runs
from dxir.sharding_report.scan import Scan, short

_MOST_TEXTS = 3


class Frequencies:
    """How often each op of a module runs in a run of its entry."""

    def __init__(self, scan: Scan, entry: str) -> None:
        self._place = scan.place
        self._trips: dict[IrOperation, int | None] = {}
        self._functions: dict[str, Runs] = {}
        calls: dict[str, list[tuple[str, IrOperation]]] = {name: [] for name in scan.functions}
        for caller, op in scan.ops:
            callee = symbol(op, "callee") if op.name == "func.call" else None
            if callee in calls:
                calls[callee].append((caller, op))
        for name in reversed(order({n: self._callees(calls, n) for n in calls}).names):
            self._functions[name] = self._function(name, calls[name], entry)

    @staticmethod
    def _callees(calls: Mapping[str, list[tuple[str, IrOperation]]], caller: str) -> list[str]:
        return [name for name, sites in calls.items() if any(c == caller for c, _ in sites)]

    def _function(self, name: str, sites: list[tuple[str, IrOperation]], entry: str) -> Runs:
        if name == entry:
            return Runs()
        if not sites:
            return Runs(0, f"@{name}, which @{entry} does not call", 0)
        found = [self.of(caller, op) for caller, op in sites]
        counts = [runs.count for runs in found]
        texts = list(dict.fromkeys(runs.text for runs in found if runs.text))
        times = [] if len(sites) == 1 else [f"{len(sites)} calls of @{name}"]
        return Runs(
            None if None in counts else sum([c or 0 for c in counts]),
            ", ".join([*times, *texts[:_MOST_TEXTS]]),
            sum([runs.counted for runs in found]),
        )

    def of(self, function: str, op: IrOperation) -> Runs:
        """How often an op of a function runs."""
        around = self._functions.get(function, Runs())
        count, counted = around.count, around.counted
        texts = [around.text] if around.text else []
        inner = op
        while inner.name != "func.func":
            parent = inner.parent
            if parent is None:
                break
            outer = parent.operation
            if outer.name == "stablehlo.while":
                trips = self.trips(outer)
                in_condition = inner.parent is not None and _region_of(outer, inner) == 0
                if trips is None:
                    count = None
                    texts.append(f"in a loop of unknown steps at {self._place(outer.location)}")
                else:
                    steps = trips + 1 if in_condition else trips
                    count = None if count is None else count * steps
                    counted *= steps
                    texts.append(f"in a loop of {trips} steps")
            elif outer.name in ("stablehlo.case", "stablehlo.if"):
                texts.append(f"at most, in a branch of {short(outer.name)}")
            inner = outer
        return Runs(count, ", ".join(texts), counted)

    def trips(self, loop: IrOperation) -> int | None:
        """The steps of a loop that counts from a constant to a constant; None for another."""
        if loop not in self._trips:
            self._trips[loop] = trips(loop)
        return self._trips[loop]


def _region_of(outer: IrOperation, inner: IrOperation) -> int:
    for i, region in enumerate(outer.regions):
        for block in region.blocks:
            if inner.block == block:
                return i
    return -1
