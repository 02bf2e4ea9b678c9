"""Whether the groups of a program's collectives fit the processes that it is compiled for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dxir.diagnostics import where_of
from dxir.errors import ShardingWarning, TargetError
from dxir.group_faults import NAMES, Fault, Grid, GroupCheck, collective_strategy
from dxir.locations import warn_at_caller
from dxir.mlir import IrOperation, ir
from dxir.passes.gather_reductions import GatherReductions, unusual_reductions
from dxir.reading import walk

if TYPE_CHECKING:
    from dxir.program import Program


def refuse_groups(module: ir.Module, replicas: int, partitions: int) -> None:
    """Refuse groups that do not fit, on which XLA fails, ends the process or waits forever.

    TargetError at the operation. Warns of what does nothing: a collective of replicas in a program
    that is partitioned.
    """
    check = GroupCheck(module, Grid(replicas, partitions))
    wrong: list[tuple[IrOperation, Fault]] = []
    idle: list[IrOperation] = []

    def visit(op: IrOperation) -> None:
        if op.name in NAMES:
            wrong.extend([(op, fault) for fault in check.faults(op) if fault.severity == "error"])
            if replicas == 1 and collective_strategy(op) == "cross_replica":
                idle.append(op)

    walk(module, visit)
    if wrong:
        op, fault = wrong[0]
        raise TargetError(
            f"'{op.name}' op {fault.message}, and the program is compiled for {replicas} replica"
            f"{'s' * (replicas != 1)} of {partitions} partition{'s' * (partitions != 1)}",
            where=where_of(op.location),
            hint=fault.hint,
        )
    if idle:
        where = where_of(idle[0].location)
        warn_at_caller(
            f"{f'{where}: ' if where else ''}{idle[0].name} has no channel, so it works on "
            f"replicas, of which there is one, and the {partitions} partitions do not take part: "
            "give it a channel_handle with a positive handle",
            ShardingWarning,
        )


def with_usual_reductions(program: Program, replicas: int, partitions: int) -> Program:
    """The program, its collectives reducing as XLA does; for other bodies it ends the process."""
    if not unusual_reductions(program.module):
        return program
    return program.run_passes(GatherReductions(replicas=replicas, partitions=partitions))
