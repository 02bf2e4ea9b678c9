"""Parameters added to functions and taken from them, in step with all calls."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from dxir.call_graph import Order, order
from dxir.editing import replaced, set_signature
from dxir.effects import callees
from dxir.mlir import IrAttribute, IrLocation, IrOperation, IrType, IrValue, ir
from dxir.reading import (
    attribute,
    attributes_of,
    function_name,
    functions,
    signature,
    symbol,
    walk,
)

_CALL = "func.call"


@dataclass(slots=True)
class Uses:
    """How the functions of a module are referred to.

    `calls` has the calls that each function makes, with the name of what is called, `otherwise` the
    functions that are referred to by anything but a call.
    """

    functions: dict[str, IrOperation]
    calls: dict[str, list[tuple[str, IrOperation]]] = field(default_factory=dict)
    otherwise: set[str] = field(default_factory=set)

    @property
    def callers(self) -> dict[str, set[str]]:
        """The functions that call each function."""
        found: dict[str, set[str]] = {name: set() for name in self.functions}
        for caller, calls in self.calls.items():
            for callee, _ in calls:
                found[callee].add(caller)
        return found

    def order(self) -> Order:
        """The functions, each after those it calls; and those that are part of a recursion."""
        called = {name: [callee for callee, _ in calls] for name, calls in self.calls.items()}
        return order({name: called.get(name, []) for name in self.functions})


def uses_of_functions(module: ir.Module) -> Uses:
    """Who refers to the functions of a verified module, and how."""
    found = Uses({function_name(f): f for f in functions(module)})
    for caller, function in found.functions.items():
        _read(function, caller, found)
    for op in module.body.operations:
        if op.operation.name != "func.func":
            found.otherwise.update(callees(op.operation))
    return found


def _read(function: IrOperation, caller: str, found: Uses) -> None:
    def visit(op: IrOperation) -> None:
        if op.name == _CALL:
            callee = symbol(op, "callee") or "?"
            if callee in found.functions:
                found.calls.setdefault(caller, []).append((callee, op))
        else:
            found.otherwise.update(callees(op))

    walk(function, visit)


def add_parameters(
    function: IrOperation,
    types: Sequence[IrType],
    attributes: Sequence[dict[str, IrAttribute]],
    locations: Sequence[IrLocation],
) -> list[IrValue]:
    """Parameters after those the function has, each with its attributes; calls are not touched."""
    block = function.regions[0].blocks[0]
    entries = _parameter_attributes(function, len(block.arguments))
    added: list[IrValue] = [
        block.add_argument(type, location) for type, location in zip(types, locations, strict=True)
    ]
    entries += [ir.DictAttr.get(given, function.context) for given in attributes]
    _describe(function, block, entries)
    return added


def drop_parameters(function: IrOperation, positions: Collection[int]) -> None:
    """Take parameters that nothing uses from a function; calls are not touched."""
    block = function.regions[0].blocks[0]
    entries = _parameter_attributes(function, len(block.arguments))
    for position in sorted(positions, reverse=True):
        block.erase_argument(position)
        del entries[position]
    _describe(function, block, entries)


def _parameter_attributes(function: IrOperation, count: int) -> list[IrAttribute]:
    given = attribute(function, "arg_attrs")
    if isinstance(given, ir.ArrayAttr):
        return list(given)
    return [ir.DictAttr.get({}, function.context)] * count


def _describe(function: IrOperation, block: ir.Block, entries: Sequence[IrAttribute]) -> None:
    set_signature(function, [a.type for a in block.arguments], signature(function).results)
    if any(len(ir.DictAttr(entry)) for entry in entries):
        function.attributes["arg_attrs"] = ir.ArrayAttr.get(list(entries), function.context)
    elif "arg_attrs" in function.attributes:
        del function.attributes["arg_attrs"]


def parameter_attribute(function: IrOperation, position: int, name: str) -> IrAttribute | None:
    """An attribute of a parameter; None when it has none of that name."""
    given = attribute(function, "arg_attrs")
    if not isinstance(given, ir.ArrayAttr):
        return None
    entry = given[position]
    return entry[name] if isinstance(entry, ir.DictAttr) and name in entry else None


def parameter_attribute_names(function: IrOperation, position: int) -> list[str]:
    """The names of the attributes of a parameter."""
    given = attribute(function, "arg_attrs")
    if not isinstance(given, ir.ArrayAttr):
        return []
    entry = ir.DictAttr(given[position])
    return [entry[i].name for i in range(len(entry))]


def with_operands(call: IrOperation, operands: Sequence[int | IrValue]) -> IrOperation:
    """The call with other operands, in its place: numbers stand for those it has."""
    old = list(call.operands)
    attributes = attributes_of(call)
    entries = attributes.get("arg_attrs")
    if isinstance(entries, ir.ArrayAttr):
        none = ir.DictAttr.get({}, call.context)
        said = [entries[o] if isinstance(o, int) else none for o in operands]
        attributes["arg_attrs"] = ir.ArrayAttr.get(said, call.context)
    given = [old[o] if isinstance(o, int) else o for o in operands]
    return replaced(call, _CALL, attributes, operands=given)
