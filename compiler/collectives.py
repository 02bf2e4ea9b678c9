"""Collectives over named axes, for the bodies of `dxir.ops.manual_computation`.

A body sees one device's part of each array. These functions make it talk to the devices that differ
from it along the axes `over` alone: `collectives.all_reduce(x, "x")`. Each becomes the op of
the same name in `dxir.ops`, with the groups of devices that the mesh has along these axes. Devices
count by their place along the axes, major axis first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeVar, cast

import numpy as np

from dxir import checks, ops
from dxir.dialects.fold_trees import combiner, fold_tree
from dxir.dialects.manual_axes import ManualAxes, manual_around
from dxir.errors import AttributeValueError, ShapeError
from dxir.graph import Region, Value, current_region
from dxir.locations import caller_location
from dxir.making import trace
from dxir.mesh_layout import axes_size, coordinates, device_groups, device_ids, index_along
from dxir.sharding import AxisRef, Mesh
from dxir.types import TensorType

__all__ = [
    "all_gather",
    "all_reduce",
    "all_to_all",
    "axis_index",
    "axis_size",
    "collective_broadcast",
    "collective_permute",
    "reduce_scatter",
    "shift",
]

Axes = str | AxisRef | Sequence[str | AxisRef]
Values = TypeVar("Values", Value, tuple[Value, ...])
Reducer = str | Callable[[Value, Value], Value]
Rows = tuple[tuple[int, ...], ...]

_REDUCERS: dict[str, str] = {
    "sum": "add",
    "mean": "add",
    "prod": "mul",
    "max": "max",
    "min": "min",
    "and": "and_",
    "or": "or_",
    "xor": "xor",
}


class _Group:
    """The devices along some axes: their groups, and how an op is told of them."""

    def __init__(self, what: str, over: Axes) -> None:
        self.what = what
        self.around: ManualAxes = manual_around(what)
        self.axes = self.around.over(over, what)
        self.mesh = self.around.mesh
        self.size = axes_size(self.mesh, self.axes)

    @property
    def rows(self) -> Rows:
        """The ids of the devices, a row for each group, in order of their places along the axes."""
        return _rows(self.mesh, self.axes)

    def partitions(self) -> dict[str, Any]:
        """What tells an op of the groups, by ids of partitions."""
        return {"replica_groups": self.rows, "channel": 1}

    def devices(self) -> dict[str, Any]:
        """What tells an op of the groups, by ids of devices."""
        return {**self.partitions(), "use_global_device_ids": True}

    def place(self, given: object, name: str) -> int:
        """A place along the axes, counted from the end where it is negative."""
        place = checks.integer(given, name)
        if not -self.size <= place < self.size:
            raise AttributeValueError(
                f"{self.what}: {name} is {place}, but there are {self.size} devices along "
                f"{_text(self.axes)}",
                where=caller_location(),
                hint=f"places are 0 to {self.size - 1}",
            )
        return place % self.size


@lru_cache(maxsize=64)
def _rows(mesh: Mesh, axes: tuple[AxisRef, ...]) -> Rows:
    return device_groups(mesh, axes)


@lru_cache(maxsize=64)
def _places(mesh: Mesh, axes: tuple[AxisRef, ...]) -> tuple[int, ...]:
    """The place along the axes of each device, by id."""
    found = [0] * mesh.size
    for number, at in zip(device_ids(mesh), coordinates(mesh), strict=True):
        for axis in axes:
            part = index_along(mesh, axis, at[axis.name])
            found[number] = found[number] * axis.size(mesh) + part
    return tuple(found)


def _text(axes: Sequence[AxisRef]) -> str:
    return ", ".join(map(repr, axes)) or "no axes"


def _listed(values: object) -> tuple[Any, ...]:
    return tuple(values) if isinstance(values, (tuple, list)) else (values,)


def _like(given: Values, found: Sequence[Value]) -> Values:
    many = isinstance(given, (tuple, list))
    return cast("Values", tuple(found) if many else found[0])


def _body(what: str, reducer: Any) -> Callable[[Value, Value], Value]:
    if callable(reducer):
        return cast("Callable[[Value, Value], Value]", reducer)
    name = _REDUCERS.get(reducer) if isinstance(reducer, str) else None
    if name is None:
        raise AttributeValueError(
            f"{what}: the reducer is {reducer!r}",
            where=caller_location(),
            hint=f"it must be one of {', '.join(_REDUCERS)}, or a function of two scalars",
        )
    combine = getattr(ops, name)
    return lambda a, b: combine(a, b)


def _is_native(reducer: object, x: Value) -> bool:
    """Whether XLA combines by the reducer itself: by bits it does with flags, not integers."""
    if reducer in ("and", "or"):
        return bool(x.dtype.is_bool)
    return isinstance(reducer, str) and reducer != "xor"


def _folded(parts: Value, axis: int, reducer: Callable[..., Any]) -> Value:
    """What a function makes of the slices along an axis, which has one for each device."""
    scalar = TensorType((), parts.dtype)
    body = trace(reducer, Region((scalar, scalar), current_region()))
    if body.result_types != (scalar,):
        raise ShapeError(
            f"the reducer must return one {scalar}, not {body.result_types}",
            where=caller_location(),
        )
    (found,) = fold_tree([parts], axis, combiner(body))
    return found


def all_reduce(x: Values, over: Axes, reducer: Reducer = "sum") -> Values:
    """`x`, or each of several values, combined over the devices along the axes; all get the result.

    The reducer is `sum`, `mean`, `prod`, `max`, `min`, `and`, `or`, `xor`, or an associative
    function of two scalars. What XLA does not combine by (a function, bits of integers) is gathered
    and folded on every device.
    """
    group = _Group("all_reduce", over)
    return _like(x, [_reduced(v, group, reducer) for v in _listed(x)])


def _reduced(x: Value, group: _Group, reducer: Reducer) -> Value:
    body = _body(group.what, reducer)
    if not _is_native(reducer, x):
        return _gathered_fold(x, group, body)
    # XLA refuses one of several operands in a manual computation, and makes one of several itself.
    (found,) = ops.all_reduce((x,), body=body, **group.devices())
    mean: Value = ops.div(found, group.size) if reducer == "mean" else found
    return mean


def _gathered_fold(x: Value, group: _Group, reducer: Callable[..., Any]) -> Value:
    shape = x.tensor.static_shape
    (parts,) = ops.all_gather((ops.reshape(x, shape=(1, *shape)),), axis=0, **group.devices())
    found: Value = ops.reshape(_folded(parts, 0, reducer), shape=shape)
    return found


def reduce_scatter(x: Value, over: Axes, reducer: Reducer = "sum", *, axis: int = 0) -> Value:
    """`x`, combined as by all_reduce, of which each device gets its part along dimension `axis`."""
    group = _Group("reduce_scatter", over)
    body = _body(group.what, reducer)
    if not _is_native(reducer, x):
        return _exchanged_fold(x, group, body, checks.axis(axis, x.tensor.rank))
    found: Value = ops.reduce_scatter(x, body=body, axis=axis, **group.devices())
    return ops.div(found, group.size) if reducer == "mean" else found


def _exchanged_fold(x: Value, group: _Group, reducer: Callable[..., Any], axis: int) -> Value:
    (parts,) = ops.all_to_all((x,), split_axis=axis, concat_axis=axis, **group.partitions())
    shape = list(x.tensor.static_shape)
    part = shape[axis] // group.size
    wide = ops.reshape(parts, shape=[*shape[:axis], group.size, part, *shape[axis + 1 :]])
    shape[axis] = part
    found: Value = ops.reshape(_folded(wide, axis, reducer), shape=shape)
    return found


def all_gather(x: Values, over: Axes, *, axis: int = 0) -> Values:
    """`x`, or each of several values, of all devices along the axes, joined along `axis`."""
    group = _Group("all_gather", over)
    found = [ops.all_gather((v,), axis=axis, **group.devices())[0] for v in _listed(x)]
    return _like(x, found)


def all_to_all(x: Values, over: Axes, *, split_axis: int, concat_axis: int) -> Values:
    """`x`, split along `split_axis` among the devices; what comes is joined along `concat_axis`."""
    group = _Group("all_to_all", over)
    found = [  # of several operands XLA sends each to one device, which is something else
        ops.all_to_all((v,), split_axis=split_axis, concat_axis=concat_axis, **group.partitions())[
            0
        ]
        for v in _listed(x)
    ]
    return _like(x, found)


def collective_permute(x: Value, over: Axes, pairs: Sequence[tuple[int, int]]) -> Value:
    """`x` of another device: `pairs` say from which place along the axes to which.

    A device that is the target of no pair gets zeros.
    """
    group = _Group("collective_permute", over)
    sent: list[tuple[int, int]] = []
    for pair in pairs:
        both = _listed(pair)
        if len(both) != 2:
            raise AttributeValueError(
                f"collective_permute: pairs has {pair!r}",
                where=caller_location(),
                hint="give pairs of places along the axes, (from, to)",
            )
        sent.append((group.place(both[0], "a source"), group.place(both[1], "a target")))
    for side, word in enumerate(("source", "target")):
        places = Counter(p[side] for p in sent)
        twice = next((p for p, n in places.items() if n > 1), None)
        if twice is not None:
            raise AttributeValueError(
                f"collective_permute: place {twice} is twice a {word} in {list(pairs)}",
                where=caller_location(),
            )
    ids = tuple([(row[a], row[b]) for row in group.rows for a, b in sent])
    found: Value = ops.collective_permute(x, source_target_pairs=ids, channel=1)
    return found


def shift(x: Value, over: Axes, by: int = 1, *, wrap: bool = True) -> Value:
    """`x` of the device `by` places before this one along the axes.

    The first devices get that of the last ones or, with `wrap=False`, zeros.
    """
    group = _Group("shift", over)
    step = checks.integer(by, "by")
    places = [(i, i + step) for i in range(group.size)]
    if not wrap:
        places = [(a, b) for a, b in places if 0 <= b < group.size]
    return collective_permute(x, over, [(a, b % group.size) for a, b in places])


def collective_broadcast(x: Values, over: Axes, *, root: int = 0) -> Values:
    """`x`, or each of several values, of the device at place `root` along the axes.

    It becomes a sum to which the others give 0 (and -0.0 comes as 0.0): XLA has none of its own
    on processors.
    """
    group = _Group("collective_broadcast", over)
    first = group.place(root, "root")
    here = ops.compare(_index(group), np.int32(first), direction="EQ")
    return _like(x, [_given(here, v, over) for v in _listed(x)])


def _given(here: Value, x: Value, over: Axes) -> Value:
    if x.dtype.is_bool:
        return all_reduce(ops.and_(x, here), over, "or")
    return all_reduce(ops.select(here, x, 0), over)


def axis_size(over: Axes) -> int:
    """The number of devices along the axes."""
    return _Group("axis_size", over).size


def axis_index(over: Axes) -> Value:
    """The place of this device along the axes, `i32`."""
    return _index(_Group("axis_index", over))


def _index(group: _Group) -> Value:
    names = [name for name, _ in group.mesh.axes]
    free = tuple([name for name in names if name not in group.around.names])
    if not free:
        return ops.reshape(_looked_up(group), shape=())
    # Which partition it is, XLA tells only where all axes are manual.
    (found,) = ops.manual_computation(
        (),
        body=lambda: _looked_up(group),
        in_shardings=(),
        out_shardings=(group.mesh.sharding(None),),
        manual_axes=free,
    )
    return ops.reshape(found, shape=())


def _looked_up(group: _Group) -> Value:
    """The place of this device, as a vector of one."""
    table = np.array(_places(group.mesh, group.axes), np.int32)
    found: Value = ops.dynamic_slice(ops.constant(table), (ops.partition_id(),), sizes=(1,))
    return found
