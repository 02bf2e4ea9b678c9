"""Sorts whose comparator knows no place for NaN."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation, IrValue, ir, stablehlo
from dxir.passes.building import Building
from dxir.reading import attribute
from dxir.verify.bodies import block_of
from dxir.verify.comparators import order_of
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.values import is_float

_COMPARE = "stablehlo.compare"


class NanOrder(Rule, id="numerics-nan-order", severity="warning"):
    """A sort of floats compares them as numbers, so that NaN is before and after nothing.

    Such a comparison is no order where a NaN is among the elements. What is left and right of it is
    not sorted against each other, and where it ends differs by backend: one ranks it first, one
    last, and one leaves it where it was. In total order -0 is before 0; what --fix writes takes the
    two for equal, as before.
    """

    remedy = "compare in total order: the compare_type TOTALORDER has NaN after infinity"
    ops = ("stablehlo.sort",)
    faulty = """\
func.func @main(%x: tensor<6xf32>) -> tensor<6xf32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<6xf32>) -> tensor<6xf32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        block = block_of(op)
        order = None if block is None else order_of(block)
        if block is not None and order is not None and order.loses_nan:
            yield self.found(
                "the comparator says of NaN and 1 that neither is before the other: a NaN among "
                "the elements leaves the others unsorted",
                op, subject, fixable=_plain(block) is not None,
            )  # fmt: skip

    def repair(self, finding: Finding, subject: Subject, /) -> bool:
        op = finding.at
        block = None if op is None else block_of(op)
        compared = None if block is None else _plain(block)
        if compared is None:
            return False
        with compared.context, compared.location:
            make = Building(compared)
            for i, value in enumerate(list(compared.operands)):
                compared.operands[i] = _settled(make, value)
            total = ir.Attribute.parse("#stablehlo<comparison_type TOTALORDER>")
            compared.attributes["compare_type"] = total
        return True


def _plain(block: ir.Block) -> IrOperation | None:
    """The comparison that is all that a comparator is, of floats as numbers, strictly."""
    ops = [view.operation for view in block.operations]
    if len(ops) != 2 or ops[0].name != _COMPARE or not is_float(ops[0].operands[0]):
        return None
    direction = stablehlo.ComparisonDirectionAttr(ops[0].attributes["comparison_direction"]).value
    kind = attribute(ops[0], "compare_type")
    in_total = kind is not None and stablehlo.ComparisonTypeAttr(kind).value == "TOTALORDER"
    return None if in_total or direction not in ("LT", "GT") else ops[0]


def _settled(make: Building, value: IrValue) -> IrValue:
    """The value with one zero and one NaN, so that -0 and 0 stay equal in total order."""
    zero, nan = make.full(value.type, 0.0), make.full(value.type, float("nan"))
    positive = make.select(make.compare("EQ", value, zero), zero, value)
    return make.select(make.compare("NE", value, value), nan, positive)
