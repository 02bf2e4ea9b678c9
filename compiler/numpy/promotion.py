"""Which element type operands are brought to, and bringing them there.

Within a kind it is the table of the Python array API standard. Beyond it: an integer takes the type
of the float or complex array beside it, a boolean that of any number. Python numbers (and arrays
that came from one) take the type of the array beside them, as far as it is of their kind.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from dxir import ops
from dxir.errors import DTypeError, OperandError
from dxir.graph import Value
from dxir.locations import caller_location
from dxir.runtime.array import Array as HeldArray
from dxir.tracing.arrays import Array
from dxir.tracing.trees import leaves_of
from dxir.types import DType, bf16, c64, c128, f16, f32, f64, i1, i32
from dxir.wording import counted, shown

DEFAULTS = {"bool": i1, "int": i32, "uint": i32, "float": f32, "complex": c64}
"""The element types of what is made of Python numbers."""

_KINDS = ("bool", "int", "float", "complex")
_SCALARS = (bool, int, float, complex)


def is_operand(given: Any) -> bool:
    """Whether something can be combined with an array."""
    return isinstance(given, (Array, *_SCALARS, np.ndarray, np.generic, Value, HeldArray))


def scalar_kind(given: Any) -> str | None:
    """The kind of a Python number, which has no element type of its own; None for an array."""
    if isinstance(given, Array):
        return given.dtype.kind.replace("uint", "int") if given.weak else None
    if isinstance(given, (np.ndarray, Value)):
        return None
    if isinstance(given, (float, complex)) or type(given) in (bool, int):
        return "complex" if isinstance(given, complex) else _name_of(type(given))
    return None


def _name_of(kind: type) -> str:
    return "float" if issubclass(kind, float) else kind.__name__


def array_of(given: Any) -> Array:
    """An operand as an array; a Python number as a weak one of its default type."""
    if isinstance(given, Array):
        return given
    kind = scalar_kind(given)
    if kind is not None:
        return Array(_number(given, DEFAULTS[kind]), weak=True)
    if isinstance(given, (np.ndarray, np.generic, Value, HeldArray)):
        return Array(given)
    raise no_array(given)


def no_array(given: Any) -> OperandError:
    """The error about what stands where an array is needed."""
    kind = type(given).__name__
    hint = "give an array of NumPy or dxir, or a number"
    said = f"{kind} ({shown(given)})"
    if isinstance(given, (list, tuple)):
        hint = "dxir.numpy.asarray makes an array of nested lists"
        leaves = leaves_of(given)
        if any(isinstance(leaf, Array) and leaf.is_traced for leaf in leaves):
            said = f"a {kind} of {counted(len(given), 'item')}"
            hint = (
                "a list given to a traced function is a container of scalars: call it with "
                "np.asarray(...) of the list"
            )
    elif given is None:
        said, hint = "None", "an argument or parameter may be missing; test for it: x is None"
    elif isinstance(given, range):
        hint = "dxir.numpy.arange makes an array of a range"
    elif callable(given):
        hint = "call the function, and give what it returns; or the arguments are in another order"
    return OperandError(
        f"an array or a number is needed, not {said}", where=caller_location(), hint=hint
    )


def result_type(*arrays_and_dtypes: Any) -> DType:
    """The element type that arrays, element types and Python numbers are brought to.

    Raises DTypeError for types that no other holds both of (ui64 and i64, two f8 types).
    """
    given = arrays_and_dtypes
    strong = [g for g in given if scalar_kind(g) is None]
    dtypes = [g if isinstance(g, DType) else _dtype(g) for g in strong]
    kinds = [k for k in map(scalar_kind, given) if k is not None]
    if not dtypes:
        if not kinds:
            raise OperandError("result_type needs an array", where=caller_location())
        return DEFAULTS[max(kinds, key=_KINDS.index)]
    found = dtypes[0]
    for other in dtypes[1:]:
        found = promoted_type(found, other)
    for kind in kinds:
        found = _with_scalar(found, kind)
    return found


def _dtype(given: Any) -> DType:
    if isinstance(given, (str, type, np.dtype)):
        return DType.of(given)
    return array_of(given).dtype


def _with_scalar(dtype: DType, kind: str) -> DType:
    own = "int" if dtype.kind == "uint" else dtype.kind
    if _KINDS.index(kind) <= _KINDS.index(own):
        return dtype
    if kind == "complex" and own == "float":
        return c128 if dtype.bits == 64 else c64
    return DEFAULTS[kind]


@cache
def promoted_type(one: DType, other: DType) -> DType:
    """The element type that two are brought to."""
    if one == other:
        return one
    a, b = sorted((one, other), key=lambda t: _KINDS.index(t.kind.replace("uint", "int")))
    if a.is_bool:
        return b
    if a.is_integer and b.is_integer:
        found = _integers(a, b)
    elif a.is_integer:
        return b
    elif b.is_float:
        found = _floats(a, b)
    elif a.is_float:
        return c128 if a.bits == 64 else b
    else:
        return c128
    if found is None:
        raise DTypeError(
            f"{one} and {other} have no element type in common",
            where=caller_location(),
            hint="bring one of them to that of the other: dxir.numpy.astype(x, dtype)",
        )
    return found


def _integers(a: DType, b: DType) -> DType | None:
    if a.is_unsigned == b.is_unsigned:
        return max(a, b, key=lambda t: t.bits)
    unsigned, signed = (a, b) if a.is_unsigned else (b, a)
    bits = max(2 * unsigned.bits, signed.bits)
    return DType.of(f"i{bits}") if bits <= 64 else None


def _floats(a: DType, b: DType) -> DType | None:
    narrow, wide = sorted((a, b), key=lambda t: t.bits)
    if {narrow, wide} == {bf16, f16}:
        return f32
    if narrow.bits == wide.bits or (narrow.bits < 8 and wide.bits < 16):
        return None
    return wide if wide in (bf16, f16, f32, f64) else None


def promoted(*given: Any) -> tuple[Array, ...]:
    """Operands as arrays of one element type; weak if all of them are."""
    if _are_of_one_type(given):
        return given
    dtype = result_type(*given)
    arrays = [as_type(array_of(g), dtype, g) for g in given]
    if all(scalar_kind(g) is not None for g in given):
        return tuple([Array(a, weak=True) for a in arrays])
    return tuple(arrays)


def _are_of_one_type(given: tuple[Any, ...]) -> bool:
    """Whether operands are arrays of one element type already; quick, for most are."""
    dtype: Any = None
    for operand in given:
        if operand.__class__ is not Array or operand.weak:
            return False
        own = operand.dtype
        if own is not dtype and dtype is not None:
            return False
        dtype = own
    return True


def pair(x1: Any, x2: Any) -> tuple[Any, Any, bool]:
    """Two operands of one element type, and whether both are weak.

    A Python number beside an array may be left as it is, for the op to give it the array's type.
    """
    if x1.__class__ is Array and not x1.weak:
        if x2.__class__ is Array:
            if not x2.weak and x1.dtype is x2.dtype:
                return x1, x2, False
        elif _fits(x2, x1.dtype):
            return x1, x2, False
    elif x2.__class__ is Array and not x2.weak and _fits(x1, x2.dtype):
        return x1, x2, False
    a, b = promoted(x1, x2)
    return a, b, a.weak and b.weak


_TAKEN: dict[type, tuple[str, ...]] = {
    bool: ("bool",),
    int: ("int", "uint", "float", "complex"),
    float: ("float", "complex"),
    complex: ("complex",),
}


def _fits(number: Any, dtype: DType) -> bool:
    """Whether a Python number takes the element type of an array beside it."""
    return dtype.kind in _TAKEN.get(number.__class__, ())


def as_type(x: Array, dtype: DType, given: Any = None) -> Array:
    """An array of another element type; a Python number must be one of it."""
    if given is not None and not isinstance(given, Array) and scalar_kind(given) is not None:
        return Array(_number(given, dtype))
    if x.dtype == dtype:
        return Array(x) if x.weak else x
    return ops.convert(x, dtype=dtype)


def _number(given: Any, dtype: DType) -> Any:
    try:
        if isinstance(given, float) and (dtype.is_integer or dtype.is_bool):
            raise ValueError("it would lose its fraction")
        return np.asarray(given, dtype.numpy)
    except (OverflowError, TypeError, ValueError):
        raise DTypeError(
            f"{given!r} is no number of type {dtype}",
            where=caller_location(),
            hint="give a number that it holds, or an array of a wider type",
        ) from None
