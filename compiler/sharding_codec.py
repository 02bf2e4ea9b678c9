"""Shardy attributes of meshes and shardings, both ways."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dxir.attributes import MeshAxesGroups
from dxir.codecs import CODECS, Codec
from dxir.errors import RaisingError
from dxir.mlir import IrAttribute, TypeCache, ir, sdy, stablehlo
from dxir.sharding import AxisRef, DimSharding, Mesh, Sharding

FindMesh = Callable[[str], Mesh]


def encode_mesh(mesh: Mesh, types: TypeCache) -> IrAttribute:
    """The `#sdy.mesh` attribute."""
    axes = [sdy.MeshAxisAttr.get(n, s, types.context) for n, s in mesh.axes]
    return sdy.MeshAttr.get(axes, list(mesh.device_ids), types.context)


def decode_mesh(name: str, attribute: Any) -> Mesh:
    """The mesh of an `sdy.mesh` op."""
    given = sdy.MeshAttr(attribute)
    axes = [sdy.MeshAxisAttr(a) for a in given.axes]
    return Mesh(name, [(a.name, a.size) for a in axes], given.device_ids)


def encode_axis(axis: AxisRef, types: TypeCache) -> IrAttribute:
    """The `#sdy.axis_ref` attribute."""
    sub = None if axis.sub is None else sdy.SubAxisInfoAttr.get(*axis.sub, types.context)
    return sdy.AxisRefAttr.get(axis.name, sub, types.context)


def decode_axis(attribute: Any) -> AxisRef:
    """The axis of an `#sdy.axis_ref`."""
    given = sdy.AxisRefAttr(attribute)
    if given.sub_axis_info is None:
        return AxisRef(given.name)
    sub = sdy.SubAxisInfoAttr(given.sub_axis_info)
    return AxisRef(given.name, (sub.pre_size, sub.size))


def encode_sharding(sharding: Sharding, types: TypeCache) -> IrAttribute:
    """The `#sdy.sharding` attribute, its mesh by name."""
    dims = [
        sdy.DimensionShardingAttr.get(
            [encode_axis(a, types) for a in d.axes], not d.open, d.priority, types.context
        )
        for d in sharding.dims
    ]
    return sdy.TensorShardingAttr.get(
        sharding.mesh.name,
        dims,
        replicated_axes=[encode_axis(a, types) for a in sharding.replicated],
        unreduced_axes=[encode_axis(a, types) for a in sharding.unreduced],
        context=types.context,
    )


def decode_sharding(attribute: Any, mesh_named: FindMesh) -> Sharding:
    """The sharding of an `#sdy.sharding`; inlined meshes get the name of an unnamed mesh."""
    given = sdy.TensorShardingAttr(attribute)
    ref = given.mesh_or_ref
    if isinstance(ref, ir.FlatSymbolRefAttr):
        mesh = mesh_named(ref.value)
    elif sdy.MeshAttr.isinstance(ref):
        raise RaisingError(
            f"{attribute} carries its mesh inline",
            hint="run sdy-lift-inlined-meshes first, so that the mesh has a name",
        )
    else:
        raise RaisingError(f"{attribute} does not name a mesh")
    dims = [sdy.DimensionShardingAttr(d) for d in given.dimension_shardings]
    return Sharding(
        mesh,
        *(
            DimSharding(tuple(decode_axis(a) for a in d.axes), not d.is_closed, d.priority)
            for d in dims
        ),
        replicated=[decode_axis(a) for a in given.replicated_axes],
        unreduced=[decode_axis(a) for a in given.unreduced_axes],
    )


def encode_shardings(shardings: Sequence[Sharding], types: TypeCache) -> IrAttribute:
    """The `#sdy.sharding_per_value` attribute."""
    return sdy.TensorShardingPerValueAttr.get(
        [encode_sharding(s, types) for s in shardings], types.context
    )


def decode_shardings(attribute: Any, mesh_named: FindMesh) -> tuple[Sharding, ...]:
    """The shardings of an `#sdy.sharding_per_value`."""
    given = sdy.TensorShardingPerValueAttr(attribute)
    return tuple(decode_sharding(s, mesh_named) for s in given.shardings)


def encode_mesh_axes_groups(groups: MeshAxesGroups, types: TypeCache) -> IrAttribute:
    """Replica groups as `#stablehlo.replica_group_mesh_axes`."""
    context = types.context
    axes = [
        stablehlo.AxisRefAttr.get(
            a.name,
            None if a.sub is None else stablehlo.SubAxisInfoAttr.get(*a.sub, context),
            context,
        )
        for a in groups.axes
    ]
    return stablehlo.ReplicaGroupMeshAxesAttr.get(
        ir.FlatSymbolRefAttr.get(groups.mesh.name, context),
        ir.ArrayAttr.get(axes, context),
        context,
    )


def _encode_groups(value: Any, types: TypeCache) -> IrAttribute:
    if isinstance(value, MeshAxesGroups):
        return encode_mesh_axes_groups(value, types)
    return CODECS["i64_matrix"].encode(value, types)


CODECS["replica_groups"] = Codec(_encode_groups, CODECS["i64_matrix"].decode)
CODECS["sharding"] = Codec(encode_sharding, lambda a: a)
CODECS["shardings"] = Codec(encode_shardings, lambda a: a)
CODECS["manual_axes"] = Codec(
    lambda v, t: sdy.ManualAxesAttr.get([ir.StringAttr.get(a, t.context) for a in v], t.context),
    lambda a: tuple(ir.StringAttr(x).value for x in ir.ArrayAttr(a)),
)
