"""Arrays that are made of numbers, shapes and nested lists.

While a function is traced, arrays of one value or of a sequence are ops of its graph; small ones
and those of given numbers are constants.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dxir import ops
from dxir.errors import AttributeValueError, DTypeError, DxirError, OperandError, ShapeError
from dxir.graph import Value, current_region
from dxir.locations import caller_location
from dxir.numpy.arguments import check_device, dtype_of, integer, public, shape_of
from dxir.numpy.promotion import DEFAULTS, array_of, as_type, promoted, scalar_kind
from dxir.numpy.sizes import counted, is_static, spread
from dxir.runtime.array import Array as HeldArray
from dxir.tracing.arrays import Array
from dxir.types import Dim, DType, f32, i32, i64
from dxir.wording import shown

_DENSE = 64  # elements of a sequence that is a constant while a function is traced


@public
def asarray(
    obj: Any, /, *, dtype: Any = None, device: Any = None, copy: bool | None = None
) -> Array:
    """An array of numbers, nested lists, or arrays of any kind.

    Python numbers become int32, float32 or complex64; arrays keep their element type.
    """
    check_device(device)
    wanted = dtype_of(dtype)
    if isinstance(obj, (Array, HeldArray, Value, np.ndarray, np.generic)):
        array = Array(obj)
        if wanted is None or array.dtype == wanted:
            return array
        if copy is False:
            raise AttributeValueError(f"an array of {array.dtype} is no {wanted} without a copy")
        return as_type(array, wanted)
    if copy is False:
        raise AttributeValueError("an array of Python objects is a copy", hint="leave `copy` out")
    if isinstance(obj, (list, tuple)) and _holds_arrays(obj):
        return _stacked(obj, wanted)
    if hasattr(obj, "__dlpack__"):
        return asarray(from_dlpack(obj), dtype=wanted)
    return Array(_numbers(obj, wanted))


def _holds_arrays(given: Any) -> bool:
    if isinstance(given, (list, tuple)):
        return any(_holds_arrays(g) for g in given)
    return isinstance(given, (Array, HeldArray, Value))


def _stacked(given: Any, dtype: DType | None) -> Array:
    """Nested lists that hold arrays among their elements, as one array."""
    parts = [_stacked(g, None) if isinstance(g, (list, tuple)) else array_of(g) for g in given]
    parts = list(promoted(*parts)) if dtype is None else [as_type(p, dtype) for p in parts]
    if len({p.shape for p in parts}) > 1:
        shapes = " and ".join(map(str, dict.fromkeys([p.shape for p in parts])))
        raise ShapeError(
            f"the parts of a list have shapes {shapes}",
            where=caller_location(),
            hint=_RAGGED,
        )
    return ops.stack(parts, axis=0)


_RAGGED = "all rows of an array are of one length: pad the short ones, or keep several arrays"


def _numbers(obj: Any, wanted: DType | None) -> Any:
    try:
        found = np.array(obj, None if wanted is None else wanted.numpy)
    except (TypeError, ValueError, OverflowError) as error:
        kind: type[DxirError] = DTypeError if isinstance(error, OverflowError) else OperandError
        if "inhomogeneous" in str(error):
            raise ShapeError(
                f"no array can be made of {shown(obj)}, whose parts are not of one length",
                where=caller_location(),
                hint=_RAGGED,
            ) from None
        raise kind(f"no array can be made of {shown(obj)}: {error}") from None
    if found.dtype == object or found.dtype.kind in "USMmO":
        raise OperandError(f"no array can be made of {shown(obj)}", hint="give numbers")
    if wanted is None and not _has_numpy(obj):
        return found.astype(_default_of(found), copy=False)
    return found


def _has_numpy(given: Any) -> bool:
    if isinstance(given, (list, tuple)):
        return any(_has_numpy(g) for g in given)
    return isinstance(given, (np.ndarray, np.generic))


def _default_of(found: Any) -> Any:
    if found.dtype.kind in "iu" and found.size:
        low, high = int(found.min()), int(found.max())
        if low < -(2**31) or high >= 2**31:
            return (i64.numpy) if high < 2**63 else np.dtype(np.uint64)
    kinds = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}
    return DEFAULTS[kinds.get(found.dtype.kind, "float")].numpy


@public
def array(obj: Any, /, dtype: Any = None, *, copy: bool | None = None) -> Array:
    """An array of numbers, nested lists, or arrays; NumPy's name for asarray."""
    return asarray(obj, dtype=dtype, copy=copy)


@public
def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Array:
    """An array of what another library has, by way of DLPack."""
    check_device(device)
    del copy  # arrays are not changed, so that nobody sees whether one is a copy
    if isinstance(x, (Array, HeldArray)):
        return Array(x)
    return Array(np.from_dlpack(x))


