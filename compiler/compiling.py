"""From a graph or program to something that runs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from dxir.editing import with_main
from dxir.errors import ArgumentError
from dxir.graph import Function, Module
from dxir.locations import caller_location, placed
from dxir.misuse import explained
from dxir.symbols import entry_of
from dxir.targets.options import CompileOptions, Containment, Flag
from dxir.targets.record import Target
from dxir.targets.registry import find_target
from dxir.types import TensorType

if TYPE_CHECKING:
    from dxir.program import Program
    from dxir.runtime.executable import Executable


@placed
@explained
def compile(
    source: Program | Module | Function,
    target: str | Target = "xla-cpu",
    *,
    devices: int | Sequence[Any] | None = None,
    replicas: int = 1,
    donate: Sequence[int] = (),
    flags: Mapping[str, Flag] | None = None,
    cache: bool | None = None,
    buckets: Mapping[str, Sequence[int] | Literal["powers of two"]] | None = None,
    contained: bool | Containment = False,
) -> Executable:
    """Compile a program or graph for a target.

    The entry is `main`, or the only public function. The result is called with one
    array for each parameter, positionally; see `dxir.runtime.executable.Executable`. A program with
    dynamic dimensions is compiled for the sizes that it is called with, where the target runs known
    sizes only; see `dxir.runtime.specializing.SpecializingExecutable`.

    `devices` says how many devices, or which, the program is partitioned over, as its shardings
    say, for each of `replicas` copies of it that differ in their arguments. `donate` are the
    numbers of parameters whose memory the program may take over: the arrays given for them are
    gone afterwards. `flags` are for the target's own compiler. `cache` says whether a compiled
    program is looked for and kept on disk; None leaves that to the target and `DXIR_CACHE`.
    `buckets` gives dynamic dimensions, by name, the sizes that they are rounded up to, so that
    fewer programs are compiled; sizes beyond are compiled for themselves. It is for programs that
    keep what is added apart from all results, and refused for others.
    `contained` has it compiled and run in a child process, whose end is an error instead of the
    end of this one; a `Containment` says how much time and memory it may take.

    Raises TargetError for an unknown target (naming the nearest) and for a program or an option
    that the target cannot do, VerificationError and LoweringError for a program that is wrong,
    RuntimeFailure when the target's compiler fails.
    """
    _check(devices=devices, replicas=replicas, donate=donate, cache=cache)
    _check_maps(flags, buckets)
    options = CompileOptions(
        devices=devices if devices is None or isinstance(devices, int) else tuple(devices),
        replicas=replicas,
        donate=tuple(donate),
        flags=dict(flags or {}),
        cache=cache,
        contained=Containment.of(contained),
        buckets={
            name: sizes if isinstance(sizes, str) else tuple(sizes)
            for name, sizes in (buckets or {}).items()
        },
    )
    return compile_with(source, target, options)


def _check(*, devices: object, replicas: object, donate: object, cache: object) -> None:
    """Refuse options of other types than `compile` says."""
    if isinstance(devices, str | bool) or not isinstance(devices, int | Iterable | None):
        _refuse("devices", devices, "a number, devices=8, or a list of what dxir.devices gives")
    if not isinstance(replicas, int) or isinstance(replicas, bool):
        _refuse("replicas", replicas, "a number: replicas=8")
    if isinstance(donate, str) or not isinstance(donate, Sequence):
        _refuse("donate", donate, "a list of the numbers of parameters: donate=[0]")
    for number in donate:
        if not isinstance(number, int) or isinstance(number, bool):
            _refuse("donate", donate, "a list of the numbers of parameters: donate=[0]")
    if cache is not None and not isinstance(cache, bool):
        _refuse("cache", cache, "True, False or None; DXIR_CACHE_DIR names another folder")


def _check_maps(flags: object, buckets: object) -> None:
    """Refuse flags and buckets that are not by name."""
    if flags is not None and not isinstance(flags, Mapping):
        _refuse("flags", flags, 'a dictionary: flags={"xla_cpu_enable_fast_math": True}')
    if buckets is not None and not isinstance(buckets, Mapping):
        _refuse("buckets", buckets, 'a dictionary: buckets={"batch": (8, 16)}')
    for sizes in (buckets or {}).values():
        if not isinstance(sizes, Sequence):
            _refuse("buckets", buckets, 'sizes by name: buckets={"batch": (8, 16)}')


def _refuse(option: str, given: object, wanted: str) -> NoReturn:
    raise ArgumentError(
        f"{option}= is {given!r}, of the type {type(given).__name__}",
        where=caller_location(),
        hint=f"it is {wanted}",
    )


def _hint_for(given: object, kind: str) -> str:
    """What to do with something that is no program."""
    if kind == "Builder":
        return "finish it first: b.build(result) gives the function"
    if callable(given):
        return "dxir.jit(f) compiles a Python function; dxir.function(f).lower(...) is its program"
    return "dxir.load reads text, bytecode and artifacts into a Program"


def compile_with(
    source: Program | Module | Function, target: str | Target, options: CompileOptions
) -> Executable:
    """Compile as `compile` does, with its options as one record."""
    found = target if isinstance(target, Target) else find_target(target)
    if options.contained is not None:
        from dxir.runtime.contained import contained

        found = contained(found, options.contained)
        options = replace(options, contained=None)
    given = _Source(source, options)
    if found.accepts.dynamic and not options.buckets:
        return found.executable(given)
    from dxir.runtime.specializing import executable_for

    return executable_for(given, found, given.result_types())


@dataclass(frozen=True, slots=True)
class Prepared:
    """A program as the compiler of a target takes it, and the flags for that compiler."""

    program: Program
    target: Target

    @property
    def flags(self) -> dict[str, str | int | bool]:
        """The flags for the target's compiler."""
        return dict(self.target.flags)

    def data(self) -> bytes:
        """The program for the target's compiler: a portable artifact of the target's version.

        Where the program holds ops that no artifact does (constants that IREE has in an archive),
        it is MLIR's generic text.
        """
        if self.program.context.allow_unregistered_dialects:
            return self.program.text(generic=True).encode()
        return self.program.serialize(self.target.version)


