"""Constants that reduction puts in the place of values, and how simple a constant is."""

from __future__ import annotations

import numpy as np

from dxir.constants import constant_type, is_splat, stored_as
from dxir.elements import elements_of
from dxir.errors import DxirError
from dxir.mlir import (
    IrAttribute,
    IrOperation,
    IrType,
    IrValue,
    TypeCache,
    decode_type,
    dense_elements,
    ir,
)
from dxir.reading import attribute
from dxir.types import TensorType

CONSTANT = "stablehlo.constant"
TRIVIAL = frozenset({CONSTANT, "stablehlo.create_token"})
"""The ops that stand for a value that is given, not computed."""


def literal(type: IrType, number: int, at: IrOperation) -> IrValue | None:
    """A constant of the type before an op, all of its elements the number; None if there is none.

    There is none of a type without a static shape, and of a token only the one that is new.
    """
    if str(type) == "!stablehlo.token":
        return _made("stablehlo.create_token", type, {}, at) if number == 0 else None
    value = splat_of(type, number)
    return None if value is None else _made(CONSTANT, type, {"value": value}, at)


def _made(name: str, type: IrType, attributes: dict[str, IrAttribute], at: IrOperation) -> IrValue:
    made = ir.Operation.create(
        name, results=[type], attributes=attributes, ip=ir.InsertionPoint(at), loc=at.location
    )
    return made.results[0]


def splat_of(type: IrType, number: int) -> IrAttribute | None:
    """The data of a constant of the type with one number for all elements."""
    try:
        known = decode_type(type)
    except DxirError:
        return None
    if not isinstance(known, TensorType) or not known.is_static:
        return None
    dtype = stored_as(known)
    one = np.asarray(number).astype(dtype.numpy)
    array = np.broadcast_to(one, known.static_shape)
    return dense_elements(array, known, TypeCache.of(type.context))


def weight(op: IrOperation) -> int:
    """How complicated the data of a constant is: zeros, ones, another splat, and the rest."""
    type = constant_type(op)
    if type is None:
        return 4
    if not is_splat(op, type):
        return 4 + type.size
    array = elements_of(attribute(op, "value"))
    if array is None:  # complex: the bindings have no class for it
        return _complex_weight(op)
    first = array.reshape(-1)[:1].astype(np.complex128)
    return 0 if not first.size or first[0] == 0 else 1 if first[0] == 1 else 2


def _complex_weight(op: IrOperation) -> int:
    text = str(op.get_asm(print_generic_op_form=True, large_elements_limit=1))
    numbers = text.partition("dense<(")[2].partition(")")[0].split(",")
    try:
        real, imaginary = (float(number) for number in numbers)
    except ValueError:  # printed as its bits
        return 2
    return {(0.0, 0.0): 0, (1.0, 0.0): 1}.get((real, imaginary), 2)
