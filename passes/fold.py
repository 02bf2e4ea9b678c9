"""Fold constants: ops on constants become the constants that NumPy says they are.

An op is computed by the reference of the Dxir op it raises to, in the order of the program, so that
what is computed from folded values folds, too. Only values that something still uses become
constants; whatever only led to them goes.

By default what folds is exact, bit for bit: ops on integers, comparisons, data movement,
conversions, and of floats what IEEE 754 rounds correctly (add, subtract, multiply, divide, sqrt).
`inexact` adds sums of floats and transcendental functions, whose constants record the ops behind
them as approximations. An op whose result would be a larger constant than those it comes
from, an iota or a broadcast, stays unless all that uses it folds; a splat has one element here. Ops
of quantized, dynamic or other types than plain tensors stay, and so do the decompositions of
composites: fold them after dxir-decompose.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dxir.approximations import (
    APPROXIMATIONS,
    Approximation,
    merged_records,
    record_attribute,
)
from dxir.errors import PassError
from dxir.mlir import IrAttribute, IrOperation, IrType, IrValue, TypeCache, dense_elements, ir, sdy
from dxir.pipeline.base import Pass, option
from dxir.reading import (
    SHARDING,
    annotations_of,
    attribute,
    function_name,
    functions,
    has_body,
    is_used,
    symbol,
    used_values,
    walk,
)

if TYPE_CHECKING:
    from dxir.passes.values.evaluating import Evaluated, Evaluator
    from dxir.types import TensorType

_CONSTANT = "stablehlo.constant"
_REASON = "computed by NumPy, whose last places differ from those of a target"
_SMALL = 64  # a constant of that many elements is no burden whatever it comes from


class Fold(Pass, name="dxir-fold"):
    """Compute ops whose operands are constants."""

    max_elements: int = option(
        "the most elements that an operand or a result may have", default=65536
    )
    max_total: int = option(
        "the most elements to hold for a function; it stays otherwise", default=1 << 24
    )
    inexact: bool = option(
        "fold what differs between libraries in the last places, too", default=False
    )

    def check(self) -> None:
        for name, value in (("max-elements", self.max_elements), ("max-total", self.max_total)):
            if value < 0:
                raise PassError(f"{name} counts elements and cannot be {value}")

    def run(self, module: ir.Module) -> bool:
        state = _Folding(self, module)
        kept = _decompositions(module)
        changed = False
        for function in list(functions(module)):
            if has_body(function) and function_name(function) not in kept:
                changed |= state.function(function)
        return changed


def _decompositions(module: ir.Module) -> set[str]:
    found: set[str] = set()

    def visit(op: IrOperation) -> None:
        if op.name == "stablehlo.composite":
            found.add(symbol(op, "decomposition") or "")

    walk(module, visit)
    return found


@dataclass(slots=True)
class _Known:
    """A constant or folded op: the arrays of its results, how often they are still to be used.

    The operands of an op that `grows` are held, in case it has to stay. `records` are the
    approximations behind the values, `inexact` the ops among them that were folded here.
    """

    op: IrOperation
    arrays: Sequence[Any]
    users: int
    size: int = 0
    grows: bool = False
    operands: Sequence[_Known] = ()
    types: Sequence[TensorType] = ()
    attributes: Mapping[str, IrAttribute] = field(default_factory=dict)
    inexact: frozenset[str] = frozenset()
    records: IrAttribute | None = None
    is_constant: bool = False


class _TooMuch(Exception):
    """Folding a function holds more elements than it may."""


class _Folding:
    """The folding of one module, function by function."""

    def __init__(self, pass_: Fold, module: ir.Module) -> None:
        self.pass_, self.module = pass_, module
        self.total = 0
        self.known: dict[IrValue, _Known] = {}
        self.constants: dict[IrValue, IrOperation] = {}
        self.folded: list[_Known] = []
        self._sizes: dict[IrType, int | None] = {}
        self._candidates: dict[str, bool] = {}
        self._evaluator: Evaluator | None = None
        self._types = TypeCache.of(module.context)

    def function(self, function: IrOperation) -> bool:
        """Fold in a function; whether anything changed."""
        self.known, self.constants, self.folded, self.total = {}, {}, [], 0
        try:
            walk(function, lambda op: ir.WalkResult.SKIP if self._visit(op) else None)
        except _TooMuch:
            # All or nothing: what fits now would make room for more the next time.
            self.pass_.warn(
                f"the constants of @{function_name(function)} are not folded: that takes more than "
                f"max-total={self.pass_.max_total} elements at a time",
                function,
                code="CONSTANTS_NOT_FOLDED",
                numbers={"max_total": self.pass_.max_total},
            )
            return False
        return self._replace()

    def _visit(self, op: IrOperation) -> bool:
        """Look at one op; whether it folded, so that its regions are of no interest any more."""
        name = op.name
        candidate = self._candidates.get(name)
        if candidate is None:
            candidate = self._candidates[name] = _is_candidate(name)
        if name == _CONSTANT:
            self.constants[op.results[0]] = op
        if not candidate:
            return False
        constants, known = self.constants, self.known
        for value in op.operands:
            if value not in constants and value not in known:
                return False
        return self._fold(op)

    def _fold(self, op: IrOperation) -> bool:
        sizes = [self._size(v.type) for v in (*op.operands, *op.results)]
        limit = self.pass_.max_elements
        if any(s is None or s > limit for s in sizes) or not any(map(is_used, op.results)):
            return False
        uses = used_values(op)
        if any(v not in self.constants and v not in self.known for v in uses):
            return False
        self.pass_.budget.check_time()
        operands = {v: self._operand(v) for v in uses}
        values: list[IrValue] = []
        arrays: list[Any] = []
        for value, known in operands.items():
            if known is None:
                return False
            values.append(value)
            arrays.append(known.arrays[ir.OpResult(value).result_number])
        said = annotations_of(op)
        if any(a is None for a in said.values()):
            return False
        found = self._evaluate.op(op, values, arrays)
        if found is None:
            return False
        used = [k for v, count in uses.items() for k in [operands[v]] * count if k is not None]
        self._add(op, used, found, {n: a for n, a in said.items() if a is not None})
        return True

    @property
    def _evaluate(self) -> Evaluator:
        if self._evaluator is None:
            # Imported once there is something to fold: it takes every op family.
            from dxir.passes.values.evaluating import Evaluator

            limit = self.pass_.max_elements
            self._evaluator = Evaluator(self.module, limit, inexact=self.pass_.inexact)
        return self._evaluator

    def _size(self, type: IrType) -> int | None:
        """How many elements a type has; None for types that do not fold."""
        if type not in self._sizes:
            self._sizes[type] = _size(type)
        return self._sizes[type]

    def _operand(self, value: IrValue) -> _Known | None:
        """What is known of a value; None when its data is not there."""
        known = self.known.get(value)
        if known is not None or value not in self.constants:
            return known
        op = self.constants[value]
        found = self._evaluate.constant(op)
        if found is None:
            del self.constants[value]
            return None
        records = attribute(op, APPROXIMATIONS)
        known = _Known(op, found, _uses(op), records=records, is_constant=True)
        self.known[value] = known
        return known

    def _add(
        self,
        op: IrOperation,
        operands: Sequence[_Known],
        found: Evaluated,
        said: Mapping[str, IrAttribute],
    ) -> None:
        size = sum(_distinct(a) for a in found.arrays)
        given = sum(_distinct(a) for k in operands for a in k.arrays)
        inexact = frozenset().union(*(k.inexact for k in operands))
        known = _Known(
            op,
            found.arrays,
            _uses(op),
            size,
            grows=size > max(given, _SMALL),
            operands=operands,
            types=found.types,
            attributes=said,
            inexact=inexact if found.is_exact else inexact | {op.name},
            records=self._records(op, operands, said, is_exact=found.is_exact),
        )
        self.total += size
        if self.total > self.pass_.max_total:
            raise _TooMuch
        self.folded.append(known)
        for result in op.results:
            self.known[result] = known
        if not known.grows:
            self._release(known)

    def _records(
        self,
        op: IrOperation,
        operands: Sequence[_Known],
        said: Mapping[str, IrAttribute],
        *,
        is_exact: bool,
    ) -> IrAttribute | None:
        """The approximations behind the results of an op, its own last."""
        parts = [*(k.records for k in operands), said.get(APPROXIMATIONS)]
        if not is_exact:
            own = Approximation(op.name, _REASON, self.pass_.name)
            parts.append(record_attribute([own], self.module.context))
        given = [part for part in parts if part is not None]
        return functools.reduce(merged_records, given) if given else None

    def _release(self, known: _Known) -> None:
        """The op is sure to go: its operands lose as many users as it has uses of them."""
        pending = [known]
        while pending:
            done = pending.pop()
            for operand in done.operands:
                operand.users -= 1
                if operand.users == 0:
                    self.total -= operand.size
                    operand.arrays = ()
                    if operand.grows:
                        pending.append(operand)
            done.operands = ()

    def _replace(self) -> bool:
        """Put constants where folded values are used, and erase what is not needed any more."""
        changed = False
        doomed: list[IrOperation] = []
        for known in self.folded:
            if not known.users:
                doomed.append(known.op)
            elif not known.grows:
                self._materialize(known)
                doomed.append(known.op)
        sources = {id(k): k.op for k in self.known.values() if k.is_constant and not k.users}
        for op in (*reversed(doomed), *sources.values()):
            changed = True
            op.erase()
        self.pass_.count("ops folded", len(doomed))
        return changed

    def _materialize(self, known: _Known) -> None:
        op = known.op
        for index, (result, array) in enumerate(zip(op.results, known.arrays, strict=True)):
            if not is_used(result):
                continue
            value = dense_elements(array, known.types[index], self._types)
            made = ir.Operation.create(
                _CONSTANT,
                results=[result.type],
                attributes={"value": value, **_attributes_of(known, index)},
                ip=ir.InsertionPoint(op),
                loc=op.location,
            )
            result.replace_all_uses_with(made.results[0])
            self.pass_.count("constants made")
            if known.inexact:
                names = ", ".join(sorted(known.inexact))
                said = f"a constant holds values of {names} as NumPy rounds them"
                self.pass_.remark(said, op, code="INEXACT_FOLD")


def _is_candidate(name: str) -> bool:
    from dxir.passes.values.exactness import is_candidate

    return is_candidate(name)


def _uses(op: IrOperation) -> int:
    return sum(1 for result in op.results for _ in result.uses)


def _distinct(array: Any) -> int:
    """How many elements an array holds in memory; one for a splat."""
    return 1 if array.size and not any(array.strides) else int(array.size)


def _size(type: IrType) -> int | None:
    """How many elements a type has; None for types that do not fold."""
    if not isinstance(type, ir.RankedTensorType) or not type.has_static_shape:
        return None
    if type.encoding is not None or str(type.element_type).startswith("!"):
        return None
    return math.prod(type.shape)


def _attributes_of(known: _Known, index: int) -> dict[str, IrAttribute]:
    """What is said of one result of an op beside what the op means, for its constant to say."""
    found = dict(known.attributes)
    sharding = found.get(SHARDING)
    if sharding is not None and len(known.op.results) > 1:
        each = sdy.TensorShardingPerValueAttr(sharding).shardings
        found[SHARDING] = sdy.TensorShardingPerValueAttr.get([each[index]])
    if known.records is not None:
        found[APPROXIMATIONS] = known.records
    return found
