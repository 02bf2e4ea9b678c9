"""What collectives send, by `dxir.collective_costs`, and the reductions that they do on the way.

A device of a group of `n` reduces `(n-1)/n` of the elements of an all_reduce or a reduce_scatter,
step by step around the ring; XLA counts every element once, as of two replicas.
"""

from __future__ import annotations

from dxir.collective_costs import bytes_sent
from dxir.costs.asked import Asked, Work
from dxir.costs.sizes import UnknownSize
from dxir.errors import ShardingError
from dxir.mesh_layout import axes_size
from dxir.mlir import IrAttribute, ir, stablehlo
from dxir.sharding_codec import decode_group_axes

NAMES = {
    "all_gather": "all_gather",
    "all_reduce": "all_reduce",
    "all_to_all": "all_to_all",
    "collective_broadcast": "collective_broadcast",
    "collective_permute": "collective_permute",
    "cross-replica-sum": "all_reduce",
    "reduce_scatter": "reduce_scatter",
}
"""The collectives of StableHLO, with their kind."""

SHARDED = frozenset(
    f"sdy.{name}"
    for name in ("all_gather", "all_reduce", "all_to_all", "collective_permute", "reduce_scatter")
)
"""Those of Shardy, whose operands are whole: what a device sends, `dxir sharding` tells."""

_REDUCING = ("all_reduce", "reduce_scatter")


def sent_by(kind: str, asked: Asked) -> int:
    """The bytes that a device sends."""
    devices = _group_size(kind, asked)
    sizes = [asked.sizes.bytes(type) for type in asked.operands]
    return sum([bytes_sent(kind, size, devices) for size in sizes])


def work_of(kind: str, asked: Asked) -> Work:
    """What a device computes."""
    if kind not in _REDUCING:
        return Work()
    devices = _group_size(kind, asked)
    elements = sum([asked.sizes.elements(type) for type in asked.operands])
    count = -(-elements * (devices - 1) // devices)
    return asked.region(0, count) if len(asked.op.regions) else Work(count)


def _group_size(kind: str, asked: Asked) -> int:
    """The devices of a group: the most, where groups differ."""
    if kind == "collective_permute":
        return 2
    given = asked.attribute("replica_groups")
    if given is not None and stablehlo.ReplicaGroupMeshAxesAttr.isinstance(given):
        return _size_along_axes(given, asked)
    if not isinstance(given, ir.DenseIntElementsAttr):
        raise UnknownSize("its groups are not told as ids")
    width = ir.ShapedType(given.type).get_dim_size(1)
    if not len(given) or not width:
        raise UnknownSize("its group has all devices, of which the program does not say the number")
    return int(width)


def _size_along_axes(given: IrAttribute, asked: Asked) -> int:
    """The devices along axes of a mesh."""
    name = ir.FlatSymbolRefAttr(stablehlo.ReplicaGroupMeshAxesAttr(given).mesh).value
    mesh = asked.meshes.get(str(name))
    if mesh is None:
        raise UnknownSize(f"there is no mesh @{name}")
    try:
        return axes_size(mesh, decode_group_axes(given))
    except ShardingError as error:
        raise UnknownSize(error.message) from None
