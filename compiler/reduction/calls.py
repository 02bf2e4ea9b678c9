"""Whole functions: left out, or put in the place of the calls and composites that name them."""

from __future__ import annotations

from collections.abc import Sequence

from dxir.call_graph import order
from dxir.editing import replace_with
from dxir.effects import callees, callees_below, erase_unreferenced
from dxir.mlir import IrOperation, IrValue, inlined_call, ir
from dxir.passes.decomposition.expanding import expand
from dxir.reading import (
    function_name,
    functions,
    has_body,
    is_public,
    is_used,
    ops_below,
    symbol,
    terminator,
)
from dxir.reduction.literals import literal
from dxir.reduction.places import main_of
from dxir.reduction.search import InChunks

_CALL, _COMPOSITE = "func.call", "stablehlo.composite"
_MOST_OPS = 200_000


class DropFunctions(InChunks[str]):
    """Functions; what calls them gives zeros instead."""

    name = "functions"

    def sites(self, module: ir.Module) -> list[str]:
        main = main_of(module)  # the last to go
        return sorted((function_name(f) for f in functions(module)), key=lambda n: n == main)

    def apply(self, module: ir.Module, sites: Sequence[str]) -> bool:
        doomed = set(sites)
        if all(function_name(f) in doomed for f in functions(module) if is_public(f)):
            doomed.discard(main_of(module) or "")  # there is to be something to run
        for function in functions(module):
            if function_name(function) not in doomed:
                for op in reversed(ops_below(function)):
                    if not doomed.isdisjoint(callees(op)) and not _blank(op):
                        return False
        # Those that only each other name go with those that nothing names.
        return bool(erase_unreferenced(module, doomed))


def _blank(op: IrOperation) -> bool:
    """Put zeros in the place of an op; False when there are none of its types."""
    values: list[IrValue] = []
    for result in op.results:
        value = literal(result.type, 0, op) if is_used(result) else result
        if value is None:
            return False
        values.append(value)
    for result, value in zip(op.results, values, strict=True):
        if value != result:
            result.replace_all_uses_with(value)
    op.erase()
    return True


class Inline(InChunks[str]):
    """Functions copied to where they are called, and into composites that decompose into them."""

    name = "calls and composites"

    def sites(self, module: ir.Module) -> list[str]:
        edges = {function_name(f): callees_below(f) for f in functions(module)}
        found = order(edges)
        called = {name for names in edges.values() for name in names}
        bodied = {function_name(f) for f in functions(module) if _is_simple(f)}
        return [n for n in found.names if n in called & bodied and n not in found.recursive]

    def apply(self, module: ir.Module, sites: Sequence[str]) -> bool:
        known = {function_name(f): f for f in functions(module)}
        wanted = [name for name in sites if name in known]
        if _grown(known, wanted) > _MOST_OPS:
            return False
        done = False
        for name in wanted:  # each after those that it calls
            for function in known.values():
                for op in ops_below(function, (_CALL, _COMPOSITE)):
                    done = _inlined(op, name, known[name]) or done
        erase_unreferenced(module, frozenset(wanted))
        return done


def _is_simple(function: IrOperation) -> bool:
    return has_body(function) and len(function.regions[0].blocks) == 1


def _inlined(op: IrOperation, name: str, callee: IrOperation) -> bool:
    if op.name == _COMPOSITE and symbol(op, "decomposition") == name:
        expand(op, callee)
        return True
    if op.name != _CALL or symbol(op, "callee") != name:
        return False
    end = terminator(callee.regions[0].blocks[0])
    if end.name != "func.return":  # the bindings copy no other function
        values, ip = list(end.operands), ir.InsertionPoint(end)
        ir.Operation.create("func.return", operands=values, ip=ip, loc=end.location)
        end.erase()
    with ir.InsertionPoint(op):
        values = inlined_call(callee, list(op.operands), op.location)
    replace_with(op, values)
    return True


def _grown(known: dict[str, IrOperation], wanted: Sequence[str]) -> int:
    """How many ops there are once the functions are inlined."""
    extra = dict.fromkeys(wanted, 0)
    total = 0
    for name in [*wanted, *(n for n in known if n not in extra)]:
        size = 0
        for op in ops_below(known[name]):
            size += 1 + sum(extra.get(callee, 0) for callee in callees(op))
        if name in extra:
            extra[name] = size
        total = max(total, size)
    return total
