"""Element types: their names in the standard, conversion, and what they hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

from dxir.errors import AttributeValueError, DTypeError
from dxir.locations import caller_location
from dxir.numpy.arguments import check_device, dtype_of, public
from dxir.numpy.elementwise import astype_of
from dxir.numpy.promotion import array_of, promoted_type
from dxir.runtime.array import Array as HeldArray
from dxir.tracing.arrays import Array
from dxir.types import DType

_finfo: Any = ml_dtypes.finfo  # has no types
_KINDS = {
    "bool": ("bool",),
    "signed integer": ("int",),
    "unsigned integer": ("uint",),
    "integral": ("int", "uint"),
    "real floating": ("float",),
    "complex floating": ("complex",),
    "numeric": ("int", "uint", "float", "complex"),
}


@public
def astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Array:
    """The elements in another element type.

    Numbers beyond the limits of an integer type become its limits, and NaN becomes 0.
    """
    check_device(device)
    del copy  # arrays are not changed, so that nobody sees whether one is a copy
    array = array_of(x)
    wanted = dtype_of(dtype)
    if wanted is None:
        raise DTypeError("astype needs an element type, not None")
    if array.dtype.is_complex and not (wanted.is_complex or wanted.is_bool):
        raise DTypeError(
            f"complex numbers are no {wanted}",
            where=caller_location(),
            hint="take dxir.numpy.real, imag or abs of them first",
        )
    return Array(astype_of(array, wanted))


def _dtype_in(given: Any) -> DType:
    if isinstance(given, (Array, HeldArray)):
        return array_of(given).dtype
    if isinstance(given, np.ndarray):
        return DType.of(given.dtype)
    found = dtype_of(given)
    if found is None:
        raise DTypeError("an element type is needed, not None")
    return found


@public
def can_cast(from_: Any, to: Any, /) -> bool:
    """Whether values of a type are promoted to another beside values of that type."""
    one, other = _dtype_in(from_), _dtype_in(to)
    try:
        return promoted_type(one, other) == other
    except DTypeError:
        return False


@public
def isdtype(dtype: Any, kind: Any) -> bool:
    """Whether an element type is of a kind, or one of several."""
    own = DType.of(dtype)
    for given in kind if isinstance(kind, tuple) else (kind,):
        if isinstance(given, str) and given in _KINDS:
            if own.kind in _KINDS[given]:
                return True
        elif isinstance(given, str):
            raise AttributeValueError(
                f"isdtype: there is no kind {given!r}", hint=f"it is one of {', '.join(_KINDS)}"
            )
        elif DType.of(given) == own:
            return True
    return False


@dataclass(frozen=True, slots=True)
class FloatInfo:
    """What a float type holds; of a complex one, each part."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType


@dataclass(frozen=True, slots=True)
class IntegerInfo:
    """What an integer type holds."""

    bits: int
    max: int
    min: int
    dtype: DType


@public
def finfo(type: Any, /) -> FloatInfo:
    """The limits of a float or complex type, or of that of an array."""
    dtype = _dtype_in(type).real
    if not dtype.is_float:
        raise DTypeError(f"finfo takes a float type, not {dtype}", hint="iinfo takes an integer's")
    found = _finfo(dtype.numpy)
    return FloatInfo(
        dtype.bits, float(found.eps), float(found.max), float(found.min),
        float(found.smallest_normal), dtype,
    )  # fmt: skip


@public
def iinfo(type: Any, /) -> IntegerInfo:
    """The limits of an integer type, or of that of an array."""
    dtype = _dtype_in(type)
    if not dtype.is_integer:
        raise DTypeError(f"iinfo takes an integer type, not {dtype}", hint="finfo takes a float's")
    low = 0 if dtype.is_unsigned else -(1 << (dtype.bits - 1))
    return IntegerInfo(dtype.bits, low + (1 << dtype.bits) - 1, low, dtype)
