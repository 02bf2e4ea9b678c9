"""Ops that reduce several inputs of different shapes."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation
from dxir.structure import unequal_inputs
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class ReduceShapes(Rule, id="structure-reduce-shapes", severity="error"):
    """A reduce or reduce_window has inputs that cannot be of one shape.

    All inputs are reduced together, element by element. MLIR's verifier compares each with the
    first, and misses two that differ when the sizes of the first are not known.
    """

    remedy = "make the shapes of all inputs equal, or reduce them by ops of their own"
    ops = ("stablehlo.reduce", "stablehlo.reduce_window")
    messages = (r"expects all inputs to have compatible shapes",)
    faulty = """\
func.func @main(%a: tensor<?xf32>, %b: tensor<4xf32>, %c: tensor<5xf32>)
    -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %k = stablehlo.constant dense<0.0> : tensor<f32>
  %0:3 = "stablehlo.reduce"(%a, %b, %c, %k, %k, %k) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>,
       %u: tensor<f32>, %v: tensor<f32>, %w: tensor<f32>):
    %p = stablehlo.add %x, %u : tensor<f32>
    %q = stablehlo.add %y, %v : tensor<f32>
    %r = stablehlo.add %z, %w : tensor<f32>
    stablehlo.return %p, %q, %r : tensor<f32>, tensor<f32>, tensor<f32>
  }) : (tensor<?xf32>, tensor<4xf32>, tensor<5xf32>, tensor<f32>, tensor<f32>, tensor<f32>)
    -> (tensor<f32>, tensor<f32>, tensor<f32>)
  return %0#0, %0#1, %0#2 : tensor<f32>, tensor<f32>, tensor<f32>
}
"""
    fixed = faulty.replace("tensor<5xf32>", "tensor<4xf32>")

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        message = unequal_inputs(op)
        if message is not None:
            yield self.found(message, op, subject)
