"""Spell out what arithmetic gives for operands that compilers treat in ways of their own.

    power(x, y)    ->  power(abs(x), y), with the sign, NaN, 0, 1 and infinities set right around it
    atan2(y, x)    ->  atan2(abs(y), x), with the sign, zeros and infinities set right around it
    cbrt(x)        ->  cbrt of finite x, and x otherwise
    convert(x)     ->  of floats as integers: convert(select(x is NaN, 0, clamp(least, x, most)))
    add(p, q)      ->  or(p, q), of booleans; likewise multiply, maximum, minimum, and comparisons

A negative base has a power where the exponent is an integer; numbers that an integer type does not
hold become the nearest that it holds, and NaN becomes 0; the sum of booleans is true where any is.
Compilers that compute `exp(y * log(x))` or let hardware convert give other values there. The values
of all other operands come from the same op as before.

Left alone: ops on complex numbers and on values of unknown size, f4, f6 and f8E8M0FNU, and what is
guarded already.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dxir.arithmetic import finfo
from dxir.elements import Array
from dxir.mlir import IrOperation, IrValue, decode_type, ir
from dxir.passes.building import AND, CLAMP, NOT, OR, SELECT, Building, known, made_by
from dxir.pipeline.base import Pass
from dxir.reading import attribute_text, is_dynamic, ops_below
from dxir.types import DType, TensorType

_ABS, _FINITE, _NEGATE = "stablehlo.abs", "stablehlo.is_finite", "stablehlo.negate"
_CONVERT, _COMPARE = "stablehlo.convert", "stablehlo.compare"
_UNGUARDED = ("f4e2m1fn", "f6e2m3fn", "f6e3m2fn", "f8e8m0fnu")


class GuardArithmetic(Pass, name="dxir-guard-arithmetic"):
    """Spell out power, atan2, cbrt, conversions and booleans where compilers differ."""

    def run(self, module: ir.Module) -> bool:
        with module.context, ir.Location.unknown():
            for op in ops_below(module.operation, _GUARDS):
                if any(is_dynamic(v.type) for v in (*op.operands, *op.results)):
                    continue
                guarded = _GUARDS[op.name](op)
                if guarded is not None:
                    make, value = guarded
                    self.count(f"{op.name.partition('.')[2]} ops guarded")
                    make.finish(value)
        return bool(self.statistics)


_Guarded = tuple[Building, IrValue] | None


def _type(value: IrValue) -> DType | None:
    """The element type of a tensor; None for one that is quantized."""
    type = decode_type(value.type)
    return type.dtype if isinstance(type, TensorType) and isinstance(type.dtype, DType) else None


def _is_real(value: IrValue) -> bool:
    found = _type(value)
    return found is not None and found.kind == "float" and found.name not in _UNGUARDED


def _power(op: IrOperation) -> _Guarded:
    x, y = op.operands
    if not _is_real(x) or (made_by(x, _ABS) and made_by(y, SELECT)):
        return None
    make = Building(op)
    one, zero = make.full(x.type, 1), make.full(x.type, 0)
    size, length = make.like(_ABS, x), make.like(_ABS, y)
    infinite = make.full(x.type, math.inf)
    none = make.compare("EQ", y, zero)
    found = make.like("stablehlo.power", size, make.select(none, one, y))
    half = make.like("stablehlo.multiply", y, make.full(x.type, 0.5))
    whole = make.compare("EQ", make.like("stablehlo.floor", y), y)
    split = make.compare("NE", make.like("stablehlo.floor", half), half)
    odd = make.like(AND, whole, split)
    negated = make.like(AND, _has_minus(make, x), odd)
    found = make.select(negated, make.like(_NEGATE, found), found)
    fraction = make.like(AND, make.compare("LT", x, zero), make.like(NOT, whole))
    fraction = make.like(AND, fraction, make.compare("LT", size, infinite))
    found = make.select(fraction, make.full(x.type, math.nan), found)
    unit = make.like(AND, make.compare("EQ", size, one), make.compare("EQ", length, infinite))
    is_one = make.like(OR, make.like(OR, none, make.compare("EQ", x, one)), unit)
    return make, make.select(is_one, one, found)


def _has_minus(make: Building, value: IrValue) -> IrValue:
    """Where the sign of a float is set, that of a zero, too."""
    width = ir.RankedTensorType(value.type).element_type
    bits = make.of(value, ir.IntegerType.get_signless(ir.FloatType(width).width))
    raw = make.op("stablehlo.bitcast_convert", bits, value)
    return make.compare("LT", raw, make.full(bits, 0))


def _atan2(op: IrOperation) -> _Guarded:
    y, x = op.operands
    if not _is_real(x) or (made_by(y, _ABS) and made_by(x, SELECT)):
        return None
    make = Building(op)
    zero, infinite = make.full(x.type, 0), make.full(x.type, math.inf)
    height = make.like(_ABS, y)
    flat = make.like(AND, make.compare("EQ", y, zero), make.compare("EQ", x, x))
    far = make.like(
        AND,
        make.compare("EQ", height, infinite),
        make.compare("EQ", make.like(_ABS, x), infinite),
    )
    special = make.like(OR, flat, far)
    found = make.like("stablehlo.atan2", height, make.select(special, make.full(x.type, 1), x))
    behind = _has_minus(make, x)
    along = make.select(behind, make.full(x.type, math.pi), zero)
    corner = make.select(
        behind, make.full(x.type, 0.75 * math.pi), make.full(x.type, 0.25 * math.pi)
    )
    found = make.select(special, make.select(flat, along, corner), found)
    return make, make.select(_has_minus(make, y), make.like(_NEGATE, found), found)


def _cbrt(op: IrOperation) -> _Guarded:
    x = op.operands[0]
    inner = made_by(x, SELECT)
    if not _is_real(x) or (inner is not None and made_by(inner.operands[0], _FINITE)):
        return None
    make = Building(op)
    finite = make.op(_FINITE, make.of(x, ir.IntegerType.get_signless(1)), x)
    nonzero = make.compare("NE", x, make.full(x.type, 0))
    plain = make.like(AND, finite, nonzero)
    safe = make.select(finite, make.select(plain, x, make.full(x.type, 1)), make.full(x.type, 1))
    return make, make.select(plain, make.like("stablehlo.cbrt", safe), x)


def _convert(op: IrOperation) -> _Guarded:
    x, result = op.operands[0], op.results[0]
    target = _type(result)
    if not _is_real(x) or target is None or target.kind not in ("int", "uint"):
        return None
    low, high, least, most = _bounds(x, target)
    if _is_bounded(x, low, high):
        return None
    make = Building(op)
    if ir.FloatType(ir.RankedTensorType(x.type).element_type).width < 16:
        x = make.op(_CONVERT, make.of(x, ir.F32Type.get()), x)
        low, high, least, most = _bounds(x, target)
    bottom, top = make.full(x.type, low), make.full(x.type, high)
    held = make.op(CLAMP, x.type, bottom, x, top)
    nothing = make.compare("NE", x, x)
    given = make.op(_CONVERT, result.type, make.select(nothing, make.full(x.type, 0), held))
    # Where no float is the limit of the type itself, what is beyond is that limit all the same.
    if low != least:
        given = make.select(make.compare("LT", x, bottom), make.full(result.type, least), given)
    if high != most:
        given = make.select(make.compare("GT", x, top), make.full(result.type, most), given)
    return make, given


def _bounds(x: IrValue, target: DType) -> tuple[float, float, int, int]:
    """The least and greatest floats that an integer type holds, and its own limits."""
    least = 0 if target.is_unsigned else -(1 << (target.bits - 1))
    most = (1 << (target.bits - (not target.is_unsigned))) - 1
    dtype = _type(x)
    assert dtype is not None
    return _toward_zero(least, dtype), _toward_zero(most, dtype), least, most


def _toward_zero(number: int, dtype: DType) -> float:
    """The float nearest to an integer that is no further from zero."""
    largest = int(float(finfo(dtype).max))
    sign = -1 if number < 0 else 1
    size = min(abs(number), largest)
    precision = finfo(dtype).nmant + 1
    cut = max(size.bit_length() - precision, 0)
    return float(sign * (size >> cut << cut))


def _is_bounded(x: IrValue, low: float, high: float) -> bool:
    """Whether a value is 0 for NaN, and within these bounds otherwise."""
    select = made_by(x, SELECT)
    clamp = None if select is None else made_by(select.operands[2], CLAMP)
    if select is None or clamp is None:
        return False
    nothing = made_by(select.operands[0], _COMPARE)
    if nothing is None or nothing.operands[0] != nothing.operands[1]:
        return False
    if nothing.operands[0] != clamp.operands[1]:
        return False
    bounds = [known(v) for v in (clamp.operands[0], clamp.operands[2], select.operands[1])]
    return all(
        found is not None and _all_are(found, wanted)
        for found, wanted in zip(bounds, (low, high, 0), strict=True)
    )


def _all_are(found: Array, number: float) -> bool:
    return bool((found.astype(np.float64) == number).all())


_LOGIC = {
    "stablehlo.add": OR,
    "stablehlo.maximum": OR,
    "stablehlo.multiply": AND,
    "stablehlo.minimum": AND,
}
# Which of two booleans is negated, and what then joins them.
_ORDER = {"GT": (1, AND), "GE": (1, OR), "LT": (0, AND), "LE": (0, OR)}


def _is_boolean(value: IrValue) -> bool:
    found = _type(value)
    return found is not None and found.is_bool


def _logic(op: IrOperation) -> _Guarded:
    if not _is_boolean(op.operands[0]):
        return None
    make = Building(op)
    return make, make.like(_LOGIC[op.name], *op.operands)


def _order(op: IrOperation) -> _Guarded:
    text = attribute_text(op.attributes["comparison_direction"])
    found = next((rule for name, rule in _ORDER.items() if f"direction {name}>" in text), None)
    if found is None or not _is_boolean(op.operands[0]):
        return None
    negated, joined = found
    make = Building(op)
    values: list[Any] = list(op.operands)
    values[negated] = make.like(NOT, values[negated])
    return make, make.like(joined, *values)


_GUARDS: dict[str, Callable[[IrOperation], _Guarded]] = {
    "stablehlo.power": _power,
    "stablehlo.atan2": _atan2,
    "stablehlo.cbrt": _cbrt,
    _CONVERT: _convert,
    _COMPARE: _order,
    **dict.fromkeys(_LOGIC, _logic),
}
