"""What is known of integers before a program runs: their ranges, and sometimes all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dxir.graph import Node, Value

Array = np.ndarray[Any, Any]
Range = tuple[int, int]

_DEPTH = 16
_MOST = 1 << 16  # elements; more are not worked out

# Ops whose results are elements of their first operand.
_MOVING = frozenset(
    ("reshape", "broadcast_in_dim", "broadcast_to", "transpose", "slice", "reverse", "squeeze",
     "expand_dims", "flatten", "gather", "take", "take_along", "dynamic_slice", "sort")
)  # fmt: skip
_POSITIONS = frozenset(("argmax", "argmin", "argsort"))
_FOLDED = frozenset(
    ("reshape", "broadcast_in_dim", "broadcast_to", "transpose", "slice", "reverse", "squeeze",
     "expand_dims", "flatten", "concat", "convert", "iota", "add", "sub", "mul", "max", "min",
     "compare", "select", "clamp")
)  # fmt: skip


def known_range(value: Value, depth: int = _DEPTH) -> Range:
    """Integers that those of a tensor are known to lie between, both included."""
    whole = _type_range(value)
    node = value.producer
    if node is None or not depth:
        return whole
    found = _range_of(node, value, depth - 1)
    if found is None:
        return whole
    low, high = found
    return found if whole[0] <= low and high <= whole[1] else whole


def _type_range(value: Value) -> Range:
    dtype = value.tensor.primitive
    if dtype.kind == "bool":
        return 0, 1
    if dtype.is_unsigned:
        return 0, 2**dtype.bits - 1
    half: int = 2 ** (dtype.bits - 1)
    return -half, half - 1


def _range_of(node: Node, value: Value, depth: int) -> Range | None:
    op, operands = node.op, node.operands
    if op == "constant":
        array = node.attrs["value"]
        if any(array.strides) and array.size > _MOST:
            return None
        array = array if any(array.strides) else array.reshape(-1)[:1]
        return (int(array.min()), int(array.max())) if array.size else (0, 0)
    if op == "iota":
        return 0, max(int(node.attrs["shape"][node.attrs["axis"]]) - 1, 0)
    if op in _MOVING:
        return known_range(operands[0], depth)
    if op in ("sort_by", "optimization_barrier"):
        return known_range(operands[value.index], depth)
    if op in _POSITIONS or (op == "top_k" and value.index == 1):
        axis = node.attrs.get("axis", -1)
        size = None if axis is None else operands[0].shape[axis]
        return (0, max(size - 1, 0)) if isinstance(size, int) else None
    if op == "convert":
        kind = operands[0].tensor.dtype.kind
        return known_range(operands[0], depth) if kind in ("int", "uint", "bool") else None
    if op in ("concat", "select"):
        return _union(operands[1:] if op == "select" else operands, depth)
    if op in ("max", "min", "clamp"):
        return _bounded(op, [known_range(v, depth) for v in operands])
    return None


def _union(values: tuple[Value, ...], depth: int) -> Range:
    ranges = [known_range(v, depth) for v in values]
    return min(low for low, _ in ranges), max(high for _, high in ranges)


def _bounded(op: str, ranges: list[Range]) -> Range:
    if op == "clamp":
        floor, inner, ceiling = ranges
        return min(max(inner[0], floor[0]), ceiling[0]), min(max(inner[1], floor[1]), ceiling[1])
    pick = max if op == "max" else min
    return pick(low for low, _ in ranges), pick(high for _, high in ranges)


def component_ranges(indices: Value, vector: int, count: int) -> list[Range]:
    """The range of each entry of the index vectors along the axis `vector`."""
    node = indices.producer
    if node is not None and node.op == "concat" and node.attrs["axis"] == vector:
        found: list[Range] = []
        for part in node.operands:
            size = part.tensor.static_shape[vector]
            found += component_ranges(part, vector, size)
        return found
    array = None if count < 2 else known_array(indices)
    if array is not None and array.size and vector < array.ndim:
        rows = np.moveaxis(array, vector, 0).reshape(count, -1)
        return [(int(r.min()), int(r.max())) for r in rows]
    return [known_range(indices)] * count


def known_array(value: Value, depth: int = _DEPTH) -> Array | None:
    """The elements of a tensor of constants and of arithmetic on them, unless there are many."""
    node: Any = value.producer
    if node is None or not depth or not value.tensor.is_static or value.tensor.size > _MOST:
        return None
    if node.op == "constant":
        array: Array = node.attrs["value"]
        return array
    if node.op not in _FOLDED or len(node.results) != 1:
        return None
    operands: list[Array] = []
    for operand in node.operands:
        found = known_array(operand, depth - 1)
        if found is None:
            return None
        operands.append(found)
    reference: Callable[..., Array] = node.reference
    with np.errstate(all="ignore"):
        return np.asarray(reference(*operands))
