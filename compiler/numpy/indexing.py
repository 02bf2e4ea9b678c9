"""Parts of arrays by index.

Python integers out of range are an error; those in arrays are brought into range. A mask of known
numbers selects elements; one that a traced function computes cannot, since nobody knows how many
they are.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dxir import ops
from dxir.errors import DTypeError, GraphError, OperandError, ShapeError
from dxir.graph import Value
from dxir.locations import caller_location
from dxir.numpy.arguments import axis_of, known, made, public
from dxir.numpy.creation import asarray, zeros
from dxir.numpy.promotion import array_of, as_type
from dxir.numpy.sizes import is_static, reshaped, size_at, spread, vector
from dxir.runtime.array import Array as HeldArray
from dxir.tracing.arrays import Array
from dxir.types import Dim, i32
from dxir.types import broadcast_shapes as broadcast_two

_BASIC = (int, type(None), type(Ellipsis))


def getitem(x: Array, index: Any) -> Array:
    """`x[index]`: integers, slices, `None`, `...`, arrays and lists of integers, masks."""
    parts = index if index.__class__ is tuple else (index,)
    if all(_is_basic(p) for p in parts):
        if not x.is_traced:
            try:
                return Array(x.numpy()[index])
            except (IndexError, ValueError):
                pass  # the op explains it
        if not is_static(x.shape):
            return _dynamic(x, parts)
        return ops.getitem(x, index)
    written, x = without_masks(x, [as_part(p) for p in parts])
    arrays = [p for p in written if isinstance(p, Array)]
    if not is_static(x.shape) or not all(is_static(a.shape) for a in arrays):
        at = _only_array(written)
        if at is not None:
            return _taken(x, written[at], at)
    elif any(0 in a.shape for a in arrays):
        return _nothing(x, written)
    if not x.is_traced and not any(a.is_traced for a in arrays):
        found = _known(x, written)
        if found is not None:
            return found
    return ops.getitem(x, tuple(written))


def _nothing(x: Array, parts: list[Any]) -> Array:
    """The elements at no indices: an array of none, in the shape that NumPy gives it."""
    for part in parts:
        if isinstance(part, Array) and not part.dtype.is_integer:
            raise DTypeError(f"{part.type} is no array of indices", where=caller_location())
    index = [np.zeros(p.shape, np.int64) if isinstance(p, Array) else p for p in parts]
    try:
        shape = np.broadcast_to(np.int8(0), x.shape)[tuple(index)].shape
    except IndexError as error:
        raise ShapeError(f"x[index]: {error}", where=caller_location()) from None
    return zeros(shape, dtype=x.dtype)


def _only_array(parts: Any) -> int | None:
    """The place of the only array in an index, where all else is whole axes before it."""
    found = [i for i, p in enumerate(parts) if isinstance(p, Array)]
    whole = [i for i, p in enumerate(parts) if isinstance(p, slice) and p == slice(None)]
    return found[0] if len(found) == 1 and len(whole) == len(parts) - 1 else None


def _is_basic(part: Any) -> bool:
    """Whether a part of an index is of Python alone."""
    if part.__class__ is slice:
        return _plain(part.start) and _plain(part.stop) and _plain(part.step)
    return part.__class__ in _BASIC


def _plain(bound: Any) -> bool:
    return bound is None or bound.__class__ is int


def as_part(part: Any) -> Any:
    """A part of an index, lists and arrays of any kind as arrays."""
    if isinstance(part, (list, np.ndarray, Value, HeldArray)):
        if isinstance(part, list) and not part:
            return made(np.zeros(0, np.int32))
        return asarray(part)
    if isinstance(part, np.integer):
        return int(part)
    if isinstance(part, (bool, np.bool_)):
        return made(np.asarray(part))
    if isinstance(part, slice):
        return slice(*[_slice_bound(b) for b in (part.start, part.stop, part.step)])
    return part


def _slice_bound(bound: Any) -> Any:
    if isinstance(bound, Array):
        if bound.is_traced:
            raise GraphError(
                "a bound of a slice is computed by the traced function, so that the size of the "
                "result is not known",
                where=caller_location(),
                hint="name the argument in static=; or use dxir.ops.dynamic_slice, which has a "
                "fixed size and a computed start",
            )
        return int(bound)
    if bound is not None and not hasattr(bound, "__index__"):
        raise OperandError(
            f"the bounds of a slice are integers, not {bound!r}", where=caller_location()
        )
    return bound


def is_mask(part: Any) -> bool:
    """Whether a part of an index is an array of booleans."""
    return isinstance(part, Array) and part.dtype.is_bool


def without_masks(x: Array, parts: list[Any]) -> tuple[list[Any], Array]:
    """The index with masks replaced by the indices of what they select."""
    if not any(is_mask(p) for p in parts):
        return parts, x
    found: list[Any] = []
    axis = 0
    skipped = len(x.shape) - sum(_width(p) for p in parts)
    for part in parts:
        if not is_mask(part):
            axis += skipped if part is Ellipsis else _width(part)
            found.append(part)
            continue
        numbers = known(part, "x[mask]", "how many elements are selected depends on those")
        if not numbers.ndim:
            if len(parts) > 1:
                raise DTypeError(
                    "a truth value is part of an index", where=caller_location(),
                    hint="use a mask with as many axes as it selects along",
                )  # fmt: skip
            x = reshaped(x, (1, *x.shape))
            return [slice(0, int(numbers))], x
        own = x.shape[axis : axis + numbers.ndim]
        if own != numbers.shape:
            raise ShapeError(
                f"a mask of shape {numbers.shape} selects along axes of sizes {own}",
                where=caller_location(),
                hint="they must be the same",
            )
        found += [made(i.astype(np.int32)) for i in np.nonzero(numbers)]
        axis += numbers.ndim
    return found, x


def _width(part: Any) -> int:
    """How many axes of the array a part of an index is for."""
    if part is None or part is Ellipsis:
        return 0
    return len(part.shape) if is_mask(part) else 1


def _known(x: Array, parts: list[Any]) -> Array | None:
    """The elements of known numbers at known indices; None where the op should explain."""
    if sum(p is Ellipsis for p in parts) > 1 or sum(map(_width, parts)) > len(x.shape):
        return None
    found: list[Any] = []
    axis = 0
    for part in parts:
        if not isinstance(part, Array):
            axis += len(x.shape) - sum(map(_width, parts)) if part is Ellipsis else _width(part)
            found.append(part)
            continue
        size = x.shape[axis]
        if not part.dtype.is_integer or not size:
            return None
        wide = part.numpy().astype(np.int64)
        found.append(np.clip(np.where(wide < 0, wide + size, wide), 0, size - 1))
        axis += 1
    try:
        return Array(x.numpy()[tuple(found)])
    except (IndexError, ValueError, TypeError):
        return None


class _Cut(NamedTuple):
    """What is taken of an axis, and the size in the result (None where the axis is dropped)."""

    start: Any
    limit: Any
    step: int
    size: Any
    flipped: bool


def _dynamic(x: Array, parts: tuple[Any, ...]) -> Array:
    """Slices and integers of an array with sizes that are not known, along its other axes."""
    rank = len(x.shape)
    used = sum(p is not None and p is not Ellipsis for p in parts)
    if used > rank or sum(p is Ellipsis for p in parts) > 1:
        raise ShapeError(f"{used} indices are given for {x.type}", where=caller_location())
    written = list(parts if Ellipsis in parts else (*parts, Ellipsis))
    at = written.index(Ellipsis)
    written[at : at + 1] = [slice(None)] * (rank - used)
    cuts: list[_Cut] = []
    shape: list[Any] = []
    for part in written:
        if part is None:
            shape.append(1)
            continue
        cut = _cut(x, len(cuts), part)
        cuts.append(cut)
        if cut.size is not None:
            shape.append(cut.size)
    found = x
    if any(c.limit is not None or c.step != 1 for c in cuts):
        found = _sliced(x, cuts)
    flipped = [i for i, c in enumerate(cuts) if c.flipped]
    return reshaped(ops.reverse(found, axes=flipped) if flipped else found, tuple(shape))


def _sliced(x: Array, cuts: list[_Cut]) -> Array:
    sizes = [ops.get_dimension_size(x, axis=i) if c.limit is None and isinstance(x.shape[i], Dim)
             else x.shape[i] if c.limit is None else c.limit
             for i, c in enumerate(cuts)]  # fmt: skip
    limits = vector(sizes)
    shape = [1 if c.size is None else c.size for c in cuts]
    found: Array = ops.real_dynamic_slice(
        x,
        vector([c.start for c in cuts]),
        limits,
        np.asarray([c.step for c in cuts], np.int32),
        shape=shape,
    )
    return found


def _cut(x: Array, axis: int, part: Any) -> _Cut:
    size = x.shape[axis]
    if isinstance(size, Dim):
        if isinstance(part, slice) and part.start in (None, 0) and part.stop is None:
            if part.step in (None, 1):
                return _Cut(0, None, 1, size, flipped=False)
            if part.step == -1:
                return _Cut(0, None, 1, size, flipped=True)
        if isinstance(part, int):
            start = part if part >= 0 else ops.add(ops.get_dimension_size(x, axis=axis), part)
            return _Cut(start, ops.add(start, 1) if part < 0 else part + 1, 1, None, flipped=False)
        raise ShapeError(
            f"axis {axis} of {x.type} is indexed by {part!r}, but its size is not known",
            where=caller_location(),
            hint="an integer takes one element of it, and [:] or [::-1] all",
        )
    if isinstance(part, slice):
        start, stop, step = part.indices(size)
        count = len(range(start, stop, step))
        if step < 0 and count:
            return _Cut(start + step * (count - 1), start + 1, -step, count, flipped=True)
        limit = start + (count - 1) * step + 1 if count else start
        whole = count == size
        return _Cut(start, None if whole else limit, step if count else 1, count, flipped=False)
    if not -size <= part < size:
        raise ShapeError(
            f"index {part} is out of range for axis {axis} of {x.type}", where=caller_location()
        )
    return _Cut(part % size, part % size + 1, 1, None, flipped=False)


@public
def take(x: Any, indices: Any, /, *, axis: int | None = None) -> Array:
    """The elements at indices along an axis; indices out of range are brought into it."""
    array = array_of(x)
    if axis is None and len(array.shape) != 1:
        raise ShapeError(f"take needs an axis of {array.type}", hint="name one: axis=0")
    at = axis_of(0 if axis is None else axis, len(array.shape))
    index = asarray(as_part(indices))
    if is_static(array.shape) and is_static(index.shape):
        return getitem(array, (slice(None),) * at + (index,))
    return _taken(array, index, at)


def _taken(x: Array, indices: Array, axis: int) -> Array:
    """Elements along an axis of known size, where some other size is not known."""
    size = x.shape[axis]
    if isinstance(size, Dim) or not size:
        raise ShapeError(
            f"axis {axis} of {x.type} cannot be indexed: it needs a size that is known"
        )
    if not indices.dtype.is_integer:
        raise DTypeError(f"{indices.type} is no array of indices", where=caller_location())
    if not indices.dtype.is_unsigned:
        wide = as_type(indices, i32) if indices.dtype.bits < 32 else indices
        negative = ops.compare(wide, 0, direction="LT")
        indices = ops.select(negative, ops.add(wide, size), wide)
    if is_static(x.shape):
        return ops.take(x, indices, axis=axis)
    rank, batch = len(x.shape), len(indices.shape)
    others = [i for i in range(rank) if i != axis]
    found: Array = ops.dynamic_gather(
        x,
        indices,
        vector([1 if i == axis else size_at(x, i) for i in range(rank)]),
        shape=(*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :]),
        offset_dims=[i if i < axis else i - 1 + batch for i in others],
        collapsed_slice_dims=(axis,),
        start_index_map=(axis,),
        index_vector_dim=batch,
    )
    return found


@public
def take_along_axis(x: Any, indices: Any, /, *, axis: int = -1) -> Array:
    """The elements at indices along an axis, each row of which has its own."""
    array, index = array_of(x), asarray(as_part(indices))
    if len(array.shape) != len(index.shape):
        raise ShapeError(f"take_along_axis: {array.type} has other axes than {index.type}")
    at = axis_of(axis, len(array.shape))
    rest = broadcast_two(_except(array.shape, at), _except(index.shape, at))
    array = spread(array, _with(rest, at, array.shape[at]))
    index = spread(index, _with(rest, at, index.shape[at]))
    return ops.take_along(array, index, axis=at)


def _except(shape: tuple[Any, ...], axis: int) -> tuple[Any, ...]:
    return (*shape[:axis], 1, *shape[axis + 1 :])


def _with(shape: tuple[Any, ...], axis: int, size: Any) -> tuple[Any, ...]:
    return (*shape[:axis], size, *shape[axis + 1 :])
