"""Sorts that leave open in which order equal elements come."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation, ir
from dxir.reading import attribute
from dxir.verify.bodies import block_of
from dxir.verify.comparators import order_of
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class UnstableSort(Rule, id="numerics-unstable-sort", severity="note"):
    """Several operands are sorted by some of them, and the sort is not stable.

    Of elements with equal keys, what goes with them may come in any order: the indices of a top-k
    or an argsort differ by backend, and by the number of elements.
    """

    remedy = "set is_stable = true, or compare by indices where the keys are equal"
    ops = ("stablehlo.sort",)
    faulty = """\
func.func @main(%x: tensor<6xi32>) -> tensor<6xi32> {
  %i = stablehlo.iota dim = 0 : tensor<6xi32>
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 0 : i64, is_stable = false}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<6xi32>, tensor<6xi32>) -> (tensor<6xi32>, tensor<6xi32>)
  return %0#1 : tensor<6xi32>
}
"""
    fixed = """\
func.func @main(%x: tensor<6xi32>) -> tensor<6xi32> {
  %i = stablehlo.iota dim = 0 : tensor<6xi32>
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<6xi32>, tensor<6xi32>) -> (tensor<6xi32>, tensor<6xi32>)
  return %0#1 : tensor<6xi32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        stable = attribute(op, "is_stable")
        if isinstance(stable, ir.BoolAttr) and stable.value:
            return
        block = block_of(op)
        order = None if block is None else order_of(block)
        if order is not None and len(order.keys) < len(op.operands):
            yield self.found(
                f"{len(order.keys)} of {len(op.operands)} operands are compared: of elements that "
                "are equal in these, the others come in any order",
                op, subject,
            )  # fmt: skip

    def repair(self, finding: Finding, subject: Subject, /) -> bool:
        if finding.at is None:
            return False
        finding.at.attributes["is_stable"] = ir.BoolAttr.get(True, finding.at.context)
        return True
