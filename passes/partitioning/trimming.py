"""Axes that propagation put where they do not divide, left out again."""

from __future__ import annotations

from dxir.diagnostics import where_of
from dxir.errors import PassError
from dxir.mesh_layout import axes_size, undivided
from dxir.mlir import IrOperation, IrValue, TypeCache, decode_type, ir
from dxir.passes.partitioning.given import Meshes, given_shardings, unmark
from dxir.pipeline.base import Pass
from dxir.reading import SHARDING, attribute, walk
from dxir.sharding import DimSharding, Sharding
from dxir.sharding_codec import encode_shardings
from dxir.types import TensorType


def refuse_undivided(module: ir.Module) -> None:
    """Raise PassError for a constraint, or a sharding of an op, that does not divide its value.

    Those of parameters and results are Shardy's to drop, which propagation tells.
    """
    given = given_shardings(module)
    unmark(module)
    for key, one in given.items():
        if key.kind not in ("value", "input"):
            continue
        mesh = one.sharding.mesh
        for i, (size, dim) in enumerate(zip(one.shape, one.sharding.dims, strict=False)):
            if size is not None and size % dim.size(mesh):
                axes = ", ".join(f'"{a.name}"={a.size(mesh)}' for a in dim.axes)
                raise PassError(
                    f"dimension {i} ({size}) of the {one.what} is not divisible by its axes, "
                    f"{axes}",
                    where=where_of(one.location),
                    hint="partition with pad=true, or give it another sharding",
                )


def trim(pass_: Pass, module: ir.Module) -> None:
    """Leave out the axes of results of ops that do not divide them; a remark says which.

    Shardy drops those of parameters and results of functions by itself, and keeps these.
    """
    meshes, types = Meshes(module), TypeCache(module.context)

    def visit(op: IrOperation) -> None:
        if op.name == "func.func" or op.name.startswith("sdy."):
            return
        given = meshes.per_value(attribute(op, SHARDING))
        kept = [_kept(s, r) for s, r in zip(given, op.results, strict=False)]
        if kept != given and len(kept) == len(given):
            op.attributes[SHARDING] = encode_shardings(kept, types)
            for before, after, result in zip(given, kept, op.results, strict=True):
                _tell(pass_, op, result, before, after)

    walk(module, visit)


def _kept(sharding: Sharding, value: IrValue) -> Sharding:
    """The sharding with as many of the axes of each dimension as divide it."""
    type = decode_type(value.type)
    if not isinstance(type, TensorType):
        return sharding
    loose = {each.dimension: each.size for each in undivided(type, sharding)}
    if not loose:
        return sharding
    dims = list(sharding.dims)
    for i, size in loose.items():
        axes = dims[i].axes
        while size % axes_size(sharding.mesh, axes):
            axes = axes[:-1]
        dims[i] = DimSharding(axes)
    return Sharding(
        sharding.mesh, *dims, unreduced=sharding.unreduced, reduction=sharding.reduction
    )


def _tell(pass_: Pass, op: IrOperation, value: IrValue, before: Sharding, after: Sharding) -> None:
    for i, (old, new) in enumerate(zip(before.dims, after.dims, strict=True)):
        if old.axes != new.axes:
            size = ir.RankedTensorType(value.type).shape[i]
            pass_.remark(
                f"dimension {i} ({size}) of the result of '{op.name}' is not split over {old}, "
                f"which does not divide it, but over {new}; pad=true keeps it",
                op,
                code="SHARDING_DROPPED",
            )
