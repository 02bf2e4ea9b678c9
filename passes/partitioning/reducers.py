"""What a region combines two values by, and whether parts of what it reduces may be combined."""

from __future__ import annotations

from typing import Any

from dxir.mlir import IrOperation, IrValue, ir
from dxir.reading import attribute, maker_of, terminator

_KINDS = {"stablehlo.add": "SUM", "stablehlo.maximum": "MAX", "stablehlo.minimum": "MIN"}
_CONSTANTS = frozenset({"stablehlo.constant", "sdy.constant"})


def reduction_of(op: IrOperation) -> str | None:
    """SUM, MAX or MIN when the region of a reduction or scatter of one operand is just that."""
    if not len(op.regions) or len(op.regions[0].blocks) != 1:
        return None
    block = op.regions[0].blocks[0]
    operations = list(block.operations)
    if len(operations) != 2 or len(block.arguments) != 2:
        return None
    body, end = operations[0].operation, terminator(block)
    kind = _KINDS.get(body.name)
    if kind is None or list(end.operands) != list(body.results):
        return None
    if {*body.operands} != {*block.arguments}:
        return None
    return kind


def is_simple_reduction(op: IrOperation) -> bool:
    """Whether what is reduced may be split: a sum, maximum or minimum that starts from nothing.

    Shardy takes any reduction for one, on jaxlib 0.10 as a sum where it says no more, and leaves
    some uncombined on 0.12.
    """
    kind = reduction_of(op)
    if kind is None or len(op.operands) != 2:
        return False
    type = ir.RankedTensorType(op.operands[0].type)
    element = type.element_type
    if isinstance(element, ir.IntegerType):
        if element.width == 1:
            return False
    elif not isinstance(element, ir.FloatType) and not (
        kind == "SUM" and isinstance(element, ir.ComplexType)
    ):
        return False
    # A maximum may take what it starts from several times; a sum may not.
    return kind != "SUM" or _is_zero(op.operands[1])


def _is_zero(value: IrValue) -> bool:
    made = maker_of(value)
    if made is None or made.name not in _CONSTANTS:
        return False
    given = attribute(made, "value")
    if given is None:  # of complex numbers, which the bindings cannot hand out
        return "dense<(0.000000e+00,0.000000e+00)>" in str(made)
    number = _number(given)
    return number is not None and number == 0


def _number(given: Any) -> Any:
    """The one number of a constant, or None."""
    if not isinstance(given, ir.DenseElementsAttr) or not given.is_splat:
        return None
    try:
        splat: Any = given.get_splat_value()
        return splat.value
    except (AttributeError, TypeError, ValueError, RuntimeError):
        return None
