"""Distances as sums of squares less products."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation
from dxir.verify.choices import is_chosen_from
from dxir.verify.finding import Finding
from dxir.verify.powers import square_of, sum_of
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.values import Here, Values

_ADD, _SUBTRACT = "stablehlo.add", "stablehlo.subtract"
_DOT = "stablehlo.dot_general"
_DEEPEST = 3


class DistanceCancellation(Rule, id="numerics-distance-cancellation", severity="warning"):
    """A distance is the root of |a|^2 + |b|^2 - 2 a b, which may be below 0.

    Of points that are near to each other nothing is left but rounding: the distance of a point to
    itself comes out as 0.02 or NaN, and its gradient infinite.
    """

    remedy = "take the maximum with 0 before the root, or sum the squares of a - b"
    ops = ("stablehlo.sqrt", "stablehlo.rsqrt")
    faulty = """\
func.func @main(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %two = stablehlo.constant dense<2.0> : tensor<4x4xf32>
  %aa = stablehlo.multiply %a, %a : tensor<4x8xf32>
  %0 = stablehlo.reduce(%aa init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %bb = stablehlo.multiply %b, %b : tensor<4x8xf32>
  %1 = stablehlo.reduce(%bb init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<4xf32>) -> tensor<4x4xf32>
  %3 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<4xf32>) -> tensor<4x4xf32>
  %4 = stablehlo.add %2, %3 : tensor<4x4xf32>
  %ab = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1]
    : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
  %5 = stablehlo.multiply %two, %ab : tensor<4x4xf32>
  %6 = stablehlo.subtract %4, %5 : tensor<4x4xf32>
  %7 = stablehlo.sqrt %6 : tensor<4x4xf32>
  return %7 : tensor<4x4xf32>
}
"""
    fixed = """\
func.func @main(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 2] : (tensor<4x8xf32>) -> tensor<4x4x8xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<4x4x8xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<4x4x8xf32>
  %3 = stablehlo.multiply %2, %2 : tensor<4x4x8xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [2]
    : (tensor<4x4x8xf32>, tensor<f32>) -> tensor<4x4xf32>
  %5 = stablehlo.sqrt %4 : tensor<4x4xf32>
  return %5 : tensor<4x4xf32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        values = subject.values
        terms = _terms(values, Here(op.operands[0]), positive=True)
        if len(terms) < 2:
            return
        squares = [here for here, positive in terms if positive and _is_norm(values, here)]
        taken = any(_is_taken(values, here, positive=positive) for here, positive in terms)
        if len(squares) >= 2 and taken and not is_chosen_from(values, op):
            yield self.found(
                "|a|^2 + |b|^2 - 2 a b cancels where a is near b: the root of what is left, such "
                "as -1e-6, is NaN",
                op, subject,
            )  # fmt: skip


def _terms(
    values: Values, here: Here, *, positive: bool, depth: int = 0
) -> list[tuple[Here, bool]]:
    """What is added up to a value, and whether it is added or taken away."""
    made = values.made_by(here, _ADD, _SUBTRACT)
    if made is None or depth > _DEEPEST:
        return [(here, positive)]
    one, other = made.inputs
    turned = positive == (made.name == _ADD)
    return [
        *_terms(values, one, positive=positive, depth=depth + 1),
        *_terms(values, other, positive=turned, depth=depth + 1),
    ]


def _is_norm(values: Values, here: Here) -> bool:
    dot = values.made_by(here, _DOT)
    if dot is not None:
        return values.are_one(dot)
    inner = sum_of(values, here)
    return inner is not None and square_of(values, inner) is not None


def _is_taken(values: Values, here: Here, *, positive: bool) -> bool:
    """Whether a term, which is added or taken away, is a product that makes the sum smaller."""
    here, factor = _scaled(values, here)
    dot = values.made_by(here, _DOT)
    if dot is None or values.are_one(dot):
        return False
    for each in dot.inputs:
        factor *= _scaled(values, each)[1]
    return (factor > 0) != positive


def _scaled(values: Values, here: Here) -> tuple[Here, float]:
    """What is multiplied by a number, and the number."""
    made = values.made_by(here, "stablehlo.multiply", "stablehlo.negate")
    if made is None:
        return here, 1.0
    if made.name == "stablehlo.negate":
        return made.input(0), -1.0
    for one, other in (made.inputs, made.inputs[::-1]):
        number = values.number(other)
        if number is not None:
            return one, number
    return here, 1.0
