"""The target `xla-cpu`: a program examined, serialized, and compiled by XLA."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from dxir.errors import TargetError
from dxir.mlir import ir
from dxir.runtime import pjrt
from dxir.runtime.agreement import agree
from dxir.runtime.calls import uses_own_calls
from dxir.runtime.deep import call_deep
from dxir.runtime.devices import assigned, finished, free, marked
from dxir.runtime.entry import Entry
from dxir.runtime.executable import Executable
from dxir.runtime.failures import explained
from dxir.runtime.hlo_shardings import only_hlo_shardings
from dxir.runtime.isolated import CompilerError, compile_in_child
from dxir.runtime.keeping import place_of
from dxir.runtime.preflight import NAME, Examined, Limits, Risk, examine
from dxir.runtime.reaching import reached_only
from dxir.targets.options import CompileOptions

if TYPE_CHECKING:
    from dxir.program import Program
    from dxir.targets.record import Source

# What XLA's compiler was seen to survive, with a margin. On 0.10 it works on threads with stacks
# of 2 MiB whatever the caller does; 400 fused slices and concatenates end it.
_LIMITS_0_10 = Limits(fused=200, chain=2_500, calls=60, nesting=60)
_LIMITS = Limits(fused=1_000, chain=10_000, calls=150, nesting=60)

_FLAG_HINT = "leave one out after the other, since XLA does not check all that it is given"


def compile_source(source: Source) -> Executable:
    """Compile what `dxir.compile` was given; see `compile_program`."""
    return compile_program(source.program(), source.parameter_names(), source.options)


def examine_module(module: ir.Module) -> None:
    """Refuse a verified module as compiling it would before XLA sees it."""
    from dxir.program import Program

    _examined(reached_only(Program(module)).module)


def _examined(module: ir.Module, devices: int = 1) -> Examined:
    limits = _LIMITS_0_10 if pjrt.version() < (0, 11) else _LIMITS
    found = examine(module, limits, devices)
    _refuse_types(found.entry)
    return found


def compile_program(
    program: Program,
    names: tuple[str | None, ...] = (),
    options: CompileOptions | None = None,
) -> Executable:
    """Compile a program for the CPU; `names` are its parameters' where the program has none.

    Raises TargetError for what the target cannot run and RuntimeFailure when XLA fails.
    """
    options = options or CompileOptions()
    assignment = assigned(options, NAME, pjrt.cpu_client)
    program = reached_only(program.verify())
    found = _examined(program.module, len(assignment.devices))
    if found.divides:
        program = program.run_passes("dxir-guard-integers")
    entry = found.entry
    program = marked(program, options, assignment, entry)

    def load() -> Any:
        try:
            return _load(program, found, assignment)
        except (pjrt.XlaError, CompilerError) as error:
            told = assignment.wrong_flag(str(error)) or explained(
                str(error), program.module, NAME, found.risk
            )
            if assignment.flags and told.hint is None:
                told.hint = f"it has {_flags(assignment)}: {_FLAG_HINT}"
            raise told from None

    agree(program, assignment, options)
    place = place_of(program, NAME, options, assignment)
    kept = None if place is None else place.load(otherwise=load)
    if kept is not None:
        return finished(NAME, kept, assignment, entry, names, checked=True)
    start = time.perf_counter()
    loaded = load()
    seconds = time.perf_counter() - start
    executable = finished(NAME, loaded, assignment, entry, names)
    if place is not None:
        place.keep(loaded, seconds)
    return executable


def _flags(assignment: pjrt.Assignment) -> str:
    return "the flags " + ", ".join(f"{k}={v!r}" for k, v in assignment.flags.items())


def _refuse_types(entry: Entry) -> None:
    device = pjrt.cpu()
    for kind, types in (("parameter", entry.parameters), ("result", entry.results)):
        for i, type in enumerate(types):
            if not pjrt.carries(device, type.primitive):
                raise TargetError(
                    f"{kind} {i} of main has type {type}, which {NAME} does not have in this "
                    "version of jaxlib",
                    hint="convert it, or upgrade jaxlib (0.12 has the 6-bit floats)",
                )


def _load(program: Program, found: Examined, assignment: pjrt.Assignment) -> Any:
    artifact = program.serialize("current")
    free_parameters, free_results = free(program.module)
    shardy = assignment.partitions == 1 or not only_hlo_shardings(program.module)

    def options(without: tuple[str, ...] = ()) -> Any:
        return assignment.options(
            without=without,
            free_parameters=free_parameters,
            free_results=free_results,
            shardy=shardy,
        )

    risk = found.risk
    if risk is None and assignment.flags and not uses_own_calls(program.module):
        risk = Risk(_flags(assignment), hint=_FLAG_HINT, deep=False)
    if risk is None or assignment.is_shared:  # a child would not have the others' devices
        # jaxlib 0.12 compiles on the calling thread, 0.10 on threads of its own.
        return call_deep(lambda: assignment.load(artifact, options()))
    compiled = compile_in_child(
        artifact,
        risk,
        [device.id for device in assignment.devices],
        lambda without: bytes(options(without).SerializeAsString()),
    )
    return assignment.deserialize(compiled)
