"""Running a pipeline on a copy of a module, with everything that goes wrong told as a PassError."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dxir.diagnostics import Diagnostic, collecting, error_from
from dxir.errors import PassError
from dxir.mlir import clone_module, ir
from dxir.pipeline.apart import run_apart
from dxir.pipeline.guards import danger, may_end_process, refuse
from dxir.pipeline.running import RunOptions, StepFailure, run_steps
from dxir.pipeline.steps import PipelineLike, Step, resolve


def run_checked(
    module: ir.Module, pipeline: PipelineLike, options: RunOptions | None = None
) -> tuple[ir.Module, list[Diagnostic]]:
    """A copy of the module as the pipeline leaves it, and what was reported.

    Raises PassError. A native pass known to end the process is refused before it does, or run in a
    process of its own where the module looks like one that it does not take.
    """
    options = RunOptions() if options is None else options
    if not isinstance(options, RunOptions):
        raise PassError(
            f"the options of a run are RunOptions, not {type(options).__name__}",
            hint="options of passes stand in the pipeline: pass{option=value}",
        )
    copy = clone_module(module)
    steps = resolve(pipeline, copy.context)
    reported: list[Diagnostic] = []
    running: Step | None = None
    in_one_manager = options.printing is not None and options.printing.tree_dir is not None
    with collecting(copy.context) as found:

        def flush() -> None:
            name = None if running is None else running.name
            reported.extend(replace(d, pass_name=d.pass_name or name) for d in found)
            found.clear()

        def before(step: Step) -> None:
            nonlocal running
            refuse(step, copy)
            flush()
            running = None if in_one_manager else step

        for group in _groups(steps):
            why = danger(group[0], copy)
            if why is not None:
                before(group[0])
                copy, told = run_apart(copy, group[0], options, why)
                found += told
                continue
            try:
                run_steps(copy, group, options, reported.append, before)
            except StepFailure as failure:
                raise failure_error(failure, found) from (failure.error and failure.error.__cause__)
        flush()
    return copy, reported


def _groups(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """The steps in order, each that may end the process on its own."""
    group: list[Step] = []
    for step in steps:
        if may_end_process(step):
            if group:
                yield group
            yield [step]
            group = []
        else:
            group.append(step)
    if group:
        yield group


def failure_error(failure: StepFailure, found: Sequence[Diagnostic]) -> PassError:
    """The error of a step that failed, given what MLIR reported meanwhile."""
    step = failure.step
    if failure.error is not None:
        error = failure.error
        named = error.message.startswith((f"{step.name}:", f"the pass {step.name} "))
        message = error.message if named else f"{step.name}: {error.message}"
        return PassError(
            message, where=error.where, hint=error.hint, code=error.code, pass_name=step.name
        )
    told = error_from(PassError, found, "it gave no reason")
    return PassError(
        f"the pass {step.name} failed: {told.message}",
        where=told.where,
        hint=told.hint or _hint(step),
        pass_name=step.name,
    )


def _hint(step: Step) -> str:
    if step.pass_ is not None:
        return "the pass left a module that is not valid: report it with the module"
    return "print what it is given: RunOptions(printing=IrPrinting(before=...))"
