"""The ops of a program that compare values: of the check dialect, or of StableHLO's test data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dxir.check_dialect import MARK, PREFIX
from dxir.diagnostics import where_of
from dxir.mlir import IrOperation, IrValue, ir
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


def plain_names() -> tuple[str, ...]:
    """What a plain custom call that is a check can call."""
    return tuple(_PLAIN)


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
