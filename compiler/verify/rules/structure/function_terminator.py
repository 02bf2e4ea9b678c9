"""Functions that end in an op of another dialect."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.effects import callees
from dxir.mlir import IrOperation, ir
from dxir.reading import function_name, ops_below
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class FunctionTerminator(Rule, id="structure-function-terminator", severity="warning"):
    """A function ends in stablehlo.return.

    MLIR's verifier accepts it, and so does XLA; other tools expect `func.return` and stop with an
    error that does not say so. Functions that custom calls name as their computations are let
    through: XLA writes its own in this way.
    """

    remedy = "end the function in func.return, which is `return` in text"
    ops = ("stablehlo.return",)
    faulty = """\
func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %0 : tensor<i1>
}
"""
    fixed = """\
func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        parent = op.parent
        if parent is None or parent.operation.name != "func.func":
            return
        name = function_name(parent.operation)
        if name not in _computations(subject):
            yield self.found(f"the function @{name} ends in stablehlo.return", op, subject)

    def repair(self, finding: Finding, subject: Subject, /) -> bool:
        op = finding.at
        if op is None:
            return False
        with ir.InsertionPoint(op), op.location:
            ir.Operation.create("func.return", operands=list(op.operands))
        op.erase()
        return True


def _computations(subject: Subject) -> set[str]:
    """The functions that custom calls name, for a module that has any."""
    found: set[str] = set()
    for op in ops_below(subject.module.operation, ("stablehlo.custom_call",)):
        found.update(callees(op))
    return found
