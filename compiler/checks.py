"""Checks and normal forms of attributes and operand types, shared by the ops."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any

from dxir.errors import AttributeValueError, DTypeError, ShapeError
from dxir.graph import Value
from dxir.types import Dimension, DType, TensorType, same_shape


def integer(value: Any, what: str) -> int:
    """`value` as a Python integer; `what` names the attribute in the error."""
    if isinstance(value, bool):
        raise AttributeValueError(f"{what} must be an integer, not {value!r}")
    try:
        return operator.index(value)
    except TypeError:
        raise AttributeValueError(f"{what} must be an integer, not {value!r}") from None


def integers(values: Any, what: str) -> tuple[int, ...]:
    """`values` as a tuple of Python integers; one integer stands for itself."""
    if isinstance(values, Iterable) and not isinstance(values, (str, bytes)):
        return tuple([integer(v, what) for v in values])
    return (integer(values, what),)


def axis(value: Any, rank: int, what: str = "axis") -> int:
    """An axis counted from the start; negative ones count from the end."""
    number = integer(value, what)
    if not -rank <= number < rank:
        raise ShapeError(
            f"{what} {number} is out of range for rank {rank}",
            hint=f"it must be in {-rank}..{rank - 1}" if rank else "a scalar has no axes",
        )
    return number + rank if number < 0 else number


def axes(values: Any, rank: int, what: str = "axes") -> tuple[int, ...]:
    """Sorted distinct axes; None means all of them."""
    if values is None:
        return tuple(range(rank))
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


def shapes_equal(
    a: Sequence[Dimension], b: Sequence[Dimension], what_a: str, what_b: str
) -> None:
    """Raise ShapeError unless the two shapes may be the same."""
    if not same_shape(a, b):
        raise ShapeError(f"{what_a} has shape {list(a)}, but {what_b} has shape {list(b)}")
