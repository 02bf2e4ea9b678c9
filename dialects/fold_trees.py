"""Folds by an arbitrary body, written out as a tree over the axis.

Neighbours are combined, all pairs at once, until one element is left: log2(n) levels, in which the
order of the elements is kept. So every associative body can be differentiated, by the rules of the
ops in it and without any division.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dxir import ops
from dxir.dialects.substitutes import substitute
from dxir.graph import Function, Region, Value
from dxir.transforms.batching import Batching, spread
from dxir.types import TensorType

Combine = Callable[[Sequence[Value], Sequence[Value]], Sequence[Value]]

_IDENTITIES: dict[str, Any] = {"add": 0, "mul": 1, "max": -np.inf, "min": np.inf}


def folded_op(body: Region) -> str | None:
    """The one op on its two parameters that a body is, if it is one of one input."""
    if len(body.params) != 2 or len(body.nodes) != 1 or body.results != body.nodes[0].results:
        return None
    node = body.nodes[0]
    known = set(node.operands) == set(body.params) and len(node.operands) == 2
    return node.op if known else None


def is_identity(op: str | None, init: Value) -> bool:
    """Whether `init` is the constant that changes nothing under a float `op`.

    JAX writes it as a scalar constant that is broadcast to a scalar.
    """
    node = init.producer
    while node is not None and node.op == "broadcast_in_dim":
        node = node.operands[0].producer
    if op not in _IDENTITIES or node is None or node.op != "constant":
        return False
    array = np.asarray(node.attrs["value"])
    if array.dtype.kind in "iub":
        return False
    with np.errstate(all="ignore"):
        return bool((array == np.asarray(_IDENTITIES[op]).astype(array.dtype)).all())


def combiner(body: Region) -> Combine:
    """What combines arrays of one shape, element by element, as `body` combines scalars."""
    op = folded_op(body)
    simple: Any = None if op is None else ops.lookup(op)

    def combine(first: Sequence[Value], second: Sequence[Value]) -> Sequence[Value]:
        if simple is not None:
            return [simple(first[0], second[0])]
        shape = first[0].tensor.static_shape
        size = int(np.prod(shape, dtype=np.int64))
        flat = [ops.reshape(v, shape=(size,)) for v in (*first, *second)]
        found = Batching(size).run(body, flat, [True] * len(flat))
        full = [value if flag else spread(value, size) for value, flag in found]
        return [ops.reshape(v, shape=shape) for v in full]

    return combine


def fold_tree(values: Sequence[Value], axis: int, combine: Combine) -> list[Value]:
    """The values, of one shape with at least one element along `axis`, folded to one there."""
    values = list(values)
    count = values[0].tensor.static_shape[axis]
    while count > 1:
        even = count - count % 2
        first = [every(v, axis, 0, even - 1, 2) for v in values]
        second = [every(v, axis, 1, even, 2) for v in values]
        merged = list(combine(first, second))
        if count % 2:
            rest = [every(v, axis, count - 1, count, 1) for v in values]
            merged = [ops.concat([m, r], axis=axis) for m, r in zip(merged, rest, strict=True)]
        values, count = merged, even // 2 + count % 2
    return values


def every(value: Value, axis: int, start: int, limit: int, stride: int) -> Value:
    """The elements of a range of an axis, `stride` apart."""
    shape = value.tensor.static_shape
    part: Value = ops.slice(
        value,
        starts=[start if i == axis else 0 for i in range(len(shape))],
        limits=[limit if i == axis else n for i, n in enumerate(shape)],
        strides=[stride if i == axis else 1 for i in range(len(shape))],
    )
    return part


def rows_of(value: Value, axes: Sequence[int]) -> tuple[Value, int]:
    """A value as a matrix, and the axis of it along which `axes` are laid out, in their order."""
    shape = value.tensor.static_shape
    kept = [i for i in range(len(shape)) if i not in axes]
    count = int(np.prod([shape[i] for i in axes], dtype=np.int64))
    size = int(np.prod([shape[i] for i in kept], dtype=np.int64))
    if [*kept, *axes] == list(range(len(shape))):
        return ops.reshape(value, shape=(size, count)), 1
    order = (*axes, *kept)
    if order != tuple(range(len(shape))):
        value = ops.transpose(value, permutation=order)
    return ops.reshape(value, shape=(count, size)), 0


def folded(
    rows: Sequence[Value], axis: int, inits: Sequence[Value], body: Region, types: Sequence[Any]
) -> list[Value]:
    """Matrices folded along an axis from `inits`, as values of these types."""
    combine = combiner(body)
    shape = [1 if i == axis else n for i, n in enumerate(rows[0].tensor.static_shape)]
    starts = [ops.broadcast_in_dim(i, shape=shape, dims=()) for i in inits]
    if rows[0].tensor.static_shape[axis] == 0:
        found: Sequence[Value] = starts
    else:
        found = fold_tree(rows, axis, combine)
        if not is_identity(folded_op(body), inits[0]):
            found = combine(starts, found)
    return [ops.reshape(v, shape=t.static_shape) for v, t in zip(found, types, strict=True)]


def in_types(values: Sequence[Value], types: Sequence[TensorType]) -> list[Value]:
    """Values in the element types of others."""
    return [
        v if v.tensor.dtype == t.dtype else ops.convert(v, dtype=t.primitive)
        for v, t in zip(values, types, strict=True)
    ]


def reduce_function(node: Any) -> Function:
    """The function that computes what a `reduce` does by a tree."""
    count = len(node.inputs)
    types = [r.tensor for r in node.results]

    def body(*operands: Value) -> list[Value]:
        inputs = in_types(operands[:count], types)
        inits = in_types(operands[count:], types)
        laid = [rows_of(x, node.axes) for x in inputs]
        return folded([x for x, _ in laid], laid[0][1], inits, node.body, types)

    return substitute(node, body)
