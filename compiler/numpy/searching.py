"""Where elements are, in order and out of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from dxir import ops
from dxir.errors import AttributeValueError, DTypeError, ShapeError
from dxir.numpy.arguments import axis_of, known, made, public
from dxir.numpy.composed import isnan
from dxir.numpy.elementwise import truth
from dxir.numpy.promotion import array_of, promoted
from dxir.numpy.sizes import reshaped
from dxir.numpy.statistical import sum as total_of
from dxir.tracing.arrays import Array
from dxir.types import Dim, i32


def _extremum(op: str, x: Any, axis: Any, keepdims: bool) -> Array:
    array = array_of(x)
    if array.type.is_static and 0 in array.shape and (axis is None or not array.shape[axis]):
        raise ShapeError(f"{op}: {array.type} has no elements to choose from")
    if axis is None:
        found = getattr(ops, op)(reshaped(array, (-1,)), axis=0)
        return reshaped(found, (1,) * len(array.shape)) if keepdims else found
    at = axis_of(axis, len(array.shape))
    return getattr(ops, op)(array, axis=at, keepdims=keepdims)  # type: ignore[no-any-return]


@public
def argmax(x: Any, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """The index of the largest element, the first of several; of NaN, if there is one."""
    return _extremum("argmax", x, axis, keepdims)


@public
def argmin(x: Any, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """The index of the smallest element, the first of several; of NaN, if there is one."""
    return _extremum("argmin", x, axis, keepdims)


@public
def count_nonzero(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """How many elements are not 0."""
    return total_of(truth(x), axis=axis, keepdims=keepdims)


@public
def nonzero(x: Any, /) -> tuple[Array, ...]:
    """The indices of the elements that are not 0, an array for each axis; not while tracing."""
    numbers = known(x, "nonzero")
    if numbers.ndim == 0:
        raise ShapeError("nonzero takes no scalars")
    return tuple([made(i.astype(np.int32)) for i in np.nonzero(numbers)])


@public
def searchsorted(x1: Any, x2: Any, /, *, side: str = "left", sorter: Any = None) -> Array:
    """Where in the sorted `x1` the elements of `x2` would go, before or after equal ones."""
    if side not in ("left", "right"):
        raise AttributeValueError(f"searchsorted: side is {side!r}", hint='"left" or "right"')
    a, v = promoted(x1, x2)
    if len(a.shape) != 1 or isinstance(a.shape[0], Dim):
        raise ShapeError(
            f"searchsorted takes a sorted array of one axis of known size, not {a.type}"
        )
    if a.dtype.is_complex:
        raise DTypeError("complex numbers have no order")
    size = a.shape[0]
    low = ops.convert(ops.compare(v, v, direction="GT"), dtype=i32)  # zeros, in the shape of v
    if not size:
        return low
    if sorter is not None:
        a = ops.take(a, array_of(sorter), axis=0)
    step = 1 << size.bit_length()
    while step:
        # low is a count of elements that go before; try whether so many more do
        at = ops.add(low, step)
        inside = ops.compare(at, size, direction="LE")
        index = ops.clamp(np.int32(0), ops.sub(at, 1), np.int32(size - 1))
        before = _goes_before(ops.take(a, index, axis=0), v, side)
        low = ops.select(ops.and_(inside, before), at, low)
        step >>= 1
    return low


def _goes_before(element: Array, wanted: Array, side: str) -> Array:
    """Whether elements stand before the places of others; NaN is the largest of all."""
    if side == "left":
        below = ops.compare(element, wanted, direction="LT")
        return ops.or_(below, ops.and_(isnan(wanted), ops.not_(isnan(element))))
    below = ops.compare(element, wanted, direction="LE")
    return ops.or_(below, isnan(wanted))


@public
def sort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """The elements in order along an axis, NaN last (first if descending)."""
    array = numeric_order(x, "sort")
    if not array.shape:
        return array
    at = axis_of(axis, len(array.shape))
    return ops.sort(array, axis=at, descending=descending, stable=stable)


@public
def argsort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """The indices that put the elements in order along an axis."""
    array = numeric_order(x, "argsort")
    if not array.shape:
        return ops.convert(ops.compare(array, array, direction="GT"), dtype=i32)
    at = axis_of(axis, len(array.shape))
    return ops.argsort(array, axis=at, descending=descending, stable=stable)


def numeric_order(x: Any, what: str) -> Array:
    """An array whose elements have an order."""
    array = array_of(x)
    if array.dtype.is_complex:
        raise DTypeError(f"{what}: complex numbers have no order")
    return array
