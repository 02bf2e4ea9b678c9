"""Functions that end in an op of another dialect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dxir.mlir import IrOperation, IrType, ir
from dxir.reading import attributes_of, function_name, signature
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class FunctionTerminator(Rule, id="structure-function-terminator", severity="warning"):
    """A function ends in stablehlo.return.

    MLIR's verifier accepts it, and so does XLA; other tools expect `func.return` and stop with an
    error that does not say so. Functions that custom calls name as their computations are let
    through: XLA writes its own in this way. Nobody compares what such an op returns with the type
    of the function: where they differ, that is an error.
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
        if name not in subject.computations:
            given = [value.type for value in op.operands]
            wanted = list(signature(parent.operation).results)
            if given == wanted:
                yield self.found(f"the function @{name} ends in stablehlo.return", op, subject)
            else:
                yield self.found(
                    f"the function @{name} ends in stablehlo.return of {_listed(given)}, but gives "
                    f"{_listed(wanted)}",
                    op,
                    subject,
                    hint="return what the type of the function says, by func.return",
                    fixable=False,
                    severity="error",
                )

    def repair(self, finding: Finding, subject: Subject, /) -> bool:
        op = finding.at
        if op is None or not finding.fixable:
            return False
        with ir.InsertionPoint(op), op.location:
            ir.Operation.create(
                "func.return", operands=list(op.operands), attributes=attributes_of(op)
            )
        op.erase()
        return True


def _listed(types: Iterable[IrType]) -> str:
    return ", ".join(map(str, types)) or "nothing"
