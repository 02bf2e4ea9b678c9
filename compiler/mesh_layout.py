"""Where the devices of a mesh stand, and which part of a tensor each of them holds.

A device of a mesh is known by its *place*: its number in row-major order of the mesh's axes. Which
device stands at a place is the mesh's `device_ids`. Devices that differ only in their places along
axes that a sharding does not split over hold copies.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dxir.sharding import AxisRef, DimSharding, Mesh, Sharding
from dxir.types import Dimension, TensorType

Slices = tuple[slice, ...]


def device_ids(mesh: Mesh) -> tuple[int, ...]:
    """The ids of the devices, by place."""
    return mesh.device_ids or tuple(range(mesh.size))


def index_along(mesh: Mesh, axis: AxisRef, coordinate: int) -> int:
    """Where along an axis, or a part of one, a device stands that is at `coordinate` of all of it.

    The part `(pre, size)` of an axis is its middle digit: the axis is seen as
    `[pre, size, rest]`, in row-major order.
    """
    if axis.sub is None:
        return coordinate
    pre, size = axis.sub
    return coordinate // (mesh.axis_size(axis.name) // (pre * size)) % size


def coordinates(mesh: Mesh) -> list[dict[str, int]]:
    """The coordinate of each device along each axis, by place."""
    names = [name for name, _ in mesh.axes]
    shape = [size for _, size in mesh.axes]
    return [dict(zip(names, map(int, at), strict=True)) for at in np.ndindex(*shape)]


def device_groups(mesh: Mesh, axes: Sequence[AxisRef]) -> tuple[tuple[int, ...], ...]:
    """The devices that differ along `axes` alone, a row of ids for each group.

    Within a row the devices are in order of the axes, major first, as they are given.
    """
    sizes: list[int] = []
    numbers: dict[tuple[str, int], int] = {}  # of the parts of axes, by name and pre-size
    for name, full in mesh.axes:
        cuts = {1, full}
        for axis in axes:
            if axis.name == name and axis.sub is not None:
                cuts |= {axis.sub[0], axis.sub[0] * axis.sub[1]}
        for low, high in pairwise(sorted(cuts)):
            numbers[name, low] = len(sizes)
            sizes.append(high // low)
        if full == 1:
            numbers[name, 1] = len(sizes)
            sizes.append(1)
    chosen = [
        number
        for axis in axes
        for (name, low), number in numbers.items()
        if name == axis.name and _within(low, axis)
    ]
    ids = np.array(device_ids(mesh)).reshape(sizes)
    order = [i for i in range(len(sizes)) if i not in chosen] + chosen
    rows = ids.transpose(order).reshape(-1, axes_size(mesh, axes))
    return tuple([tuple(map(int, row)) for row in rows])


def _within(low: int, axis: AxisRef) -> bool:
    if axis.sub is None:
        return True
    pre, size = axis.sub
    return pre <= low < pre * size


def axes_size(mesh: Mesh, axes: Iterable[AxisRef]) -> int:
    """The number of devices in a group along these axes."""
    count = 1
    for axis in axes:
        count *= axis.size(mesh)
    return count


@dataclass(frozen=True, slots=True)
class Undivided:
    """A dimension of `size` elements that is to be split into `parts`, and does not divide."""

    dimension: int
    size: int
    parts: int
    sharding: DimSharding


def undivided(type: TensorType, sharding: Sharding) -> list[Undivided]:
    """The dimensions of a tensor that its sharding does not divide into equal parts."""
    found: list[Undivided] = []
    for i, (size, dim) in enumerate(zip(type.shape, sharding.dims, strict=False)):
        parts = dim.size(sharding.mesh)
        if isinstance(size, int) and size % parts:
            found.append(Undivided(i, size, parts, dim))
    return found


def local_shape(shape: Sequence[Dimension], sharding: Sharding) -> tuple[Dimension, ...]:
    """The shape of a device's part; where it does not divide, of the largest part.

    A dimension whose size is not known stays as it is.
    """
    if sharding.mesh.is_single_device:
        return tuple(shape)
    return tuple(
        [
            -(-size // dim.size(sharding.mesh)) if isinstance(size, int) else size
            for size, dim in zip(shape, sharding.dims, strict=True)
        ]
    )


def part_of(
    shape: Sequence[int],
    sharding: Sharding,
    device: dict[str, int],
    axes: Iterable[str] | None = None,
) -> Slices:
    """The slices of a whole array that the device at these coordinates holds.

    With `axes`, only what these split. Where a dimension does not divide, the last parts are
    smaller, or empty.
    """
    mesh = sharding.mesh
    split = None if axes is None else frozenset(axes)
    found: list[slice] = []
    for size, dim in zip(shape, sharding.dims, strict=True):
        index, parts = 0, 1
        for axis in dim.axes:
            if split is None or axis.name in split:
                count = axis.size(mesh)
                index = index * count + index_along(mesh, axis, device[axis.name])
                parts *= count
        step = -(-size // parts)
        found.append(slice(min(index * step, size), min((index + 1) * step, size)))
    return tuple(found)


def parts(shape: Sequence[int], sharding: Sharding) -> dict[int, Slices]:
    """What each device of the mesh holds of an array of this shape, by the id of the device."""
    mesh = sharding.mesh
    if mesh.is_single_device:
        return {mesh.device_ids[0]: tuple([slice(0, size) for size in shape])}
    return {
        id: part_of(shape, sharding, at)
        for id, at in zip(device_ids(mesh), coordinates(mesh), strict=True)
    }
