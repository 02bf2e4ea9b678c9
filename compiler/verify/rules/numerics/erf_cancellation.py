"""Tails of the error function that cancel."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation
from dxir.passes.building import Building, made_by
from dxir.verify.choices import is_chosen_from
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.thresholds import tail
from dxir.verify.values import Here, Values

_ADD, _SUBTRACT = "stablehlo.add", "stablehlo.subtract"


class ErfCancellation(Rule, id="numerics-erf-cancellation", severity="warning"):
    """1 - erf(x), or 1 + erf(x), cancels where the error function is near 1 or -1.

    1 - erf(4) is 0 in f32, where 1.5e-8 is right. In a GELU the negative tail is lost: of x = -6 it
    is -0 where -5.9e-9 is right; 1 + erf(x) is a note, as long as no logarithm is taken of it.
    """

    remedy = "1 - erf(x) is erfc(x), and 1 + erf(x) is erfc(-x): chlo.erfc keeps the tail"
    ops = (_ADD, _SUBTRACT)
    faulty = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
  %1 = stablehlo.subtract %one, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.erfc %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        values = subject.values
        one, other = (Here(value) for value in op.operands)
        found = _function(values, other)
        if found is None and op.name == _ADD:
            one, found = other, _function(values, one)
        if found is None or values.number(one) != 1 or is_chosen_from(values, op):
            return
        is_negated = found
        rises = (op.name == _ADD) != is_negated
        logged = any(use.owner.operation.name == "stablehlo.log" for use in op.results[0].uses)
        x, rest = tail(op.results[0])
        message = (
            f"1 + erf(x) is 0 from x = -{x} on, where {rest} is right: a GELU has no negative tail"
            if rises
            else f"1 - erf(x) is 0 from x = {x} on, where {rest} is right"
        )
        yield self.found(
            message, op, subject, severity="note" if rises and not logged else self.severity,
            fixable=_erf(op) is not None,
        )  # fmt: skip

    def repair(self, finding: Finding, subject: Subject, /) -> bool:
        op = finding.at
        found = None if op is None else _erf(op)
        if op is None or found is None:
            return False
        with op.context, op.location:
            make = Building(op)
            x = found.operands[0]
            if op.name == _ADD:
                x = make.like("stablehlo.negate", x)
            make.finish(make.op("chlo.erfc", op.results[0].type, x))
        return True


def _function(values: Values, here: Here) -> bool | None:
    """Whether an error function is negated that a value is; None where it is none."""
    made = values.made_by(here, "chlo.erf", "stablehlo.negate")
    if made is None or made.name == "chlo.erf":
        return None if made is None else False
    return None if values.made_by(made.input(0), "chlo.erf") is None else True


def _erf(op: IrOperation) -> IrOperation | None:
    """The error function that stands right below an op, of the same type as its result."""
    candidates = op.operands if op.name == _ADD else [op.operands[1]]
    for value in candidates:
        found = made_by(value, "chlo.erf")
        if found is not None and found.operands[0].type == op.results[0].type:
            return found
    return None
