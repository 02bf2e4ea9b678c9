"""The comparison of two programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from dxir.costs import CostReport, cost_of
from dxir.diagnostics import where_of
from dxir.differences.aligning import align
from dxir.differences.attributes import attribute_changes
from dxir.differences.ops import Side, op_differences
from dxir.differences.pairing import MOST_LIKENED, Pairs, likened, paired
from dxir.differences.records import (
    Change,
    CostChange,
    Difference,
    FunctionDifference,
    FunctionKind,
    OpDifference,
    OpText,
)
from dxir.differences.sides import Numbers, Reading
from dxir.differences.signatures import parameter_pairs, signature_changes
from dxir.differences.spelling import spelling_of
from dxir.effects import callees_below
from dxir.fingerprint import fingerprint_of_parts
from dxir.mlir import IrOperation, ir
from dxir.quoting import references_in
from dxir.reading import attribute, function_name, functions, op_counts, ops_below

_NOT_TOLD = (
    "fingerprints differ, and no op does: ops that are equal are used another number of times, or "
    "functions that call each other have changed places"
)
_NOT_LIKENED = (
    f"more than {MOST_LIKENED} functions have no equal and no namesake: which of them are alike "
    "was not looked at"
)


class HasModule(Protocol):
    """A program: what holds an MLIR module."""

    @property
    def module(self) -> ir.Module:
        """The module."""
        ...


def difference(a: HasModule | ir.Module, b: HasModule | ir.Module) -> Difference:
    """What `b` does not share with `a`, and `a` not with `b`; false when both are the same program.

    The same are two that compute the same expressions, whatever names, locations and the order of
    functions and of independent ops are; that is `Program.fingerprint`. Functions belong together
    when they are equal, by whatever name, then by name, then when most of their ops are alike; of
    those that are not equal, the ops that only one has, or that are others, are told.
    """
    first, second = _module(a), _module(b)
    programs = _Program.of(first), _Program.of(second)
    if programs[0].fingerprint == programs[1].fingerprint:
        pairs = paired(programs[0].digests, programs[1].digests)
        return Difference(same=True, spelling=spelling_of(first, second, pairs, same=True))
    return _Comparison(*programs).difference()


def _module(program: HasModule | ir.Module) -> ir.Module:
    return program if isinstance(program, ir.Module) else program.module


@dataclass(slots=True)
class _Program:
    """What is compared of a program."""

    module: ir.Module
    functions: dict[str, IrOperation] = field(default_factory=dict)
    meshes: dict[str, str] = field(default_factory=dict)
    digests: Mapping[str, bytes] = field(default_factory=dict)
    fingerprint: str = ""
    others: list[IrOperation] = field(default_factory=list)

    @classmethod
    def of(cls, module: ir.Module) -> _Program:
        found = cls(module, {function_name(f): f for f in functions(module)})
        for view in module.body.operations:
            op = view.operation
            if op.name == "sdy.mesh":
                found.meshes[function_name(op)] = str(attribute(op, "mesh"))
            elif op.name != "func.func":
                found.others.append(op)
        found.fingerprint, found.digests = fingerprint_of_parts(module)
        return found


class _Comparison:
    """Two programs that are not the same."""

    def __init__(self, a: _Program, b: _Program) -> None:
        self._a, self._b = a, b
        self._numbers = Numbers()
        pairs = paired(a.digests, b.digests)
        self._functions: Pairs = pairs + likened(a.functions, b.functions, pairs)
        encoded = [{n: t.encode() for n, t in side.meshes.items()} for side in (a, b)]
        self._meshes: Pairs = paired(*encoded)
        self._names = dict([*self._functions, *self._meshes])
        self._readings = [
            Reading(side.module, self._symbols(side, at), self._numbers)
            for at, side in enumerate((a, b))
        ]
        self._states = [ir.AsmState(side.module.operation) for side in (a, b)]

    def _symbols(self, side: _Program, at: int) -> dict[str, bytes]:
        """What stands for the functions and meshes of a side: the number of their pair."""
        found = {name: f"only {at} {name}".encode() for name in (*side.functions, *side.meshes)}
        for what, pairs in (("function", self._functions), ("mesh", self._meshes)):
            found |= {pair[at]: f"{what} {n}".encode() for n, pair in enumerate(pairs)}
        return found

    def difference(self) -> Difference:
        """All of it."""
        a, b = self._a, self._b
        compared = [self._function(x, y) for x, y in self._in_order()]
        counts = op_counts(a.module), op_counts(b.module)
        attributes = attribute_changes(
            a.module.operation, b.module.operation, self._says_same, ("sym_name",)
        )
        found = Difference(
            same=False,
            spelling=spelling_of(a.module, b.module, self._functions, same=False),
            functions=tuple([each for each in compared if each is not None]),
            attributes=tuple(attributes),
            meshes=self._mesh_changes(),
            ops=self._other_ops(),
            op_counts=tuple(
                (name, counts[0].get(name, 0), counts[1].get(name, 0))
                for name in sorted({*counts[0], *counts[1]})
                if counts[0].get(name) != counts[1].get(name)
            ),
            costs=_costs(cost_of(a.module), cost_of(b.module)),
        )
        if not (found.functions or found.attributes or found.meshes or found.ops):
            return replace(found, notes=(_NOT_TOLD,))
        left = len(a.functions) - len(self._functions), len(b.functions) - len(self._functions)
        return (
            replace(found, notes=(_NOT_LIKENED,))
            if min(left) and max(left) > MOST_LIKENED
            else found
        )

    def _in_order(self) -> list[tuple[str | None, str | None]]:
        """All functions: those of the second program in order, then those that are gone."""
        before = {y: x for x, y in self._functions}
        gone = [name for name in self._a.functions if name not in self._names]
        return [*((before.get(y), y) for y in self._b.functions), *((x, None) for x in gone)]

    def _function(self, x: str | None, y: str | None) -> FunctionDifference | None:
        """What differs of a function; None where nothing does."""
        a, b = self._a, self._b
        if x is None or y is None:
            name, side = (y, b) if x is None else (x, a)
            assert name is not None
            count = _count(side.functions[name])
            if x is None:
                return FunctionDifference("added", None, y, 0, count)
            return FunctionDifference("removed", x, None, count, 0)
        if a.digests[x] == b.digests[y]:
            public = signature_changes(a.functions[x], b.functions[y], self._says_same)
            if not public:
                if x == y:
                    return None
                count = _count(a.functions[x])
                return FunctionDifference("renamed", x, y, count, count)
        return self._changed(x, y)

    def _changed(self, x: str, y: str) -> FunctionDifference | None:
        first, second = self._a.functions[x], self._b.functions[y]
        pairs = parameter_pairs(first, second)
        tokens = {j: i for i, j in pairs.items()}
        lines_a = self._readings[0].lines(first, {})
        new = _arity(
            first
        )  # what stands for a parameter that only the second has is no number of one
        lines_b = self._readings[1].lines(
            second, {j: tokens.get(j, new + j) for j in range(_arity(second))}
        )
        changes = signature_changes(first, second, self._says_same)
        sides = Side(lines_a, self._states[0]), Side(lines_b, self._states[1])
        ops = op_differences(*sides, pairs, self._numbers, self._says_same)
        kind: FunctionKind = "changed"
        if not (ops or changes):
            if not self._calls_others(x):
                return None
            kind = "calls"
        counts = len(lines_a.lines), len(lines_b.lines)
        return FunctionDifference(kind, x, y, *counts, tuple(changes), ops)

    def _calls_others(self, x: str) -> bool:
        """Whether a function of the first program calls one that is another in the second."""
        a, b = self._a.digests, self._b.digests
        names = callees_below(self._a.functions[x])
        return any(a.get(name) != b.get(self._names.get(name, "")) for name in names)

    def _says_same(self, a: str, b: str) -> bool:
        """Whether an attribute of the second program says what one of the first says.

        Names of functions and meshes that belong together are the same.
        """
        return "@" in a and _pieces(a, self._names) == _pieces(b, None)

    def _mesh_changes(self) -> tuple[Change, ...]:
        a, b = self._a.meshes, self._b.meshes
        found: list[Change] = []
        for x, y in self._meshes:
            if a[x] != b[y]:
                found.append(Change(f"mesh @{y}", a[x], b[y]))
            elif x != y:
                found.append(Change("mesh", f"@{x}", f"@{y}"))
        right = {y for _, y in self._meshes}
        found += [Change("mesh", f"@{x} {a[x]}", None) for x in a if x not in self._names]
        found += [Change("mesh", None, f"@{y} {b[y]}") for y in b if y not in right]
        return tuple(found)

    def _other_ops(self) -> tuple[OpDifference, ...]:
        """The ops that stand beside functions on one side only."""
        digests = [
            [(reading.digest(op), op) for op in side.others]
            for reading, side in zip(self._readings, (self._a, self._b), strict=True)
        ]
        pairs = dict(align(*[[[digest for digest, _ in side]] for side in digests]))
        taken = set(pairs.values())
        gone = [op for i, (_, op) in enumerate(digests[0]) if i not in pairs]
        new = [op for j, (_, op) in enumerate(digests[1]) if j not in taken]
        return (
            *(OpDifference("removed", _told(op), None) for op in gone),
            *(OpDifference("added", None, _told(op)) for op in new),
        )


def _told(op: IrOperation) -> OpText:
    name = function_name(op)
    return OpText(op.name, op.name if name == "?" else f"{op.name} @{name}", where_of(op.location))


def _pieces(text: str, names: Mapping[str, str] | None) -> list[str]:
    """A text in pieces, between them the names that it mentions, or what stands for these."""
    found: list[str] = []
    end = 0
    for start, stop, name in references_in(text):
        found += [text[end:start], name if names is None else names.get(name, "")]
        end = stop
    return [*found, text[end:]]


def _arity(function: IrOperation) -> int:
    blocks = function.regions[0].blocks
    return len(blocks[0].arguments) if len(blocks) else 0


def _count(function: IrOperation) -> int:
    """How many ops a function has, those in regions too."""
    return len(ops_below(function))


def _costs(a: CostReport, b: CostReport) -> tuple[CostChange, ...]:
    x, y = a.total, b.total
    return (
        CostChange("operations", "", x.flops, y.flops),
        CostChange("transcendental", "", x.transcendentals, y.transcendentals),
        CostChange("read and written", "bytes", x.bytes, y.bytes),
        CostChange("sent", "bytes", x.sent, y.sent),
        CostChange("parameters", "bytes", a.memory.parameters, b.memory.parameters),
        CostChange("constants", "bytes", a.memory.constants, b.memory.constants),
        CostChange("peak memory", "bytes", a.memory.peak, b.memory.peak),
    )
