"""Several backends held against each other."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from dxir.editing import with_main
from dxir.errors import ArgumentError, DxirError
from dxir.evaluation import Array, Evaluator
from dxir.graph import Function, Module
from dxir.mesh_layout import Slices
from dxir.program import Program
from dxir.reading import function_name, functions
from dxir.runtime.backends import INTERPRETER, refuse_unknown, runner
from dxir.runtime.comparing import Difference
from dxir.runtime.oracle.bisecting import Search, arrays_for
from dxir.runtime.oracle.divergence import Divergence
from dxir.runtime.oracle.faults import fault
from dxir.runtime.oracle.partitioning import faults_met
from dxir.runtime.oracle.policy import EQUAL, OFF, Expectation, Policy
from dxir.runtime.per_device import COPIES_DIFFER
from dxir.runtime.unpartitioned import devices_of
from dxir.runtime.variants import PARTITIONED, base_of, parts_of_results
from dxir.symbols import entry_of
from dxir.targets.options import CompileOptions, Containment
from dxir.wording import table_lines

REFERENCE = "reference"
STORED = "stored"
"""What the judge is called where its results were given."""

FAULT, REFUSED = "fault", "refused"

Outcome = tuple[Any, ...] | DxirError
"""What a backend gives for a program, or the error that it ends in."""


@dataclass(frozen=True, slots=True)
class Row:
    """What is said of one result of one backend; see the package for the verdicts.

    `devices` are those that hold what is off, where the program is partitioned and others have none
    of it.
    """

    backend: str
    result: int | None
    verdict: str
    elements: int = 0
    off: int = 0
    max_abs: float = 0.0
    max_ulp: int | None = None
    examples: tuple[Difference, ...] = ()
    faults: tuple[str, ...] = ()
    error: DxirError | None = None
    note: str | None = None
    devices: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of comparing: a row for each result of each backend but the judge."""

    judge: str | None
    rows: tuple[Row, ...]
    divergences: tuple[Divergence, ...] = ()

    @property
    def faults(self) -> tuple[str, ...]:
        """The ids of the known faults that were met."""
        return tuple(dict.fromkeys(id for row in self.rows for id in row.faults))

    @property
    def agrees(self) -> bool:
        """Whether every backend ran, and every result is accepted."""
        return not any(row.verdict in (OFF, FAULT, REFUSED) for row in self.rows)

    @property
    def explained(self) -> bool:
        """Whether all that is not accepted comes of known faults."""
        return not any(row.verdict in (OFF, REFUSED) for row in self.rows)

    @property
    def exit_code(self) -> int:
        """What a command ends with: 4 off, 5 known faults only, 6 refused, 0 all agree."""
        verdicts = {row.verdict for row in self.rows}
        for verdict, code in ((OFF, 4), (FAULT, 5), (REFUSED, 6)):
            if verdict in verdicts:
                return code
        return 0

    def __str__(self) -> str:
        heads = ("backend", "result", "verdict", "off", "max abs", "max ulp", "")
        lines = [f"judged by {self.judge}" if self.judge else "no backend runs the program"]
        lines += table_lines([heads, *map(_cells, self.rows)])
        for row in self.rows:
            if row.error is not None:
                how = "refused the program" if row.verdict == REFUSED else "is off"
                lines += ["", f"{row.backend} {how}: {row.error}"]
        for divergence in self.divergences:
            lines += ["", str(divergence)]
        lines += ["", *map(str, map(fault, self.faults))] if self.faults else []
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """What there is to say, as JSON takes it."""
        return {
            "judge": self.judge,
            "agrees": self.agrees,
            "explained": self.explained,
            "rows": [_json_row(row) for row in self.rows],
            "divergences": [d.to_json() for d in self.divergences],
            "faults": [
                {"id": f.id, "text": f.text, "hint": f.hint} for f in map(fault, self.faults)
            ],
        }


