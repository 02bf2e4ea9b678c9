"""From a graph or program to something that runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dxir.errors import ArgumentError
from dxir.graph import Function, Module
from dxir.locations import caller_location
from dxir.symbols import entry_of
from dxir.targets import Source, Target, find_target, register_target

if TYPE_CHECKING:
    from dxir.program import Program
    from dxir.runtime.executable import Executable


def compile(source: Program | Module | Function, target: str | Target = "xla-cpu") -> Executable:
    """Compile a program or graph for a target.

    The entry is `main`, or the only public function. The result is called with one
    array for each parameter, positionally; see `dxir.runtime.executable.Executable`. Raises
    TargetError for an unknown target (naming the nearest) and for a program that the target cannot
    run, VerificationError and LoweringError for one that is wrong, RuntimeFailure when the
    target's compiler fails.
    """
    found = target if isinstance(target, Target) else find_target(target)
    return found.compile(_Source(source))


class _Source:
    """What `compile` was given, in both forms."""

    def __init__(self, given: object) -> None:
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
                    hint="finish it first: b.build(result) gives the function"
                    if kind == "Builder"
                    else "dxir.load reads text, bytecode and artifacts into a Program",
                )
            self._given = given

    def program(self) -> Program:
        """The program, with a public `@main`."""
        given = self._given
        if not isinstance(given, Module | Function):
            return _with_main(given)
        from dxir.lowering import lower_module
        from dxir.program import Program

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

    def parameter_names(self) -> tuple[str | None, ...]:
        """The names of the parameters, as far as they are known."""
        if isinstance(self._given, Module | Function):
            return tuple(p.name for p in self._entry().params)
        return ()


def _with_main(program: Program) -> Program:
    """The program, or one whose only public function is called `main` instead."""
    from dxir.program import Program
    from dxir.reading import renamed

    names = program.function_names
    public = program.public_names
    if "main" in names or len(public) != 1:
        return program  # as it should be, or as targets refuse it
    return Program(renamed(program.clone().module, public[0], "main"))


def _xla_cpu(source: Source) -> Executable:
    from dxir.runtime.cpu import compile_program

    return compile_program(source.program(), source.parameter_names())


def _reference(source: Source) -> Executable:
    from dxir.runtime.reference import ReferenceExecutable

    return ReferenceExecutable(source.graph())


register_target(Target("xla-cpu", "XLA on the processors of this machine, through PJRT", _xla_cpu))
register_target(
    Target("reference", "each op's NumPy reference: slow, exact in meaning", _reference)
)
