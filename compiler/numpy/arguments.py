"""Arguments of functions on arrays: axes, element types, devices; and mistakes in a call."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from dxir import ops
from dxir.dimensions import dimension
from dxir.errors import AttributeValueError, DxirError, GraphError, OperandError
from dxir.errors import ShapeError as ShapeError
from dxir.locations import caller_location, place_error
from dxir.misuse import refuse_call
from dxir.numpy.promotion import DEFAULTS, array_of
from dxir.tracing.arrays import Array
from dxir.types import DType, c64, f32
from dxir.wording import shown

Axis = int | tuple[int, ...] | None
Function = TypeVar("Function", bound=Callable[..., Any])

_PYTHON: dict[Any, DType] = {
    bool: DEFAULTS["bool"], int: DEFAULTS["int"], float: f32, complex: c64,
}  # fmt: skip


class AxisError(ShapeError, IndexError):
    """An axis that an array does not have; an IndexError, too, as the standard asks for."""


def public(function: Function) -> Function:
    """A function whose errors say the user's line, and what was meant where it is miscalled."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except DxirError as error:
            place_error(error)
            raise
        except TypeError as error:
            trace = error.__traceback__
            if trace is not None and trace.tb_next is not None:
                raise  # not of this call, but of something in it
            refuse_call(function, error, kwargs)

    return call  # type: ignore[return-value]  # of the same signature


def made(numbers: Any) -> Array:
    """An array of numbers."""
    return Array(numbers)


def known(x: Any, what: str, why: str = "the shape of its result depends on the elements") -> Any:
    """The numbers of an array, as a NumPy array; GraphError where they are not known."""
    array = array_of(x)
    if array.is_traced:
        raise GraphError(
            f"{what}: {why} of {array.type}, which are not known while the function is traced",
            where=caller_location(),
            hint="dxir.numpy.where chooses elements in a known shape; outside of traced functions "
            f"(and in f.eager) {what} works",
        )
    return array.numpy()


def dtype_of(given: Any) -> DType | None:
    """The element type that is asked for, if any; Python's types are those of the defaults."""
    if given is None or given.__class__ is DType:
        found: DType | None = given
        return found
    try:
        return _PYTHON.get(given) or DType.of(given)
    except TypeError:  # what has no hash
        return DType.of(given)


def check_device(device: Any) -> None:
    """Raise unless a device is the one that arrays are made on."""
    if device not in (None, "cpu"):
        raise AttributeValueError(
            f"there is no device {device!r} to make an array on",
            where=caller_location(),
            hint='leave it out, or say "cpu"; dxir.to_device moves an array to an accelerator',
        )


def integer(given: Any, what: str) -> int:
    """A Python integer; numbers that are traced are refused by what they are."""
    if isinstance(given, bool):
        raise AttributeValueError(f"{what} must be an integer, not {given!r}")
    try:
        return operator.index(given)
    except DxirError:
        raise
    except TypeError:
        hint = None
        if isinstance(given, float) and given.is_integer():
            hint = f"give {int(given)}; integers are divided by //"
        elif isinstance(given, str) and "axis" in what:
            hint = "axes have no names here: they are counted from 0, or from the end by -1"
        raise AttributeValueError(
            f"{what} must be an integer, not {shown(given)}", where=caller_location(), hint=hint
        ) from None


def axis_of(axis: Any, rank: int, what: str = "axis") -> int:
    """An axis counted from the start; AxisError for one that is not there."""
    number = integer(axis, what)
    if not -rank <= number < rank:
        raise AxisError(
            f"{what} {number} is out of range for an array of {rank} axes",
            hint=f"its axes are {', '.join(map(str, range(rank)))}, or {-rank} to -1 from the end"
            if rank
            else "a scalar has no axes",
        )
    return number % rank


def axes_of(axis: Any, rank: int) -> tuple[int, ...]:
    """Distinct axes counted from the start; all of them for None."""
    if axis is None:
        return tuple(range(rank))
    given = axis if isinstance(axis, (tuple, list)) else (axis,)
    found = tuple([axis_of(a, rank) for a in given])
    if len(set(found)) != len(found):
        raise ShapeError(f"axis {axis!r} names an axis twice", hint="name each axis once")
    return found


def shape_of(given: Any) -> tuple[Any, ...]:
    """A shape that is given as a tuple, a list or one size; sizes may be dynamic."""
    sizes = given if isinstance(given, (tuple, list)) else (given,)
    return tuple([dimension(_size(s)) for s in sizes])


def _size(given: Any) -> Any:
    return integer(given, "a size") if isinstance(given, Array) else given


def inexact(x: Any) -> Array:
    """An operand as an array of floats or complex numbers; integers become the default float."""
    array = array_of(x)
    if array.dtype.is_float or array.dtype.is_complex:
        return array
    return Array(ops.convert(array, dtype=f32), weak=array.weak)


def arrays_in(given: Any, what: str) -> list[Array]:
    """The arrays of a tuple or list, of which there must be one at least."""
    if not isinstance(given, (Sequence, Array)) or isinstance(given, str):
        raise OperandError(
            f"{what} takes a tuple or list of arrays, not {type(given).__name__}",
            hint=f"{what}([x, y])",
        )
    found = [array_of(a) for a in given]
    if not found:
        raise OperandError(f"{what} needs an array")
    return found
