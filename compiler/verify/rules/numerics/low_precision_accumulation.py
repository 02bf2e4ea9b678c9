"""Long sums in narrow floats."""

from __future__ import annotations

import math
from collections.abc import Iterator

from dxir.arithmetic import finfo
from dxir.combiners import combiner
from dxir.diagnostics import node_name_of
from dxir.mlir import IrOperation, stablehlo
from dxir.pattern.tensors import dot_dims
from dxir.pattern.view import Maker
from dxir.pipeline.base import option
from dxir.reading import attribute
from dxir.types import DType
from dxir.verify.bodies import block_of, summed
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.values import dtype_of, sizes

_NARROW = 16
_FEWER = 8  # of as many elements as a type can count: from there on it is worth a note


class LowPrecisionAccumulation(Rule, id="numerics-low-precision-accumulation", severity="warning"):
    """Many elements are added up, or multiplied, in a narrow float.

    A bf16 has 8 bits of precision: from 256 on, adding 1 to it changes nothing, so that the sum of
    1000 ones is 256 where it is done in the type that the module says. Some backends sum in f32 all
    the same, and so results differ. The same holds of f16 from 2048 on, and of f8 from 16;
    what is less, down to an eighth of these, is a note. So is a sum of which the location says
    that JAX made it as part of a gradient: there it sums in the type of the operand.
    """

    limit: int = option(
        "the most elements that are summed; 0 for as many as the type can count", default=0
    )
    remedy = "convert to f32 before the reduction, and back after it"
    ops = ("stablehlo.reduce", "stablehlo.reduce_window", "stablehlo.dot_general")
    faulty = """\
func.func @main(%x: tensor<1000xbf16>) -> tensor<bf16> {
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<1000xbf16>, tensor<bf16>) -> tensor<bf16>
  return %0 : tensor<bf16>
}
"""
    fixed = """\
func.func @main(%x: tensor<1000xbf16>) -> tensor<bf16> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %wide = stablehlo.convert %x : (tensor<1000xbf16>) -> tensor<1000xf32>
  %0 = stablehlo.reduce(%wide init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.convert %0 : (tensor<f32>) -> tensor<bf16>
  return %1 : tensor<bf16>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        found = _product(op) if op.name == "stablehlo.dot_general" else _reduction(op)
        if found is None:
            return
        dtype, count, name = found
        able = 2 ** int(finfo(dtype).nmant + 1)
        limit = self.limit or able
        if count <= (self.limit or able // _FEWER):
            return
        what = "products are added up" if op.name == "stablehlo.dot_general" else "elements are "
        if op.name != "stablehlo.dot_general":
            what += "added up" if name == "add" else "multiplied"
        effect = (
            f"{count} ones come to {able}, one after the other"
            if name == "add" and count > able
            else f"each step rounds to {finfo(dtype).nmant + 1} bits"
        )
        yield self.found(
            f"{count} {what} in {dtype.name}: {effect}",
            op, subject, numbers={"elements": count, "limit": limit},
            severity=self.severity if count > limit and not _is_of_gradient(op) else "note",
        )  # fmt: skip


def _is_of_gradient(op: IrOperation) -> bool:
    """Whether the names in a location say that JAX made an op by transposing another one."""
    return "transpose(" in (node_name_of(op.location) or "")


def _reduction(op: IrOperation) -> tuple[DType, int, str] | None:
    dtype = dtype_of(op.results[0])
    if dtype is None or not dtype.is_float or dtype.bits > _NARROW or len(op.results) != 1:
        return None
    block = block_of(op)
    if block is None or dtype_of(block.arguments[0]) is not dtype:
        return None
    name = combiner(block)
    if name not in ("add", "multiply"):
        return None
    count = summed(op)
    return None if count is None else (dtype, count, name)


def _product(op: IrOperation) -> tuple[DType, int, str] | None:
    """The type that the products of a dot are summed in, where it is said, and how many."""
    algorithm = attribute(op, "algorithm")
    if algorithm is None:
        return None
    given = stablehlo.DotAlgorithm(algorithm)
    dtype = DType.of(str(given.accumulation_type))
    shape = sizes(op.operands[0])
    if not dtype.is_float or dtype.bits > _NARROW or shape is None:
        return None
    contracted = dot_dims(Maker(op, op.name, op.results[0]))[0]
    return dtype, math.prod(shape[d] for d in contracted), "add"
