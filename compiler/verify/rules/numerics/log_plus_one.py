"""Logarithms of 1 and something small."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation, IrValue
from dxir.passes.building import Building, known, made_by
from dxir.pattern.view import CONVERT
from dxir.verify.accuracy import accuracy_of
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.thresholds import small
from dxir.verify.values import Here, Values, is_float

_ADD = "stablehlo.add"


class LogPlusOne(Rule, id="numerics-log-plus-one", severity="note"):
    """log(1 + x) loses what is small: with x = 1e-8 in f32 it is 0, where 1e-8 is right.

    The sum is rounded to a number near 1 before its logarithm is taken.
    """

    remedy = "use stablehlo.log_plus_one, which keeps small numbers"
    ops = ("stablehlo.log",)
    faulty = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %0 = stablehlo.add %x, %one : tensor<4xf32>
  %1 = stablehlo.log %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.log_plus_one %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        values = subject.values
        total = values.made_by(Here(op.operands[0]), _ADD)
        other = None if total is None or not is_float(total.maker.key) else values.pair(total, 1.0)
        if other is None or _is_whole(values, other) or _is_unbounded_power(values, other):
            return
        x = small(op.results[0])
        yield self.found(
            f"log(1 + x) is 0 for small numbers: with x = {x}, where {x} is right",
            op, subject, fixable=_term(op) is not None,
        )  # fmt: skip

    def repair(self, finding: Finding, subject: Subject, /) -> bool:
        op = finding.at
        x = None if op is None else _term(op)
        if op is None or x is None:
            return False
        with op.context, op.location:
            make = Building(op)
            make.finish(make.op("stablehlo.log_plus_one", x.type, x, **accuracy_of(op)))
        return True


def _is_whole(values: Values, here: Here) -> bool:
    """Whether a value is converted from integers: of these nothing is small."""
    return any(
        maker.name == CONVERT and not is_float(maker.operands[0])
        for maker, _ in values.view.levels(*here)
    )


def _is_unbounded_power(values: Values, here: Here) -> bool:
    """Whether a value is an exponential that may overflow, of which there is worse to say."""
    power = values.made_by(here, "stablehlo.exponential")
    return power is not None and not values.is_bounded(power.input(0))


def _term(op: IrOperation) -> IrValue | None:
    """What is added to 1 right below a logarithm, of the type of the logarithm."""
    total = made_by(op.operands[0], _ADD)
    if total is None:
        return None
    for term, other in (total.operands, list(total.operands)[::-1]):
        numbers = known(other)
        if numbers is not None and bool((numbers == 1).all()):
            return term if term.type == op.results[0].type else None
    return None
