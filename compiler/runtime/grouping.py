"""Whether the groups of a program's collectives fit the processes that it is compiled for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dxir.diagnostics import where_of
from dxir.errors import ShardingWarning, TargetError
from dxir.group_faults import NAMES, Fault, Grid, GroupCheck
from dxir.locations import warn_at_caller
from dxir.mlir import IrOperation, IrValue, ir, sdy
from dxir.passes.building import Building
from dxir.passes.gather_reductions import GatherReductions, unusual_reductions
from dxir.reading import SHARDING, attributes_of, ops_below, walk

if TYPE_CHECKING:
    from dxir.program import Program

_JOINED = ("stablehlo.all_reduce", "stablehlo.all_gather")


def refuse_groups(module: ir.Module, replicas: int, partitions: int) -> None:
    """Refuse groups that do not fit, on which XLA fails, ends the process or waits forever.

    TargetError at the operation. Warns of what does nothing: a collective of replicas in a program
    that is partitioned.
    """
    check = GroupCheck(module, Grid(replicas, partitions))
    wrong: list[tuple[IrOperation, Fault]] = []
    idle: list[tuple[IrOperation, Fault]] = []

    def visit(op: IrOperation) -> None:
        if op.name in NAMES:
            wrong.extend([(op, fault) for fault in check.faults(op) if fault.severity == "error"])
            if (fault := check.idle(op)) is not None:
                idle.append((op, fault))

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
        op, fault = idle[0]
        where = where_of(op.location)
        warn_at_caller(
            f"{f'{where}: ' if where else ''}{op.name} {fault.message}: {fault.hint}",
            ShardingWarning,
        )


def with_usual_reductions(program: Program, replicas: int, partitions: int) -> Program:
    """The program with collectives as XLA has them: usual bodies, and for partitions one operand.

    For other bodies XLA ends the process; what a partitioned one has of several operands, it fails
    on (jaxlib 0.10 and 0.12). It joins collectives of one operand by itself.
    """
    if unusual_reductions(program.module):
        program = program.run_passes(GatherReductions(replicas=replicas, partitions=partitions))
    if partitions > 1 and _of_several(program.module):
        program = program.clone()
        with program.module.context, ir.Location.unknown():
            for op in _of_several(program.module):
                _split(op)
    return program


def _of_several(module: ir.Module) -> list[IrOperation]:
    return [op for op in ops_below(module.operation, _JOINED) if len(op.operands) > 1]


def _split(op: IrOperation) -> None:
    """One op for each operand."""
    make = Building(op)
    told = attributes_of(op)
    given = told.pop(SHARDING, None)
    shardings = None if given is None else list(sdy.TensorShardingPerValueAttr(given).shardings)
    made: list[IrValue] = []
    for i, (x, result) in enumerate(zip(op.operands, op.results, strict=True)):
        if shardings is not None:
            told[SHARDING] = sdy.TensorShardingPerValueAttr.get([shardings[i]])
        one = make.many(op.name, [result.type], [x], told, len(op.regions))
        copy = op.clone().operation
        for region, new in zip(copy.regions, one.regions, strict=True):
            region.blocks[0].append_to(new)
        copy.erase()
        made.append(one.results[0])
    make.finish(*made)
