"""The ops of a program that compare values: of the check dialect, or of StableHLO's test data."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dxir.check_dialect import MARK, PREFIX
from dxir.diagnostics import where_of
from dxir.errors import EvaluationError
from dxir.mlir import IrOperation, IrType, IrValue, ir
from dxir.reading import attribute, target_of

SERIALIZED = "expect_serialized_eq"
"""The check that compares with what a probe of the interpreter wrote down before."""

Option = float | int | str

_PLAIN = {
    "check.eq": 2,
    "check.expect_eq": 2,
    "check.expect_close": 2,
    "check.expect_almost_eq": 2,
}
"""The checks that StableHLO's test data writes as plain custom calls, with their operands."""


@dataclass(frozen=True, slots=True)
class Check:
    """A comparison that a program asks for.

    `label` is the name of the op without `check.`, `where` the user's place, `options` what the op
    says. A `bare` one is a plain custom call, which says nothing: its tolerances are those that
    stablehlo-translate has for it.
    """

    label: str
    where: str | None = None
    options: Mapping[str, Option] = field(default_factory=dict[str, Option])
    bare: bool = False


def is_check(op: IrOperation) -> bool:
    """Whether the op compares values."""
    name = target_of(op)
    return bool(name) and (attribute(op, MARK) is not None or len(op.operands) == _PLAIN.get(name))


def refuse_malformed(op: IrOperation) -> None:
    """Raise EvaluationError for a custom call that is named like a check and cannot be one."""
    name, where = target_of(op), where_of(op.location)
    if not name.startswith(PREFIX):
        return
    if not is_check(op):
        problem, hint = _no_check(name, len(op.operands))
        raise EvaluationError(problem, where=where, hint=hint)
    types = [value.type for value in op.operands]
    if len(types) == 2 and not _are_comparable(types[0], types[1]):
        raise EvaluationError(
            f"{name} compares {types[0]} with {types[1]}",
            where=where,
            hint="a check compares two tensors of one type; convert one",
        )
    results = [str(result.type) for result in op.results]
    if results not in ([], ["tensor<i1>"]):
        raise EvaluationError(
            f"{name} gives {', '.join(results)}",
            where=where,
            hint="a check gives nothing, or as tensor<i1> whether it holds",
        )


def _no_check(name: str, operands: int) -> tuple[str, str]:
    if name in _PLAIN:
        problem = f"a custom call of @{name} compares two values, not {operands}"
        return problem, "give it what was computed and what is expected"
    near = difflib.get_close_matches(name, _PLAIN, n=1, cutoff=0.75)
    listed = ", ".join(f"@{known}" for known in _PLAIN)
    hint = f"did you mean @{near[0]}?" if near else f"there are {listed}"
    return f"there is no check @{name} among custom calls", hint


def _are_comparable(a: IrType, b: IrType) -> bool:
    """Whether both are tensors of one element type, and of one shape as far as it is known."""
    if not isinstance(a, ir.RankedTensorType) or not isinstance(b, ir.RankedTensorType):
        return False
    if a.element_type != b.element_type or a.rank != b.rank:
        return False
    return all(
        a.is_dynamic_dim(i) or b.is_dynamic_dim(i) or a.get_dim_size(i) == b.get_dim_size(i)
        for i in range(a.rank)
    )


def check_of(op: IrOperation) -> Check:
    """What an op for which `is_check` holds asks for."""
    options: dict[str, Option] = {}
    marked = attribute(op, MARK)
    if isinstance(marked, ir.DictAttr):
        for index in range(len(marked)):
            if marked[index].name != "value":
                options[marked[index].name] = _plain(marked[index].attr)
    label = target_of(op).removeprefix(PREFIX)
    return Check(label, where_of(op.location), options, bare=marked is None)


def taken_out(op: IrOperation, at: ir.InsertionPoint) -> list[IrValue]:
    """The values that a check compares, once it can go: nothing takes its result any more.

    An expected value that the op itself holds becomes a constant at the insertion point. What
    `check.eq` of the test data gives is whether it holds: true, or else the run fails.
    """
    values = list(op.operands)
    marked = attribute(op, MARK)
    if isinstance(marked, ir.DictAttr):
        for index in range(len(marked)):
            if marked[index].name == "value":
                values.append(_constant(str(marked[index].attr)[1:-1], at, op))
    for result in op.results:
        result.replace_all_uses_with(_constant("dense<true> : tensor<i1>", at, op))
    return values


def _constant(value: str, at: ir.InsertionPoint, op: IrOperation) -> IrValue:
    constant = ir.Operation.parse(f"stablehlo.constant {value}", context=op.context)
    at.insert(constant)
    return constant.operation.results[0]


def _plain(value: Any) -> Option:
    for kind in (ir.FloatAttr, ir.IntegerAttr, ir.StringAttr):
        if isinstance(value, kind):
            found: Option = kind(value).value
            return found
    return str(value)
