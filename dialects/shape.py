"""Constants, and ops that change type and shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks
from dxir.errors import AttributeValueError, ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Primitive, attribute, register_function
from dxir.types import DType, TensorType, bf16, c64, f32, i1, i32

if TYPE_CHECKING:
    from dxir.lowering import Emitter, IrValue

Array = np.ndarray[Any, Any]


class Constant(Primitive, name="constant", mlir="stablehlo.constant"):
    """A tensor known when the graph is built; a splat holds one element."""

    value: Array = attribute(positional=True)
    dtype: DType | None = attribute(default=None)

    examples = (
        Example(value=np.arange(6, dtype=np.float32).reshape(2, 3)),
        Example(value=np.float32(2.5)),
        Example(value=[[True, False]]),
        Example(value=np.zeros((0, 3), np.int8)),
        Example(value=[1.5, 2.5], dtype=bf16),
        Example(value=np.complex64(1 + 2j), dtype=c64),
    )

    def prepare(self) -> None:
        given: Any = self.value
        wanted = None if self.dtype is None else DType.of(self.dtype)
        self.update(value=_constant_array(given, wanted), dtype=None)

    def infer(self) -> TensorType:
        return TensorType.of_array(self.value)

    def lower(self, e: Emitter) -> IrValue:
        return e.constant(self.value, self.results[0].tensor)

    def reference(self) -> Array:
        return self.value


def _constant_array(given: Any, dtype: DType | None) -> Array:
    if isinstance(given, (np.ndarray, np.generic)):
        array = np.asarray(given)
        array = array.astype(array.dtype.newbyteorder("="), copy=False)
        if dtype is not None and array.dtype != dtype.numpy:
            array = array.astype(dtype.numpy)
    elif dtype is not None:
        array = np.array(given).astype(dtype.numpy)
    else:
        array = np.array(given)
        narrow = {"float64": np.float32, "int64": np.int32, "complex128": np.complex64}
        array = array.astype(narrow.get(array.dtype.name, array.dtype))
    DType.of(array.dtype)
    if array.flags.writeable and array.base is None and any(array.strides):
        array = array.copy()
    array.flags.writeable = False
    return array


@register_function
def full(*, shape: Any, value: Any, dtype: Any) -> Value:
    """A constant of `shape` with one value everywhere, held as a splat."""
    kind = DType.of(dtype)
    return Constant.build(np.broadcast_to(np.array(value).astype(kind.numpy), tuple(shape)))


@register_function
def full_like(x: Value, *, value: Any) -> Value:
    """One value everywhere, in the type of `x`; a scalar when the shape of `x` is dynamic."""
    type = x.tensor
    shape = type.static_shape if type.is_static else ()
    return full(shape=shape, value=value, dtype=type.primitive)


class Reshape(Primitive, name="reshape", mlir="stablehlo.reshape"):
    """The same elements in row-major order in another shape; one `-1` is worked out."""

    x: Value
    shape: tuple[int, ...]

    examples = (
        Example(x=f32[2, 6], shape=(3, -1)),
        Example(x=f32[()], shape=(1, 1)),
        Example(x=f32[0, 3], shape=(3, 0)),
    )

    def prepare(self) -> None:
        shape = checks.integers(self.shape, "shape")
        size = self.x.tensor.size
        if shape.count(-1) > 1 or any(d < -1 for d in shape):
            raise AttributeValueError(f"shape {shape} has more than one -1, or a negative size")
        if -1 in shape:
            known = int(np.prod([d for d in shape if d != -1], dtype=np.int64))
            if known == 0 or size % known:
                raise ShapeError(f"{self.x.type} has {size} elements, which do not fill {shape}")
            shape = tuple(size // known if d == -1 else d for d in shape)
        self.update(shape=shape)

    def infer(self) -> TensorType:
        result = TensorType(self.shape, self.x.tensor.dtype)
        if result.size != self.x.tensor.size:
            raise ShapeError(
                f"{self.x.type} has {self.x.tensor.size} elements, "
                f"but shape {list(self.shape)} has {result.size}"
            )
        return result

    def reference(self, x: Array) -> Array:
        return x.reshape(self.shape)


class Transpose(Primitive, name="transpose", mlir="stablehlo.transpose"):
    """The axes in another order; reversed when no permutation is given."""

    x: Value
    permutation: tuple[int, ...] | None = attribute("i64_array", default=None)

    examples = (
        Example(x=f32[2, 3, 4], permutation=(2, 0, 1)),
        Example(x=bf16[2, 3]),
        Example(x=i32[()]),
    )

    def prepare(self) -> None:
        rank = self.x.tensor.rank
        given = tuple(range(rank))[::-1] if self.permutation is None else self.permutation
        order = tuple(checks.axis(a, rank, "permutation entry") for a in given)
        if sorted(order) != list(range(rank)):
            raise ShapeError(f"{order} is not a permutation of the {rank} axes of {self.x.type}")
        self.update(permutation=order)

    def infer(self) -> TensorType:
        type = self.x.tensor
        order = self.permutation or ()
        names = None if type.axis_names is None else [type.axis_names[i] for i in order]
        return TensorType([type.shape[i] for i in order], type.dtype, names)

    def reference(self, x: Array) -> Array:
        return x.transpose(self.permutation)


class BroadcastInDim(Primitive, name="broadcast_in_dim", mlir="stablehlo.broadcast_in_dim"):
    """Operand axis `i` becomes result axis `dims[i]`; new axes and axes of size 1 repeat."""

    x: Value
    shape: tuple[int, ...]
    dims: tuple[int, ...] = attribute("i64_array", mlir="broadcast_dimensions")

    examples = (
        Example(x=f32[3], shape=(2, 3), dims=(1,)),
        Example(x=f32[2, 1], shape=(2, 3, 4), dims=(0, 2)),
        Example(x=i1[()], shape=(2, 0), dims=()),
    )

    def prepare(self) -> None:
        shape = checks.integers(self.shape, "shape")
        dims = tuple(checks.axis(d, len(shape), "dims entry") for d in self.dims)
        self.update(shape=shape, dims=dims)

    def infer(self) -> TensorType:
        type = self.x.tensor
        checks.length(self.dims, type.rank, "dims")
        if len(set(self.dims)) != len(self.dims):
            raise ShapeError(f"dims {self.dims} name a result axis twice")
        for i, d in enumerate(self.dims):
            if type.shape[i] not in (1, self.shape[d]):
                raise ShapeError(
                    f"axis {i} of {type} has size {type.shape[i]}, but goes to axis {d} "
                    f"of size {self.shape[d]}",
                    hint="only size 1 stretches",
                )
        return TensorType(self.shape, type.dtype)

    def reference(self, x: Array) -> Array:
        wide = [1] * len(self.shape)
        for i, d in enumerate(self.dims):
            wide[d] = x.shape[i]
        order = np.argsort(self.dims, kind="stable")
        return np.broadcast_to(x.transpose(order).reshape(wide), self.shape)
