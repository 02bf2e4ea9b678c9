"""Sorts whose comparator is true of equal elements."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation, ir, stablehlo
from dxir.verify.bodies import block_of
from dxir.verify.comparators import order_of
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject

_STRICT = {"LE": "LT", "GE": "GT"}


class SortTies(Rule, id="numerics-sort-ties", severity="warning"):
    """The comparator of a sort is true of two elements that are equal.

    StableHLO asks for a strict order. With LE or GE each of two equal elements is before the other:
    a stable sort turns them around, so that indices of equal elements come out in reverse, and some
    implementations read beyond the end of their buffer.
    """

    remedy = "compare with LT or GT"
    ops = ("stablehlo.sort",)
    faulty = """\
func.func @main(%x: tensor<6xi32>) -> tensor<6xi32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.compare LE, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<6xi32>) -> tensor<6xi32>
  return %0 : tensor<6xi32>
}
"""
    fixed = """\
func.func @main(%x: tensor<6xi32>) -> tensor<6xi32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<6xi32>) -> tensor<6xi32>
  return %0 : tensor<6xi32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        block = block_of(op)
        order = None if block is None else order_of(block)
        if block is not None and order is not None and order.is_reflexive:
            yield self.found(
                "the comparator says of two equal elements that each is before the other",
                op, subject, fixable=_loose(block) is not None,
            )  # fmt: skip

    def repair(self, finding: Finding, subject: Subject, /) -> bool:
        op = finding.at
        block = None if op is None else block_of(op)
        compared = None if block is None else _loose(block)
        if compared is None:
            return False
        strict = f"#stablehlo<comparison_direction {_STRICT[_direction(compared)]}>"
        compared.attributes["comparison_direction"] = ir.Attribute.parse(strict, compared.context)
        return True


def _loose(block: ir.Block) -> IrOperation | None:
    """The comparison that is all that a comparator is, if it is true of equal elements."""
    ops = [view.operation for view in block.operations]
    if len(ops) != 2 or ops[0].name != "stablehlo.compare" or _direction(ops[0]) not in _STRICT:
        return None
    return ops[0]


def _direction(op: IrOperation) -> str:
    return stablehlo.ComparisonDirectionAttr(op.attributes["comparison_direction"]).value