def _filled(shape: Any, value: Any, dtype: DType) -> Array:
    sizes = shape_of(shape)
    value = bool(value) if dtype.is_bool else value
    if current_region() is None and is_static(sizes):
        return Array(np.full(sizes, value, dtype.numpy))
    if is_static(sizes):
        return Array(ops.full(shape=sizes, value=value, dtype=dtype))
    return spread(Array(dtype.numpy.type(value)), sizes)


@public
def zeros(shape: Any, *, dtype: Any = None, device: Any = None) -> Array:
    """An array of zeros."""
    check_device(device)
    return _filled(shape, 0, dtype_of(dtype) or f32)


@public
def ones(shape: Any, *, dtype: Any = None, device: Any = None) -> Array:
    """An array of ones."""
    check_device(device)
    return _filled(shape, 1, dtype_of(dtype) or f32)


@public
def empty(shape: Any, *, dtype: Any = None, device: Any = None) -> Array:
    """An array whose elements do not matter: zeros."""
    check_device(device)
    return _filled(shape, 0, dtype_of(dtype) or f32)


@public
def full(shape: Any, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Array:
    """An array of one value."""
    check_device(device)
    wanted = dtype_of(dtype)
    kind = scalar_kind(fill_value)
    if kind is None or isinstance(fill_value, Array):
        value = array_of(fill_value)
        value = value if wanted is None else as_type(value, wanted)
        return spread(Array(value), shape_of(shape))
    wanted = wanted or DEFAULTS[kind]
    as_type(array_of(fill_value), wanted, fill_value)  # refuses what it does not hold
    return _filled(shape, fill_value, wanted)


def _like(x: Any, dtype: Any, device: Any) -> tuple[Any, DType]:
    check_device(device)
    like = array_of(x)
    return like.shape, dtype_of(dtype) or like.dtype


@public
def zeros_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> Array:
    """Zeros in the shape and element type of an array."""
    return _filled_like(x, 0, *_like(x, dtype, device))


@public
def ones_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> Array:
    """Ones in the shape and element type of an array."""
    return _filled_like(x, 1, *_like(x, dtype, device))


@public
def empty_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> Array:
    """An array like another, whose elements do not matter: zeros."""
    return _filled_like(x, 0, *_like(x, dtype, device))


@public
def full_like(x: Any, /, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Array:
    """One value in the shape and element type of an array."""
    shape, wanted = _like(x, dtype, device)
    if isinstance(fill_value, (Array, Value, np.ndarray)):
        return spread(as_type(array_of(fill_value), wanted), shape)
    as_type(array_of(fill_value), wanted, fill_value)
    return _filled_like(x, fill_value, shape, wanted)


def _filled_like(x: Any, value: Any, shape: Any, dtype: DType) -> Array:
    like = array_of(x)
    if is_static(shape):
        return _filled(shape, value, dtype)
    found = ops.constant_like(like, value=like.dtype.numpy.type(0).item())
    if dtype == like.dtype and not isinstance(value, bool):
        return ops.constant_like(like, value=value)
    zero = ops.convert(found, dtype=dtype)
    return zero if not value else ops.add(zero, dtype.numpy.type(value))


def _sequence(
    count: Any, dtype: DType, dense: Callable[[], Any], traced: Callable[[Array], Array]
) -> Array:
    """Numbers of a sequence, or a function of 0, 1, 2, ... while one is traced."""
    if not isinstance(count, Dim) and (current_region() is None or count <= _DENSE):
        return Array(dense())
    wide = i64 if dtype.bits == 64 else i32
    return ops.convert(traced(counted((count,), 0, wide)), dtype=dtype)


@public
def arange(
    start: Any, /, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None
) -> Array:
    """Numbers from `start` (0 if it is alone) up to but not `stop`, `step` apart."""
    check_device(device)
    if stop is None:
        start, stop = 0, start
    if isinstance(stop, Dim) and (start, step) == (0, 1):
        return counted((stop,), 0, dtype_of(dtype) or i32)
    start, stop, step = (_bound(v) for v in (start, stop, step))
    if not step:
        raise AttributeValueError("arange: step is 0")
    wanted = dtype_of(dtype) or DEFAULTS[_widest(start, stop, step)]
    count = max(0, math.ceil((stop - start) / step))

    def dense() -> Any:
        if all(isinstance(v, int) for v in (start, stop, step)):
            return np.arange(start, stop, step).astype(wanted.numpy)
        return (start + np.arange(count) * step).astype(wanted.numpy)

    def traced(index: Array) -> Array:
        if isinstance(start, float) or isinstance(step, float):
            index = ops.convert(index, dtype=wanted if wanted.is_float else f32)
        found = index if step == 1 else ops.mul(index, step)
        return found if start == 0 else ops.add(found, start)

    return _sequence(count, wanted, dense, traced)


def _widest(*numbers: Any) -> str:
    return "float" if any(isinstance(n, float) for n in numbers) else "int"


def _bound(given: Any) -> Any:
    if isinstance(given, Dim):
        raise ShapeError(
            f"arange takes the dimension {given} only as arange({given})",
            hint="add and multiply afterwards: arange(n) * step + start",
        )
    if isinstance(given, (Array, Value, np.ndarray, np.generic)):
        array = array_of(given)
        if array.is_traced:
            raise ShapeError(
                "arange: a bound is computed by the traced function, so that the size of the "
                "result is not known",
                where=caller_location(),
                hint="take a fixed size, and mask what is beyond the bound with where",
            )
        return array.item()
    if isinstance(given, bool) or not isinstance(given, (int, float)):
        raise OperandError(f"arange takes numbers, not {given!r}")
    return given


@public
def linspace(
    start: Any, stop: Any, /, num: int, *, dtype: Any = None, device: Any = None,
    endpoint: bool = True,
) -> Array:  # fmt: skip
    """`num` evenly spaced numbers from `start` to `stop`."""
    check_device(device)
    count = integer(num, "num")
    if count < 0:
        raise AttributeValueError(f"linspace: num is {count}", hint="it must be at least 0")
    a, b = (_end(v) for v in (start, stop))
    is_complex = isinstance(a, complex) or isinstance(b, complex)
    wanted = dtype_of(dtype) or DEFAULTS["complex" if is_complex else "float"]
    parts = (count - 1) if endpoint else count

    def dense() -> Any:
        wide = np.linspace(a, b, count, endpoint=endpoint)
        return (
            np.floor(wide).astype(wanted.numpy) if wanted.is_integer else wide.astype(wanted.numpy)
        )

    def traced(index: Array) -> Array:
        share = ops.div(ops.convert(index, dtype=wanted), wanted.numpy.type(parts))
        rest = ops.sub(1, share)
        found: Array = ops.add(
            ops.mul(share, wanted.numpy.type(b)), ops.mul(rest, wanted.numpy.type(a))
        )
        return found

    if not (wanted.is_float or wanted.is_complex):
        return Array(dense())
    return _sequence(count, wanted, dense, traced)


def _end(given: Any) -> Any:
    if isinstance(given, (int, float, complex)):
        return given
    array = array_of(given)
    if array.is_traced:
        raise OperandError(
            "linspace: an end is computed by the traced function",
            hint="scale afterwards: start + (stop - start) * linspace(0.0, 1.0, num)",
        )
    return array.item()


@public
def eye(
    n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: Any = None,
    device: Any = None,
) -> Array:  # fmt: skip
    """Ones on the diagonal `k`, zeros elsewhere."""
    check_device(device)
    rows = integer(n_rows, "n_rows")
    columns = rows if n_cols is None else integer(n_cols, "n_cols")
    wanted = dtype_of(dtype) or f32
    if current_region() is None or rows * columns <= _DENSE:
        return Array(np.eye(rows, columns, k, dtype=wanted.numpy))
    shape = (rows, columns)
    down, across = counted(shape, 0), counted(shape, 1)
    return ops.convert(ops.compare(ops.add(down, k), across, direction="EQ"), dtype=wanted)


@public
def tril(x: Any, /, *, k: int = 0) -> Array:
    """The elements on and below the diagonal `k`, and zeros."""
    return ops.tril(array_of(x), k=integer(k, "k"))


@public
def triu(x: Any, /, *, k: int = 0) -> Array:
    """The elements on and above the diagonal `k`, and zeros."""
    return ops.triu(array_of(x), k=integer(k, "k"))


@public
def meshgrid(*arrays: Any, indexing: str = "xy") -> tuple[Array, ...]:
    """The coordinates of a grid, one array for each axis."""
    if indexing not in ("xy", "ij"):
        raise AttributeValueError(f"meshgrid: indexing is {indexing!r}", hint='"xy" or "ij"')
    given = [array_of(a) for a in arrays]
    if len({a.dtype for a in given}) > 1:
        raise DTypeError("meshgrid takes arrays of one element type")
    if any(len(a.shape) > 1 for a in given):
        raise ShapeError("meshgrid takes arrays of one axis")
    places = list(range(len(given)))
    if indexing == "xy" and len(given) > 1:
        places[:2] = [1, 0]
    sizes = [a.shape[0] if a.shape else 1 for a in given]
    shape: list[Any] = list(sizes)
    for place, size in zip(places, sizes, strict=True):
        shape[place] = size
    return tuple(
        [
            spread(a, tuple(shape), (p,) if a.shape else ())
            for a, p in zip(given, places, strict=True)
        ]
    )


@public
def copy(x: Any, /) -> Array:
    """An array of the same elements."""
    return Array(array_of(x))
