"""Shapes changed, and arrays put together and taken apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dxir import ops
from dxir.dimensions import dimension
from dxir.errors import AttributeValueError, OperandError, ShapeError
from dxir.numpy.arguments import arrays_in, axes_of, axis_of, integer, known, public
from dxir.numpy.promotion import array_of, promoted
from dxir.numpy.sizes import reshaped, spread
from dxir.tracing.arrays import Array
from dxir.types import Dim
from dxir.types import broadcast_shapes as broadcast_two


@public
def broadcast_shapes(*shapes: Any) -> tuple[Any, ...]:
    """The shape that arrays of these shapes are brought to."""
    found: tuple[Any, ...] = ()
    for shape in shapes:
        found = broadcast_two(found, tuple(shape) if isinstance(shape, (tuple, list)) else (shape,))
    return found


@public
def broadcast_arrays(*arrays: Any) -> tuple[Array, ...]:
    """The arrays, all in the shape that they are brought to together."""
    given = [array_of(a) for a in arrays]
    shape = broadcast_shapes(*[a.shape for a in given])
    return tuple([spread(a, shape) for a in given])


@public
def broadcast_to(x: Any, /, shape: Any) -> Array:
    """The array in a shape that it is repeated along."""
    array = array_of(x)
    wanted = _shape(shape)
    if -1 in wanted or broadcast_two(array.shape, wanted) != wanted:
        raise ShapeError(f"{array.type} cannot be repeated to shape {wanted}")
    return spread(array, wanted)


def _shape(given: Any) -> tuple[Any, ...]:
    sizes = given if isinstance(given, (tuple, list)) else (given,)
    return tuple([s if isinstance(s, Dim) else _size(s) for s in sizes])


def _size(given: Any) -> Any:
    return dimension(given) if isinstance(given, str) else integer(given, "a size")


@public
def concat(arrays: Any, /, *, axis: int | None = 0) -> Array:
    """The arrays one after the other along an axis; all elements in a row for None."""
    given = list(promoted(*arrays_in(arrays, "concat")))
    if axis is None:
        return concat([reshaped(a, (-1,)) for a in given], axis=0)
    if not given[0].shape:
        raise ShapeError("concat takes no scalars", hint="stack makes an array of them")
    if len(given) == 1:
        return Array(given[0])
    return ops.concat(given, axis=axis_of(axis, len(given[0].shape)))


@public
def concatenate(arrays: Any, axis: int | None = 0, *, dtype: Any = None) -> Array:
    """The arrays one after the other along an axis; NumPy's name for concat."""
    found = concat(arrays, axis=axis)
    return found if dtype is None else found.astype(dtype)


@public
def stack(arrays: Any, /, *, axis: int = 0) -> Array:
    """The arrays side by side along a new axis."""
    given = list(promoted(*arrays_in(arrays, "stack")))
    if any(a.shape != given[0].shape for a in given):
        types = " and ".join([str(a.type) for a in given[:4]])
        raise ShapeError(
            f"stack takes arrays of one shape, not {types}",
            hint="dxir.numpy.concat joins arrays along an axis that they have",
        )
    at = axis_of(axis, len(given[0].shape) + 1)
    return ops.concat([expand_dims(a, axis=at) for a in given], axis=at)


@public
def unstack(x: Any, /, *, axis: int = 0) -> tuple[Array, ...]:
    """The parts of an array along an axis, which they do not have."""
    array = array_of(x)
    at = axis_of(axis, len(array.shape))
    size = array.shape[at]
    if isinstance(size, Dim):
        raise ShapeError(f"axis {axis} of {array.type} has a size that is not known")
    return tuple([squeeze(p, axis=at) for p in _cuts(array, (1,) * size, at)])


