"""Variances as a difference of two large numbers."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation
from dxir.verify.finding import Finding
from dxir.verify.powers import square_of
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.values import Here, Made, Values

_SUBTRACT, _MULTIPLY, _DIVIDE = "stablehlo.subtract", "stablehlo.multiply", "stablehlo.divide"


class OnePassVariance(Rule, id="numerics-one-pass-variance", severity="warning"):
    """A variance is the mean of squares less the square of the mean.

    Both are large where the mean is, and nothing of their difference is left: of 10000.0, 10000.1,
    9999.9 and 10000.0 in f32 the variance is 0.005, and so computed it is 0. It may come out below
    0, whose root is NaN; where it is kept from that, what is found is a note.
    """

    remedy = "subtract the mean first: the mean of (x - mean(x)) squared"
    ops = (_SUBTRACT, "stablehlo.add")
    faulty = """\
func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %four = stablehlo.constant dense<4.0> : tensor<f32>
  %squares = stablehlo.multiply %x, %x : tensor<4xf32>
  %0 = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %2 = stablehlo.divide %0, %four : tensor<f32>
  %3 = stablehlo.divide %1, %four : tensor<f32>
  %4 = stablehlo.multiply %3, %3 : tensor<f32>
  %5 = stablehlo.subtract %2, %4 : tensor<f32>
  return %5 : tensor<f32>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %four = stablehlo.constant dense<4.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.divide %0, %four : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %3 = stablehlo.subtract %x, %2 : tensor<4xf32>
  %4 = stablehlo.multiply %3, %3 : tensor<4xf32>
  %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %6 = stablehlo.divide %5, %four : tensor<f32>
  return %6 : tensor<f32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        values = subject.values
        for one, other in _differences(values, op):
            yield from self._of(op, one, other, subject)

    def _of(self, op: IrOperation, one: Here, other: Here, subject: Subject) -> Iterator[Finding]:
        values = subject.values
        x = _squared(values, one)
        if x is None:
            return
        mean = _root(values, other)
        total = None if mean is None else _sum(values, mean)
        if total is None or not values.is_one(total, x):
            return
        is_kept = _is_kept(op)
        yield self.found(
            "the mean of squares less the square of the mean: of 10000.0, 10000.1, 9999.9 and "
            "10000.0 in f32 this is 0, not 0.005"
            + ("" if is_kept else ", and it may be below 0, whose root is NaN"),
            op, subject, severity="note" if is_kept else self.severity,
        )  # fmt: skip


def _differences(values: Values, op: IrOperation) -> Iterator[tuple[Here, Here]]:
    """What is taken from what; also where the negative of a value is added."""
    one, other = Here(op.operands[0]), Here(op.operands[1])
    if op.name == _SUBTRACT:
        yield one, other
        return
    for whole, part in ((one, other), (other, one)):
        negative = values.made_by(part, "stablehlo.negate")
        if negative is not None:
            yield whole, negative.input(0)


def _squared(values: Values, here: Here) -> Here | None:
    """What is squared and summed, in a sum that may be divided by a number."""
    dot = _unscaled(values, here)
    if dot is not None and dot.name == "stablehlo.dot_general":
        return dot.input(0) if values.are_one(dot) else None
    squares = _sum(values, here)
    return None if squares is None else square_of(values, squares)


def _unscaled(values: Values, here: Here) -> Made | None:
    """The op that makes a value, below a number that it is divided by or multiplied with."""
    made = values.made(here)
    if made is not None and made.name in (_DIVIDE, _MULTIPLY):
        here = made.input(0)
        if values.number(made.input(1)) is None:
            if made.name == _DIVIDE or values.number(here) is None:
                return None
            here = made.input(1)
        made = values.made(here)
    return made


def _sum(values: Values, here: Here) -> Here | None:
    """What is summed, in a sum that may be divided by a number."""
    made = _unscaled(values, here)
    if made is None or made.name != "stablehlo.reduce" or len(made.op.results) != 1:
        return None
    return made.input(0)


def _root(values: Values, here: Here) -> Here | None:
    """The mean whose square a value is, or a square of a sum that is divided by a number."""
    found = square_of(values, here)
    if found is None:
        made: Made | None = values.made_by(here, _DIVIDE, _MULTIPLY)
        for each in () if made is None else made.inputs:
            found = found or square_of(values, each)
    return found


def _is_kept(op: IrOperation) -> bool:
    """Whether the difference is kept from going below 0."""
    users = [use.owner.operation.name for use in op.results[0].uses]
    return bool(users) and all(
        name in ("stablehlo.maximum", "stablehlo.clamp", "stablehlo.abs") for name in users
    )
