"""One of everything that is there several times: constants, private functions, composites.

Constants are equal when all bits of their data are, whether it stands in the module or beside it
(as a resource). Loops and branches use the constants of the function around them; the bodies of
reductions, sorts and collectives, which are compiled on their own, keep theirs. Functions are
compared by what they compute, names and locations aside, and of equal ones the first stays.
Composites and calls without effects become one when operands and attributes are the same and they
stand in one block; MLIR's `cse` leaves those alone.
"""

from __future__ import annotations

from collections.abc import Container, Hashable
from dataclasses import dataclass, field
from hashlib import sha256

from dxir.call_graph import order
from dxir.constants import bytes_of, constant_type, stored_as
from dxir.editing import replace_with
from dxir.effects import (
    CALLEE_KEYS,
    callees,
    effectful_functions,
    has_effect,
    mentioned_below,
)
from dxir.errors import ArtifactError
from dxir.fingerprint import function_digests
from dxir.mlir import IrAttribute, IrOperation, ir
from dxir.pipeline.base import Pass, option
from dxir.reading import (
    attribute,
    attribute_names,
    function_around,
    function_name,
    functions,
    has_body,
    is_public,
    symbol,
    walk,
)
from dxir.resources import is_resource

_CONSTANT = "stablehlo.constant"
_CALLS = frozenset({"func.call", "stablehlo.composite"})
_OPEN = frozenset({"stablehlo.while", "stablehlo.if", "stablehlo.case"})


class ShareConstants(Pass, name="dxir-share-constants"):
    """Keep one of equal constants, private functions, composites and calls."""

    functions: bool = option("whether equal private functions become one", default=True)
    calls: bool = option("whether equal composites and calls in a block become one", default=True)

    def run(self, module: ir.Module) -> bool:
        found = _read(module)
        shared = {"constants": 0, "functions": 0, "calls": 0}
        with module.context:
            if self.functions:
                shared["functions"] = _merge_functions(module, found)
            shared["constants"] = _share_constants(found.constants)
            if self.calls:
                shared["calls"] = _share_calls(module, found.calls)
        for what, number in shared.items():
            if number:
                self.count(f"{what} shared", number)
        return any(shared.values())


@dataclass(slots=True)
class _Found:
    """The constants and calls of a module, and who refers to which function."""

    functions: dict[str, IrOperation] = field(default_factory=dict)
    constants: list[IrOperation] = field(default_factory=list)
    calls: list[IrOperation] = field(default_factory=list)
    references: dict[str, list[IrOperation]] = field(default_factory=dict)
    callees: dict[str, set[str]] = field(default_factory=dict)


def _read(module: ir.Module) -> _Found:
    found = _Found({function_name(f): f for f in functions(module)})
    called: set[str] = set()

    def visit(op: IrOperation) -> None:
        name = op.name
        if name == _CONSTANT:
            found.constants.append(op)
            return
        if name in _CALLS:
            found.calls.append(op)
        key = CALLEE_KEYS.get(name)
        if key is not None:
            callee = symbol(op, key)
            if callee is not None:
                called.add(callee)
                found.references.setdefault(callee, []).append(op)
        elif name != "func.func":
            called.update(callees(op))

    for op in module.body.operations:
        called = set()
        walk(op.operation, visit)
        if op.operation.name == "func.func":
            found.callees[function_name(op.operation)] = called
    return found


def _merge_functions(module: ir.Module, found: _Found) -> int:
    """Make one of each set of private functions that compute the same; how many are gone."""
    alike: dict[str, list[str]] = {}
    for name in _without_recursion(found):
        function = found.functions[name]
        if not is_public(function) and has_body(function):
            alike.setdefault(str(attribute(function, "function_type")), []).append(name)
    candidates = {name for names in alike.values() if len(names) > 1 for name in names}
    kept: dict[bytes, str] = {}
    gone: dict[str, str] = {}
    for name, digest in function_digests(
        module, [n for n in found.functions if n in candidates]
    ).items():
        first = kept.setdefault(digest, name)
        if first != name:
            gone[name] = first
    if not gone:
        return 0
    for name, first in gone.items():
        for op in found.references.get(name, ()):
            op.attributes[CALLEE_KEYS[op.name]] = ir.FlatSymbolRefAttr.get(first)
    for name in sorted(mentioned_below(module.operation, {}) & gone.keys()):
        ir.SymbolTable.replace_all_symbol_uses(name, gone[name], module.operation)
    _forget(found, gone)
    for name in gone:
        found.functions.pop(name).erase()
    return len(gone)


