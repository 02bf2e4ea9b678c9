"""Functions that call themselves."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.call_graph import order
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class Recursion(Rule, id="structure-recursion", severity="error"):
    """A function calls itself, by itself or by way of others.

    StableHLO has no recursion, though MLIR's verifier accepts it; XLA ends the process over it. A
    composite whose decomposition holds the same composite is one, too.
    """

    remedy = "repeat with stablehlo.while, or write the calls out"
    faulty = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = call @halve(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func private @halve(%x: tensor<2xf32>) -> tensor<2xf32> {
  %half = stablehlo.constant dense<0.5> : tensor<2xf32>
  %y = stablehlo.multiply %x, %half : tensor<2xf32>
  %z = call @halve(%y) : (tensor<2xf32>) -> tensor<2xf32>
  return %z : tensor<2xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = call @halve(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func private @halve(%x: tensor<2xf32>) -> tensor<2xf32> {
  %half = stablehlo.constant dense<0.5> : tensor<2xf32>
  %y = stablehlo.multiply %x, %half : tensor<2xf32>
  return %y : tensor<2xf32>
}
"""

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        cycle = order(subject.calls.edges).cycle
        if cycle:
            around = " -> ".join(f"@{name}" for name in cycle)
            yield self.found(
                f"functions call themselves: {around}", subject.functions[cycle[0]], subject
            )
