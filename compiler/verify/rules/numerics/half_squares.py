"""Sums of squares in f16."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation
from dxir.pattern.tensors import reduce_kind
from dxir.pattern.view import CONVERT
from dxir.verify.finding import Finding
from dxir.verify.powers import square_of
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.values import Here, element


class HalfSquares(Rule, id="numerics-half-squares", severity="note"):
    """Numbers are squared in f16 to be summed, and overflow.

    The largest f16 is 65504: the square of 256 is infinite, and so is a mean of squares or a norm
    made of it, whatever type the sum is in. Divided by an infinite norm, everything is 0.
    """

    remedy = "convert to f32 before squaring"
    ops = ("stablehlo.reduce",)
    faulty = """\
func.func @main(%x: tensor<8xf16>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %squares = stablehlo.multiply %x, %x : tensor<8xf16>
  %wide = stablehlo.convert %squares : (tensor<8xf16>) -> tensor<8xf32>
  %0 = stablehlo.reduce(%wide init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
"""
    fixed = """\
func.func @main(%x: tensor<8xf16>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %wide = stablehlo.convert %x : (tensor<8xf16>) -> tensor<8xf32>
  %squares = stablehlo.multiply %wide, %wide : tensor<8xf32>
  %0 = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        values = subject.values
        if len(op.results) != 1 or reduce_kind(values.view.of(op)) != "add":
            return
        squares = values.made(Here(op.operands[0]))
        if squares is None or element(squares.maker.key) != "f16":
            return
        x = square_of(values, Here(op.operands[0]))
        if x is None or values.is_bounded(x) or squares.name == CONVERT:
            return
        yield self.found(
            "the squares are f16, which ends at 65504: with x = 256 the sum is infinite",
            op, subject, related=[("the squares", squares.op)],
        )  # fmt: skip
