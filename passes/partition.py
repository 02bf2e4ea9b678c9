"""From a program with shardings to the program of one device, in one pass.

    dxir-partition = dxir-propagate, dxir-insert-collectives, dxir-localize

The result is plain StableHLO that all devices run, each on its parts of the parameters, which
`run_partitioned` of `dxir.runtime.partitioned` does here. It is one way to partition, for looking
at, for checking and for targets without a partitioner; XLA has a partitioner of its own, which a
program with shardings compiled with `devices=` goes through.

Composites and CHLO, which Shardy has no rules for, are expanded first, unless `decompose=false`:
those left are computed whole by every device. A program that names no mesh stays as it is.
"""

from __future__ import annotations

from dxir.mlir import bytecode_of, ir
from dxir.passes.decompose import decompose
from dxir.passes.decomposition.ends import Ends
from dxir.passes.insert_collectives import insert_collectives
from dxir.passes.localize import localize
from dxir.passes.partitioning.given import Meshes, says_sharding
from dxir.passes.partitioning.stages import PIPELINE, run_native
from dxir.passes.partitioning.trimming import refuse_undivided, trim
from dxir.passes.propagate import propagate, tell_nothing
from dxir.pipeline.base import Pass, option

_CHLO = ("func.func(chlo-legalize-to-stablehlo)",)


class Partition(Pass, name="dxir-partition"):
    """Make a program with shardings the program of one device: propagate, insert, localize."""

    native = (PIPELINE, "sdy-insert-explicit-reshards", "sdy-reshard-to-collectives")

    decompose: bool = option(
        "expand composites and CHLO first, so that they are split, too", default=True
    )

    pad: bool = option(
        "give every device a part of the larger size where axes do not divide", default=False
    )

    def run(self, module: ir.Module) -> bool:
        if not Meshes(module).named and not says_sharding(module):
            tell_nothing(self, module)
            return False
        before = bytecode_of(module)
        if self.decompose:
            decompose(module, Ends())
            run_native(module, _CHLO, "CHLO cannot be made StableHLO")
        if not self.pad:
            refuse_undivided(module)
        propagate(self, module, origins=False, keep_undivided=self.pad)
        if not self.pad:
            trim(self, module)
        insert_collectives(self, module)
        localize(self, module, pad=self.pad)
        return bytecode_of(module) != before
