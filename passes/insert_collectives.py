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

import re

from dxir.diagnostics import where_of
from dxir.editing import replace_with
from dxir.errors import PassError
from dxir.mlir import IrOperation, bytecode_of, ir
from dxir.passes.partitioning.replicating import replicate
from dxir.passes.partitioning.stages import run_native
from dxir.pipeline.base import Pass
from dxir.pipeline.rewriting import defining
from dxir.quoting import QUOTED
from dxir.reading import attribute_text, ops_below

_READY = (
    "sdy-lift-inlined-meshes",
    "func.func(sdy-sharding-constraint-to-reshard)",
    "sdy-close-shardings",
)
_RULES = ("func.func(sdy-populate-op-sharding-rules)",)
_RESHARDS = (
    "func.func(sdy-drop-sharding-rules)",
    "func.func(sdy-insert-explicit-reshards{enable-full-version=true})",
)
_COLLECTIVES = ("func.func(sdy-reshard-to-collectives)",)
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
    # They have done what they are for, and Shardy puts no reshards where they stand.
    for barrier in ops_below(module.operation, ("sdy.propagation_barrier",)):
        replace_with(barrier, list(barrier.operands))
    run_native(module, _RULES, _FAILED)
    replicate(pass_, module)
    run_native(module, _RESHARDS, _FAILED)
    for op in ops_below(module.operation, ("sdy.all_reduce",)):
        _drop_if_summed(op)
    run_native(module, _COLLECTIVES, _FAILED)
    if any(op.operation.name == "sdy.mesh" for op in module.body.operations):
        attributes[INSERTED] = ir.UnitAttr.get(module.context)


def _drop_if_summed(op: IrOperation) -> None:
    """Remove a sum over devices that have summed up already, right before.

    Propagation sums up what is in terms by unreduced axes; the insertion of reshards takes what
    that is given, too, for in terms still. (0.10.2, 0.12.0.1)
    """
    inner = next((d for n in _SUMS if (d := defining(op.operands[0], n)) is not None), None)
    if inner is None:
        return
    done, asked = _axes(inner), _axes(op)
    if asked <= done:
        replace_with(op, list(op.operands))
    elif asked & done:
        raise PassError(
            "dxir-insert-collectives: a sharding with unreduced axes has Shardy sum up a value "
            f"twice over {', '.join(sorted(asked & done))}",
            where=where_of(op.location),
            hint="leave out unreduced=: what is in terms is summed up where it is needed whole",
        )


_SUMS = {"sdy.all_reduce": "reduction_axes", "sdy.reduce_scatter": "reduce_scatter_axes"}
_AXIS = re.compile(rf"{QUOTED}(?::\(\d+\)\d+)?")


def _axes(op: IrOperation) -> set[str]:
    return set(_AXIS.findall(attribute_text(op.attributes[_SUMS[op.name]])))
