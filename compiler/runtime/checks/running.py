"""Programs run for the checks that they carry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dxir.errors import DxirError
from dxir.program import Program
from dxir.reading import ops_below
from dxir.runtime.backends import INTERPRETER, runner
from dxir.runtime.checks.outlining import entries, outlined
from dxir.runtime.comparing import CheckResult, judged
from dxir.runtime.interpreter.running import TIMEOUT_S, Job, interpret_all
from dxir.targets.options import CompileOptions


def run_checks(
    program: Program,
    backend: str = "xla-cpu",
    options: CompileOptions | None = None,
    *,
    arguments: Sequence[Any] = (),
    timeout_s: float = TIMEOUT_S,
) -> list[CheckResult]:
    """What comes of each check of a program, in the order in which they are executed.

    All of `dxir.runtime.backends` run checks; those in loops and `check.expect_serialized_eq` the
    interpreter alone, and those in branches none. `arguments` are for the parameters of `main`, if
    it has any; `timeout_s` bounds the interpreter, for each function that is run.

    Raises EvaluationError for a program without checks that can be come to, TargetError and all
    else that compiling and running raise. A check that does not hold raises nothing.
    """
    names = entries(program)
    if backend == INTERPRETER:
        return _interpreted(program, names, arguments, timeout_s)
    return [
        result
        for entry in names
        for result in _compiled(program, entry, backend, options, arguments)
    ]


def _compiled(
    program: Program,
    entry: str,
    backend: str,
    options: CompileOptions | None,
    arguments: Sequence[Any],
) -> list[CheckResult]:
    closed, checks = outlined(program, entry)
    values = runner(closed, backend, options)(arguments)
    totals = Counter(map(id, checks))
    counts: Counter[int] = Counter()
    results: list[CheckResult] = []
    for check, actual, expected in zip(checks, values[::2], values[1::2], strict=True):
        counts[id(check)] += 1
        results.append(
            replace(
                judged(check, actual, expected),
                entry=entry,
                execution=counts[id(check)],
                executions=totals[id(check)],
            )
        )
    return results


def _interpreted(
    program: Program, names: Sequence[str], arguments: Sequence[Any], timeout_s: float
) -> list[CheckResult]:
    if any(op.name.startswith("chlo.") for op in ops_below(program.module.operation)):
        program = program.legalize_chlo()
    jobs = [Job(program, tuple(arguments), entry) for entry in names]
    results: list[CheckResult] = []
    for done in interpret_all(jobs, timeout_s=timeout_s):
        if isinstance(done, DxirError):
            raise done
        results += done.checks
    return results
