"""Values whose sizes are not known, and have no bound."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation, ir
from dxir.reading import is_public, signature, walk
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.sizes import data_sized, is_unbounded
from dxir.verify.subject import Subject


class UnboundedDynamism(Rule, id="portability-unbounded-dynamism", severity="warning"):
    """The size of a value depends on data, and no bound is stated.

    A program with parameters of unknown size can be specialized: once their shapes are known all
    others are, and compilers take it (of such parameters a note is made). A size that is computed
    from elements, such as how many of them are not zero, is known when the program has run that
    far, and most compilers, XLA among them, do not take it.
    """

    remedy = (
        "give the value its largest size and a mask, or a bound: "
        "tensor<?xf32, #stablehlo.bounds<8>>"
    )
    faulty = """\
func.func @main(%x: tensor<8xf32>, %n: tensor<1xi32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0> : tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %0 = stablehlo.real_dynamic_slice %x, %zero, %n, %one
    : (tensor<8xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<8xf32>, %n: tensor<i32>) -> tensor<8xf32> {
  %i = stablehlo.iota dim = 0 : tensor<8xi32>
  %all = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i32>) -> tensor<8xi32>
  %taken = stablehlo.compare LT, %i, %all : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  %zero = stablehlo.constant dense<0.0> : tensor<8xf32>
  %0 = stablehlo.select %taken, %x, %zero : tensor<8xi1>, tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        if not _has_unbounded(subject):
            return
        for function in subject.functions.values():
            unknown = [t for t in signature(function).inputs if is_unbounded(t)]
            if unknown and is_public(function):
                yield self.found(
                    f"{len(unknown)} parameter{'s' * (len(unknown) != 1)} of unknown size, such as "
                    f"{unknown[0]}",
                    function,
                    subject,
                    hint="program.specialize(...) gives the program its shapes; dxir.compile does "
                    "for each call",
                    severity="note",
                )
        for op in data_sized(subject.functions, subject.calls):
            result = next(value for value in op.results if is_unbounded(value.type))
            yield self.found(
                f"the size of the result of {op.name} depends on data: {result.type}", op, subject
            )


def _has_unbounded(subject: Subject) -> bool:
    """Whether any parameter or result of an op has a size that is not known."""
    found = False

    def visit(op: IrOperation) -> ir.WalkResult | None:
        nonlocal found
        if op.name == "func.func":
            found = any(is_unbounded(type) for type in signature(op).inputs)
        else:
            found = any(is_unbounded(value.type) for value in op.results)
        return ir.WalkResult.INTERRUPT if found else None

    walk(subject.module, visit)
    return found
