"""The arrays of traced functions: numbers, or values of a graph that is being built."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np

from dxir import ops
from dxir.errors import DTypeError, GraphError, OperandError
from dxir.graph import Region, Value, current_region
from dxir.locations import caller_location
from dxir.runtime.array import Array as HeldArray
from dxir.tracing.constants import constant_in
from dxir.tracing.eager import EagerRegion, eager_region
from dxir.tracing.leaks import is_over, leak
from dxir.tracing.methods import Methods
from dxir.tracing.misuses import FORMAT, JAX, NUMPY, SIZE, Use, numbers_use, use_here
from dxir.tracing.ufuncs import on_function, on_ufunc
from dxir.types import DType, TensorType

Numbers = np.ndarray[Any, Any]
_SMALL = 16  # elements of a constant that is made wherever it is used
_HINT = (
    "choose by dxir.cond or dxir.numpy.where, loop by dxir.while_loop, dxir.fori_loop or "
    "dxir.scan; `static=` names arguments that are no arrays"
)


class Array(Methods):
    """An array as in the Python array API standard: numbers, or a value of a graph.

    Where no function is being traced, arrays hold numbers, and what is done with them is computed
    at once by the references of the ops, in NumPy. In a function that is traced they stand for the
    values of its graph. A `weak` array came from a Python number, and takes the element type of
    what it is combined with.
    """

    __slots__ = ("__weakref__", "_numbers", "_value", "weak")

    def __init__(self, given: Value | Any, *, weak: bool = False) -> None:
        self.weak = weak
        self._value: Value | None = None
        self._numbers: Any = None
        if isinstance(given, Value):
            home = eager_region(given.region)
            if home is None:
                self._value = given
            else:
                self._numbers = _frozen(home.computed(given))
        elif isinstance(given, Array):
            self._value, self._numbers = given._value, given._numbers
        elif isinstance(given, HeldArray):  # of a device; brought here when it is read
            self._numbers = given
        else:
            self._numbers = _frozen(_native(given))

    @classmethod
    def of_held(cls, held: Any, weak: bool = False) -> Array:
        """The array around what is behind one: quick, for what is known to be that."""
        made = cls.__new__(cls)
        made.weak = weak
        made._value = None
        made._numbers = held
        return made

    @classmethod
    def of_value(cls, value: Value) -> Array:
        """The array for a value of a graph that is being traced: quick, where it is known to be."""
        made = cls.__new__(cls)
        made.weak = False
        made._value = value
        made._numbers = None
        return made

    @property
    def is_traced(self) -> bool:
        """Whether it stands for a value of a graph, and has no numbers."""
        return self._value is not None

    @property
    def held(self) -> Any:
        """What is behind it: a Value, a NumPy array, or an array of a device."""
        return self._numbers if self._value is None else self._value

    @property
    def type(self) -> TensorType:
        """Shape and element type, as of a value."""
        if self._value is not None:
            return self._value.tensor
        held = self._numbers
        return held.type if isinstance(held, HeldArray) else TensorType.of_array(held)

    @property
    def shape(self) -> tuple[Any, ...]:
        """The sizes of its axes; dynamic ones are dxir.Dim."""
        return self.type.shape

    @property
    def dtype(self) -> DType:
        """The element type."""
        return self.type.primitive

    def numpy(self) -> Numbers:
        """Its numbers, as a NumPy array that cannot be written to; GraphError while traced."""
        if self._value is not None:
            raise self.refusal("its numbers are asked for", numbers_use("x.numpy()"))
        if isinstance(self._numbers, np.ndarray):
            return self._numbers
        return _frozen(np.asarray(self._numbers))

    def value(self, region: Region | None = None) -> Value:
        """The value in the graph that is being built, of which numbers become constants.

        In an eager region numbers are used as they are.
        """
        value = self._value
        if value is not None:
            if value.region is not None and value.region.sealed:
                raise leak(value)
            return value
        region = current_region() if region is None else region
        root = region
        while root is not None and root.parent is not None:
            root = root.parent
        numbers = self.numpy()
        if isinstance(root, EagerRegion) and (root is region or numbers.size > _SMALL):
            return root.given(self.type, numbers)
        if root is None or region is None or root.sealed:
            made: Value = ops.constant(numbers)
            return made
        return constant_in(root, region if numbers.size <= _SMALL else root, self._numbers, numbers)

    def refusal(self, what: str, use: Use | None = None) -> GraphError:
        """The error about what an array without numbers is used for."""
        assert self._value is not None
        if is_over(self._value.region):
            return leak(self._value)
        said = (
            f"{what}, but {self.type} stands"
            if use is None
            else f"{use.what} {self.type}, which stands"
        )
        return GraphError(
            f"{said} for any array while the function is traced",
            where=caller_location(),
            hint=(_HINT if use is None else use.hint)
            + "; `f.eager(...)` runs the function on numbers",
        )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Numbers:
        if self._value is not None:
            raise self.refusal("its numbers are asked for", NUMPY)
        numbers = self.numpy()
        if dtype is not None and numbers.dtype != dtype:
            return numbers.astype(dtype)
        return numbers.copy() if copy else numbers

    @property
    def __jax_array__(self) -> Any:  # JAX looks for it in all that its functions are given
        if self._value is None:
            raise AttributeError("__jax_array__")
        raise self.refusal("its numbers are asked for", JAX)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return on_ufunc(ufunc, method, inputs, options)

    def __array_function__(self, called: Any, types: Any, args: Any, options: Any) -> Any:
        return on_function(called, args, options)

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        # NumPy exports no array that cannot be written to without DLPack's flag for these.
        return np.array(self.numpy()).__dlpack__(
            stream=stream, max_version=max_version, dl_device=dl_device, copy=copy
        )

    def __dlpack_device__(self) -> tuple[int, int]:
        self.numpy()
        return (1, 0)

    def __bool__(self) -> bool:
        return bool(self._scalar("bool(x)", truth=True))

    def __int__(self) -> int:
        return int(self._scalar("int(x)"))

    def __float__(self) -> float:
        return float(self._scalar("float(x)"))

    def __complex__(self) -> complex:
        return complex(self._scalar("complex(x)"))

    def __index__(self) -> int:
        if not self.dtype.is_integer:
            raise DTypeError(
                f"{self.type} is used as an index of Python",
                where=caller_location(),
                hint="an integer array of one element can be one",
            )
        return int(self._scalar("an index", otherwise=SIZE))

    def item(self) -> Any:
        """The only element, as a Python number."""
        if self._value is not None:
            raise self.refusal("x.item()", numbers_use("x.item()"))
        return self._scalar("x.item()").item()

    def _scalar(self, what: str, *, truth: bool = False, otherwise: Use | None = None) -> Any:
        if self._value is not None:
            raise self.refusal(f"{what} of an array is asked for", use_here(truth) or otherwise)
        if self.type.size != 1:
            raise OperandError(
                f"{what} needs an array of one element, not {self.type}",
                where=caller_location(),
                hint="dxir.numpy.any(x) or all(x) makes one truth of many"
                if truth
                else "take one element (x[0]), or reduce it: dxir.numpy.sum(x)",
            )
        return self.numpy().reshape(())[()]

    def __len__(self) -> int:
        if not self.shape:
            raise OperandError(
                f"{self.type} is a scalar, which has no length and cannot be gone through",
                where=caller_location(),
                hint="give an array with an axis, as in x[None]",
            )
        size = self.shape[0]
        if not isinstance(size, int):
            raise self.refusal(f"the length of the dynamic dimension {size} is asked for")
        return size

    def __iter__(self) -> Iterator[Array]:
        return iter([self[i] for i in range(len(self))])

    def __setitem__(self, index: Any, value: Any = None) -> NoReturn:
        raise GraphError(
            "arrays are not changed in place",
            where=caller_location(),
            hint="x = x.at[index].set(value) gives the changed array; there are add, multiply, "
            "min and max, too",
        )

    __delitem__ = __setitem__

    __hash__ = None  # type: ignore[assignment]  # == compares elements

    def __reduce__(self) -> tuple[Any, ...]:
        if self._value is not None:
            raise self.refusal("a pickle", numbers_use("a pickle"))
        return _of_numbers, (np.array(self.numpy()), self.weak)

    def __copy__(self) -> Array:
        return self  # arrays are not changed in place

    def __deepcopy__(self, memo: dict[int, Any]) -> Array:
        """Itself, unless a call may take over its memory on a device: that is copied to NumPy."""
        on_device = self._value is None and not isinstance(self._numbers, np.ndarray)
        return _of_numbers(np.array(self.numpy()), self.weak) if on_device else self

    def __repr__(self) -> str:
        if self._value is not None:
            name = f" {self._value.name!r}" if self._value.name else ""
            return f"<traced array{name}: {self.type}>"
        text = np.array2string(self.numpy(), separator=", ", prefix="Array(")
        return f"Array({text}, {self.dtype.name})"

    def __str__(self) -> str:
        return repr(self) if self._value is not None else str(self.numpy())

    def __format__(self, spec: str) -> str:
        if self._value is None and not self.shape:
            return format(self.numpy()[()], spec)
        try:
            return format(str(self), spec)
        except ValueError:
            if self._value is None:
                raise
            raise self.refusal("a number", FORMAT) from None


def applied(run: Any, *operands: Any) -> Array:
    """What an op gives for arrays and Python numbers: where all is traced, by the short way."""
    found: Array
    values: list[Any] = []
    several = 0
    for operand in operands:
        if operand.__class__ is Array:
            operand = operand._value
            if operand is None or operand.region is None or operand.region.sealed:
                found = run(*operands)
                return found
            several += 1
        values.append(operand)
    if not several:
        found = run(*operands)
        return found
    return Array.of_value(run(*values))


def _of_numbers(numbers: Numbers, weak: bool) -> Array:
    return Array.of_held(_frozen(numbers), weak)


def _native(given: Any) -> Numbers:
    """A copy of what is given, as a NumPy array that only dxir knows."""
    array = np.array(given)
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _frozen(numbers: Any) -> Numbers:
    found: Numbers = np.asarray(numbers).view()
    found.flags.writeable = False
    return found
