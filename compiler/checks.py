"""Checks and normal forms of attributes and operand types, shared by the ops."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from dxir.errors import AttributeValueError, DTypeError, GraphError, OperandError, ShapeError
from dxir.graph import Region, Value, walk
from dxir.locations import caller_location
from dxir.naming import checked_name
from dxir.types import Dim, Dimension, DType, TensorType, Type, same_shape


def integer(value: Any, what: str) -> int:
    """`value` as a Python integer; `what` names the attribute in the error."""
    if value.__class__ is int:
        return value
    if isinstance(value, bool):
        raise AttributeValueError(f"{what} must be an integer, not {value!r}")
    try:
        return operator.index(value)
    except TypeError:
        raise AttributeValueError(f"{what} must be an integer, not {value!r}") from None


def integers(values: Any, what: str) -> tuple[int, ...]:
    """`values` as a tuple of Python integers; one integer stands for itself."""
    if values.__class__ is tuple or values.__class__ is list:
        return tuple([v if v.__class__ is int else integer(v, what) for v in values])
    scalar = isinstance(values, (str, bytes)) or getattr(values, "ndim", 1) == 0
    if isinstance(values, Iterable) and not scalar:
        return tuple([integer(v, what) for v in values])
    return (integer(values, what),)


def number(value: Any, what: str) -> float:
    """`value` as a finite Python float; `what` names the attribute in the error."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.number)):
        raise AttributeValueError(f"{what} must be a number, not {value!r}")
    try:
        found = float(value)
    except (OverflowError, TypeError):  # a huge integer, a complex number
        found = float("nan")
    if not math.isfinite(found):
        raise AttributeValueError(f"{what} is {value!r}", hint="it must be finite")
    return found


def axis(value: Any, rank: int, what: str = "axis") -> int:
    """An axis counted from the start; negative ones count from the end."""
    number = integer(value, what)
    if not -rank <= number < rank:
        raise ShapeError(
            f"{what} {number} is out of range for rank {rank}",
            hint=f"it must be in {-rank}..{rank - 1}" if rank else "a scalar has no axes",
        )
    return number + rank if number < 0 else number


_SINGLE = tuple([(i,) for i in range(16)])  # the same object each time, which lowering notices


def axes(values: Any, rank: int, what: str = "axes") -> tuple[int, ...]:
    """Sorted distinct axes; None means all of them."""
    if values is None:
        return tuple(range(rank))
    if values.__class__ is tuple and len(values) == 1:
        number = axis(values[0], rank, what)
        return _SINGLE[number] if number < len(_SINGLE) else (number,)
    found = [axis(v, rank, what) for v in integers(values, what)]
    if len(set(found)) != len(found):
        raise ShapeError(f"{what} {tuple(found)} name an axis twice")
    return tuple(sorted(found))


def one_of(value: Any, allowed: Sequence[str], what: str) -> str:
    """`value`, when it is one of the `allowed` words."""
    if value not in allowed:
        raise AttributeValueError(
            f"{what} is {value!r}", hint=f"it must be one of {', '.join(allowed)}"
        )
    return str(value)


def length(values: Sequence[Any], expected: int, what: str) -> None:
    """Raise ShapeError unless `values` has `expected` entries."""
    if len(values) != expected:
        raise ShapeError(f"{what} has {len(values)} entries, but {expected} are needed")


def not_empty(values: Sequence[Any], what: str) -> None:
    """Raise OperandError when there are no `values`."""
    if not values:
        raise OperandError(f"{what} is empty", hint="give at least one value")


def same_dtype(values: Sequence[Value]) -> None:
    """Raise DTypeError unless all values have one element type."""
    first = values[0].tensor
    for value in values:
        if value.tensor.dtype != first.dtype:
            kinds = ", ".join(str(v.type) for v in values)
            raise DTypeError(
                f"the element types differ: {kinds}",
                hint="convert one of them with dxir.ops.convert(x, dtype=...); "
                "nothing is promoted silently",
            )


