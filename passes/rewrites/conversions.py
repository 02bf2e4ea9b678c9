"""Conversions between element types and the parts of complex numbers: chains that lose nothing."""

from __future__ import annotations

from dxir.mlir import IrOperation, IrType, IrValue, ir
from dxir.passes.rewrites.constants import FLOAT, INTEGER, kind_of
from dxir.passes.rewrites.matching import fitting, maker
from dxir.pipeline.rewriting import Make, Rules

RULES = Rules()

CONVERT, BITCAST = "stablehlo.convert", "stablehlo.bitcast_convert"
REAL, IMAG, COMPLEX = "stablehlo.real", "stablehlo.imag", "stablehlo.complex"

# Bits of precision, the exponent of the least subnormal number, and the greatest exponent.
_FLOATS = {
    "f16": (11, -24, 15),
    "bf16": (8, -133, 127),
    "f32": (24, -149, 127),
    "f64": (53, -1074, 1023),
}
# Small floats of which each number is one of all those.
_SMALL = frozenset(("f8E4M3FN", "f8E4M3", "f8E3M4", "f8E5M2", "f4E2M1FN"))


@RULES.rule(CONVERT, BITCAST)
def same_type(op: IrOperation, make: Make) -> IrValue | None:
    """A conversion to the same type is none."""
    return fitting(op, make.operands[0])


@RULES.rule(CONVERT)
def convert_converted(op: IrOperation, make: Make) -> IrValue | None:
    """A conversion to a type that holds all numbers of the first, and on from there, is one."""
    inner = maker(make, 0, (CONVERT,))
    if inner is None:
        return None
    value = inner.operands[0]
    first, between, last = _element(value), _element(inner.results[0]), _element(op.results[0])
    if first is None or between is None or last is None or not _holds(between, first):
        return None
    if first == last:
        return fitting(op, value)
    if not _holds(last, first) and not _depends_on_number_alone(first, last):
        return None
    return make.op(CONVERT, op.results[0].type, value)


def _depends_on_number_alone(first: IrType, last: IrType) -> bool:
    """Whether a number becomes the same one of type `last`, from whatever type it comes.

    So it does among integers, which wrap around, and where it is rounded to a float; a float out of
    the range of an integer becomes what the implementation likes. Compilers round large integers to
    small floats in two steps, by way of f32.
    """
    kind = kind_of(first)
    if isinstance(last, ir.IntegerType):
        return kind.family == INTEGER and last.width > 1
    precision = _FLOATS.get(str(last), (0,))[0]
    if kind.family == INTEGER:
        return precision >= 24 or (precision > 0 and kind.magnitude <= 24)
    return precision > 0 and kind.family == FLOAT


def _element(value: IrValue) -> IrType | None:
    type = value.type
    return type.element_type if isinstance(type, ir.RankedTensorType) else None


def _holds(outer: IrType, inner: IrType) -> bool:
    """Whether every number of the type `inner` is one of the type `outer`."""
    if outer == inner:
        return True
    if isinstance(inner, ir.ComplexType):
        return isinstance(outer, ir.ComplexType) and _holds(outer.element_type, inner.element_type)
    target = _FLOATS.get(str(outer))
    kind, into = kind_of(inner), kind_of(outer)
    if kind.family == INTEGER:
        if into.family == INTEGER:
            return into.lowest <= kind.lowest and kind.highest <= into.highest
        return target is not None and kind.magnitude <= min(target[0], target[2])
    source = _FLOATS.get(str(inner))
    if source is None or target is None:
        return target is not None and str(inner) in _SMALL
    return source[0] <= target[0] and source[1] >= target[1] and source[2] <= target[2]


@RULES.rule(BITCAST)
def bitcast_back(op: IrOperation, make: Make) -> IrValue | None:
    """Bits taken for another type and back are what they were."""
    inner = maker(make, 0, (BITCAST,))
    return None if inner is None else fitting(op, inner.operands[0])


@RULES.rule(REAL, IMAG)
def part_of_complex(op: IrOperation, make: Make) -> IrValue | None:
    """The real part of complex(a, b) is a, the imaginary part b; the real part of a real x is x."""
    inner = maker(make, 0, (COMPLEX,))
    if inner is not None:
        return fitting(op, inner.operands[0 if op.name == REAL else 1])
    return fitting(op, make.operands[0]) if op.name == REAL else None


@RULES.rule(COMPLEX)
def complex_of_parts(op: IrOperation, make: Make) -> IrValue | None:
    """complex(real(x), imag(x)) is x."""
    real, imag = maker(make, 0, (REAL,)), maker(make, 1, (IMAG,))
    if real is None or imag is None or real.operands[0] != imag.operands[0]:
        return None
    return fitting(op, real.operands[0])


@RULES.rule("stablehlo.reduce_precision")
def precision_reduced_already(op: IrOperation, make: Make) -> IrValue | None:
    """Rounding to the same format twice is rounding to it once."""
    inner = maker(make, 0, (op.name,))
    if inner is None or any(
        inner.attributes[name] != op.attributes[name] for name in ("exponent_bits", "mantissa_bits")
    ):
        return None
    return fitting(op, make.operands[0])
