"""Checking and converting what an executable is called with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from dxir.errors import ArgumentError, DxirError
from dxir.runtime.array import NumpyArray
from dxir.types import Dim, DType, TensorType, shape_text
from dxir.wording import counted, shown

_LITERALS = (bool, int, float, complex, list, tuple)

# Which kinds of Python numbers a kind of element type takes, as NumPy's letters.
_TAKES = {"bool": "b", "int": "iu", "uint": "iu", "float": "iuf", "complex": "iufc"}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an executable."""

    index: int
    name: str | None
    type: TensorType

    def __str__(self) -> str:
        return f"parameter {self.index}" + (f" ({self.name})" if self.name else "")


def parameters_of(
    types: tuple[TensorType, ...], names: tuple[str | None, ...]
) -> tuple[Parameter, ...]:
    """Parameters of these types; `names` may be shorter."""
    padded = names[: len(types)] + (None,) * (len(types) - len(names))
    return tuple(
        Parameter(i, name, type) for i, (type, name) in enumerate(zip(types, padded, strict=True))
    )


def check_count(given: int, parameters: tuple[Parameter, ...]) -> None:
    """Raise ArgumentError unless there is one argument for each parameter."""
    if given == len(parameters):
        return
    listed = ", ".join(f"{p.name}: {p.type}" if p.name else str(p.type) for p in parameters[:8])
    more = f" and {len(parameters) - 8} more" if len(parameters) > 8 else ""
    takes = counted(len(parameters), "argument")
    raise ArgumentError(
        f"the program takes {takes}, not {given}",
        hint=f"its parameters are ({listed}{more})" if parameters else "call it without arguments",
    )


def host_array(given: Any, parameter: Parameter) -> NumpyArray:
    """The argument as an array in C order and native byte order, of exactly the parameter's type.

    A dynamic dimension takes any size, up to its bound. Arrays of another dtype or shape are
    refused; Python numbers and lists are converted when nothing is lost. The result shares memory
    with `given` where it can. Raises ArgumentError naming the parameter.
    """
    type = parameter.type
    wanted = type.dtype.numpy
    if (
        given.__class__ is np.ndarray
        and given.dtype == wanted
        and given.shape == type.shape
        and given.flags.c_contiguous
    ):
        return given
    if isinstance(given, _LITERALS) and not isinstance(given, np.generic):
        return _from_literal(given, parameter)
    array = _as_array(given, parameter)
    if array.dtype != wanted and array.dtype.newbyteorder("=") != wanted:
        _refuse(parameter, _described(array), _dtype_hint(array, parameter))
    if array.shape != type.shape and not fits(array.shape, type):
        _refuse(parameter, _described(array), _shape_hint(array.shape, parameter))
    return np.asarray(array, wanted, order="C")


def fits(shape: tuple[int, ...], type: TensorType) -> bool:
    """Whether an array of this shape is of the type: dynamic dimensions take any up to a bound."""
    return shape == type.shape or (
        len(shape) == type.rank
        and all(
            (d.bound is None or size <= d.bound) if isinstance(d, Dim) else size == d
            for size, d in zip(shape, type.shape, strict=True)
        )
    )


def _as_array(given: Any, parameter: Parameter) -> NumpyArray:
    if isinstance(given, np.ma.MaskedArray):
        _refuse(parameter, "a masked array", "its mask would be lost; fill it: array.filled(0)")
    if isinstance(given, np.ndarray):
        return np.asarray(given)
    if given is None or isinstance(given, str | bytes | dict | set):
        hint = (
            "executables take the arrays of containers one by one, dxir.tree.leaves(x); what "
            "dxir.jit makes takes containers"
        )
        _refuse(
            parameter,
            f"{type(given).__name__} {shown(given)}",
            hint if isinstance(given, dict) else "give an array",
        )
    try:
        array = np.asarray(given)
    except DxirError:
        raise
    except Exception as error:  # noqa: BLE001  whatever a foreign array's conversion raises
        _refuse(parameter, f"a {type(given).__name__} ({error})", "give an array")
    if array.dtype == object:
        _refuse(parameter, f"a {type(given).__name__}", "give an array")
    return array


def _from_literal(given: Any, parameter: Parameter) -> NumpyArray:
    shown = repr(given) if len(repr(given)) <= 40 else f"a {type(given).__name__}"
    try:
        raw = np.asarray(given)
    except ValueError:
        _refuse(parameter, shown, "the inner lists have different lengths")
    if not fits(raw.shape, parameter.type):
        _refuse(
            parameter,
            f"{shown} of shape {shape_text(raw.shape)}",
            _shape_hint(raw.shape, parameter),
        )
    wanted = parameter.type.dtype.numpy
    if raw.dtype == wanted or raw.size == 0:
        return raw.astype(wanted, copy=False)
    if raw.dtype.kind not in _TAKES.get(parameter.type.dtype.kind, ""):
        _refuse(parameter, shown, f"convert it: np.asarray(value, {_spelled(wanted)})")
    with np.errstate(all="ignore"):
        converted = raw.astype(wanted)
        real = converted if raw.dtype.kind == "c" else np.real(converted)
        lossless = _is_lossless(raw, real.astype(raw.dtype))
    if not lossless:
        _refuse(
            parameter,
            f"{shown}, which {parameter.type.dtype.name} does not hold exactly",
            f"round it yourself: np.asarray(value, {_spelled(wanted)})",
        )
    return converted


def _is_lossless(raw: NumpyArray, back: NumpyArray) -> bool:
    same = (raw == back) | ((raw != raw) & (back != back))
    if raw.dtype.kind == "f":
        same &= np.signbit(raw) == np.signbit(back)
    return bool(same.all())


def _described(array: NumpyArray) -> str:
    native = array.dtype.newbyteorder("=")
    try:
        return repr(TensorType(array.shape, DType.of(native)))
    except DxirError:
        return f"{native.name}{shape_text(array.shape)}"


def _spelled(dtype: np.dtype[Any]) -> str:
    return f"{'np' if dtype.kind != 'V' and dtype.isbuiltin == 1 else 'ml_dtypes'}.{dtype.name}"


def _dtype_hint(array: NumpyArray, parameter: Parameter) -> str:
    if array.dtype.kind in "OSUMmV" and not _is_known(array.dtype):
        return "give an array of numbers"
    return f"convert it: array.astype({_spelled(parameter.type.dtype.numpy)})"


def _is_known(dtype: np.dtype[Any]) -> bool:
    try:
        DType.of(dtype)
    except DxirError:
        return False
    return True


def _shape_hint(shape: tuple[int, ...], parameter: Parameter) -> str:
    if not parameter.type.is_static:
        return f"give an array of shape {shape_text(parameter.type.shape)}"
    wanted = parameter.type.static_shape
    if sorted(shape) == sorted(wanted):
        return "the same sizes in another order: transpose it"
    if np.prod(shape, dtype=object) == parameter.type.size:
        return f"the same number of elements: reshape it to {shape_text(wanted)}"
    return f"give an array of shape {shape_text(wanted)}"


def _refuse(parameter: Parameter, given: str, hint: str) -> NoReturn:
    raise ArgumentError(f"{parameter} takes {parameter.type}, not {given}", hint=hint)
