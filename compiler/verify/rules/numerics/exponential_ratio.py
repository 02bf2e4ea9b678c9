"""Quotients of exponentials that both overflow."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation
from dxir.verify.choices import is_chosen_from
from dxir.verify.finding import Finding
from dxir.verify.powers import far
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.values import Here, Made, Values

_SUMS = ("stablehlo.add", "stablehlo.subtract")
_EXP, _DIVIDE = "stablehlo.exponential", "stablehlo.divide"


class ExponentialRatio(Rule, id="numerics-exponential-ratio", severity="warning"):
    """An exponential is divided by a sum that it is part of, as in exp(x) / (1 + exp(x)).

    Where it overflows, so does the sum, and inf / inf is NaN: a logistic function of x = 89 in f32
    comes out NaN where 1 is right, and so does a hyperbolic tangent made of exponentials.
    """

    remedy = "use logistic or tanh, or 1 / (1 + exp(-x)), which goes to 0 and 1"
    ops = (_DIVIDE, "stablehlo.multiply")
    faulty = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %0 = stablehlo.exponential %x : tensor<4xf32>
  %1 = stablehlo.add %0, %one : tensor<4xf32>
  %2 = stablehlo.divide %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.logistic %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        values = subject.values
        for above, below in _quotients(values, op):
            divisor = values.made_by(below, *_SUMS)
            if divisor is not None:
                yield from self._of(op, above, divisor, subject)

    def _of(
        self, op: IrOperation, above: Here, divisor: Made, subject: Subject
    ) -> Iterator[Finding]:
        values = subject.values
        below = [power for each in divisor.inputs for power in _powers(values, each)]
        if not below:
            return
        for power in _powers(values, above):
            if any(power == other for other in below):
                if values.is_bounded(power.input(0)) or is_chosen_from(values, op):
                    return
                yield self.found(
                    f"an exponential over a sum with it in it: from x = {far(power)} on both are "
                    "infinite, and the quotient is NaN",
                    op, subject, related=[("the exponential", power.op)],
                )  # fmt: skip
                return


def _quotients(values: Values, op: IrOperation) -> Iterator[tuple[Here, Here]]:
    """What is divided, and by what; also where a product is by the inverse."""
    one, other = Here(op.operands[0]), Here(op.operands[1])
    if op.name == _DIVIDE:
        yield one, other
        return
    for above, factor in ((one, other), (other, one)):
        inverse = values.made_by(factor, _DIVIDE)
        if inverse is not None and values.number(inverse.input(0)) == 1:
            yield above, inverse.input(1)


def _powers(values: Values, here: Here, depth: int = 0) -> list[Made]:
    """The exponentials that are terms of a value."""
    made = values.made(here)
    if made is None or depth > 1:
        return []
    if made.name == _EXP:
        return [made]
    if made.name in _SUMS:
        return [power for each in made.inputs for power in _powers(values, each, depth + 1)]
    return []
