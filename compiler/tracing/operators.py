"""The operators of arrays, as calls of the functions in `dxir.numpy` that have their meaning."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dxir.tracing.arrays import Array


def function(name: str) -> Any:
    """A function of `dxir.numpy`, which is a layer above and imported when it is first needed."""
    return getattr(importlib.import_module("dxir.numpy"), name)


def operation(name: str, left: Any, right: Any) -> Any:
    """A function on two operands, or NotImplemented where one is no array and no number."""
    if importlib.import_module("dxir.numpy").is_operand(right):
        return function(name)(left, right)
    return NotImplemented


class Operators:
    """`x + y`, `x == y`, `x[i]`, `x.T`: what arrays have of the Python array API standard."""

    __slots__ = ()
    __array_ufunc__ = None  # NumPy arrays on the left defer to the reflected operators here

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        return function("namespace")(api_version)

    def __add__(self, other: Any) -> Array:
        found: Array = operation("add", self, other)
        return found

    def __radd__(self, other: Any) -> Array:
        if not function("is_operand")(other):
            return NotImplemented
        found: Array = function("add")(other, self)
        return found

    def __sub__(self, other: Any) -> Array:
        found: Array = operation("subtract", self, other)
        return found

    def __rsub__(self, other: Any) -> Array:
        if not function("is_operand")(other):
            return NotImplemented
        found: Array = function("subtract")(other, self)
        return found

    def __mul__(self, other: Any) -> Array:
        found: Array = operation("multiply", self, other)
        return found

    def __rmul__(self, other: Any) -> Array:
        if not function("is_operand")(other):
            return NotImplemented
        found: Array = function("multiply")(other, self)
        return found

    def __truediv__(self, other: Any) -> Array:
        found: Array = operation("divide", self, other)
        return found

    def __rtruediv__(self, other: Any) -> Array:
        if not function("is_operand")(other):
            return NotImplemented
        found: Array = function("divide")(other, self)
        return found

    def __floordiv__(self, other: Any) -> Array:
        found: Array = operation("floor_divide", self, other)
        return found

    def __rfloordiv__(self, other: Any) -> Array:
        if not function("is_operand")(other):
            return NotImplemented
        found: Array = function("floor_divide")(other, self)
        return found

    def __mod__(self, other: Any) -> Array:
        found: Array = operation("remainder", self, other)
        return found

    def __rmod__(self, other: Any) -> Array:
        if not function("is_operand")(other):
            return NotImplemented
        found: Array = function("remainder")(other, self)
        return found

    def __pow__(self, other: Any) -> Array:
        found: Array = operation("pow", self, other)
        return found

    def __rpow__(self, other: Any) -> Array:
        if not function("is_operand")(other):
            return NotImplemented
        found: Array = function("pow")(other, self)
        return found

    def __matmul__(self, other: Any) -> Array:
        found: Array = operation("matmul", self, other)
        return found

    def __rmatmul__(self, other: Any) -> Array:
        if not function("is_operand")(other):
            return NotImplemented
        found: Array = function("matmul")(other, self)
        return found

    def __and__(self, other: Any) -> Array:
        found: Array = operation("bitwise_and", self, other)
        return found

    def __rand__(self, other: Any) -> Array:
        if not function("is_operand")(other):
            return NotImplemented
        found: Array = function("bitwise_and")(other, self)
        return found

    def __or__(self, other: Any) -> Array:
        found: Array = operation("bitwise_or", self, other)
        return found

    def __ror__(self, other: Any) -> Array:
        if not function("is_operand")(other):
            return NotImplemented
        found: Array = function("bitwise_or")(other, self)
        return found

    def __xor__(self, other: Any) -> Array:
        found: Array = operation("bitwise_xor", self, other)
        return found

    def __rxor__(self, other: Any) -> Array:
        if not function("is_operand")(other):
            return NotImplemented
        found: Array = function("bitwise_xor")(other, self)
        return found

    def __lshift__(self, other: Any) -> Array:
        found: Array = operation("bitwise_left_shift", self, other)
        return found

    def __rlshift__(self, other: Any) -> Array:
        if not function("is_operand")(other):
            return NotImplemented
        found: Array = function("bitwise_left_shift")(other, self)
        return found

    def __rshift__(self, other: Any) -> Array:
        found: Array = operation("bitwise_right_shift", self, other)
        return found

    def __rrshift__(self, other: Any) -> Array:
        if not function("is_operand")(other):
            return NotImplemented
        found: Array = function("bitwise_right_shift")(other, self)
        return found

    def __lt__(self, other: Any) -> Array:
        found: Array = operation("less", self, other)
        return found

    def __le__(self, other: Any) -> Array:
        found: Array = operation("less_equal", self, other)
        return found

    def __gt__(self, other: Any) -> Array:
        found: Array = operation("greater", self, other)
        return found

    def __ge__(self, other: Any) -> Array:
        found: Array = operation("greater_equal", self, other)
        return found

    def __eq__(self, other: Any) -> Array:  # type: ignore[override]  # elements are compared
        found: Array = operation("equal", self, other)
        return found

    def __ne__(self, other: Any) -> Array:  # type: ignore[override]  # elements are compared
        found: Array = operation("not_equal", self, other)
        return found

    def __neg__(self) -> Array:
        found: Array = function("negative")(self)
        return found

    def __pos__(self) -> Array:
        found: Array = function("positive")(self)
        return found

    def __abs__(self) -> Array:
        found: Array = function("abs")(self)
        return found

    def __invert__(self) -> Array:
        found: Array = function("bitwise_invert")(self)
        return found

    def __getitem__(self, index: Any) -> Array:
        found: Array = function("getitem")(self, index)
        return found
