"""References to functions and meshes that are not in the module."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.effects import CALLS, Known, named_by
from dxir.mlir import IrOperation
from dxir.reading import SHARDING, attribute, attribute_names, function_name, walk
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class MissingSymbol(Rule, id="structure-missing-symbol", severity="warning"):
    """An attribute names a function or a mesh that is not in the module.

    MLIR's verifier looks at what its own ops call, and at shardings, and at no attribute that some
    other tool reads; that tool stops, or ends the process. Calls have a rule of their own.
    """

    remedy = "add what is missing to the module, or take the reference out"
    faulty = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> attributes {acme.initializer = @setup} {
  return %x : tensor<2xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> attributes {acme.initializer = @setup} {
  return %x : tensor<2xf32>
}
func.func private @setup() {
  return
}
"""

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        symbols: set[str] = set()
        used: list[tuple[IrOperation, str, str]] = []
        known: Known = {}

        def visit(op: IrOperation) -> None:
            if not len(op.attributes):
                return
            for key in attribute_names(op):
                if key == _NAME:
                    symbols.add(function_name(op))
                elif key not in _VERIFIED and op.name not in CALLS:
                    used.extend((op, key, name) for name in named_by(attribute(op, key), known))

        walk(subject.module, visit)
        for op, key, name in used:
            if name not in symbols:
                yield self.found(f"{key} names @{name}, which is not there", op, subject)


_NAME = "sym_name"
_VERIFIED = (SHARDING, "value")
