"""Expand composites: each call of a decomposition is replaced by the ops in it.

Nested composites are expanded innermost first, so every op is copied once for each place it ends up
in. Functions that were only ever decompositions, and private, vanish; calls the user wrote stay.
What a composite says of its results, their sharding and discardable attributes, is said of the ops
that make them. Each op is at its own place, called from the composite's. Copies that coarsening
made of a constant used elsewhere (`dxir.shared`) become one op again.

With `target`, each composite meets one of three ends. The first kernel of the target that takes it
is called in its place, and the call remembers what it stands for in `dxir.stands_for`; a remark
tells why a kernel does not. The others stay where the granularity of the target says so, and are
expanded where it does not. `keep`, and `only`, go before the target. `kernels=off` calls none, and
puts composites back where calls of kernels stand.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from dxir.call_graph import order
from dxir.diagnostics import where_of
from dxir.effects import Known, erase_unreferenced, mentioned
from dxir.errors import PassError, TargetError
from dxir.marks import SHARED
from dxir.mlir import IrOperation, TypeCache, ir
from dxir.passes.decomposition.ends import EXPAND, Ends, KernelCall, composite_name
from dxir.passes.decomposition.expanding import COMPOSITE, INHERENT, expand
from dxir.passes.decomposition.kernel_calls import call_kernel, composites_again
from dxir.passes.decomposition.shared import reunite
from dxir.pipeline.base import Pass, option
from dxir.reading import (
    function_name,
    functions,
    has_body,
    is_public,
    symbol,
    walk,
)
from dxir.structure import MOST_OPS
from dxir.targets import find_target


class Decompose(Pass, name="dxir-decompose"):
    """Expand composites, or keep them or call kernels, as a target has it."""

    keep: tuple[str, ...] = option("names of composites to leave as they are", default=())
    only: tuple[str, ...] = option(
        "names of the composites to expand, or to call as kernels; all others stay", default=()
    )
    target: str = option("the target that says which to keep, and has kernels", default="")
    kernels: bool = option("whether kernels of the target are called", default=True)

    def check(self) -> None:
        if self.target:
            try:
                find_target(self.target)
            except TargetError as error:
                raise PassError(error.message, hint=error.hint) from None

    def run(self, module: ir.Module) -> bool:
        ends = Ends(
            frozenset(self.keep),
            frozenset(self.only) or None,
            find_target(self.target) if self.target else None,
            self.kernels,
            lambda message, op, code, numbers: self.remark(message, op, code=code, numbers=numbers),
        )
        changed = decompose(module, ends)
        for name, names in (("keep", self.keep), ("only", self.only)):
            self._warn_of_absent(name, names, ends.names)
        for what, number in sorted(ends.counts.items()):
            self.count(what, number)
        return changed

    def _warn_of_absent(self, option: str, names: Iterable[str], there: Collection[str]) -> None:
        """Say which of the names no composite has: most likely they are misspelt."""
        for name in dict.fromkeys(names):
            if name not in there:
                near = difflib.get_close_matches(name, there, n=1)
                meant = f"; did you mean {near[0]}?" if near else ""
                said = f"{option} names {name!r}, but no composite is called that{meant}"
                self.warn(said, code="UNKNOWN_NAME")


@dataclass(slots=True)
class _Body:
    """What a function holds: so many ops, composites to expand, and those that kernels take.

    `references` are the symbols that are named in it by what is left of it once all is expanded.
    """

    function: IrOperation
    ops: int = 0
    composites: list[tuple[IrOperation, str]] = field(default_factory=list[tuple[IrOperation, str]])
    calls: list[tuple[IrOperation, KernelCall]] = field(
        default_factory=list[tuple[IrOperation, KernelCall]]
    )
    references: set[str] = field(default_factory=set[str])
    is_marked: bool = False


def decompose(module: ir.Module, ends: Ends) -> bool:
    """Bring every composite of a verified module to its end, in place; whether anything changed.

    `ends` counts what became of them. Raises PassError for a decomposition to expand that is
    missing, has no body, has control flow between blocks, or contains itself, for composites that
    would expand into more than MOST_OPS ops together, and for kernels whose call is not valid.
    """
    ends.counts["composites expanded"] += 0
    changed = not ends.kernels and composites_again(module, ends.counts)
    known: Known = {}
    bodies = {function_name(f): _read(f, ends, known) for f in functions(module)}
    if any(body.composites or body.calls for body in bodies.values()):
        _to_ends(module, bodies, ends)
        changed = True
    if any(body.is_marked for body in bodies.values()) and reunite(module):
        changed = True
    return changed


def _to_ends(module: ir.Module, bodies: dict[str, _Body], ends: Ends) -> None:
    names = _innermost_first(bodies)
    _refuse_explosion(bodies, names)
    types = TypeCache.of(module.context)
    targets: set[str] = set()
    with module.context:
        for name in names:
            body = bodies[name]
            for op, call in body.calls:
                call_kernel(op, call, types, ends.report)
            for op, callee in body.composites:
                expand(op, bodies[callee].function)
                body.references |= bodies[callee].references
                targets.add(callee)
            ends.counts["composites expanded"] += len(body.composites)
            body.composites, body.calls = [], []
    private = {name for name in targets if not is_public(bodies[name].function)}
    erase_unreferenced(module, private, {n: body.references for n, body in bodies.items()})


def _read(function: IrOperation, ends: Ends, known: Known) -> _Body:
    body = _Body(function)
    found = body.references

    def visit(op: IrOperation) -> None:
        body.ops += 1
        if op.name == COMPOSITE:
            end = ends.end_of(op)
            found.update(mentioned(op, known, INHERENT if end == EXPAND else ()))
            if end == EXPAND:
                body.composites.append((op, symbol(op, "decomposition") or "?"))
            elif isinstance(end, KernelCall):
                body.calls.append((op, end))
        elif len(attributes := op.attributes):
            found.update(mentioned(op, known))
            body.is_marked = body.is_marked or SHARED in attributes

    walk(function, visit)
    return body


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
    label = composite_name(op) or "?"
    return PassError(
        f"the composite {label} cannot be expanded: its decomposition @{callee} {problem}",
        where=where_of(op.location),
        hint="a decomposition is a function of one block in the same module; keep the composite by "
        f"naming it in keep={{{label!r}}} otherwise",
    )
