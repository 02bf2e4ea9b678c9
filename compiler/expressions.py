"""Dimensions in terms of names: `b`, `2*b + 1`, `floordiv(b, 2)`; and what JAX tells of them.

JAX tells the shapes that a function was exported for in the messages of its shape assertions,
`args[0].shape = (b, 4),args[1].shape = (2*b,)`, for the arguments with dynamic dimensions in order.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

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


SHAPE_ASSERTION = "shape_assertion"
"""The custom call that asserts something of shapes: its first operand is to be true."""


def assertion_text(message: str | None, value: Callable[[int], object]) -> str:
    """What a shape assertion says when it fails: `value` gives what goes in for `{0}`, or None."""

    def one(match: re.Match[str]) -> str:
        found = value(int(match[1]))
        return match[0] if found is None else str(found)

    return re.sub(r"\{(\d+)\}", one, message or "a shape assertion fails")


def told_by_jax(messages: Iterable[str]) -> list[Sequence[str]]:
    """The dimensions of each argument that has dynamic ones, from the messages of assertions."""
    text = next((m.partition(_JAX)[2] for m in messages if _JAX in m), "")
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
