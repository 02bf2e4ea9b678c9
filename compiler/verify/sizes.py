"""Which sizes of a program depend on data, and not on the shapes of its arguments alone."""

from __future__ import annotations

import re
from collections.abc import Iterable

from dxir.call_graph import order
from dxir.mlir import IrOperation, IrType, IrValue, ir
from dxir.reading import attribute, function_name, is_public, symbol, target_of, used_values, walk
from dxir.structure import Calls

SIZE_OPERANDS: dict[str, slice] = {
    "stablehlo.dynamic_broadcast_in_dim": slice(1, 2),
    "stablehlo.dynamic_conv": slice(2, 3),
    "stablehlo.dynamic_gather": slice(2, 3),
    "stablehlo.dynamic_iota": slice(0, 1),
    "stablehlo.dynamic_pad": slice(2, 5),
    "stablehlo.dynamic_reshape": slice(1, 2),
    "stablehlo.real_dynamic_slice": slice(1, 4),
    "stablehlo.rng": slice(2, 3),
    "stablehlo.set_dimension_size": slice(1, 2),
    "chlo.dynamic_reshape": slice(1, 2),
    "tensor.reshape": slice(1, 2),
}
"""The operands by which ops are told the sizes of their results."""

_OF_SHAPES = frozenset(
    {"stablehlo.get_dimension_size", "shape.shape_of", "tensor.dim", "tensor.rank", "shape.dim"}
)
_SOURCES = frozenset(
    f"stablehlo.{name}"
    for name in ("infeed", "partition_id", "recv", "replica_id", "rng", "rng_bit_generator")
)
_BOUNDS = re.compile(r"bounds<([^<>]*)>")
_CALL = "func.call"
_SHAPES = "indices_of_shape_operands"
_DYNAMIC = "stablehlo.dynamic_"
"""How the targets begin that are ops of dynamic shapes which StableHLO is to have."""


def is_unbounded(type: IrType) -> bool:
    """Whether a type has a dimension of unknown size, for which it states no bound."""
    if isinstance(type, ir.TupleType):
        return any(is_unbounded(type.get_type(i)) for i in range(type.num_types))
    if not isinstance(type, ir.RankedTensorType) or type.has_static_shape:
        return False
    stated = _BOUNDS.search(str(type.encoding))
    bounds = [] if stated is None else stated[1].split(", ")
    # Dimensions of a known size have no bound to state.
    return len(bounds) != type.rank or any(
        bound == "?" and type.is_dynamic_dim(i) for i, bound in enumerate(bounds)
    )


def data_sized(functions: dict[str, IrOperation], calls: Calls) -> list[IrOperation]:
    """The ops whose results have sizes that depend on data, in order, callers first.

    What the parameters of a public function hold is data, and what a generator or another device
    gives; the sizes of all values are not, nor is what is computed from these.
    """
    looking = _Looking()
    for name in reversed(order(calls.edges).names):
        function = functions.get(name)
        if function is not None:
            looking.function(function)
    return looking.found


class _Looking:
    def __init__(self) -> None:
        self.found: list[IrOperation] = []
        self._data: set[IrValue] = set()
        self._passed: dict[str, list[bool]] = {}

    def function(self, function: IrOperation) -> None:
        """Look at a function; those that call it were looked at before."""
        if not len(function.regions[0].blocks):
            return
        passed = self._passed.get(function_name(function))
        for i, argument in enumerate(function.regions[0].blocks[0].arguments):
            if is_public(function) or passed is None or (i < len(passed) and passed[i]):
                self._data.add(argument)
        walk(function, self._visit)

    def _visit(self, op: IrOperation) -> None:
        name = op.name
        if name == "func.func":
            return
        if name == _CALL:
            self._call(op)
        if len(op.regions):
            self._enter(op)
        told_by = _size_operands(op)
        if told_by is None:
            if name == "stablehlo.custom_call" and any(is_unbounded(r.type) for r in op.results):
                self.found.append(op)
        elif any(v in self._data for v in told_by) and any(
            is_unbounded(r.type) for r in op.results
        ):
            self.found.append(op)
        if name == "stablehlo.return":
            self._leave(op)
        elif name in _SOURCES or (name not in _OF_SHAPES and self._takes_data(op)):
            self._data.update(op.results)

    def _takes_data(self, op: IrOperation) -> bool:
        if op.name == "stablehlo.while":
            return False  # result by result
        values: Iterable[IrValue] = used_values(op) if len(op.regions) else op.operands
        return any(value in self._data for value in values)

    def _call(self, op: IrOperation) -> None:
        given = [value in self._data for value in op.operands]
        callee = symbol(op, "callee") or ""
        known = self._passed.setdefault(callee, given)
        self._passed[callee] = [a or b for a, b in zip(known, given, strict=True)]

    def _enter(self, op: IrOperation) -> None:
        """Regions of a loop take the operands one by one; those of others, elements of any."""
        operands = [value in self._data for value in op.operands]
        loops = op.name == "stablehlo.while"
        if loops:
            self._data.update(r for r, is_data in zip(op.results, operands, strict=True) if is_data)
        for region in op.regions:
            for block in region.blocks:
                for i, argument in enumerate(block.arguments):
                    if operands[i] if loops else any(operands):
                        self._data.add(argument)

    def _leave(self, op: IrOperation) -> None:
        """What the body of a loop gives is data where it is made of data."""
        parent = op.parent
        if parent is None or parent.operation.name != "stablehlo.while":
            return
        results = parent.operation.results
        if len(results) == len(op.operands):
            for result, value in zip(results, op.operands, strict=True):
                if value in self._data:
                    self._data.add(result)


def _size_operands(op: IrOperation) -> list[IrValue] | None:
    """The operands that say sizes; none of an op that has no such; None where that is unknown."""
    if op.name == "stablehlo.custom_call":
        given = attribute(op, _SHAPES)
        if given is None:
            return [] if target_of(op).startswith(_DYNAMIC) else None
        if isinstance(given, ir.DenseIntElementsAttr):
            return [op.operands[int(i)] for i in given if 0 <= int(i) < len(op.operands)]
        return []
    part = SIZE_OPERANDS.get(op.name)
    return [] if part is None else list(op.operands)[part]
