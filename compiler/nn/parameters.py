"""What layers keep: dictionaries of arrays, checked where a layer reads them."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dxir.errors import DTypeError, OperandError, ShapeError
from dxir.graph import Value, current_region
from dxir.locations import caller_location
from dxir.numpy.promotion import array_of
from dxir.numpy.sizes import counted
from dxir.runtime.array import Array as HeldArray
from dxir.tracing.arrays import Array
from dxir.types import DType, shape_text


def is_array(leaf: Any) -> bool:
    """Whether a leaf of parameters is an array, of any kind that dxir knows."""
    return isinstance(leaf, (Array, HeldArray, Value)) or (
        hasattr(leaf, "dtype") and hasattr(leaf, "shape")
    )


_IMAGES = "images are [batch, channels, height, width]; "
_LAYOUTS = {"conv": _IMAGES, "conv_transpose": _IMAGES}


class Parameters:
    """The entries of a dictionary that a layer is given, by name.

    Raises OperandError for what is no dictionary, and for keys that the layer has no use for; the
    messages name the layer.
    """

    def __init__(self, given: Any, layer: str, names: str, optional: str = "") -> None:
        self.layer = layer
        if not isinstance(given, Mapping):
            raise OperandError(
                f"nn.{layer} takes a dictionary of parameters, not {type(given).__name__}",
                where=caller_location(),
                hint=f"nn.init_{layer} makes it"
                + ("; an optimizer gives (params, state)" if isinstance(given, tuple) else ""),
            )
        self._entries = given
        wanted, allowed = names.split(), [*names.split(), *optional.split()]
        missing = [n for n in wanted if given.get(n) is None]
        unknown = [k for k in given if k not in allowed]
        if missing or unknown:
            raise OperandError(
                self._said(missing, unknown),
                where=caller_location(),
                hint=self._hint(missing, unknown, wanted, optional.split()),
            )

    def _said(self, missing: Sequence[str], unknown: Sequence[Any]) -> str:
        if unknown:
            said = ", ".join(map(repr, unknown))
            return f"nn.{self.layer} has no parameter {said}"
        held = ", ".join(map(repr, self._entries)) or "nothing"
        return f"nn.{self.layer} misses {', '.join(map(repr, missing))}; its params hold {held}"

    def _hint(
        self, missing: Sequence[str], unknown: Sequence[Any], names: list[str], optional: list[str]
    ) -> str:
        allowed = ", ".join([*names, *[f"{n} (if wanted)" for n in optional]])
        near = [
            m
            for k in unknown
            for m in difflib.get_close_matches(str(k), [*missing, *optional], n=1)
        ]
        meant = f"did you mean {near[0]!r}? " if near else ""
        return f"{meant}its parameters are {allowed}; nn.init_{self.layer} makes them"

    def has(self, name: str) -> bool:
        """Whether a parameter that may be left out is there."""
        return self._entries.get(name) is not None

    def layer_of(self, name: str) -> Any:
        """The parameters of a layer inside."""
        return self._entries[name]

    def array(self, name: str, *shape: Any) -> Array:
        """A parameter, whose shape must be this; a string stands for any size, and names it."""
        given = self._entries[name]
        if not is_array(given):
            raise OperandError(
                f"parameter {name!r} of nn.{self.layer} is {type(given).__name__}, not an array",
                where=caller_location(),
            )
        found = array_of(given)
        sizes = found.shape
        fits = len(sizes) == len(shape) and all(
            isinstance(w, str) or n == w for n, w in zip(sizes, shape, strict=True)
        )
        if not fits:
            raise ShapeError(
                f"parameter {name!r} of nn.{self.layer} has type {found.type}, but its shape must "
                f"be {shape_text(shape)}",
                where=caller_location(),
                hint="the params may be those of another layer, or of other sizes",
            )
        return found

    def maybe(self, name: str, *shape: Any) -> Array | None:
        """A parameter that may be left out."""
        return self.array(name, *shape) if self.has(name) else None

    def check_input(self, x: Array, least: int, axis: int, size: Any, parameter: str) -> None:
        """Raise ShapeError unless `x` has some axes, and along one of them the size wanted."""
        if len(x.shape) < least:
            raise ShapeError(
                f"nn.{self.layer} takes an array of {least} axes or more, not {x.type}",
                where=caller_location(),
                hint="the first axis is the batch: x[None] is a batch of one",
            )
        if x.shape[axis] != size:
            raise ShapeError(
                f"nn.{self.layer} is given {x.type}, whose axis {axis} has size {x.shape[axis]}; "
                f"for its parameter {parameter!r} it must be {size}",
                where=caller_location(),
                hint=_LAYOUTS.get(self.layer, "")
                + "the params may be those of another layer, or of other sizes",
            )


def positive(value: Any, what: str) -> int:
    """A size of a layer; ShapeError unless it is a whole number above 0."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ShapeError(
            f"{what} is {value!r}, but must be a whole number of 1 or more",
            where=caller_location(),
        )
    return value


def float_type(dtype: Any) -> DType:
    """The element type of new parameters; DTypeError unless it is a float of 16 bits or more."""
    found = DType.of(dtype)
    if not found.is_float or found.bits < 16:
        raise DTypeError(
            f"parameters are floats, not {found}",
            where=caller_location(),
            hint="make them in bf16, f16, f32 or f64, and convert or quantize them afterwards",
        )
    return found


def iota(size: Any, dtype: DType) -> Array:
    """The numbers from 0, made in the graph that is being traced, or at once."""
    if current_region() is None:
        return Array(np.arange(size).astype(dtype.numpy))
    return counted((size,), 0, dtype)