def prepare(
    source: Program | Module | Function,
    target: str | Target = "portable",
    *,
    archive: str | os.PathLike[str] | None = None,
) -> Prepared:
    """The program or graph as the production pipeline of a target leaves it.

    `archive` names the file for the constants that the target has in one. Raises PassError for what
    goes wrong in the pipeline, TargetError for an unknown target and for a missing archive.
    """
    from dxir.program import Program
    from dxir.targets.preparing import prepare_module

    found = find_target(target if isinstance(target, str) else target.name)
    program = _Source(source).program()
    module, told = prepare_module(
        program.module, found, None if archive is None else os.fspath(archive)
    )
    return Prepared(Program(module, diagnostics=(*program.diagnostics, *told)), found)


class _Source:
    """What `compile` was given, in both forms."""

    def __init__(self, given: object, options: CompileOptions | None = None) -> None:
        self.options = options or CompileOptions()
        self._program: Program | None = None
        self._given: Program | Module | Function
        if isinstance(given, Module | Function):
            self._given = given
        else:
            from dxir.program import Program

            if not isinstance(given, Program):
                kind = type(given).__name__
                raise ArgumentError(
                    f"compile takes a Program, a Module or a Function, not a {kind}",
                    where=caller_location(),
                    hint=_hint_for(given, kind),
                )
            self._given = given

    def program(self) -> Program:
        """The program, with a public `@main`."""
        if self._program is None:
            self._program = self._made()
        return self._program

    def _made(self) -> Program:
        from dxir.program import Program

        given = self._given
        if not isinstance(given, Module | Function):
            named = with_main(given.module)
            return given if named is given.module else Program(named)
        from dxir.lowering import lower_module

        module = given if isinstance(given, Module) else Module([given])
        return Program(lower_module(module, entry=self._entry()))

    def graph(self) -> Function | Module:
        """The graph."""
        given = self._given
        return given if isinstance(given, Module | Function) else given.raise_()

    def _entry(self) -> Function:
        given = self._given
        assert isinstance(given, Module | Function)
        return given if isinstance(given, Function) else entry_of(given)

    def result_types(self) -> tuple[TensorType, ...] | None:
        """The types of the results with the names of their dimensions, where they are known."""
        if not isinstance(self._given, Module | Function):
            return None
        return tuple(t for t in self._entry().result_types if isinstance(t, TensorType))

    def parameter_names(self) -> tuple[str | None, ...]:
        """The names of the parameters, as far as they are known."""
        if isinstance(self._given, Module | Function):
            return tuple(p.name for p in self._entry().params)
        return ()
