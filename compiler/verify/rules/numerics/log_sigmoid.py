"""Logarithms of a logistic function, and of 1 less one."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation
from dxir.verify.choices import is_chosen_from
from dxir.verify.finding import Finding
from dxir.verify.powers import sigmoid_of
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.thresholds import saturated, vanishing
from dxir.verify.values import Here, Values


class LogSigmoid(Rule, id="numerics-log-sigmoid", severity="warning"):
    """The logarithm of a logistic function, or of 1 less one, is taken after it was rounded.

    A cross entropy made so is infinite for what it is surest of: the logistic of x = 17 is 1 in
    f32, and the logarithm of 1 less that is -inf where -17 is right. The logistic of -104 is 0.
    """

    remedy = "log(sigmoid(x)) is min(x, 0) - log1p(exp(-|x|)); for 1 - sigmoid(x) take -x in it"
    ops = ("stablehlo.log", "stablehlo.log_plus_one")
    faulty = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %0 = stablehlo.logistic %x : tensor<4xf32>
  %1 = stablehlo.subtract %one, %0 : tensor<4xf32>
  %2 = stablehlo.log %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %neg = stablehlo.negate %x : tensor<4xf32>
  %least = stablehlo.minimum %neg, %zero : tensor<4xf32>
  %abs = stablehlo.abs %x : tensor<4xf32>
  %nabs = stablehlo.negate %abs : tensor<4xf32>
  %0 = stablehlo.exponential %nabs : tensor<4xf32>
  %1 = stablehlo.log_plus_one %0 : tensor<4xf32>
  %2 = stablehlo.subtract %least, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        values, inner = subject.values, Here(op.operands[0])
        if op.name == "stablehlo.log" and sigmoid_of(values, inner) is not None:
            low = vanishing(op.results[0])
            message = f"log(sigmoid(x)) is -inf from x = -{low} on, where x is right"
        elif _is_rest(values, inner, plus_one=op.name != "stablehlo.log"):
            high = saturated(op.results[0])
            message = f"log(1 - sigmoid(x)) is -inf from x = {high} on, where -x is right"
        else:
            return
        if not is_chosen_from(values, op):
            yield self.found(message, op, subject)


def _is_rest(values: Values, here: Here, *, plus_one: bool) -> bool:
    """Whether a value, or 1 and it, is 1 less a logistic function."""
    if plus_one:
        negative = values.made_by(here, "stablehlo.negate")
        return negative is not None and sigmoid_of(values, negative.input(0)) is not None
    rest = values.made_by(here, "stablehlo.subtract")
    return (
        rest is not None
        and values.number(rest.input(0)) == 1
        and sigmoid_of(values, rest.input(1)) is not None
    )
