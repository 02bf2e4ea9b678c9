"""Sums, extrema, means and other functions of many elements."""

from __future__ import annotations

import builtins
from typing import Any

from dxir import ops
from dxir.errors import ShapeError
from dxir.numpy.arguments import axes_of, axis_of, dtype_of, inexact, integer, public
from dxir.numpy.elementwise import astype_of, check_kind, truth
from dxir.numpy.promotion import array_of, as_type, promoted
from dxir.numpy.sizes import count_of, reshaped, spread
from dxir.tracing.arrays import Array
from dxir.types import Dim, DType, i32, ui32


def _summed(x: Any, dtype: Any) -> Array:
    """The terms of a sum: narrow integers and booleans become int32 or uint32."""
    array = array_of(x)
    wanted = dtype_of(dtype)
    if wanted is None:
        wanted = array.dtype
        if wanted.is_bool:
            wanted = i32
        elif wanted.is_integer and wanted.bits < 32:
            wanted = ui32 if wanted.is_unsigned else i32
    return array if array.dtype == wanted else astype_of(array, wanted)


@public
def sum(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Array:
    """The sum along axes, or of all elements."""
    array = _summed(x, dtype)
    return ops.sum(array, axes=axes_of(axis, len(array.shape)), keepdims=keepdims)


@public
def prod(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Array:
    """The product along axes, or of all elements."""
    array = _summed(x, dtype)
    return ops.prod(array, axes=axes_of(axis, len(array.shape)), keepdims=keepdims)


def _extremum(op: str, name: str, x: Any, axis: Any, keepdims: bool) -> Array:
    array = array_of(x)
    check_kind(array, "int uint float bool", name)
    axes = axes_of(axis, len(array.shape))
    if builtins.any(array.shape[a] == 0 for a in axes):
        raise ShapeError(f"{name}: {array.type} has no elements to choose from")
    return getattr(ops, op)(array, axes=axes, keepdims=keepdims)  # type: ignore[no-any-return]


@public
def max(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """The largest element along axes, or of all; NaN if one is."""
    return _extremum("reduce_max", "max", x, axis, keepdims)


@public
def min(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """The smallest element along axes, or of all; NaN if one is."""
    return _extremum("reduce_min", "min", x, axis, keepdims)


@public
def all(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Whether no element along axes is 0."""
    array = truth(x)
    return ops.all(array, axes=axes_of(axis, len(array.shape)), keepdims=keepdims)


@public
def any(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Whether an element along axes is not 0."""
    array = truth(x)
    return ops.any(array, axes=axes_of(axis, len(array.shape)), keepdims=keepdims)


@public
def mean(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Array:
    """The mean along axes, or of all elements; NaN of none. Integers become floats."""
    wanted = dtype_of(dtype)
    array = inexact(x if wanted is None else astype_of(array_of(x), wanted))
    axes = axes_of(axis, len(array.shape))
    if array.type.is_static:
        return ops.mean(array, axes=axes, keepdims=keepdims)
    total = ops.sum(array, axes=axes, keepdims=keepdims)
    found: Array = ops.div(total, _as_number(count_of(array, axes), array.dtype))
    return found


def _as_number(count: Any, dtype: DType) -> Any:
    return ops.convert(count, dtype=dtype) if isinstance(count, Array) else count


@public
def var(x: Any, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Array:
    """The variance along axes: squared deviations, divided by the count less `correction`."""
    array = inexact(x)
    axes = axes_of(axis, len(array.shape))
    if array.dtype.is_complex:
        parts = [var(p(array), axis=axes, correction=correction, keepdims=keepdims)
                 for p in (ops.real, ops.imag)]  # fmt: skip
        return ops.add(*parts)
    if array.type.is_static and axes:
        return ops.var(array, axes=axes, keepdims=keepdims, correction=float(correction))
    off = ops.sub(array, mean(array, axis=axes, keepdims=True))
    total = ops.sum(ops.mul(off, off), axes=axes, keepdims=keepdims)
    count = _as_number(count_of(array, axes), array.dtype)
    left = ops.sub(count, correction) if isinstance(count, Array) else count - correction
    found: Array = ops.div(total, left if isinstance(left, Array) else builtins.max(left, 0.0))
    return found


@public
def std(x: Any, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Array:
    """The standard deviation along axes: the square root of the variance."""
    return ops.sqrt(var(x, axis=axis, correction=correction, keepdims=keepdims))


@public
def average(x: Any, /, *, axis: Any = None, weights: Any = None, keepdims: bool = False) -> Array:
    """The mean along axes, each element counted by its weight."""
    if weights is None:
        return mean(x, axis=axis, keepdims=keepdims)
    a, w = promoted(inexact(x), weights)
    if len(w.shape) == 1 and len(a.shape) > 1 and isinstance(axis, int):
        shape = [1] * len(a.shape)
        shape[axis_of(axis, len(a.shape))] = w.shape[0]
        w = reshaped(w, tuple(shape))
    w = spread(w, a.shape)
    axes = axes_of(axis, len(a.shape))
    total = ops.sum(ops.mul(a, w), axes=axes, keepdims=keepdims)
    return ops.div(total, ops.sum(w, axes=axes, keepdims=keepdims))


def _running(op: str, x: Any, axis: Any, dtype: Any, include_initial: bool, first: int) -> Array:
    array = _summed(x, dtype)
    if axis is None and len(array.shape) != 1:
        raise ShapeError(f"an axis is needed to go along in {array.type}", hint="name one: axis=0")
    at = axis_of(0 if axis is None else axis, len(array.shape))
    found: Array = getattr(ops, op)(array, axis=at)
    if not include_initial:
        return found
    shape = tuple([1 if i == at else s for i, s in enumerate(array.shape)])
    start = spread(as_type(array_of(first), array.dtype, first), shape)
    return ops.concat([start, found], axis=at)


@public
def cumulative_sum(
    x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Array:
    """The sums of the elements so far, along an axis; before them 0, if `include_initial`."""
    return _running("cumsum", x, axis, dtype, include_initial, 0)


@public
def cumulative_prod(
    x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Array:
    """The products of the elements so far, along an axis; before them 1, if `include_initial`."""
    return _running("cumprod", x, axis, dtype, include_initial, 1)


@public
def cumsum(x: Any, /, axis: int | None = None, *, dtype: Any = None) -> Array:
    """The sums of the elements so far, along an axis or in a row; NumPy's cumulative_sum."""
    array = array_of(x)
    return cumulative_sum(reshaped(array, (-1,)) if axis is None else array, axis=axis or 0,
                          dtype=dtype)  # fmt: skip


@public
def cumprod(x: Any, /, axis: int | None = None, *, dtype: Any = None) -> Array:
    """The products of the elements so far, along an axis or in a row; NumPy's cumulative_prod."""
    array = array_of(x)
    return cumulative_prod(reshaped(array, (-1,)) if axis is None else array, axis=axis or 0,
                           dtype=dtype)  # fmt: skip


@public
def diff(
    x: Any, /, *, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None
) -> Array:
    """The differences of neighbours along an axis, `n` times over."""
    array = array_of(x)
    if not array.shape:
        raise ShapeError("diff takes no scalars")
    at = axis_of(axis, len(array.shape))
    ends = [array_of(e) if e is not None else None for e in (prepend, append)]
    if ends != [None, None]:
        parts = [_end(e, array, at) for e in (ends[0], array, ends[1]) if e is not None]
        array = ops.concat(list(promoted(*parts)), axis=at)
    for _ in range(integer(n, "n")):
        size = array.shape[at]
        if isinstance(size, Dim):
            raise ShapeError(f"axis {axis} of {array.type} has a size that is not known")
        if size == 0:
            break
        whole = (slice(None),) * at
        later, sooner = array[(*whole, slice(1, None))], array[(*whole, slice(0, size - 1))]
        array = ops.xor(later, sooner) if array.dtype.is_bool else ops.sub(later, sooner)
    return Array(array)


def _end(given: Array, array: Array, axis: int) -> Array:
    if given.shape or given is array:
        return given
    shape = tuple([1 if i == axis else s for i, s in enumerate(array.shape)])
    return spread(given, shape)
