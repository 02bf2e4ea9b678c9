"""Numbers from which on functions lose what they are to give, by element type: for messages."""

from __future__ import annotations

from dxir.mlir import IrValue
from dxir.verify.values import dtype_of

_SMALL = {"f64": "1e-17", "f32": "1e-8", "bf16": "1e-8", "f16": "1e-4"}
_TAILS = {"f64": (6, "2.2e-17"), "f16": (3, "2.2e-5")}
_VANISHES = {"f64": 746, "f16": 18}
_IS_ONE = {"f64": 37, "bf16": 6, "f16": 8}


def small(value: IrValue) -> str:
    """A number that a type holds, and 1 and it are 1 in that type."""
    return _SMALL.get(_name(value), "0.01")


def tail(value: IrValue) -> tuple[int, str]:
    """A number whose error function is 1 in a type, and what is missing to 1."""
    return _TAILS.get(_name(value), (4, "1.5e-8"))


def vanishing(value: IrValue) -> int:
    """A number; the exponential of minus it is 0 in a type."""
    return _VANISHES.get(_name(value), 104)


def saturated(value: IrValue) -> int:
    """A number whose logistic function is 1 in a type."""
    return _IS_ONE.get(_name(value), 17)


def _name(value: IrValue) -> str:
    dtype = dtype_of(value)
    return "" if dtype is None else dtype.name
