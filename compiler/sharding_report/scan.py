"""The values of a module in order, each with its name, place and sharding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dxir.costs.liveness import ENTERED
from dxir.diagnostics import node_name_of, where_of
from dxir.mlir import IrAttribute, IrLocation, IrOperation, IrType, IrValue, ir
from dxir.reading import function_name, functions, has_body, signature, terminator
from dxir.sharding import Sharding
from dxir.sharding_report.layouts import Layouts

Result = tuple[str, int]
"""A result of a function: its name, and which."""

Key = IrValue | Result


@dataclass(slots=True)
class Item:
    """A value of the module, or a result of a function; `op` makes it, or has it as a parameter."""

    key: Key
    name: str
    function: str
    kind: str
    op: IrOperation
    index: int
    where: str | None
    type: IrType
    sharding: Sharding | None
    label: str | None = None

    @property
    def made_by(self) -> str:
        """The name of the op whose result it is; empty for others."""
        return short(self.op.name) if self.kind == "value" else ""


@dataclass(slots=True)
class Scan:
    """The values of a module, and what they are found by."""

    module: ir.Module
    layouts: Layouts
    items: list[Item] = field(default_factory=list)
    by_key: dict[Key, Item] = field(default_factory=dict)
    ops: list[tuple[str, IrOperation]] = field(default_factory=list)
    functions: dict[str, IrOperation] = field(default_factory=dict)
    places: dict[IrAttribute, tuple[str | None, str | None]] = field(default_factory=dict)

    def add(self, item: Item) -> None:
        """Take a value in."""
        self.items.append(item)
        self.by_key[item.key] = item

    def place(self, location: IrLocation) -> str | None:
        """The place of an op."""
        return self.named_place(location)[0]

    def named_place(self, location: IrLocation) -> tuple[str | None, str | None]:
        """The place of an op, and the name that a front end gave it; ops share locations."""
        key = location.attr  # locations have no hash that equal ones share
        found = self.places.get(key)
        if found is None:
            found = self.places[key] = (where_of(location), node_name_of(location))
        return found

    def sharding(self, value: IrValue) -> Sharding | None:
        """How a value lies; None where nothing says so, and every device has all of it."""
        found = self.by_key.get(value)
        return None if found is None else found.sharding


def short(name: str) -> str:
    """The name of an op, without StableHLO's and Shardy's dialect."""
    return name.removeprefix("stablehlo.").removeprefix("sdy.")


def scan(module: ir.Module) -> Scan:
    """The values of a module, outer before inner, in order."""
    found = Scan(module, Layouts(module))
    state = ir.AsmState(module.operation)
    for function in functions(module):
        name = function_name(function)
        found.functions[name] = function
        if has_body(function):
            _function(found, function, name, state)
    return found


def _function(found: Scan, function: IrOperation, name: str, state: ir.AsmState) -> None:
    shardings = found.layouts.of_parameters(function, "arg_attrs")
    entry = function.regions[0].blocks[0]
    for i, (argument, sharding) in enumerate(zip(entry.arguments, shardings, strict=True)):
        where, label = found.named_place(argument.location)
        text, type = argument.get_name(state), argument.type
        found.add(
            Item(argument, text, name, "parameter", function, i, where, type, sharding, label)
        )
    for block in function.regions[0].blocks:
        for op in block.operations:
            _op(found, op.operation, name, state)
    last = found.place(terminator(entry).location)
    given = found.layouts.of_parameters(function, "res_attrs")
    for i, (type, sharding) in enumerate(zip(signature(function).results, given, strict=True)):
        key = (name, i)
        found.add(Item(key, f"result {i}", name, "result", function, i, last, type, sharding))


def _op(found: Scan, op: IrOperation, function: str, state: ir.AsmState) -> None:
    name = op.name
    found.ops.append((function, op))
    if len(op.results):
        where, label = found.named_place(op.location)
        shardings = found.layouts.of_results(op)
        for i, (value, sharding) in enumerate(zip(op.results, shardings, strict=True)):
            text, type = value.get_name(state), value.type
            found.add(Item(value, text, function, "value", op, i, where, type, sharding, label))
    if name not in ENTERED:
        return
    for block in blocks_of(op):
        for i, (argument, sharding) in enumerate(
            zip(block.arguments, found.layouts.of_region(op, block), strict=True)
        ):
            where = found.place(argument.location) or found.place(op.location)
            text, type = argument.get_name(state), argument.type
            found.add(Item(argument, text, function, "region", op, i, where, type, sharding))
        for inner in block.operations:
            _op(found, inner.operation, function, state)


def blocks_of(op: IrOperation) -> Iterator[ir.Block]:
    """The blocks of an op."""
    for region in op.regions:
        yield from region.blocks


def returned(op: IrOperation, position: int) -> list[IrValue]:
    """What the regions of an op return at a position, in order of the regions that return so many.

    The condition of a loop, which returns whether it goes on, is no such region.
    """
    regions = list(op.regions)
    chosen: Sequence[ir.Region] = regions[1:] if op.name == "stablehlo.while" else regions
    found: list[IrValue] = []
    for region in chosen:
        values = terminator(region.blocks[0]).operands
        if position < len(values):
            found.append(values[position])
    return found
