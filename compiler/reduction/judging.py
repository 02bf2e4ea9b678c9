"""Whether backends give different results for a program, on arguments made up from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dxir.errors import DxirError
from dxir.program import Program
from dxir.runtime.oracle import Policy, compare
from dxir.runtime.oracle.policy import OFF
from dxir.runtime.random_arguments import arguments_for


@dataclass(frozen=True, slots=True)
class Verdict:
    """What backends make of a program: whether they differ, and in what, or why they cannot."""

    differs: bool
    told: str
    refused: bool = False


def judged(
    program: Program, backends: Sequence[str], seed: int, tolerance: float | None
) -> Verdict:
    """Run a program on backends, and hold the results of each against the judge's.

    What is accepted is what `dxir.runtime.oracle` accepts; with a `tolerance`, floats that are
    off by no more than that, relative to the judge's. Results that are off by a known fault of a
    backend are off, too. What a backend refuses is no difference.
    """
    try:
        found = compare(
            program,
            arguments_for(program, seed),
            backends,
            policy=Policy(rtol=tolerance),
            bisect=False,
            contained=False,
        )
    except DxirError as error:
        return Verdict(False, error.message, True)
    for row in found.rows:
        if row.verdict == OFF:
            return Verdict(
                True,
                f"result {row.result} of {row.backend} is not that of {found.judge}: "
                f"{row.off} of {row.elements} elements are off, by up to {row.max_abs:.3g}",
            )
    for row in found.rows:
        if row.error is not None:
            return Verdict(False, f"{row.backend} does not run it: {row.error.message}", True)
    return Verdict(False, "all give the same")
