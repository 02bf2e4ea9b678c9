"""Resizing of images."""

from __future__ import annotations

from typing import Any

import numpy as np

from dxir import checks, ops
from dxir.dialects.layouts import image_layout, spatial_axes
from dxir.dialects.reduction import narrow, widen
from dxir.errors import AttributeValueError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Derived
from dxir.types import TensorType, bf16, f32, ui8

Array = np.ndarray[Any, Any]

_METHODS = ("nearest", "bilinear")
_COORDINATES = ("half_pixel", "asymmetric", "align_corners")


class Resize2d(Derived, name="resize2d"):
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


def _taken(x: Value, index: Array, axis: int) -> Value:
    """The elements of an axis at known indices."""
    rank = x.tensor.rank
    rest = tuple(i for i in range(rank) if i != axis)
    sizes = tuple(1 if i == axis else int(d) for i, d in enumerate(x.tensor.static_shape))
    return ops.gather(
        x, ops.constant(index), offset_dims=rest, collapsed_slice_dims=(axis,),
        start_index_map=(axis,), index_vector_dim=1, slice_sizes=sizes,
        indices_are_sorted=True,
    )  # fmt: skip
