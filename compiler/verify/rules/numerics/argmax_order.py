"""Reductions to a maximum and its place that depend on the order of elements."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation, ir
from dxir.passes.building import AND, OR, Building
from dxir.verify.bodies import block_of
from dxir.verify.comparators import ArgOrder, arg_order_of
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.values import is_float


class ArgmaxOrder(Rule, id="numerics-argmax-order", severity="warning"):
    """An argmax or argmin loses NaN, or takes now the first and now the last of equal elements.

    A plain `>=` is false of NaN on either side, so that of 1, NaN, 3, 3, 2 it gives 3, and whether
    at 2 or at 3 depends on how a backend splits the elements. Where no one looks, a NaN is hidden.
    """

    remedy = (
        "take a where a > b or a != a; of the places, the one of that, or the lesser where a == b"
    )
    ops = ("stablehlo.reduce",)
    faulty = """\
func.func @main(%x: tensor<5xf32>) -> tensor<i32> {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %places = stablehlo.iota dim = 0 : tensor<5xi32>
  %0:2 = stablehlo.reduce(%x init: %least), (%places init: %none) across dimensions = [0]
    : (tensor<5xf32>, tensor<5xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
    reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
      %first = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %value = stablehlo.select %first, %a, %b : tensor<i1>, tensor<f32>
      %place = stablehlo.select %first, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %value, %place : tensor<f32>, tensor<i32>
    }
  return %0#1 : tensor<i32>
}
"""
    fixed = """\
func.func @main(%x: tensor<5xf32>) -> tensor<i32> {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %places = stablehlo.iota dim = 0 : tensor<5xi32>
  %0:2 = stablehlo.reduce(%x init: %least), (%places init: %none) across dimensions = [0]
    : (tensor<5xf32>, tensor<5xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
    reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
      %more = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %nan = stablehlo.compare NE, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %first = stablehlo.or %more, %nan : tensor<i1>
      %same = stablehlo.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %before = stablehlo.compare LT, %i, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %tied = stablehlo.and %same, %before : tensor<i1>
      %here = stablehlo.or %first, %tied : tensor<i1>
      %value = stablehlo.select %first, %a, %b : tensor<i1>, tensor<f32>
      %place = stablehlo.select %here, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %value, %place : tensor<f32>, tensor<i32>
    }
  return %0#1 : tensor<i32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        block = block_of(op)
        if block is None or len(op.results) != 2:
            return
        order = arg_order_of(block)
        if order is None or not (order.loses_nan or order.loses_ties):
            return
        faults = [
            text
            for lost, text in (
                (order.loses_nan, "of 1 and NaN it gives 1, or now one and now the other"),
                (order.loses_ties, "of equal elements it gives now the first, now the last place"),
            )
            if lost
        ]
        yield self.found("; ".join(faults), op, subject)

    def repair(self, finding: Finding, subject: Subject, /) -> bool:
        op = finding.at
        block = None if op is None else block_of(op)
        order = None if block is None else arg_order_of(block)
        if op is None or block is None or order is None:
            return False
        with op.context, op.location:
            _rebuild(block, order)
        return True


def _rebuild(block: ir.Block, order: ArgOrder) -> None:
    """Let a body take NaN before all else, and of equal elements always the same one."""
    *old, last = [view.operation for view in block.operations]
    a, i, b, j = block.arguments
    make = Building(last)
    first = make.compare("GT" if order.is_maximum else "LT", a, b)
    if is_float(a):
        first = make.like(OR, first, make.compare("NE", a, a))
    nearer = make.compare("GT" if order.takes_last else "LT", i, j)
    here = make.like(OR, first, make.like(AND, make.compare("EQ", a, b), nearer))
    last.operands[0], last.operands[1] = make.select(first, a, b), make.select(here, i, j)
    for op in reversed(old):
        op.erase()
