"""Attributes that portable artifacts do not hold."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.compatibility import unversioned
from dxir.mlir import IrOperation
from dxir.reading import ops_below
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class UnversionedAttribute(Rule, id="portability-unversioned-attribute", severity="error"):
    """An attribute has no form in a portable artifact.

    The program is valid and runs where it was made, and cannot be written. A `backend_config` with
    a dense array is the usual case; strings, numbers, dense tensors, lists and dictionaries of
    these can be written.
    """

    remedy = "write numbers as a dense tensor or a list of integers"
    faulty = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @Sharding(%x) {
    api_version = 4 : i32, backend_config = {idx = array<i32: 0, 1, 2>}
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
    fixed = faulty.replace("array<i32: 0, 1, 2>", "dense<[0, 1, 2]> : tensor<3xi32>")

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        if subject.written.error is None:
            return
        root: IrOperation = subject.module.operation
        for op in (root, *ops_below(root)):
            for found in unversioned(op):
                # XLA's own composites have these; who allows other dialects can write them.
                own = op.name == "stablehlo.composite" and found.path.endswith("SegmentSizes")
                yield self.found(
                    found.message,
                    op,
                    subject,
                    hint=found.hint,
                    severity="note" if own else None,
                )
