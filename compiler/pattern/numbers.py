"""The numbers in a program: values that are one number everywhere, however they are computed."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from dxir.elements import elements_of
from dxir.errors import DxirError
from dxir.mlir import IrType, IrValue, ir, stablehlo
from dxir.pattern.view import (
    BROADCAST,
    CALLS,
    CONVERT,
    RESHAPE,
    TRANSPOSE,
    Maker,
    Scope,
    Seen,
    View,
)
from dxir.reading import attribute
from dxir.types import DType

_Claim = tuple[Maker, Scope | None]

_UNARY: dict[str, Callable[[float], float]] = {
    "stablehlo.sqrt": math.sqrt,
    "stablehlo.rsqrt": lambda a: 1 / math.sqrt(a),
    "stablehlo.negate": lambda a: -a,
    CONVERT: lambda a: a,
}
_BINARY: dict[str, Callable[[float, float], float]] = {
    "stablehlo.add": lambda a, b: a + b,
    "stablehlo.subtract": lambda a, b: a - b,
    "stablehlo.multiply": lambda a, b: a * b,
    "stablehlo.divide": lambda a, b: a / b,
    "stablehlo.power": lambda a, b: a**b,
    "stablehlo.and": lambda a, b: float(int(a) & int(b)),
    "stablehlo.or": lambda a, b: float(int(a) | int(b)),
}
_COMPARE, _SELECT = "stablehlo.compare", "stablehlo.select"
_COMPARED: dict[str, Callable[[float, float], bool]] = {
    "EQ": operator.eq, "NE": operator.ne, "LT": operator.lt, "LE": operator.le,
    "GT": operator.gt, "GE": operator.ge,
}  # fmt: skip
_ARITHMETIC = frozenset(
    f"stablehlo.{name}" for name in ("add", "divide", "multiply", "negate", "subtract")
)
_SPREADS = frozenset((BROADCAST, RESHAPE, TRANSPOSE))
_COMPUTED = frozenset((*_UNARY, *_BINARY, _COMPARE, _SELECT))
NUMERIC = _COMPUTED | {"stablehlo.constant"}
"""The ops that make numbers, below all layout and calls."""

_DEEPEST = 6
_DEEPEST_SUM = 30


def number_of(view: View, seen: Seen) -> tuple[float, list[_Claim]] | None:
    """The number that a value is in every element, and the ops that make it; None for others.

    Numbers computed from numbers (`1 / sqrt(64)`) are computed here, in double precision.
    """
    key = (seen.value, seen.scope)
    if key not in view.numbers:
        view.numbers[key] = _number(view, seen.value, seen.scope, 0)
    found: Any = view.numbers[key]
    return found  # type: ignore[no-any-return]


def holds_number(view: View, value: IrValue, scope: Scope | None, depth: int = 0) -> bool:
    """Whether a number is among what is multiplied, divided or added up to a value.

    What is deeper than any formula may be one.
    """
    key = (value, scope)
    known = view.holds.get(key)
    if known is None:
        if depth > _DEEPEST_SUM:
            return True
        view.holds[key] = False  # nothing is part of itself
        known = number_of(view, Seen(value, (), scope)) is not None
        for maker, inner in view.levels(value, scope) if not known else ():
            if maker.name in _ARITHMETIC:
                known = any(holds_number(view, v, inner, depth + 1) for v in maker.operands)
                break
        view.holds[key] = known
    return known


def _number(
    view: View, value: IrValue, scope: Scope | None, depth: int
) -> tuple[float, list[_Claim]] | None:
    claims: list[_Claim] = []
    while True:
        maker = view.maker(value)
        if maker is None:
            outside = view.given(value, scope)
            if outside is None:
                return None
            value, scope = outside
            continue
        claims.append((maker, scope))
        if maker.name in CALLS:
            inside = view.returned(maker, value, scope)
            if inside is None:
                return None
            value, scope = inside
        elif maker.name in _SPREADS:
            value = maker.operands[0]
        else:
            break
    if maker.name == "stablehlo.constant":
        number = splat(maker)
        return None if number is None else (number, claims)
    return _computed(view, maker, scope, depth, claims)


def _computed(
    view: View, maker: Maker, scope: Scope | None, depth: int, claims: list[_Claim]
) -> tuple[float, list[_Claim]] | None:
    if depth >= _DEEPEST or maker.name not in _COMPUTED:
        return None
    operands: list[float] = []
    for value in maker.operands:
        found = _number(view, value, scope, depth + 1)
        if found is None:
            return None
        operands.append(found[0])
        claims += found[1]
    try:
        if maker.name in _UNARY:
            number: object = _UNARY[maker.name](operands[0])
        elif maker.name == _COMPARE:
            number = float(_COMPARED[_direction(maker)](operands[0], operands[1]))
        elif maker.name == _SELECT:
            number = operands[1] if operands[0] else operands[2]
        else:
            number = _BINARY[maker.name](operands[0], operands[1])
    except (ValueError, ArithmeticError):
        return None
    if not isinstance(number, float):
        return None
    rounded = round_to(maker.key.type, number)
    return None if rounded is None else (rounded, claims)


def _direction(maker: Maker) -> str:
    return stablehlo.ComparisonDirectionAttr(maker.op.attributes["comparison_direction"]).value


def round_to(type: IrType, number: float) -> float | None:
    """A number as a tensor of a type holds it: rounded, cut off, or wrapped; None where unknown."""
    try:
        element = type.element_type if isinstance(type, ir.RankedTensorType) else type
        dtype = DType.of(str(element))
    except DxirError:
        return None
    if dtype.is_float:
        with np.errstate(all="ignore"):
            return float(np.float64(number).astype(dtype.numpy))
    if dtype.is_bool:
        return float(number != 0)
    if not dtype.is_integer or not math.isfinite(number):
        return None
    whole = math.trunc(number) % 2**dtype.bits
    signed = not dtype.is_unsigned and whole >= 2 ** (dtype.bits - 1)
    return float(whole - 2**dtype.bits if signed else whole)


def extremes(type: IrType) -> tuple[float, float]:
    """The least and the greatest finite number of the elements of a type; infinities if unknown."""
    try:
        element = type.element_type if isinstance(type, ir.RankedTensorType) else type
        dtype = DType.of(str(element))
        if dtype.is_float:
            found = ml_dtypes.finfo(dtype.numpy)  # type: ignore[no-untyped-call]
            return float(found.min), float(found.max)
        if dtype.is_integer and not dtype.is_bool:
            whole = ml_dtypes.iinfo(dtype.numpy)  # type: ignore[no-untyped-call]
            return float(whole.min), float(whole.max)
    except (DxirError, ValueError):
        pass
    return -math.inf, math.inf


def splat(maker: Maker) -> float | None:
    """The number of a constant that is one number everywhere, and real."""
    known = maker.memory.get("splat", maker)
    if known is maker:
        known = maker.memory["splat"] = _splat(maker)
    assert known is None or isinstance(known, float | int)
    return known


def _splat(maker: Maker) -> float | None:
    found = attribute(maker.op, "value")
    if not isinstance(found, ir.DenseElementsAttr) or not found.is_splat:
        return None
    element = found.type
    if not isinstance(element, ir.RankedTensorType):
        return None
    if isinstance(found, ir.DenseIntElementsAttr | ir.DenseFPElementsAttr):
        try:
            scalar = found.get_splat_value()
        except (TypeError, ValueError, RuntimeError):
            return None
        if isinstance(scalar, ir.FloatAttr | ir.IntegerAttr):
            return float(scalar.value)
        if isinstance(scalar, ir.BoolAttr):
            return float(scalar.value)
    array = elements_of(found)
    if array is None or array.dtype.kind == "c" or not array.size:
        return None
    return float(array.reshape(-1)[0])
