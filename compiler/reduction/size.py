"""How large a program is, as reduction sees it, so that of two it can be told which is simpler."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dxir.mlir import IrAttribute, IrOperation, IrType, ir
from dxir.reading import attribute, has_body, is_public, signature, walk
from dxir.reduction.literals import CONSTANT, weight

_DYNAMIC = 1 << 20  # a size that is not known counts as much as a large one
_NOT_COUNTED = frozenset({"builtin.module", "func.func", "func.return", "stablehlo.return"})


@dataclass(frozen=True, order=True, slots=True)
class Size:
    """The size of a program: of two, the one that is less is simpler; the first fields weigh most.

    `ops` leaves out constants and what ends blocks. `ends` are the parameters and results of the
    functions that can be called from outside, `elements` those of all values, `data` says how
    complicated constants are, `notes` counts attributes and `places` known locations.
    """

    functions: int = 0
    ops: int = 0
    constants: int = 0
    ends: int = 0
    elements: int = 0
    data: int = 0
    notes: int = 0
    places: int = 0

    @property
    def all_ops(self) -> int:
        """How many ops there are, constants among them, but what ends blocks."""
        return self.ops + self.constants


class _Count:
    def __init__(self, module: ir.Module) -> None:
        self.functions = self.ops = self.constants = self.ends = 0
        self.elements = self.data = self.notes = self.places = 0
        self.unknown = ir.Location.unknown(module.context)
        self.types: dict[IrType, int] = {}

    def visit(self, op: IrOperation) -> None:
        name = op.name
        if name == CONSTANT:
            self.constants += 1
            self.data += weight(op)
        elif name == "func.func":
            self.functions += 1
            self._signature(op)
        elif name not in _NOT_COUNTED:
            self.ops += 1
        self.elements += sum(self._elements(result.type) for result in op.results)
        self.notes += len(op.attributes)
        self.places += op.location != self.unknown

    def _signature(self, function: IrOperation) -> None:
        type = signature(function)
        self.elements += sum(map(self._elements, type.inputs))
        for name in ("arg_attrs", "res_attrs"):
            self.notes += _entries(attribute(function, name))
        if is_public(function) and has_body(function):
            self.ends += len(type.inputs) + len(type.results)

    def _elements(self, type: IrType) -> int:
        found = self.types.get(type)
        if found is None:
            found = 0
            if isinstance(type, ir.RankedTensorType):
                dims = range(type.rank)
                found = math.prod(
                    _DYNAMIC if type.is_dynamic_dim(d) else type.get_dim_size(d) for d in dims
                )
                # Of two shapes with as many elements, that with the shorter sides is simpler.
                found += type.rank
            self.types[type] = found
        return found


def _entries(given: IrAttribute | None) -> int:
    if not isinstance(given, ir.ArrayAttr):
        return 0
    return sum(len(entry) for entry in given if isinstance(entry, ir.DictAttr))


def size_of(module: ir.Module) -> Size:
    """The size of a module."""
    count = _Count(module)
    walk(module, count.visit)
    return Size(
        count.functions,
        count.ops,
        count.constants,
        count.ends,
        count.elements,
        count.data,
        count.notes,
        count.places,
    )
