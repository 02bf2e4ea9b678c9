"""The cotangents of convolutions, which are convolutions, and their batches.

With `y[p] = sum over k of x'[p * stride + k * dilation - low] w[k]`, where `x'` is the dilated
input, the cotangent of the input is the convolution of that of the result, dilated by the stride,
with the flipped kernel; that of the kernel is the convolution of the input with that of the result
as a kernel dilated by the stride, with strides of the dilation. Feature groups of one are batch
groups of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from dxir import ops
from dxir.derivatives import Cotangent, moveaxis
from dxir.dialects.layouts import Layout
from dxir.dialects.products import in_one_type, rounded
from dxir.dialects.window import Pairs, Window, spread
from dxir.graph import Value

if TYPE_CHECKING:
    from dxir.dialects.convolution import ConvolutionBase
    from dxir.transforms.batching import Batch

Convolve = Callable[..., Value]


def numbers_of(lhs: Layout, rhs: Layout, result: Layout) -> dict[str, Any]:
    """The nine dimension numbers of three layouts."""
    found: dict[str, Any] = {}
    names = (("input", "batch", "feature", lhs), ("output", "batch", "feature", result),
             ("kernel", "input_feature", "output_feature", rhs))  # fmt: skip
    for what, first, second, layout in names:
        found[f"{what}_{first}_dimension"] = layout.first
        found[f"{what}_{second}_dimension"] = layout.second
        found[f"{what}_spatial_dimensions"] = layout.spatial
    return found


def lhs_padding(window: Window, sizes: Sequence[int], places: Sequence[int]) -> Pairs | None:
    """The padding of the dilated cotangent, for that of an input of these sizes."""
    pairs = []
    for i, (low, _) in enumerate(window.padding):
        span = spread(window.sizes[i], window.window_dilations[i])
        before = span - 1 - low
        full = spread(sizes[i], window.base_dilations[i])
        pairs.append((before, full - spread(places[i], window.strides[i]) + low))
    return tuple(pairs) or None


def rhs_padding(window: Window, sizes: Sequence[int], places: Sequence[int]) -> Pairs | None:
    """The padding of the dilated input, for the cotangent of a kernel."""
    pairs = []
    for i, (low, _) in enumerate(window.padding):
        span = spread(window.sizes[i], window.window_dilations[i])
        full = spread(sizes[i], window.base_dilations[i])
        pairs.append((low, span - 1 + spread(places[i], window.strides[i]) - full - low))
    return tuple(pairs) or None


def swapped(layout: Layout) -> Layout:
    """A layout whose two special dimensions have changed places."""
    return layout._replace(first=layout.second, second=layout.first)


def convolution_cotangents(
    node: ConvolutionBase, g: Value, window: Window
) -> tuple[Cotangent, ...]:
    """The cotangents of the operands of a convolution with static padding."""
    lhs, rhs = node.lhs, node.rhs
    if not g.tensor.size:
        return (None, None)
    sizes = lhs.tensor.with_shape(node.lhs_layout.sizes(lhs.tensor)).static_shape
    places = g.tensor.with_shape(node.result_layout.sizes(g.tensor)).static_shape
    if 0 in sizes or 0 in rhs.shape or 0 in lhs.shape:
        return (None, None)

    def of_lhs() -> Value:
        return lhs_cotangent(node, g, lhs_padding(window, sizes, places), ops.convolution)

    def of_rhs() -> Value:
        return rhs_cotangent(node, g, rhs_padding(window, sizes, places), ops.convolution)

    return (of_lhs, of_rhs)


def lhs_cotangent(node: ConvolutionBase, g: Value, padding: Any, convolve: Convolve) -> Value:
    """The cotangent of the input, given its own padding."""
    layout = node.rhs_layout
    one, kernel = in_one_type(g, node.rhs)
    groups = node.feature_group_count * node.batch_group_count
    kernel = _regrouped(kernel, layout, groups)
    flips = node.window_reversal or (False,) * len(layout.spatial)
    axes = [a for a, f in zip(layout.spatial, flips, strict=True) if not f]
    if axes:
        kernel = ops.reverse(kernel, axes=axes)
    found = convolve(
        one, kernel, padding=padding,
        **numbers_of(node.result_layout, swapped(layout), node.lhs_layout),
        window_strides=node.lhs_dilation, lhs_dilation=node.window_strides,
        rhs_dilation=node.rhs_dilation, feature_group_count=groups, precision=node.precision,
    )  # fmt: skip
    if node.batch_group_count > 1:
        split = split_axis(found, node.input_feature_dimension, groups)
        found = merged_axis(split, node.input_feature_dimension, node.input_batch_dimension)
    return rounded(found, node.lhs.tensor)


def rhs_cotangent(node: ConvolutionBase, g: Value, padding: Any, convolve: Convolve) -> Value:
    """The cotangent of the kernel, given the padding of the input for it."""
    x, one = in_one_type(node.lhs, g)
    found = convolve(
        x, one, padding=padding,
        **numbers_of(swapped(node.lhs_layout), node.result_layout, node.rhs_layout),
        window_strides=node.rhs_dilation, lhs_dilation=node.lhs_dilation,
        rhs_dilation=node.window_strides, feature_group_count=node.batch_group_count,
        batch_group_count=node.feature_group_count, precision=node.precision,
    )  # fmt: skip
    flips = node.window_reversal or ()
    axes = [a for a, f in zip(node.rhs_layout.spatial, flips, strict=False) if f]
    if axes:
        found = ops.reverse(found, axes=axes)
    return rounded(found, node.rhs.tensor)


def _regrouped(kernel: Value, layout: Layout, groups: int) -> Value:
    """A kernel whose groups of output features are put along its input features instead."""
    if groups == 1:
        return kernel
    return merged_axis(split_axis(kernel, layout.second, groups), layout.second, layout.first)


def split_axis(value: Value, axis: int, groups: int) -> Value:
    """A value with `groups` parts of an axis on a new axis in front of it."""
    shape = value.tensor.static_shape
    found: Value = ops.reshape(
        value, shape=(*shape[:axis], groups, shape[axis] // groups, *shape[axis + 1 :])
    )
    return found


def merged_axis(value: Value, axis: int, into: int) -> Value:
    """A value whose axis `axis` is merged into the front of the axis that is `into` without it."""
    rank = value.rank
    others = [i for i in range(rank) if i != axis]
    order = [*others[:into], axis, *others[into:]]
    if order != list(range(rank)):
        value = ops.transpose(value, permutation=order)
    shape = value.tensor.static_shape
    found: Value = ops.reshape(
        value, shape=(*shape[:into], shape[into] * shape[into + 1], *shape[into + 2 :])
    )
    return found


def batched_convolution(node: ConvolutionBase, batch: Batch) -> Value:
    """A convolution of batches: these go into the batch, the features or the groups."""
    lhs, rhs, *padding = batch.operands
    left, right = batch.batched[:2]
    changes: dict[str, Any] = {}
    result = node.result_layout
    if not right:
        lhs = _into_groups(lhs, node.input_batch_dimension, node.batch_group_count)
        into, groups = result.first, 1
    elif not left:
        groups = node.feature_group_count * node.batch_group_count
        rhs = _into_groups(rhs, node.kernel_output_feature_dimension, groups)
        into = result.second
    else:
        rhs = merged_axis(rhs, 0, node.kernel_output_feature_dimension)
        into, groups = result.second, 1
        if node.batch_group_count > 1:
            lhs = merged_axis(lhs, 0, node.input_batch_dimension)
            changes["batch_group_count"] = node.batch_group_count * batch.size
        else:
            lhs = merged_axis(lhs, 0, node.input_feature_dimension)
            changes["feature_group_count"] = node.feature_group_count * batch.size
    if "shape" in node.attrs and node.attrs["shape"] is not None:
        shape = list(node.attrs["shape"])
        shape[into] *= batch.size
        changes["shape"] = tuple(shape)
    found = batch.rebuild((lhs, rhs, *padding), **changes)
    return _out_of_groups(found, into, groups, batch.size)


def _into_groups(value: Value, axis: int, groups: int) -> Value:
    """A batched value with its batch merged into each of the groups of an axis (of the old)."""
    if groups == 1:
        return merged_axis(value, 0, axis)
    split = split_axis(value, axis + 1, groups)  # batch, ..., groups, rest, ...
    inner = merged_axis(split, 0, axis + 1)  # ..., groups, batch and rest, ...
    shape = inner.tensor.static_shape
    found: Value = ops.reshape(
        inner, shape=(*shape[:axis], shape[axis] * shape[axis + 1], *shape[axis + 2 :])
    )
    return found


def _out_of_groups(value: Value, axis: int, groups: int, size: int) -> Value:
    """The batch in front again, taken out of each of the groups of an axis."""
    shape = value.tensor.static_shape
    inner = shape[axis] // (groups * size)
    if groups == 1:
        split = ops.reshape(value, shape=(*shape[:axis], size, inner, *shape[axis + 1 :]))
        return moveaxis(split, axis, 0)
    split = ops.reshape(value, shape=(*shape[:axis], groups, size, inner, *shape[axis + 1 :]))
    moved = moveaxis(split, axis + 1, 0)
    found: Value = ops.reshape(
        moved, shape=(size, *shape[:axis], groups * inner, *shape[axis + 1 :])
    )
    return found
