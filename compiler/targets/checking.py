"""Asking a target about a program: its pipeline is run on a copy, and what is left looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from dxir.artifact import serialize
from dxir.decoding import Decoder
from dxir.diagnostics import Diagnostic, where_of
from dxir.editing import with_main
from dxir.errors import DxirError, RaisingError
from dxir.mlir import ir
from dxir.pipeline.checked import run_checked
from dxir.pipeline.steps import resolve
from dxir.reading import attribute, ops_below
from dxir.structure import preflight
from dxir.targets import report as codes
from dxir.targets.acceptance import COMPOSITE, Problem, problems
from dxir.targets.kernels import CompositeUse
from dxir.targets.policies import EXTERNALIZE
from dxir.targets.record import Fate, Target
from dxir.targets.report import Report
from dxir.weights import large_constants
from dxir.wording import size_text

if TYPE_CHECKING:
    from dxir.program import Program

_DECOMPOSE = "dxir-decompose"
_MORE_PLACES = 3
_T = TypeVar("_T")


def check(program: Program, target: Target, *, archive: str | None = None) -> Report:
    """What a target will not take of a program, and what its pipeline does about the rest.

    `archive` is where large constants are to go; nothing is written there. What is wrong with the
    program, and what goes wrong in the pipeline, is told in the report.
    """
    checking = _Checking(target, archive)
    try:
        checking.run(program.verify().module)
    except DxirError as error:
        checking.add(Diagnostic.of_error(error))
    found = sorted(checking.found, key=lambda d: _ORDER.get(d.severity, len(_ORDER)))
    return Report(target.name, tuple(found), target.compile is not None, target.needs)


_ORDER = {"error": 0, "warning": 1, "remark": 2}


class _Checking:
    def __init__(self, target: Target, archive: str | None) -> None:
        self.target, self.archive = target, archive
        self.found: list[Diagnostic] = []
        self._said: set[tuple[str, str | None]] = set()

    def add(self, diagnostic: Diagnostic) -> None:
        """Take a diagnostic, unless its message was told of the same place already."""
        said = (diagnostic.message, diagnostic.where)
        if said not in self._said:
            self._said.add(said)
            self.found.append(diagnostic)

    def run(self, module: ir.Module) -> None:
        """Look at a verified module; raises what its pipeline does."""
        module = with_main(module)
        if self.target.accepts.whole:
            preflight(module)
        before = self.problems(module)
        for step in resolve(self.target.pipeline, module.context):
            if step.name == _DECOMPOSE:
                self.composites(module)
            module, told = run_checked(module, str(step))
            for diagnostic in told:
                self.add(diagnostic)
            after = self.problems(module)
            left = {p.subject for p in after}
            self.handled(step.name, [p for p in before if p.subject not in left])
            before = after
        for problem, others in _grouped(before, lambda p: (p.subject, p.doubtful)):
            self.add(_told(problem, others))
        self.constants(module)
        self.whole(module)

    def problems(self, module: ir.Module) -> list[Problem]:
        """What the target does not take of a module as it is."""
        return problems(module, self.target.name, self.target.accepts, self.target.call_refusal)

    def handled(self, step: str, gone: Sequence[Problem]) -> None:
        """Tell what a pass has made something that the target takes."""
        for problem, others in _grouped(gone, lambda p: p.subject):
            message = f"{problem.subject}: handled by {step}"
            self.add(
                Diagnostic(
                    "remark",
                    message + _times(others),
                    problem.where,
                    op=problem.op,
                    code=codes.HANDLED,
                    pass_name=step,
                    numbers={"count": 1 + len(others)},
                )
            )

    def composites(self, module: ir.Module) -> None:
        """Tell what becomes of each composite."""
        decoder = Decoder(module.context, dict)
        fates: list[tuple[CompositeUse, Fate]] = []
        for op in ops_below(module.operation, (COMPOSITE,)):
            try:
                use = CompositeUse.of(op, decoder)
            except RaisingError:
                name = attribute(op, "name")
                label = name.value if isinstance(name, ir.StringAttr) else ""
                use = CompositeUse(label, (), (), where=where_of(op.location))
            fates.append((use, self.target.fate(use)))
        for (use, fate), others in _grouped(fates, lambda found: (found[0].name, found[1])):
            message, code = f"composite {use.name}: {fate.kind}", _CODES[fate.kind]
            if fate.kernel is not None:
                message = f"composite {use.name}: calls the kernel @{fate.kernel.call_target}"
            self.add(
                Diagnostic(
                    "remark",
                    message + _times(others),
                    use.where,
                    op=COMPOSITE,
                    code=code,
                    pass_name=_DECOMPOSE,
                    numbers={"count": 1 + len(others)},
                )
            )

    def constants(self, module: ir.Module) -> None:
        """Tell which constants go to an archive."""
        least = self.target.constants.min_bytes
        if least is None:
            return
        for op, type in large_constants(module.operation, least):
            size = -(-type.size * type.primitive.bits // 8)
            to = self.archive or "an archive, which must be named"
            self.add(
                Diagnostic(
                    "remark",
                    f"constant of type {type}, {size_text(size)}: moved to {to}",
                    where_of(op.location),
                    op=op.name,
                    code=codes.EXTERNALIZED,
                    pass_name=EXTERNALIZE,
                    numbers={"count": 1, "bytes": size},
                )
            )

    def whole(self, module: ir.Module) -> None:
        """Tell what is wrong with a module as a whole."""
        if self.target.examine is not None:
            told = {d.where for d in self.found if d.severity == "error" and d.where is not None}
            try:
                self.target.examine(module)
            except DxirError as error:
                if error.where not in told:
                    self.add(Diagnostic.of_error(error))
        if not any(d.severity == "error" for d in self.found):
            serialize(module, self.target.version)


_CODES = {"kept": codes.KEPT, "kernel": codes.KERNEL, "inlined": codes.INLINED}


def _grouped(items: Iterable[_T], key: Callable[[_T], object]) -> list[tuple[_T, list[_T]]]:
    """The first item of each kind, with the others of its kind."""
    kinds: list[tuple[object, list[_T]]] = []
    for item in items:
        mine = key(item)
        same = next((group for kind, group in kinds if kind == mine), None)
        if same is None:
            kinds.append((mine, [item]))
        else:
            same.append(item)
    return [(group[0], group[1:]) for _, group in kinds]


def _told(problem: Problem, others: Sequence[Problem]) -> Diagnostic:
    """The diagnostic of what is left once the pipeline has run."""
    places = [p.where for p in others if p.where is not None and p.where != problem.where]
    notes = [Diagnostic("note", problem.hint)] if problem.hint else []
    notes += [Diagnostic("note", "here, too", place) for place in places[:_MORE_PLACES]]
    return Diagnostic(
        "warning" if problem.doubtful else "error",
        problem.message + _times(others),
        problem.where,
        tuple(notes),
        problem.op,
        codes.DOUBTFUL if problem.doubtful else codes.REFUSED,
        numbers={"count": 1 + len(others)},
    )


def _times(others: Sequence[object]) -> str:
    return f" ({1 + len(others)} times)" if others else ""
