"""Faults of a program that MLIR's verifier accepts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from dxir.call_graph import order
from dxir.diagnostics import Diagnostic, where_of
from dxir.effects import callees
from dxir.errors import VerificationError
from dxir.group_faults import NAMES as COLLECTIVES
from dxir.group_faults import GroupCheck
from dxir.mlir import IrOperation, ir
from dxir.reading import (
    function_name,
    functions,
    has_body,
    is_public,
    walk,
)
from dxir.resources import is_resource, missing_error, missing_resources

MOST_OPS = 5_000_000
"""The most ops that a program is let grow to when its calls or composites are copied in."""

Report = Callable[[str, IrOperation, str], None]

_RESOURCE = Diagnostic("note", "a resource")


def faults(module: ir.Module) -> list[Diagnostic]:
    """What is wrong (errors) or doubtful (warnings) in a module, valid or not."""
    found: list[Diagnostic] = []
    groups: list[GroupCheck] = []

    def visit(op: IrOperation) -> None:
        name = op.name
        check = _CHECKS.get(name)
        if name == "stablehlo.constant":
            if is_resource(op):
                found.append(_RESOURCE)
        elif name in COLLECTIVES:
            if not groups:
                groups.append(GroupCheck(module))
            for fault in groups[0].faults(op):
                report(fault.severity, op, fault.message, fault.hint)
        elif check is not None:
            check(op, report)

    def report(severity: str, op: IrOperation, message: str, note: str | None = None) -> None:
        code = "NOT_PORTABLE" if severity == "warning" else "VERIFICATION_ERROR"
        text = f"'{op.name}' op {message}"
        notes = () if note is None else (Diagnostic("note", note),)
        where = where_of(op.location)
        found.append(Diagnostic(severity, text, where, notes, op=op.name, code=code))

    walk(module, visit)
    if _RESOURCE in found:
        found = [d for d in found if d is not _RESOURCE]
        for resource in missing_resources(module):
            error = missing_error(resource, VerificationError, "run the program")
            found.append(
                Diagnostic("warning", error.message, error.where, code="CONSTANT_WITHOUT_DATA")
            )
    return found


def _check_return(op: IrOperation, report: Report) -> None:
    parent = op.parent
    if parent is not None and parent.operation.name == "func.func":
        report(
            "warning",
            op,
            f"ends the function @{function_name(parent.operation)}; "
            "other tools accept func.return only",
        )


def _check_reduce(op: IrOperation, report: Report) -> None:
    found = unequal_inputs(op)
    if found is not None:
        report("error", op, found)


def unequal_inputs(op: IrOperation) -> str | None:
    """What is wrong with a reduce whose inputs cannot be of one shape; None when they can.

    MLIR's verifier compares each with the first, of which a size may not be known.
    """
    types = [value.type for value in op.operands]
    inputs = [t for t in types[: len(types) // 2] if isinstance(t, ir.RankedTensorType)]
    for index, first in enumerate(inputs):
        for other, second in enumerate(inputs[index + 1 :], index + 1):
            if not may_match(first, second):
                return (
                    f"reduces inputs of different shapes: #{index} is {first}, #{other} is {second}"
                )
    return None


def may_match(a: ir.RankedTensorType, b: ir.RankedTensorType) -> bool:
    """Whether two types may be of one shape, as far as their sizes are known."""
    return a.rank == b.rank and all(
        a.is_dynamic_dim(i) or b.is_dynamic_dim(i) or a.get_dim_size(i) == b.get_dim_size(i)
        for i in range(a.rank)
    )


_CHECKS: dict[str, Callable[[IrOperation, Report], None]] = {
    "stablehlo.return": _check_return,
    "stablehlo.reduce": _check_reduce,
}


def preflight(module: ir.Module) -> None:
    """Refuse a verified module that would bring a compiler down instead of an error.

    VerificationError for a call of a function that has no body or is not there, a module without
    a public `main`, recursion, and a constant without data.
    """
    for resource in missing_resources(module):
        raise missing_error(resource, VerificationError, "compile the program")
    known = {function_name(f): f for f in functions(module)}
    if "main" not in known or not is_public(known["main"]):
        names = ", ".join(f"@{name}" for name in known) or "no function at all"
        raise VerificationError(
            "the program has no public function @main to compile",
            hint=f"it has {names}; rename the entry to main",
        )
    calls = calls_of(module)
    for call in calls.bodyless:
        raise VerificationError(call.message, where=where_of(call.op.location), hint=BODYLESS_HINT)
    refuse_recursion(calls.edges, known)


BODYLESS_HINT = (
    "link the module that defines it, or remove the call; symbol-dce and splitting into files can "
    "lose functions"
)


@dataclass(frozen=True, slots=True)
class Bodyless:
    """A call of a function that has no body, or (not `declared`) is not there."""

    op: IrOperation
    callee: str
    declared: bool

    @property
    def message(self) -> str:
        """What is wrong."""
        state = "has no body" if self.declared else "is not in the module"
        return f"function @{self.callee} is called by {self.op.name} but {state}"


@dataclass(frozen=True, slots=True)
class Calls:
    """What each function of a module calls, decompositions too, and the calls that lead nowhere."""

    edges: dict[str, list[str]]
    bodyless: list[Bodyless]


def calls_of(module: ir.Module) -> Calls:
    """Who calls whom in a module. The names of symbols that are no functions do not count."""
    known = {function_name(f): f for f in functions(module)}
    others = {function_name(op.operation) for op in module.body.operations} - set(known)
    found = Calls({name: [] for name in known}, [])

    def visit(op: IrOperation, edges: list[str]) -> None:
        for callee in callees(op):
            if callee in others:
                continue
            edges.append(callee)
            if callee not in known or not has_body(known[callee]):
                found.bodyless.append(Bodyless(op, callee, callee in known))

    for name, function in known.items():
        walk(function, partial(visit, edges=found.edges[name]))
    return found


def refuse_recursion(edges: dict[str, list[str]], known: dict[str, IrOperation]) -> None:
    """Refuse functions that call themselves, given what each calls; VerificationError."""
    cycle = order(edges).cycle
    if cycle:
        raise VerificationError(
            f"functions call themselves: {' -> '.join(f'@{name}' for name in cycle)}",
            where=where_of(known[cycle[0]].location),
            hint="StableHLO has no recursion; use while",
        )
