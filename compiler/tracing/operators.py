"""The operators of arrays, as calls of the functions in `dxir.numpy`."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dxir.tracing.arrays import Array

_found: dict[str, Any] = {}


def function(name: str) -> Any:
    """A function of `dxir.numpy`, which is a layer above and imported when it is first needed.

    `indexing.getitem` is one of a module of it.
    """
    found = _found.get(name)
    if found is None:
        home, _, last = name.rpartition(".")
        module = importlib.import_module(f"dxir.numpy.{home}" if home else "dxir.numpy")
        found = _found[name] = getattr(module, last)
    return found


def _operation(name: str, left: Any, right: Any, other: Any) -> Array:
    """A function on two operands; NotImplemented where the other one is no array and no number."""
    if other.__class__ not in _KNOWN and not function("promotion.is_operand")(other):
        taken = _COMPARED if name in ("equal", "not_equal") else _REFUSED
        if other.__class__ in taken:
            raise function("promotion.no_array")(other)
        return NotImplemented  # type: ignore[no-any-return]  # Python asks the other one
    found: Array = function(name)(left, right)
    return found


_KNOWN: set[type] = {bool, int, float, complex}
_COMPARED: tuple[type, ...] = (list, tuple)  # not equal to an array would be wrong
_REFUSED = (*_COMPARED, str, type(None))


class Operators:
    """`x + y`, `x == y`, `x[i]`: what arrays of the Python array API standard have."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        _KNOWN.add(cls)

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        return function("info.namespace")(api_version)

    def __add__(self, other: Any) -> Array:
        return _operation("add", self, other, other)

    def __radd__(self, other: Any) -> Array:
        return _operation("add", other, self, other)

    def __sub__(self, other: Any) -> Array:
        return _operation("subtract", self, other, other)

    def __rsub__(self, other: Any) -> Array:
        return _operation("subtract", other, self, other)

    def __mul__(self, other: Any) -> Array:
        return _operation("multiply", self, other, other)

    def __rmul__(self, other: Any) -> Array:
        return _operation("multiply", other, self, other)

    def __truediv__(self, other: Any) -> Array:
        return _operation("divide", self, other, other)

    def __rtruediv__(self, other: Any) -> Array:
        return _operation("divide", other, self, other)

    def __floordiv__(self, other: Any) -> Array:
        return _operation("floor_divide", self, other, other)

    def __rfloordiv__(self, other: Any) -> Array:
        return _operation("floor_divide", other, self, other)

    def __mod__(self, other: Any) -> Array:
        return _operation("remainder", self, other, other)

    def __rmod__(self, other: Any) -> Array:
        return _operation("remainder", other, self, other)

    def __pow__(self, other: Any) -> Array:
        return _operation("pow", self, other, other)

    def __rpow__(self, other: Any) -> Array:
        return _operation("pow", other, self, other)

    def __matmul__(self, other: Any) -> Array:
        return _operation("matmul", self, other, other)

    def __rmatmul__(self, other: Any) -> Array:
        return _operation("matmul", other, self, other)

    def __and__(self, other: Any) -> Array:
        return _operation("bitwise_and", self, other, other)

    def __rand__(self, other: Any) -> Array:
        return _operation("bitwise_and", other, self, other)

    def __or__(self, other: Any) -> Array:
        return _operation("bitwise_or", self, other, other)

    def __ror__(self, other: Any) -> Array:
        return _operation("bitwise_or", other, self, other)

    def __xor__(self, other: Any) -> Array:
        return _operation("bitwise_xor", self, other, other)

    def __rxor__(self, other: Any) -> Array:
        return _operation("bitwise_xor", other, self, other)

    def __lshift__(self, other: Any) -> Array:
        return _operation("bitwise_left_shift", self, other, other)

    def __rlshift__(self, other: Any) -> Array:
        return _operation("bitwise_left_shift", other, self, other)

    def __rshift__(self, other: Any) -> Array:
        return _operation("bitwise_right_shift", self, other, other)

    def __rrshift__(self, other: Any) -> Array:
        return _operation("bitwise_right_shift", other, self, other)

    def __lt__(self, other: Any) -> Array:
        return _operation("less", self, other, other)

    def __le__(self, other: Any) -> Array:
        return _operation("less_equal", self, other, other)

    def __gt__(self, other: Any) -> Array:
        return _operation("greater", self, other, other)

    def __ge__(self, other: Any) -> Array:
        return _operation("greater_equal", self, other, other)

    def __eq__(self, other: Any) -> Array:  # type: ignore[override]  # of each element
        return _operation("equal", self, other, other)

    def __ne__(self, other: Any) -> Array:  # type: ignore[override]  # of each element
        return _operation("not_equal", self, other, other)

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
        found: Array = function("indexing.getitem")(self, index)
        return found
