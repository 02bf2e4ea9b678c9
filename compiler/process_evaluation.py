"""Graphs on NumPy arrays by many processes at once: the judge of collectives."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from dxir.errors import ArgumentError
from dxir.evaluation import readied, results_of
from dxir.graph import Function, Module
from dxir.locations import caller_location
from dxir.lockstep import Crew


def evaluate_processes(
    graph: Function | Module,
    arguments: Sequence[Sequence[Any]],
    *,
    replicas: int | None = None,
    partitions: int = 1,
) -> list[Any]:
    """What each process gets of a function (of `main`, for a module) on arguments of its own.

    `arguments` holds those of each process, replica by replica: process `(r, p)` is number
    `r * partitions + p`. Without `replicas` there are as many as the arguments are for. Collectives
    work among the processes by their groups, as StableHLO defines them; no device is used.

    Raises what `evaluate` does, ArgumentError for arguments of another number of processes, and
    EvaluationError where processes wait for each other in vain.
    """
    rows = [tuple(row) for row in arguments]
    if partitions < 1 or (replicas is not None and replicas < 1):
        raise ArgumentError(
            f"there are no processes with {replicas} replicas and {partitions} partitions",
            where=caller_location(),
        )
    copies = len(rows) // partitions if replicas is None else replicas
    if not rows or copies * partitions != len(rows):
        raise ArgumentError(
            f"arguments are given for {len(rows)} processes, but {copies} replicas of "
            f"{partitions} partitions are {copies * partitions}",
            where=caller_location(),
            hint="give a sequence of arguments for each process",
        )
    ready = [readied(graph, row) for row in rows]
    ids = [(r, p) for r in range(copies) for p in range(partitions)]
    found = Crew(ids, copies, partitions).run([partial(results_of, *each) for each in ready])
    return [results[0] if len(results) == 1 else results for results in found]
