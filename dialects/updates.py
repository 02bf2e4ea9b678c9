"""Indexed updates: `x.at[i].set(v)` and its kin, in terms of block updates and scatter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dxir import ops
from dxir.dialects.subscript import (
    Item,
    index_vectors,
    located,
    parse_index,
    result_axes,
    result_shape,
    sliced,
)
from dxir.errors import DTypeError, DxirError, OperandError, ShapeError
from dxir.graph import Value
from dxir.op import register_function
from dxir.types import shape_text


class IndexedUpdate:
    """`x.at[index]`: what can be done to the elements of `x` there.

    Each method gives a new tensor. The update broadcasts to the shape of `x[index]`. Elements out
    of range in an index tensor are left out; several updates of one element are all applied, `set`
    keeping one of them.
    """

    __slots__ = ("_index", "_x")

    def __init__(self, x: Value, index: Any) -> None:
        self._x = x
        self._index = index

    def set(self, value: Any) -> Value:
        """`x` with `value` there."""
        return _updated(self._x, self._index, value, lambda a, b: b)

    def add(self, value: Any) -> Value:
        """`x` with `value` added there."""
        return _updated(self._x, self._index, value, lambda a, b: ops.add(a, b))

    def mul(self, value: Any) -> Value:
        """`x` multiplied by `value` there."""
        return _updated(self._x, self._index, value, lambda a, b: ops.mul(a, b))

    def min(self, value: Any) -> Value:
        """`x` with the smaller of itself and `value` there."""
        return _updated(self._x, self._index, value, lambda a, b: ops.min(a, b))

    def max(self, value: Any) -> Value:
        """`x` with the larger of itself and `value` there."""
        return _updated(self._x, self._index, value, lambda a, b: ops.max(a, b))


class At:
    """`x.at`: indexed with brackets, it gives an `IndexedUpdate`."""

    __slots__ = ("_x",)

    def __init__(self, x: Value) -> None:
        self._x = x

    def __getitem__(self, index: Any) -> IndexedUpdate:
        return IndexedUpdate(self._x, index)


@register_function
def at(x: Value) -> At:
    """Updates at an index: `x.at[i].set(v)`, `.add(v)`, `.mul(v)`, `.min(v)`, `.max(v)`.

    The index is as in `x[i]`. An element whose index in a tensor is out of range is not updated.
    """
    return At(x)


def _updated(x: Value, index: Any, given: Any, combine: Callable[[Value, Value], Value]) -> Value:
    try:
        items = parse_index(x, index)
        result = result_axes(items)
        update = _update(x, given, result_shape(result))
        if 0 in update.shape:
            return x
        if all(i.indices is None and (i.cut is None or i.cut[1] == 1) for i in items):
            return _block_updated(x, items, update, combine)
        return _scattered(x, items, result, update, combine)
    except DxirError as error:
        raise located(error, "x.at[index]") from None


def _block_updated(
    x: Value, items: list[Item], update: Value, combine: Callable[[Value, Value], Value]
) -> Value:
    part = sliced(x, items)
    if update.shape != part.shape:
        update = ops.reshape(update, shape=part.shape)
    update = combine(part, update)
    if part.shape == x.shape:
        return update
    starts = [i.place if i.cut is None else i.cut[0] for i in items if i.axis is not None]
    return ops.dynamic_update_slice(x, update, [np.int32(s or 0) for s in starts])


def _scattered(
    x: Value,
    items: list[Item],
    result: list[Item | int],
    update: Value,
    combine: Callable[[Value, Value], Value],
) -> Value:
    """`x` updated by a scatter whose windows are the slices of step 1."""
    axes = [r for r in result if isinstance(r, int) or r.axis is not None]
    windows = [r.axis for r in axes if isinstance(r, Item) and _is_window(r)]
    places = [k for k, r in enumerate(axes) if not _is_window(r)]
    flat = [r if isinstance(r, int) else r.cut[2] if r.cut else 1 for r in axes]
    if len(flat) != update.rank:
        update = ops.reshape(update, shape=flat)
    batch = tuple(flat[k] for k in places)
    parts, targets = _starts(items, axes, places, batch)
    indices, vector = index_vectors(parts, batch)
    (value,) = ops.scatter(
        (x,),
        indices,
        (update,),
        combine,
        update_window_dims=[k for k in range(len(axes)) if k not in places],
        inserted_window_dims=[a for a in range(x.rank) if a not in windows],
        scatter_dims_to_operand_dims=targets,
        index_vector_dim=vector,
    )
    return value


def _is_window(item: Any) -> bool:
    return not isinstance(item, int) and item.cut is not None and item.cut[1] == 1


def _update(x: Value, given: Any, shape: tuple[int, ...]) -> Value:
    dtype = x.tensor.primitive
    if isinstance(given, Value):
        value = given
    elif isinstance(given, (np.ndarray, np.generic)):
        value = ops.constant(given)
    elif isinstance(given, (bool, int, float, complex)):
        value = ops.full(shape=(), value=given, dtype=dtype)
    else:
        raise OperandError(f"an update must be a value or a number, not {given.__class__.__name__}")
    if value.tensor.dtype != dtype:
        raise DTypeError(
            f"{x.type} cannot be updated with {value.type}",
            hint="convert it with dxir.ops.convert(v, dtype=...); nothing is promoted silently",
        )
    source = value.tensor.static_shape
    if source == shape:
        return value
    tail = shape[len(shape) - len(source) :]
    if len(source) > len(shape) or any(s not in (1, d) for s, d in zip(source, tail, strict=True)):
        raise ShapeError(
            f"an update of shape {shape_text(source)} does not fit x[index] of shape "
            f"{shape_text(shape)}"
        )
    dims = tuple(range(len(shape) - len(source), len(shape)))
    return ops.broadcast_in_dim(value, shape=shape, dims=dims)


def _starts(
    items: list[Item], axes: list[Item | int], places: list[int], batch: tuple[int, ...]
) -> tuple[list[Value], list[int]]:
    """The start on each axis that has one, of shape `batch`, and those axes."""
    tensors = [p for p, k in enumerate(places) if isinstance(axes[k], int)]
    parts: list[Value] = []
    targets: list[int] = []
    for item in items:
        if item.axis is None:
            continue
        if item.indices is not None:
            rank = item.indices.rank
            dims = tuple(tensors[len(tensors) - rank :])
            part = item.indices
            if part.shape != batch:
                part = ops.broadcast_in_dim(part, shape=batch, dims=dims)
        elif item.cut is not None and item.cut[1] != 1:
            start, step, count = item.cut
            where = next(p for p, k in enumerate(places) if axes[k] is item)
            row = np.arange(count, dtype=np.int32) * step + start
            view = row.reshape([count if p == where else 1 for p in range(len(batch))])
            part = ops.constant(np.ascontiguousarray(np.broadcast_to(view, batch)))
        else:
            first = item.place if item.cut is None else item.cut[0]
            if item.cut is not None and first == 0:
                continue
            part = ops.constant(np.broadcast_to(np.int32(first or 0), batch))
        parts.append(part)
        targets.append(item.axis)
    return parts, targets
