"""The names of dynamic dimensions, which MLIR's types do not keep.

`dxir.dims` on an argument, a list of strings, has one for each dimension ("" where it has none);
JAX tells them in shape assertions (`dxir.expressions`).
"""

from __future__ import annotations

from typing import Any

from dxir.expressions import LARGEST as LARGEST
from dxir.expressions import Expression as Expression
from dxir.expressions import told_by_jax
from dxir.mlir import IrOperation, ir
from dxir.reading import attribute, is_dynamic, ops_below

DIMS = "dxir.dims"
"""The attribute of an argument with the names of its dimensions."""


def expressions_of(module: ir.Module, function: IrOperation) -> list[tuple[Expression | None, ...]]:
    """For each argument of a function, what its dimensions are called; empty when not told."""
    arguments = function.regions[0].blocks[0].arguments
    found = [_declared(row, a.type) for row, a in zip(_rows(function), arguments, strict=True)]
    if any(found):
        return found
    dynamic = [i for i, a in enumerate(arguments) if is_dynamic(a.type)]
    told = told_by_jax(_messages(module))
    if len(told) != len(dynamic):
        return found
    for position, texts in zip(dynamic, told, strict=True):
        type = arguments[position].type
        if isinstance(type, ir.RankedTensorType) and len(texts) == type.rank:
            found[position] = tuple(
                Expression(t) if type.is_dynamic_dim(i) else None for i, t in enumerate(texts)
            )
    return found


def _rows(function: IrOperation) -> list[Any]:
    count = len(function.regions[0].blocks[0].arguments)
    rows = attribute(function, "arg_attrs")
    return list(rows) if isinstance(rows, ir.ArrayAttr) else [None] * count


def _declared(row: Any, type: Any) -> tuple[Expression | None, ...]:
    if row is None or DIMS not in row or not isinstance(type, ir.RankedTensorType):
        return ()
    names = row[DIMS]
    if not isinstance(names, ir.ArrayAttr) or len(names) != type.rank:
        return ()
    return tuple(
        Expression(n.value) if isinstance(n, ir.StringAttr) and n.value else None for n in names
    )


def _messages(module: ir.Module) -> list[str]:
    calls = ops_below(module.operation, ("stablehlo.custom_call",))
    said = (attribute(op, "error_message") for op in calls)
    return [m.value for m in said if isinstance(m, ir.StringAttr)]
