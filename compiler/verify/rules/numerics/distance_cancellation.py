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
        products = [here for here, positive in terms if not positive and _is_dot(values, here)]
        if len(squares) >= 2 and products and not is_chosen_from(values, op):
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
    inner = sum_of(values, here)
    return inner is not None and square_of(values, inner) is not None


def _is_dot(values: Values, here: Here) -> bool:
    made = values.made(here)
    if made is not None and made.name == "stablehlo.multiply":
        other = values.pair(made, 2.0)
        made = None if other is None else values.made(other)
    return made is not None and made.name == "stablehlo.dot_general"
