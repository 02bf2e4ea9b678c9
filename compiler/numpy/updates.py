"""Arrays changed at an index: `x.at[i].set(v)`.

Elements whose index in an array is out of range are left out. A mask may be traced: it chooses
between old and new elements.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from dxir import ops
from dxir.errors import DTypeError, GraphError, OperandError, ShapeError
from dxir.locations import caller_location
from dxir.making import taking_arrays
from dxir.numpy.composed import where
from dxir.numpy.creation import asarray
from dxir.numpy.indexing import as_part, getitem, is_mask, without_masks
from dxir.numpy.promotion import array_of, as_type, promoted_type, scalar_kind
from dxir.numpy.sizes import reshaped
from dxir.tracing.arrays import Array
from dxir.types import broadcast_shapes as broadcast_two

_COMBINE: dict[str, Callable[[Any, Any], Array]] = {
    "set": lambda x, v: v,
    "add": lambda x, v: ops.add(x, v),
    "mul": lambda x, v: ops.mul(x, v),
    "min": lambda x, v: ops.min(x, v),
    "max": lambda x, v: ops.max(x, v),
}


_CHANGED = "x = x.at[index].set(value) gives the changed array; there are add, multiply, min, max"


class IndexedUpdate:
    """`x.at[index]`: each method gives `x` changed there.

    Several updates of one element are all applied; `set` keeps one of them.
    """

    __slots__ = ("_index", "_x")

    def __init__(self, x: Array, index: Any) -> None:
        self._x = x
        self._index = index

    def __repr__(self) -> str:
        return f"<x.at[...] of {self._x.type}>"

    def _refuse(self, _other: object = None) -> NoReturn:
        raise OperandError(
            "x.at[index] is no array: it changes x", where=caller_location(), hint=_CHANGED
        )

    __add__ = __radd__ = __iadd__ = __sub__ = __rsub__ = __isub__ = _refuse
    __mul__ = __rmul__ = __imul__ = __truediv__ = __rtruediv__ = __itruediv__ = _refuse

    def get(self) -> Array:
        """The elements there: `x[index]`."""
        return getitem(self._x, self._index)

    def set(self, value: Any) -> Array:
        """`x` with `value` there."""
        return _updated(self._x, self._index, value, "set")

    def add(self, value: Any) -> Array:
        """`x` with `value` added there."""
        return _updated(self._x, self._index, value, "add")

    def subtract(self, value: Any) -> Array:
        """`x` with `value` subtracted there."""
        return _updated(self._x, self._index, ops.neg(_value(self._x, value)), "add")

    def multiply(self, value: Any) -> Array:
        """`x` multiplied by `value` there."""
        return _updated(self._x, self._index, value, "mul")

    mul = multiply

    def min(self, value: Any) -> Array:
        """`x` with the smaller of itself and `value` there."""
        return _updated(self._x, self._index, value, "min")

    def max(self, value: Any) -> Array:
        """`x` with the larger of itself and `value` there."""
        return _updated(self._x, self._index, value, "max")


class At:
    """`x.at`: indexed with brackets, it gives an `IndexedUpdate`."""

    __slots__ = ("_x",)

    def __init__(self, x: Array) -> None:
        self._x = x

    def __getitem__(self, index: Any) -> IndexedUpdate:
        return IndexedUpdate(self._x, index)

    def __setitem__(self, index: Any, value: Any) -> NoReturn:
        raise GraphError("arrays are not changed in place", where=caller_location(), hint=_CHANGED)

    def __call__(self, *index: Any) -> NoReturn:
        raise OperandError(
            "x.at takes an index in brackets", where=caller_location(), hint=_CHANGED
        )


def at(x: Any, /) -> At:
    """Updates at an index: `at(x)[i].set(v)`, which is `x.at[i].set(v)`."""
    return At(array_of(x))


def _value(x: Array, given: Any) -> Array:
    """A number or array to put into `x`, in its element type."""
    if isinstance(given, list):
        given = asarray(given, dtype=x.dtype)
    value = array_of(given)
    if scalar_kind(given) is not None:
        return as_type(value, x.dtype, given)
    if value.dtype != x.dtype and promoted_type(value.dtype, x.dtype) != x.dtype:
        raise DTypeError(
            f"x.at[index]: {value.type} is put into {x.type}",
            where=caller_location(),
            hint="convert one of them: dxir.numpy.astype(x, dtype)",
        )
    return as_type(value, x.dtype)


def _updated(x: Array, index: Any, given: Any, how: str) -> Array:
    value = _value(x, given)
    parts = [as_part(p) for p in (index if isinstance(index, tuple) else (index,))]
    if len(parts) == 1 and is_mask(parts[0]):
        return _masked(x, parts[0], value, how)
    parts, x = without_masks(x, parts)
    return _put(x, tuple(parts), value, how)  # type: ignore[no-any-return]


@taking_arrays
def _put(x: Any, parts: tuple[Any, ...], value: Any, how: str) -> Any:
    return getattr(ops.at(x)[parts], how)(value)


def _masked(x: Array, mask: Array, value: Array, how: str) -> Array:
    """The array changed where a mask says."""
    count = len(mask.shape)
    if mask.shape != x.shape[:count]:
        raise ShapeError(
            f"x.at[mask]: a mask of shape {mask.shape} is used on {x.type}",
            where=caller_location(),
            hint="it must have the shape of x, or of its first axes",
        )
    if broadcast_two(value.shape, x.shape) != x.shape:
        raise ShapeError(
            f"x.at[mask]: {value.type} does not spread to {x.type}", where=caller_location()
        )
    wide = reshaped(mask, (*mask.shape, *(1,) * (len(x.shape) - count)))
    return where(wide, _COMBINE[how](x, value), x)
