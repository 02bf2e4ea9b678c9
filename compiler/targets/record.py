"""A target: what a place that programs go to takes, wants and has, as one record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from dxir.errors import TargetError
from dxir.pipeline.base import Pass
from dxir.targets.acceptance import Accepts, Refusal
from dxir.targets.kernels import (
    CompositeUse,
    KernelDescriptor,
    kernel_called,
    kernels_for,
    near_call_targets,
)
from dxir.targets.policies import INLINE, KEEP_NOTHING, Constants, Granularity

if TYPE_CHECKING:
    from dxir.graph import Function, Module
    from dxir.mlir import ir
    from dxir.program import Program
    from dxir.runtime.executable import Executable
    from dxir.targets.options import CompileOptions
    from dxir.targets.report import Report

Part = str | Pass | type[Pass]
"""A part of a pipeline: text, or a pass."""


class Source(Protocol):
    """What is to be compiled, as a program or as a graph; each is made when it is asked for."""

    @property
    def options(self) -> CompileOptions:
        """How it is to be compiled."""
        ...

    def program(self) -> Program:
        """The program, with a public `@main`."""
        ...

    def graph(self) -> Function | Module:
        """The graph."""
        ...

    def parameter_names(self) -> tuple[str | None, ...]:
        """The names of the parameters, as far as they are known; may be shorter than they are."""
        ...


# What a target does not take as a whole may have parts that it keeps, or has kernels for: the
# softmax of an attention. Two levels are what the patterns have in them.
_INSIDE = ("dxir-recognize{nested=true}", "dxir-coarsen") * 2


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of a use of a composite on a target; `why` says why no kernel took it."""

    kind: Literal["kept", "kernel", "inlined"]
    kernel: KernelDescriptor | None = None
    why: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """A place that programs are compiled for and run on.

    `compile` refuses what the target cannot run with a TargetError, before anything is run; a
    target without it is described only, and `needs` says what compiling takes. `accepts` is what it
    takes, in StableHLO of `version`; `granularity` which composites it takes as they are;
    `constants` where it has large ones. `kernels` are registered with it. Its pipeline has
    `graph_passes` while composites stand for what they mean, `program_passes` once they are
    expanded; `flags` are for its own compiler. `examine` raises a DxirError for what it does not
    take of a whole module, and `has_call` says whether a custom call of that name is to be had.
    `available` says whether what compiling needs, apart from dxir, is installed.
    """

    name: str
    summary: str
    compile: Callable[[Source], Executable] | None = None
    _: KW_ONLY
    needs: str = ""
    accepts: Accepts = field(default_factory=Accepts)
    version: str = "current"
    granularity: Granularity = KEEP_NOTHING
    constants: Constants = INLINE
    kernels: tuple[KernelDescriptor, ...] = ()
    graph_passes: Sequence[Part] = ()
    program_passes: Sequence[Part] = ()
    flags: Mapping[str, str | int | bool] = field(default_factory=dict[str, str | int | bool])
    examine: Callable[[ir.Module], None] | None = None
    has_call: Callable[[str], bool] | None = None
    available: Callable[[], bool] | None = None

    @property
    def compiles_here(self) -> bool:
        """Whether what compiling takes is there."""
        return self.compile is not None and (self.available is None or self.available())

    @property
    def production(self) -> tuple[str, ...]:
        """The production pipeline, part after part."""
        return (
            "dxir-recognize",
            "dxir-coarsen",
            *_INSIDE,
            *map(_text, self.graph_passes),
            f"dxir-decompose{{target={self.name}}}",
            *map(_text, self.program_passes),
        )

    @property
    def pipeline(self) -> str:
        """The production pipeline, as `run_passes` and `dxir-opt` take it."""
        return ",".join(self.production)

    def fate(self, use: CompositeUse) -> Fate:
        """What becomes of a use of a composite: kept, called as a kernel, or inlined."""
        why: list[str] = []
        for kernel in kernels_for(self.name, use.name):
            refusal = kernel.refusal(use)
            if refusal is None:
                return Fate("kernel", kernel)
            why.append(f"@{kernel.call_target}: {refusal}")
        kept = self.granularity.keeps(use)
        return Fate("kept" if kept else "inlined", None, tuple(why))

    def call_refusal(self, name: str) -> Refusal | None:
        """What is wrong with a custom call of that name; None when the target has it."""
        if self.accepts.knows_call(name):
            return None
        if self.has_call is not None and self.has_call(name):
            return None
        if kernel_called(self.name, name) is not None:
            if self.has_call is None:
                return None
            return Refusal(
                "the kernel is described, but what it calls is not registered here",
                "register its implementation before",
            )
        other = self.accepts.other_calls
        near = near_call_targets(self.name, name)
        if other is None or not near:
            return other
        return Refusal(other.why, f"did you mean @{' or @'.join(near)}?", other.doubtful)

    def check(self, program: Program, *, archive: str | None = None) -> Report:
        """What the target will not take of a program, and what its pipeline does about the rest.

        The program stays as it is. `archive` is where large constants are to go.
        """
        from dxir.targets.checking import check

        return check(program, self, archive=archive)

    def executable(self, source: Source) -> Executable:
        """The compiled program; TargetError when the target is described only."""
        if self.compile is None or not self.compiles_here:
            why = f": it needs {self.needs}" if self.needs else ""
            raise TargetError(
                f"{self.name} cannot compile here{why}",
                hint=f"dxir.prepare(program, {self.name!r}) gives what its compiler takes",
            )
        return self.compile(source)


def _text(part: Part) -> str:
    return part.name if isinstance(part, type) else str(part)
