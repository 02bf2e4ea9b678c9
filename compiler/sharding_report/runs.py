"""How often the ops of a module run, where loops and calls tell."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dxir.call_graph import order
from dxir.mlir import IrOperation, IrValue, ir
from dxir.reading import attribute, maker_of, symbol, terminator
from dxir.sharding_report.records import Runs
from dxir.sharding_report.scan import Scan, short

_MOST_TEXTS = 3
_CONSTANTS = ("stablehlo.constant", "sdy.constant")
_STEPS = ("stablehlo.add", "stablehlo.subtract")
_DIRECTION = {"LT": "<", "LE": "<=", "GT": ">", "GE": ">=", "NE": "!="}
_REVERSED = {"LT": "GT", "LE": "GE", "GT": "LT", "GE": "LE", "NE": "NE"}


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
            self._trips[loop] = _trips(loop)
        return self._trips[loop]


def _region_of(outer: IrOperation, inner: IrOperation) -> int:
    for i, region in enumerate(outer.regions):
        for block in region.blocks:
            if inner.block == block:
                return i
    return -1


def _trips(loop: IrOperation) -> int | None:
    condition, body = (region.blocks[0] for region in loop.regions)
    compare = maker_of(terminator(condition).operands[0])
    if compare is None or compare.name != "stablehlo.compare":
        return None
    arguments = list(condition.arguments)
    left, right = compare.operands
    given = attribute(compare, "comparison_direction")
    direction = "" if given is None else str(given).rsplit(" ", 1)[-1].rstrip(">")
    if right in arguments:
        left, right, direction = right, left, _REVERSED.get(direction, "")
    index = next((i for i, argument in enumerate(arguments) if argument == left), None)
    if index is None or direction not in _DIRECTION:
        return None
    limit, start = _constant(right), _constant(loop.operands[index])
    step = _step(terminator(body).operands[index], body.arguments[index])
    if limit is None or start is None or not step:
        return None
    return _count(start, limit, step, direction)


def _count(start: int, limit: int, step: int, direction: str) -> int | None:
    """How often `i += step` runs from `start` while it compares with `limit`."""
    if direction == "NE":
        return (
            (limit - start) // step
            if (limit - start) % step == 0 <= (limit - start) // step
            else None
        )
    if direction in ("GT", "GE"):
        start, limit, step = -start, -limit, -step
    if direction in ("LE", "GE"):
        limit += 1
    if step < 0:
        return 0 if start >= limit else None
    return max(0, -(-(limit - start) // step))


def _step(value: IrValue, argument: IrValue) -> int | None:
    op = maker_of(value)
    if op is None or op.name not in _STEPS:
        return None
    a, b = op.operands
    if a == argument:
        step = _constant(b)
        return -step if op.name == "stablehlo.subtract" and step is not None else step
    return _constant(a) if b == argument and op.name == "stablehlo.add" else None


def _constant(value: IrValue) -> int | None:
    """The number that an integer constant is; one that a loop hands on as it is, too."""
    for _ in range(8):
        op = maker_of(value)
        if op is not None:
            break
        argument = ir.BlockArgument(value)
        outer = argument.owner.owner.operation
        if outer.name != "stablehlo.while":
            return None
        position = argument.arg_number
        body = outer.regions[1].blocks[0]
        if terminator(body).operands[position] != body.arguments[position]:
            return None
        value = outer.operands[position]
    else:
        return None
    if op.name not in _CONSTANTS:
        return None
    given = attribute(op, "value")
    if not isinstance(given, ir.DenseIntElementsAttr) or len(given) < 1:
        return None
    array = np.asarray(given)
    return int(array.reshape(-1)[0]) if array.size == 1 else None
