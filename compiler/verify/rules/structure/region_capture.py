"""Bodies of reductions and sorts that use values from outside of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dxir.mlir import IrOperation
from dxir.reading import maker_of, used_values
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject

_CONSTANT = "stablehlo.constant"


class RegionCapture(Rule, id="structure-region-capture", severity="error"):
    """The body of a reduction, sort, map or scatter uses a value from outside of it.

    Such a body is a function of its parameters alone. MLIR's verifier accepts more, but XLA refuses
    the program. Constants are let through, since XLA copies them; a while, an if and a case may use
    any value.
    """

    remedy = "compute what depends on the value before or after the op"
    ops = tuple(
        f"stablehlo.{name}"
        for name in (
            *("all_reduce", "map", "reduce", "reduce_scatter", "reduce_window", "scatter"),
            *("select_and_scatter", "sort"),
        )
    )
    faulty = """\
func.func @main(%x: tensor<4xf32>, %scale: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.multiply %b, %scale : tensor<f32>
    %d = stablehlo.add %a, %c : tensor<f32>
    stablehlo.return %d : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xf32>, %scale: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.multiply %0, %scale : tensor<f32>
  return %1 : tensor<f32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        own = Counter(op.operands)
        makers = [maker_of(v) for v, count in used_values(op).items() if count > own[v]]
        others = [m for m in makers if m is None or m.name != _CONSTANT]
        if others:
            related = [("made here", maker) for maker in others if maker is not None]
            many = f"{len(others)} values" if len(others) > 1 else "a value"
            yield self.found(
                f"the body of {op.name} uses {many} from outside of it",
                op,
                subject,
                related=related[:3],
            )
