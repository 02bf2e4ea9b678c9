"""From a program with shardings to the program of one device, in one pass.

    dxir-partition = dxir-propagate, dxir-insert-collectives, dxir-localize

The result is plain StableHLO that all devices run, each on its parts of the parameters, which
`run_partitioned` of `dxir.runtime.partitioned` does here. It is one way to partition, for looking
at, for checking and for targets without a partitioner; XLA has a partitioner of its own, which a
program with shardings compiled with `devices=` goes through.
"""

from __future__ import annotations

from dxir.mlir import bytecode_of, ir
from dxir.passes.insert_collectives import insert_collectives
from dxir.passes.localize import localize
from dxir.passes.partitioning.stages import PIPELINE
from dxir.passes.propagate import propagate
from dxir.pipeline.base import Pass


class Partition(Pass, name="dxir-partition"):
    """Make a program with shardings the program of one device: propagate, insert, localize."""

    native = (PIPELINE, "sdy-insert-explicit-reshards", "sdy-reshard-to-collectives")

    def run(self, module: ir.Module) -> bool:
        before = bytecode_of(module)
        propagate(self, module, origins=False, keep_undivided=False)
        insert_collectives(self, module)
        localize(self, module)
        return bytecode_of(module) != before
