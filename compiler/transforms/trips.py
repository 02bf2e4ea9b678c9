"""Loops whose number of steps is known: `while_loop` as the scan that it says.

A counter is an integer of the state that grows by a constant from a constant. The condition may
be anything of counters and constants. Slices of what stays the same, at places that counters say,
become xs; rows that steps write into a tensor that they do not read become ys. So a gradient has
one slice to add in each step, and not a whole tensor.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dxir.derivatives import captured
from dxir.graph import Node, Region, Value, building, current_region, place
from dxir.making import copied
from dxir.types import TensorType

__all__ = ["Known", "counters", "flattened", "known_array", "trip_count"]

Array = np.ndarray[Any, Any]
Known = dict[Value, Array]
"""What is known of integers: their values in each step, or the one that they always have."""

_SMALL = 12  # nodes of a function that is read in place wherever it is called
_LOOKED_AT = (1 << 10, 1 << 16, 1 << 22)  # steps
_INTEGER_OPS = frozenset(
    ("add", "and", "broadcast_in_dim", "clamp", "compare", "convert", "max", "min", "mul", "neg",
     "not", "or", "rem", "reshape", "select", "sign", "sub", "xor", "abs", "div")
)  # fmt: skip
_MOVES = frozenset(("broadcast_in_dim", "reshape"))
_DEPTH = 64  # of what is looked through to find a constant


def flattened(region: Region) -> Region:
    """A copy of a region in which small functions, and those it calls once, stand in place."""
    calls = Counter(id(n.attrs["callee"]) for n in region.nodes if n.op == "call")
    copy = Region(region.param_types, current_region())
    values = dict(zip(region.params, copy.params, strict=True))
    with building(copy):
        _flatten(region.nodes, values, calls)
        copy.seal([values.get(r, r) for r in region.results])
    return copy


def _flatten(nodes: Sequence[Node], values: dict[Value, Value], calls: Counter[int]) -> None:
    for node in nodes:
        callee = node.attrs.get("callee") if node.op == "call" else None
        small = callee is not None and callee.sealed and len(callee.nodes) <= _SMALL
        if callee is None or not callee.sealed or not (small or calls[id(callee)] == 1):
            place(copied(node, values))
            continue
        given = [values.get(v, v) for v in node.operands]
        inner = dict(zip(callee.params, given, strict=True))
        within = Counter(id(n.attrs["callee"]) for n in callee.nodes if n.op == "call")
        _flatten(callee.nodes, inner, within)
        values.update(zip(node.results, [inner[r] for r in callee.results], strict=True))


def known_array(value: Value, known: Mapping[Value, Array]) -> Array | None:
    """An integer or truth value in each step, one number where it is always the same, or None."""
    return _known(value, dict(known), _DEPTH)


def _known(value: Value, found: dict[Value, Array | None], depth: int) -> Array | None:
    """The same; what was found, or was not, is put into `found`."""
    if value not in found:
        found[value] = _worked_out(value, found, depth) if depth else None
    return found[value]


def _worked_out(value: Value, found: dict[Value, Array | None], depth: int) -> Array | None:
    node: Any = value.producer
    type = value.type
    if node is None or not isinstance(type, TensorType) or not type.is_static or type.size != 1:
        return None
    if type.dtype.kind not in ("int", "uint", "bool"):
        return None
    if node.op == "constant":
        number: Array = np.asarray(node.attrs["value"]).reshape(())
        return number
    if node.op not in _INTEGER_OPS:
        return None
    given: list[Array] = []
    for operand in node.operands:
        array = _known(operand, found, depth - 1)
        if array is None:
            return None
        given.append(array)
    if node.op in _MOVES:
        return given[0]
    with np.errstate(all="ignore"):
        result: Array = np.asarray(node.reference(*np.broadcast_arrays(*given)))
    return result


def counters(body: Region, init: Sequence[Value]) -> dict[int, tuple[Array, Array]]:
    """The places of counters in the state, with where they start and their step."""
    found: dict[int, tuple[Array, Array]] = {}
    for i, value in enumerate(init):
        start = known_array(value, {})
        if start is None:
            continue
        param, result = body.params[i], body.results[i]
        if result is param:
            found[i] = (start, np.zeros_like(start))
            continue
        step = _step(param, result)
        if step is not None:
            found[i] = (start, step.astype(start.dtype))
    return found


def _step(param: Value, result: Value) -> Array | None:
    node = result.producer
    if node is None or node.op not in ("add", "sub"):
        return None
    x, y = node.operands
    if x is param:
        step = known_array(y, {})
        return step if step is None or node.op == "add" else np.negative(step)
    return known_array(x, {}) if y is param and node.op == "add" else None


def series(start: Array, step: Array, count: int) -> Array:
    """The first values of a counter."""
    with np.errstate(all="ignore"):
        return np.asarray(start + step * np.arange(count).astype(start.dtype), start.dtype)


def trip_count(cond: Region, found: Mapping[int, tuple[Array, Array]]) -> int | None:
    """How often the condition holds before it does not; None where counters do not tell."""
    if any(n.has_side_effect for n in cond.nodes):
        return None  # it must run once more than the steps
    for count in _LOOKED_AT:
        known = {cond.params[i]: series(a, b, count) for i, (a, b) in found.items()}
        holds = known_array(cond.results[0], known)
        if holds is None:
            return None
        if not holds.ndim:
            return None if holds else 0
        if not holds.all():
            return int(np.argmin(holds))
    return None


def uses(region: Region) -> Counter[Value]:
    """How often each value is used in a region; all regions of a node count as one use."""
    found: Counter[Value] = Counter(region.results)
    for node in region.nodes:
        found.update(node.operands)
        if node.regions:
            found.update(captured(node.regions))
    return found
