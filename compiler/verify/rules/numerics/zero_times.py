"""Products with zeros that are meant to leave something out."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation
from dxir.verify.finding import Finding
from dxir.verify.masks import comparison
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.values import Here, Made, Values, is_float

_OF_FIRST = ("stablehlo.log", "stablehlo.log_plus_one", "stablehlo.rsqrt", "stablehlo.sqrt")


class ZeroTimes(Rule, id="numerics-zero-times", severity="warning"):
    """A value is multiplied by 0, or by a mask, to leave out what is infinite or NaN.

    0 times infinity is NaN, and 0 times NaN, too: a mask `x > 0` multiplied with log(x) gives NaN
    for x = 0. Some compilers fold x * 0 to 0, others do not; a constant 0 is a note.
    """

    remedy = "select: stablehlo.select mask, value, zero gives 0 whatever the value is"
    ops = ("stablehlo.multiply",)
    faulty = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %mask = stablehlo.compare GT, %x, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %ones = stablehlo.convert %mask : (tensor<4xi1>) -> tensor<4xf32>
  %log = stablehlo.log %x : tensor<4xf32>
  %0 = stablehlo.multiply %log, %ones : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %mask = stablehlo.compare GT, %x, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %log = stablehlo.log %x : tensor<4xf32>
  %0 = stablehlo.select %mask, %log, %zero : tensor<4xi1>, tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        if not is_float(op.results[0]):
            return
        values = subject.values
        for one, other in ((0, 1), (1, 0)):
            zero, value = Here(op.operands[one]), Here(op.operands[other])
            if values.number(zero) == 0:
                if values.varies(value):
                    yield self.found(
                        "x * 0 is NaN where x is infinite or NaN, and 0 only elsewhere",
                        op, subject, severity="note",
                        hint="use a constant of zeros if that is meant",
                    )  # fmt: skip
                return
            risky = _risky(values, value)
            mask = None if risky is None else values.mask(zero)
            if mask is not None and risky is not None and _guards(values, mask, risky[1]):
                made, _ = risky
                yield self.found(
                    f"the mask is 0 where the {made.name.partition('.')[2]} is infinite or NaN, "
                    "and 0 times either is NaN",
                    op, subject, related=[("what is masked", made.op)],
                )  # fmt: skip
                return


def _risky(values: Values, here: Here) -> tuple[Made, Here] | None:
    """The op of a value that is infinite or NaN somewhere, and the operand that makes it so."""
    made = values.made(here)
    if made is None:
        return None
    if made.name in _OF_FIRST:
        return made, made.input(0)
    if made.name == "stablehlo.divide" and values.number(made.input(1)) is None:
        return made, made.input(1)
    if made.name == "stablehlo.multiply":
        for each in made.inputs:
            if values.number(each) is None and (found := _risky_factor(values, each)) is not None:
                return found
    return None


def _risky_factor(values: Values, here: Here) -> tuple[Made, Here] | None:
    made = values.made_by(here, *_OF_FIRST)
    return None if made is None else (made, made.input(0))


def _guards(values: Values, mask: Here, operand: Here) -> bool:
    """Whether a mask is a comparison of an operand with a number."""
    compared = comparison(values, mask)
    if compared is None:
        return False
    inputs = compared[1].inputs
    return any(
        values.is_one(one, operand) and values.number(other) is not None
        for one, other in (inputs, inputs[::-1])
    )
