"""The names of dynamic dimensions, which MLIR's types do not keep.

`dxir.dims` on an argument, a list of strings, has one for each dimension ("" where it has none).
JAX tells the shapes that a function was exported for in the messages of its shape assertions,
`args[0].shape = (b, 4),args[1].shape = (2*b,)`, for the arguments with dynamic dimensions in order.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dxir.mlir import IrOperation, ir
from dxir.reading import attribute, is_dynamic, ops_below

DIMS = "dxir.dims"
"""The attribute of an argument with the names of its dimensions."""

LARGEST = 2**62
"""No dimension is larger."""

_JAX = "Using the following polymorphic shapes specifications: "
_JAX_SHAPE = re.compile(r"\.shape = \(")

_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Pow: lambda a, b: a ** min(b, 64),
}
_FUNCTIONS: dict[str, Callable[..., int]] = {
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "max": max,
    "min": min,
}


@dataclass(frozen=True)
class Expression:
    """A dimension in terms of names: `b`, `2*b + 1`, `floordiv(b, 2)`."""

    text: str

    @cached_property
    def _tree(self) -> ast.expr | None:
        try:
            return ast.parse(self.text.replace("^", "**"), mode="eval").body
        except (SyntaxError, ValueError, RecursionError):
            return None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names in it, sorted."""
        if self._tree is None:
            return ()
        called = {n.func for n in ast.walk(self._tree) if isinstance(n, ast.Call)}
        names = {n.id for n in ast.walk(self._tree) if isinstance(n, ast.Name) and n not in called}
        return tuple(sorted(names))

    @property
    def is_name(self) -> bool:
        """Whether it is one name and nothing else."""
        return isinstance(self._tree, ast.Name)

    def value(self, sizes: Mapping[str, int]) -> int | None:
        """The size for these sizes of names; None when some are missing."""
        if self._tree is None or any(name not in sizes for name in self.names):
            return None
        try:
            return _value(self._tree, sizes)
        except (KeyError, TypeError, ZeroDivisionError, RecursionError):
            return None


def _value(tree: ast.expr, sizes: Mapping[str, int]) -> int:
    found = _computed(tree, sizes)
    if abs(found) > LARGEST:
        raise TypeError("no size is that large")
    return found


def _computed(tree: ast.expr, sizes: Mapping[str, int]) -> int:
    if isinstance(tree, ast.Constant) and isinstance(tree.value, int):
        return tree.value
    if isinstance(tree, ast.Name):
        return sizes[tree.id]
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub):
        return -_value(tree.operand, sizes)
    if isinstance(tree, ast.BinOp):
        operands = _value(tree.left, sizes), _value(tree.right, sizes)
        return _OPERATORS[type(tree.op)](*operands)
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name):
        return _FUNCTIONS[tree.func.id](*(_value(a, sizes) for a in tree.args))
    raise TypeError("not an expression of dimensions")


def expressions_of(module: ir.Module, function: IrOperation) -> list[tuple[Expression | None, ...]]:
    """For each argument of a function, what its dimensions are called; empty when not told."""
    arguments = function.regions[0].blocks[0].arguments
    found = [_declared(row, a.type) for row, a in zip(_rows(function), arguments, strict=True)]
    if any(found):
        return found
    dynamic = [i for i, a in enumerate(arguments) if is_dynamic(a.type)]
    told = _told_by_jax(module)
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


def _told_by_jax(module: ir.Module) -> list[Sequence[str]]:
    calls = ops_below(module.operation, ("stablehlo.custom_call",))
    said = (attribute(op, "error_message") for op in calls)
    messages = [m.value for m in said if isinstance(m, ir.StringAttr) and _JAX in m.value]
    if not messages:
        return []
    text = messages[0].partition(_JAX)[2]
    return [_items(text, match.end()) for match in _JAX_SHAPE.finditer(text)]


def _items(text: str, start: int) -> list[str]:
    """The parts between commas from `start` to the bracket that closes them."""
    items = [""]
    depth = 0
    for character in text[start:]:
        if character == ")" and not depth:
            break
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and not depth:
            items.append("")
        else:
            items[-1] += character
    return [item.strip() for item in items if item.strip()]
