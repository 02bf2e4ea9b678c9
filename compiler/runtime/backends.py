"""Where a program can be run to see what it gives: compiled targets, and the interpreter.

All take and give NumPy arrays, so that one's answer can be held against another's.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dxir.errors import TargetError
from dxir.program import Program
from dxir.runtime.array import NumpyArray
from dxir.runtime.variants import unsharded, variant_names, way_of
from dxir.targets.options import CompileOptions, Containment
from dxir.targets.registry import find_target, target_names

Run = Callable[[Sequence[Any]], tuple[NumpyArray, ...]]
"""Runs a program on arrays for its parameters, and gives every result in a tuple."""

INTERPRETER = "interpreter"

_NO_LIMIT_S = 1e8


def backend_names() -> tuple[str, ...]:
    """The targets that compile here, other ways to run programs on them, and `interpreter`."""
    names = [n for n in target_names() if find_target(n).compiles_here]
    return (*names, *variant_names(), INTERPRETER)


def refuse_unknown(backend: str) -> None:
    """Raise TargetError for a backend that there is not.

    A target that does not compile here says why when it is asked to.
    """
    if backend in (*target_names(), *variant_names(), INTERPRETER):
        return
    near = difflib.get_close_matches(backend, backend_names(), n=1)
    raise TargetError(
        f"there is no backend {backend!r}",
        hint=f"did you mean {near[0]!r}?" if near else f"there are {_listed()}",
    )


def runner(
    program: Program,
    backend: str,
    options: CompileOptions | None = None,
    *,
    contained: bool | Containment = False,
) -> Run:
    """What runs the `main` of a program on a backend.

    With `contained`, in a child process, as `dxir.compile` does it; the interpreter has one always.
    Raises TargetError for a backend that there is not, and what compiling raises.
    """
    refuse_unknown(backend)
    limits = Containment.of(contained)
    if backend == INTERPRETER:
        return _interpreter(unsharded(program), limits)
    from dxir.compiling import compile_with

    options = options or CompileOptions()
    if limits is not None:
        options = replace(options, contained=limits)
    way = way_of(program, backend, options)
    executable = compile_with(way.program, way.target, way.options)

    def run(arguments: Sequence[Any]) -> tuple[NumpyArray, ...]:
        given = executable.run(way.arguments(arguments))
        return way.results([result.numpy() for result in given])

    return run


def _listed() -> str:
    return ", ".join(backend_names())


def _interpreter(program: Program, limits: Containment | None) -> Run:
    from dxir.runtime.interpreter.running import TIMEOUT_S, interpret
    from dxir.runtime.specializing import for_interpreter

    seconds = TIMEOUT_S if limits is None else limits.run_s or _NO_LIMIT_S

    def run(arguments: Sequence[Any]) -> tuple[NumpyArray, ...]:
        given = interpret(for_interpreter(program, arguments), *arguments, timeout_s=seconds)
        return tuple(map(np.asarray, given if isinstance(given, tuple) else (given,)))

    return run
