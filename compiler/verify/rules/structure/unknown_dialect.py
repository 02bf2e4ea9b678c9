"""Ops, types and attributes of dialects that are not known."""

from __future__ import annotations

from dxir.verify.rule import Rule


class UnknownDialect(Rule, id="structure-unknown-dialect", severity="error"):
    """An op, type or attribute is of a dialect that is not known.

    StableHLO programs hold func, stablehlo, chlo and sdy; readers of them know few others, and stop
    at the first op they do not know. No other rule can look at the file.
    """

    remedy = (
        "convert the op to StableHLO in the producer; dxir-opt --allow-unregistered-dialect reads "
        "the file as it is"
    )
    messages = (
        r"the dialect `[^`]*` of (the|this) \w+.* is not known here",
        r"created with unregistered dialect|with an unregistered dialect",
        r"[Dd]ialect [`'\"]?[\w.$-]+[`'\"]? (is unknown|not found)",
    )
    faulty = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = "torch.aten.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<2xf32>
  %y = stablehlo.maximum %x, %zero : tensor<2xf32>
  return %y : tensor<2xf32>
}
"""
