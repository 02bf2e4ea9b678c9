"""Composites that do not go with their decompositions."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.effects import effectful_functions
from dxir.fingerprint import function_digests
from dxir.mlir import IrOperation, ir
from dxir.reading import attribute, attribute_text, ops_below, symbol
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject

_COMPOSITE = "stablehlo.composite"


class CompositeDecomposition(Rule, id="structure-composite-decomposition", severity="error"):
    """A composite and its decomposition are not the same thing.

    A composite passes its decomposition every operand and takes its results; MLIR's verifier looks
    at that and at the name. It does not look whether composites of one name, version and attributes
    have decompositions that compute the same: a target that has a kernel for the name runs it for
    both. Nor whether a decomposition has effects, which such a kernel leaves out.
    """

    remedy = "give each meaning a name, a version or attributes of its own"
    messages = (
        r"^(?:'stablehlo\.composite' op:? )?'[^']*' does not reference a valid function",
        r"(operand|result)\(s\), but decomposition has",
        r"(operand|result) at index \d+ has type .* but decomposition",
        r"must be a valid namespaced op name",
    )
    faulty = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "my.square" %x {decomposition = @square}
    : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @square(%scale: tensor<f32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.multiply %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
    fixed = faulty.replace("%scale: tensor<f32>, ", "")

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        if _COMPOSITE not in subject.op_counts:
            return
        ops = ops_below(subject.module.operation, (_COMPOSITE,))
        yield from self._unlike(ops, subject)
        effectful = effectful_functions(subject.module)
        bodyless = {call.callee for call in subject.calls.bodyless}
        for op in ops:
            callee = symbol(op, "decomposition")
            if callee is not None and callee in effectful and callee not in bodyless:
                yield self.found(
                    f"the decomposition @{callee} of {_label(op)} does more than compute its "
                    "results",
                    op,
                    subject,
                    hint="leave random numbers, communication and calls with effects outside of "
                    "composites",
                    severity="warning",
                )

    def _unlike(self, ops: list[IrOperation], subject: Subject) -> Iterator[Finding]:
        """The composites that are called as an earlier one is, and compute something else."""
        firsts: dict[tuple[str, ...], IrOperation] = {}
        pairs: list[tuple[IrOperation, IrOperation]] = []
        for op in ops:
            first = firsts.setdefault(_kind(op), op)
            if symbol(first, "decomposition") != symbol(op, "decomposition"):
                pairs.append((first, op))
        names = {symbol(op, "decomposition") or "" for pair in pairs for op in pair}
        digests = function_digests(subject.module, sorted(names)) if names else {}
        told: set[tuple[str, ...]] = set()
        for first, op in pairs:
            one, other = symbol(first, "decomposition") or "", symbol(op, "decomposition") or ""
            if digests.get(one) != digests.get(other) and (one, other) not in told:
                told.add((one, other))
                yield self.found(
                    f"{_label(op)} is @{other} here and @{one} elsewhere, which computes "
                    "something else",
                    op,
                    subject,
                    related=[(f"@{one} here", first)],
                    severity="warning",
                )


def _label(op: IrOperation) -> str:
    name = attribute(op, "name")
    return f"the composite {name.value if isinstance(name, ir.StringAttr) else '?'}"


def _kind(op: IrOperation) -> tuple[str, ...]:
    """What composites share that one kernel runs."""
    keys = ("name", "version", "composite_attributes")
    values = [attribute(op, key) for key in keys]
    types = [str(value.type) for value in (*op.operands, *op.results)]
    return (*("" if v is None else attribute_text(v) for v in values), *types)
