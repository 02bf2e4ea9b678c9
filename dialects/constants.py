"""Ops without operands: constants and counters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks
from dxir.arithmetic import finfo, narrowed
from dxir.errors import AttributeValueError, DTypeError, DxirError, ShapeError
from dxir.examples import Example
from dxir.graph import Value, place
from dxir.locations import caller_location, place_error
from dxir.op import Primitive, attribute, make, register_function
from dxir.types import (
    DType,
    TensorType,
    Type,
    bf16,
    c64,
    c128,
    f4e2m1fn,
    f8e4m3fn,
    f16,
    f32,
    i2,
    i4,
    i8,
    i32,
    i64,
    ui4,
    ui8,
)

if TYPE_CHECKING:
    from dxir.emitter import Emitter
    from dxir.mlir import IrValue

Array = np.ndarray[Any, Any]


class Constant(Primitive, name="constant", mlir="stablehlo.constant", rounding="moves"):
    """A tensor known when the graph is built; a splat holds one element.

    Python numbers become f32, i32, i1 or c64 unless `dtype` says otherwise; a number that the type
    does not hold is an error, and NumPy arrays are converted only when `dtype` asks for it.
    """

    value: Array = attribute("elements", positional=True)
    dtype: DType | None = attribute(default=None)

    examples = (
        Example(value=np.arange(6, dtype=np.float32).reshape(2, 3)),
        Example(value=np.float32(2.5)),
        Example(value=[[True, False, True]]),
        Example(value=np.zeros((0, 3), np.int8)),
        Example(value=np.full((2, 3), np.inf, np.float32)),
        Example(value=[1.5, -0.0, np.nan], dtype=bf16),
        Example(value=[1, -8, 7], dtype=i4),
        Example(value=[[1, -2], [0, 1]], dtype=i2),
        Example(value=[0, 15, 7], dtype=ui4),
        Example(value=[0.5, -6.0, 1.5], dtype=f4e2m1fn),
        Example(value=[0.5, -448.0, 1.0], dtype=f8e4m3fn),
        Example(value=[2**40, -(2**63)], dtype=i64),
        Example(value=np.complex64(1 + 2j)),
        Example(value=[1 + 2j, -3], dtype=c128),
        Example(value=np.ones((4, 5), bool)),
    )

    def prepare(self) -> None:
        wanted = None if self.dtype is None else DType.of(self.dtype)
        self.update(value=constant_array(self.value, wanted), dtype=None)

    def infer(self) -> TensorType:
        return TensorType.of_array(self.value)

    def lower(self, e: Emitter, *_: IrValue) -> IrValue:
        return e.constant(self.value, self.results[0].tensor)

    def reference(self) -> Array:
        return self.value


def constant_array(given: Any, dtype: DType | None) -> Array:
    """The array that `constant` holds: read-only, its own, with all strides 0 when uniform."""
    if id(given) in _splats_by_id:
        splat: Array = given
        return splat
    if isinstance(given, (np.ndarray, np.generic)):
        array = np.asarray(given)
        array = array.astype(array.dtype.newbyteorder("="), copy=False)
        if dtype is not None and array.dtype != dtype.numpy:
            array = array.astype(dtype.numpy)
    else:
        array = _literal(given, dtype)
    DType.of(array.dtype)
    if array.size and _is_uniform(array):
        return np.broadcast_to(array.reshape(-1)[:1].copy().reshape(()), array.shape)
    if _may_change(array):
        array = array.copy()
    array.flags.writeable = False
    return array


def _is_uniform(array: Array) -> bool:
    """Whether all elements have the same bits."""
    if array.size == 1 or not any(array.strides):
        return True
    flat = np.ascontiguousarray(array).reshape(-1)
    octets = flat.view(np.uint8).reshape(flat.size, -1)
    first = octets[0]
    if (first != octets[-1]).any() or (first != octets[len(octets) // 2]).any():
        return False
    return bool((octets == first).all())


def _may_change(array: Array | None) -> bool:
    """Whether somebody could still write to the data."""
    while isinstance(array, np.ndarray):
        if array.flags.writeable:
            return True
        array = array.base
    return False


_LITERAL_TYPES = {"b": "i1", "i": "i32", "u": "i32", "f": "f32", "c": "c64"}


def _literal(given: Any, dtype: DType | None) -> Array:
    """Python numbers, or nested lists of them, as an array of a type that holds them."""
    plain = np.array(given)
    if plain.dtype.kind not in _LITERAL_TYPES:
        big = plain.dtype.kind == "O" and all(isinstance(v, int) for v in plain.flat)
        if not big:
            raise AttributeValueError(
                f"{given!r} is no constant", hint="give a NumPy array, numbers or lists of numbers"
            )
    elif plain.size == 0 and dtype is None:
        plain = plain.astype(np.float32)
    wanted = dtype or DType.of(_LITERAL_TYPES.get(plain.dtype.kind, "i64"))
    if wanted.is_integer or wanted.is_bool:
        for number in plain.flat:
            item = number.item() if isinstance(number, np.generic) else number
            checks.represents(wanted, item)
        return np.asarray(plain.astype(np.uint64 if wanted.name == "ui64" else np.int64)).astype(
            wanted.numpy
        )
    if plain.dtype.kind == "c" and not wanted.is_complex:
        raise DTypeError(f"{given!r} is complex, but {wanted} is not")
    array = plain.astype(wanted.numpy)
    if wanted.is_float and np.any(np.isnan(array.astype(np.float64)) != np.isnan(plain)):
        raise DTypeError(
            f"{given!r} is not a value of type {wanted}",
            hint=f"the largest number that {wanted} holds is {_largest(wanted)}",
        )
    return array


def _largest(dtype: DType) -> float:
    return float(finfo(dtype).max)


_MAX_SPLATS = 4096
_splats: dict[Any, Array] = {}
_splats_by_id: dict[int, Array] = {}


def _splat(value: Any, shape: Any, dtype: Any) -> Array:
    """One number in an array of all strides 0; the same array for the same request."""
    key = (value.__class__, repr(value), shape, dtype)
    found = _splats.get(key) if isinstance(value, (bool, int, float)) else None
    if found is not None:
        return found
    sizes = checks.static_shape(shape, "shape", "dynamic_broadcast_in_dim")
    element = constant_array(value, DType.of(dtype))
    if element.shape:
        raise ShapeError(f"the value is an array of shape {element.shape}, not one number")
    found = np.broadcast_to(element, sizes)
    if len(_splats) < _MAX_SPLATS and isinstance(value, (bool, int, float)):
        _splats[key] = _splats_by_id[id(found)] = found
    return found


@register_function
def full(*, shape: Any, value: Any, dtype: Any) -> Value:
    """A constant of `shape` with one value everywhere, held as a splat."""
    try:
        sizes = shape if isinstance(shape, (tuple, int)) else tuple(shape)
        array = _splat(value, sizes, dtype)
    except DxirError as error:
        place_error(error)
        error.message = f"full: {error.message}"
        raise
    spread: Value = Constant.build(array)
    return spread


def _known(value: Any, type: TensorType) -> Value:
    """A splat of a number that was one of this type before: nothing is left to check."""
    key = (value.__class__, repr(value), type.shape, type.dtype)
    array = _splats.get(key)
    if array is None or not isinstance(value, (bool, int, float)):
        spread: Value = full(shape=type.shape, value=value, dtype=type.primitive)
        return spread
    node = make(Constant, (), {"value": array, "dtype": None}, (type,), location=caller_location())
    place(node)
    return node.results[0]


@register_function
def full_like(x: Value, *, value: Any) -> Value:
    """One value everywhere, in the type of `x`; a scalar when the shape of `x` is dynamic."""
    type = x.tensor
    if type.is_static and type.axis_names is None:
        return _known(value, type)
    shape = type.shape if type.is_static else ()
    spread: Value = full(shape=shape, value=value, dtype=type.primitive)
    return spread


class Iota(Primitive, name="iota", mlir="stablehlo.iota", rounding="moves"):
    """Each element is its index along `axis`, in `dtype`."""

    shape: tuple[int, ...]
    axis: int = attribute("i64", mlir="iota_dimension")
    dtype: DType

    examples = (
        Example(shape=(3,), axis=0, dtype=i32),
        Example(shape=(2, 3), axis=-1, dtype=f32),
        Example(shape=(2, 3, 2), axis=1, dtype=ui8),
        Example(shape=(0, 3), axis=1, dtype=i64),
        Example(shape=(300,), axis=0, dtype=bf16),
        Example(shape=(300,), axis=0, dtype=i8),
        Example(shape=(3,), axis=0, dtype=c64),
        Example(shape=(3000,), axis=0, dtype=f16),
    )

    def prepare(self) -> None:
        shape = checks.static_shape(self.shape, "shape", "dynamic_iota")
        if not shape:
            raise ShapeError(
                "a scalar has no axis to count along", hint="use constant for a scalar 0"
            )
        self.update(
            shape=shape, axis=checks.axis(self.axis, len(shape)), dtype=DType.of(self.dtype)
        )

    @classmethod
    def attributes_from_types(
        cls, operand_types: Sequence[Type], result_types: Sequence[Type]
    ) -> dict[str, Any]:
        """The attributes that MLIR keeps in the result type."""
        type: Any = result_types[0]
        return {"shape": type.shape, "dtype": type.dtype}

    def infer(self) -> TensorType:
        if self.dtype.is_bool:
            raise DTypeError("iota does not count in i1", hint="count in an integer, then convert")
        return TensorType(self.shape, self.dtype)

    def reference(self) -> Array:
        return counted(self.shape, self.axis, self.dtype)


def counted(shape: Sequence[int], axis: int, dtype: DType) -> Array:
    """The index along `axis`, modulo the width for integers."""
    column = [-1 if i == axis else 1 for i in range(len(shape))]
    index = np.broadcast_to(np.arange(shape[axis], dtype=np.int64).reshape(column), tuple(shape))
    return narrowed(index, dtype.numpy)
