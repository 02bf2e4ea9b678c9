"""Allowances that allow nothing."""

from __future__ import annotations

from dxir.verify.rule import Rule


class UnusedAllowance(Rule, id="structure-unused-allowance", severity="note"):
    """A comment or an attribute allows what there is nothing of.

    What it allowed has been put right, or moved, or the name of the rule is misspelt; it would
    hide what comes to be wrong at that place. Of rules that did not run, nothing is said. A name of
    no rule, and what cannot be understood, is a warning.
    """

    remedy = (
        "take it out, or write it as `// dxir-verify: allow(ID) reason` right above what is to be "
        'allowed, or as the attribute dxir.verify.allow = ["ID"]'
    )
    faulty = """\
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  // dxir-verify: allow(structure-function-terminator) other tools do not matter
  return %a : tensor<f32>
}
"""
    fixed = """\
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
"""
