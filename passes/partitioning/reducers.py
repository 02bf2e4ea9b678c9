"""What a region combines two values by, and whether parts of what it reduces may be combined."""

from __future__ import annotations

from typing import Any

from dxir.combiners import combiner_of
from dxir.mlir import IrOperation, IrValue, ir
from dxir.reading import attribute, maker_of

_KINDS = {"add": "SUM", "maximum": "MAX", "minimum": "MIN"}
_CONSTANTS = frozenset({"stablehlo.constant", "sdy.constant"})


def reduction_of(op: IrOperation) -> str | None:
    """SUM, MAX or MIN when the region of a reduction or scatter of one operand is just that."""
    return _KINDS.get(combiner_of(op))


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
