"""A program made ready for a backend and run there, with the time that each part took."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import numpy as np

from dxir.diagnostics import Diagnostic
from dxir.errors import DxirError, TargetError
from dxir.program import Program
from dxir.runtime.backends import INTERPRETER
from dxir.runtime.interpreter.running import Interpretation, Job, Result, interpret_all
from dxir.runtime.specializing import SpecializingExecutable, for_interpreter
from dxir.runtime.variants import unsharded, way_of
from dxir.targets.options import CompileOptions

Array = np.ndarray[Any, Any]

_INTERPRETER_S = 120.0


@dataclass(slots=True)
class Times:
    """How long compiling took, the first run, and each run after it, in seconds."""

    compile: float = 0.0
    runs: list[float] = field(default_factory=list[float])

    @property
    def steady(self) -> list[float]:
        """The runs after the first; the first where there is no other."""
        return self.runs[1:] or self.runs

    def as_dict(self) -> dict[str, Any]:
        """The times for JSON, in seconds."""
        steady = self.steady
        return {
            "compile": self.compile,
            "first": self.runs[0],
            "min": min(steady),
            "median": median(steady),
            "max": max(steady),
            "runs": list(self.runs),
        }


@dataclass(slots=True)
class Ran:
    """What a run gave: results, what the program printed, and the reports of checks that failed."""

    results: tuple[Result, ...]
    times: Times
    printed: str = ""
    failures: tuple[Diagnostic, ...] = ()


def ran(
    program: Program,
    arguments: Sequence[Array],
    backend: str,
    options: CompileOptions,
    *,
    repeat: int,
    timeout: float | None,
    doing: Callable[[str], Any],
) -> Ran:
    """Compile a program and run it `repeat` times.

    `doing` gives a context to do each part in: "compiling", "running". Raises what compiling and
    running do.
    """
    times = Times()
    if backend == INTERPRETER:
        if options.flags or options.devices not in (None, 1):
            raise TargetError("the interpreter runs on one device, and takes no flags")
        with doing("interpreting"):
            whole = unsharded(program)
            return _interpreted(whole, arguments, repeat, timeout or _INTERPRETER_S, times)
    from dxir.compiling import compile_with

    with doing("compiling"):
        start = time.perf_counter()
        way = way_of(program, backend, options)
        executable = compile_with(way.program, way.target, way.options)
        if isinstance(executable, SpecializingExecutable):
            executable = executable.for_arguments(way.arguments(arguments))
        times.compile = time.perf_counter() - start
    results: tuple[Result, ...] = ()
    for _ in range(repeat):
        with doing("running"):
            start = time.perf_counter()
            given = executable.run(way.arguments(arguments))
            results = way.results([result.numpy() for result in given])
            times.runs.append(time.perf_counter() - start)
    return Ran(results, times)


def _interpreted(
    program: Program, arguments: Sequence[Array], repeat: int, timeout: float, times: Times
) -> Ran:
    job = Job(for_interpreter(program, arguments), tuple(arguments))
    done: Interpretation | DxirError | None = None
    for _ in range(repeat):
        start = time.perf_counter()
        (done,) = interpret_all([job], timeout_s=timeout)
        times.runs.append(time.perf_counter() - start)
        if isinstance(done, DxirError):
            raise done
    assert isinstance(done, Interpretation)
    return Ran(done.results, times, done.printed, done.failures)
