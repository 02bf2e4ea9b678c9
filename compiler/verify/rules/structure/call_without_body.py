"""Calls of functions that have no body."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.structure import BODYLESS_HINT
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class CallWithoutBody(Rule, id="structure-call-without-body", severity="error"):
    """An op calls a function that is only declared, or is not in the module.

    That is valid for MLIR, but XLA ends the process over it while it compiles. Calls count, and
    decompositions of composites, and the computations of custom calls.
    """

    remedy = BODYLESS_HINT
    messages = (
        r"'func\.call' op '.*' does not reference a valid function",
        r"'func\.constant' op reference to undefined function",
    )
    faulty = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = call @relu(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func private @relu(tensor<2xf32>) -> tensor<2xf32>
"""
    fixed = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = call @relu(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func private @relu(%x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<2xf32>
  %y = stablehlo.maximum %x, %zero : tensor<2xf32>
  return %y : tensor<2xf32>
}
"""

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        for call in subject.calls.bodyless:
            declared = subject.functions.get(call.callee)
            related = [] if declared is None else [("declared here", declared)]
            yield self.found(call.message, call.op, subject, related=related)
