"""Programs run by StableHLO's reference interpreter, in a child process.

The interpreter is an oracle of small programs, independent of XLA: slow, and quick to abort. It is
no judge of TOTALORDER comparisons and of ui8 indices, which it gets wrong.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from dxir.children import Ended, Work, error_told, last_words, run_module
from dxir.diagnostics import Diagnostic, error_from, where_of
from dxir.errors import ArgumentError, DxirError, EvaluationError
from dxir.mlir import IrOperation, bytecode_of, decode_type
from dxir.program import Program
from dxir.reading import signature
from dxir.runtime.arguments import Parameter, check_count, host_array
from dxir.runtime.comparing import CheckResult
from dxir.runtime.interpreter import preparing
from dxir.runtime.interpreter.child import read_job
from dxir.runtime.interpreter.judging import check_results
from dxir.runtime.interpreter.probes import Spot, index_of, readings
from dxir.types import DType, QuantizedType, TensorType, same_shape

Array = np.ndarray[Any, Any]
Result = Array | None | tuple["Result", ...]
"""A tensor as an array, None for a token, a tuple of these for a tuple."""

TIMEOUT_S = 120.0
"""What a program may take unless something else is said."""

_TRACE_TIMEOUT_S = 20.0
_CHILD = "dxir.runtime.interpreter.child"
_WORK = Work(
    "StableHLO's reference interpreter",
    EvaluationError,
    unstarted="in this one it could end the program that calls it",
)


@dataclass(frozen=True, slots=True)
class Job:
    """A program to interpret from `entry` on, with arrays for its parameters."""

    program: Program
    arguments: tuple[Any, ...] = ()
    entry: str = "main"


@dataclass(frozen=True, slots=True)
class Interpretation:
    """What the interpreter made of a program.

    `printed` is the text of `interpreter.print`, `probes` holds name and value of each execution
    of an `interpreter.probe`, `checks` what came of each execution of a check.
    """

    results: tuple[Result, ...]
    printed: str = ""
    probes: tuple[tuple[str, Array], ...] = ()
    checks: tuple[CheckResult, ...] = ()

    @property
    def failures(self) -> tuple[Diagnostic, ...]:
        """The reports of the checks that did not hold."""
        return tuple(check.diagnostic() for check in self.checks if not check.holds)


def interpret(
    program: Program, *arguments: Any, entry: str = "main", timeout_s: float = TIMEOUT_S
) -> Any:
    """The results of a program on arrays, by StableHLO's reference interpreter.

    One result is given as it is, several as a tuple. The program stays as it is. `entry` is the
    function to call; a program with one function needs none. Raises ArgumentError for arguments of
    other types than the parameters', EvaluationError for an op that the interpreter does not run,
    for what brings it down, for a run of more than `timeout_s` seconds and for a check
    (`check.expect_eq`) that fails.
    """
    (done,) = interpret_all([Job(program, arguments, entry)], timeout_s=timeout_s)
    if isinstance(done, DxirError):
        raise done
    if done.failures:
        raise error_from(EvaluationError, done.failures, "a check failed")
    return done.results[0] if len(done.results) == 1 else done.results


def interpret_all(
    jobs: Sequence[Job], *, timeout_s: float = TIMEOUT_S
) -> list[Interpretation | DxirError]:
    """Each program's interpretation or error, by as few child processes as their crashes allow.

    `timeout_s` is for each program.
    """
    done: dict[int, Interpretation | DxirError] = {}
    with TemporaryDirectory(prefix="dxir-") as name:
        folder = Path(name)
        for number, job in enumerate(jobs):
            try:
                _write_job(job, folder / str(number))
            except DxirError as error:
                done[number] = error
        while len(done) < len(jobs):
            _run_child(folder, len(jobs), timeout_s, done)
    return [done[number] for number in range(len(jobs))]


def _write_job(job: Job, folder: Path) -> None:
    module = job.program.module
    preparing.check_interpretable(module)
    function = preparing.entry_of(module, job.entry)
    arrays, types = _arguments(job, function)
    folder.mkdir()
    (folder / "module").write_bytes(bytecode_of(module))
    for number, array in enumerate(arrays):
        (folder / f"argument{number}").write_bytes(array.tobytes())
    told_job = {
        "entry": job.entry,
        "types": types,
        "prints": preparing.prints(module),
        "where": function and where_of(function.location),
    }
    (folder / "job").write_text(json.dumps(told_job), "utf-8")


def _arguments(job: Job, function: IrOperation | None) -> tuple[list[Array], list[Any]]:
    inputs = [] if function is None else list(signature(function).inputs)
    parameters: list[Parameter] = []
    for number, type in enumerate(inputs):
        decoded = decode_type(type)
        if not isinstance(decoded, TensorType):
            assert function is not None
            raise ArgumentError(
                f"parameter {number} has the type {type}; only tensors can be given",
                where=where_of(function.location),
            )
        parameters.append(Parameter(number, None, decoded))
    try:
        check_count(len(job.arguments), tuple(parameters))
        pairs = zip(job.arguments, parameters, strict=True)
        arrays = [_array(given, parameter) for given, parameter in pairs]
    except ArgumentError as error:
        where = function and where_of(function.location)
        raise ArgumentError(error.message, where=error.where or where, hint=error.hint) from None
    return arrays, [[DType.of(a.dtype).name, list(a.shape)] for a in arrays]


def _array(given: Any, parameter: Parameter) -> Array:
    """The argument as an array of the parameter's type; one of unknown size takes any that fits."""
    type = parameter.type
    dtype = type.dtype.storage if isinstance(type.dtype, QuantizedType) else type.dtype
    shape = np.shape(given)
    if len(shape) == len(type.shape) and same_shape(TensorType(shape, dtype).shape, type.shape):
        type = TensorType(shape, dtype)
    elif any(not isinstance(d, int) for d in type.shape):
        raise ArgumentError(f"{parameter} takes {type}, not an array of shape {shape}")
    return host_array(given, Parameter(parameter.index, None, TensorType(type.shape, dtype)))


