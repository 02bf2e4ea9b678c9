"""The methods of arrays, as calls of the functions in `dxir.numpy`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from dxir.errors import AttributeValueError, ShapeError
from dxir.locations import caller_location
from dxir.misuse import explained
from dxir.other_names import ARRAY, no_attribute
from dxir.runtime.array import Array as HeldArray
from dxir.tracing.misuses import numbers_use
from dxir.tracing.operators import Operators, function
from dxir.types import Dim

if TYPE_CHECKING:
    from dxir.numpy.updates import At
    from dxir.tracing.arrays import Array


class Methods(Operators):
    """`x.T`, `x.sum()`, `x.at[i].set(v)`: what arrays of the standard and of NumPy have."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def shape(self) -> tuple[Any, ...]: ...

        @property
        def held(self) -> Any: ...

        @property
        def is_traced(self) -> bool: ...

        def numpy(self) -> Any: ...

        def refusal(self, what: str, use: Any = None) -> Exception: ...

    @property
    def ndim(self) -> int:
        """How many axes it has."""
        return len(self.shape)

    @property
    def size(self) -> int | None:
        """How many elements it has; None where a dimension is dynamic."""
        shape = self.shape
        return None if any(isinstance(d, Dim) for d in shape) else math.prod(shape)

    @property
    def device(self) -> Any:
        """Where its numbers are."""
        return getattr(self.held, "device", "cpu") if isinstance(self.held, HeldArray) else "cpu"

    if not TYPE_CHECKING:  # to type checkers, other names are mistakes

        def __getattr__(self, name):
            raise no_attribute("an array", name, dir(type(self)), ARRAY)

    def to_device(self, device: Any, /, *, stream: Any = None) -> Array:
        """The array on a device: the one it is on."""
        if device != self.device or stream is not None:
            raise AttributeValueError(
                f"an array on {self.device} cannot be brought to {device!r} here",
                where=caller_location(),
                hint="dxir.to_device moves arrays to accelerators",
            )
        return _call("copy", self)

    def __contains__(self, value: Any) -> bool:
        return bool(_call("any", function("equal")(self, value)))

    @property
    def T(self) -> Array:
        """A matrix with rows and columns exchanged."""
        if len(self.shape) != 2:
            raise ShapeError(
                f"x.T is of matrices, not of an array of {len(self.shape)} axes",
                where=caller_location(),
                hint="use x.mT for the last two axes, or dxir.numpy.permute_dims",
            )
        return _call("matrix_transpose", self)

    @property
    def mT(self) -> Array:
        """Matrices with rows and columns, the last two axes, exchanged."""
        return _call("matrix_transpose", self)

    @property
    def real(self) -> Array:
        """The real part."""
        return _call("real", self)

    @property
    def imag(self) -> Array:
        """The imaginary part."""
        return _call("imag", self)

    @property
    def at(self) -> At:
        """Changes at an index: `x.at[i].set(v)`, `.add(v)`, `.multiply(v)` and others."""
        found: At = function("at")(self)
        return found

    def astype(self, dtype: Any, *, copy: bool = True) -> Array:
        """The elements in another element type."""
        return _call("astype", self, dtype, copy=copy)

    def reshape(self, *shape: Any) -> Array:
        """The same elements in another shape; one -1 in it is worked out."""
        single = len(shape) == 1 and isinstance(shape[0], (tuple, list))
        return _call("reshape", self, shape[0] if single else shape)

    def transpose(self, *axes: Any) -> Array:
        """The axes in another order, by default the opposite one."""
        if not axes or axes == (None,):
            return _call("transpose", self)
        return _call("transpose", self, axes[0] if isinstance(axes[0], (tuple, list)) else axes)

    def tolist(self) -> Any:
        """Its numbers in nested lists."""
        if self.is_traced:
            raise self.refusal("its numbers are asked for", numbers_use("x.tolist()"))
        return self.numpy().tolist()

    def ravel(self) -> Array:
        """All elements in a row."""
        return _call("ravel", self)

    def flatten(self) -> Array:
        """All elements in a row."""
        return _call("ravel", self)

    def copy(self) -> Array:
        """An array of the same elements."""
        return _call("copy", self)

    def squeeze(self, axis: Any = None) -> Array:
        """The array without axes of size 1."""
        return _call("squeeze", self, axis=axis)

    def swapaxes(self, axis1: int, axis2: int) -> Array:
        """Two axes exchanged."""
        return _call("swapaxes", self, axis1, axis2)

    def clip(self, min: Any = None, max: Any = None) -> Array:
        """The elements, none less than `min` and none more than `max`."""
        return _call("clip", self, min, max)

    def round(self) -> Array:
        """The nearest integers."""
        return _call("round", self)

    def conj(self) -> Array:
        """The complex conjugate."""
        return _call("conj", self)

    def dot(self, other: Any) -> Array:
        """The product with a vector or matrix."""
        return _call("dot", self, other)

    def cumsum(self, axis: int | None = None) -> Array:
        """The sums of the elements so far."""
        return _call("cumsum", self, axis)

    def sum(self, axis: Any = None, *, dtype: Any = None, keepdims: bool = False) -> Array:
        """The sum along axes, or of all elements."""
        return _call("sum", self, axis=axis, dtype=dtype, keepdims=keepdims)

    def prod(self, axis: Any = None, *, dtype: Any = None, keepdims: bool = False) -> Array:
        """The product along axes, or of all elements."""
        return _call("prod", self, axis=axis, dtype=dtype, keepdims=keepdims)

    def mean(self, axis: Any = None, *, dtype: Any = None, keepdims: bool = False) -> Array:
        """The mean along axes, or of all elements."""
        return _call("mean", self, axis=axis, dtype=dtype, keepdims=keepdims)

    def max(self, axis: Any = None, *, keepdims: bool = False) -> Array:
        """The largest element along axes, or of all."""
        return _call("max", self, axis=axis, keepdims=keepdims)

    def min(self, axis: Any = None, *, keepdims: bool = False) -> Array:
        """The smallest element along axes, or of all."""
        return _call("min", self, axis=axis, keepdims=keepdims)

    def all(self, axis: Any = None, *, keepdims: bool = False) -> Array:
        """Whether no element is 0."""
        return _call("all", self, axis=axis, keepdims=keepdims)

    def any(self, axis: Any = None, *, keepdims: bool = False) -> Array:
        """Whether an element is not 0."""
        return _call("any", self, axis=axis, keepdims=keepdims)

    def argmax(self, axis: Any = None, *, keepdims: bool = False) -> Array:
        """The index of the largest element."""
        return _call("argmax", self, axis=axis, keepdims=keepdims)

    def argmin(self, axis: Any = None, *, keepdims: bool = False) -> Array:
        """The index of the smallest element."""
        return _call("argmin", self, axis=axis, keepdims=keepdims)

    def var(self, axis: Any = None, *, correction: float = 0.0, keepdims: bool = False) -> Array:
        """The variance along axes, or of all elements."""
        return _call("var", self, axis=axis, correction=correction, keepdims=keepdims)

    def std(self, axis: Any = None, *, correction: float = 0.0, keepdims: bool = False) -> Array:
        """The standard deviation along axes, or of all elements."""
        return _call("std", self, axis=axis, correction=correction, keepdims=keepdims)


for _name in (
    "all", "any", "argmax", "argmin", "astype", "clip", "cumsum", "dot", "max", "mean", "min",
    "prod", "squeeze", "std", "sum", "swapaxes", "var",
):  # fmt: skip
    setattr(Methods, _name, explained(getattr(Methods, _name)))


def _call(name: str, *args: Any, **kwargs: Any) -> Array:
    found: Array = function(name)(*args, **kwargs)
    return found