def _cells(row: Row) -> tuple[str, ...]:
    if row.result is None:
        return (row.backend, "", row.verdict, "", "", "", "")
    ulp = "" if row.max_ulp is None else "far" if row.max_ulp >= 1 << 63 else str(row.max_ulp)
    off = f"{row.off} of {row.elements}" if row.off else ""
    shown = row.max_abs if row.max_abs else 0
    example = ""
    if row.examples and row.verdict in (OFF, FAULT):
        first = row.examples[0]
        at = f"[{', '.join(map(str, first.index))}]: " if first.index else ""
        example = f"{at}{first.actual} instead of {first.expected}"
    devices = f"on devices {', '.join(map(str, row.devices))} only" if row.devices else None
    notes = "; ".join(filter(None, (example, devices, row.note)))
    return (row.backend, str(row.result), row.verdict, off, f"{shown:.3g}", ulp, notes)


def _json_row(row: Row) -> dict[str, Any]:
    found = {
        name: getattr(row, name)
        for name in ("backend", "result", "verdict", "elements", "off", "max_ulp", "note")
    }
    return {
        **found,
        "max_abs": row.max_abs if np.isfinite(row.max_abs) else str(row.max_abs),
        "examples": [asdict(example) for example in row.examples],
        "devices": list(row.devices),
        "faults": list(row.faults),
        "error": None if row.error is None else str(row.error),
    }


def compare(
    program: Program | Module | Function,
    arguments: Sequence[Any],
    backends: Sequence[str] = ("xla-cpu", REFERENCE),
    *,
    expected: Sequence[Array] | None = None,
    policy: Policy | None = None,
    options: CompileOptions | None = None,
    entry: str = "main",
    bisect: bool = True,
    contained: bool | Containment = True,
) -> Comparison:
    """Run a program on several backends and hold what they give against each other.

    The judge is `reference` where it is among them and runs the program, otherwise the last that
    does; or it is `expected`, these results, and then one backend is enough. With `contained` each
    compiled backend runs in a process of its own, so that a crash is a row; `bisect` looks for the
    op where a result that is off begins to be. Raises a DxirError for what keeps all of it from
    being compared: an unknown backend, fewer than two, arguments that are not the program's.
    """
    names = tuple(dict.fromkeys(backends))
    if len(names) < (2 if expected is None else 1):
        raise ArgumentError(
            "a comparison takes two backends or more", hint='compare(..., ("xla-cpu", "reference"))'
        )
    for name in names:
        refuse_unknown(name)
    source = _program(program, entry)
    made = _Comparing(source, arguments, policy or Policy(), options, contained=contained)
    given = {name: made.outcome(name) for name in names}
    ran = {name: found for name, found in given.items() if not isinstance(found, DxirError)}
    judge = REFERENCE if REFERENCE in ran else next(reversed(ran), None)
    expectation = None if judge is None else made.expectation(ran[judge])
    if expected is not None:
        judge, expectation = STORED, made.expectation(expected, stored=True)
    rows: list[Row] = []
    divergences: list[Divergence] = []
    for name in names:
        if name == judge:
            continue
        found = _rows(name, given[name], expectation, made.parts(name))
        if bisect and any(row.verdict == OFF for row in found):
            found, where = made.explained(name, found)
            divergences += where
        rows += found
    return Comparison(judge, tuple(rows), tuple(divergences))


def _program(program: Program | Module | Function, entry: str) -> Program:
    if not isinstance(program, Program):
        from dxir.lowering import lower_module

        module = program if isinstance(program, Module) else Module([program])
        function = program if isinstance(program, Function) else entry_of(module)
        return Program(lower_module(module, entry=function))
    if entry == "main":
        return Program(with_main(program.module))
    known = [function_name(f) for f in functions(program.module)]
    if entry not in known:
        raise ArgumentError(
            f"there is no function @{entry}",
            hint=f"the program has {', '.join('@' + name for name in known)}",
        )
    from dxir.runtime.interpreter.preparing import make_main

    copy = program.clone()
    make_main(copy.module, next(f for f in functions(copy.module) if function_name(f) == entry))
    return copy


Parts = Callable[[int], Mapping[int, Slices]]
"""What each device has of the result of that number."""


