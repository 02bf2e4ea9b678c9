"""What a target takes: dialects, ops, element types, and limits on single ops.

A limit is a function of an op that gives a Refusal, or None when nothing is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any, cast

from dxir.call_graph import reached
from dxir.diagnostics import where_of
from dxir.effects import callees
from dxir.errors import DxirError, TargetError
from dxir.mlir import IrOperation, IrType, decode_type, ir
from dxir.reading import function_name, functions, is_dynamic, is_public, target_of, walk
from dxir.types import DType, QuantizedType, TensorType, TupleType, Type

COMPOSITE = "stablehlo.composite"
UNKNOWN_SIZE = "a value of unknown size"
QUANTIZED = "quantized"
"""The name under which a target speaks of all quantized element types."""

STABLEHLO = frozenset(("builtin", "func", "stablehlo"))
"""The dialects of a program without CHLO, Shardy or others."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a target does not take something (or, `doubtful`, hardly as meant), and what to do.

    `on_one_device` says that it does when the program is compiled for several devices.
    """

    why: str
    hint: str | None = None
    doubtful: bool = False
    on_one_device: bool = False

    def error(self, target: str, op: IrOperation) -> TargetError:
        """The error for an op that the target of that name does not take for this reason."""
        return TargetError(self.message(target, op), where=where_of(op.location), hint=self.hint)

    def message(self, target: str, op: IrOperation) -> str:
        """What is told of an op that the target of that name does not take."""
        if self.doubtful:
            return f"{target} takes {op.name}, but {self.why}"
        return f"{target} cannot run {op.name}: {self.why}"


Limit = Callable[[IrOperation], Refusal | None]


def _is_structure(name: str, dialect: str) -> bool:
    """Whether an op is there for others: a module, a function, the end of a region."""
    return dialect in ("builtin", "func") or name == "stablehlo.return"


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepts:
    """What a target takes; all of StableHLO unless something is said.

    `dialects` are those it takes ops of; `ops`, if given, the only ones of them that it takes.
    `refused_ops` says why it does not take some, `limits` what it does not take of others, by the
    name of an op, `dialect.*` or `*`. `element_types`, if given, are the only ones it takes (`f32`,
    `i1`, `quantized`), `refused_types` says why it does not take some, and `changed_types` what it
    makes of some. `dynamic` says whether values may be of unknown size, `whole` whether a module
    must have a `main`, a body for what is called, data for constants, and no recursion. `calls` are
    the custom calls it knows beside its kernels, with wildcards, and `other_calls` what is wrong
    with others.
    """

    dialects: frozenset[str] = STABLEHLO
    ops: frozenset[str] | None = None
    refused_ops: Mapping[str, Refusal] = field(default_factory=dict[str, Refusal])
    limits: Mapping[str, Limit] = field(default_factory=dict[str, Limit])
    element_types: frozenset[str] | None = None
    refused_types: Mapping[str, Refusal] = field(default_factory=dict[str, Refusal])
    changed_types: Mapping[str, str] = field(default_factory=dict[str, str])
    dynamic: bool = True
    whole: bool = True
    calls: tuple[str, ...] = ()
    other_calls: Refusal | None = None

    def refusals_of(self, op: IrOperation) -> Iterator[Refusal]:
        """What is wrong with an op, apart from its types and the custom call that it is."""
        name = op.name
        dialect = name.partition(".")[0]
        if dialect not in self.dialects:
            yield Refusal(f"it takes no ops of the dialect {dialect}")
        elif name in self.refused_ops:
            yield self.refused_ops[name]
        elif self.ops is not None and name not in self.ops and not _is_structure(name, dialect):
            yield Refusal("it is not among the ops it takes")
        else:
            for limit in self.limits_of(name):
                found = limit(op)
                if found is not None:
                    yield found

    def limits_of(self, name: str) -> tuple[Limit, ...]:
        """The limits on ops of that name."""
        keys = (name, f"{name.partition('.')[0]}.*", "*")
        return tuple([self.limits[key] for key in keys if key in self.limits])

    def knows_call(self, name: str) -> bool:
        """Whether a custom call is among those the target knows whatever its kernels are."""
        return any(fnmatchcase(name, known) for known in self.calls)

    def type_refusal(self, name: str) -> Refusal | None:
        """What is wrong with an element type; None when the target takes it."""
        if name in self.refused_types:
            return self.refused_types[name]
        if self.element_types is not None and name not in self.element_types:
            return Refusal(
                f"the element types it takes are {', '.join(sorted(self.element_types))}"
            )
        return None


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a program that a target does not take (or, `doubtful`, hardly as meant).

    `subject` is the op, element type or call target at fault, the same wherever it occurs.
    """

    subject: str
    message: str
    where: str | None = None
    hint: str | None = None
    op: str | None = None
    doubtful: bool = False


