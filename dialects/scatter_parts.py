"""Derivatives of a scatter of one input, by what its body does; and of those of any body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dxir import ops
from dxir.derivatives import Cotangent, has_tangent, zeros
from dxir.dialects.addressing import Addressing, Body, added, multiplied, replaced, subtracted
from dxir.graph import Region, Value
from dxir.transforms.batching import Batching, spread
from dxir.transforms.functions import closed, jvp_function, vjp_function
from dxir.types import i32

KINDS = {"add": "add", "mul": "mul", "max": "extreme", "min": "extreme"}


def body_kinds(body: Region) -> list[str]:
    """What a scatter's body does to each input: add, sub, mul, extreme, set, keep or other."""
    count = len(body.results)
    found = []
    for i, result in enumerate(body.results):
        current, update = body.params[i], body.params[count + i]
        node = result.producer
        if result is update:
            found.append("set")
        elif result is current:
            found.append("keep")
        elif node is not None and node.op in KINDS and set(node.operands) == {current, update}:
            found.append(KINDS[node.op])
        elif node is not None and node.op == "sub" and node.operands == (current, update):
            found.append("sub")
        else:
            found.append("other")
    return found


@dataclass(frozen=True)
class ScatterPart:
    """One input of a scatter, with its updates and the dimension numbers."""

    x: Value
    indices: Value
    updates: Value
    addressing: Addressing
    is_sorted: bool | None
    given_unique: bool | None

    @cached_property
    def unique(self) -> bool:
        """Whether no two updates meet."""
        return bool(self.given_unique) or self.addressing.are_distinct(self.indices)

    def gathered(self, value: Value) -> Value:
        """For each update what `value`, of the type of the input, has there."""
        return self.addressing.gather(value, self.indices, is_sorted=self.is_sorted)

    def scattered(self, onto: Value, updates: Value, body: Body) -> Value:
        """Other values scattered to the same places."""
        return self.addressing.scatter(
            onto, self.indices, updates, body, is_sorted=self.is_sorted, unique=self.given_unique
        )

    @property
    def landed(self) -> Value | None:
        """Which updates are not dropped; None for all."""
        shape = self.x.tensor.static_shape
        return self.addressing.landed(self.indices, shape, self.updates.tensor)

    def filled(self, value: Value) -> Value:
        """For each update what `value` has there, 0 for those that are dropped."""
        return masked(self.landed, self.gathered(value))

    def winners(self) -> Value | None:
        """Which updates a scatter that overwrites leaves in place; None for all."""
        if self.unique:
            return self.landed
        type = self.updates.tensor
        axes = [a for a in range(type.rank) if a not in self.addressing.window]
        if len(axes) == 1:
            numbers = ops.iota(shape=type.static_shape, axis=axes[0], dtype=i32)
        else:
            counts = [type.static_shape[a] for a in axes]
            flat = ops.iota(shape=(int(np.prod(counts)),), axis=0, dtype=i32)
            numbers = ops.broadcast_in_dim(
                ops.reshape(flat, shape=counts), shape=type.static_shape, dims=axes
            )
        nobody = ops.full(shape=self.x.shape, value=-1, dtype=i32)
        written = self.scattered(nobody, numbers, replaced)
        won: Value = ops.compare(self.gathered(written), numbers, direction="EQ")
        return won

    def others(self) -> Value:
        """For each update what it is multiplied by in the product that it takes part in."""
        if self.unique:
            return self.gathered(self.x)
        u = self.updates
        zero = ops.compare(u, 0, direction="EQ")
        nonzero = ops.select(zero, 1, u)
        product = ops.div(self.gathered(self.scattered(self.x, nonzero, multiplied)), nonzero)
        none = ops.full(shape=self.x.shape, value=0, dtype=i32)
        own = ops.convert(zero, dtype=i32)
        count = ops.sub(self.gathered(self.scattered(none, own, added)), own)
        # One zero among the others is put in by a sum, so that the product can be differentiated.
        mine = ops.select(zero, u, 0)
        total = self.gathered(self.scattered(zeros(self.x.type), mine, added))
        single = ops.compare(count, 1, direction="EQ")
        rest = ops.select(single, ops.sub(total, mine), 0)
        factor = ops.select(ops.compare(count, 0, direction="EQ"), 1, rest)
        found: Value = ops.mul(product, factor)
        return found

    def ties(self, y: Value) -> tuple[Value, Value, Value]:
        """Where the input is the result, where updates are, and how many of both there are."""
        own = ops.compare(self.x, y, direction="EQ")
        there = ops.compare(self.updates, self.gathered(y), direction="EQ")
        count = self.scattered(ops.convert(own, dtype=i32), ops.convert(there, dtype=i32), added)
        landed = self.landed
        if landed is not None:
            there = ops.and_(landed, there)
        return own, there, ops.convert(count, dtype=y.tensor.primitive)


def masked(mask: Value | None, value: Value) -> Value:
    """The value where the mask is true, 0 elsewhere."""
    if mask is None:
        return value
    kept: Value = ops.select(mask, value, 0)
    return kept


