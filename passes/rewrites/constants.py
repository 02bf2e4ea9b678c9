"""Constants as rules see them: one number in every element, whatever the element type.

A number that is broadcast, reshaped or transposed is seen through. Constants of quantized types,
those kept as resources, and those with several different elements are no numbers to anybody here.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any, NamedTuple

from dxir.elements import elements_of_text
from dxir.mlir import IrAttribute, IrOperation, IrType, IrValue, ir
from dxir.pipeline.rewriting import Make
from dxir.reading import annotations_of

Number = int | float | complex

CONSTANT = "stablehlo.constant"
SPREADS = frozenset(
    (
        "stablehlo.broadcast_in_dim",
        "stablehlo.broadcast",
        "stablehlo.reshape",
        "stablehlo.transpose",
        "stablehlo.dynamic_broadcast_in_dim",
    )
)
CONSTANTS = SPREADS | {CONSTANT}
"""The ops whose results may be the same number everywhere."""

_MOST_SPREADS = 8
_COMPLEX_SPLAT = "dense<("


class Element(NamedTuple):
    """The element type of a tensor: its family, its size, and whether it has a sign."""

    family: str
    bits: int = 0
    signed: bool = True

    @property
    def lowest(self) -> int:
        """The least integer."""
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def highest(self) -> int:
        """The greatest integer."""
        return (1 << self.magnitude) - 1

    @property
    def magnitude(self) -> int:
        """How many bits an integer has beside its sign."""
        return self.bits - self.signed

    def wrapped(self, number: int) -> int:
        """The integer modulo two to the power of the size, as the type shows it."""
        return (number - self.lowest) % (1 << self.bits) + self.lowest


INTEGER, FLOAT, COMPLEX, OTHER = "integer", "float", "complex", "other"


def element_of(type: IrType) -> Element:
    """What a type is a tensor of; OTHER for quantized ones and for what is no tensor.

    Booleans are unsigned integers of one bit.
    """
    return kind_of(type.element_type) if isinstance(type, ir.RankedTensorType) else Element(OTHER)


def kind_of(element: IrType) -> Element:
    """What an element type is."""
    if isinstance(element, ir.IntegerType):
        width = element.width
        return Element(INTEGER, width, width > 1 and not element.is_unsigned)
    if isinstance(element, ir.FloatType):
        return Element(FLOAT, element.width)
    return Element(COMPLEX if isinstance(element, ir.ComplexType) else OTHER)


def element(op: IrOperation) -> Element:
    """What the first result of an op is a tensor of."""
    return element_of(op.results[0].type)


def is_constant(make: Make, position: int) -> bool:
    """Whether an operand is a constant, or the broadcast of one."""
    return _constant(make, position) is not None


def _constant(make: Make, position: int) -> IrOperation | None:
    name, op = make.makers[position]
    return op if name == CONSTANT else constant_of(op) if op and name in SPREADS else None


def constant_of(op: IrOperation) -> IrOperation | None:
    """The constant that an op is, or spreads over more elements."""
    for _ in range(_MOST_SPREADS):
        name = op.name
        if name == CONSTANT:
            return op
        owner = op.operands[0].owner if name in SPREADS else None
        if owner is None or isinstance(owner, ir.Block):
            return None
        op = owner.operation
    return None


def number_of(make: Make, position: int) -> Number | None:
    """The number that is every element of an operand; None when there is none.

    Integers are as their type shows them; booleans are 0 and 1.
    """
    constant = _constant(make, position)
    return None if constant is None else number_in(make, constant)


def splat(make: Make, value: IrValue) -> Number | None:
    """The number that is every element of any value; None when there is none."""
    owner = value.owner
    constant = None if isinstance(owner, ir.Block) else constant_of(owner.operation)
    return None if constant is None else number_in(make, constant)


def number_in(make: Make, constant: IrOperation) -> Number | None:
    """The number that is every element of a constant op."""
    type = constant.results[0].type
    if element_of(type).family == COMPLEX:
        return _complex_in(constant)
    attribute = constant.attributes["value"]
    key = attribute, type
    if key not in make.memory:
        make.memory[key] = _read(attribute, type)
    found: Number | None = make.memory[key]
    return found


def _read(attribute: IrAttribute, type: IrType) -> Number | None:
    if not isinstance(attribute, ir.DenseIntElementsAttr | ir.DenseFPElementsAttr):
        return None
    # A quantized constant holds what is stored, which is another number.
    if not attribute.is_splat or attribute.type != type:
        return None
    scalar: Any = attribute.get_splat_value()
    return int(scalar.value) if isinstance(attribute, ir.DenseIntElementsAttr) else scalar.value


def _complex_in(constant: IrOperation) -> complex | None:
    # The bindings cannot hand out complex constants. A copy outside of its function prints without
    # numbering all that is in there, and without the elements where they are many.
    copy = constant.clone().operation
    for name in annotations_of(copy):
        del copy.attributes[name]
    text = str(copy.get_asm(large_elements_limit=1, assume_verified=True)).rstrip()
    value = text.partition(f"{CONSTANT} ")[2]
    array = elements_of_text(value) if value.startswith(_COMPLEX_SPLAT) else None
    return None if array is None or not array.size else complex(array.reshape(-1)[0])


def integer(make: Make, position: int) -> int | None:
    """The integer that is every element of an operand."""
    found = number_of(make, position)
    return found if isinstance(found, int) else None


def is_zero(number: Number | None) -> bool:
    """Whether a number is zero, of either sign."""
    return number is not None and number == 0


def is_plus_zero(number: Number | None) -> bool:
    """Whether a number is the zero that does not carry a minus, in both parts of a complex one."""
    return _both(number, lambda x: x == 0 and math.copysign(1, x) > 0)


def is_minus_zero(number: Number | None) -> bool:
    """Whether a number is what leaves all others alone when added: 0, of floats -0.0."""
    if isinstance(number, int):
        return number == 0
    return _both(number, lambda x: x == 0 and math.copysign(1, x) < 0)


def _both(number: Number | None, holds: Callable[[float], bool]) -> bool:
    if number is None:
        return False
    if isinstance(number, complex):
        return holds(number.real) and holds(number.imag)
    return holds(number)


def is_nan(number: Number | None) -> bool:
    """Whether a number is none."""
    return number is not None and cmath.isnan(number)


def full(make: Make, type: IrType, number: int | float) -> IrValue | None:
    """A constant of that number in every element; None for a type that has no such constant.

    Nothing is made for types with dynamic sizes, and of complex and quantized elements.
    """
    found = element_of(type)
    if not can_fill(type):
        return None
    assert isinstance(type, ir.RankedTensorType)
    scalar: Any
    if found.family == INTEGER:
        signed = Element(INTEGER, found.bits).wrapped(int(number)) if found.bits > 1 else number
        scalar = ir.IntegerAttr.get(type.element_type, int(signed))
    else:
        scalar = ir.FloatAttr.get(type.element_type, float(number), loc=make.location)
    return make.op(CONSTANT, type, value=ir.DenseElementsAttr.get_splat(type, scalar))


def can_fill(type: IrType) -> bool:
    """Whether `full` makes constants of the type."""
    return (
        isinstance(type, ir.RankedTensorType)
        and type.has_static_shape
        and type.encoding is None
        and element_of(type).family in (INTEGER, FLOAT)
    )