def _run_child(
    folder: Path, count: int, timeout_s: float, done: dict[int, Interpretation | DxirError]
) -> None:
    """Run the jobs that are not done; the first that brings the child down is done as well."""
    pending = _next([n for n in range(count) if n not in done], folder)
    ended = _serve_in_child(folder, pending, timeout_s)
    (folder / str(pending[0]) / "printed").write_bytes(ended.output)
    for number in pending:
        place = folder / str(number)
        if (place / "done").exists():
            done[number] = _outcome(place)
            continue
        if ended.code is None:
            done[number] = EvaluationError(
                f"{_WORK.what} did not end within {timeout_s:g} s",
                where=read_job(place)["where"],
                hint="a while loop may never end; a large program needs a larger "
                "timeout_s, --timeout",
            )
        else:
            done[number] = _crash(place, ended)
        return


def _next(pending: Sequence[int], folder: Path) -> list[int]:
    """The jobs that the next child gets; one that prints is alone, so that the text is its own."""
    printing = [read_job(folder / str(number))["prints"] for number in pending]
    if printing[0]:
        return [pending[0]]
    return list(pending[: printing.index(True)] if True in printing else pending)


def _serve_in_child(folder: Path, pending: Sequence[int], timeout_s: float, *flags: str) -> Ended:
    """How the child ended; it is ended when one job takes too long."""
    left = [folder / str(number) / "done" for number in pending]
    start = time.monotonic() + 2.0  # what starting the child may take

    def overdue() -> bool:
        nonlocal start
        while left and left[0].exists():
            left.pop(0)
            start = time.monotonic()
        return time.monotonic() - start > timeout_s

    numbers = map(str, pending)
    return run_module(_WORK, _CHILD, str(folder), str(timeout_s), *flags, *numbers, overdue=overdue)


def _outcome(place: Path) -> Interpretation | DxirError:
    told_error = place / "error"
    if told_error.exists():
        return error_told(told_error.read_text("utf-8"))
    plan = json.loads((place / "plan").read_text("utf-8"))
    spots = [Spot(**spot) for spot in plan["spots"]]
    found = readings(place, spots)
    printed = place / "printed"
    values = {r.spot.id: r.arrays[0] for r in found if r.spot.kind == "result"}
    return Interpretation(
        tuple(_result(tree, values) for tree in plan["results"]),
        printed.read_text("utf-8", "replace") if printed.exists() else "",
        tuple((r.spot.label, r.arrays[0]) for r in found if r.spot.kind == "probe"),
        tuple(check_results(found, read_job(place)["entry"])),
    )


def _result(tree: preparing.Tree, values: dict[str, Array]) -> Result:
    if tree is None:
        return None
    if isinstance(tree, str):
        return values[tree]
    return tuple(_result(part, values) for part in tree)


def _crash(place: Path, ended: Ended) -> EvaluationError:
    """What brought the interpreter down: it is run once more, writing down where it is."""
    words = last_words(ended.errors, 2000).removeprefix("LLVM ERROR: ")
    spot = _last_reached(place, "divisions" if ended.cause == "SIGFPE" else "all")
    problem = f"{_WORK.what} ended with {ended.cause}"
    if spot is not None:
        problem += f" in {spot.label}"
    if ended.cause == "SIGFPE":
        problem += ": an integer is divided by zero"
        hint = "StableHLO leaves the result open; this interpreter dies of it"
    else:
        hint = "it does not run all of StableHLO; compile and run the program instead"
    return EvaluationError(
        problem + (f": {words}" if words else ""),
        where=spot.where if spot is not None else read_job(place)["where"],
        hint=hint,
    )


def _last_reached(place: Path, which: str) -> Spot | None:
    plan = place / "plan"
    if not plan.exists():
        return None
    _serve_in_child(place.parent, [int(place.name)], _TRACE_TIMEOUT_S, "--trace", which)
    spots = [Spot(**spot) for spot in json.loads(plan.read_text("utf-8"))["spots"]]
    return preparing.last_traced(spots, [name for name, _ in index_of(place)])
