"""From a graph or program to something that runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dxir.errors import ArgumentError, GraphError
from dxir.graph import Function, Module
from dxir.targets import Source, Target, find_target, register_target

if TYPE_CHECKING:
    from dxir.program import Program
    from dxir.runtime.executable import Executable


def compile(source: Program | Module | Function, target: str | Target = "xla-cpu") -> Executable:
    """Compile a program or graph for a target.

    The entry is `main`, or the only public function of a graph. The result is called with one
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
                    hint="dxir.load reads text, bytecode and artifacts into a Program",
                )
            self._given = given

    def program(self) -> Program:
        """The program, with a public `@main`."""
        given = self._given
        if not isinstance(given, Module | Function):
            return given
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
        if isinstance(given, Function):
            return given
        assert isinstance(given, Module)
        public = [f for f in given.functions if f.public]
        for function in given.functions:
            if function.name == "main" or public == [function]:
                return function
        raise GraphError(
            "the module has no function `main` and not exactly one public function",
            hint="compile one of its functions: dxir.compile(module['name'])",
        )

    def parameter_names(self) -> tuple[str | None, ...]:
        """The names of the parameters, as far as they are known."""
        if isinstance(self._given, Module | Function):
            return tuple(p.name for p in self._entry().params)
        return ()


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
