"""Regions of ops that do not end as they must."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class RegionTerminator(Rule, id="structure-region-terminator", severity="error"):
    """A region of an op, or a function, has no terminator, or one of another kind.

    The body of a while, a reduce or a sort ends in `stablehlo.return`, that of a
    `sdy.manual_computation` in `sdy.return`, a function in `func.return`. MLIR's verifier finds
    most that do not, but lets a sort end in `sdy.return`, which XLA refuses.
    """

    remedy = "end the region of a StableHLO op in stablehlo.return, a function in func.return"
    messages = (
        r"expected to have a terminator",
        r"block with no terminator|expect at least a terminator",
        r"'(func|sdy)\.return' op expects parent op",
        r"expects regions to end with",
        r"expects a non-empty block",
        r"(condition body returns|comparator must return) (a )?single (value|output) but got",
        r"must be the last operation in the parent block",
    )
    ops = ("sdy.return",)
    faulty = """\
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.while(%a = %x) : tensor<f32>
    cond {
      %go = stablehlo.compare LT, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      func.return %a : tensor<f32>
    }
  return %y : tensor<f32>
}
"""
    fixed = """\
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.while(%a = %x) : tensor<f32>
    cond {
      %go = stablehlo.compare LT, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      stablehlo.return %a : tensor<f32>
    }
  return %y : tensor<f32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        parent = op.parent
        if parent is not None and not parent.operation.name.startswith("sdy."):
            around = parent.operation.name
            what = "a function" if around == "func.func" else f"a region of {around}"
            yield self.found(f"{what} ends in {op.name}", op, subject)
