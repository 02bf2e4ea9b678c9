"""Ops by their place in a module, which a copy of the module shares."""

from __future__ import annotations

from collections.abc import Callable, Collection

from dxir.mlir import IrOperation, ir
from dxir.parameters import uses_of_functions
from dxir.reading import function_name, functions, has_body, is_public, walk

_ENDS = ("return", "yield")


def numbered(module: ir.Module, wanted: Callable[[IrOperation], bool]) -> list[int]:
    """The places of the ops that are wanted, outer before inner; the module is at 0."""
    found: list[int] = []
    place = -1

    def visit(op: IrOperation) -> None:
        nonlocal place
        place += 1
        if wanted(op):
            found.append(place)

    walk(module, visit)
    return found


def picked(module: ir.Module, places: Collection[int]) -> list[tuple[int, IrOperation]]:
    """The ops at these places, last and innermost first: the order to erase them in."""
    found: list[tuple[int, IrOperation]] = []
    chosen, place = frozenset(places), -1

    def visit(op: IrOperation) -> None:
        nonlocal place
        place += 1
        if place in chosen:
            found.append((place, op))

    walk(module, visit)
    return found[::-1]


def ends_block(op: IrOperation) -> bool:
    """Whether an op is one that ends a block."""
    return op.name.endswith(_ENDS) or op.name.startswith("cf.")


def is_inside(op: IrOperation) -> bool:
    """Whether an op is one of a function's that does not end a block."""
    return op.name not in ("builtin.module", "func.func", "sdy.mesh") and not ends_block(op)


def entries(module: ir.Module) -> list[str]:
    """The functions whose parameters and results are nobody's business in the module."""
    uses = uses_of_functions(module)
    callers = uses.callers
    return [
        name
        for name, function in uses.functions.items()
        if is_public(function)
        and has_body(function)
        and not callers[name]
        and name not in uses.otherwise
    ]


def main_of(module: ir.Module) -> str | None:
    """The function that stays: `main`, otherwise the first public one, otherwise the last."""
    known = {function_name(f): f for f in functions(module)}
    if "main" in known:
        return "main"
    public = [name for name, function in known.items() if is_public(function)]
    return public[0] if public else next(reversed(known), None)


def named(module: ir.Module, name: str) -> IrOperation:
    """The function of a name that is there."""
    return next(f for f in functions(module) if function_name(f) == name)
