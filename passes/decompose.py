"""Expand composites: each call of a decomposition is replaced by the ops in it.

Nested composites are expanded innermost first, so every op is copied once for each place it ends up
in. Functions that were only ever decompositions, and private, vanish; calls the user wrote stay.
What a composite says of its results, their sharding and discardable attributes, is said of the ops
that make them. Each op is at its own place, called from the composite's.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field

from dxir.diagnostics import where_of
from dxir.effects import callees
from dxir.errors import PassError
from dxir.mlir import IrAttribute, IrOperation, IrValue, inlined_call, ir, sdy
from dxir.pipeline.base import Pass, option
from dxir.reading import (
    attribute,
    attribute_names,
    function_name,
    functions,
    has_body,
    is_public,
    symbol,
)
from dxir.structure import MOST_OPS

_SHARDING = "sdy.sharding"
_INHERENT = frozenset(("name", "composite_attributes", "decomposition", "version"))


class Decompose(Pass, name="dxir-decompose"):
    """Expand composites, all but those kept."""

    keep: tuple[str, ...] = option("names of composites to leave as they are", default=())

    def run(self, module: ir.Module) -> bool:
        expanded = decompose(module, self.keep)
        self.count("composites expanded", expanded)
        return expanded > 0


@dataclass(slots=True)
class _Body:
    """What a function holds: composites to expand, and the symbols it refers to otherwise."""

    function: IrOperation
    ops: int = 0
    composites: list[tuple[IrOperation, str]] = field(default_factory=list)
    references: set[str] = field(default_factory=set)


def decompose(module: ir.Module, keep: Container[str] = ()) -> int:
    """Expand every composite of a verified module, in place, but those whose name is in `keep`.

    Returns how many were expanded. Raises PassError for a decomposition that is missing, has no
    body, has control flow between blocks, or contains itself, and for composites that would
    expand into more than MOST_OPS ops together.
    """
    bodies = {function_name(f): _read(f, keep) for f in functions(module)}
    order = _innermost_first(bodies)
    _refuse_explosion(bodies, order)
    expanded = 0
    targets: set[str] = set()
    with module.context:
        for name in order:
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
        body.ops += 1
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


def _refuse_explosion(bodies: dict[str, _Body], order: list[str]) -> None:
    """Refuse composites in composites that double with every level."""
    sizes: dict[str, int] = {}
    for name in order:
        body = bodies[name]
        sizes[name] = body.ops + sum(sizes[callee] for _, callee in body.composites)
        if sizes[name] > MOST_OPS:
            largest, _ = max(body.composites, key=lambda c: sizes[c[1]])
            raise PassError(
                f"the composites of @{name} expand into more than {MOST_OPS} ops",
                where=where_of(largest.location),
                hint="composites that hold others twice, level after level, grow like this; keep "
                "some of them by naming them in keep",
            )


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
    operands = list(op.operands)
    with ir.InsertionPoint(op):
        values = inlined_call(callee, operands, op.location)
        made = [None if v in operands else _maker(v) for v in values]
        for name in attribute_names(op):
            if name == _SHARDING:
                values = _sharded(op, values, made)
            elif name not in _INHERENT:
                for maker in made:
                    _describe(maker, name, attribute(op, name))
    for result, value in zip(op.results, values, strict=True):
        result.replace_all_uses_with(value)
    op.erase()


def _maker(value: IrValue) -> IrOperation | None:
    """The op whose only result the value is."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        return None
    op = owner.operation
    return op if len(op.results) == 1 else None


def _describe(op: IrOperation | None, name: str, value: IrAttribute | None) -> bool:
    """Give the op the attribute; False when it has another one of that name already."""
    if op is None or value is None:
        return False
    if name not in op.attributes:
        op.attributes[name] = value
    return attribute(op, name) == value


def _sharded(
    op: IrOperation, values: list[IrValue], made: list[IrOperation | None]
) -> list[IrValue]:
    """The values with the shardings of the composite's results, one for each."""
    given = sdy.TensorShardingPerValueAttr(op.attributes[_SHARDING])
    found: list[IrValue] = []
    for value, maker, sharding in zip(values, made, given.shardings, strict=True):
        if _describe(maker, _SHARDING, sdy.TensorShardingPerValueAttr.get([sharding])):
            found.append(value)
        else:
            constraint = ir.Operation.create(
                "sdy.sharding_constraint",
                results=[value.type],
                operands=[value],
                attributes={"sharding": sharding},
                loc=op.location,
            )
            found.append(constraint.results[0])
    return found


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
