"""Random programs with random shardings: one device, XLA's partitioner, and ours."""

from __future__ import annotations

import warnings
from collections import Counter

import pytest

import dxir
from dxir.errors import PassError, ShardingWarning
from dxir.runtime.oracle import Comparison, Policy, compare
from dxir.targets.options import CompileOptions

from .sharded_programs import sharded_program

BACKENDS = ("xla-cpu", "xla-cpu-partitioned", "xla-cpu-single")
FEW = range(8)
MANY = (*range(8, 100), *range(10_000, 10_040))
POLICY = Policy(rtol=1e-4, atol=1e-3)

# Seeds of programs that XLA's partitioner was seen to compute wrongly. (0.10.2, 0.12.0.1)
FAULTY = {
    188: "xla-cpu-partitioner-parts-of-axes",
    214: "xla-cpu-partitioner-split-windows",
    243: "xla-cpu-partitioner-split-windows",
    484: "xla-cpu-partitioner-update-out-of-range",
    10012: "xla-cpu-partitioner-update-out-of-range",
}


def held(seed: int) -> Comparison:
    """What became of the program of a seed; it is never off, and refused by name only."""
    made = sharded_program(seed)
    program = dxir.lower(made.function)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ShardingWarning)
        found = compare(
            program,
            made.arguments,
            BACKENDS,
            policy=POLICY,
            options=CompileOptions(devices=made.devices),
            contained=False,
        )
    assert found.exit_code != 4, f"{found}\n{program}"
    for row in found.rows:
        if row.error is not None:
            told = str(row.error)
            if "fft_thunk" in told:  # XLA refuses some layouts of partitioned FFTs when it runs
                continue
            assert row.backend == "xla-cpu-partitioned", str(found)
            assert "nothing in the program is sharded" in told or isinstance(row.error, PassError)
            assert "did not foresee" not in told, told
    return found


@pytest.mark.parametrize("seed", FEW)
def test_a_random_program_is_the_same_on_all_devices(seed: int) -> None:
    assert held(seed).exit_code in (0, 6)


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "fault"), FAULTY.items(), ids=map(str, FAULTY))
def test_what_xla_gets_wrong_is_a_known_fault_and_right_here(seed: int, fault: str) -> None:
    found = held(seed)
    assert found.faults == (fault,)
    assert {row.backend for row in found.rows if row.verdict == "fault"} == {"xla-cpu"}


@pytest.mark.slow
def test_many_random_programs_are_the_same_on_all_devices() -> None:
    counts: Counter[str] = Counter()
    for seed in MANY:
        counts.update(row.verdict for row in held(seed).rows)
    assert counts["equal"] + counts["close"] > 0.8 * counts.total(), counts
