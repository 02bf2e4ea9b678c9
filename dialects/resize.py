"""Resizing of images."""

from __future__ import annotations

from typing import Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent, zeros
from dxir.dialects.addressing import Addressing
from dxir.dialects.layouts import image_layout, spatial_axes
from dxir.dialects.reduction import narrow, widen
from dxir.errors import AttributeValueError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Derived, expansion
from dxir.transforms import Batch
from dxir.types import TensorType, bf16, f32, i32, ui8

Array = np.ndarray[Any, Any]

_METHODS = ("nearest", "bilinear")
_COORDINATES = ("half_pixel", "asymmetric", "align_corners")


class Resize2d(Derived, name="resize2d", rounding="sums"):
    """An image `x` `[N, C, H, W]` in another `size` (height, width), without antialiasing.

    `method` is nearest (any element type) or bilinear (floats, in f32 for narrow ones).
    `coordinates` says where result index `i` of `m` lies in an axis of `n`: half_pixel
    `(i + 1/2) n / m - 1/2`, asymmetric `i n / m`, align_corners `i (n - 1) / (m - 1)`; positions
    outside take the edge. The nearest element of half_pixel is `floor((i + 1/2) n / m)`, of
    asymmetric `floor(i n / m)`, of align_corners the rounded position, halves up.
    `dimension_numbers` names another layout ("NHWC").
    """

    x: Value
    size: tuple[int, int]
    method: str
    coordinates: str = "half_pixel"
    dimension_numbers: str | None = None

    examples = (
        Example(x=f32[1, 2, 3, 4], size=(6, 8), method="nearest"),
        Example(x=ui8[1, 5, 4, 3], size=(3, 7), method="nearest", dimension_numbers="NHWC"),
        Example(x=f32[1, 2, 3, 4], size=(6, 7), method="bilinear", hostile=False),
        Example(x=bf16[1, 2, 5, 4], size=(3, 2), method="bilinear", hostile=False),
        Example(
            x=f32[1, 1, 3, 4], size=(5, 1), method="bilinear", coordinates="align_corners",
            hostile=False,
        ),
        Example(x=f32[1, 1, 3, 4], size=(5, 9), method="nearest", coordinates="asymmetric"),
        Example(x=f32[1, 1, 3, 4], size=(5, 6), method="nearest", coordinates="align_corners"),
    )  # fmt: skip

    def prepare(self) -> None:
        checks.rank_is(self.x, 4, "x")
        size = checks.integers(self.size, "size")
        checks.length(size, 2, "size")
        if min(size) < 1:
            raise AttributeValueError(f"size is {size}", hint="both sizes must be at least 1")
        self.update(
            size=size,
            method=checks.one_of(self.method, _METHODS, "method"),
            coordinates=checks.one_of(self.coordinates, _COORDINATES, "coordinates"),
            dimension_numbers=image_layout(self.dimension_numbers, 4),
        )

    @property
    def axes(self) -> tuple[int, ...]:
        """The axes of the height and the width."""
        return spatial_axes(self.dimension_numbers or "")

    def infer(self) -> TensorType:
        if self.method == "bilinear":
            checks.kind(self.x, "float", "x")
        type = self.x.tensor
        if 0 in type.with_shape([type.shape[i] for i in self.axes]).static_shape:
            raise AttributeValueError(f"{type} has no elements to resize from")
        shape = list(type.shape)
        for axis, size in zip(self.axes, self.size, strict=True):
            shape[axis] = size
        return type.with_shape(shape)

    def expand(self, x: Value) -> Value:
        if self.method == "nearest":
            for axis, size in zip(self.axes, self.size, strict=True):
                x = _taken(x, _nearest(int(x.shape[axis]), size, self.coordinates), axis)
            return x
        y = widen(x)
        for axis, size in zip(self.axes, self.size, strict=True):
            y = self._interpolated(y, axis, size)
        return narrow(y, x.tensor.primitive)

    def _interpolated(self, x: Value, axis: int, size: int) -> Value:
        count = int(x.shape[axis])
        at = _positions(count, size, self.coordinates)
        below = np.floor(at).astype(np.int32)
        above = np.minimum(below + 1, count - 1)
        wide = [1] * x.tensor.rank
        wide[axis] = size
        share = (at - below).astype(x.tensor.primitive.numpy).reshape(wide)
        left = ops.mul(_taken(x, below, axis), ops.constant(1 - share))
        right = ops.mul(_taken(x, above, axis), ops.constant(share))
        return ops.add(left, right)

    linear = ("x",)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent]:
        shape = self.x.tensor.static_shape
        return ((lambda: self._sent_back(g, shape)) if g.tensor.size else None,)

    def _sent_back(self, g: Value, shape: tuple[int, ...]) -> Value:
        """The cotangent of an `x` of `shape`, one axis after the other."""
        if self.method == "nearest":
            for axis in reversed(self.axes):
                index = _nearest(shape[axis], g.tensor.static_shape[axis], self.coordinates)
                g = _taken_back(g, index, axis, shape[axis])
            return g
        wide = widen(g)
        for axis in reversed(self.axes):
            at = _positions(shape[axis], g.tensor.static_shape[axis], self.coordinates)
            wide = _weighted_back(wide, at, axis, shape[axis])
        return narrow(wide, self.x.tensor.primitive)

    def batch(self, batch: Batch) -> Value:
        x = batch.operands[0]
        if 0 in self.axes:
            return batch.run(expansion(self), (x,), (True,))[0][0]
        size, first, *rest = x.tensor.static_shape
        resized = batch.rebuild((ops.reshape(x, shape=(size * first, *rest)),))
        shape = self.results[0].tensor.static_shape
        result: Value = ops.reshape(resized, shape=(size, *shape))
        return result

    def reference(self, x: Array) -> Array:
        if self.method == "nearest":
            for axis, size in zip(self.axes, self.size, strict=True):
                x = np.take(x, _nearest(x.shape[axis], size, self.coordinates), axis)
            return x
        y = x.astype(np.float64)
        for axis, size in zip(self.axes, self.size, strict=True):
            count = y.shape[axis]
            at = _positions(count, size, self.coordinates)
            weights = np.maximum(0, 1 - np.abs(at[:, None] - np.arange(count)))
            y = np.moveaxis(np.tensordot(weights, y, (1, axis)), 0, axis)
        return y.astype(x.dtype)


