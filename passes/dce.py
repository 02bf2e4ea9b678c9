"""Remove what nothing needs, across loops, calls and composites, which MLIR's own passes leave.

Gone are: ops without effects whose results nobody uses, composites and calls among them; loop
variables, results of branches, reductions and sorts that nothing else depends on; the private
functions left over, and of the others the parameters and results that no call uses. What stays:
effects (collectives, random state, custom calls that say so, ops of unknown dialects), the types of
public functions, and the operands and results of composites, which kernels are matched by.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from dxir.editing import set_signature
from dxir.effects import erase_unreferenced
from dxir.mlir import IrOperation, ir, sdy
from dxir.parameters import drop_parameters
from dxir.passes.liveness import SLOTS, Liveness, key_of
from dxir.pipeline.base import Pass, option
from dxir.reading import (
    SHARDING,
    attribute,
    attributes_of,
    is_used,
    signature,
    symbol,
    walk,
)


class Dce(Pass, name="dxir-dce"):
    """Remove dead composites, calls, loop variables, results, parameters and functions."""

    signatures: bool = option(
        "whether private functions lose the parameters and results that no call uses", default=True
    )

    def run(self, module: ir.Module) -> bool:
        changed = False
        again = True
        while again:
            alive = Liveness(module, fixed=not self.signatures)
            again = alive.fitted
            with module.context:
                removed = _Removal(alive).run()
            rest = alive.functions.keys() - alive.reached
            removed["functions"] = len(erase_unreferenced(module, rest))
            for what, number in removed.items():
                if number:
                    self.count(f"{what} removed", number)
            again = again and any(removed.values())
            changed = changed or any(removed.values())
        return changed


class _Removal:
    """Takes out what is dead.

    An op that loses results is made anew beside the old one, which stays until all dead users of
    its results are gone; block arguments go last.
    """

    def __init__(self, alive: Liveness) -> None:
        self.alive = alive
        self.dead: list[IrOperation] = []
        self.shrinking: list[IrOperation] = []
        self.signatures = {
            name: kept
            for name in alive.functions
            if name in alive.reached and (kept := _signature(name, alive)) is not None
        }
        self.arguments: list[tuple[ir.Block, list[int]]] = []
        self.slots = 0

    def run(self) -> dict[str, int]:
        """How much was removed, by what it was."""
        for name, function in self.alive.functions.items():
            if name in self.alive.reached:
                self._find(function)
        ops = len(self.dead) - len(self.shrinking)
        for op in self.shrinking:
            if op.name == "func.call":
                self._shrink_call(op)
            else:
                self._shrink_slots(op)
        for name, (_, results) in self.signatures.items():
            function = self.alive.functions[name]
            for end in self.alive.ends(function):
                _yield_only(end, results)
        self.alive.forget()
        self._erase()
        for block, arguments in self.arguments:
            for number in reversed(range(len(block.arguments))):
                if number not in arguments:
                    block.erase_argument(number)
        lost = [
            _shrink_signature(self.alive.functions[name], *kept)
            for name, kept in self.signatures.items()
        ]
        return {
            "ops": ops,
            "results of loops, branches and reductions": self.slots,
            "parameters": sum(parameters for parameters, _ in lost),
            "results of functions": sum(results for _, results in lost),
        }

    def _find(self, function: IrOperation) -> None:
        """Note the dead ops of a function and those to shrink, each after what it depends on."""
        ops, slots = self.alive.ops, self.alive.slots

        def visit(op: IrOperation) -> ir.WalkResult | None:
            key = key_of(op)
            if key is not None and key not in ops:
                if op.name == "func.func":
                    return None
                self.dead.append(op)
                return ir.WalkResult.SKIP
            if key in slots:
                shrinks = len(slots[key]) < len(op.results)
            else:
                shrinks = op.name == "func.call" and symbol(op, "callee") in self.signatures
            if shrinks:
                self.shrinking.append(op)
                self.dead.append(op)
            return None

        walk(function, visit)

    def _shrink_slots(self, op: IrOperation) -> None:
        count, shape = len(op.results), SLOTS[op.name]
        kept = sorted(self.alive.slots[key_of(op) or 0])
        self.slots += count - len(kept)
        for index, end in enumerate(self.alive.ends(op)):
            if index != shape.control:
                _yield_only(end, kept)
        lost = {i for slot in range(count) if slot not in kept for i in shape.operands(slot, count)}
        operands = [i for i in range(len(op.operands)) if i not in lost]
        made = _with_less(op, operands, kept)
        for old, new in zip(op.regions, made.regions, strict=True):
            for block in list(old.blocks):
                block.append_to(new)
                arguments = range(len(block.arguments))
                found = [a for a in arguments if shape.of_argument(a, count) in kept]
                self.arguments.append((block, found))

    def _shrink_call(self, op: IrOperation) -> None:
        _with_less(op, *self.signatures[symbol(op, "callee") or ""])

    def _erase(self) -> None:
        pending = self.dead
        pending.reverse()
        while pending:
            # Within control flow between blocks, a user may stand before what it uses.
            used: list[IrOperation] = []
            for op in pending:
                if any(map(is_used, op.results)):
                    used.append(op)
                else:
                    op.erase()
            assert len(used) < len(pending), "dead ops that live ones use"
            pending = used


def _signature(name: str, alive: Liveness) -> tuple[list[int], list[int]] | None:
    """The parameters and results that a function keeps; None when it keeps all."""
    if name in alive.fixed:
        return None
    parameters, results = sorted(alive.parameters[name]), sorted(alive.results[name])
    type = signature(alive.functions[name])
    if len(parameters) == len(type.inputs) and len(results) == len(type.results):
        return None
    return parameters, results


def _yield_only(end: IrOperation, kept: Sequence[int]) -> None:
    """Have the op that ends a block yield less."""
    operands = list(end.operands)
    ir.Operation.create(
        end.name,
        operands=[operands[i] for i in kept],
        attributes=attributes_of(end),
        loc=end.location,
        ip=ir.InsertionPoint(end),
    )
    end.erase()


def _with_less(op: IrOperation, operands: Sequence[int], results: Sequence[int]) -> IrOperation:
    """The op with some operands and results only, before it; the blocks are still to be moved."""
    given, old = list(op.operands), list(op.results)
    attributes = attributes_of(op)
    if SHARDING in attributes and results:
        shardings = sdy.TensorShardingPerValueAttr(attributes[SHARDING]).shardings
        attributes[SHARDING] = sdy.TensorShardingPerValueAttr.get([shardings[i] for i in results])
    elif SHARDING in attributes:
        del attributes[SHARDING]
    made = ir.Operation.create(
        op.name,
        results=[old[i].type for i in results],
        operands=[given[i] for i in operands],
        attributes=attributes,
        regions=len(op.regions),
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    for index, result in zip(results, made.results, strict=True):
        old[index].replace_all_uses_with(result)
    return made


def _shrink_signature(
    function: IrOperation, parameters: Collection[int], results: Sequence[int]
) -> tuple[int, int]:
    """Take parameters and results from a function; how many of each."""
    block = function.regions[0].blocks[0]
    lost = [n for n in range(len(block.arguments)) if n not in parameters]
    if lost:
        drop_parameters(function, lost)
    type = signature(function)
    old = type.results
    set_signature(function, type.inputs, [old[i] for i in results])
    said = attribute(function, "res_attrs")
    if isinstance(said, ir.ArrayAttr) and len(results) < len(old):
        entries = list(said)
        function.attributes["res_attrs"] = ir.ArrayAttr.get([entries[i] for i in results])
    return len(lost), len(old) - len(results)
