"""Programs of unknown sizes on targets that run known ones: one executable for each set of sizes.

A call tells the sizes. They are checked before anything runs, the program is specialized to them
and compiled, and what was compiled is kept for the next call with the same.
"""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir.bindings import Bindings, Shape, given_shapes
from dxir.errors import ArgumentError, DxirError, EvaluationError, PassError, TargetError
from dxir.mlir import bytecode_of, ir, make_context
from dxir.passes.shapes.copies import reachable
from dxir.passes.specialize import STAYED_DYNAMIC
from dxir.program import Program
from dxir.runtime.arguments import Parameter, check_count, fits, host_array
from dxir.runtime.array import Array
from dxir.runtime.executable import Executable
from dxir.runtime.interpreter.preparing import check_interpretable
from dxir.runtime.unknown_sizes import Unknown, parameters_in, unknown_sizes
from dxir.types import TensorType, shape_text

if TYPE_CHECKING:
    from dxir.graph import Function, Module
    from dxir.targets.options import CompileOptions
    from dxir.targets.record import Source, Target

KEPT = 32
"""How many executables are kept unless `capacity` says otherwise."""

_MOST_SHOWN = 8


def executable_for(
    source: Source, target: Target, results: tuple[TensorType, ...] | None = None
) -> Executable:
    """What runs the source on the target, specialized where the target takes known sizes only.

    A program whose parameters have known sizes is specialized at once; one with dynamic dimensions
    at each call with new sizes. `results` are the types of the results with the names of their
    dimensions, where they are known. Raises what compiling for the target does, and TargetError for
    a program that depends on sizes that no parameter tells.
    """
    buckets = source.options.buckets
    if buckets and target.accepts.dynamic:
        raise TargetError(
            f"{target.name} runs programs of any size, and rounds none up to buckets",
            hint="compile it without buckets",
        )
    if target.accepts.dynamic or target.compile is None:
        return target.executable(source)
    program = source.program()
    unknown = unknown_sizes(program.module)
    if buckets and unknown is not Unknown.PARAMETERS:
        raise TargetError(
            f"there are buckets for {', '.join(buckets)}, and no parameter has a dynamic dimension",
            hint="compile it without buckets",
        )
    if unknown is Unknown.NOTHING:
        return target.executable(source)
    program.verify().preflight()
    if buckets:
        from dxir.runtime.buckets.bucketing import BucketingExecutable

        return BucketingExecutable(source, target, results)
    if unknown is Unknown.PARAMETERS:
        return SpecializingExecutable(source, target, results)
    found = _specialized(program, {}, target.name)
    return target.executable(_Specialized(found, source.options, source.parameter_names()))


@dataclass(frozen=True, slots=True)
class _Specialized:
    """A specialized program as a source to compile."""

    given: Program
    options: CompileOptions
    names: tuple[str | None, ...]

    def program(self) -> Program:
        """The program."""
        return self.given

    def graph(self) -> Function | Module:
        """The graph."""
        return self.given.raise_()

    def parameter_names(self) -> tuple[str | None, ...]:
        """The names of the parameters of the program before."""
        return self.names


class _Slot:
    """What was, or is being, compiled for one set of sizes; `used` says when it was last run."""

    __slots__ = ("error", "executable", "ready", "used")

    def __init__(self) -> None:
        self.executable: Executable | None = None
        self.error: DxirError | None = None
        self.ready = threading.Event()
        self.used = 0


