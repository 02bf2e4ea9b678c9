"""What in a program needs which version of StableHLO: all that must go for an older one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dxir.compatibility import MinimumVersion, minimum_version, write
from dxir.errors import DxirError
from dxir.mlir import IrLocation, IrOperation, IrType, clone_module, ir
from dxir.reading import (
    attribute,
    attribute_names,
    attribute_text,
    ops_below,
    symbol,
    used_values,
    walk,
)
from dxir.versions import Version, oldest_version

MOST_FEATURES = 50
"""How many features are told at most."""

_MOST_KINDS = 1000
_MOST_INNER = 50
_LONGEST = 200
_RETURN = "stablehlo.return"
_NUMBERS = re.compile(r"(?<![A-Za-z\d])\d+(?:, \d+)*")


@dataclass(frozen=True, slots=True)
class Feature:
    """An op, type or attribute of a program, and the oldest version that holds it.

    `where` is its first place, where that is known.
    """

    version: str
    kind: str
    feature: str
    where: str | None


def needed_versions(module: ir.Module) -> list[Feature]:
    """What needs more than the oldest version there is, the newest first.

    `module` is in the form that is written, as `dxir.artifact.prepare` makes it. Ops are tried one
    by one, those that differ in numbers alone once; of an op that is newer for its type and for
    itself, the type is told. Of a program with more than a thousand kinds of ops the first are
    looked at, and at most `MOST_FEATURES` are told.
    """
    found: dict[tuple[str, str], Feature] = {}
    for probe in _probes(module):
        needed = _needed(probe)
        if needed is not None and needed.kind is not None and needed.feature is not None:
            key = (needed.kind, needed.feature)
            found.setdefault(key, Feature(needed.version, *key, needed.where))
    newest_first = sorted(found.values(), key=lambda f: Version.parse(f.version), reverse=True)
    return newest_first[:MOST_FEATURES]


def _needed(probe: ir.Module) -> MinimumVersion | None:
    """What the module needs, if it is more than the oldest version, and there is one."""
    if write(clone_module(probe), str(oldest_version()), mixed=False)[0] is not None:
        return None
    try:
        return minimum_version(probe, mixed=False)
    except DxirError:
        return None


def _probes(module: ir.Module) -> Iterator[ir.Module]:
    """Modules of one op each, for all ops that are not alike, and for the types of functions."""
    ops: dict[tuple[str, ...], IrOperation] = {}
    types: dict[str, tuple[IrType, IrLocation]] = {}

    def visit(op: IrOperation) -> None:
        if op.name == "func.func":
            signature = ir.FunctionType(ir.TypeAttr(op.attributes["function_type"]).value)
            for type in (*signature.inputs, *signature.results):
                types.setdefault(_element(type), (type, op.location))
        elif len(ops) < _MOST_KINDS and op.name.startswith("stablehlo.") and op.name != _RETURN:
            ops.setdefault(_kind(op), op)

    walk(module, visit)
    yield from (_declaring(type, location) for type, location in types.values())
    yield from (_alone(op) for op in ops.values() if len(ops_below(op)) <= _MOST_INNER)


def _kind(op: IrOperation) -> tuple[str, ...]:
    """What ops that are alike share: all but shapes and numbers."""
    kind = [op.name, *dict.fromkeys(_element(v.type) for v in (*op.operands, *op.results)), ""]
    for key in attribute_names(op):
        value = attribute(op, key)
        if value is None or isinstance(value, (ir.DenseElementsAttr, ir.StringAttr)):
            kind.append(key)
        else:
            kind.append(f"{key}={_NUMBERS.sub('0', attribute_text(value))[:_LONGEST]}")
    return tuple(kind)


def _element(type: IrType) -> str:
    return str(type.element_type) if isinstance(type, ir.RankedTensorType) else str(type)


def _declaring(type: IrType, location: IrLocation) -> ir.Module:
    with type.context, location:
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            _function("probe", [type], [])
    return module


def _alone(op: IrOperation) -> ir.Module:
    """A module with a copy of the op; what it uses are arguments of a function."""
    used = list(used_values(op))
    types = [value.type for value in used]
    with op.context, op.location:
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            block = _function("probe", types, []).regions[0].blocks.append(*types)
            for name in filter(None, (symbol(op, key) for key in attribute_names(op))):
                operands = [value.type for value in op.operands]
                _function(name, operands, [result.type for result in op.results])
        with ir.InsertionPoint(block):
            copy = op.clone()
            ir.Operation.create("func.return")
        arguments = dict(zip(used, block.arguments, strict=True))
        for inner in (copy, *ops_below(copy)):
            for index, value in enumerate(inner.operands):
                if value in arguments:
                    inner.operands[index] = arguments[value]
    return module


def _function(name: str, inputs: Sequence[IrType], results: Sequence[IrType]) -> IrOperation:
    attributes = {
        "sym_name": ir.StringAttr.get(name),
        "sym_visibility": ir.StringAttr.get("private"),
        "function_type": ir.TypeAttr.get(ir.FunctionType.get(list(inputs), list(results))),
    }
    return ir.Operation.create("func.func", attributes=attributes, regions=1)
