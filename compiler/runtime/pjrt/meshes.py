"""Where an array lies that is sharded over a mesh: the mesh's devices, and their parts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from dxir.errors import ArgumentError, ShardingError
from dxir.locations import caller_location
from dxir.mesh_layout import parts, undivided
from dxir.runtime.pjrt.clients import Device, cpu_client
from dxir.runtime.pjrt.placements import Placement, on_device
from dxir.sharding import Sharding
from dxir.types import TensorType

_HINT = "pad the array, or shard another dimension"


def placed(sharding: Sharding, devices: Sequence[Device] | None = None) -> Placement:
    """The placement of arrays that are sharded so.

    The ids of the mesh are the numbers of `devices`, in their order: the first that there are, of
    all processes, where none are given.
    """
    if sharding.unreduced:
        raise ShardingError(
            f"an array cannot be placed as {sharding}: it has no terms to be reduced",
            where=caller_location(),
            hint="leave out unreduced=",
        )
    mesh = sharding.mesh
    count = mesh.device_ids[0] + 1 if mesh.is_single_device else mesh.size
    found = cpu_client(count).devices[:count] if devices is None else tuple(devices)
    if len(found) < count or (len(found) > count and not mesh.is_single_device):
        raise ArgumentError(
            f"the mesh @{mesh.name} has {count} devices, and {len(found)} are given",
            hint=f"give {count} of what dxir.devices gives, or none for the first",
        )
    return _placed(sharding, found)


@lru_cache(maxsize=256)
def _placed(sharding: Sharding, devices: tuple[Device, ...]) -> Placement:
    mesh = sharding.mesh
    if mesh.is_single_device:
        return on_device(devices[mesh.device_ids[0]])
    # A dimension of as many elements as it has parts: where a part starts is its number.
    tiles = tuple([dim.size(mesh) for dim in sharding.dims])
    order: dict[tuple[int, ...], list[int]] = {}
    for device, part in sorted(parts(tiles, sharding).items()):
        order.setdefault(tuple([s.start for s in part]), []).append(device)
    by_part = np.array([order[at] for at in np.ndindex(*tiles)])
    return Placement(devices, tiles, by_part.reshape(*tiles, -1))


def check_divides(sharding: Sharding, type: TensorType, what: str = "an array") -> None:
    """Raise ShardingError unless an array of this type can be divided so, into equal parts."""
    rank = 0 if sharding.mesh.is_single_device else type.rank
    if len(sharding.dims) != rank:
        raise ShardingError(
            f"a sharding of rank {len(sharding.dims)} is given for {what} {type}",
            where=caller_location(),
            hint="give one entry for each dimension; None is for one that is not divided",
        )
    for fault in undivided(type, sharding):
        raise ShardingError(
            f"dimension {fault.dimension} ({fault.size}) of {what} {type} cannot be divided into "
            f"{fault.parts} parts by {fault.sharding}",
            where=caller_location(),
            hint=_HINT,
        )
