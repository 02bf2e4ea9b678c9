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
from dxir.passes.partitioning.stages import run_native
from dxir.pipeline.base import Pass

RESHARDS = "func.func(sdy-insert-explicit-reshards{enable-full-version=true})"
_STEPS = (
    "sdy-lift-inlined-meshes",
    "func.func(sdy-sharding-constraint-to-reshard)",
    "sdy-close-shardings",
    RESHARDS,
    "func.func(sdy-reshard-to-collectives)",
)


class InsertCollectives(Pass, name="dxir-insert-collectives"):
    """Put collectives over the axes of meshes where values must lie differently."""

    native = ("sdy-insert-explicit-reshards", "sdy-reshard-to-collectives")

    def run(self, module: ir.Module) -> bool:
        before = bytecode_of(module)
        insert_collectives(module)
        return bytecode_of(module) != before


def insert_collectives(module: ir.Module) -> None:
    """Insert them in place."""
    run_native(module, _STEPS, "the collectives cannot be inserted")
