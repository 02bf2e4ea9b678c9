"""Programs for many devices that are compiled for one, where their shardings do nothing."""

from __future__ import annotations

from dxir.diagnostics import where_of
from dxir.errors import ShardingWarning
from dxir.locations import warn_at_caller
from dxir.mlir import IrOperation, ir
from dxir.program import Program
from dxir.reading import SHARDING, attribute, function_name
from dxir.sharding import Mesh
from dxir.sharding_codec import decode_mesh
from dxir.targets.options import CompileOptions

_LIFT = "sdy-lift-inlined-meshes"
_PARTITIONS = "mhlo.num_partitions"


def devices_of(module: ir.Module) -> tuple[int, str, str | None] | None:
    """How many devices the shardings of a module are for, what says so, and where.

    None where nothing is sharded over several.
    """
    largest = max(meshes_of(module), key=lambda found: found[0].size, default=None)
    if largest is not None and largest[0].size > 1 and _shards(module):
        mesh, where = largest
        return mesh.size, f"the mesh @{mesh.name}", where
    stated = attribute(module.operation, _PARTITIONS)
    if isinstance(stated, ir.IntegerAttr) and stated.value > 1:
        return int(stated.value), f"its attribute {_PARTITIONS}", None
    return None


def meshes_of(module: ir.Module) -> list[tuple[Mesh, str | None]]:
    """The meshes of a module and their places, those spelled out where they are used included."""
    found = _named(module)
    if found or not _shards(module):
        return found
    lifted = Program(module).run_passes(_LIFT)
    return _named(lifted.module)


def _named(module: ir.Module) -> list[tuple[Mesh, str | None]]:
    ops = [op.operation for op in module.body.operations if op.operation.name == "sdy.mesh"]
    return [
        (decode_mesh(function_name(op), op.attributes["mesh"]), where_of(op.location)) for op in ops
    ]


def tell_unpartitioned(module: ir.Module, options: CompileOptions) -> None:
    """Warn where shardings are for several devices, and nobody said that one is meant."""
    if options.devices is not None and options.replicas == 1:
        return
    found = devices_of(module)
    if found is None:
        return
    count, what, where = found
    place = f"{where}: " if where else ""
    if options.replicas > 1:
        way = f"{options.replicas} copies of it run whole, as replicas= says: leave that out"
    else:
        way = f"it runs whole, on one; devices={count} partitions it, devices=1 says that one is "
        way += "meant"
    warn_at_caller(
        f"{place}the program is sharded over {count} devices ({what}), but {way}", ShardingWarning
    )


def _shards(module: ir.Module) -> bool:
    """Whether anything in the module speaks of a mesh."""
    found = False

    def visit(op: IrOperation) -> ir.WalkResult:
        nonlocal found
        name: str = op.name
        if name == "func.func":
            marks = (attribute(op, "arg_attrs"), attribute(op, "res_attrs"))
            found = any(
                SHARDING in entry
                for given in marks
                if isinstance(given, ir.ArrayAttr)
                for entry in given
                if isinstance(entry, ir.DictAttr)
            )
        elif name.startswith("sdy."):
            found = name not in ("sdy.mesh", "sdy.return", "sdy.constant")
        else:
            found = SHARDING in op.attributes
        return ir.WalkResult.INTERRUPT if found else ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return found