def _positions(count: int, size: int, coordinates: str) -> Array:
    """Where each result index lies between the elements, clamped to them."""
    index = np.arange(size, dtype=np.float64)
    if coordinates == "half_pixel":
        at = (index + 0.5) * count / size - 0.5
    elif coordinates == "asymmetric":
        at = index * count / size
    else:
        at = index * (count - 1) / max(size - 1, 1)
    return np.clip(at, 0, count - 1)


def _nearest(count: int, size: int, coordinates: str) -> Array:
    """The element nearest to each result index, in whole numbers so that ties are exact."""
    index = np.arange(size, dtype=np.int64)
    if coordinates == "half_pixel":
        at = (2 * index + 1) * count // (2 * size)
    elif coordinates == "asymmetric":
        at = index * count // size
    else:
        steps = max(size - 1, 1)
        at = (2 * index * (count - 1) + steps) // (2 * steps)
    return np.clip(at, 0, count - 1).astype(np.int32)


def _rows(type: TensorType, axis: int) -> Addressing:
    """Whole layers of a tensor, by their index along `axis`."""
    rest = tuple(i for i in range(type.rank) if i != axis)
    sizes = tuple(1 if i == axis else d for i, d in enumerate(type.static_shape))
    return Addressing(rest, (axis,), (), (), (axis,), 1, sizes)


def _taken(x: Value, index: Array, axis: int) -> Value:
    """The elements of an axis at known indices."""
    return _rows(x.tensor, axis).gather(x, ops.constant(index), is_sorted=True)


def _taken_back(g: Value, index: Array, axis: int, count: int) -> Value:
    """The transpose of `_taken`: sums of what was taken from each of `count` elements."""
    shape = g.tensor.static_shape
    times = shape[axis] // count
    if np.array_equal(index, np.repeat(np.arange(count), times)):
        folded = (*shape[:axis], count, times, *shape[axis + 1 :])
        summed: Value = ops.sum(ops.reshape(g, shape=folded), axes=axis + 1) if times > 1 else g
        return summed
    type = g.tensor.with_shape((*shape[:axis], count, *shape[axis + 1 :]))
    back = _rows(type, axis).transposed(g, ops.constant(index), type, is_sorted=True)
    return zeros(type) if back is None or isinstance(back, Value) else back()


def _weighted_back(g: Value, at: Array, axis: int, count: int) -> Value:
    """The transpose of interpolation at the positions `at` of an axis of `count` elements.

    A product with the matrix of weights: two scatters take more than twice the time on a CPU.
    """
    below = np.floor(at)
    share = (at - below).astype(g.tensor.primitive.numpy)
    shape = (len(at), count)
    column = ops.iota(shape=shape, axis=1, dtype=i32)

    def spread(row: Array) -> Value:
        wide: Value = ops.broadcast_in_dim(ops.constant(row), shape=shape, dims=(0,))
        return wide

    first = spread(below.astype(np.int32))
    second = ops.compare(column, spread(below.astype(np.int32) + 1), direction="EQ")
    upper = ops.select(second, spread(share), 0)
    lower = ops.compare(column, first, direction="EQ")
    weights = ops.select(lower, spread(1 - share), upper)
    product: Value = ops.dot_general(
        g, weights, lhs_contracting=(axis,), rhs_contracting=(0,), precision=("HIGHEST", "HIGHEST")
    )
    order = [*range(axis), g.rank - 1, *range(axis, g.rank - 1)]
    return product if axis == g.rank - 1 else ops.transpose(product, permutation=order)
