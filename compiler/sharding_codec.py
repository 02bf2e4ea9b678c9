"""Shardy attributes of meshes and shardings, both ways."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from dxir.attributes import MeshAxesGroups, OpShardingRule
from dxir.codecs import CODECS, Codec
from dxir.errors import LoweringError, RaisingError, ShardingError
from dxir.mlir import IrAttribute, IrOperation, TypeCache, ir, sdy, stablehlo
from dxir.quoting import QUOTED, quoted, unquoted
from dxir.sharding import REDUCTIONS, AxisRef, DimSharding, Mesh, Sharding

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


def meshes_of(module: ir.Module | IrOperation) -> dict[str, Mesh]:
    """The meshes of a module, by name; without those that are not valid, which MLIR tells."""
    found: dict[str, Mesh] = {}
    for each in module.operation.regions[0].blocks[0].operations:
        op = each.operation
        if op.name == "sdy.mesh":
            name = str(ir.StringAttr(op.attributes["sym_name"]).value)
            with suppress(ShardingError):
                found[name] = decode_mesh(name, op.attributes["mesh"])
    return found


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
    """The `#sdy.sharding` attribute, its mesh by name (inline, where it has none)."""
    dims = [
        sdy.DimensionShardingAttr.get(
            [encode_axis(a, types) for a in d.axes], not d.open, d.priority, types.context
        )
        for d in sharding.dims
    ]
    reduction = {}
    if sharding.reduction != "SUM":
        _check_reductions(sharding.reduction)
        reduction["reduction_op"] = getattr(vars(sdy)["ReductionOp"], sharding.reduction)
    return sdy.TensorShardingAttr.get(
        sharding.mesh.name or encode_mesh(sharding.mesh, types),
        dims,
        replicated_axes=[encode_axis(a, types) for a in sharding.replicated],
        unreduced_axes=[encode_axis(a, types) for a in sharding.unreduced],
        **reduction,
        context=types.context,
    )


def _check_reductions(reduction: str) -> None:
    if not hasattr(sdy, "ReductionOp"):
        raise LoweringError(
            f"the Shardy of this jaxlib only sums unreduced axes, so {reduction} cannot be written",
            hint="it needs jaxlib 0.12 or later",
        )


def decode_sharding(attribute: Any, mesh_named: FindMesh) -> Sharding:
    """The sharding of an `#sdy.sharding`; a mesh that is written inline has the name ""."""
    given = sdy.TensorShardingAttr(attribute)
    ref = given.mesh_or_ref
    if isinstance(ref, ir.FlatSymbolRefAttr):
        mesh = mesh_named(ref.value)
    elif sdy.MeshAttr.isinstance(ref):
        mesh = decode_mesh("", ref)
    else:
        raise RaisingError(f"{attribute} does not name a mesh")
    dims = [sdy.DimensionShardingAttr(d) for d in given.dimension_shardings]
    reduction: Any = getattr(given, "reduction_op", None)  # since jaxlib 0.12
    return Sharding(
        mesh,
        *(
            DimSharding(tuple(decode_axis(a) for a in d.axes), not d.is_closed, d.priority)
            for d in dims
        ),
        replicated=[decode_axis(a) for a in given.replicated_axes],
        unreduced=[decode_axis(a) for a in given.unreduced_axes],
        reduction="SUM" if reduction is None else reduction.name,
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


def decode_group_axes(attribute: Any) -> tuple[AxisRef, ...]:
    """The axes of a `#stablehlo.replica_group_mesh_axes`."""
    axes: list[AxisRef] = []
    for item in ir.ArrayAttr(stablehlo.ReplicaGroupMeshAxesAttr(attribute).axes):
        axis = stablehlo.AxisRefAttr(item)
        sub: Any = axis.sub_axis_info
        if sub is None:
            axes.append(AxisRef(axis.name))
        else:
            info = stablehlo.SubAxisInfoAttr(sub)
            axes.append(AxisRef(axis.name, (info.pre_size, info.size)))
    return tuple(axes)


def _encode_groups(value: Any, types: TypeCache) -> IrAttribute:
    if isinstance(value, MeshAxesGroups):
        return encode_mesh_axes_groups(value, types)
    return CODECS["i64_matrix"].encode(value, types)


CODECS["replica_groups"] = Codec(_encode_groups, CODECS["i64_matrix"].decode)
CODECS["sharding"] = Codec(encode_sharding, lambda a: a)
CODECS["shardings"] = Codec(encode_shardings, lambda a: a)
CODECS["manual_axes"] = Codec(
    lambda v, t: sdy.ManualAxesAttr.get([ir.StringAttr.get(a, t.context) for a in v], t.context),
    lambda a: tuple(sdy.ManualAxesAttr(a)[i] for i in range(len(sdy.ManualAxesAttr(a)))),
)


# jaxlib has no constructors for the attributes below, only their text.
_AXIS = re.compile(rf"({QUOTED})(?::\((\d+)\)(\d+))?")
_LIST = re.compile(rf'\{{((?:[^{{}}"]|{QUOTED})*)\}}(?::\s*(\d+)\s*->\s*(\d+))?')


def _axes_text(axes: Sequence[AxisRef]) -> str:
    parts = []
    for axis in axes:
        sub = "" if axis.sub is None else f":({axis.sub[0]}){axis.sub[1]}"
        parts.append(quoted(axis.name) + sub)
    return "{" + ", ".join(parts) + "}"


def _axes_of(text: str) -> tuple[AxisRef, ...]:
    return tuple(
        AxisRef(unquoted(m[1]), None if m[2] is None else (int(m[2]), int(m[3])))
        for m in _AXIS.finditer(text)
    )


def _parsed(text: str, types: TypeCache) -> IrAttribute:
    return ir.Attribute.parse(text, types.context)


CODECS["sdy_axes"] = Codec(
    lambda v, t: _parsed(f"#sdy<axis_ref_list{_axes_text(v)}>", t),
    lambda a: _axes_of(str(a)),
)
CODECS["sdy_axis_lists"] = Codec(
    lambda v, t: _parsed(f"#sdy<list_of_axis_ref_lists[{', '.join(map(_axes_text, v))}]>", t),
    lambda a: tuple(_axes_of(m[1]) for m in _LIST.finditer(str(a))),
)
CODECS["sdy_exchanges"] = Codec(
    lambda v, t: _parsed(
        "#sdy<all_to_all_param_list["
        + ", ".join(f"{_axes_text(axes)}: {source}->{target}" for axes, source, target in v)
        + "]>",
        t,
    ),
    lambda a: tuple((_axes_of(m[1]), int(m[2]), int(m[3])) for m in _LIST.finditer(str(a))),
)


def _enum_codec(name: str, words: Sequence[str]) -> None:
    def encode(value: str, types: TypeCache) -> IrAttribute:
        if name == "sdy_reduction" and value != "SUM":
            _check_reductions(value)
        return CODECS["i32"].encode(words.index(value), types)

    CODECS[name] = Codec(encode, lambda a: words[ir.IntegerAttr(a).value])


_enum_codec("sdy_reduction", REDUCTIONS)
_enum_codec("sdy_direction", ("NONE", "FORWARD", "BACKWARD", "BOTH"))


def _encode_rule(rule: OpShardingRule, types: TypeCache) -> IrAttribute:
    def mapping(tensor: Sequence[Sequence[int]]) -> IrAttribute:
        dims = [sdy.DimMappingAttr.get(list(factors), types.context) for factors in tensor]
        return sdy.TensorMappingAttr.get(dims, types.context)

    return sdy.OpShardingRuleAttr.get(
        list(rule.factor_sizes),
        [mapping(t) for t in rule.operands],
        [mapping(t) for t in rule.results],
        list(rule.reduction_factors),
        list(rule.need_replication_factors),
        list(rule.permutation_factors),
        list(rule.blocked_propagation_factors),
        rule.is_custom,
        types.context,
    )


def _decode_rule(attribute: Any) -> OpShardingRule:
    given = sdy.OpShardingRuleAttr(attribute)

    def mapping(tensor: Any) -> tuple[tuple[int, ...], ...]:
        dims = sdy.TensorMappingAttr(tensor).dim_mappings
        return tuple(tuple(sdy.DimMappingAttr(d).factor_indices) for d in dims)

    return OpShardingRule(
        tuple(given.factor_sizes),
        tuple(mapping(t) for t in given.operand_mappings),
        tuple(mapping(t) for t in given.result_mappings),
        tuple(given.reduction_factors),
        tuple(given.need_replication_factors),
        tuple(given.permutation_factors),
        tuple(given.blocked_propagation_factors),
        given.is_custom,
    )


CODECS["sharding_rule"] = Codec(_encode_rule, _decode_rule)