def kind(value: Value, allowed: str, what: str = "operand") -> DType:
    """The element type, when its kind is in `allowed` (words such as "float complex")."""
    dtype = value.tensor.dtype
    if dtype.kind not in allowed.split():
        raise DTypeError(
            f"{what} has type {value.type}", hint=f"it must be {' or '.join(allowed.split())}"
        )
    return value.tensor.primitive


def rank_at_least(value: Value, rank: int, what: str = "operand") -> TensorType:
    """The type, when it has `rank` dimensions or more."""
    if value.tensor.rank < rank:
        raise ShapeError(f"{what} has type {value.type}, but needs at least {rank} dimensions")
    return value.tensor


def rank_is(value: Value, rank: int, what: str = "operand") -> TensorType:
    """The type, when it has exactly `rank` dimensions."""
    if value.tensor.rank != rank:
        raise ShapeError(f"{what} has type {value.type}, but needs {rank} dimensions")
    return value.tensor


def shapes_equal(a: Sequence[Dimension], b: Sequence[Dimension], what_a: str, what_b: str) -> None:
    """Raise ShapeError unless the two shapes may be the same."""
    if not same_shape(a, b):
        raise ShapeError(f"{what_a} has shape {list(a)}, but {what_b} has shape {list(b)}")


def not_kind(value: Value, refused: str, why: str) -> None:
    """Raise DTypeError when the element type is of the `refused` kind; `why` is the hint."""
    if value.tensor.dtype.kind == refused:
        raise DTypeError(f"{value.type} is not taken here", hint=why)


def represents(dtype: DType, number: complex) -> None:
    """Raise DTypeError unless a Python number is a value of the element type, up to rounding."""
    if isinstance(number, bool):
        fits = dtype.is_bool
    elif isinstance(number, int) and dtype.is_integer:
        low = 0 if dtype.is_unsigned else -(1 << (dtype.bits - 1))
        fits = low <= number < low + (1 << dtype.bits)
    elif isinstance(number, (int, float)):
        fits = dtype.is_float or dtype.is_complex
    else:
        fits = dtype.is_complex
    if not fits:
        raise DTypeError(
            f"{number!r} is not a value of type {dtype}",
            hint="convert the tensor first, or give a number of its type",
        )


def same_type(a: Type, b: Type) -> bool:
    """Whether two types may be the same; dynamic dimensions may be any size."""
    if isinstance(a, TensorType) and isinstance(b, TensorType):
        return a.dtype == b.dtype and same_shape(a.shape, b.shape)
    return a == b


def region_returns(region: Region, expected: Sequence[Type], what: str) -> None:
    """Raise ShapeError unless the region returns values of the `expected` types."""
    found = region.result_types
    if len(found) != len(expected):
        raise ShapeError(
            f"{what} returns {len(found)} values, but must return {len(expected)}",
            hint=f"it must return ({', '.join(map(str, expected))})",
        )
    for i, (given, wanted) in enumerate(zip(found, expected, strict=True)):
        if not same_type(given, wanted):
            raise ShapeError(
                f"{what} returns {given} as result {i}, but must return {wanted}",
                hint=f"it must return ({', '.join(map(str, expected))})",
            )


def captures_nothing(
    region: Region,
    what: str,
    *,
    constants: bool = True,
    hint: str = "pass it in as another operand, or compute with it before or after the op",
) -> None:
    """Raise GraphError when a region uses values from outside that are not `constants`."""
    outside = [
        value
        for node in walk(region)
        for value in node.operands
        if value.region is not None and not region.encloses(value.region)
    ]
    outside += [r for r in region.results if r.region is not None and r.region is not region]
    for value in outside:
        if not constants or value.producer is None or value.producer.op != "constant":
            raise GraphError(f"{what} uses {value!r} from outside", hint=hint)


_MOST_NESTED = 100


