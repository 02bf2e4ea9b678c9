"""Narrowing the ops of one function, each value kept in at most two forms.

A value that was f32 has a narrow form, a wide one, or both; the missing one is a convert right
after the value is made, written the first time something asks for it. So a value is converted once
however many use it, and a narrow value that was widened is never narrowed again.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from dxir.elements import elements_of
from dxir.mlir import IrAttribute, IrOperation, IrType, IrValue, ir
from dxir.passes.precision.body import CALLS, OPEN, Body, callee_of
from dxir.passes.precision.converts import converted, copied
from dxir.passes.precision.policy import (
    CONTRACTIONS,
    MOVEMENT,
    Policy,
    is_accurate,
    reason_to_keep,
)
from dxir.passes.precision.types import Types
from dxir.reading import attribute, function_name, is_used

_NEUTRAL_DEPTH = 16

_EDGES = frozenset({"sdy.data_flow_edge", "sdy.func_data_flow_edge"})

State = Literal["prefer", "neutral"]


@dataclass(slots=True)
class Result:
    """What narrowing a function did: numbers of ops, and constants that did not fit."""

    narrowed: int = 0
    converts: int = 0
    kept: list[tuple[IrOperation, str]] = field(default_factory=list)


class Narrowing:
    """The rewriting of one function."""

    def __init__(
        self,
        body: Body,
        policy: Policy,
        types: Types,
        *,
        left: Container[str],
        changed: Container[str],
    ) -> None:
        self.body, self.policy, self.types = body, policy, types
        self.left = left  # the functions that are left alone
        self.changed = changed  # the functions whose signature is narrow
        self.entry = body.function.regions[0].blocks[0]
        self.floats: set[int] = set()  # the values that were f32 in the beginning
        self.states: dict[int, State] = {}
        self.narrow: dict[int, IrValue] = {}
        # Of values whose own type is narrow now; None until it is made.
        self.wide: dict[int, IrValue | None] = {}
        self.depth: dict[int, int] = {}
        self.constants: dict[int, IrAttribute] = {}
        self.unfit: set[int] = set()
        self.dead: list[IrOperation] = []
        self.result = Result()

    def wanted(self, callees: Mapping[str, Sequence[bool]]) -> set[int]:
        """The values that something would take in their narrow form.

        `callees` says it of the parameters of functions. What only ops in f32 use is not worth
        rounding before: so sums of squares, and scores on their way into a softmax, stay f32.
        """
        found: set[int] = set()
        for op, name, closed in reversed(self.body.ops):
            if closed:
                continue
            if name in CALLS:
                flags = callees.get(callee_of(op, name), ())
                found.update(hash(v) for v, f in zip(op.operands, flags, strict=False) if f)
                continue
            kind = self.policy.class_of(name)
            if (
                kind == "allow"
                or name == "func.return"
                or (kind == "follow" and any(hash(r) in found for r in op.results))
            ):
                found.update(hash(v) for v in op.operands)
        return found

    def run(self, parameters: Sequence[bool], wanted: set[int]) -> dict[IrOperation, list[bool]]:
        """Rewrite the function, whose `parameters` prefer to be narrow or not.

        Gives the calls in it, and which of their operands prefer to be narrow.
        """
        function = self.body.function
        calls: dict[IrOperation, list[bool]] = {}
        arguments = list(function.regions[0].blocks[0].arguments)
        narrow_signature = function_name(function) in self.changed
        for argument, prefers in zip(arguments, parameters, strict=True):
            type = self.types.narrow(argument.type, function)
            if type is not None:
                self.floats.add(hash(argument))
            if type is not None and prefers:
                self.states[hash(argument)] = "prefer"
            if type is not None and narrow_signature and not _is_scalar(type):
                argument.set_type(type)
                self._is_narrow(argument)
        for op, name, closed in self.body.ops:
            self._op(op, name, closed, wanted, calls)
        for op in reversed(self.dead):
            if not any(map(is_used, op.results)):
                op.erase()
        return calls

    def _op(
        self,
        op: IrOperation,
        name: str,
        closed: bool,
        wanted: set[int],
        calls: dict[IrOperation, list[bool]],
    ) -> None:
        results: list[IrValue] = list(op.results)
        types: list[IrType | None] = []
        for result in results:
            type = self.types.narrow(result.type, op)
            types.append(type)
            if type is not None:
                self.floats.add(hash(result))
        operands: list[IrValue] = list(op.operands)
        if closed:
            self._keep(op, operands)
        elif name == "stablehlo.constant":
            self._constant(op, results[0], types[0])
        elif name == "stablehlo.convert":
            self._convert(op, operands[0], results[0])
        elif name in CALLS:
            calls[op] = [hash(v) in self.states for v in operands]
            self._call(op, callee_of(op, name), operands, results, types)
        elif name in _EDGES:
            self._edge(operands[0], results[0], types[0])
        elif name == "func.return":
            self._pass(op, operands, function_name(self.body.function))
        else:
            kind = self.policy.class_of(name)
            if kind == "allow":
                self._allowed(op, name, operands, results, types)
            elif kind == "follow" and types and types[0] is not None:
                self._follow(op, name, operands, results[0], types[0], wanted)
            else:
                self._keep(op, operands)
            if name in OPEN:
                self._enter(op)

    def _edge(self, operand: IrValue, result: IrValue, type: IrType | None) -> None:
        """Type an op that must stand right after what it takes by that."""
        state = self.states.get(hash(operand))
        if type is not None and state is not None:
            self.states[hash(result)] = "prefer"
        if type is not None and hash(operand) in self.wide:
            result.set_type(type)
            self._is_narrow(result)

    def _enter(self, op: IrOperation) -> None:
        """Note what the regions of an op take."""
        for region in op.regions:
            for block in region.blocks:
                for argument in block.arguments:
                    if self.types.narrow(argument.type, op) is not None:
                        self.floats.add(hash(argument))

    def _allowed(
        self,
        op: IrOperation,
        name: str,
        operands: list[IrValue],
        results: list[IrValue],
        types: list[IrType | None],
    ) -> None:
        reason = reason_to_keep(op) if name in CONTRACTIONS else None
        if reason is None and any(hash(v) in self.unfit for v in operands):
            reason = f"a constant it takes does not fit into {self.types.dtype.name}"
        if reason is not None:
            self.result.kept.append((op, reason))
            self._keep(op, operands)
            return
        floats = self._f32_of(operands)
        if floats:
            self._take(op, floats)
            self.result.narrowed += 1
        for result, type in zip(results, types, strict=True):
            if type is None:
                continue
            self.states[hash(result)] = "prefer"
            if name not in CONTRACTIONS:
                result.set_type(type)
                self._is_narrow(result)

    def _follow(
        self,
        op: IrOperation,
        name: str,
        operands: list[IrValue],
        result: IrValue,
        type: IrType,
        wanted: set[int],
    ) -> None:
        floats = self._f32_of(operands)
        states = {self.states.get(hash(v)) for _, v in floats}
        if None in states or not states or is_accurate(op):
            self._keep(op, operands)
        elif states == {"neutral"}:
            self._keep(op, operands)
            depth = 1 + max(self.depth.get(hash(v), 0) for _, v in floats)
            if name in MOVEMENT and depth < _NEUTRAL_DEPTH:
                self.states[hash(result)] = "neutral"
                self.depth[hash(result)] = depth
        elif hash(result) not in wanted:
            self._keep(op, operands)
            self.states[hash(result)] = "prefer"
        else:
            self._take(op, floats)
            result.set_type(type)
            self.states[hash(result)] = "prefer"
            self._is_narrow(result)
            self.result.narrowed += 1

    def _call(
        self,
        op: IrOperation,
        callee: str,
        operands: list[IrValue],
        results: list[IrValue],
        types: list[IrType | None],
    ) -> None:
        floats = [self.states.get(hash(v)) for _, v in self._f32_of(operands)]
        prefers = None not in floats and "prefer" in floats and callee not in self.left
        self._pass(op, operands, callee)
        for result, type in zip(results, types, strict=True):
            if type is None:
                continue
            changed = callee in self.changed and not _is_scalar(type)
            if prefers or changed:
                self.states[hash(result)] = "prefer"
            if changed:
                result.set_type(type)
                self._is_narrow(result)

    def _constant(self, op: IrOperation, result: IrValue, type: IrType | None) -> None:
        if type is None:
            return
        value = attribute(op, "value")
        if value is None or elements_of(value) is None:  # a resource: weights
            self.states[hash(result)] = "prefer"
            return
        rounded = self.types.constant(value)
        if rounded is None:
            self.unfit.add(hash(result))
            return
        self.states[hash(result)] = "neutral"
        self.constants[hash(result)] = rounded

    def _convert(self, op: IrOperation, operand: IrValue, result: IrValue) -> None:
        key, element = hash(operand), self.types.element
        if key not in self.wide and _holds(operand.type, element):
            if self.types.narrow(result.type, op) is not None:
                # Somebody wants f32 from here on, so nothing follows; but a product may take it.
                self.narrow[hash(result)] = operand
        elif _holds(result.type, element) and (key in self.states or key in self.narrow):
            result.replace_all_uses_with(self._narrow_form(operand))
            self.dead.append(op)
        else:
            self._keep(op, [operand])

    def _is_narrow(self, value: IrValue) -> None:
        """Note that the value, once f32, is of the narrow type itself now."""
        self.narrow[hash(value)] = value
        self.wide[hash(value)] = None

    def _f32_of(self, operands: list[IrValue]) -> list[tuple[int, IrValue]]:
        """The operands that were f32 in the beginning, and their numbers."""
        return [(i, v) for i, v in enumerate(operands) if hash(v) in self.floats]

    def _take(self, op: IrOperation, floats: list[tuple[int, IrValue]]) -> None:
        """Give an op some of its operands in their narrow forms."""
        slots = op.operands
        for index, value in floats:
            slots[index] = self._narrow_form(value)

    def _pass(self, op: IrOperation, operands: list[IrValue], function: str) -> None:
        """Give a call, or the end of a function, operands as the function's signature has them."""
        if function not in self.changed:
            self._keep(op, operands)
            return
        for index, value in enumerate(operands):
            if hash(value) in self.floats and not _is_scalar(value.type):
                op.operands[index] = self._narrow_form(value)
            elif hash(value) in self.wide:
                op.operands[index] = self._wide_form(value)

    def _keep(self, op: IrOperation, operands: list[IrValue]) -> None:
        """Give an op its operands in f32."""
        wide = self.wide
        if not wide:
            return
        for index, value in enumerate(operands):
            if hash(value) in wide:
                op.operands[index] = self._wide_form(value)

    def _narrow_form(self, value: IrValue) -> IrValue:
        found = self.narrow.get(hash(value))
        if found is None:
            found = self.narrow[hash(value)] = self._make_narrow(value)
        return found

    def _make_narrow(self, value: IrValue) -> IrValue:
        owner = value.owner
        if not isinstance(owner, ir.Block) and self.states.get(hash(value)) == "neutral":
            return self._narrow_copy(owner.operation, value)
        type = self.types.narrow(value.type, self.body.function)
        assert type is not None
        return self._converted(value, type)

    def _narrow_copy(self, op: IrOperation, value: IrValue) -> IrValue:
        """A constant, or what moves the elements of one, once more with narrow elements."""
        rounded = self.constants.get(hash(value))
        if rounded is not None:
            self.dead.append(op)
            return copied(op, rounded.type, (), {**dict(op.attributes.items()), "value": rounded})
        type = self.types.narrow(value.type, op)
        assert type is not None
        given = [self._narrow_form(v) if hash(v) in self.floats else v for v in op.operands]
        self.dead.append(op)  # after what it takes: it is erased before
        return copied(op, type, given, dict(op.attributes.items()))

    def _wide_form(self, value: IrValue) -> IrValue:
        found = self.wide[hash(value)]
        if found is None:
            type = self.types.widened(value.type)
            found = self.wide[hash(value)] = self._converted(value, type)
        return found

    def _converted(self, value: IrValue, type: IrType) -> IrValue:
        self.result.converts += 1
        owner = value.owner
        if not isinstance(owner, ir.Block):
            return converted(value, type, ir.InsertionPoint.after(owner.operation))
        # In a function after the converts that are there already.
        first = self.body.ops[0][0] if owner == self.entry else owner.operations[0]
        return converted(value, type, ir.InsertionPoint(first))


def _is_scalar(type: IrType) -> bool:
    return isinstance(type, ir.RankedTensorType) and type.rank == 0


def _holds(type: IrType, element: IrType) -> bool:
    return isinstance(type, ir.RankedTensorType) and type.element_type == element
