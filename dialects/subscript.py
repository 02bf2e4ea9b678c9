"""Python indexing: `x[i]`, in terms of slices and gather."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dxir import ops
from dxir.errors import DTypeError, DxirError, OperandError, ShapeError
from dxir.graph import Value
from dxir.locations import place_error
from dxir.op import register_function
from dxir.types import DType, TensorType, broadcast_shapes, i32, i64

_KINDS = "integers, slices, None, ..., integer tensors and lists of integers"


@dataclass(slots=True, eq=False)
class Item:
    """One part of an index: `axis` is the operand's (None for a new axis).

    Exactly one of `cut` (start, step, count), `place` (an integer) and `indices` (a tensor) is set
    unless it is a new axis. `position` is its place in the index, where `...` takes one even when
    it stands for no axis.
    """

    position: int
    axis: int | None
    cut: tuple[int, int, int] | None = None
    place: int | None = None
    indices: Value | None = None

    @property
    def is_advanced(self) -> bool:
        return self.place is not None or self.indices is not None


@register_function
def getitem(x: Value, index: Any) -> Value:
    """`x[index]` as in NumPy: integers, slices, `None`, `...`, integer tensors and lists.

    Negative indices count from the end, in tensors too. Python integers out of range are an error;
    those in tensors clamp. Boolean masks are refused: their result has no known shape.
    """
    try:
        items = parse_index(x, index)
        result = result_axes(items)
        value = sliced(x, items)
        dynamic = [i for i in items if i.indices is not None]
        if dynamic:
            value = _gathered(value, items, dynamic, result)
        shape = result_shape(result)
        return value if value.shape == shape else ops.reshape(value, shape=shape)
    except DxirError as error:
        raise located(error, "x[index]") from None


def located(error: DxirError, what: str) -> DxirError:
    """The error, saying where the user's code is and what it did, if nothing else said it."""
    if error.where is None:
        place_error(error)
        error.message = f"{what}: {error.message}"
    return error


def result_shape(result: list[Item | int]) -> tuple[int, ...]:
    """The shape of `x[index]`."""
    shape: list[int] = []
    for item in result:
        if isinstance(item, int):
            shape.append(item)
        else:
            shape.append(1 if item.cut is None else item.cut[2])
    return tuple(shape)


def parse_index(x: Value, index: Any) -> list[Item]:
    """The index with `...` written out, checked against the shape of `x`."""
    type = x.tensor
    sizes = type.static_shape
    parts = list(index) if isinstance(index, tuple) else [index]
    dots = [i for i, p in enumerate(parts) if p is Ellipsis]
    if len(dots) > 1:
        raise OperandError("an index can hold only one ...")
    used = sum(p is not None and p is not Ellipsis for p in parts)
    if used > len(sizes):
        raise ShapeError(
            f"{used} indices are given for {type}, which has {len(sizes)} axes",
            hint="give one index for each axis at most; x[None] makes a new axis",
        )
    fill: list[Any] = [slice(None)] * (len(sizes) - used)
    at = dots[0] if dots else len(parts)
    parts[at : at + len(dots)] = fill
    items: list[Item] = []
    axis = 0
    for i, part in enumerate(parts):
        position = i + bool(dots and not fill and i >= at)
        if part is None:
            items.append(Item(position, None))
            continue
        items.append(_item(part, position, axis, type))
        axis += 1
    return items


def _range(size: int) -> str:
    return f"indices are 0 to {size - 1}, or {-size} to -1 from the end" if size else "it is empty"


def _item(part: Any, position: int, axis: int, type: TensorType) -> Item:
    size = type.static_shape[axis]
    if isinstance(part, slice):
        return Item(position, axis, cut=_cut(part, size))
    if isinstance(part, (bool, np.bool_)) or _is_boolean(part):
        raise DTypeError(
            f"{type} cannot be indexed by booleans: the shape of the result would not be known",
            hint="use dxir.ops.select to choose elements, or integer indices",
        )
    if isinstance(part, (int, np.integer)):
        if not -size <= part < size:
            raise ShapeError(
                f"index {part} is out of range for axis {axis} of {type}", hint=_range(size)
            )
        return Item(position, axis, place=int(part) % size)
    if isinstance(part, (list, np.ndarray)):
        array = np.asarray(part)
        if array.size == 0 and isinstance(part, list):
            array = array.astype(np.int32)
        if array.dtype.kind not in "iu":
            raise DTypeError(f"{array.dtype} is not a type for indices", hint=f"use {_KINDS}")
        if array.size and not -size <= array.min() <= array.max() < size:
            raise ShapeError(
                f"the indices {part!r} are out of range for axis {axis} of {type}",
                hint=_range(size),
            )
        wide = np.where(array < 0, array + size, array)
        return Item(position, axis, indices=ops.constant(wide.astype(np.int32)))
    if isinstance(part, Value):
        return Item(position, axis, indices=_from_the_end(part, size))
    raise OperandError(
        f"{type} cannot be indexed by {part!r} ({part.__class__.__name__})", hint=f"use {_KINDS}"
    )


def _is_boolean(part: Any) -> bool:
    if isinstance(part, Value):
        return part.tensor.dtype.is_bool
    if isinstance(part, (list, np.ndarray)):
        return np.asarray(part).dtype == np.bool_
    return False


