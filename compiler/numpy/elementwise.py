"""Functions of each element, named as in the Python array API standard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dxir import ops
from dxir.numpy.promotion import array_of, promoted
from dxir.tracing.arrays import Array


def _binary(op: str, summary: str) -> Callable[[Any, Any], Array]:
    def function(x1: Any, x2: Any, /) -> Array:
        a, b = promoted(x1, x2)
        found: Array = getattr(ops, op)(a, b)
        found.weak = a.weak and b.weak
        return found

    function.__doc__ = summary
    return function


def _compare(direction: str, summary: str) -> Callable[[Any, Any], Array]:
    def function(x1: Any, x2: Any, /) -> Array:
        a, b = promoted(x1, x2)
        found: Array = ops.compare(a, b, direction=direction)
        return found

    function.__doc__ = summary
    return function


def _unary(op: str, summary: str) -> Callable[[Any], Array]:
    def function(x: Any, /) -> Array:
        found: Array = getattr(ops, op)(array_of(x))
        return found

    function.__doc__ = summary
    return function


add = _binary("add", "The sum of two arrays.")
subtract = _binary("sub", "The first array minus the second.")
multiply = _binary("mul", "The product of two arrays, element by element.")
equal = _compare("EQ", "Whether elements are equal.")
not_equal = _compare("NE", "Whether elements differ.")
less = _compare("LT", "Whether elements of the first are less.")
less_equal = _compare("LE", "Whether elements of the first are at most those of the second.")
greater = _compare("GT", "Whether elements of the first are greater.")
greater_equal = _compare("GE", "Whether elements of the first are at least those of the second.")
negative = _unary("neg", "Minus the elements.")
exp = _unary("exp", "e to the power of the elements.")
tanh = _unary("tanh", "The hyperbolic tangent.")


def divide(x1: Any, x2: Any, /) -> Array:
    """The first array divided by the second; integers become floats."""
    a, b = promoted(x1, x2, *([1.0] if _integral(x1) and _integral(x2) else []))[:2]
    found: Array = ops.div(a, b)
    return found


def _integral(x: Any) -> bool:
    dtype = array_of(x).dtype
    return dtype.is_integer or dtype.is_bool
