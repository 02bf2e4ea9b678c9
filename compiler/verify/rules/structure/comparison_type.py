"""Comparisons that are not of the kind of their operands."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.errors import DxirError
from dxir.mlir import IrOperation, decode_type, ir, stablehlo
from dxir.reading import attribute
from dxir.types import DType, TensorType
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class ComparisonType(Rule, id="structure-comparison-type", severity="error"):
    """A compare says another kind of comparison than its operands have, or orders complex numbers.

    Signed integers compare as `SIGNED`, booleans and unsigned ones as `UNSIGNED`, floats as `FLOAT`
    or `TOTALORDER`, and complex numbers, as `FLOAT`, only for being equal. MLIR's verifier does not
    look; XLA refuses the kind and compares what has no order.
    """

    remedy = "leave the kind out, which then follows from the operands"
    ops = ("stablehlo.compare",)
    faulty = """\
func.func @main(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi1> {
  %0 = stablehlo.compare LT, %x, %y, FLOAT : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}
"""
    fixed = """\
func.func @main(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi1> {
  %0 = stablehlo.compare LT, %x, %y : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        dtype = _element(op)
        if dtype is None:
            return
        given = attribute(op, "compare_type")
        kind = None if given is None else stablehlo.ComparisonTypeAttr(given).value
        if kind not in (None, "NOTYPE", *_kinds(dtype)):
            kinds = " or ".join(_kinds(dtype))
            yield self.found(
                f"compares {dtype} as {kind}; they compare as {kinds}",
                op,
                subject,
                fixable=not (dtype.is_float or dtype.is_complex),
            )
        elif dtype.is_complex:
            direction = stablehlo.ComparisonDirectionAttr(op.attributes["comparison_direction"])
            if direction.value not in ("EQ", "NE"):
                yield self.found(
                    f"compares {dtype} by {direction.value}; complex numbers have no order",
                    op,
                    subject,
                    hint="compare their real parts, or their magnitudes",
                    fixable=False,
                )

    def repair(self, finding: Finding, subject: Subject, /) -> bool:
        op = finding.at
        if op is None or not finding.fixable:
            return False
        del op.attributes["compare_type"]
        return True


def _element(op: IrOperation) -> DType | None:
    type = op.operands[0].type
    if not isinstance(type, ir.RankedTensorType):
        return None
    try:
        found = decode_type(type)
    except DxirError:
        return None
    return found.dtype if isinstance(found, TensorType) and isinstance(found.dtype, DType) else None


def _kinds(dtype: DType) -> tuple[str, ...]:
    if dtype.is_complex:
        return ("FLOAT",)
    if dtype.is_float:
        return ("FLOAT", "TOTALORDER")
    return ("UNSIGNED",) if dtype.is_bool or dtype.is_unsigned else ("SIGNED",)
