"""Values that shapes are computed from, as far as they are known while shapes are refined.

A value is looked for through the ops that compute it, out of loops that do not change it, and in
and out of functions that are called from one place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dxir import expressions
from dxir.diagnostics import where_of
from dxir.mlir import IrOperation, IrType, IrValue, TypeCache, dense_elements, ir
from dxir.passes.shapes.custom_calls import (
    WRAPPER,
    make_static,
    shape_operands_of_call,
)
from dxir.passes.values.evaluating import Evaluator
from dxir.passes.values.exactness import is_candidate
from dxir.reading import (
    attribute,
    function_name,
    functions,
    ops_below,
    symbol,
    target_of,
    terminator,
    used_values,
)
from dxir.types import TensorType

Array = np.ndarray[Any, Any]

_LIMIT = 4096  # elements; no shape is computed from more
_DEEPEST = 200

_SHAPE_OPERANDS: dict[str, tuple[int, ...]] = {
    "chlo.dynamic_reshape": (1,),
    "stablehlo.dynamic_broadcast_in_dim": (1,),
    "stablehlo.dynamic_conv": (2,),
    "stablehlo.dynamic_gather": (2,),
    "stablehlo.dynamic_iota": (0,),
    "stablehlo.dynamic_pad": (2, 3, 4),
    "stablehlo.dynamic_reshape": (1,),
    "stablehlo.real_dynamic_slice": (1, 2, 3),
    "stablehlo.set_dimension_size": (1,),
}


def shape_operands(op: IrOperation) -> list[int]:
    """The operands of an op that its result's shape is read from."""
    if op.name == "stablehlo.custom_call":
        return [0] if is_assertion(op) else shape_operands_of_call(op)
    return list(_SHAPE_OPERANDS.get(op.name, ()))


def is_assertion(op: IrOperation) -> bool:
    """Whether an op asserts something about shapes."""
    return target_of(op) == expressions.SHAPE_ASSERTION


def assertion_text(op: IrOperation, known: KnownValues) -> str:
    """What a shape assertion says when it fails, with the sizes in it."""
    message = attribute(op, "error_message")

    def value(number: int) -> object:
        position = number + 1
        array = known.array(op.operands[position]) if position < len(op.operands) else None
        return None if array is None or array.size != 1 else array.item()

    return expressions.assertion_text(
        message.value if isinstance(message, ir.StringAttr) else None, value
    )


