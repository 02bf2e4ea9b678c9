"""Divisions by a constant that is 0."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation
from dxir.pattern.view import LAYOUT
from dxir.verify.arrays import array_of
from dxir.verify.choices import is_chosen_from
from dxir.verify.finding import Finding, Severity
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.values import Here, Values, is_float, sizes

_CONSTANT = "stablehlo.constant"
_OF_FLOATS: Severity = "warning"
_NEAR = 6  # ops below a mean among which its sum is looked for


class ConstantDivisionByZero(Rule, id="numerics-constant-division-by-zero", severity="error"):
    """The divisor is a constant that is 0, or holds a 0.

    Of integers the result is not defined: some machines give -1, others stop the process. Of floats
    it is infinite, or NaN for 0 / 0.
    """

    remedy = "correct the constant"
    ops = ("stablehlo.divide", "stablehlo.remainder")
    faulty = """\
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = stablehlo.constant dense<[1, 2, 0, 4]> : tensor<4xi32>
  %1 = stablehlo.divide %x, %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %1 = stablehlo.divide %x, %0 : tensor<4xi32>
  return %1 : tensor<4xi32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        values, divisor = subject.values, Here(op.operands[1])
        number = values.number(divisor)
        if number == 0:
            what = "the divisor is 0"
        elif number is None and _is_constant(values, divisor) and _holds_zero(values, divisor):
            what = "the divisor is 0 in one of its elements"
        else:
            return
        effect, severity = "not defined: it differs by machine", self.severity
        if is_float(op.results[0]):
            is_rest = op.name.endswith("remainder")
            effect, severity = "NaN" if is_rest else "infinite, or NaN for 0 / 0", _OF_FLOATS
        if not is_chosen_from(values, op) and not _is_of_nothing(values, op):
            yield self.found(f"{what}: the result is {effect}", op, subject, severity=severity)


def _is_constant(values: Values, here: Here) -> bool:
    levels = values.view.levels(*here)
    return bool(levels) and all(
        maker.name in LAYOUT or maker.name == _CONSTANT for maker, _ in levels
    )


def _holds_zero(values: Values, here: Here) -> bool:
    found = array_of(values, here)
    return found is not None and bool((found == 0).any())


def _is_of_nothing(values: Values, op: IrOperation) -> bool:
    """Whether what is divided is of no elements, as in the mean of none, which is NaN."""
    given = [op.results[0], *op.operands]
    near = values.below(Here(op.operands[0]), _NEAR)
    given += [v for made in near if made is not None for v in made.maker.operands]
    return any(0 in (sizes(value) or ()) for value in given)
