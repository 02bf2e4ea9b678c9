"""Transposes that become part of the dimension numbers of a convolution."""

from __future__ import annotations

from collections.abc import Callable

from dxir.mlir import IrAttribute, IrOperation, stablehlo
from dxir.passes.rewrites.elementwise_layout import cancels
from dxir.passes.rewrites.shapes import inner, numbers, sizes, used_once
from dxir.pipeline.rewriting import Make, Result, Rules
from dxir.reading import annotations_of, attributes_of

RULES = Rules()

_CONVOLUTION = "stablehlo.convolution"
_TRANSPOSE = "stablehlo.transpose"
_NUMBERS = "dimension_numbers"

Move = Callable[[int], int]


def _stay(dimension: int) -> int:
    return dimension


def _renumbered(given: IrAttribute, input: Move, kernel: Move, output: Move) -> IrAttribute:
    n = stablehlo.ConvDimensionNumbers(given)
    return stablehlo.ConvDimensionNumbers.get(
        input_batch_dimension=input(n.input_batch_dimension),
        input_feature_dimension=input(n.input_feature_dimension),
        input_spatial_dimensions=[input(d) for d in n.input_spatial_dimensions],
        kernel_input_feature_dimension=kernel(n.kernel_input_feature_dimension),
        kernel_output_feature_dimension=kernel(n.kernel_output_feature_dimension),
        kernel_spatial_dimensions=[kernel(d) for d in n.kernel_spatial_dimensions],
        output_batch_dimension=output(n.output_batch_dimension),
        output_feature_dimension=output(n.output_feature_dimension),
        output_spatial_dimensions=[output(d) for d in n.output_spatial_dimensions],
    )


def _attributes(op: IrOperation, dimension_numbers: IrAttribute) -> dict[str, IrAttribute]:
    return attributes_of(op, without=annotations_of(op)) | {_NUMBERS: dimension_numbers}


@RULES.rule(_CONVOLUTION, over=(_TRANSPOSE,))
def convolution_of_transpose(op: IrOperation, make: Make) -> Result:
    """A convolution of transposed operands."""
    operands = list(op.operands)
    moves: list[Move] = [_stay, _stay]
    for position in (0, 1):
        transpose = inner(make, position, _TRANSPOSE)
        if transpose is None or sizes(transpose.operands[0]) is None:
            continue
        if not cancels(transpose):
            moves[position] = numbers(transpose, "permutation").__getitem__
            operands[position] = transpose.operands[0]
    if moves == [_stay, _stay] or sizes(op.results[0]) is None:
        return None
    renumbered = _renumbered(op.attributes[_NUMBERS], moves[0], moves[1], _stay)
    return make.op(_CONVOLUTION, op.results[0].type, *operands, **_attributes(op, renumbered))


@RULES.rule(_TRANSPOSE, over=(_CONVOLUTION,))
def transposed_convolution(op: IrOperation, make: Make) -> Result:
    """A convolution whose result is transposed, and not used otherwise."""
    first = inner(make, 0, _CONVOLUTION)
    if first is None or not used_once(op.operands[0]) or sizes(op.results[0]) is None:
        return None
    place = numbers(op, "permutation").index
    renumbered = _renumbered(first.attributes[_NUMBERS], _stay, _stay, place)
    return make.op(
        _CONVOLUTION, op.results[0].type, *first.operands, **_attributes(first, renumbered)
    )
