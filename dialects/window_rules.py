"""The derivatives of reductions over windows, and of the op that undoes them for maxima."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dxir import ops
from dxir.dialects.fold_trees import fold_tree, folded, folded_op, in_types, rows_of
from dxir.dialects.substitutes import substitute
from dxir.graph import Function, Region, Value
from dxir.op import inline
from dxir.types import TensorType


def sum_cotangent(node: Any, g: Value, type: TensorType) -> Value | None:
    """The cotangent of what a `reduce_window` sums: the sum of `g` over the windows of a place."""
    window, shape, places = node.window, type.static_shape, g.tensor.static_shape
    if 0 in shape or 0 in places:
        return None
    padding = []
    for i, (low, _) in enumerate(window.padding):
        span = (window.sizes[i] - 1) * window.window_dilations[i]
        full = (shape[i] - 1) * window.base_dilations[i] + 1
        spread = (places[i] - 1) * window.strides[i] + 1
        padding.append((span - low, full - spread + low))
    if any(n > 1 for n in window.strides):
        g = ops.pad(
            g, ops.constant(np.zeros((), g.tensor.primitive.numpy)),
            low=[low for low, _ in padding], high=[high for _, high in padding],
            interior=[n - 1 for n in window.strides],
        )  # fmt: skip
        padding = [(0, 0)] * len(shape)
    zero = ops.constant(np.zeros((), g.tensor.primitive.numpy))
    (found,) = ops.reduce_window(
        (g,), (zero,), lambda a, b: ops.add(a, b), window_dimensions=window.sizes,
        window_strides=window.base_dilations, window_dilations=window.window_dilations,
        padding=padding,
    )  # fmt: skip
    return found


def chosen_cotangent(node: Any, x: Value, g: Value, op: str) -> Value:
    """The cotangent of what a `reduce_window` takes extrema of: to the first that is one."""
    direction = "GE" if op == "max" else "LE"
    zero = ops.constant(np.zeros((), g.tensor.primitive.numpy))
    found: Value = ops.select_and_scatter(
        x, g, zero,
        lambda a, b: ops.compare(a, b, direction=direction),
        lambda a, b: ops.add(a, b),
        window_dimensions=node.window_dimensions, window_strides=node.window_strides,
        padding=node.padding,
    )  # fmt: skip
    return found


def chosen_tangent(node: Any, x: Value, t: Value, better: Any) -> Value:
    """What `t` has, for each window, where `x` has the element that `better` chooses.

    Places in the padding are told by a third input, and lose to all others.
    """
    inside = ops.constant(np.broadcast_to(np.True_, x.tensor.static_shape))
    nothing = [ops.constant(np.zeros((), v.tensor.primitive.numpy)) for v in (x, t, inside)]

    def body(
        a: Value, s: Value, a_in: Value, b: Value, u: Value, b_in: Value
    ) -> tuple[Value, Value, Value]:
        pick = ops.and_(a_in, ops.or_(ops.not_(b_in), better(a, b)))
        return ops.select(pick, a, b), ops.select(pick, s, u), ops.or_(a_in, b_in)

    _, found, _ = ops.reduce_window(
        (x, t, inside), nothing, body, window_dimensions=node.window_dimensions,
        window_strides=node.window_strides, padding=node.padding,
    )  # fmt: skip
    return found


def window_function(node: Any) -> Function:
    """The function that computes what a `reduce_window` does, by a tree over each window."""
    count = len(node.inputs)
    types = [r.tensor for r in node.results]

    def body(*operands: Value) -> list[Value]:
        inputs = in_types(operands[:count], types)
        inits = in_types(operands[count:], types)
        if 0 in types[0].static_shape:
            return [ops.broadcast_in_dim(i, shape=t.static_shape, dims=())
                    for i, t in zip(inits, types, strict=True)]  # fmt: skip
        taken = [_patches(x, i, node.window) for x, i in zip(inputs, inits, strict=True)]
        rank = types[0].rank
        laid = [rows_of(x, tuple(range(1, 2 * rank, 2)))[0] for x in taken]
        axis = rows_of(taken[0], tuple(range(1, 2 * rank, 2)))[1]
        op = folded_op(node.body)
        if op in ("max", "min"):
            (folded_rows,) = fold_tree(laid, axis, _first_best(op))
            return [ops.reshape(folded_rows, shape=types[0].static_shape)]
        return folded(laid, axis, inits, node.body, types)

    return substitute(node, body)


def _first_best(op: str) -> Any:
    """What takes the better of two arrays, the first of equal ones, and NaN above all."""
    direction = "GE" if op == "max" else "LE"

    def combine(first: Sequence[Value], second: Sequence[Value]) -> list[Value]:
        a, b = first[0], second[0]
        better = ops.compare(a, b, direction=direction)
        broken = ops.compare(a, a, direction="NE")
        return [ops.select(ops.or_(better, broken), a, b)]

    return combine


def _patches(x: Value, init: Value, window: Any) -> Value:
    """The elements under each place: an axis of places and one of offsets for each axis of `x`."""
    x = ops.pad(
        x, init, low=[low for low, _ in window.padding],
        high=[high for _, high in window.padding], interior=[n - 1 for n in window.base_dilations],
    )  # fmt: skip
    for i, size in enumerate(window.sizes):
        axis, shape = 2 * i, x.tensor.static_shape
        span = (size - 1) * window.window_dilations[i] + 1
        places = (shape[axis] - span) // window.strides[i] + 1
        at = np.arange(places)[:, None] * window.strides[i]
        at = at + np.arange(size) * window.window_dilations[i]
        flat = at.reshape(-1)
        if not np.array_equal(flat, np.arange(shape[axis])):
            x = ops.take(x, ops.constant(flat.astype(np.int32)), axis=axis)
        x = ops.reshape(x, shape=(*shape[:axis], places, size, *shape[axis + 1 :]))
    return x


def selector(region: Region) -> Any:
    """What calls a `select` region on scalars."""

    def better(a: Value, b: Value) -> Value:
        (found,) = inline(region, (a, b))
        return found

    return better
