"""Divisions by a norm or a deviation that may be 0."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation
from dxir.pattern.tensors import reduce_kind
from dxir.verify.choices import is_chosen_from
from dxir.verify.finding import Finding
from dxir.verify.powers import square_of
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.values import Here, Values

_RSQRT, _SQRT, _DIVIDE = "stablehlo.rsqrt", "stablehlo.sqrt", "stablehlo.divide"
_SCALES = (_DIVIDE, "stablehlo.multiply")


class MissingEpsilon(Rule, id="numerics-missing-epsilon", severity="note"):
    """A value is divided by its norm, its deviation or its largest magnitude, which may be 0.

    A row of zeros has no length, and one of equal numbers no variance: 0 / 0 is NaN. Nothing is
    added before the root, and no bound keeps the divisor from 0.
    """

    remedy = "add a small number before the root, or divide by the maximum of it and the divisor"
    ops = (_RSQRT, _DIVIDE)
    faulty = """\
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %squares = stablehlo.multiply %x, %x : tensor<2x4xf32>
  %0 = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = stablehlo.sqrt %0 : tensor<2xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<2xf32>) -> tensor<2x4xf32>
  %3 = stablehlo.divide %x, %2 : tensor<2x4xf32>
  return %3 : tensor<2x4xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %epsilon = stablehlo.constant dense<1.0e-6> : tensor<2xf32>
  %squares = stablehlo.multiply %x, %x : tensor<2x4xf32>
  %0 = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = stablehlo.sqrt %0 : tensor<2xf32>
  %2 = stablehlo.maximum %1, %epsilon : tensor<2xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xf32>) -> tensor<2x4xf32>
  %4 = stablehlo.divide %x, %3 : tensor<2x4xf32>
  return %4 : tensor<2x4xf32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        values = subject.values
        if op.name == _RSQRT:
            inner: Here | None = Here(op.operands[0])
        else:
            root = values.made_by(Here(op.operands[1]), _SQRT)
            inner = None if root is None else root.input(0)
        if inner is not None:
            what = "norm or deviation" if _is_mean_of_squares(values, inner) else ""
        else:
            what = "largest magnitude" if _is_largest(values, Here(op.operands[1])) else ""
        if what and not is_chosen_from(values, op):
            yield self.found(
                f"the divisor is a {what}, which is 0 for a row of zeros: 0 / 0 is NaN", op, subject
            )


def _is_mean_of_squares(values: Values, here: Here) -> bool:
    made = values.made(here)
    if made is not None and made.name in _SCALES:
        made = next(
            (
                values.made(one)
                for one, other in (made.inputs, made.inputs[::-1])
                if values.number(other)
            ),
            None,
        )
    if made is None or made.name != "stablehlo.reduce" or reduce_kind(made.maker) != "add":
        return False
    return square_of(values, made.input(0)) is not None


def _is_largest(values: Values, here: Here) -> bool:
    made = values.made(here)
    if made is not None and made.name in _SCALES and values.number(made.input(1)):
        made = values.made(made.input(0))
    if made is None or made.name != "stablehlo.reduce" or reduce_kind(made.maker) != "maximum":
        return False
    return values.made_by(made.input(0), "stablehlo.abs") is not None
