"""Random number generators whose state has the wrong size."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation, ir, stablehlo
from dxir.reading import attribute
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject

_WORDS = {"THREE_FRY": (2,), "PHILOX": (2, 3)}


class GeneratorState(Rule, id="structure-generator-state", severity="error"):
    """The state of a rng_bit_generator is not of the size that its algorithm has.

    THREE_FRY has a state of two 64-bit words, PHILOX of two or three. MLIR's verifier accepts any;
    XLA refuses others.
    """

    remedy = "give the algorithm a state of ui64: two for THREE_FRY, two or three for PHILOX"
    ops = ("stablehlo.rng_bit_generator",)
    faulty = """\
func.func @main(%state: tensor<4xui64>) -> (tensor<4xui64>, tensor<8xui32>) {
  %0, %1 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY
    : (tensor<4xui64>) -> (tensor<4xui64>, tensor<8xui32>)
  return %0, %1 : tensor<4xui64>, tensor<8xui32>
}
"""
    fixed = faulty.replace("tensor<4xui64>", "tensor<2xui64>")

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        given, type = attribute(op, "rng_algorithm"), op.operands[0].type
        if given is None or not isinstance(type, ir.RankedTensorType) or not type.has_static_shape:
            return
        algorithm = stablehlo.RngAlgorithmAttr(given).value
        sizes = _WORDS.get(algorithm)
        bits = type.element_type.width if isinstance(type.element_type, ir.IntegerType) else 0
        if sizes is None or (bits == 64 and type.rank == 1 and type.get_dim_size(0) in sizes):
            return
        words = " or ".join(str(size) for size in sizes)
        yield self.found(
            f"{algorithm} has a state of {words} words of 64 bits, not {type}", op, subject
        )
