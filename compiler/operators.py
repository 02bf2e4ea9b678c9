"""The operators of values, as calls of ops that a layer above registers."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from dxir.errors import GraphError
from dxir.locations import caller_location

if TYPE_CHECKING:
    from dxir.graph import Value

_operators: dict[str, Callable[..., Value]] = {}


def bind_operator(name: str, function: Callable[..., Value]) -> None:
    """Give `Value` its arithmetic; called by the layer that knows the ops."""
    _operators[name] = function


class Arithmetic:
    """`x + y`, `-x`, `x @ y`, `x < y`, `x[i]`: each is the op of that meaning.

    Equality of values is identity, so that they can be keys; `dxir.ops.compare` has `EQ` and `NE`.
    Comparing a value with anything else for equality is refused.
    """

    __slots__ = ()

    __array_ufunc__ = None  # NumPy arrays on the left defer to the reflected operators here

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if isinstance(other, Arithmetic) or other is None:
            return False
        raise GraphError(
            f"a value of a graph is compared for equality with {type(other).__name__} ({other!r})",
            where=caller_location(),
            hint='use dxir.ops.compare(x, y, direction="EQ"); == of two values is identity',
        )

    def __array__(self, *args: Any, **kwargs: Any) -> NoReturn:
        depth, frame = 1, sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
        while frame.f_back is not None and frame.f_globals["__name__"].startswith("numpy."):
            depth, frame = depth + 1, frame.f_back
        raise GraphError(
            "a value of a graph has no elements while the graph is being built",
            where=caller_location(depth + 1),
            hint="use dxir.ops instead of NumPy's functions; dxir.evaluate runs the function built",
        )

    def __neg__(self) -> Value:
        return _operators["neg"](self)

    def __abs__(self) -> Value:
        return _operators["abs"](self)

    def __invert__(self) -> Value:
        return _operators["not"](self)

    def __add__(self, other: Any) -> Value:
        return _operators["add"](self, other)

    def __radd__(self, other: Any) -> Value:
        return _operators["add"](other, self)

    def __sub__(self, other: Any) -> Value:
        return _operators["sub"](self, other)

    def __rsub__(self, other: Any) -> Value:
        return _operators["sub"](other, self)

    def __mul__(self, other: Any) -> Value:
        return _operators["mul"](self, other)

    def __rmul__(self, other: Any) -> Value:
        return _operators["mul"](other, self)

    def __truediv__(self, other: Any) -> Value:
        return _operators["div"](self, other)

    def __rtruediv__(self, other: Any) -> Value:
        return _operators["div"](other, self)

    def __floordiv__(self, other: Any) -> Value:
        return _operators["floor_divide"](self, other)

    def __rfloordiv__(self, other: Any) -> Value:
        return _operators["floor_divide"](other, self)

    def __mod__(self, other: Any) -> Value:
        return _operators["mod"](self, other)

    def __rmod__(self, other: Any) -> Value:
        return _operators["mod"](other, self)

    def __pow__(self, other: Any) -> Value:
        return _operators["pow"](self, other)

    def __rpow__(self, other: Any) -> Value:
        return _operators["pow"](other, self)

    def __matmul__(self, other: Any) -> Value:
        return _operators["matmul"](self, other)

    def __rmatmul__(self, other: Any) -> Value:
        return _operators["matmul"](other, self)

    def __and__(self, other: Any) -> Value:
        return _operators["and"](self, other)

    def __rand__(self, other: Any) -> Value:
        return _operators["and"](other, self)

    def __or__(self, other: Any) -> Value:
        return _operators["or"](self, other)

    def __ror__(self, other: Any) -> Value:
        return _operators["or"](other, self)

    def __xor__(self, other: Any) -> Value:
        return _operators["xor"](self, other)

    def __rxor__(self, other: Any) -> Value:
        return _operators["xor"](other, self)

    def __lt__(self, other: Any) -> Value:
        return _operators["compare"](self, other, direction="LT")

    def __le__(self, other: Any) -> Value:
        return _operators["compare"](self, other, direction="LE")

    def __gt__(self, other: Any) -> Value:
        return _operators["compare"](self, other, direction="GT")

    def __ge__(self, other: Any) -> Value:
        return _operators["compare"](self, other, direction="GE")

    def __getitem__(self, index: Any) -> Value:
        return _operators["getitem"](self, index)

    @property
    def at(self) -> Any:
        """Updates at an index: `x.at[i].set(v)`, `.add(v)`, `.mul(v)`, `.min(v)`, `.max(v)`."""
        return _operators["at"](self)
