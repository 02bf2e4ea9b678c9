"""What arguments of traced functions may be made of, and what is known of each."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from dxir.errors import DxirError, TracingError
from dxir.graph import Value
from dxir.locations import caller_location
from dxir.numpy.promotion import DEFAULTS, array_of, scalar_kind
from dxir.runtime.array import Array as RuntimeArray
from dxir.tracing.arrays import Array
from dxir.types import DType, TensorType
from dxir.wording import shown


class Leaf(NamedTuple):
    """One array among the arguments: its type, and whether it came from a Python number."""

    type: TensorType
    weak: bool

    def __str__(self) -> str:
        return f"{self.type}{' of a Python number' if self.weak else ''}"


def leaf_of(given: Any, path: str, name: str) -> Leaf:
    """What a leaf of the arguments of function `name` is traced as.

    Raises TracingError that names its `path` for what is no array.
    """
    if isinstance(given, Array):
        return Leaf(given.type, given.weak)
    if isinstance(given, TensorType):
        return Leaf(given, False)
    if isinstance(given, (Value, RuntimeArray)):
        return Leaf(_tensor(given.type, path, name), False)
    kind = scalar_kind(given)
    if kind is not None:
        _check_number(given, kind, path, name)
        return Leaf(TensorType.shared((), DEFAULTS[kind]), True)
    if isinstance(given, type):
        raise _no_array(given, path, name)
    if isinstance(given, (np.ndarray, np.generic)) or hasattr(given, "__array__"):
        return Leaf(TensorType.of_array(_as_numpy(given, path, name)), False)
    raise _no_array(given, path, name)


def numbers_of(given: Any) -> Any:
    """A leaf as executables take it: an array of a device or of NumPy."""
    if isinstance(given, Array):
        return given.held
    if isinstance(given, RuntimeArray):
        return given
    if scalar_kind(given) is not None:
        return array_of(given).held
    return np.asarray(given)


def array_for(given: Any, path: str, name: str) -> Array:
    """A leaf as an array of numbers, for a function that is not traced."""
    if isinstance(given, TensorType):
        raise TracingError(
            f"{path} of {name} is the type {given}, and numbers are needed to run it",
            where=caller_location(),
            hint="types are for f.trace and f.lower",
        )
    leaf = leaf_of(given, path, name)
    if isinstance(given, (Array, Value)):
        return Array(given, weak=leaf.weak)
    if isinstance(given, RuntimeArray):
        return Array(given if hasattr(given, "placement") else given.numpy())
    return array_of(given) if leaf.weak else Array(_as_numpy(given, path, name))


def _tensor(type: Any, path: str, name: str) -> TensorType:
    if isinstance(type, TensorType):
        return type
    raise TracingError(
        f"{path} of {name} is a {type}, and arrays are needed", where=caller_location()
    )


def _check_number(given: Any, kind: str, path: str, name: str) -> None:
    if kind == "int" and not -(1 << 31) <= int(given) < 1 << 31:
        raise TracingError(
            f"{path} of {name} is {given!r}, and a Python integer is passed as i32, which does not "
            "hold it",
            where=caller_location(),
            hint="give np.int64(...), or name the argument in static=",
        )


def _as_numpy(given: Any, path: str, name: str) -> np.ndarray[Any, Any]:
    if isinstance(given, np.ma.MaskedArray):
        raise TracingError(
            f"{path} of {name} is a masked array, whose mask would be lost",
            where=caller_location(),
            hint="fill it: array.filled(0)",
        )
    try:
        array = np.asarray(given)
        array = array.astype(array.dtype.newbyteorder("="), copy=False)
        TensorType.of_array(array)
    except DxirError:
        dtype = getattr(given, "dtype", "unknown")
        raise TracingError(
            f"{path} of {name} is an array of the type {dtype}, which is no type of numbers",
            where=caller_location(),
            hint="convert it to numbers, or name the argument in static=",
        ) from None
    except Exception as error:  # whatever a foreign object's conversion raises
        raise _no_array(given, path, name) from error
    return array


def _no_array(given: Any, path: str, name: str) -> TracingError:
    kind = type(given).__name__
    text = shown(given)
    text = "" if text == f"a {kind}" else f" ({text})"
    return TracingError(
        f"{path} of {name} is of type {kind}{text}, which is no array and no container of arrays",
        where=caller_location(),
        hint=_hint_for(given, path),
    )


def _hint_for(given: Any, path: str) -> str:
    """What to do with something that is no array, at a place among the arguments."""
    argument = re.split(r"[.\[]", path, maxsplit=1)[0]
    if isinstance(given, (DType, type)):
        of = given.name if isinstance(given, DType) else "f32"
        return f"a type has a shape: dxir.{of}[2, 3], or dxir.{of}[()] for a scalar"
    if isinstance(given, (set, frozenset)):
        return "sets have no order: give a sorted list"
    if hasattr(given, "__next__"):
        return "a generator can be gone through once only: give a list of what it yields"
    if path == "self":
        return (
            'make the class a dataclass, whose fields go in as arrays, or name static=("self",), '
            "which makes them constants"
        )
    own = not isinstance(given, (str, bytes)) and not callable(given)
    container = "; a class becomes a container as a dataclass, or by dxir.tree.register"
    if path != argument:
        return (
            f"keep it out of {argument}: what is no array is an argument of its own, named in "
            "static=, or a field of a dataclass with metadata={'static': True}"
            + (container if own else "")
        )
    return (
        f'what is no array is named in static=("{argument}",), and becomes a part of the program'
        + (container if own else "")
    )
