"""Constants that decompositions hold copies of, made one op again.

Where a match shares a constant (or what is made of constants alone) with others, coarsening gives
the decomposition a copy; copies and the op itself, where it stays, have one number:

    %0 = stablehlo.constant {dxir.shared = 3 : i64} dense<1.0> : tensor<f32>

Once two of them are in one function, one goes. The number goes when no decomposition has it.
"""

from __future__ import annotations

from typing import Any

from dxir.decoding import entry
from dxir.effects import callees
from dxir.marks import SHARED, number_on
from dxir.mlir import IrOperation, ir
from dxir.naming import MEANING
from dxir.passes.decomposition.expanding import COMPOSITE
from dxir.passes.decomposition.kernel_calls import CUSTOM_CALL
from dxir.reading import attribute, attribute_names, function_name, functions, walk

# Nothing in the regions of these sees values from outside.
_ISOLATED = frozenset({"func.func", "sdy.manual_computation", "builtin.module"})


def reunite(module: ir.Module) -> int:
    """Merge the copies of one op in each function; how many went or lost their number."""
    marked: dict[str, list[IrOperation]] = {}
    named: set[str] = set()
    for function in functions(module):
        found = marked[function_name(function)] = []
        _read(function, found, named)
    changed = 0
    for name, ops in marked.items():
        merged = _merged(ops)
        changed += len(ops) - len(merged)
        marked[name] = merged
    held = {number_on(op, SHARED) for name in named for op in marked.get(name, ())}
    for name, ops in marked.items():
        for op in ops if name not in named else ():
            if number_on(op, SHARED) not in held:
                del op.attributes[SHARED]
                changed += 1
    return changed


def _read(function: IrOperation, found: list[IrOperation], named: set[str]) -> None:
    """Find the ops with numbers, and the functions that composites and their kernels name."""

    def visit(op: IrOperation) -> None:
        if op.name == COMPOSITE:
            named.update(callees(op))
        elif op.name == CUSTOM_CALL and MEANING in op.attributes:
            named.update(remembered_names(op))
        elif number_on(op, SHARED) is not None:
            found.append(op)

    walk(function, visit)


def remembered_names(call: IrOperation) -> list[str]:
    """The decomposition that a kernel call remembers."""
    given = attribute(call, MEANING)
    if not isinstance(given, ir.DictAttr) or "decomposition" not in given:
        return []
    named = given["decomposition"]
    return [named.value] if isinstance(named, ir.FlatSymbolRefAttr | ir.StringAttr) else []


def _merged(ops: list[IrOperation]) -> list[IrOperation]:
    """The ops that are left of those, which come in the order of their function."""
    kept: list[IrOperation] = []
    groups: dict[Any, list[IrOperation]] = {}
    for op in ops:
        others = groups.setdefault(_key(op), [])
        for other in others:
            if _reaches(other, op):
                for old, new in zip(op.results, other.results, strict=True):
                    old.replace_all_uses_with(new)
                op.erase()
                break
        else:
            others.append(op)
            kept.append(op)
    return kept


def _key(op: IrOperation) -> Any:
    """What two copies of one op have in common; of an op with regions, the op itself."""
    if len(op.regions) or not len(op.results):
        return op
    attributes = [(name, entry(op.attributes, name)) for name in sorted(attribute_names(op))]
    return (op.name, *op.operands, *(r.type for r in op.results), *attributes)


def _reaches(first: IrOperation, op: IrOperation) -> bool:
    """Whether `first`, moved out of regions if need be, is before `op` wherever that is reached.

    It is the earlier one in the order of the function, and takes the same operands: where it may be
    moved to they are known, as they are known to both.
    """
    if first.block == op.block:
        return True
    around = _around(op)
    blocks = [block for block, _ in around]
    for block, ancestor in _around(first):
        if block in blocks:
            if ancestor != first:
                first.move_before(ancestor)
            return True
    return False


def _around(op: IrOperation) -> list[tuple[Any, IrOperation]]:
    """The blocks that an op is in, inner before outer, with what it is in there."""
    found: list[tuple[Any, IrOperation]] = []
    while op.name not in _ISOLATED or not found:
        found.append((op.block, op))
        parent = op.parent
        if parent is None:
            break
        op = parent.operation
    return found
