"""Expand composites: each call of a decomposition is replaced by the ops in it.

Nested composites are expanded innermost first, so every op is copied once for each place it ends up
in. Functions that were only ever decompositions, and private, vanish; calls the user wrote stay.
What a composite says of its results, their sharding and discardable attributes, is said of the ops
that make them. Each op is at its own place, called from the composite's.
"""

from __future__ import annotations

import difflib
from collections.abc import Container
from dataclasses import dataclass, field

from dxir.call_graph import order
from dxir.diagnostics import where_of
from dxir.editing import replace_with
from dxir.effects import Known, erase_unreferenced, mentioned
from dxir.errors import PassError
from dxir.mlir import IrAttribute, IrOperation, IrValue, inlined_call, ir, sdy
from dxir.pipeline.base import Pass, option
from dxir.reading import (
    SHARDING,
    attribute,
    attribute_names,
    function_name,
    functions,
    has_body,
    is_public,
    ops_below,
    symbol,
    terminator,
    walk,
)
from dxir.structure import MOST_OPS

_COMPOSITE = "stablehlo.composite"
_INHERENT = frozenset(("name", "composite_attributes", "decomposition", "version"))


class Decompose(Pass, name="dxir-decompose"):
    """Expand composites, all but those kept."""

    keep: tuple[str, ...] = option("names of composites to leave as they are", default=())

    def run(self, module: ir.Module) -> bool:
        if self.keep:
            self._warn_of_absent(module)
        expanded = decompose(module, self.keep)
        self.count("composites expanded", expanded)
        return expanded > 0

    def _warn_of_absent(self, module: ir.Module) -> None:
        """Say which names in `keep` no composite has: most likely they are misspelt."""
        there = {_name(op) for op in ops_below(module.operation, (_COMPOSITE,))}
        for name in dict.fromkeys(self.keep):
            if name not in there:
                near = difflib.get_close_matches(name, there, n=1)
                meant = f"; did you mean {near[0]}?" if near else ""
                self.warn(f"keep names {name!r}, but no composite is called that{meant}")


@dataclass(slots=True)
class _Body:
    """What a function holds: so many ops, and composites to expand."""

    function: IrOperation
    ops: int = 0
    composites: list[tuple[IrOperation, str]] = field(default_factory=list)

    def references(self, known: Known) -> set[str]:
        """The symbols that are named in the function by what is left of it once all is expanded."""
        found: set[str] = set()
        expanded = {op for op, _ in self.composites}
        walk(
            self.function,
            lambda op: found.update(mentioned(op, known, _INHERENT if op in expanded else ())),
        )
        return found


def decompose(module: ir.Module, keep: Container[str] = ()) -> int:
    """Expand every composite of a verified module, in place, but those whose name is in `keep`.

    Returns how many were expanded. Raises PassError for a decomposition that is missing, has no
    body, has control flow between blocks, or contains itself, and for composites that would
    expand into more than MOST_OPS ops together.
    """
    bodies = {function_name(f): _read(f, keep) for f in functions(module)}
    if not any(body.composites for body in bodies.values()):
        return 0
    names = _innermost_first(bodies)
    _refuse_explosion(bodies, names)
    known: Known = {}
    references = {name: body.references(known) for name, body in bodies.items()}
    expanded = 0
    targets: set[str] = set()
    with module.context:
        for name in names:
            body = bodies[name]
            for op, callee in body.composites:
                _expand(op, bodies[callee].function)
                references[name] |= references[callee]
                targets.add(callee)
            expanded += len(body.composites)
            body.composites = []
    private = {name for name in targets if not is_public(bodies[name].function)}
    erase_unreferenced(module, private, references)
    return expanded


def _read(function: IrOperation, keep: Container[str]) -> _Body:
    body = _Body(function)

    def visit(op: IrOperation) -> None:
        body.ops += 1
        if op.name == _COMPOSITE and not _is_kept(op, keep):
            body.composites.append((op, symbol(op, "decomposition") or "?"))

    walk(function, visit)
    return body


def _name(op: IrOperation) -> str:
    name = attribute(op, "name")
    return name.value if isinstance(name, ir.StringAttr) else ""


def _is_kept(op: IrOperation, keep: Container[str]) -> bool:
    return _name(op) in keep


def _innermost_first(bodies: dict[str, _Body]) -> list[str]:
    """The functions, each after the decompositions of its composites."""
    for body in bodies.values():
        for op, callee in body.composites:
            _check(op, callee, bodies)
    found = order({n: [callee for _, callee in b.composites] for n, b in bodies.items()})
    if found.cycle:
        *_, name, callee = found.cycle
        op = next(op for op, other in bodies[name].composites if other == callee)
        raise _refused(op, callee, "contains this composite itself")
    return found.names


def _refuse_explosion(bodies: dict[str, _Body], names: list[str]) -> None:
    """Refuse composites in composites that double with every level."""
    sizes: dict[str, int] = {}
    for name in names:
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


def _check(op: IrOperation, callee: str, bodies: dict[str, _Body]) -> None:
    found = bodies.get(callee)
    if found is None or not has_body(found.function):
        raise _refused(op, callee, "is not in the module" if found is None else "has no body")
    if len(found.function.regions[0].blocks) != 1:
        raise _refused(op, callee, "has control flow between blocks")


def _refused(op: IrOperation, callee: str, problem: str) -> PassError:
    name = attribute(op, "name")
    label = name.value if isinstance(name, ir.StringAttr) else "?"
    return PassError(
        f"the composite {label} cannot be expanded: its decomposition @{callee} {problem}",
        where=where_of(op.location),
        hint="a decomposition is a function of one block in the same module; keep the composite by "
        f"naming it in keep={{{label!r}}} otherwise",
    )


def _end_in_func_return(function: IrOperation) -> None:
    # The bindings copy no function that ends in stablehlo.return, which the verifier lets pass.
    last = terminator(function.regions[0].blocks[0])
    if last.name == "stablehlo.return":
        values, ip = list(last.operands), ir.InsertionPoint(last)
        ir.Operation.create("func.return", operands=values, ip=ip, loc=last.location)
        last.erase()


def _expand(op: IrOperation, callee: IrOperation) -> None:
    _end_in_func_return(callee)
    operands = list(op.operands)
    with ir.InsertionPoint(op):
        values = inlined_call(callee, operands, op.location)
        made = [None if v in operands else _maker(v) for v in values]
        for name in attribute_names(op):
            if name == SHARDING:
                values = _sharded(op, values, made)
            elif name not in _INHERENT:
                for maker in made:
                    _describe(maker, name, attribute(op, name))
    replace_with(op, values)


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
    given = sdy.TensorShardingPerValueAttr(op.attributes[SHARDING])
    found: list[IrValue] = []
    for value, maker, sharding in zip(values, made, given.shardings, strict=True):
        if _describe(maker, SHARDING, sdy.TensorShardingPerValueAttr.get([sharding])):
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