def _rows(backend: str, given: Outcome, expectation: Expectation | None, parts: Parts) -> list[Row]:
    """A row for each result, or the one that says that there are none."""
    if isinstance(given, DxirError):
        verdict = OFF if given.code == COPIES_DIFFER else REFUSED
        return [Row(backend, None, verdict, error=given)]
    assert expectation is not None
    if not given:
        return [Row(backend, None, EQUAL)]
    rows: list[Row] = []
    for index, array in enumerate(given):
        said = expectation.judged(index, array)
        rows.append(
            Row(
                backend,
                index,
                said.verdict,
                said.elements,
                said.off,
                said.max_abs,
                said.max_ulp,
                said.examples,
                note=said.note,
                devices=_devices(said.where, parts(index)) if said.off else (),
            )
        )
    return rows


def _devices(where: Array | None, parts: Mapping[int, Slices]) -> tuple[int, ...]:
    """The devices that hold what is off; none where all do, or where that is not known."""
    if where is None:
        return ()
    found = tuple(sorted(id for id, part in parts.items() if where[part].any()))
    return found if len(found) < len(parts) else ()


class _Comparing:
    """One program and its arguments, on one backend after the other."""

    def __init__(
        self,
        program: Program,
        arguments: Sequence[Any],
        policy: Policy,
        options: CompileOptions | None,
        *,
        contained: bool | Containment,
    ) -> None:
        self.program = program
        self.graph: Function | None
        try:
            self.graph = entry_of(program.raise_())
        except DxirError as error:
            self.graph, self.ungraphed = None, error
        self.arguments = (
            list(arguments) if self.graph is None else arrays_for(self.graph, arguments)
        )
        self.policy = policy
        self.options = options
        self.contained = contained

    def outcome(self, backend: str) -> Outcome:
        """What a backend gives, or why it does not."""
        own = backend != REFERENCE and self.contained
        try:
            run = runner(self.program, backend, self.options, contained=own)
            return tuple(np.asarray(a) for a in run(self.arguments))
        except ArgumentError:
            raise
        except DxirError as error:
            return error

    def parts(self, backend: str) -> Parts:
        """What each device has of a result of a backend; nothing where there is one device."""

        def parts(index: int) -> Mapping[int, Slices]:
            if not self._on_several(backend):
                return {}
            try:
                return self._parts[index]
            except DxirError:
                return {}

        return parts

    def _on_several(self, backend: str) -> bool:
        devices = None if self.options is None else self.options.devices
        own = base_of(backend) == backend and backend not in (REFERENCE, INTERPRETER)
        return backend == PARTITIONED or (own and devices not in (None, 1))

    @cached_property
    def _parts(self) -> list[dict[int, Slices]]:
        if devices_of(self.program.module) is None:
            raise ArgumentError("nothing is sharded")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return parts_of_results(self.program)

    def expectation(self, results: Sequence[Any], *, stored: bool = False) -> Expectation:
        """What is accepted where the judge gives these results, or where they were stored."""
        function = self.graph
        if function is None:
            return Expectation(results, None, self.policy)

        def again(evaluator: Evaluator) -> tuple[Any, ...]:
            found = evaluator.call(function, [np.asarray(a) for a in self.arguments])
            return tuple(found)

        return Expectation(results, again, self.policy, stored=stored)

    def explained(self, backend: str, rows: list[Row]) -> tuple[list[Row], list[Divergence]]:
        """The rows with known faults named, and the ops where the differences begin."""
        met: frozenset[str] = frozenset()
        if backend != PARTITIONED and self._on_several(backend):
            met = faults_met(self.program)
        search = Search(backend, self.policy, self.options, contained=self.contained, met=met)
        try:
            if self.graph is None:
                raise self.ungraphed
            found = search.all_of(self.graph, self.arguments)
            ids = tuple(dict.fromkeys(id for d in found for id in d.faults))
            if not found or not all(d.faults for d in found):
                ids = search.suspects(self.graph, self.arguments)
        except DxirError as error:
            told = f"the op cannot be found: {error.message}"
            return [replace(r, note=r.note or told) if r.verdict == OFF else r for r in rows], []
        if not ids:
            first = next((d for d in found if not d.faults), None)
            return rows, [first] if first is not None else []
        return [
            replace(row, verdict=FAULT, faults=ids) if row.verdict == OFF else row for row in rows
        ], found[:1]