class SpecializingExecutable(Executable):
    """A program with dynamic dimensions, compiled for the sizes of the arguments it is called with.

    `parameters` and `results` have the dimensions by their names, `?` where they have none. A call
    raises ArgumentError for arguments in which a name has two sizes, or of which the program says
    that they do not go together, before anything runs; TargetError for an op whose sizes are not
    known even then. `capacity` is the number of executables kept, those used last.
    """

    def __init__(
        self, source: Source, target: Target, results: tuple[TensorType, ...] | None = None
    ) -> None:
        program = source.program()
        self.target = target.name
        self.parameters, told = parameters_in(program.module, target.name, source.parameter_names())
        self.results = results if results is not None and len(results) == len(told) else told
        self.capacity = KEPT
        self._bindings = Bindings([(str(p), p.type) for p in self.parameters])
        self._dynamic = self._bindings.dynamic
        self._static = {p.index: p.type.static_shape for p in self.parameters if p.type.is_static}
        self._names = tuple(p.name for p in self.parameters)
        self._target, self._options = target, replace(source.options, buckets={})
        # Read anew, in a context of its own, for each set of sizes: threads share nothing.
        self._data = bytecode_of(program.module)
        self._unregistered = program.context.allow_unregistered_dialects
        self._slots: dict[tuple[Any, ...], _Slot] = {}
        self._clock = itertools.count(1)
        self._lock = threading.Lock()
        self._process = os.getpid()

    @property
    def dims(self) -> tuple[str, ...]:
        """The names of dimensions that `specialize` takes sizes for, sorted."""
        return self._bindings.names

    @property
    def specializations(self) -> tuple[tuple[Shape, ...], ...]:
        """The shapes of parameters that an executable is kept for, those used last at the end."""
        with self._lock:
            ready = [(s.used, key) for key, s in self._slots.items() if s.executable is not None]
        return tuple(self._all_shapes(key) for _, key in sorted(ready, key=lambda item: item[0]))

    def run(self, arguments: Sequence[Any]) -> tuple[Array, ...]:
        """Run the executable for the sizes of the arguments, compiling it if there is none."""
        if len(arguments) == len(self.parameters):
            key = tuple([shape_of(arguments[i]) for i in self._dynamic])
            slot = self._slots.get(key)
            if slot is not None and (executable := slot.executable) is not None:
                slot.used = next(self._clock)
                return executable.run(arguments)
        return self.for_arguments(arguments).run(arguments)

    def for_arguments(self, arguments: Sequence[Any]) -> Executable:
        """The executable for the sizes of these arguments, which takes no other sizes."""
        shapes = self._checked(arguments)
        return self._executable(tuple([shapes[i] for i in self._dynamic]))

    def close(self) -> None:
        """Close all executables that are kept."""
        with self._lock:
            found = [s.executable for s in self._slots.values()]
        for executable in found:
            if executable is not None:
                executable.close()

    def _checked(self, arguments: Sequence[Any]) -> list[Shape]:
        """The shapes of arguments that the program takes."""
        check_count(len(arguments), self.parameters)
        shapes = [_checked_shape(a, p) for a, p in zip(arguments, self.parameters, strict=True)]
        self._bindings.check(shapes)
        return shapes

    def specialize(
        self,
        dims: Mapping[str, int] | None = None,
        *,
        shapes: Mapping[str | int, Any] | Sequence[Any] = (),
    ) -> Executable:
        """The executable for sizes of named dimensions, compiled now; it takes no other sizes.

        `shapes` gives parameters shapes by name or position, or in order, where dimensions have no
        names. Raises ArgumentError for names and sizes that do not fit, or are missing, and what a
        call raises.
        """
        given = given_shapes(shapes, self._names)
        found = self._bindings.shapes(dims or {}, given)
        return self._executable(tuple([found[i] for i in self._dynamic]))

    def _executable(self, key: tuple[Shape, ...]) -> Executable:
        if os.getpid() != self._process:  # another thread may have held the lock at the fork
            self._lock, self._slots, self._process = threading.Lock(), {}, os.getpid()
        while True:
            with self._lock:
                slot = self._slots.get(key)
                mine = slot is None
                if slot is None:
                    slot = self._slots[key] = _Slot()
            if mine:
                return self._fill(key, slot)
            slot.ready.wait()
            if slot.error is not None:
                raise slot.error
            if slot.executable is not None:
                slot.used = next(self._clock)
                return slot.executable

    def _fill(self, key: tuple[Shape, ...], slot: _Slot) -> Executable:
        try:
            executable = self._compiled(self._all_shapes(key))
        except BaseException as error:
            slot.error = error if isinstance(error, DxirError) else None
            with self._lock:
                self._slots.pop(key, None)
            raise
        else:
            slot.used = next(self._clock)
            slot.executable = executable
            self._evict()
            return executable
        finally:
            slot.ready.set()

    def _evict(self) -> None:
        with self._lock:
            ready = [(s.used, key) for key, s in self._slots.items() if s.executable is not None]
            ready.sort(key=lambda item: item[0])
            for _, key in ready[: max(0, len(ready) - max(1, self.capacity))]:
                del self._slots[key]

    def _specialized(self, shapes: Sequence[Shape]) -> Program:
        context = make_context(allow_unregistered=self._unregistered)
        program = Program(ir.Module.parse(self._data, context))
        given = {p: shapes[p.index] for p in self.parameters if not p.type.is_static}
        return _specialized(program, given, self.target)

    def _all_shapes(self, key: tuple[Shape, ...]) -> tuple[Shape, ...]:
        known = {**self._static, **dict(zip(self._dynamic, key, strict=True))}
        return tuple(known[p.index] for p in self.parameters)

    def _compiled(self, shapes: tuple[Shape, ...]) -> Executable:
        found = self._specialized(shapes)
        return self._target.executable(_Specialized(found, self._options, self._names))


