"""Programs that are compiled and run in a child process, which may end without ending this one.

`dxir.compile(..., contained=True)` gives a `ContainedExecutable`. What can be told of a program
before (`contained_preflight`) is told before a process is started (`contained_process`). Arrays go
there and back in memory that both share (`segments`), everything else in small messages
(`contained_messages`, `contained_child`).
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dxir.diagnostics import where_of
from dxir.errors import TargetError
from dxir.mlir import bytecode_of
from dxir.reading import ops_below, target_of
from dxir.runtime.arguments import Parameter, check_count, host_array, parameters_of
from dxir.runtime.array import Array, NumpyArray
from dxir.runtime.contained_preflight import examined, main_of
from dxir.runtime.contained_worker import Contained, SharedArray, Worker
from dxir.runtime.executable import Executable
from dxir.targets.options import Containment
from dxir.targets.record import Target
from dxir.targets.registry import find_target

if TYPE_CHECKING:
    from dxir.program import Program
    from dxir.targets.record import Source


def contained(target: Target, limits: Containment) -> Target:
    """The target, with programs compiled and run in a child process that keeps the limits.

    All programs that it compiles share the child. Raises TargetError for a target that the child
    would not find by its name.
    """
    if target.compile is None:
        return target
    if find_target(target.name) is not target:
        raise TargetError(
            f"this target {target.name!r} is not the one registered under its name, which a "
            "contained program is compiled for",
            hint="register it: dxir.targets.register_target(target)",
        )
    worker = Worker(limits)
    return replace(target, compile=lambda source: ContainedExecutable(source, target, worker))


class ContainedExecutable(Executable):
    """A program in a child process.

    A call gives its results once they are computed; large ones stay in memory shared with the
    child, and given to another call they are not copied. A child that crashes, or takes more time
    or memory than it may, is a RuntimeFailure that says so, and the next call starts another, which
    compiles the program again. `close`, or leaving a `with` block, ends the child.
    """

    def __init__(self, source: Source, target: Target, worker: Worker) -> None:
        program = examined(source, target, worker.limits.imports)
        self.target = target.name
        self._worker = worker
        self._program = Contained(
            bytecode_of(program.module),
            target.name,
            source.options,
            source.parameter_names(),
            where_of(main_of(program.module).location),
            program.context.allow_unregistered_dialects,
        )
        try:
            signature = worker.compile(self._program)
        except TargetError as error:
            raise _with_calls(error, program, target) from None
        self.parameters = parameters_of(signature.parameters, signature.names)
        self.results = signature.results
        weakref.finalize(self, worker.forgotten.append, self._program.number)

    @property
    def pid(self) -> int | None:
        """The number of the child process; None between its end and the next call."""
        return self._worker.pid

    def run(self, arguments: Sequence[Any]) -> tuple[Array, ...]:
        """Run on the arguments in the child, and wait for the results."""
        check_count(len(arguments), self.parameters)
        given = [_argument(a, p) for a, p in zip(arguments, self.parameters, strict=True)]
        return self._worker.run(self._program, given, self.results)

    def close(self) -> None:
        """End the child process, even if it runs; calling the executable is an error then."""
        self._program.is_closed = True
        self._worker.stop()


def _with_calls(error: TargetError, program: Program, target: Target) -> TargetError:
    """The error, and if it is about a custom call that only this process has, what to do."""
    has_call = target.has_call
    calls = ops_below(program.module.operation, ("stablehlo.custom_call",))
    for name in dict.fromkeys(map(target_of, calls)):
        if f"@{name}" in error.message and has_call is not None and has_call(name):
            return TargetError(
                error.message,
                where=error.where,
                hint=f"this process has an implementation of @{name}, but that of a contained "
                "program has not: name the module that registers it, Containment(imports=...)",
            )
    return error


def _argument(given: Any, parameter: Parameter) -> NumpyArray | SharedArray:
    if isinstance(given, SharedArray) and given.type == parameter.type:
        return given
    return host_array(given, parameter)
