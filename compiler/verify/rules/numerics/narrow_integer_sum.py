"""Sums of integers in a type that does not hold them."""

from __future__ import annotations

import math
from collections.abc import Iterator

from dxir.arithmetic import integer_limits
from dxir.combiners import combiner
from dxir.mlir import IrOperation, stablehlo
from dxir.pattern.tensors import dot_dims
from dxir.pattern.view import Maker
from dxir.types import DType
from dxir.verify.bodies import block_of, summed
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.values import Here, Values, dtype_of, sizes

_NARROW = 16


class NarrowIntegerSum(Rule, id="numerics-narrow-integer-sum", severity="warning"):
    """Integers of 8 or 16 bits are added up in their own type, which does not hold the sum.

    Integers wrap around: 100 + 100 is -56 in i8, and a mask of more than 127 truth values counted
    in i8 comes out negative. Products of quantized values need 32 bits from the first one on.
    """

    remedy = "convert to i32 before the sum; a dot_general may have i8 operands and an i32 result"
    ops = (
        "stablehlo.reduce", "stablehlo.reduce_window", "stablehlo.dot_general",
        "stablehlo.convolution",
    )  # fmt: skip
    faulty = """\
func.func @main(%x: tensor<64xi8>) -> tensor<i8> {
  %zero = stablehlo.constant dense<0> : tensor<i8>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<64xi8>, tensor<i8>) -> tensor<i8>
  return %0 : tensor<i8>
}
"""
    fixed = """\
func.func @main(%x: tensor<64xi8>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %wide = stablehlo.convert %x : (tensor<64xi8>) -> tensor<64xi32>
  %0 = stablehlo.reduce(%wide init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<64xi32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        dtype = dtype_of(op.results[0])
        if dtype is None or not dtype.is_integer or dtype.bits > _NARROW:
            return
        most = integer_limits(dtype)[1]
        if op.name not in ("stablehlo.reduce", "stablehlo.reduce_window"):
            yield from self._product(op, dtype, most, subject)
            return
        block, count = block_of(op), summed(op)
        if block is None or count is None or combiner(block) != "add":
            return
        largest = _largest(subject.values, Here(op.operands[0]), dtype)
        # Two or three elements may be known to be small; all that a type holds are not.
        if count * largest <= most or (largest > 1 and dtype.bits == _NARROW and count <= most):
            return
        yield self.found(
            f"{count} elements of up to {largest:g} are added up in {dtype.name}, "
            f"which holds no more than {most}: beyond that, the sum wraps around",
            op, subject, numbers={"elements": count, "limit": most},
        )  # fmt: skip

    def _product(
        self, op: IrOperation, dtype: DType, most: int, subject: Subject
    ) -> Iterator[Finding]:
        count = _products(op)
        if count is None or any(subject.values.mask(Here(v)) for v in op.operands):
            return
        largest = _largest_product(op)
        if count > 1 and (largest is None or count * largest > most):
            of = "" if largest is None else f" of up to {largest}"
            yield self.found(
                f"{count} products{of} are added up in {dtype.name}, which holds no more than "
                f"{most}: beyond that, the sum wraps around",
                op, subject, numbers={"elements": count, "limit": most},
            )  # fmt: skip


def _largest_product(op: IrOperation) -> int | None:
    """The largest number that the product of an element of each operand may be."""
    types = [dtype_of(value) for value in op.operands]
    limits = [integer_limits(t) for t in types if t is not None and t.is_integer]
    if len(limits) < len(types):
        return None
    return max(math.prod(least for least, _ in limits), math.prod(most for _, most in limits))


def _products(op: IrOperation) -> int | None:
    """How many products are added up to one element; None where that is not known."""
    if op.name == "stablehlo.dot_general":
        shape = sizes(op.operands[0])
        contracted = dot_dims(Maker(op, op.name, op.results[0]))[0]
        return None if shape is None else math.prod(shape[d] for d in contracted)
    kernel = sizes(op.operands[1])
    if kernel is None:
        return None
    numbers = stablehlo.ConvDimensionNumbers(op.attributes["dimension_numbers"])
    return math.prod(kernel) // max(1, kernel[numbers.kernel_output_feature_dimension])


def _largest(values: Values, operand: Here, dtype: DType) -> float:
    """The largest number that an element may be."""
    if values.mask(operand) is not None:
        return 1
    made = values.made(operand)
    if made is not None and made.name in ("stablehlo.clamp", "stablehlo.minimum", "stablehlo.and"):
        known = [n for each in made.inputs if (n := values.number(each)) is not None and n >= 0]
        if known:
            return max(known)
    return integer_limits(dtype)[1]