class KnownValues:
    """The known values of one module, between two changes of it."""

    def __init__(self, module: ir.Module) -> None:
        self._module = module
        self._evaluator = Evaluator(module, _LIMIT, inexact=False)
        self._known: dict[IrValue, Array | None] = {}
        self._types = TypeCache.of(module.context)
        self._functions = {function_name(f): f for f in functions(module)}
        self._calls: dict[str, list[IrOperation]] = {}
        for function in self._functions.values():
            for op in ops_below(function, ("func.call",)):
                self._calls.setdefault(symbol(op, "callee") or "", []).append(op)
        self._depth = 0

    def array(self, value: IrValue) -> Array | None:
        """The value, if it is known."""
        if value not in self._known:
            self._known[value] = None  # while it is looked for: a loop does not know itself
            self._depth += 1
            if self._depth < _DEEPEST:
                self._known[value] = self._find(value)
            self._depth -= 1
        return self._known[value]

    def make_static(self, op: IrOperation) -> bool:
        """Put a static op in the place of a custom call that stands for a dynamic one."""
        arrays = [a for i in shape_operands(op) for a in [self.array(op.operands[i])]]
        known = [a for a in arrays if a is not None]
        return len(known) == len(arrays) and make_static(op, known, self._functions)

    def put(self, op: IrOperation, operand: int) -> bool:
        """Put the constant in the place of an operand; False when it is one, or not known."""
        value = op.operands[operand]
        if _maker(value) == "stablehlo.constant":
            return False
        array = self.array(value)
        if array is None:
            return False
        type = TensorType.of_array(array)
        made = ir.Operation.create(
            "stablehlo.constant",
            results=[self._types.type(type)],
            attributes={"value": dense_elements(array, type, self._types)},
            ip=ir.InsertionPoint(op),
            loc=op.location,
        )
        op.operands[operand] = made.results[0]
        return True

    def reason(self, value: IrValue) -> str:
        """What an unknown value depends on, for a message."""
        for _ in range(_DEEPEST):
            owner = value.owner
            if isinstance(owner, ir.Block):
                source = self._source(value)
                if source is None:
                    return self._argument_text(value)
                value = source
                continue
            op = owner.operation
            inner = self._source(value)
            unknown = [v for v in op.operands if self.array(v) is None]
            if inner is not None:
                value = inner
            elif unknown and is_candidate(op.name):
                value = unknown[0]
            else:
                where = where_of(op.location)
                return f"the result of {op.name}" + (f" at {where}" if where else "")
        return "a long computation"

    def _argument_text(self, value: IrValue) -> str:
        argument = ir.BlockArgument(value)
        op = argument.owner.owner.operation
        if op.name != "func.func":
            where = where_of(op.location)
            return f"a value that changes in {op.name}" + (f" at {where}" if where else "")
        return f"argument {argument.arg_number} of @{function_name(op)}"

    def _find(self, value: IrValue) -> Array | None:
        if not _is_small(value.type):
            return None
        source = self._source(value)
        if source is not None:
            return self.array(source)
        if isinstance(value.owner, ir.Block):
            return None
        op = value.owner.operation
        if op.name == "stablehlo.constant":
            found = self._evaluator.constant(op)
            return None if found is None else found[0]
        if op.name == "stablehlo.get_dimension_size":
            return _dimension_size(op)
        values = list(used_values(op)) if is_candidate(op.name) else []
        if not values or not all(_is_small(v.type) for v in values):
            return None
        arrays = [a for v in values for a in [self.array(v)] if a is not None]
        if len(arrays) < len(values):
            return None
        evaluated = self._evaluator.op(op, values, arrays)
        return None if evaluated is None else evaluated.arrays[ir.OpResult(value).result_number]

    def _source(self, value: IrValue) -> IrValue | None:
        """Another value that is the same one: outside of a loop, or beyond a call."""
        owner = value.owner
        if isinstance(owner, ir.Block):
            argument = ir.BlockArgument(value)
            op = owner.owner.operation
            if op.name == "stablehlo.while":
                return _before_loop(op, argument.arg_number)
            if op.name == "func.func":
                calls = self._calls.get(function_name(op), [])
                return calls[0].operands[argument.arg_number] if len(calls) == 1 else None
            return None
        op = owner.operation
        number = ir.OpResult(value).result_number
        if op.name == "stablehlo.while":
            return _before_loop(op, number)
        if op.name == "stablehlo.optimization_barrier":
            return op.operands[number]
        if op.name == "func.call":
            callee = self._functions.get(symbol(op, "callee") or "")
            if callee is not None and len(callee.regions[0].blocks) == 1:
                return terminator(callee.regions[0].blocks[0]).operands[number]
        return None


def _before_loop(op: IrOperation, number: int) -> IrValue | None:
    """What a loop starts with at a place that its body leaves as it is."""
    block = op.regions[1].blocks[0]
    given = terminator(block).operands[number]
    return op.operands[number] if given == block.arguments[number] else None


def _maker(value: IrValue) -> str | None:
    return None if isinstance(value.owner, ir.Block) else value.owner.operation.name


def _is_small(type: IrType) -> bool:
    if not isinstance(type, ir.RankedTensorType):
        return False
    if not type.has_static_shape:
        return True
    return int(np.prod(type.shape, dtype=np.float64)) <= _LIMIT


def _given(value: IrValue) -> IrValue:
    """The value behind a call that only keeps an old type of it."""
    if isinstance(value.owner, ir.Block) or target_of(value.owner.operation) != WRAPPER:
        return value
    return value.owner.operation.operands[0]


def _dimension_size(op: IrOperation) -> Array | None:
    type = _given(op.operands[0]).type
    axis = attribute(op, "dimension")
    assert isinstance(axis, ir.IntegerAttr)
    if not isinstance(type, ir.RankedTensorType) or type.is_dynamic_dim(axis.value):
        return None
    return np.asarray(type.get_dim_size(axis.value), np.int32)