def _cut(part: slice, size: int) -> tuple[int, int, int]:
    for bound in (part.start, part.stop, part.step):
        if isinstance(bound, Value):
            raise OperandError(
                "the bounds of a slice must be Python integers, not values of the graph",
                hint="use dxir.ops.dynamic_slice, which has a fixed size and a computed start",
            )
    start, stop, step = part.indices(size)
    count = len(range(start, stop, step))
    return (start, step, count) if count > 1 else (start if count else 0, 1, count)


def _from_the_end(indices: Value, size: int) -> Value:
    """Indices of which the negative ones count from the end."""
    dtype = indices.tensor.dtype
    if not dtype.is_integer:
        raise DTypeError(f"{indices.type} is not a type for indices", hint=f"use {_KINDS}")
    if dtype.is_unsigned:
        return indices
    wide = indices if dtype.bits >= 32 else ops.convert(indices, dtype=i32)
    kind = wide.tensor.primitive.numpy.type
    negative = ops.compare(wide, kind(0), direction="LT")
    value: Value = ops.select(negative, ops.add(wide, kind(size)), wide)
    return value


def result_axes(items: list[Item]) -> list[Item | int]:
    """What the axes of the result are: slices and new axes, and sizes of the index tensors.

    NumPy's rule: the axes of the index tensors take the place of the first index when all tensors
    and integers stand side by side, and come first otherwise.
    """
    advanced = [item.position for item in items if item.is_advanced]
    batch = list(_batch_shape(items))
    others: list[Item | int] = [i for i in items if not i.is_advanced]
    if not batch:
        return others
    together = advanced[-1] - advanced[0] + 1 == len(advanced)
    at = sum(not i.is_advanced and i.position < advanced[0] for i in items) if together else 0
    return [*others[:at], *batch, *others[at:]]


def _batch_shape(items: list[Item]) -> tuple[int, ...]:
    shape: tuple[Any, ...] = ()
    for item in items:
        if item.indices is not None:
            shape = broadcast_shapes(shape, item.indices.tensor.static_shape)
    return shape


def sliced(x: Value, items: list[Item]) -> Value:
    """`x` cut by the slices and integers; axes of integers have size 1 after it."""
    sizes = x.tensor.static_shape
    starts, limits, strides = [0] * len(sizes), list(sizes), [1] * len(sizes)
    flipped = []
    for item in items:
        if item.axis is None or item.indices is not None:
            continue
        start, step, count = item.cut or (item.place or 0, 1, 1)
        if step < 0:
            flipped.append(item.axis)
            start, step = start + step * (count - 1), -step
        starts[item.axis], strides[item.axis] = start, step
        limits[item.axis] = start + step * (count - 1) + 1 if count else start
    value = x
    if starts != [0] * len(sizes) or limits != list(sizes) or any(s != 1 for s in strides):
        value = ops.slice(x, starts=starts, limits=limits, strides=strides)
    return ops.reverse(value, axes=flipped) if flipped else value


def _gathered(x: Value, items: list[Item], dynamic: list[Item], result: list[Item | int]) -> Value:
    """The elements of `x` (cut already) at the index tensors."""
    batch = _batch_shape(items)
    indices, vector = index_vectors([i.indices for i in dynamic if i.indices is not None], batch)
    places = [i.axis for i in dynamic if i.axis is not None]
    fixed = [i.axis for i in items if i.place is not None and i.axis is not None]
    axes = [r for r in result if isinstance(r, int) or r.axis is not None]
    sizes = [1 if a in places else d for a, d in enumerate(x.tensor.static_shape)]
    for item in dynamic:
        if x.shape[item.axis or 0] == 0:
            raise ShapeError(f"axis {item.axis} of {x.type} has no elements to index")
    value: Value = ops.gather(
        x,
        indices,
        offset_dims=[k for k, r in enumerate(axes) if not isinstance(r, int)],
        collapsed_slice_dims=sorted({*places, *fixed}),
        start_index_map=places,
        index_vector_dim=vector,
        slice_sizes=sizes,
    )
    return value


def index_vectors(parts: list[Value], batch: tuple[int, ...]) -> tuple[Value, int]:
    """Index tensors of shape `batch` as one tensor of index vectors, and its vector axis."""
    widest = _common([p.tensor.primitive for p in parts])
    wide = []
    for part in parts:
        dtype = part.tensor.primitive
        if dtype is not widest:
            part = ops.convert(part, dtype=widest)
        if part.shape != batch:
            rank = len(batch)
            dims = tuple(range(rank - part.rank, rank))
            part = ops.broadcast_in_dim(part, shape=batch, dims=dims)
        wide.append(part)
    if len(wide) == 1:
        return wide[0], len(batch)
    columns = [ops.reshape(p, shape=(*batch, 1)) for p in wide]
    return ops.concat(columns, axis=len(batch)), len(batch)


def _common(dtypes: list[DType]) -> DType:
    widest = max(dtypes, key=lambda d: d.bits)
    if len({d.is_unsigned for d in dtypes}) == 1:
        return widest
    return i64 if any(d.is_unsigned and d.bits >= 32 for d in dtypes) or widest.bits > 32 else i32
