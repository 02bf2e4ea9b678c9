"""Expand composites: each call of a decomposition is replaced by the ops in it.

Nested composites are expanded innermost first, so every op is copied once for each place it ends up
in. Functions that were only ever decompositions, and private, vanish; calls the user wrote stay.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field

from dxir.diagnostics import where_of
from dxir.errors import PassError
from dxir.mlir import IrOperation, inlined_call, ir
from dxir.reading import (
    attribute,
    callees,
    function_name,
    functions,
    has_body,
    is_public,
    symbol,
)


@dataclass(slots=True)
class _Body:
    """What a function holds: composites to expand, and the symbols it refers to otherwise."""

    function: IrOperation
    composites: list[tuple[IrOperation, str]] = field(default_factory=list)
    references: set[str] = field(default_factory=set)


def decompose(module: ir.Module, keep: Container[str] = ()) -> int:
    """Expand every composite of a verified module, in place, but those whose name is in `keep`.

    Returns how many were expanded. Raises PassError for a decomposition that is missing, has no
    body, has control flow between blocks, or contains itself.
    """
    bodies = {function_name(f): _read(f, keep) for f in functions(module)}
    expanded = 0
    targets: set[str] = set()
    with module.context:
        for name in _innermost_first(bodies):
            body = bodies[name]
            for op, callee in body.composites:
                _expand(op, bodies[callee].function)
                body.references |= bodies[callee].references
                targets.add(callee)
            expanded += len(body.composites)
            body.composites = []
    _drop(targets, bodies)
    return expanded


def _read(function: IrOperation, keep: Container[str]) -> _Body:
    body = _Body(function)

    def visit(op: IrOperation) -> ir.WalkResult:
        if op.name == "stablehlo.composite" and not _is_kept(op, keep):
            body.composites.append((op, symbol(op, "decomposition") or "?"))
        else:
            body.references.update(callees(op))
        return ir.WalkResult.ADVANCE

    function.walk(visit, ir.WalkOrder.PRE_ORDER)
    return body


def _is_kept(op: IrOperation, keep: Container[str]) -> bool:
    name = attribute(op, "name")
    return isinstance(name, ir.StringAttr) and name.value in keep


def _innermost_first(bodies: dict[str, _Body]) -> list[str]:
    """The functions, each after the decompositions of its composites."""
    order: list[str] = []
    done: set[str] = set()
    for root in bodies:
        path: set[str] = set()
        pending = [(root, False)]
        while pending:
            name, leaving = pending.pop()
            if leaving:
                path.discard(name)
                done.add(name)
                order.append(name)
            elif name not in done and name not in path:
                path.add(name)
                pending.append((name, True))
                for op, callee in bodies[name].composites:
                    _check(op, callee, bodies, path)
                    if callee not in done:
                        pending.append((callee, False))
    return order


def _check(op: IrOperation, callee: str, bodies: dict[str, _Body], path: set[str]) -> None:
    found = bodies.get(callee)
    if found is None or not has_body(found.function):
        problem = "is not in the module" if found is None else "has no body"
    elif len(found.function.regions[0].blocks) != 1:
        problem = "has control flow between blocks"
    elif callee in path:
        problem = "contains this composite itself"
    else:
        return
    name = attribute(op, "name")
    label = name.value if isinstance(name, ir.StringAttr) else "?"
    raise PassError(
        f"the composite {label} cannot be expanded: its decomposition @{callee} {problem}",
        where=where_of(op.location),
        hint="a decomposition is a function of one block in the same module; keep the composite by "
        f"naming it in keep={{{label!r}}} otherwise",
    )


def _expand(op: IrOperation, callee: IrOperation) -> None:
    with ir.InsertionPoint(op):
        values = inlined_call(callee, list(op.operands), op.location)
    for result, value in zip(op.results, values, strict=True):
        result.replace_all_uses_with(value)
    op.erase()


def _drop(targets: set[str], bodies: dict[str, _Body]) -> None:
    """Erase the private functions among `targets` that nothing refers to any more."""
    doomed = {name for name in targets if not is_public(bodies[name].function)}
    pending = [name for name in bodies if name not in doomed]
    while pending:
        for name in bodies[pending.pop()].references & doomed:
            doomed.discard(name)
            pending.append(name)
    for name in doomed:
        bodies[name].function.erase()
