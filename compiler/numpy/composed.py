"""Functions of each element that take several ops, or are trivial for some element types."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import Any

import ml_dtypes

from dxir import ops
from dxir.errors import DTypeError
from dxir.locations import caller_location
from dxir.numpy.arguments import inexact, public
from dxir.numpy.elementwise import check_kind, named, truth
from dxir.numpy.promotion import array_of, as_type, pair, promoted, scalar_kind
from dxir.tracing.arrays import Array
from dxir.types import DType, i1

_finfo: Any = ml_dtypes.finfo  # has no types
_REAL = "int uint float"
_FLOAT = "float"


def _floats(x1: Any, x2: Any, name: str) -> tuple[Array, Array, bool]:
    a, b = promoted(x1, x2)
    check_kind(a, _REAL + " bool", name)
    a, b = inexact(a), inexact(b)
    return a, b, a.weak and b.weak


def _kept(found: Any, weak: bool) -> Array:
    result: Array = found
    result.weak = weak
    return result


def _number(value: float, dtype: DType) -> Any:
    return dtype.numpy.type(value)


def atan2(x1: Any, x2: Any, /) -> Array:
    """The angle of the point (x2, x1), between -pi and pi."""
    a, b, weak = _floats(x1, x2, "atan2")
    return _kept(ops.atan2(a, b), weak)


def nextafter(x1: Any, x2: Any, /) -> Array:
    """The next float after the first, towards the second."""
    a, b, _ = _floats(x1, x2, "nextafter")
    return ops.next_after(a, b)


def hypot(x1: Any, x2: Any, /) -> Array:
    """The length of the vector (x1, x2), without overflow on the way."""
    a, b, weak = _floats(x1, x2, "hypot")
    a, b = ops.abs(a), ops.abs(b)
    large, small = ops.max(a, b), ops.min(a, b)
    plain = ops.compare(large, 0, direction="EQ")
    ratio = ops.div(small, ops.select(plain, _number(1, a.dtype), large))
    length = ops.mul(large, ops.sqrt(ops.add(ops.mul(ratio, ratio), 1)))
    endless = ops.or_(ops.is_inf(a), ops.is_inf(b))
    return _kept(ops.select(endless, _number(math.inf, a.dtype), length), weak)


def logaddexp(x1: Any, x2: Any, /) -> Array:
    """log(exp(x1) + exp(x2)), without overflow on the way."""
    a, b, weak = _floats(x1, x2, "logaddexp")
    same = ops.compare(a, b, direction="EQ")  # of two infinities the difference is NaN
    apart = ops.select(same, _number(0, a.dtype), ops.sub(a, b))
    return _kept(ops.add(ops.max(a, b), ops.log1p(ops.exp(ops.neg(ops.abs(apart))))), weak)


def copysign(x1: Any, x2: Any, /) -> Array:
    """The magnitude of the first with the sign of the second, also of -0.0 and NaN."""
    a, b, weak = _floats(x1, x2, "copysign")
    size = ops.abs(a)
    return _kept(ops.select(signbit(b), ops.neg(size), size), weak)


def signbit(x: Any, /) -> Array:
    """Whether the sign is set, as it is of -0.0."""
    array = array_of(x)
    check_kind(array, _REAL, "signbit")
    if array.dtype.is_unsigned:
        return _everywhere(array, False)
    if array.dtype.is_float:
        array = ops.bitcast_convert(array, dtype=f"i{array.dtype.bits}")
    return ops.compare(array, 0, direction="LT")


def _everywhere(x: Array, value: bool) -> Array:
    """One truth value for each element."""
    direction = "EQ" if value else "NE"
    plain = x if x.dtype.is_bool or x.dtype.is_integer else ops.is_finite(x)
    return ops.compare(plain, plain, direction=direction)


def _rounding(op: Callable[[Array], Array], name: str, summary: str) -> Callable[[Any], Array]:
    def function(x: Any, /) -> Array:
        array = array_of(x)
        check_kind(array, _REAL, name)
        return array if array.dtype.is_integer else _kept(op(array), array.weak)

    found: Callable[[Any], Array] = named(function, name, summary)
    return found


def _trunc(x: Array) -> Array:
    below = ops.compare(x, 0, direction="LT")
    return ops.select(below, ops.ceil(x), ops.floor(x))


ceil = _rounding(ops.ceil, "ceil", "The least integer that is not less.")
floor = _rounding(ops.floor, "floor", "The greatest integer that is not more.")
trunc = _rounding(_trunc, "trunc", "The integer towards zero.")


def round(x: Any, /) -> Array:
    """The nearest integer, the even one of two; of both parts of a complex number."""
    array = array_of(x)
    if array.dtype.is_integer:
        return array
    if array.dtype.is_complex:
        parts = ops.round(ops.real(array)), ops.round(ops.imag(array))
        return ops.complex(*parts)
    check_kind(array, _REAL, "round")
    return _kept(ops.round(array), array.weak)


def sign(x: Any, /) -> Array:
    """-1, 0 or 1; of complex numbers, the number divided by its magnitude."""
    array = array_of(x)
    check_kind(array, _REAL + " complex", "sign")
    if not array.dtype.is_unsigned:
        return _kept(ops.sign(array), array.weak)
    one, zero = _number(1, array.dtype), _number(0, array.dtype)
    found: Array = ops.select(ops.compare(array, 0, direction="EQ"), zero, one)
    return found


def conj(x: Any, /) -> Array:
    """The complex conjugate."""
    array = array_of(x)
    return ops.conj(array) if array.dtype.is_complex else array


def real(x: Any, /) -> Array:
    """The real part."""
    array = array_of(x)
    return ops.real(array) if array.dtype.is_complex else array


def imag(x: Any, /) -> Array:
    """The imaginary part, 0 for a real number."""
    array = array_of(x)
    if array.dtype.is_complex:
        return ops.imag(array)
    return _zero(array)


def _zero(x: Array) -> Array:
    return ops.convert(_everywhere(x, False), dtype=x.dtype)


def isnan(x: Any, /) -> Array:
    """Whether elements are not a number."""
    array = array_of(x)
    return ops.compare(array, array, direction="NE")


def isinf(x: Any, /) -> Array:
    """Whether elements, or one of their parts, are infinite."""
    array = array_of(x)
    if array.dtype.is_complex:
        return ops.or_(ops.is_inf(ops.real(array)), ops.is_inf(ops.imag(array)))
    if not array.dtype.is_float:
        return _everywhere(array, False)
    return ops.is_inf(array)


def isfinite(x: Any, /) -> Array:
    """Whether elements are neither infinite nor NaN."""
    array = array_of(x)
    if array.dtype.is_complex:
        parts = ops.is_finite(ops.real(array)), ops.is_finite(ops.imag(array))
        return ops.and_(*parts)
    if not array.dtype.is_float:
        return _everywhere(array, True)
    return ops.is_finite(array)


def log2(x: Any, /) -> Array:
    """The logarithm to the base of 2."""
    return _log(x, 2)


def log10(x: Any, /) -> Array:
    """The logarithm to the base of 10."""
    return _log(x, 10)


def _log(x: Any, base: int) -> Array:
    array = inexact(x)
    natural = ops.log(array)
    scale = _number(math.log(base), array.dtype)
    if array.dtype.is_complex:
        parts = [ops.div(p, scale.real) for p in (ops.real(natural), ops.imag(natural))]
        return _kept(ops.complex(*parts), array.weak)
    return _kept(ops.div(natural, scale), array.weak)


def reciprocal(x: Any, /) -> Array:
    """1 divided by the elements."""
    array = inexact(x)
    return _kept(ops.div(1, array), array.weak)


def _logical(op: str, name: str, summary: str) -> Callable[[Any, Any], Array]:
    run: Callable[..., Array] = getattr(ops, op)

    def function(x1: Any, x2: Any, /) -> Array:
        return run(truth(x1), truth(x2))

    found: Callable[[Any, Any], Array] = named(function, name, summary)
    return found


logical_and = _logical("and_", "logical_and", "Whether both elements are not 0.")
logical_or = _logical("or_", "logical_or", "Whether an element is not 0.")
logical_xor = _logical("xor", "logical_xor", "Whether one element is 0 and the other is not.")


def logical_not(x: Any, /) -> Array:
    """Whether elements are 0."""
    return ops.not_(truth(x))


@public
def clip(x: Any, /, min: Any = None, max: Any = None) -> Array:
    """The elements, none less than `min` and none more than `max`."""
    found = array_of(x)
    check_kind(found, _REAL, "clip")
    for bound, op in ((min, ops.max), (max, ops.min)):
        if bound is not None:
            found = op(found, _bound(bound, found.dtype))
    return found


def _bound(bound: Any, dtype: DType) -> Any:
    """A bound in the element type of what it bounds; integers beyond it become its limits."""
    if isinstance(bound, int) and not isinstance(bound, bool) and dtype.is_integer:
        low = 0 if dtype.is_unsigned else -(1 << (dtype.bits - 1))
        most = low + (1 << dtype.bits) - 1
        return dtype.numpy.type(builtins.min(builtins.max(bound, low), most))
    if scalar_kind(bound) is not None:
        return as_type(array_of(bound), dtype, bound) if _of_kind(bound, dtype) else _refuse(bound)
    given = array_of(bound)
    return given if given.dtype == dtype else as_type(given, dtype)


def _of_kind(number: Any, dtype: DType) -> bool:
    kind = scalar_kind(number)
    return kind == "int" or (kind == "float" and dtype.is_float) or kind == "bool"


def _refuse(bound: Any) -> Any:
    raise DTypeError(
        f"clip: the bound {bound!r} is no number of the array's kind",
        where=caller_location(),
        hint="convert the array first: dxir.numpy.astype(x, dtype)",
    )


def where(condition: Any, x1: Any, x2: Any, /) -> Array:
    """The elements of `x1` where the condition is true, of `x2` elsewhere."""
    a, b, weak = pair(x1, x2)
    chosen = truth(condition)
    if chosen.dtype != i1:
        raise DTypeError(f"a condition is of booleans, not {chosen.type}")
    a, b = (v if isinstance(v, Array) else _beside(v, w) for v, w in ((a, b), (b, a)))
    return _kept(ops.select(chosen, a, b), weak)


def _beside(number: Any, other: Array) -> Array:
    """A Python number in the element type of the array beside it."""
    return as_type(array_of(number), other.dtype, number)


@public
def nan_to_num(x: Any, /, nan: float = 0.0, posinf: Any = None, neginf: Any = None) -> Array:
    """The elements, with numbers for NaN and the infinities (by default the largest ones)."""
    array = array_of(x)
    if array.dtype.is_complex:
        parts = [nan_to_num(p(array), nan, posinf, neginf) for p in (real, imag)]
        return ops.complex(*parts)
    if not array.dtype.is_float:
        return array
    largest = largest_of(array.dtype)
    high = largest if posinf is None else posinf
    low = -largest if neginf is None else neginf
    found = where(isnan(array), nan, array)
    found = where(ops.is_pos_inf(array), high, found)
    return where(ops.is_neg_inf(array), low, found)


def largest_of(dtype: DType) -> float:
    """The largest finite float of a type."""
    return float(_finfo(dtype.numpy).max)


@public
def isclose(
    x1: Any, x2: Any, /, *, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Array:
    """Whether elements differ by at most `atol + rtol * abs(x2)`."""
    a, b = promoted(x1, x2)
    same = ops.compare(a, b, direction="EQ")
    if equal_nan:
        same = ops.or_(same, ops.and_(isnan(a), isnan(b)))
    if not (a.dtype.is_float or a.dtype.is_complex):
        a, b = inexact(a), inexact(b)
    near = ops.compare(
        ops.abs(ops.sub(a, b)), ops.add(ops.mul(ops.abs(b), rtol), atol), direction="LE"
    )
    return ops.or_(same, ops.and_(near, ops.and_(isfinite(a), isfinite(b))))
