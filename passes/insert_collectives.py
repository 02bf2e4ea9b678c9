"""Collectives over axes, where shardings do not go together; shapes stay those of the whole.

    %0 = stablehlo.dot_general %a, %b {[{"x"}, {}]}     %0 = stablehlo.dot_general %a, %b
      (both contract over "y")                           %1 = sdy.all_reduce {"y"} %0
    %1 = sdy.reshard %0 <@mesh, [{}, {"x"}]>             %2 = sdy.all_to_all [{"x"}: 0->1] %1

For a module with the shardings that `dxir-propagate` gives. Reshards are put wherever an op needs
its operands to lie otherwise, and each becomes the collectives it takes: `sdy.all_reduce`,
`sdy.reduce_scatter`, `sdy.all_gather`, `sdy.all_slice`, `sdy.all_to_all`, `sdy.collective_permute`,
over axes of the mesh by name, each with the sharding of what it gives. Nothing is local yet:
without devices the module still computes what it did.
"""

from __future__ import annotations

from dxir.mlir import bytecode_of, ir
from dxir.passes.partitioning.replicating import replicate
from dxir.passes.partitioning.stages import run_native
from dxir.pipeline.base import Pass

_READY = (
    "sdy-lift-inlined-meshes",
    "func.func(sdy-sharding-constraint-to-reshard)",
    "sdy-close-shardings",
)
_RULES = ("func.func(sdy-populate-op-sharding-rules)",)
_COLLECTIVES = (
    "func.func(sdy-drop-sharding-rules)",
    "func.func(sdy-insert-explicit-reshards{enable-full-version=true})",
    "func.func(sdy-reshard-to-collectives)",
)
INSERTED = "dxir.collectives_inserted"
_FAILED = "the collectives cannot be inserted"


class InsertCollectives(Pass, name="dxir-insert-collectives"):
    """Put collectives over the axes of meshes where values must lie differently."""

    native = ("sdy-insert-explicit-reshards", "sdy-reshard-to-collectives")

    def run(self, module: ir.Module) -> bool:
        before = bytecode_of(module)
        insert_collectives(self, module)
        return bytecode_of(module) != before


def insert_collectives(pass_: Pass, module: ir.Module) -> None:
    """Insert them in place, once: the module is marked."""
    attributes = module.operation.attributes
    if INSERTED in attributes:  # Shardy would not see that sums are summed up already
        return
    run_native(module, _READY, _FAILED)
    run_native(module, _RULES, _FAILED)
    replicate(pass_, module)
    run_native(module, _COLLECTIVES, _FAILED)
    if any(op.operation.name == "sdy.mesh" for op in module.body.operations):
        attributes[INSERTED] = ir.UnitAttr.get(module.context)
