"""Gather: windows read at computed positions, and what its indices share with scatter's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent
from dxir.dialects.addressing import Addressing
from dxir.errors import AttributeValueError, ShapeError
from dxir.examples import Example, Sample
from dxir.graph import Value
from dxir.op import Primitive, attribute
from dxir.transforms import Batch
from dxir.types import Dimension, TensorType, bf16, f32, i1, i8, i32, i64, same_dimension, ui8

Array = np.ndarray[Any, Any]


def widened(indices: Value) -> Value:
    """Indices of 32 bits or more: narrower ones are converted to i32, which holds all of them."""
    dtype = indices.tensor.dtype
    if (dtype.is_integer) and dtype.bits < 32:
        return ops.convert(indices, dtype=i32)
    return indices


class Gather(Primitive, name="gather", mlir="stablehlo.gather", rounding="exact"):
    """Windows of `operand` at positions read from `start_indices`; positions clamp to fit.

    Each index vector (along `index_vector_dim`; a scalar each when that is the rank) gives the
    start of a window of `slice_sizes` on the axes `start_index_map`. Axes `collapsed_slice_dims`
    (size 1) are dropped, the others become the result's `offset_dims`. `operand_batching_dims`
    run beside `start_indices_batching_dims`. Indices under 32 bits are widened first.

    The gradient goes to the elements that were read: that of an index out of range to the element
    that it was moved to, as the result depends on that one.
    """

    operand: Value
    start_indices: Value
    offset_dims: tuple[int, ...]
    collapsed_slice_dims: tuple[int, ...]
    operand_batching_dims: tuple[int, ...] = ()
    start_indices_batching_dims: tuple[int, ...] = ()
    start_index_map: tuple[int, ...]
    index_vector_dim: int
    slice_sizes: tuple[int, ...] = attribute("i64_array")
    indices_are_sorted: bool | None = attribute("bool", default=None)

    packed: ClassVar[Mapping[str, tuple[str, tuple[str, ...]]]] = {
        "dimension_numbers": (
            "gather_dims",
            (
                "offset_dims", "collapsed_slice_dims", "operand_batching_dims",
                "start_indices_batching_dims", "start_index_map", "index_vector_dim",
            ),
        )
    }  # fmt: skip

    examples = (
        Example(
            operand=f32[4, 2], start_indices=np.array([[0], [-5], [3], [100]], np.int32),
            offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0,),
            index_vector_dim=1, slice_sizes=(1, 2),
        ),
        Example(
            operand=bf16[3, 4, 5], start_indices=i64[2, 6, 2], offset_dims=(0, 3),
            collapsed_slice_dims=(1,), start_index_map=(2, 1), index_vector_dim=2,
            slice_sizes=(2, 1, 3),
        ),
        Example(
            operand=i32[2, 5, 3], start_indices=Sample(ui8[3, 2, 1], 0, 255), offset_dims=(2,),
            collapsed_slice_dims=(1,), operand_batching_dims=(0,),
            start_indices_batching_dims=(1,), start_index_map=(1,), index_vector_dim=2,
            slice_sizes=(1, 1, 2),
        ),
        Example(
            operand=f32[4], start_indices=i32[()], offset_dims=(), collapsed_slice_dims=(0,),
            start_index_map=(0,), index_vector_dim=0, slice_sizes=(1,),
        ),
        Example(
            operand=i1[4, 3], start_indices=np.array([0, 1, 1], np.int32), offset_dims=(1,),
            collapsed_slice_dims=(0,), start_index_map=(0,), index_vector_dim=1,
            slice_sizes=(1, 0), indices_are_sorted=True,
        ),
        Example(
            operand=f32[200, 2], start_indices=i8[0, 1], offset_dims=(1,),
            collapsed_slice_dims=(0,), start_index_map=(0,), index_vector_dim=1,
            slice_sizes=(1, 2),
        ),
    )  # fmt: skip

    def prepare(self) -> None:
        operand, indices = self.operand.tensor, self.start_indices.tensor
        checks.kind(self.start_indices, "int uint", "start_indices")
        self.operands = (self.operand, widened(self.start_indices))
        rank = operand.rank
        offset = checks.integers(self.offset_dims, "offset_dims")
        self.update(
            index_vector_dim=vector_dim(self.index_vector_dim, indices.rank),
            collapsed_slice_dims=axes_of(self.collapsed_slice_dims, rank, "collapsed_slice_dims"),
            operand_batching_dims=axes_of(
                self.operand_batching_dims, rank, "operand_batching_dims"
            ),
            start_indices_batching_dims=axes_of(
                self.start_indices_batching_dims, indices.rank, "start_indices_batching_dims"
            ),
            start_index_map=axes_of(self.start_index_map, rank, "start_index_map"),
            slice_sizes=checks.integers(self.slice_sizes, "slice_sizes"),
            offset_dims=offset,
        )
        result = len(batch_shape(indices, self.index_vector_dim)) + len(offset)
        self.update(offset_dims=axes_of(offset, result, "offset_dims"))

    def infer(self) -> TensorType:
        operand, indices = self.operand.tensor, self.start_indices.tensor
        increasing(self.offset_dims, "offset_dims")
        increasing(self.collapsed_slice_dims, "collapsed_slice_dims")
        increasing(self.operand_batching_dims, "operand_batching_dims")
        dropped = (*self.collapsed_slice_dims, *self.operand_batching_dims)
        distinct(dropped, "collapsed_slice_dims and operand_batching_dims")
        distinct(
            (*self.start_index_map, *self.operand_batching_dims),
            "start_index_map and operand_batching_dims",
        )
        if len(self.offset_dims) + len(dropped) != operand.rank:
            raise ShapeError(
                f"{operand} has {operand.rank} axes, but {len(self.offset_dims)} offset_dims and "
                f"{len(dropped)} collapsed or batching axes are given",
                hint="every axis of the operand is either offset, collapsed or batching",
            )
        check_vectors(indices, self.index_vector_dim, self.start_index_map, "start_index_map")
        check_batching(
            operand, indices, self.operand_batching_dims, self.start_indices_batching_dims,
            self.index_vector_dim,
        )  # fmt: skip
        self._check_slice_sizes(operand, dropped)
        return operand.with_shape(self._result_shape(indices, dropped))

    def _check_slice_sizes(self, operand: TensorType, dropped: Sequence[int]) -> None:
        checks.length(self.slice_sizes, operand.rank, "slice_sizes")
        for axis, (size, whole) in enumerate(zip(self.slice_sizes, operand.shape, strict=True)):
            if size < 0 or (isinstance(whole, int) and size > whole):
                raise ShapeError(
                    f"slice_sizes {list(self.slice_sizes)} do not fit in {operand}: "
                    f"{size} on axis {axis} of size {whole}"
                )
            if axis in dropped and size > 1:
                raise ShapeError(
                    f"axis {axis} is collapsed or batching, but its slice size is {size}",
                    hint="only windows of size 1 can lose that axis",
                )

    def _result_shape(self, indices: TensorType, dropped: Sequence[int]) -> list[Dimension]:
        window = [s for a, s in enumerate(self.slice_sizes) if a not in dropped]
        batch = list(batch_shape(indices, self.index_vector_dim))
        offset = dict(zip(self.offset_dims, window, strict=True))
        rank = len(window) + len(batch)
        return [offset[i] if i in offset else batch.pop(0) for i in range(rank)]

    @property
    def addressing(self) -> Addressing:
        """The dimension numbers, as derivatives and batches take them."""
        return Addressing(
            self.offset_dims, self.collapsed_slice_dims, self.operand_batching_dims,
            self.start_indices_batching_dims, self.start_index_map, self.index_vector_dim,
            self.slice_sizes,
        )  # fmt: skip

    linear = ("operand",)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, None]:
        how, type = self.addressing, self.operand.tensor
        is_sorted = self.indices_are_sorted
        return (how.transposed(g, self.start_indices, type, is_sorted=is_sorted), None)

    def batch(self, batch: Batch) -> Value:
        return self.addressing.batched_gather(
            batch.operands, batch.batched, batch.size, is_sorted=self.indices_are_sorted
        )

    def reference(self, operand: Array, start_indices: Array) -> Array:
        dropped = (*self.collapsed_slice_dims, *self.operand_batching_dims)
        vectors = index_vectors(start_indices, self.index_vector_dim)
        batch = vectors.shape[:-1]
        window = [s for a, s in enumerate(self.slice_sizes) if a not in dropped]
        blocks = np.zeros((*batch, *window), operand.dtype)
        for at in np.ndindex(*batch):
            start = [0] * operand.ndim
            for axis, index in zip(self.start_index_map, vectors[at], strict=True):
                start[axis] = min(max(int(index), 0), operand.shape[axis] - self.slice_sizes[axis])
            for axis, position in batch_positions(
                self.operand_batching_dims,
                self.start_indices_batching_dims,
                self.index_vector_dim,
                at,
            ):
                start[axis] = position
            part = tuple(
                s if a in dropped and n == 1 else slice(s, s + n)
                for a, (s, n) in enumerate(zip(start, self.slice_sizes, strict=True))
            )
            blocks[at] = operand[part].reshape(window)
        first = len(batch)
        return np.moveaxis(blocks, range(first, first + len(window)), self.offset_dims)


def vector_dim(given: Any, rank: int) -> int:
    """`index_vector_dim`, checked: an axis of the indices, or their rank for scalar indices."""
    number = checks.integer(given, "index_vector_dim")
    if not 0 <= number <= rank:
        raise ShapeError(
            f"index_vector_dim {number} is out of range for indices of rank {rank}",
            hint=f"it must be in 0..{rank}; {rank} says that each index is a scalar",
        )
    return number


def axes_of(given: Any, rank: int, what: str) -> tuple[int, ...]:
    """Axes counted from the start, in the order given."""
    return tuple(checks.axis(d, rank, f"{what} entry") for d in checks.integers(given, what))


def distinct(dims: Sequence[int], what: str) -> None:
    """Raise AttributeValueError when an axis is named twice."""
    if len(set(dims)) != len(dims):
        raise AttributeValueError(f"{what} {tuple(dims)} name an axis twice")


def increasing(dims: Sequence[int], what: str) -> None:
    """Raise AttributeValueError unless the axes are sorted and distinct."""
    if list(dims) != sorted(set(dims)):
        raise AttributeValueError(
            f"{what} {tuple(dims)} are not in increasing order", hint="sort them, without repeats"
        )


def batch_shape(indices: TensorType, vector: int) -> tuple[Dimension, ...]:
    """The shape of the indices without the axis of the index vectors."""
    return tuple(d for a, d in enumerate(indices.shape) if a != vector)


def check_vectors(indices: TensorType, vector: int, axes: Sequence[int], what: str) -> None:
    """Raise ShapeError unless each index vector has one entry for each of `axes`."""
    length = indices.shape[vector] if vector < indices.rank else 1
    if not same_dimension(length, len(axes)):
        raise ShapeError(
            f"{what} {list(axes)} has {len(axes)} entries, but index vectors along axis {vector} "
            f"of {indices} have {length}"
        )


def check_batching(
    operand: TensorType,
    indices: TensorType,
    operand_dims: Sequence[int],
    indices_dims: Sequence[int],
    vector: int,
) -> None:
    """Raise unless the batching axes of operand and indices go together."""
    distinct(indices_dims, "batching dims of the indices")
    if vector in indices_dims:
        raise AttributeValueError(
            f"batching dims {tuple(indices_dims)} of the indices contain index_vector_dim {vector}"
        )
    checks.length(indices_dims, len(operand_dims), "batching dims of the indices")
    for a, b in zip(operand_dims, indices_dims, strict=True):
        if not same_dimension(operand.shape[a], indices.shape[b]):
            raise ShapeError(
                f"batching axis {a} of {operand} has size {operand.shape[a]}, "
                f"but axis {b} of the indices {indices} has size {indices.shape[b]}"
            )


def index_vectors(indices: Array, vector: int) -> Array:
    """The indices with the axis of the index vectors last."""
    if vector == indices.ndim:
        return indices[..., np.newaxis]
    return np.moveaxis(indices, vector, -1)


def batch_positions(
    operand: Sequence[int], indices: Sequence[int], vector: int, at: tuple[int, ...]
) -> list[tuple[int, int]]:
    """The batching axes of the operand, each with the position that batch index `at` gives it."""
    return [(a, at[b - (b > vector)]) for a, b in zip(operand, indices, strict=True)]
