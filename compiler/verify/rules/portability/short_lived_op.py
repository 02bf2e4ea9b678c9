"""Ops that StableHLO keeps for half a year only."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation
from dxir.verify.alone import rewritten
from dxir.verify.finding import Finding, Severity
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject

_INSTEAD = {
    "broadcast": "broadcast_in_dim",
    "create_token": "after_all",
    "cross-replica-sum": "all_reduce",
    "dot": "dot_general",
    "einsum": "dot_general and transpose",
    "map": "the ops of its body on whole tensors, or a composite",
    "torch_index_select": "gather",
    "trace": "a location or an attribute",
    "unary_einsum": "reduce and transpose",
}
_TO_GO = {
    "get_tuple_element": "several results",
    "rng": "rng_bit_generator",
    "tuple": "several results",
}
_NOTE: Severity = "note"
_REWRITTEN = ("broadcast", "create_token", "cross-replica-sum", "dot")
_PIPELINE = "builtin.module(func.func(stablehlo-legalize-deprecated-ops{fail-on-unused=false}))"


class ShortLivedOp(Rule, id="portability-short-lived-op", severity="warning"):
    """The op is on its way out of StableHLO.

    Artifacts are read for five years by newer readers, and for two by older ones, but for ops that
    the specification leaves out, or means to: those keep working for six months only, and few
    targets other than XLA run them. Of tuples and `rng`, which it still describes, a note is made.
    """

    remedy = "write it by the ops that replace it"
    ops = tuple(f"stablehlo.{name}" for name in (*_INSTEAD, *_TO_GO))
    faulty = """\
func.func @main(%x: tensor<3x4xf32>, %y: tensor<4x5xf32>) -> tensor<3x5xf32> {
  %0 = stablehlo.einsum %x, %y, config = "ij,jk->ik"
    : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<3x4xf32>, %y: tensor<4x5xf32>) -> tensor<3x5xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        name = op.name.removeprefix("stablehlo.")
        if name in _INSTEAD:
            message, severity = f"{op.name} is kept for six months only", self.severity
        else:
            message, severity = f"{op.name} is meant to go from StableHLO", _NOTE
        yield self.found(
            message,
            op,
            subject,
            hint=f"use {_INSTEAD.get(name) or _TO_GO[name]}",
            fixable=name in _REWRITTEN,
            severity=severity,
        )

    def repair(self, finding: Finding, subject: Subject, /) -> bool:
        return finding.at is not None and rewritten(finding.at, _PIPELINE)
