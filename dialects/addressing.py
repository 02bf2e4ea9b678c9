"""How gather and scatter find their windows: what their derivatives and batches share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dxir import ops
from dxir.derivatives import Cotangent, zeros
from dxir.dialects.known_indices import component_ranges, known_array
from dxir.graph import Value
from dxir.types import TensorType

Body = Callable[..., Value]


def replaced(_: Value, update: Value) -> Value:
    """The body of a scatter that writes its updates over what there is."""
    return update


def added(current: Value, update: Value) -> Value:
    """The body of a scatter that adds its updates."""
    total: Value = ops.add(current, update)
    return total


def subtracted(current: Value, update: Value) -> Value:
    """The body of a scatter that subtracts its updates."""
    rest: Value = ops.sub(current, update)
    return rest


def multiplied(current: Value, update: Value) -> Value:
    """The body of a scatter that multiplies by its updates."""
    product: Value = ops.mul(current, update)
    return product


@dataclass(frozen=True, slots=True)
class Addressing:
    """The dimension numbers of a gather, and those of the scatter that is its transpose.

    `window` are the axes of the result (of the updates) that run through windows; `dropped` the
    axes of the operand that they lack, `batching` those that run beside the axes `index_batching`
    of the indices. Index vectors, along `vector`, have an entry for each of the axes `targets`.
    `sizes` are those of a window on each axis of the operand.
    """

    window: tuple[int, ...]
    dropped: tuple[int, ...]
    batching: tuple[int, ...]
    index_batching: tuple[int, ...]
    targets: tuple[int, ...]
    vector: int
    sizes: tuple[int, ...]

    def gather(self, operand: Value, indices: Value, *, is_sorted: bool | None = None) -> Value:
        """The windows of `operand`, moved inside where they stick out."""
        found: Value = ops.gather(
            operand,
            indices,
            offset_dims=self.window,
            collapsed_slice_dims=self.dropped,
            operand_batching_dims=self.batching,
            start_indices_batching_dims=self.index_batching,
            start_index_map=self.targets,
            index_vector_dim=self.vector,
            slice_sizes=self.sizes,
            indices_are_sorted=is_sorted,
        )
        return found

    def scatter(
        self,
        onto: Value,
        indices: Value,
        updates: Value,
        body: Body,
        *,
        is_sorted: bool | None = None,
        unique: bool | None = None,
    ) -> Value:
        """`onto` combined with `updates`, except for windows that stick out."""
        (result,) = ops.scatter(
            (onto,),
            indices,
            (updates,),
            body,
            update_window_dims=self.window,
            inserted_window_dims=self.dropped,
            input_batching_dims=self.batching,
            scatter_indices_batching_dims=self.index_batching,
            scatter_dims_to_operand_dims=self.targets,
            index_vector_dim=self.vector,
            indices_are_sorted=is_sorted,
            unique_indices=unique,
        )
        return result

    def transposed(
        self,
        g: Value,
        indices: Value,
        type: TensorType,
        *,
        is_sorted: bool | None = None,
        unique: bool | None = None,
    ) -> Cotangent:
        """The cotangent of the operand of a gather, of `type`: `g` added where it was read.

        That is at the element that an index out of range was moved to.
        """
        if 0 in g.shape or not type.size:
            return None

        def made() -> Value:
            inside, same = self.clamped(indices, type.static_shape)
            distinct = unique or (same and self.are_distinct(indices)) or None
            # Moving the entries of vectors one by one inside can change their order.
            kept = is_sorted if same or len(self.targets) == 1 else None
            return self.scatter(zeros(type), inside, g, added, is_sorted=kept, unique=distinct)

        return made

    def limits(self, shape: Sequence[int]) -> list[int]:
        """The last start of a window that fits, on each of the target axes."""
        return [shape[a] - self.sizes[a] for a in self.targets]

    def fit(self, indices: Value, shape: Sequence[int]) -> bool:
        """Whether all windows are known to lie inside an operand of `shape`."""
        ranges = component_ranges(indices, self.vector, len(self.targets))
        return all(
            low >= 0 and high <= limit
            for (low, high), limit in zip(ranges, self.limits(shape), strict=True)
        )

    def clamped(self, indices: Value, shape: Sequence[int]) -> tuple[Value, bool]:
        """The indices moved so that windows fit; and whether that changes none of them."""
        if self.fit(indices, shape):
            return indices, True
        limits = np.array(self.limits(shape), indices.tensor.primitive.numpy)
        if len(set(limits.tolist())) == 1:
            return ops.clamp(limits.dtype.type(0), indices, limits[0]), False
        high = ops.broadcast_in_dim(ops.constant(limits), shape=indices.shape, dims=(self.vector,))
        return ops.clamp(ops.full_like(indices, value=0), indices, high), False

    def landed(self, indices: Value, shape: Sequence[int], updates: TensorType) -> Value | None:
        """Which elements of `updates` a scatter does not drop; None when it drops none."""
        inside, same = self.clamped(indices, shape)
        if same:
            return None
        fits = ops.compare(indices, inside, direction="EQ")
        if self.vector < indices.rank:
            if len(self.targets) > 1:
                fits = ops.all(fits, axes=(self.vector,))
            else:
                rest = [n for a, n in enumerate(indices.tensor.static_shape) if a != self.vector]
                fits = ops.reshape(fits, shape=rest)
        if fits.shape == updates.shape:
            return fits
        dims = [a for a in range(updates.rank) if a not in self.window]
        wide: Value = ops.broadcast_in_dim(fits, shape=updates.static_shape, dims=dims)
        return wide

    def starts(self, indices: TensorType) -> tuple[int, ...]:
        """The shape of the index vectors."""
        return tuple(n for a, n in enumerate(indices.static_shape) if a != self.vector)

    def are_distinct(self, indices: Value) -> bool:
        """Whether no two windows are known to meet, of those that fit."""
        if not indices.tensor.is_static:
            return False
        counts = self.starts(indices.tensor)
        beside = [d - (d > self.vector) for d in self.index_batching]
        if all(n <= 1 for a, n in enumerate(counts) if a not in beside):
            return True
        if any(self.sizes[a] != 1 for a in self.targets):
            return False
        array = known_array(indices)
        if array is None:
            return False
        vectors = array[..., np.newaxis] if self.vector == array.ndim else array
        vectors = np.moveaxis(vectors, self.vector, -1)
        places = np.indices(counts)[beside] if beside else np.zeros((0, *counts), np.int64)
        rows = np.concatenate([np.moveaxis(places, 0, -1), vectors], -1)
        rows = rows.reshape(-1, rows.shape[-1])
        return len(np.unique(rows, axis=0)) == len(rows)

    def operand_batched(self, size: int) -> Addressing:
        """The same in an operand with a new axis in front: windows run through it."""
        window = (0, *_moved(self.window))
        rest = (_moved(self.dropped), _moved(self.batching), self.index_batching)
        return Addressing(window, *rest, _moved(self.targets), self.vector, (size, *self.sizes))

    def indices_batched(self) -> Addressing:
        """The same with indices that have a new axis in front."""
        return Addressing(
            _moved(self.window), self.dropped, self.batching, _moved(self.index_batching),
            self.targets, self.vector + 1, self.sizes,
        )  # fmt: skip

    def both_batched(self, size: int) -> Addressing:
        """The same in an operand and with indices that have a new axis in front, side by side."""
        return Addressing(
            _moved(self.window), _moved(self.dropped), (0, *_moved(self.batching)),
            (0, *_moved(self.index_batching)), _moved(self.targets), self.vector + 1,
            (min(size, 1), *self.sizes),
        )  # fmt: skip

    def batched_gather(
        self,
        operands: Sequence[Value],
        batched: Sequence[bool],
        size: int,
        *,
        is_sorted: bool | None = None,
    ) -> Value:
        """The gather on a batch of operands, of indices or of both; the batch is axis 0."""
        operand, indices = operands
        if not batched[1]:
            return self.operand_batched(size).gather(operand, indices, is_sorted=is_sorted)
        # Vectors sorted in each element of the batch need not be from one to the next.
        how = self.both_batched(size) if batched[0] else self.indices_batched()
        return how.gather(operand, indices)


def along(shape: Sequence[int], axis: int) -> Addressing:
    """One element for each index, on its own row of the operand along `axis`."""
    others = tuple([a for a in range(len(shape)) if a != axis])
    sizes = tuple([min(1, n) for n in shape])
    return Addressing((), (axis,), others, others, (axis,), len(shape), sizes)


def _moved(axes: Sequence[int]) -> tuple[int, ...]:
    return tuple([a + 1 for a in axes])
