"""Functions of each element, named as in the Python array API standard: arithmetic, comparison."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from dxir import ops
from dxir.errors import DTypeError
from dxir.locations import caller_location
from dxir.numpy.arguments import inexact
from dxir.numpy.promotion import array_of, pair
from dxir.tracing.arrays import Array, applied
from dxir.types import DType, i1

Binary = Callable[[Any, Any], Array]


def binary(op: str, name: str, summary: str, kinds: str = "", **attributes: Any) -> Binary:
    """A function of two operands, brought to one element type, by an op."""
    own = getattr(ops, op)
    run = functools.partial(own, **attributes) if attributes else own

    def function(x1: Any, x2: Any, /) -> Array:
        a, b, weak = pair(x1, x2)
        if kinds:
            check_kind(a, kinds, name)
        found = applied(run, a, b)
        if weak and not attributes:
            found.weak = True
        return found

    found: Binary = named(function, name, summary)
    return found


def named(function: Any, name: str, summary: str) -> Any:
    """The function, with a name and a docstring."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = summary
    return function


def check_kind(x: Any, kinds: str, name: str) -> None:
    """Raise unless an operand's elements are of one of the kinds."""
    dtype = x.dtype if isinstance(x, Array) else array_of(x).dtype
    if dtype.kind not in _split(kinds):
        raise DTypeError(
            f"{name} takes {kinds.replace(' ', ' or ')} arrays, not {dtype}",
            where=caller_location(),
            hint=f"logical_{name.removeprefix('bitwise_')} takes truth values of any numbers"
            if name in ("bitwise_and", "bitwise_or", "bitwise_xor")
            else "convert it: dxir.numpy.astype(x, dtype)",
        )


_split = functools.cache(str.split)

_NUMBERS = "int uint float complex"
_REAL = "int uint float bool"
_BITS = "int uint bool"

add = binary("add", "add", "The sum of two arrays.")
subtract = binary("sub", "subtract", "The first array minus the second.", _NUMBERS)
multiply = binary("mul", "multiply", "The product of two arrays, element by element.")
maximum = binary("max", "maximum", "The larger of two elements; NaN if one is.", _REAL)
minimum = binary("min", "minimum", "The smaller of two elements; NaN if one is.", _REAL)
floor_divide = binary(
    "floor_divide", "floor_divide", "The quotient rounded towards minus infinity.", "int uint float"
)
remainder = binary(
    "mod", "remainder", "What floor_divide leaves, with the sign of the divisor.", "int uint float"
)
bitwise_and = binary("and_", "bitwise_and", "The bits that both elements have.", _BITS)
bitwise_or = binary("or_", "bitwise_or", "The bits that either element has.", _BITS)
bitwise_xor = binary("xor", "bitwise_xor", "The bits that one element alone has.", _BITS)
bitwise_left_shift = binary(
    "shift_left", "bitwise_left_shift", "The bits moved to higher places.", "int uint"
)

equal = binary("compare", "equal", "Whether elements are equal.", direction="EQ")
not_equal = binary("compare", "not_equal", "Whether elements differ.", direction="NE")
less = binary("compare", "less", "Whether the first is less.", _REAL, direction="LT")
less_equal = binary(
    "compare", "less_equal", "Whether the first is not more.", _REAL, direction="LE"
)
greater = binary("compare", "greater", "Whether the first is more.", _REAL, direction="GT")
greater_equal = binary(
    "compare", "greater_equal", "Whether the first is not less.", _REAL, direction="GE"
)


def bitwise_right_shift(x1: Any, x2: Any, /) -> Array:
    """The bits moved to lower places; the sign stays."""
    a, b, _ = pair(x1, x2)
    check_kind(a, "int uint", "bitwise_right_shift")
    unsigned = (a if isinstance(a, Array) else b).dtype.is_unsigned
    found: Array = (ops.shift_right_logical if unsigned else ops.shift_right_arithmetic)(a, b)
    return found


