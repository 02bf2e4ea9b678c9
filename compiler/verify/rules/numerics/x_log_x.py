"""Products of a value and its own logarithm."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation
from dxir.verify.choices import is_chosen_from
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.values import Here, Made, Values

_LOG = "stablehlo.log"


class XLogX(Rule, id="numerics-x-log-x", severity="warning"):
    """A value is multiplied by its own logarithm, as in an entropy, with no guard against 0.

    p log(p) goes to 0 with p, but for p = 0 it is computed as 0 * -inf, which is NaN. Probabilities
    are 0 as soon as a softmax underflows.
    """

    remedy = "select 0 where the value is 0, or take the logarithm from a log softmax"
    ops = ("stablehlo.multiply",)
    faulty = """\
func.func @main(%p: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.log %p : tensor<4xf32>
  %1 = stablehlo.multiply %p, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""
    fixed = """\
func.func @main(%p: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %none = stablehlo.compare EQ, %p, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %0 = stablehlo.log %p : tensor<4xf32>
  %1 = stablehlo.multiply %p, %0 : tensor<4xf32>
  %2 = stablehlo.select %none, %zero, %1 : tensor<4xi1>, tensor<4xf32>
  return %2 : tensor<4xf32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        values = subject.values
        for one, other in ((0, 1), (1, 0)):
            factor = Here(op.operands[other])
            logs = _logs(values, Here(op.operands[one]))
            log = next((each for each in logs if values.is_one(each.input(0), factor)), None)
            if log is None:
                continue
            if not _is_kept_positive(values, log.input(0)) and not is_chosen_from(values, op):
                yield self.found(
                    "x * log(x) is NaN for x = 0, where 0 is right",
                    op, subject, related=[("the logarithm", log.op)],
                )  # fmt: skip
                return


def _logs(values: Values, here: Here) -> list[Made]:
    """The logarithm that a value is, or those it is the sum or difference of."""
    made = values.made(here)
    if made is None or made.name == _LOG:
        return [] if made is None else [made]
    if made.name not in ("stablehlo.add", "stablehlo.subtract"):
        return []
    return [log for each in made.inputs if (log := values.made_by(each, _LOG)) is not None]


def _is_kept_positive(values: Values, here: Here) -> bool:
    """Whether a value is kept from being 0, by a number that is added, or a bound."""
    made = values.made_by(here, "stablehlo.add", "stablehlo.maximum", "stablehlo.clamp")
    if made is None or not values.varies(here):
        return made is not None or not values.varies(here)
    inputs = made.inputs[:1] if made.name == "stablehlo.clamp" else made.inputs
    return any((values.number(each) or 0) > 0 for each in inputs)
