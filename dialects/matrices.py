"""Building blocks of the factorizations: masks, slices at an index, reflections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dxir import checks, ops
from dxir.graph import Value
from dxir.types import TensorType, broadcast_shapes, i32

Array = np.ndarray[Any, Any]


def well_conditioned(*shape: int, dtype: Any = np.float32) -> Array:
    """Fixed matrices far from singular whose largest elements are off the diagonal."""
    rng = np.random.default_rng(5)
    full = rng.uniform(-1, 1, shape)
    if np.dtype(dtype).kind == "c":
        full = full + 1j * rng.uniform(-1, 1, shape)
    full = full + (2 + shape[-1]) * np.eye(shape[-2], shape[-1])
    return np.asarray(np.roll(full, 1, axis=-2)).astype(dtype)


def matrices(value: Value, what: str = "operand") -> TensorType:
    """The type of `value`, when it is a batch of float or complex matrices of static shape."""
    checks.kind(value, "float complex", what)
    type = checks.rank_at_least(value, 2, what)
    return type.with_shape(type.static_shape)


def widened(x: Value) -> Value:
    """`x` in the type sums are kept in."""
    return ops.convert(x, dtype=x.tensor.primitive.accumulator)


def conjugate(x: Value) -> Value:
    """The complex conjugate, or `x` itself when it is real; without `chlo.conj`."""
    if not x.tensor.primitive.is_complex:
        return x
    return ops.complex(ops.real(x), -ops.imag(x))


def adjoint(x: Value) -> Value:
    """The conjugate transpose of each matrix."""
    return conjugate(transposed(x))


def transposed(x: Value) -> Value:
    """Each matrix with rows and columns exchanged."""
    axes = list(range(x.rank))
    return ops.transpose(x, permutation=[*axes[:-2], axes[-1], axes[-2]])


def product(x: Value, y: Value, *, transpose_x: bool = False, transpose_y: bool = False) -> Value:
    """The products of batches of matrices of one shape of batch, in full precision."""
    rank = x.rank
    batch = tuple(range(rank - 2))
    over = (rank - 2 if transpose_x else rank - 1, rank - 1 if transpose_y else rank - 2)
    return ops.matmul(
        x,
        y,
        contracting=((over[0],), (over[1],)),
        batching=(batch, batch),
        precision=("HIGHEST", "HIGHEST"),
    )


def triangle_mask(like: Value, direction: str) -> Value:
    """Where the row number is GT, GE, LT, LE or EQ the column number, for one matrix of a batch."""
    shape = like.tensor.static_shape[-2:]
    rows, columns = (ops.iota(shape=shape, axis=axis, dtype=i32) for axis in (0, 1))
    return ops.compare(rows, columns, direction=direction)


def hermitian_part(x: Value) -> Value:
    """`(x + x^H) / 2`."""
    return ops.mul(ops.add(x, adjoint(x)), 0.5)


def places(like: Value, axis: int) -> Value:
    """The row (axis -2) or column (axis -1) number, to compare with; it broadcasts over `like`."""
    shape = [1] * like.rank
    shape[axis] = like.shape[axis]
    return ops.iota(shape=shape, axis=axis, dtype=i32)


def only(mask: Value, x: Value) -> Value:
    """`x` where `mask` holds, else 0."""
    return where(mask, x, zeros(x))


def where(mask: Value, x: Value, y: Value) -> Value:
    """`x` where `mask` holds, else `y`; all three broadcast."""
    joined = broadcast_shapes(mask.shape, broadcast_shapes(x.shape, y.shape))
    shape = x.tensor.with_shape(joined).static_shape
    return ops.select(*(ops.broadcast_to(v, shape=shape) for v in (mask, x, y)))


def zeros(like: Value) -> Value:
    """A scalar 0 of the element type of `like`."""
    return ops.full(shape=(), value=0, dtype=like.tensor.primitive)


def identity(batch: Sequence[int], rows: int, columns: int, dtype: Any) -> Value:
    """Batches of matrices with ones on the diagonal."""
    row = ops.iota(shape=(rows, columns), axis=0, dtype=i32)
    column = ops.iota(shape=(rows, columns), axis=1, dtype=i32)
    ones = ops.convert(ops.compare(row, column, direction="EQ"), dtype=dtype)
    return ops.broadcast_to(ones, shape=(*batch, rows, columns))


def diagonal(x: Value) -> Value:
    """The diagonals of square matrices, `[..., n]`."""
    on = ops.compare(places(x, -2), places(x, -1), direction="EQ")
    return ops.sum(only(on, x), axes=(-1,))


def cut(x: Value, axis: int, index: Value) -> Value:
    """The slice of size 1 at `index` along an axis."""
    axis = axis % x.rank
    starts = [index if i == axis else np.int32(0) for i in range(x.rank)]
    sizes = [1 if i == axis else d for i, d in enumerate(x.shape)]
    return ops.dynamic_slice(x, starts, sizes=sizes)


def paste(x: Value, part: Value, axis: int, index: Value) -> Value:
    """`x` with `part` at `index` along an axis."""
    axis = axis % x.rank
    starts = [index if i == axis else np.int32(0) for i in range(x.rank)]
    return ops.dynamic_update_slice(x, part, starts)


def nonzero(x: Value) -> Value:
    """`x` with 1 in place of zeros: something to divide by."""
    return where(ops.compare(x, zeros(x), direction="EQ"), ops.full_like(x, value=1), x)


def column_norms(x: Value) -> Value:
    """The norm of each column, `[..., 1, n]`, without overflow."""
    size = ops.abs(x)
    scale = nonzero(ops.reduce_max(size, axes=(-2,), keepdims=True))
    unit = size / scale
    return scale * ops.sqrt(ops.sum(unit * unit, axes=(-2,), keepdims=True))


def reflected(a: Value, vector: Value, scale: Value) -> Value:
    """`(I - scale v v^H) a`."""
    along = ops.sum(conjugate(vector) * a, axes=(-2,), keepdims=True)
    return a - scale * vector * along