def dictionary(given: Any, what: str, nested: int = 0) -> dict[str, Any]:
    """A dictionary of attributes with tuples for lists; an error names the entry it cannot hold.

    `nested` counts the dictionaries and lists around it.
    """
    if not isinstance(given, Mapping):
        raise AttributeValueError(f"{what} must be a dictionary, not {type(given).__name__}")
    found: dict[str, Any] = {}
    for key, value in given.items():
        if not isinstance(key, str):
            raise AttributeValueError(
                f"{what} has the key {key!r}, which is not a string", where=caller_location()
            )
        checked_name(key, f"a key of {what}", AttributeValueError)
        if not key or "\0" in key:
            raise AttributeValueError(
                f"{what} has the key {key!r}, which MLIR cannot hold", where=caller_location()
            )
        found[key] = _entry(value, f"{what}[{key!r}]", nested + 1)
    return found


def _entry(value: Any, what: str, nested: int) -> Any:
    if nested > _MOST_NESTED:
        raise AttributeValueError(
            f"{what[:60]}... is nested more than {_MOST_NESTED} deep", where=caller_location()
        )
    if isinstance(value, Mapping):
        return dictionary(value, what, nested)
    if isinstance(value, (tuple, list)):
        return tuple([_entry(v, f"{what}[{i}]", nested + 1) for i, v in enumerate(value)])
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise AttributeValueError(
            f"{what} is {value}, which does not fit in 64 bits", where=caller_location()
        )
    if isinstance(value, str):
        return checked_name(value, what, AttributeValueError)
    if isinstance(value, (np.ndarray, np.generic)):
        try:
            DType.of(value.dtype)
        except DTypeError as error:
            raise AttributeValueError(f"{what} is an array of {value.dtype}: {error}") from None
        return value
    own = type(value).__module__ in (
        "dxir.attributes",
        "dxir.dimensions",
        "dxir.sharding",
        "dxir.types",
    )
    if not own and not (value is None or isinstance(value, (bool, int, float, str, bytes))):
        raise AttributeValueError(
            f"{what} is a {type(value).__name__} ({value!r})",
            where=caller_location(),
            hint="use numbers, strings, NumPy arrays, element types, and tuples or dicts of them",
        )
    return value


_OF_ARRAYS = {"dynamic_reshape": "reshape", "dynamic_broadcast_in_dim": "broadcast_to"}


def _dynamic_hint(op: str) -> str:
    for_arrays = _OF_ARRAYS.get(op)
    first = f"dxir.numpy.{for_arrays} takes them; or " if for_arrays else ""
    return f"{first}use dxir.ops.{op}, which takes sizes at run time"


def static(value: Value, dynamic_op: str) -> TensorType:
    """The type, when all its sizes are known; otherwise a ShapeError that names `dynamic_op`."""
    if not value.tensor.is_static:
        raise ShapeError(
            f"{value.type} has dynamic dimensions where sizes must be known",
            hint=_dynamic_hint(dynamic_op),
        )
    return value.tensor


def static_shape(given: Any, what: str, dynamic_op: str, least: int = 0) -> tuple[int, ...]:
    """`given` as a shape of known sizes of at least `least`."""
    if given.__class__ is tuple:
        for size in given:
            if size.__class__ is not int or size < least:
                break
        else:
            return given
    sizes = given if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
    sizes = tuple(sizes)
    if any(isinstance(d, (Dim, str)) for d in sizes):
        raise ShapeError(
            f"{what} {list(sizes)} has dynamic dimensions where sizes must be known",
            hint=_dynamic_hint(dynamic_op),
        )
    sizes = integers(sizes, what)
    if any(d < least for d in sizes):
        raise AttributeValueError(f"{what} {list(sizes)} has a size below {least}")
    return sizes


def has_zero(value: Value, what: str = "operand") -> None:
    """Raise DTypeError for f8e8m0fnu, which holds powers of two: no zero, nothing negative."""
    if value.tensor.dtype.name == "f8e8m0fnu":
        raise DTypeError(
            f"{what} has type {value.type}, an element type without a zero",
            hint="convert it with dxir.ops.convert(x, dtype=...)",
        )
