"""The derivatives of reductions over windows, and of the op that undoes them for maxima."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dxir import ops
from dxir.dialects.fold_trees import (
    combiner,
    fold_tree,
    folded,
    folded_op,
    in_types,
    is_identity,
    rows_of,
)
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


_RUNNING = {"max": "cummax", "min": "cummin", "mul": "cumprod"}


_SMALL = 16  # elements of a window in which comparisons choose faster than a scatter


def chosen_apart(node: Any) -> bool:
    """Whether the places of a window are small, and no element is in more than one of them."""
    window = node.window
    pairs = zip(window.sizes, window.strides, strict=True)
    apart = all(size <= stride for size, stride in pairs)
    static = node.inputs[0].tensor.is_static
    return apart and static and int(np.prod(window.sizes)) <= _SMALL


def running_axis(node: Any) -> tuple[int, bool] | None:
    """The axis that a `reduce_window` runs over as a whole, and whether from its end.

    Its window is as long as the axis and moves over it by ones, so that each place has all the
    elements up to it, or from it on: to fold each by itself is quadratic in the length.
    """
    window, shape = node.window, node.inputs[0].shape
    long = [i for i, size in enumerate(window.sizes) if size > 1]
    steps = (*window.strides, *window.base_dilations, *window.window_dilations)
    static = node.inputs[0].tensor.is_static
    if len(long) != 1 or set(steps) != {1} or not static or 0 in shape:
        return None
    (axis,) = long
    size = window.sizes[axis]
    others = [pair for i, pair in enumerate(window.padding) if i != axis]
    edge = window.padding[axis]
    if size != shape[axis] or any(map(any, others)) or edge not in ((size - 1, 0), (0, size - 1)):
        return None
    return axis, edge[0] == 0


def _running(node: Any, axis: int, reverse: bool) -> Function:
    """The function that computes what a `reduce_window` over all of an axis does, n log(n).

    Each step doubles how many elements a place has folded; places beyond the end hold the inits.
    """
    count = len(node.inputs)
    types = [r.tensor for r in node.results]
    op = folded_op(node.body)
    known = ops.lookup(_RUNNING.get(op or "", ""))

    def body(*operands: Value) -> list[Value]:
        inputs = in_types(operands[:count], types)
        inits = in_types(operands[count:], types)
        if known is not None and is_identity(op, node.inits[0]) and not node.accumulate:
            return [known(inputs[0], axis=axis, reverse=reverse)]
        combine, step = combiner(node.body), 1
        while step < types[0].static_shape[axis]:
            low = [step * (i == axis) * (-1 if reverse else 1) for i in range(types[0].rank)]
            away = [
                ops.pad(x, i, low=low, high=[-n for n in low])
                for x, i in zip(inputs, inits, strict=True)
            ]
            first, second = (inputs, away) if reverse else (away, inputs)
            inputs, step = list(combine(first, second)), 2 * step
        if not is_identity(op, node.inits[0]):
            starts = [ops.broadcast_in_dim(i, shape=t.static_shape, dims=())
                      for i, t in zip(inits, types, strict=True)]  # fmt: skip
            inputs = list(combine(starts, inputs))
        return inputs

    return substitute(node, body)


def window_function(node: Any) -> Function:
    """The function that computes what a `reduce_window` does, by a tree over each window."""
    count = len(node.inputs)
    running = running_axis(node)
    if running is not None:
        return _running(node, *running)
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
