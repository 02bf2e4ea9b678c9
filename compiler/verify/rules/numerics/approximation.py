"""Approximations that are on record."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.approximations import APPROXIMATIONS, Approximation, recorded
from dxir.mlir import IrOperation
from dxir.reading import walk
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class OnRecord(Rule, id="numerics-approximation", severity="note"):
    """An op stands for another one that it computes approximately, and says so.

    Passes that replace an op by one that gives other numbers write it down in the attribute
    dxir.approximations, with the largest error where that is known.
    """

    remedy = "nothing, if the error is small enough; else leave out the pass that is named"
    faulty = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x {dxir.approximations = [{
    by = "acme-fast-math", legalized_from = "chlo.erf", reason = "no erf on this target",
    max_abs_error = 3.0e-2 : f64
  }]} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        if not subject.may_say(APPROXIMATIONS):
            return
        found: list[Finding] = []

        def look(op: IrOperation) -> None:
            at = None if op.name == "builtin.module" else op
            found.extend(
                self.found(_told(one), at, subject, numbers=_errors(one)) for one in recorded(op)
            )

        walk(subject.module, look)
        yield from found


def _told(one: Approximation) -> str:
    errors = [f"{name} at most {value:g}" for name, value in _errors(one).items()]
    size = f" ({', '.join(errors)})" if errors else ", with an error that is not known"
    return f"an approximation of {one.legalized_from} by {one.by}: {one.reason}{size}"


def _errors(one: Approximation) -> dict[str, float]:
    named = (("absolute error", one.max_abs_error), ("relative error", one.max_rel_error))
    return {name: value for name, value in named if value is not None}
