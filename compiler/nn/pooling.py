"""Pooling over the spatial axes of images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dxir import ops
from dxir.numpy.arguments import public
from dxir.numpy.promotion import array_of
from dxir.tracing.arrays import Array


@public
def max_pool(
    x: Any,
    window: int | Sequence[int] = 2,
    *,
    strides: int | Sequence[int] | None = None,
    padding: str | Sequence[Sequence[int]] = "VALID",
    layout: str | None = None,
) -> Array:
    """The largest element under each place of a window over `x` `[N, C, *spatial]`.

    The strides are the sizes of the window unless given. `layout` names another order of axes.
    """
    return ops.max_pool(
        array_of(x),
        window=window,
        window_strides=window if strides is None else strides,
        padding=padding,
        dimension_numbers=layout,
    )


@public
def avg_pool(
    x: Any,
    window: int | Sequence[int] = 2,
    *,
    strides: int | Sequence[int] | None = None,
    padding: str | Sequence[Sequence[int]] = "VALID",
    count_padding: bool = True,
    layout: str | None = None,
) -> Array:
    """The mean under each place of a window over `x` `[N, C, *spatial]`.

    The strides are the sizes of the window unless given. Without `count_padding` it is the mean of
    those elements of the window that lie in `x`.
    """
    return ops.avg_pool(
        array_of(x),
        window=window,
        window_strides=window if strides is None else strides,
        padding=padding,
        count_include_pad=count_padding,
        dimension_numbers=layout,
    )


@public
def global_avg_pool(x: Any, *, keepdims: bool = False, layout: str | None = None) -> Array:
    """The mean over all spatial axes of `x` `[N, C, *spatial]`."""
    return ops.global_avg_pool(array_of(x), keepdims=keepdims, dimension_numbers=layout)
