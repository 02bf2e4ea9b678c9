"""Reducing a program: which reductions there are, in which order, and when it is over."""

from __future__ import annotations

import time
from collections.abc import Callable

from dxir.errors import ReductionError
from dxir.program import Program
from dxir.reduction.calls import DropFunctions, Inline
from dxir.reduction.constants import Simplify
from dxir.reduction.cutting import DropResults, Shorten
from dxir.reduction.notes import DropAttributes, DropLocations, DropMeshes, DropShardings
from dxir.reduction.regions import Unwrap
from dxir.reduction.replacing import Erase, Replace
from dxir.reduction.search import Judge, OutOfTime, Progress, Reduction, Search, clean
from dxir.reduction.signatures import DropParameters, MergeParameters
from dxir.reduction.sizes import ShrinkSizes

_CLEANING = "dead code"

_SHORTEN = Shorten()

REDUCTIONS: tuple[Reduction, ...] = (
    DropLocations(),
    DropShardings(),
    DropFunctions(),
    _SHORTEN,
    Inline(),
    Unwrap(),
    _SHORTEN,
    DropResults(),
    Replace(),
    Erase(),
    DropParameters(),
    MergeParameters(),
    ShrinkSizes(),
    Simplify(),
    DropAttributes(),
    DropMeshes(),
)
"""What is tried, coarse to fine; all over again while anything became smaller."""


def reduce(
    program: Program,
    is_interesting: Judge,
    *,
    jobs: int = 1,
    seconds: float | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    is_known: bool = False,
) -> Program:
    """The smallest program that can be made of one while it stays interesting.

    `is_interesting` is given valid programs only, each smaller than the last one that it said True
    of, and none twice; with `jobs` above 1, so many at a time from as many threads. The result is
    the same for any number of jobs, and the same each time, if `is_interesting` always says the
    same of a program. After `seconds` the best so far is given; otherwise no single reduction makes
    the result smaller. `on_progress` is told of every candidate. Where `is_known`, the program
    itself has been found interesting before.

    Raises ReductionError when the program itself is not interesting, VerificationError when it is
    not valid, and whatever `is_interesting` raises.
    """
    program.verify()
    if not is_known and not is_interesting(program):
        raise ReductionError(
            "the program to reduce is not interesting itself",
            hint="is_interesting must be true of it, and of programs that go wrong as it does",
        )
    deadline = None if seconds is None else time.monotonic() + seconds
    search = Search(program, is_interesting, jobs=jobs, deadline=deadline, on_progress=on_progress)
    try:
        _search(search)
    except OutOfTime:
        pass
    else:
        search.tell(finished=True)
    finally:
        search.close()
    return search.best


def _search(search: Search) -> None:
    search.reduction = _CLEANING
    before = search.size
    # What is interesting may be in dead code; then it has to go bit by bit.
    search.first([clean])
    search.cleans = not _would_clean(search)
    ran: dict[int, tuple[int, int]] = {}  # how many were taken before and after a reduction
    while True:
        this_round: set[int] = set()
        for reduction in REDUCTIONS:
            key, taken = id(reduction), search.taken
            earlier, later = ran.get(key, (-1, -1))
            if later == taken and (earlier == later or key in this_round):
                continue  # nothing is new since
            search.reduction = reduction.name
            reduction.run(search)
            ran[key] = taken, search.taken
            this_round.add(key)
        if search.size == before:
            return
        before = search.size


def _would_clean(search: Search) -> bool:
    """Whether there is dead code left in the best program, that it is interesting for."""
    return clean(search.best.module)