def shape_of(argument: Any) -> tuple[Any, ...]:
    """The shape of an argument, quickly; `()` where it is not told."""
    type: Any = getattr(argument, "type", None)
    shape: object = type.shape if type.__class__ is TensorType else getattr(argument, "shape", None)
    if isinstance(shape, tuple):
        return shape
    try:
        return np.shape(argument)
    except Exception:  # noqa: BLE001  whatever a foreign object raises; it is refused where it is checked
        return ()


def _checked_shape(argument: Any, parameter: Parameter) -> Shape:
    """The shape of an argument that the parameter takes; ArgumentError for another one."""
    if isinstance(argument, Array) and argument.type.dtype == parameter.type.dtype:
        shape = argument.type.static_shape
        if fits(shape, parameter.type):
            return shape
    found: Shape = host_array(argument, parameter).shape
    return found


def _specialized(program: Program, given: Mapping[Parameter, Shape], target: str) -> Program:
    """The program with parameters of these shapes; ArgumentError or TargetError if it has none."""
    try:
        return program.specialize({p.index: shape for p, shape in given.items()})
    except PassError as error:
        shown = [f"{p} of shape {shape_text(shape)}" for p, shape in given.items()]
        more = [f"{len(shown) - _MOST_SHOWN} more"] if len(shown) > _MOST_SHOWN else []
        raise _explained(error, target, ", ".join([*shown[:_MOST_SHOWN], *more])) from None


def _explained(error: PassError, target: str, sizes: str) -> DxirError:
    """The error of a call for what specializing the program to the sizes of arguments raised."""
    given = f" with {sizes}" if sizes else ""
    message = error.message.removeprefix(f"{error.pass_name}: ")
    if error.code == STAYED_DYNAMIC:
        return TargetError(
            f"{target} runs programs of known sizes, and{given} {message}",
            where=error.where,
            hint=error.hint,
        )
    kind = ArgumentError if sizes else TargetError
    return kind(f"the program cannot be run{given}: {message}", where=error.where, hint=error.hint)


def for_interpreter(program: Program, arguments: Sequence[Any]) -> Program:
    """The program as StableHLO's interpreter takes it for these arguments, their sizes checked.

    It runs unknown sizes itself, in a function without calls; other programs are specialized, and
    those with ops that it does not know, which may be others then: assertions, JAX's custom calls.
    """
    module = program.module
    if unknown_sizes(module) is not Unknown.PARAMETERS:
        return program
    parameters, _ = parameters_in(module, "the interpreter", ())
    check_count(len(arguments), parameters)
    shapes = [_checked_shape(a, p) for a, p in zip(arguments, parameters, strict=True)]
    Bindings([(str(p), p.type) for p in parameters]).check(shapes)
    if _runs_unknown_sizes(module):
        return program
    given = {p: shapes[p.index] for p in parameters if not p.type.is_static}
    return _specialized(program, given, "the interpreter")


def _runs_unknown_sizes(module: ir.Module) -> bool:
    try:
        check_interpretable(module)
    except EvaluationError:
        return False
    return reachable(module, ["main"]) == ["main"]
