"""Private functions and meshes that nothing refers to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dxir.call_graph import reached
from dxir.effects import Known, mentioned, mentioned_below
from dxir.mlir import IrOperation
from dxir.reading import function_name, is_public
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class UnusedSymbol(Rule, id="structure-unused-symbol", severity="warning"):
    """Nothing that runs refers to a private function or a mesh.

    It is read, verified and written for nothing. Often a call that should be there is not.
    """

    remedy = "remove it, or call it where it was meant to be called"
    faulty = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
func.func private @double(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.add %x, %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
"""

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        for name, op in _unused(subject).items():
            what = "mesh" if op.name == "sdy.mesh" else "private function"
            yield self.found(f"nothing that runs refers to the {what} @{name}", op, subject)

    def repair(self, finding: Finding, subject: Subject, /) -> bool:
        op = finding.at
        if op is None:
            return False
        op.erase()
        return True


def _unused(subject: Subject) -> Mapping[str, IrOperation]:
    """The private functions and meshes that public functions do not lead to."""
    ops = [view.operation for view in subject.module.body.operations]
    doubted = {function_name(op): op for op in ops if _may_go(op)}
    is_entered = any(op.name == "func.func" and not _may_go(op) for op in ops)
    if not doubted or not is_entered:  # nothing runs: structure-entry tells
        return {}
    known: Known = {}
    named = {name: mentioned_below(op, known) for name, op in doubted.items()}
    roots = mentioned(subject.module.operation, known)
    for op in ops:
        if not _may_go(op):
            roots |= mentioned_below(op, known)
    used = set(reached(lambda name: named.get(name, ()), sorted(roots)))
    return {name: op for name, op in doubted.items() if name not in used}


def _may_go(op: IrOperation) -> bool:
    if op.name != "func.func":
        return bool(op.name == "sdy.mesh")
    return not is_public(op) and function_name(op) != "main"
