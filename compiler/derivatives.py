"""What the rules of ops say of derivatives and batching, and what they are written with.

An op class has, where they apply:

- `vjp(self, g, y)`: for each operand its cotangent, given those of the results. An entry is a
  Value, None for a structural zero, or a function without arguments that makes the Value, called
  only if somebody wants it. With one result `g` and `y` are Values; otherwise tuples, in which `g`
  has None for a result that nothing depends on.
- `jvp(self, tangents, y)`: the tangent of each result, None for a structural zero, given those of
  the operands (None for zero, never all of them). `linear` names the operands in which an op is
  jointly linear, `multilinear` those in each of which it is: from either the jvp follows.
- `batch(self, batch)`: the results with a new leading axis, see `dxir.transforms.Batch`; or
  `unbatchable`, an `Undefined`.
- `derivative`: a `Zero` or an `Undefined`, with the reason.
- `pullback` and `pushforward`: both sweeps of an op whose forward part changes, as loops do.

`self` is a node of the graph being made: its fields are Values to compute with. Derived ops that
say nothing are differentiated and batched through their `expand`.

Complex numbers follow JAX: a cotangent is multiplied by the derivative, not by its conjugate, so
that the gradient of a real function of `x + iy` is `df/dx - i df/dy`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dxir import making, ops
from dxir.graph import Node, Region, Value
from dxir.types import DType, TensorType, Type

__all__ = [
    "Cotangent", "Undefined", "Zero", "add_any", "captured", "has_tangent", "is_zeros",
    "live_nodes", "mask_of", "moveaxis", "rebuild", "scalar", "taken", "unbroadcast", "zeros",
]  # fmt: skip

Cotangent = Value | Callable[[], Value] | None


@dataclass(frozen=True, slots=True)
class Zero:
    """The derivative is zero wherever there is one, and is taken to be zero elsewhere."""

    reason: str


@dataclass(frozen=True, slots=True)
class Undefined:
    """There is no derivative (or no batched form), and a program that needs it is refused."""

    reason: str
    hint: str | None = None


def has_tangent(type: Type) -> bool:
    """Whether values of a type have tangents: floats and complex numbers do."""
    return isinstance(type, TensorType) and type.dtype.kind in ("float", "complex")


def zeros(like: Type | Value) -> Value:
    """A splat of zeros of a tensor type; of that of a value, whose sizes may be unknown."""
    return scalar(0, like)


def scalar(number: complex, like: Type | Value) -> Value:
    """A splat of one number, of a tensor type; of that of a value, whose sizes may be unknown."""
    if isinstance(like, Value):
        if not like.tensor.is_static:
            alike: Value = ops.constant_like(like, value=number)
            return alike
        like = like.type
    assert isinstance(like, TensorType)
    dtype = like.dtype
    assert isinstance(dtype, DType)
    value = np.asarray(number).astype(dtype.numpy)
    constant: Value = ops.constant(np.broadcast_to(value, like.static_shape))
    return constant


def is_zeros(value: Value) -> bool:
    """Whether a value is a splat of zeros, as `zeros` makes them."""
    node = value.producer
    while node is not None and node.op == "broadcast_in_dim":
        node = node.operands[0].producer
    if node is None or node.op != "constant":
        return False
    array = node.attrs["value"]
    return not any(array.strides) and bool(array.size) and not array.reshape(-1)[0]


def mask_of(t: Value) -> tuple[Value, Value, bool] | None:
    """What makes `t` if that is a select of something or zeros: pred, it, and where pred is."""
    node = t.producer
    if node is None or node.op != "select":
        return None
    pred, a, b = node.operands
    if a.shape != t.shape or b.shape != t.shape:
        return None
    if is_zeros(b):
        return pred, a, True
    return (pred, b, False) if is_zeros(a) else None


def add_any(x: Value, y: Value) -> Value:
    """The sum of two cotangents of one value; what masks both of them masks the sum."""
    one, other = mask_of(x), mask_of(y)
    if one is None or other is None or one[0] is not other[0] or one[2] != other[2]:
        return ops.add(x, y)
    total = add_any(one[1], other[1])
    return ops.select(one[0], total, 0) if one[2] else ops.select(one[0], 0, total)


def unbroadcast(g: Value, type: TensorType) -> Value:
    """The cotangent of an operand of `type` that was broadcast to the shape of `g`: summed."""
    shape, wanted = g.shape, type.shape
    if shape == wanted:
        return g
    lead = len(shape) - len(wanted)
    axes = tuple([i for i, n in enumerate(shape) if i < lead or (wanted[i - lead] == 1 and n != 1)])
    if axes:
        g = ops.sum(g, axes=axes, keepdims=not lead)
    return g if g.shape == wanted else ops.reshape(g, shape=type.static_shape)


def rebuild(
    node: Any,
    operands: Sequence[Value],
    around: Mapping[Value, Value] | None = None,
    /,
    **changes: Any,
) -> Any:
    """The op of `node` on other operands, with its attributes except for `changes`, typed anew.

    Its shardings and annotations are not taken over. Regions are copied; `around` has others for
    the values that they capture.
    """
    copy = node.__class__.__new__(node.__class__)
    copy.operands, copy.segments, copy.name = tuple(operands), node.segments, None
    copy.attrs = {**node.attrs, **changes}
    copy.regions = making.copied_regions(node.regions, around)
    copy.location = copy.sharding = copy.annotations = None
    return making.finish(copy)


def moveaxis(value: Value, axis: int, to: int) -> Value:
    """A value with one of its axes at another place."""
    if axis == to:
        return value
    order = [i for i in range(value.rank) if i != axis]
    order.insert(to, axis)
    moved: Value = ops.transpose(value, permutation=tuple(order))
    return moved


def captured(regions: Sequence[Region]) -> tuple[Value, ...]:
    """The values of outside that regions use, in the order of their first use."""
    inner: set[Value] = set()
    used: dict[Value, None] = {}
    pending = list(reversed(regions))
    while pending:
        region = pending.pop()
        inner.update(region.params)
        for node in region.nodes:
            inner.update(node.results)
            used.update(dict.fromkeys(node.operands))
            if node.regions:
                used.update(dict.fromkeys(captured(node.regions)))
        used.update(dict.fromkeys(region.results))
    return tuple([v for v in used if v not in inner])


def taken(node: Node) -> tuple[Value, ...]:
    """The operands of a node and what its regions capture, each once."""
    if not node.regions:
        return node.operands
    return tuple(dict.fromkeys((*node.operands, *captured(node.regions))))


def live_nodes(
    nodes: Sequence[Node], results: Iterable[Value], *, effects: bool = True
) -> set[Node]:
    """The nodes that results depend on; with `effects` those that must run anyway, and so on."""
    needed = set(results)
    found: set[Node] = set()
    for node in reversed(nodes):
        for result in node.results:
            if result in needed:
                break
        else:
            if not (effects and node.has_side_effect):
                continue
        found.add(node)
        needed.update(taken(node) if node.regions else node.operands)
    return found