@public
def split(x: Any, indices_or_sections: Any, /, axis: int = 0) -> tuple[Array, ...]:
    """The array cut along an axis, in equal parts or at indices."""
    array = array_of(x)
    at = axis_of(axis, len(array.shape))
    if isinstance(indices_or_sections, (tuple, list)):
        bounds = [integer(i, "an index") for i in indices_or_sections]
        cuts = [slice(a, b) for a, b in zip([0, *bounds], [*bounds, None], strict=True)]
        return tuple([array[(slice(None),) * at + (c,)] for c in cuts])
    count = integer(indices_or_sections, "the number of parts")
    if count < 1 or array.shape[at] % count:
        raise ShapeError(
            f"axis {axis} of {array.type} cannot be cut in {count} equal parts",
            hint="give the indices to cut at, as a list",
        )
    return tuple(_cuts(array, (array.shape[at] // count,) * count, at))


def _cuts(x: Array, sizes: Sequence[int], axis: int) -> list[Array]:
    """The array cut along an axis in parts of these sizes."""
    if x.type.is_static:
        return list(ops.split(x, sizes=tuple(sizes), axis=axis)) if sizes else []
    ends = [sum(sizes[: i + 1]) for i in range(len(sizes))]
    whole = (slice(None),) * axis
    return [x[(*whole, slice(e - s, e))] for s, e in zip(sizes, ends, strict=True)]


@public
def expand_dims(x: Any, /, axis: Any = 0) -> Array:
    """The array with new axes of size 1."""
    array = array_of(x)
    given = axis if isinstance(axis, (tuple, list)) else (axis,)
    rank = len(array.shape) + len(given)
    places = axes_of(tuple(given), rank)
    sizes = iter(array.shape)
    return reshaped(array, tuple([1 if i in places else next(sizes) for i in range(rank)]))


@public
def squeeze(x: Any, /, axis: Any = None) -> Array:
    """The array without axes of size 1: those named, or all of them."""
    array = array_of(x)
    if axis is None:
        gone = tuple([i for i, s in enumerate(array.shape) if s == 1])
    else:
        gone = axes_of(axis, len(array.shape))
    for place in gone:
        if array.shape[place] != 1:
            raise ShapeError(
                f"squeeze: axis {place} of {array.type} has not size 1",
                hint="only axes of size 1 can be left out; x[0] takes a row, sum adds up",
            )
    return reshaped(array, tuple([s for i, s in enumerate(array.shape) if i not in gone]))


@public
def reshape(x: Any, /, shape: Any, *, copy: bool | None = None) -> Array:
    """The same elements in another shape; one -1 in it is worked out."""
    del copy  # arrays are not changed, so that nobody sees whether one is a copy
    array = array_of(x)
    wanted = _shape(shape)
    if wanted == array.shape:
        return Array(array)
    return reshaped(array, wanted)


@public
def ravel(x: Any, /) -> Array:
    """All elements in a row."""
    return reshaped(array_of(x), (-1,))


@public
def flip(x: Any, /, *, axis: Any = None) -> Array:
    """The elements in the opposite order along axes: those named, or all."""
    array = array_of(x)
    axes = axes_of(axis, len(array.shape))
    return ops.reverse(array, axes=axes) if axes else Array(array)


@public
def permute_dims(x: Any, /, axes: Any) -> Array:
    """The axes in another order."""
    array = array_of(x)
    order = tuple([axis_of(a, len(array.shape)) for a in axes])
    if sorted(order) != list(range(len(array.shape))):
        raise ShapeError(f"{tuple(axes)} is no order of the {len(array.shape)} axes")
    return ops.transpose(array, permutation=order) if order else Array(array)


@public
def transpose(x: Any, /, axes: Any = None) -> Array:
    """The axes in another order, by default the opposite one."""
    array = array_of(x)
    return permute_dims(array, range(len(array.shape))[::-1] if axes is None else axes)


@public
def matrix_transpose(x: Any, /) -> Array:
    """Rows and columns, the last two axes, exchanged."""
    array = array_of(x)
    if len(array.shape) < 2:
        raise ShapeError(f"a matrix is needed, not {array.type}")
    return swapaxes(array, -1, -2)


@public
def swapaxes(x: Any, axis1: int, axis2: int, /) -> Array:
    """Two axes exchanged."""
    array = array_of(x)
    order = list(range(len(array.shape)))
    a, b = (axis_of(i, len(order)) for i in (axis1, axis2))
    order[a], order[b] = b, a
    return permute_dims(array, order)


@public
def moveaxis(x: Any, source: Any, destination: Any, /) -> Array:
    """Axes moved to other places, the others in their order."""
    array = array_of(x)
    rank = len(array.shape)
    sources, targets = axes_of(source, rank), axes_of(destination, rank)
    if len(sources) != len(targets):
        raise ShapeError(f"moveaxis: {len(sources)} axes go to {len(targets)} places")
    order = [i for i in range(rank) if i not in sources]
    for target, place in sorted(zip(targets, sources, strict=True)):
        order.insert(target, place)
    return permute_dims(array, order)


@public
def roll(x: Any, /, shift: Any, *, axis: Any = None) -> Array:
    """The elements moved along axes; those moved out come in at the other end."""
    array = array_of(x)
    if axis is None:
        return reshaped(roll(ravel(array), _one(shift), axis=0), array.shape)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    shifts = shift if isinstance(shift, (tuple, list)) else (shift,) * len(axes)
    if len(shifts) != len(axes):
        raise ShapeError(f"roll: {len(shifts)} shifts are given for {len(axes)} axes")
    for by, at in zip(shifts, axes, strict=True):
        array = _rolled(array, integer(by, "shift"), axis_of(at, len(array.shape)))
    return Array(array)


def _one(shift: Any) -> int:
    if isinstance(shift, (tuple, list)):
        if len(shift) != 1:
            raise ShapeError(f"roll: {len(shift)} shifts are given for all axes together")
        return integer(shift[0], "shift")
    return integer(shift, "shift")


def _rolled(x: Array, shift: int, axis: int) -> Array:
    size = x.shape[axis]
    if isinstance(size, Dim):
        raise ShapeError(f"axis {axis} of {x.type} cannot be rolled: its size is not known")
    cut = -shift % size if size else 0
    if cut == 0:
        return x
    return ops.concat(_cuts(x, (cut, size - cut), axis)[::-1], axis=axis)


@public
def repeat(x: Any, repeats: Any, /, *, axis: int | None = None) -> Array:
    """Each element several times in a row."""
    array = array_of(x)
    if axis is None:
        return repeat(ravel(array), repeats, axis=0)
    at = axis_of(axis, len(array.shape))
    if isinstance(repeats, int) and not isinstance(array.shape[at], Dim):
        if repeats < 0:
            raise AttributeValueError(f"repeat: {repeats} times")
        shape = array.shape
        wide = expand_dims(array, axis=at + 1)
        wide = spread(wide, (*shape[: at + 1], repeats, *shape[at + 1 :]))
        return reshaped(wide, (*shape[:at], shape[at] * repeats, *shape[at + 1 :]))
    given = np.asarray(repeats) if isinstance(repeats, (tuple, list, int)) else repeats
    counts = known(given, "repeat", "the size of its result depends on `repeats`")
    index = np.repeat(np.arange(array.shape[at]), counts)
    return _taken(array, index, at)


def _taken(x: Array, index: Any, axis: int) -> Array:
    """Elements at known indices along an axis."""
    shape = x.shape
    if not index.size:
        empty = ops.slice(x, starts=(0,) * len(shape), limits=_cut(shape, axis))
        return array_of(empty)
    found: Array = ops.take(x, index.astype(np.int32), axis=axis)
    return found


def _cut(shape: Sequence[Any], axis: int) -> tuple[Any, ...]:
    return tuple([0 if i == axis else s for i, s in enumerate(shape)])


@public
def tile(x: Any, repetitions: Any, /) -> Array:
    """The array side by side with itself, so often along each axis."""
    array = array_of(x)
    given = repetitions if isinstance(repetitions, (tuple, list)) else (repetitions,)
    times = [integer(r, "a repetition") for r in given]
    rank = max(len(times), len(array.shape))
    times = [1] * (rank - len(times)) + times
    shape = (1,) * (rank - len(array.shape)) + tuple(array.shape)
    narrow = [s for size in shape for s in (1, size)]
    wide = [s for count, size in zip(times, shape, strict=True) for s in (count, size)]
    whole = spread(reshaped(array, tuple(narrow)), tuple(wide))
    return reshaped(whole, tuple([_times(t, s) for t, s in zip(times, shape, strict=True)]))


def _times(count: int, size: Any) -> Any:
    if not isinstance(size, Dim):
        return count * size
    if count != 1:
        raise ShapeError(
            f"an axis of the size {size}, which is not known, is repeated {count} times"
        )
    return size


@public
def pad(x: Any, pad_width: Any, mode: str = "constant", *, constant_values: Any = 0) -> Array:
    """The array with more elements at the ends of its axes.

    They are a constant, or by `mode` those of the "edge", of a "reflect" or "symmetric" mirror, or
    of the other end ("wrap").
    """
    array = array_of(x)
    rank = len(array.shape)
    widths = np.broadcast_to(np.asarray(pad_width), (rank, 2)).tolist()
    if mode == "constant":
        low, high = ([w[i] for w in widths] for i in (0, 1))
        value = promoted(array, constant_values)[1] if _is_number(constant_values) else None
        if value is None or value.shape or value.dtype != array.dtype:
            raise OperandError(f"pad: {constant_values!r} is no number of {array.type}")
        return ops.pad(array, value, low=low, high=high)
    if mode not in ("edge", "reflect", "symmetric", "wrap"):
        raise AttributeValueError(
            f"pad: there is no mode {mode!r}", hint="constant, edge, reflect, symmetric or wrap"
        )
    for axis, (low, high) in enumerate(widths):
        if low or high:
            size = array.shape[axis]
            index = np.pad(np.arange(size), (low, high), mode)  # type: ignore[call-overload]
            array = ops.take(array, index.astype(np.int32), axis=axis)
    return array


def _is_number(given: Any) -> bool:
    return isinstance(given, (int, float, complex, Array, np.generic, np.ndarray))
