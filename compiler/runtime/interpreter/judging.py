"""What the checks of a program say, judged by what the interpreter wrote down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from dxir.runtime.check_calls import SERIALIZED, Check
from dxir.runtime.comparing import CheckResult, faulty, judged
from dxir.runtime.interpreter.probes import Reading


def check_results(found: Sequence[Reading], entry: str) -> list[CheckResult]:
    """What came of each execution of each check; `found` is all that was written, in order."""
    counts = Counter(reading.spot.id for reading in found)
    return [
        replace(
            _judged(reading, found[:position]),
            entry=entry,
            execution=reading.nth + 1,
            executions=counts[reading.spot.id],
        )
        for position, reading in enumerate(found)
        if reading.spot.kind == "check"
    ]


def _judged(reading: Reading, earlier: Sequence[Reading]) -> CheckResult:
    check = reading.spot.check
    if check.label == SERIALIZED:
        return _serialized(check, reading, earlier)
    actual, expected = reading.arrays
    return judged(check, actual, expected)


def _serialized(check: Check, reading: Reading, earlier: Sequence[Reading]) -> CheckResult:
    (expected,) = reading.arrays
    name, nth = check.options["probe_id"], int(check.options.get("iteration", 0))
    found = [r for r in earlier if r.spot.kind == "probe" and r.spot.label == name]
    if nth >= len(found):
        times = f"the probe {name!r} was written {len(found)} times, not {nth + 1}"
        return faulty(check, expected.size, times)
    return judged(check, found[nth].arrays[0], expected)