def _without_recursion(found: _Found) -> list[str]:
    """The functions from which no recursion is reached, callees before their callers."""
    calls = order(found.callees)
    reaching = set(calls.recursive)
    for name in calls.names:
        if not reaching.isdisjoint(found.callees[name]):
            reaching.add(name)
    return [name for name in calls.names if name not in reaching]


def _forget(found: _Found, gone: Container[str]) -> None:
    """Let go of the ops in functions that are to be erased."""

    def stays(op: IrOperation) -> bool:
        function = function_around(op)
        return function is None or function_name(function) not in gone

    found.constants = list(filter(stays, found.constants))
    found.calls = list(filter(stays, found.calls))
    found.references = {}


def _scope(op: IrOperation) -> ir.Block:
    """The outermost block whose values an op may use, loops and branches looked through."""
    block = op.block
    while block.owner.operation.name in _OPEN:
        block = block.owner.operation.block
    return block.region.blocks[0]


def _share_constants(constants: list[IrOperation]) -> int:
    """Make one of equal constants in each scope; how many are gone."""
    scopes = [_scope(op) for op in constants]
    keys = [(hash(scope), *_description(op)) for scope, op in zip(scopes, constants, strict=True)]
    data = _data_of_resources(constants, keys)
    first: dict[Hashable, int] = {}
    moved: set[int] = set()
    gone = 0
    for index, (op, key) in enumerate(zip(constants, keys, strict=True)):
        scope, type, value, said = key
        if value is None:
            continue  # complex, which the bindings cannot hand out
        kept = first.setdefault((scope, type, data.get((scope, type, value), value), said), index)
        if kept == index:
            continue
        if kept not in moved and constants[kept].block != scopes[kept]:
            constants[kept].move_before(scopes[kept].operations[0])
            moved.add(kept)
        replace_with(op, [constants[kept].results[0]])
        gone += 1
    return gone


def _description(op: IrOperation) -> tuple[ir.Type, IrAttribute | None, Hashable]:
    value = attribute(op, "value")
    said: Hashable = None
    if len(op.attributes) > 1:
        names = sorted(attribute_names(op))
        said = tuple((name, attribute(op, name)) for name in names if name != "value")
    return op.results[0].type, value, said


_Key = tuple[int, ir.Type, IrAttribute | None, Hashable]


def _data_of_resources(
    constants: list[IrOperation], keys: list[_Key]
) -> dict[tuple[int, ir.Type, IrAttribute | None], bytes]:
    """Digests of the data of constants that differ in how they are stored, at least."""
    groups: dict[tuple[int, ir.Type], dict[IrAttribute | None, IrOperation]] = {}
    resources: set[tuple[int, ir.Type]] = set()
    for op, (scope, type, value, _) in zip(constants, keys, strict=True):
        groups.setdefault((scope, type), {}).setdefault(value, op)
        if is_resource(op):
            resources.add((scope, type))
    found: dict[tuple[int, ir.Type, IrAttribute | None], bytes] = {}
    digests: dict[IrAttribute | None, bytes | None] = {}
    for scope, type in resources:
        stored = groups[scope, type]
        if len(stored) == 1:
            continue
        for value, op in stored.items():
            if value not in digests:
                digests[value] = _digest(op)
            digest = digests[value]
            if digest is not None:
                found[scope, type, value] = digest
    return found


def _digest(op: IrOperation) -> bytes | None:
    type = constant_type(op)
    if type is None or stored_as(type).bits < 8:
        return None  # how a resource holds less than a byte is not defined
    try:
        return sha256(bytes_of(op, type).data).digest()
    except ArtifactError:
        return None  # without data


def _share_calls(module: ir.Module, calls: list[IrOperation]) -> int:
    """Make one of equal composites and calls without effects in a block; how many are gone."""
    first: dict[Hashable, IrOperation] = {}
    effectful: Container[str] | None = None
    gone = 0
    for op in calls:
        said = tuple((name, attribute(op, name)) for name in sorted(attribute_names(op)))
        if any(value is None for _, value in said) or not len(op.results):
            continue
        operands = tuple(map(hash, op.operands))
        kept = first.setdefault((hash(op.block), op.name, operands, said), op)
        if kept is op:
            continue
        if effectful is None:
            effectful = effectful_functions(module)
        if has_effect(op, effectful):
            continue
        replace_with(op, list(kept.results))
        gone += 1
    return gone
