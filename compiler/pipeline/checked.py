"""Running a pipeline on a copy of a module, with everything that goes wrong told as a PassError."""

from __future__ import annotations

from collections.abc import Sequence

from dxir.diagnostics import Diagnostic, collecting, error_from
from dxir.errors import PassError
from dxir.mlir import clone_module, ir
from dxir.pipeline.guards import refuse
from dxir.pipeline.running import RunOptions, StepFailure, run_steps
from dxir.pipeline.steps import PipelineLike, Step, resolve


def run_checked(
    module: ir.Module, pipeline: PipelineLike, options: RunOptions | None = None
) -> tuple[ir.Module, list[Diagnostic]]:
    """A copy of the module as the pipeline leaves it, and what was reported.

    Raises PassError. A native pass known to end the process is refused before it does.
    """
    copy = clone_module(module)
    steps = resolve(pipeline, copy.context)
    reported: list[Diagnostic] = []
    with collecting(copy.context) as found:
        for step in steps:
            refuse(step, copy)
            found.clear()
            try:
                run_steps(copy, [step], options, reported.append)
            except StepFailure as failure:
                raise failure_error(failure, found) from (failure.error and failure.error.__cause__)
            reported += found
    return copy, reported


def failure_error(failure: StepFailure, found: Sequence[Diagnostic]) -> PassError:
    """The error of a step that failed, given what MLIR reported meanwhile."""
    step = failure.step
    if failure.error is not None:
        error = failure.error
        return PassError(f"{step.name}: {error.message}", where=error.where, hint=error.hint)
    told = error_from(PassError, found, "it gave no reason")
    return PassError(
        f"the pass {step.name} failed: {told.message}", where=told.where, hint=told.hint or _hint(step)
    )


def _hint(step: Step) -> str:
    if step.pass_ is not None:
        return "the pass left a module that is not valid: report it with the module"
    return "run it alone with dxir-opt, and --mlir-print-ir-before shows what it is given"