def problems(
    module: ir.Module, target: str, accepts: Accepts, call_refusal: Callable[[str], Refusal | None]
) -> list[Problem]:
    """What a target does not take of a module, in order; decompositions of composites left out.

    `call_refusal` says what is wrong with a custom call of that name.
    """
    found = _Looking(target, accepts, call_refusal)
    runs = _running(module)
    for op in module.body.operations:
        operation = op.operation
        if operation.name != "func.func" or function_name(operation) in runs:
            walk(operation, found.visit)
    return found.problems


def _running(module: ir.Module) -> set[str]:
    """The functions that run: those that public ones call, but for decompositions."""
    known = {function_name(f): f for f in functions(module)}
    calls = {name: _called(function) for name, function in known.items()}
    roots = [name for name, function in known.items() if is_public(function)]
    return set(reached(lambda name: calls.get(name, ()), roots))


def _called(function: IrOperation) -> set[str]:
    found: set[str] = set()

    def visit(op: IrOperation) -> None:
        if op.name != COMPOSITE:
            found.update(callees(op))

    walk(function, visit)
    return found


class _Looking:
    def __init__(
        self, target: str, accepts: Accepts, call_refusal: Callable[[str], Refusal | None]
    ) -> None:
        self.target, self.accepts, self.call_refusal = target, accepts, call_refusal
        self.problems: list[Problem] = []
        self._types: dict[IrType, list[tuple[str, str, Refusal]]] = {}

    def visit(self, op: IrOperation) -> None:
        name = op.name
        refused = False
        for refusal in self.accepts.refusals_of(op):
            refused |= not refusal.doubtful
            self._add(op, name, refusal.message(self.target, op), refusal)
        called = "" if refused else target_of(op)
        unknown = self.call_refusal(called) if called else None
        if unknown is not None:
            self._add(op, f"@{called}", f"{name} of @{called}: {unknown.why}", unknown)
        for type in _types_of(op):
            known = self._types.get(type)
            if known is None:
                known = self._types[type] = list(self._of_type(type))
            for subject, message, refusal in known:
                self._add(op, subject, message, refusal)

    def _add(self, op: IrOperation, subject: str, message: str, refusal: Refusal) -> None:
        where = where_of(op.location)
        self.problems.append(
            Problem(subject, message, where, refusal.hint, op.name, refusal.doubtful)
        )

    def _of_type(self, type: IrType) -> Iterator[tuple[str, str, Refusal]]:
        target, accepts = self.target, self.accepts
        if not accepts.dynamic and is_dynamic(type):
            unknown = Refusal(
                "its size is unknown",
                "dxir-specialize makes it known, and dxir.compile for each call",
            )
            yield UNKNOWN_SIZE, f"{target} takes no values of unknown size, such as {type}", unknown
        try:
            names = sorted(set(element_names(decode_type(type))))
        except DxirError:
            return
        for name in names:
            refusal = accepts.type_refusal(name)
            if refusal is not None:
                yield name, f"{target} takes no {name} elements: {refusal.why}", refusal
            elif name in accepts.changed_types:
                made = accepts.changed_types[name]
                yield name, f"{target} computes {name} as {made}", Refusal(made, doubtful=True)


def element_names(type: Type) -> Iterable[str]:
    """The element types in a type, by the names that targets speak of them by."""
    if isinstance(type, TupleType):
        return [name for part in type.types for name in element_names(part)]
    if isinstance(type, TensorType):
        return [QUANTIZED if isinstance(type.dtype, QuantizedType) else type.dtype.name]
    return [type.name] if isinstance(type, DType) else []


def _types_of(op: IrOperation) -> list[IrType]:
    """The types of the results of an op, and of the parameters of its regions."""
    found: list[IrType] = [value.type for value in cast(Any, op).results]
    for region in op.regions:
        found += [a.type for block in region.blocks for a in block.arguments]
    return found
