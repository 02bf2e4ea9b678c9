"""Check-carrying files of all ops and element types hold, and broken ones are caught."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from dxir.check_dialect import rewritten_checks
from dxir.errors import DxirError, TargetError
from dxir.mlir import ir, make_context
from dxir.program import Program
from dxir.runtime.checks import CheckResult, run_checks
from dxir.runtime.interpreter.running import Job, interpret_all
from dxir.types import ALL_DTYPES, DType, f8e8m0fnu

from .breaking import broken, stepped
from .generating import Case, almost, close, every_value, example_cases, plain, type_cases

Array = np.ndarray[Any, Any]
_SIX_BITS = ("f6e2m3fn", "f6e3m2fn")  # XLA on the CPU takes no constants of them
_TOTAL_ORDER = (
    "sorting-sort_by-0",
    "sorting-top_k-0",
)  # which the interpreter leaves out of account
_CONTEXT = make_context()


def read(case: Case) -> Program:
    return Program(ir.Module.parse(rewritten_checks(case.text(), case.name), _CONTEXT))


def faults(cases: Iterable[Case], backend: str) -> tuple[Counter[str], list[str]]:
    """How often each check was done, and what is wrong; a check that is missing is as well."""
    done: Counter[str] = Counter()
    wrong: list[str] = []
    for case in cases:
        results = run_checks(read(case), backend)
        done.update(result.label for result in results)
        wrong += [f"{case.name}: {r.label}: {r.fault}" for r in results if not r.holds]
        if len(results) != len(case.checks):
            wrong.append(f"{case.name}: {len(results)} of {len(case.checks)} checks were done")
    return done, wrong


@pytest.fixture(scope="module")
def first_examples() -> list[Case]:
    return list(example_cases(1))


@pytest.fixture(scope="module")
def of_types() -> list[Case]:
    return list(type_cases())


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_files_of_all_ops_hold_on_the_cpu(first_examples: list[Case]) -> None:
    done, wrong = faults(first_examples, "xla-cpu")
    assert not wrong
    assert len(first_examples) > 200
    assert all(done[f"expect_{kind}"] > 20 for kind in ("eq", "close", "almost_eq"))


def test_files_of_all_ops_hold_by_the_references(
    first_examples: list[Case], of_types: list[Case]
) -> None:
    _, wrong = faults([*first_examples, *of_types], "reference")
    assert not wrong


@pytest.mark.slow
def test_files_of_all_element_types_hold_on_the_cpu(of_types: list[Case]) -> None:
    assert [case.name for case in of_types] == [dtype.name for dtype in ALL_DTYPES]
    taken = [case for case in of_types if case.name not in _SIX_BITS]
    _, wrong = faults(taken, "xla-cpu")
    assert not wrong
    for case in of_types:
        if case.name in _SIX_BITS:
            with pytest.raises(TargetError):
                run_checks(read(case), "xla-cpu")


@pytest.mark.slow
def test_files_hold_in_the_interpreter(first_examples: list[Case], of_types: list[Case]) -> None:
    cases = [*first_examples, *of_types]
    done = interpret_all([Job(read(case).legalize_chlo()) for case in cases])
    wrong: list[str] = []
    refused = 0
    for case, found in zip(cases, done, strict=True):
        if isinstance(found, DxirError):
            refused += 1
            continue
        assert len(found.checks) == len(case.checks), case.name
        wrong += [
            f"{case.name}: {check.label}: {check.fault}" for check in found.checks if check.fault
        ]
    assert refused < len(cases) / 10
    assert {fault.partition(":")[0] for fault in wrong} == set(_TOTAL_ORDER)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("part", range(4))
def test_files_of_all_examples_hold_on_the_cpu(part: int) -> None:
    cases = list(example_cases())
    _, wrong = faults(cases[part::4], "xla-cpu")
    assert not wrong
    assert len(cases) > 1200


@pytest.mark.slow
def test_files_of_all_examples_hold_by_the_references() -> None:
    _, wrong = faults(example_cases(), "reference")
    assert not wrong


def _uncaught(cases: Iterable[Case], backend: str) -> tuple[Counter[str], list[str]]:
    """How often each way to break a case was tried, and what was not told as it is."""
    tried: Counter[str] = Counter()
    wrong: list[str] = []
    for case in cases:
        for how, bad in broken(case):
            tried[how] += 1
            first, *rest = run_checks(read(bad), backend)
            changed = np.argwhere(_differing(case.expected[0], bad.expected[0])).tolist()
            told = [list(example.index) for example in first.examples]
            if first.holds or first.off != len(changed) or told != changed:
                wrong.append(f"{case.name}: {how}: {first}")
            if not all(result.holds for result in rest):
                wrong.append(f"{case.name}: {how}: a result that is right is refused")
    return tried, wrong


def _differing(a: Array, b: Array) -> Array:
    return np.array(
        [x.tobytes() != y.tobytes() for x, y in zip(a.flat, b.flat, strict=True)]
    ).reshape(a.shape)


@pytest.mark.slow
def test_each_broken_file_of_ops_and_element_types_is_caught(
    first_examples: list[Case], of_types: list[Case]
) -> None:
    tried, wrong = _uncaught([*first_examples, *of_types], "reference")
    assert not wrong
    assert all(
        tried[how] > 5 for how in ("sign", "an eighth", "an integer", "swapped", "not a number")
    )


@pytest.mark.slow
def test_broken_files_are_caught_on_the_cpu(
    first_examples: list[Case], of_types: list[Case]
) -> None:
    taken = [case for case in of_types if case.name not in _SIX_BITS]
    tried, wrong = _uncaught([*first_examples[::12], *taken[::4]], "xla-cpu")
    assert not wrong
    assert tried.total() > 50


def _bounds(dtype: DType) -> tuple[Case, list[bool]]:
    """A case that compares values with what lies at and just beyond its bounds; what shall hold."""
    rng = np.random.default_rng(1)
    data = (1 + rng.integers(0, 4, (3, 4)) / 8).astype(dtype.numpy)
    if dtype is f8e8m0fnu or dtype.bits <= 6:
        data = np.ones((3, 4), dtype.numpy)
    if dtype.is_complex:
        data.imag = data.real
    wanted: list[tuple[str, Array, bool]] = []
    for steps in (0, 1, 2, 3, 4):
        moved = np.array(data)
        moved[1, 2] = stepped(data[1:2, 2:3], steps)[0, 0]
        wanted.append((plain("expect_eq"), moved, steps == 0))
        wanted.append((plain("expect_close"), moved, steps <= 3))
        wanted.append((close(2), moved, steps <= 2))
        gap = float(np.abs(moved.astype(complex) - data.astype(complex)).max())
        wanted.append((almost(gap * 1.01), moved, True))
        wanted.append((almost(gap * 0.99), moved, steps == 0))
    sizes = f"3x4x{dtype.mlir}"
    program = (
        f"module {{\n  func.func public @main(%arg0: tensor<{sizes}>) -> (x) {{\n"
        f"    return {', '.join(['%arg0'] * len(wanted))} : x\n  }}\n}}\n"
    )
    checks, expected, holds = zip(*wanted, strict=True)
    return Case(dtype.name, program, (data,), tuple(expected), tuple(checks)), list(holds)


@pytest.mark.parametrize("dtype", [d for d in ALL_DTYPES if d.is_float or d.is_complex])
def test_one_step_beyond_a_tolerance_is_too_much(dtype: DType) -> None:
    case, holds = _bounds(dtype)
    backends = ["reference"] if dtype.name in _SIX_BITS else ["reference", "xla-cpu"]
    for backend in backends:
        results = run_checks(read(case), backend)
        assert [result.holds for result in results] == holds
        for result in results:
            assert result.off == (not result.holds)
            assert result.elements == 12


def _summary(result: CheckResult) -> CheckResult:
    return dataclasses.replace(result, where=None)


def test_the_interpreter_and_compiled_programs_say_the_same_of_a_check() -> None:
    for dtype in (DType.of("f32"), DType.of("bf16"), DType.of("f8E4M3FN"), DType.of("c64")):
        case, _ = _bounds(dtype)
        program = read(case)
        compiled = list(map(_summary, run_checks(program, "xla-cpu")))
        assert compiled == list(map(_summary, run_checks(program, "interpreter")))


def test_zeros_of_both_signs_are_equal_and_a_nan_only_where_checks_say_so() -> None:
    data = every_value(DType.of("f32"))
    zero, nan = np.zeros(2, np.float32), np.full(2, np.nan, np.float32)
    program = (
        "module {\n  func.func public @main(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) -> (x) {\n"
        "    return %arg0, %arg0, %arg0, %arg1, %arg1, %arg1 : x\n  }\n}\n"
    )
    rules = (plain("expect_eq"), close(0), almost(1e-3))
    case = Case("zeros", program, (zero, nan), (-zero,) * 3 + (nan,) * 3, rules * 2)
    assert data.size
    for backend in ("reference", "xla-cpu", "interpreter"):
        results = run_checks(read(case), backend)
        assert [result.holds for result in results] == [True, True, True, False, True, True]
