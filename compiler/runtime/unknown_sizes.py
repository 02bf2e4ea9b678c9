"""What of a program has no known size: nothing, parameters of `main`, or only what is inside."""

from __future__ import annotations

import enum
from typing import Any, cast

from dxir.bindings import with_names
from dxir.diagnostics import node_name_of, where_of
from dxir.mlir import IrOperation, IrType, ir
from dxir.passes.shapes.copies import reachable
from dxir.passes.shapes.known import is_assertion
from dxir.passes.shapes.symbols import expressions_of
from dxir.reading import function_name, functions, has_body, is_dynamic, signature, walk
from dxir.runtime.arguments import Parameter, parameters_of
from dxir.runtime.entry import tensor_type
from dxir.types import TensorType

_MAIN = "main"


class Unknown(enum.Enum):
    """Where a program has unknown sizes."""

    NOTHING = enum.auto()
    PARAMETERS = enum.auto()
    INSIDE = enum.auto()


def unknown_sizes(module: ir.Module) -> Unknown:
    """Where a program has unknown sizes, in what `main` comes to.

    Assertions about shapes count as such, and values that have a bound do not, if no parameter is
    dynamic: compilers know them.
    """
    known = {function_name(f): f for f in functions(module) if has_body(f)}
    main = known.get(_MAIN)
    if main is None:
        return Unknown.NOTHING
    if any(map(is_dynamic, signature(main).inputs)):
        return Unknown.PARAMETERS
    if any(_is_unknown_within(known[n]) for n in reachable(module, [_MAIN]) if n in known):
        return Unknown.INSIDE
    return Unknown.NOTHING


def _is_unknown_within(function: IrOperation) -> bool:
    known: dict[IrType, bool] = {}
    found = False

    def visit(op: IrOperation) -> ir.WalkResult:
        nonlocal found
        if op.name == "stablehlo.custom_call" and is_assertion(op):
            found = True
        for result in cast(Any, op).results:
            type: IrType = result.type
            unknown = known.get(type)
            if unknown is None:
                unknown = known[type] = _is_unbounded(type)
            found |= unknown
        return ir.WalkResult.INTERRUPT if found else ir.WalkResult.ADVANCE

    walk(function, visit)
    return found


def _is_unbounded(type: IrType) -> bool:
    return is_dynamic(type) and getattr(type, "encoding", None) is None


def parameters_in(
    module: ir.Module, target: str, names: tuple[str | None, ...]
) -> tuple[tuple[Parameter, ...], tuple[TensorType, ...]]:
    """The parameters of `main`, their dimensions by name, and the types of its results.

    `names` are those of the parameters where the module has none. Raises TargetError for what is no
    tensor.
    """
    main = next(f for f in functions(module) if function_name(f) == _MAIN)
    here = where_of(main.location)
    results = tuple(
        tensor_type(t, f"result {i} of main", here, target)
        for i, t in enumerate(signature(main).results)
    )
    return named_parameters(module, target, names), results


def named_parameters(
    module: ir.Module, target: str, names: tuple[str | None, ...] = ()
) -> tuple[Parameter, ...]:
    """The parameters of `main`, as `parameters_in` gives them; results may be of any type."""
    main = next(f for f in functions(module) if function_name(f) == _MAIN)
    arguments: list[Any] = list(cast(Any, main).regions[0].blocks[0].arguments)
    here = where_of(main.location)
    types: list[TensorType] = []
    for i, (argument, row) in enumerate(zip(arguments, expressions_of(module, main), strict=True)):
        where = where_of(argument.location) or here
        type = tensor_type(argument.type, f"parameter {i} of main", where, target)
        types.append(with_names(type, [None if e is None else e.text for e in row]))
    told = [node_name_of(a.location) for a in arguments]
    padded = [*names, *[None] * (len(told) - len(names))]
    known = tuple(a or b for a, b in zip(padded, told, strict=False))
    return parameters_of(tuple(types), known)
