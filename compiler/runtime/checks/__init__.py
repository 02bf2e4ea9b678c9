"""Programs that carry their own checks, run on any backend.

A check is a comparison that the program asks for: an op of the check dialect of StableHLO's tests
(`check.expect_close %a, %b, max_ulp_difference = 2`), or a custom call of its name, as in OpenXLA's
test data. `carries_checks` tells whether a program has any; `run_checks` runs what has them and
gives a `CheckResult` for each, in the order of execution:

    for result in run_checks(program, "xla-cpu"):
        print(result.label, result.where, result.holds, result.max_abs, result.max_ulp)

`outlined` makes the program that a compiler is given: its `main` returns what would be compared.
"""

from __future__ import annotations

from dxir.runtime.check_calls import Check
from dxir.runtime.checks.outlining import carries_checks, entries, outlined
from dxir.runtime.checks.running import run_checks
from dxir.runtime.comparing import CheckResult, Difference

__all__ = [
    "Check",
    "CheckResult",
    "Difference",
    "carries_checks",
    "entries",
    "outlined",
    "run_checks",
]