def pulled(kind: str, part: ScatterPart, g: Value, y: Value) -> tuple[Cotangent, Cotangent]:
    """The cotangents of the input and of the updates of a scatter of one kind."""
    if kind == "keep" or not part.updates.tensor.size or not part.x.tensor.size:
        return g, None
    if kind == "add":
        return g, lambda: part.filled(g)
    if kind == "sub":
        return g, lambda: ops.neg(part.filled(g))
    if kind == "set":
        blank = zeros(part.updates.type)
        return (
            lambda: part.scattered(g, blank, replaced),
            lambda: masked(part.winners(), part.gathered(g)),
        )
    if kind == "mul":
        return lambda: part.scattered(g, part.updates, multiplied), lambda: pulled_factor(part, g)
    own, there, count = part.ties(y)
    return (
        lambda: ops.div(masked(own, g), count),
        lambda: masked(there, part.gathered(ops.div(g, count))),
    )


def pulled_factor(part: ScatterPart, g: Value) -> Value:
    """The cotangent of the updates of a scatter that multiplies."""
    if part.unique:
        return part.filled(ops.mul(g, part.x))
    product: Value = ops.mul(part.filled(g), part.others())
    return product


def pushed(
    kind: str, part: ScatterPart, moved: tuple[Value | None, Value | None], y: Value
) -> Value | None:
    """The tangent of a scatter of one kind, given those of the input and of the updates."""
    x, updates = moved
    if (
        kind == "keep"
        or not part.updates.tensor.size
        or (kind in ("add", "sub") and updates is None)
    ):
        return x
    if kind == "extreme":
        return pushed_extreme(part, moved, y)
    if kind != "mul":
        base = zeros(part.x.type) if x is None else x
        given = zeros(part.updates.type) if updates is None else updates
        body = {"add": added, "sub": subtracted, "set": replaced}[kind]
        return part.scattered(base, given, body)
    total = None if x is None else part.scattered(x, part.updates, multiplied)
    if updates is not None:
        change = ops.mul(updates, part.others())
        if total is None:
            return part.scattered(zeros(part.x.type), change, added)
        total = part.scattered(total, change, added)
    return total


def pushed_extreme(part: ScatterPart, moved: tuple[Value | None, Value | None], y: Value) -> Value:
    """The tangent of a scatter that keeps the largest or the smallest."""
    x, updates = moved
    own, there, count = part.ties(y)
    total = zeros(part.x.type) if x is None else masked(own, x)
    if updates is not None:
        total = part.scattered(total, masked(there, updates), added)
    share: Value = ops.div(total, count)
    return share


class AnyBody:
    """A scatter of any body, in which no two updates meet: the body's derivative at each place."""

    def __init__(self, body: Region, parts: Sequence[ScatterPart]) -> None:
        self._body = closed(body)[0]
        self._parts = parts
        self._count = parts[0].updates.tensor.size
        types = self._body.param_types
        self._wrt = [i for i, t in enumerate(types) if has_tangent(t)]
        self._outputs = [i for i, t in enumerate(self._body.result_types) if has_tangent(t)]

    def _flat(self, value: Value) -> Value:
        flat: Value = ops.reshape(value, shape=(self._count,))
        return flat

    def _at_places(self) -> list[Value]:
        current = [self._flat(p.gathered(p.x)) for p in self._parts]
        return current + [self._flat(p.updates) for p in self._parts]

    def _run(self, function: Region, arguments: list[Value]) -> list[Value]:
        """A function of scalars at each place; its results in the shape of the updates."""
        sweep = Batching(self._count)
        found = sweep.run(function, arguments, [True] * len(arguments))
        full = [v if flag else spread(v, self._count) for v, flag in found]
        shape = self._parts[0].updates.shape
        return [ops.reshape(v, shape=shape) for v in full]

    def pulled(self, gs: Sequence[Value | None]) -> list[Cotangent]:
        """The cotangents of inputs and updates."""
        parts, count = self._parts, len(self._parts)
        given = [
            zeros(parts[i].updates.type) if g is None else parts[i].gathered(g)
            for i, g in enumerate(gs) if i in self._outputs
        ]  # fmt: skip
        back = vjp_function(self._body, self._wrt, self._outputs, value=False)
        at_places = self._run(back, [*self._at_places(), *map(self._flat, given)])
        found: list[Cotangent] = [None] * (2 * count)
        landed = parts[0].landed
        for position, part_of in zip(self._wrt, at_places, strict=True):
            if position < count:
                part, g = parts[position], gs[position]
                base = zeros(part.x.type) if g is None else g
                found[position] = part.scattered(base, part_of, replaced)
            else:
                found[position] = masked(landed, part_of)
        return found

    def pushed(self, moved: Sequence[Value | None]) -> list[Value | None]:
        """The tangents of the results, given those of inputs and updates."""
        parts, count = self._parts, len(self._parts)
        tangents = []
        for position in self._wrt:
            part, tangent = parts[position % count], moved[position]
            if tangent is None:
                tangents.append(zeros(part.updates.type))
            else:
                tangents.append(part.gathered(tangent) if position < count else tangent)
        ahead = jvp_function(self._body, self._wrt, self._outputs, value=False)
        at_places = self._run(ahead, [*self._at_places(), *map(self._flat, tangents)])
        found: list[Value | None] = [None] * count
        for position, tangent in zip(self._outputs, at_places, strict=True):
            part, before = parts[position], moved[position]
            base = zeros(part.x.type) if before is None else before
            found[position] = part.scattered(base, tangent, replaced)
        return found
