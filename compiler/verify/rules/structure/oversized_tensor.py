"""Tensors of more bytes than can be counted."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from dxir.mlir import IrOperation, IrType, ir
from dxir.reading import walk
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject

_MOST_BYTES = 2**63 - 1


class OversizedTensor(Rule, id="structure-oversized-tensor", severity="error"):
    """A tensor has more bytes than a 64-bit number counts.

    No machine holds it, and MLIR's verifier does not count; XLA ends the process over it. A size
    that was computed wrongly, or -1 taken for a size, ends in such a shape.
    """

    remedy = "correct the shape; a size that is not known is written as `?`"
    faulty = """\
func.func @main(%x: tensor<f32>) -> tensor<8589934592x8589934592xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = []
    : (tensor<f32>) -> tensor<8589934592x8589934592xf32>
  return %0 : tensor<8589934592x8589934592xf32>
}
"""
    fixed = faulty.replace("8589934592", "512")

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        known: dict[IrType, bool] = {}
        found: list[tuple[IrOperation, IrType]] = []

        def visit(op: IrOperation) -> None:
            types = [value.type for value in op.results]
            for region in op.regions:
                types += [a.type for block in region.blocks for a in block.arguments]
            for type in types:
                if type not in known:
                    known[type] = _is_oversized(type)
                    if known[type]:
                        found.append((op, type))

        walk(subject.module, visit)
        for op, type in found:
            yield self.found(f"{type} has more than 2^63 bytes", op, subject)


def _is_oversized(type: IrType) -> bool:
    if not isinstance(type, ir.RankedTensorType):
        return False
    sizes = [type.get_dim_size(i) for i in range(type.rank) if not type.is_dynamic_dim(i)]
    element = type.element_type
    bits = element.width if isinstance(element, (ir.IntegerType, ir.FloatType)) else 8
    return 0 not in sizes and prod(sizes) * max(bits // 8, 1) > _MOST_BYTES
