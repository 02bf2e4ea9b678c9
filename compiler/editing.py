"""Small changes of MLIR operations that many passes make."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from dxir.mlir import IrAttribute, IrOperation, IrType, IrValue, clone_module, ir
from dxir.reading import function_name, functions, is_public, renamed, terminator


def replace_with(op: IrOperation, values: Sequence[IrValue]) -> None:
    """Put one value in the place of each result of an op, which is erased."""
    for result, value in zip(op.results, values, strict=True):
        result.replace_all_uses_with(value)
    op.erase()


def replaced(
    op: IrOperation,
    name: str,
    attributes: Mapping[str, IrAttribute],
    *,
    types: Sequence[IrType] | None = None,
    operands: Sequence[IrValue] | None = None,
) -> IrOperation:
    """The op without regions that now stands in the place of another, at its location.

    Result types and operands are those of the other unless given.
    """
    made = ir.Operation.create(
        name,
        results=[r.type for r in op.results] if types is None else list(types),
        operands=list(op.operands) if operands is None else list(operands),
        attributes=dict(attributes),
        ip=ir.InsertionPoint(op),
        loc=op.location,
    )
    replace_with(op, list(made.results))
    return made


def set_signature(
    function: IrOperation, parameters: Sequence[IrType], results: Sequence[IrType]
) -> None:
    """Give a function a type; its body and its callers are not touched."""
    type = ir.FunctionType.get(list(parameters), list(results), function.context)
    function.attributes["function_type"] = ir.TypeAttr.get(type, function.context)


def retype(function: IrOperation) -> None:
    """Have the type of a function of one block say what its parameters and returned values are."""
    block = function.regions[0].blocks[0]
    returned = terminator(block).operands
    set_signature(function, [a.type for a in block.arguments], [v.type for v in returned])


def free_name(name: str, taken: Container[str]) -> str:
    """The name, or where it is taken the name with the first number that makes it another."""
    free, number = name, 0
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free


def with_main(module: ir.Module) -> ir.Module:
    """The module, or a copy in which the only public function is called `main` instead."""
    known = {function_name(f): f for f in functions(module)}
    public = [name for name, function in known.items() if is_public(function)]
    if "main" in known or len(public) != 1:
        return module
    return renamed(clone_module(module), public[0], "main")
