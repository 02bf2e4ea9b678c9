"""Pooling: the maximum or mean under a window that slides over the spatial axes."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from dxir import checks, ops
from dxir.dialects.folding import widened
from dxir.dialects.layouts import image_layout, spatial_axes
from dxir.dialects.reduction import lowest, narrow, reduced_type, widen
from dxir.dialects.window import Pairs, Window, each, optional_positive, padding_pairs, positive
from dxir.errors import ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Derived
from dxir.types import Dimension, TensorType, bf16, f16, f32, i8

Array = np.ndarray[Any, Any]


class Pool(Derived):
    """Base of the pools: `window` slides over the spatial axes."""

    x: Value
    window: tuple[int, ...]
    window_strides: tuple[int, ...]
    padding: Pairs | str = "VALID"
    window_dilations: tuple[int, ...] | None = None
    dimension_numbers: str | None = None

    accepts: ClassVar[str] = "int uint float"

    def prepare(self) -> None:
        rank = checks.rank_at_least(self.x, 3, "x").rank
        count = rank - 2
        self.update(
            dimension_numbers=image_layout(self.dimension_numbers, rank),
            window=positive(each(self.window, count), count, "window"),
            window_strides=positive(each(self.window_strides, count), count, "window_strides"),
            window_dilations=optional_positive(
                each(self.window_dilations, count), count, "window_dilations"
            ),
        )
        opened = Window.make(self.window, self.window_strides, None, None, self.window_dilations)
        self.update(padding=padding_pairs(self.padding, self._sizes(), opened))

    @property
    def axes(self) -> tuple[int, ...]:
        """The spatial axes."""
        return spatial_axes(self.dimension_numbers or "")

    def _sizes(self) -> tuple[Dimension, ...]:
        return tuple([self.x.shape[i] for i in self.axes])

    @property
    def sliding(self) -> Window:
        """The window over the spatial axes."""
        assert not isinstance(self.padding, str)
        return Window.make(
            self.window, self.window_strides, self.padding, None, self.window_dilations
        )

    def infer(self) -> TensorType:
        checks.kind(self.x, self.accepts, "x")
        shape = list(self.x.shape)
        for axis, places in zip(self.axes, self.sliding.steps(self._sizes()), strict=True):
            shape[axis] = places
        return self.x.tensor.with_shape(shape)

    def slide(self, x: Value, init: Any, op: str) -> Value:
        """`x` folded with the binary op under each place of the window."""
        rank, axes = x.tensor.rank, self.axes
        combine = ops.lookup(op)
        assert combine is not None

        def spread(values: Any, rest: Any) -> tuple[Any, ...]:
            found = [rest] * rank
            for axis, value in zip(axes, values, strict=True):
                found[axis] = value
            return tuple(found)

        dilations = self.window_dilations
        (result,) = ops.reduce_window(
            (x,),
            (ops.constant(np.asarray(init).astype(x.tensor.primitive.numpy)),),
            lambda a, b: combine(a, b),
            window_dimensions=spread(self.window, 1),
            window_strides=spread(self.window_strides, 1),
            window_dilations=None if dilations is None else spread(dilations, 1),
            padding=spread(self.padding, (0, 0)),
        )
        return result

    def patches(self, x: Array, fill: Any) -> Array:
        """The elements under each place of the window, on one new last axis."""
        found = self.sliding.patches(x, self.axes, fill)
        size = int(np.prod(self.window))
        rows: Array = np.reshape(found, (*found.shape[: x.ndim], size))
        return rows


class MaxPool(Pool, name="max_pool", rounding="exact"):
    """Largest element under each place of a window over the spatial axes; NaN wins.

    `x` is `[N, C, spatial...]`, or as `dimension_numbers` says ("NHWC"). `window`,
    `window_strides` and `window_dilations` have one entry for each spatial axis (one integer
    stands for all); `padding` is VALID (none), SAME (ceil(size / stride) places) or (low, high)
    pairs, and loses to every element.
    """

    examples = (
        Example(x=f32[1, 1, 4, 4], window=(2, 2), window_strides=(2, 2)),
        Example(x=f32[2, 3, 5, 6], window=(3, 2), window_strides=(2, 1), padding="SAME"),
        Example(x=bf16[1, 7, 2], window=3, window_strides=2, dimension_numbers="NWC"),
        Example(
            x=i8[1, 2, 5], window=(2,), window_strides=(1,), window_dilations=(2,),
            padding=((1, 1),),
        ),
        Example(x=f32[1, 2, 2, 3, 4], window=2, window_strides=1),
        Example(x=f32[0, 2, 3], window=2, window_strides=1),
    )  # fmt: skip

    def expand(self, x: Value) -> Value:
        return self.slide(x, lowest(x.tensor.primitive), "max")

    def reference(self, x: Array) -> Array:
        wide = widened(x)
        least = np.asarray(lowest(self.x.tensor.primitive)).astype(wide.dtype)
        return np.asarray(self.patches(wide, least).max(axis=-1)).astype(x.dtype)


class AvgPool(Pool, name="avg_pool", rounding="sums"):
    """Mean of the elements under each place of a window over the spatial axes.

    With `count_include_pad` (the default) the divisor is the size of the window, else how many of
    its elements lie in `x`. Narrow floats accumulate in f32 and round once. The other attributes
    are those of `max_pool`.
    """

    count_include_pad: bool = True

    examples = (
        Example(x=f32[1, 1, 4, 4], window=(2, 2), window_strides=(2, 2), hostile=False),
        Example(
            x=f32[2, 3, 5, 6], window=(3, 2), window_strides=(2, 1), padding="SAME", hostile=False
        ),
        Example(
            x=f16[2, 5, 6, 3], window=(3, 2), window_strides=(2, 1), padding=((1, 1), (1, 0)),
            count_include_pad=False, dimension_numbers="NHWC", hostile=False,
        ),
        Example(
            x=bf16[1, 1, 7], window=3, window_strides=1, window_dilations=2, padding="SAME",
            count_include_pad=False, hostile=False,
        ),
    )  # fmt: skip
    accepts = "float"

    def prepare(self) -> None:
        super().prepare()
        self.update(count_include_pad=bool(self.count_include_pad))

    def infer(self) -> TensorType:
        if not self.count_include_pad and not self.counts().all():
            raise ShapeError(
                f"a place of the window {self.window} lies wholly in the padding {self.padding} "
                f"of {self.x.type}",
                hint="the mean of no elements is undefined: pad less, or count_include_pad=True",
            )
        return super().infer()

    def counts(self) -> Array:
        """How many elements of `x` lie under each place, shaped to broadcast over the result."""
        type = self.x.tensor
        shape = [type.shape[i] if i in self.axes else 1 for i in range(type.rank)]
        ones = np.ones(type.with_shape(shape).static_shape, np.int64)
        return np.asarray(self.patches(ones, 0).sum(axis=-1))

    def expand(self, x: Value) -> Value:
        sums = self.slide(widen(x), 0, "add")
        dtype = sums.tensor.primitive
        if self.count_include_pad:
            divisor = ops.full_like(sums, value=int(np.prod(self.window)))
        else:
            divisor = ops.constant(self.counts().astype(dtype.numpy))
        return narrow(ops.div(sums, divisor), x.tensor.primitive)

    def reference(self, x: Array) -> Array:
        wide = widened(x)
        sums = self.patches(wide, 0).sum(axis=-1, dtype=wide.dtype)
        inside = np.broadcast_to(self.patches(np.ones(x.shape, bool), False).sum(-1), sums.shape)
        counts = int(np.prod(self.window)) if self.count_include_pad else inside
        return np.asarray(sums / counts).astype(x.dtype)


class GlobalAvgPool(Derived, name="global_avg_pool", rounding="sums"):
    """Mean over all spatial axes of `x` `[N, C, spatial...]`; kept at size 1 with `keepdims`.

    `dimension_numbers` names another layout ("NHWC"). Narrow floats accumulate in f32.
    """

    x: Value
    keepdims: bool = False
    dimension_numbers: str | None = None

    examples = (
        Example(x=f32[2, 3, 4, 5], hostile=False),
        Example(x=bf16[2, 4, 5, 3], dimension_numbers="NHWC", keepdims=True, hostile=False),
        Example(x=f32[2, 3, 4], hostile=False),
    )

    def prepare(self) -> None:
        rank = checks.rank_at_least(self.x, 3, "x").rank
        layout = image_layout(self.dimension_numbers, rank)
        self.update(dimension_numbers=layout, keepdims=bool(self.keepdims))

    @property
    def axes(self) -> tuple[int, ...]:
        """The spatial axes."""
        return spatial_axes(self.dimension_numbers or "")

    def infer(self) -> TensorType:
        dtype = checks.kind(self.x, "float", "x")
        type = self.x.tensor
        type.with_shape([type.shape[i] for i in self.axes]).static_shape  # noqa: B018 - the count
        return reduced_type(type, self.axes, self.keepdims, dtype)

    def expand(self, x: Value) -> Value:
        return ops.mean(x, axes=self.axes, keepdims=self.keepdims)

    def reference(self, x: Array) -> Array:
        found = widened(x).mean(axis=self.axes, keepdims=self.keepdims, dtype=np.float64)
        return np.asarray(found).astype(x.dtype)