def bitwise_invert(x: Any, /) -> Array:
    """All bits flipped; `not` of booleans."""
    array = array_of(x)
    check_kind(array, _BITS, "bitwise_invert")
    return ops.not_(array)


def divide(x1: Any, x2: Any, /) -> Array:
    """The first array divided by the second; integers become floats."""
    a, b, weak = pair(x1, x2)
    if not _is_inexact(a) or not _is_inexact(b):
        a, b = inexact(a), inexact(b)
    found = applied(ops.div, a, b)
    found.weak = weak
    return found


def _is_inexact(x: Any) -> bool:
    if isinstance(x, Array):
        dtype = x.dtype
        return dtype.is_float or dtype.is_complex
    return True  # a Python number beside an array of numbers of its kind, or of a wider one


def pow(x1: Any, x2: Any, /) -> Array:
    """The first array to the power of the second."""
    if type(x2) is int and x2 == 2:
        return square(x1)
    a, b, weak = pair(x1, x2)
    check_kind(a, _NUMBERS, "pow")
    found = applied(ops.pow, a, b)
    found.weak = weak
    return found


def unary(op: str, name: str, summary: str, kinds: str = "") -> Callable[[Any], Array]:
    """A function of floats and complex numbers by an op; integers become floats."""
    run = getattr(ops, op)

    def function(x: Any, /) -> Array:
        array = inexact(x)
        if kinds:
            check_kind(array, kinds, name)
        found = applied(run, array)
        if array.weak:
            found.weak = True
        return found

    found: Callable[[Any], Array] = named(function, name, summary)
    return found


acos = unary("acos", "acos", "The inverse cosine.")
acosh = unary("acosh", "acosh", "The inverse hyperbolic cosine.")
asin = unary("asin", "asin", "The inverse sine.")
asinh = unary("asinh", "asinh", "The inverse hyperbolic sine.")
atan = unary("atan", "atan", "The inverse tangent.")
atanh = unary("atanh", "atanh", "The inverse hyperbolic tangent.")
cos = unary("cos", "cos", "The cosine.")
cosh = unary("cosh", "cosh", "The hyperbolic cosine.")
exp = unary("exp", "exp", "e to the power of the elements.")
expm1 = unary("expm1", "expm1", "exp(x) - 1, exact near zero.")
log = unary("log", "log", "The natural logarithm.")
log1p = unary("log1p", "log1p", "log(1 + x), exact near zero.")
sin = unary("sin", "sin", "The sine.")
sinh = unary("sinh", "sinh", "The hyperbolic sine.")
sqrt = unary("sqrt", "sqrt", "The square root.")
tan = unary("tan", "tan", "The tangent.")
tanh = unary("tanh", "tanh", "The hyperbolic tangent.")


def negative(x: Any, /) -> Array:
    """Minus the elements."""
    array = array_of(x)
    check_kind(array, _NUMBERS, "negative")
    found = ops.neg(array)
    found.weak = array.weak
    return found


def positive(x: Any, /) -> Array:
    """The elements as they are."""
    array = array_of(x)
    check_kind(array, _NUMBERS, "positive")
    return Array(array, weak=array.weak)


def square(x: Any, /) -> Array:
    """The elements multiplied by themselves."""
    array = array_of(x)
    check_kind(array, _NUMBERS, "square")
    found = ops.mul(array, array)
    found.weak = array.weak
    return found


def abs(x: Any, /) -> Array:
    """The absolute value; the magnitude of complex numbers."""
    array = array_of(x)
    if array.dtype.is_unsigned or array.dtype.is_bool:
        return array
    found = ops.abs(array)
    found.weak = array.weak and not array.dtype.is_complex
    return found


def astype_of(x: Array, dtype: DType) -> Array:
    """An array in another element type; every number but 0 is true."""
    if x.dtype == dtype:
        return x
    if dtype == i1:
        return not_equal(x, 0)
    return ops.convert(x, dtype=dtype)


def truth(x: Any) -> Array:
    """Whether elements are not 0."""
    array = array_of(x)
    return array if array.dtype == i1 else not_equal(array, 0)
