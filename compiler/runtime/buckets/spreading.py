"""How far padding reaches in a program: along which axes of which values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from dxir.mlir import IrOperation, IrValue
from dxir.passes.shapes.known import is_assertion, shape_operands
from dxir.program import Program
from dxir.reading import function_name, functions, terminator, used_values
from dxir.runtime.buckets.rules import RULES
from dxir.runtime.buckets.sizes import parts_of
from dxir.runtime.buckets.states import SAME, Mixed, State, refusal

_ONE_FUNCTION = "chlo-legalize-to-stablehlo,shape-legalize-to-stablehlo,inline,symbol-dce"
_SEVERAL = ("stablehlo.if", "stablehlo.case")


def padded_results(
    program: Program, padded: Sequence[Mapping[int, str]]
) -> tuple[Mapping[int, str], ...]:
    """For each result of `main`, its axes that are padded when those of its parameters are.

    All other elements are what they would be without padding, whatever the padding holds. Raises
    TargetError naming the first op of which that is not known to be so.
    """
    flat = program.decompose().run_passes(_ONE_FUNCTION)
    main = next(f for f in functions(flat.module) if function_name(f) == "main")
    block = main.regions[0].blocks[0]
    names = " and ".join(sorted({name for axes in padded for name in axes.values()}))
    spreading = _Spreading(names)
    for argument, axes in zip(block.arguments, padded, strict=True):
        spreading.states[argument] = State(dict(axes))
    results = spreading.block(block)
    for state in results:
        if state.is_size:
            raise refusal(terminator(block), "gives a padded size as a result", names)
    return tuple(state.axes for state in results)


class _Spreading:
    def __init__(self, names: str) -> None:
        self.names = names
        self.states: dict[IrValue, State] = {}

    def state(self, value: IrValue) -> State:
        return self.states.get(value, SAME)

    def block(self, block: Any) -> list[State]:
        """Go through a block; the states of what it returns."""
        ops = [op.operation for op in block.operations]
        for op in ops[:-1]:
            try:
                found = self.op(op)
            except Mixed as error:
                raise refusal(op, str(error), self.names) from None
            for result, state in zip(op.results, found, strict=True):
                if state is not SAME:
                    self.states[result] = state
        return [self.state(v) for v in ops[-1].operands]

    def op(self, op: IrOperation) -> Sequence[State]:
        operands = [self.state(v) for v in op.operands]
        parts = parts_of(op, operands)
        if parts is not None:
            return [State({}, parts)]
        if all(self.state(v).is_same for v in used_values(op)):
            return [SAME] * len(op.results)
        if is_assertion(op):
            return []  # it is checked for the true sizes
        if op.name in _SEVERAL:
            return self._branches(op)
        if op.name == "stablehlo.while":
            return self._loop(op)
        rule = RULES.get(op.name)
        if rule is None:
            raise Mixed("is not known to keep padding apart")
        captured = Counter(used_values(op)) - Counter(op.operands)
        if not all(self.state(v).is_same for v in captured):
            raise Mixed("uses padded values in its regions")
        taken = shape_operands(op)
        if any(s.is_size for i, s in enumerate(operands) if i not in taken):
            raise Mixed("computes with the size of a padded dimension")
        return rule(op, operands)

    def _branches(self, op: IrOperation) -> Sequence[State]:
        if not self.state(op.operands[0]).is_same:
            raise Mixed("depends on padded values")
        first, *others = [
            [_lasting(s) for s in self.block(region.blocks[0])] for region in op.regions
        ]
        if any(other != first for other in others):
            raise Mixed("gives padded values in some of its branches only")
        return first

    def _loop(self, op: IrOperation) -> Sequence[State]:
        given = [_lasting(self.state(v)) for v in op.operands]
        condition, body = (region.blocks[0] for region in op.regions)
        for block in (condition, body):
            for argument, state in zip(block.arguments, given, strict=True):
                self.states[argument] = state
        if not all(state.is_same for state in self.block(condition)):
            raise Mixed("runs as often as padded values say")
        if [_lasting(s) for s in self.block(body)] != given:
            raise Mixed("has values that are padded in some of its rounds only")
        return given


def _lasting(state: State) -> State:
    """What is known of a value whichever branch or round it comes from."""
    return state if state.is_size else State(state.axes)
