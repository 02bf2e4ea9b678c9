"""Spell out what integers give where XLA ends the process, or computes something else.

    divide(x, y)     ->  select(y == 0, -1, divide(x, select(y == 0, 1, y)))
    remainder(x, y)  ->  select(y == 0, x, remainder(x, select(y == 0, 1, y)))
    power(x, y)      ->  power(x, y & 63) * power(x ** 64, (y >> 6) & 63) * ...

XLA computes ops on constants when it compiles, and an integer that it divides by zero there ends
the process, be the quotient used or not. What is divided when the program runs has the values
above already. Of an exponent, XLA takes the six lowest bits. (jaxlib 0.10.2, 0.12.0.1)

Left alone: divisors that are known and not zero, exponents that are known and less than 64, and
values of unknown size.
"""

from __future__ import annotations

from dxir.mlir import IrOperation, IrValue, decode_type, ir
from dxir.passes.building import AND, SELECT, Building, known, made_by
from dxir.pipeline.base import Pass
from dxir.reading import is_dynamic, ops_below
from dxir.types import DType, TensorType

_DIVIDE, _POWER, _MULTIPLY = "stablehlo.divide", "stablehlo.power", "stablehlo.multiply"
_REMAINDER = "stablehlo.remainder"
_BITS = 6


class GuardIntegers(Pass, name="dxir-guard-integers"):
    """Spell out integers divided by zero, and raised to powers beyond 63."""

    def run(self, module: ir.Module) -> bool:
        with module.context, ir.Location.unknown():
            for op in ops_below(module.operation, (_DIVIDE, _REMAINDER, _POWER)):
                dtype = _integer(op.results[0])
                if dtype is None or is_dynamic(op.results[0].type):
                    continue
                guarded = _power(op, dtype) if op.name == _POWER else _division(op)
                if guarded is not None:
                    make, value = guarded
                    self.count(f"{op.name.partition('.')[2]} ops guarded")
                    make.finish(value)
        return bool(self.statistics)


def _integer(value: IrValue) -> DType | None:
    type = decode_type(value.type)
    dtype = type.dtype if isinstance(type, TensorType) else None
    return dtype if isinstance(dtype, DType) and dtype.is_integer else None


def _division(op: IrOperation) -> tuple[Building, IrValue] | None:
    x, y = op.operands
    numbers = known(y)
    if (numbers is not None and numbers.all()) or _is_nonzero(y):
        return None
    make = Building(op)
    is_zero = make.compare("EQ", y, make.full(y.type, 0))
    found = make.like(op.name, x, make.select(is_zero, make.full(y.type, 1), y))
    return make, make.select(is_zero, make.full(x.type, -1) if op.name == _DIVIDE else x, found)


def _is_nonzero(value: IrValue) -> bool:
    """Whether a value is 1 where what it was made of is 0."""
    select = made_by(value, SELECT)
    compare = None if select is None else made_by(select.operands[0], "stablehlo.compare")
    if select is None or compare is None or compare.operands[0] != select.operands[2]:
        return False
    zero, one = known(compare.operands[1]), known(select.operands[1])
    return zero is not None and not zero.any() and one is not None and bool(one.all())


def _power(op: IrOperation, dtype: DType) -> tuple[Building, IrValue] | None:
    x, y = op.operands
    bits = dtype.bits - (not dtype.is_unsigned)
    numbers = known(y)
    if bits <= _BITS or _is_low(y) or (numbers is not None and (numbers < 1 << _BITS).all()):
        return None
    make = Building(op)
    zero, low = make.full(y.type, 0), make.full(y.type, (1 << _BITS) - 1)
    first = make.like(AND, y, low)
    if not dtype.is_unsigned:
        negative = make.compare("LT", y, zero)
        first = make.select(negative, y, first)
        y = make.select(negative, zero, y)
    found = make.like(_POWER, x, first)
    for shift in range(_BITS, bits, _BITS):
        for _ in range(_BITS):
            x = make.like(_MULTIPLY, x, x)
        rest = make.like("stablehlo.shift_right_logical", y, make.full(y.type, shift))
        found = make.like(_MULTIPLY, found, make.like(_POWER, x, make.like(AND, rest, low)))
    return make, found


def _is_low(exponent: IrValue) -> bool:
    """Whether an exponent was cut to its lowest bits, where it is not negative."""
    select = made_by(exponent, SELECT)
    cut = made_by(exponent if select is None else select.operands[2], AND)
    mask = None if cut is None else known(cut.operands[1])
    return mask is not None and bool((mask == (1 << _BITS) - 1).all())
