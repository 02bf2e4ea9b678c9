"""Loops that run until a condition fails: along, on a batch, and back where they are bounded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dxir import ops
from dxir.derivatives import captured, has_tangent, scalar, zeros
from dxir.errors import TransformError
from dxir.graph import Region, Value, building, current_region
from dxir.making import inline
from dxir.transforms.activity import varied_values
from dxir.transforms.batching import Batch, Unbatched
from dxir.transforms.branching import guarded
from dxir.transforms.flagging import RegionFlags
from dxir.transforms.forward import Forward
from dxir.transforms.joint import Flags, some_or_zeros, where
from dxir.transforms.predicated import refuse_effects
from dxir.transforms.scanning import Body

__all__ = ["Bounded", "batched_while", "pushed_while", "state_flags"]


def pushed_while(node: Any, sweep: Forward) -> tuple[Sequence[Value], Sequence[Value | None]]:
    """A loop whose state has the tangents beside it."""
    init: Sequence[Value] = node.init
    count = len(init)
    moving = _moving(node.body, [v in sweep.tangents for v in init], sweep)
    starts = [v for v, flag in zip(init, moving, strict=True) if flag]
    tangents = some_or_zeros([sweep.tangents.get(v) for v in starts], starts)

    def cond(*state: Value) -> Sequence[Value]:
        return inline(node.cond, state[:count])

    def body(*state: Value) -> list[Value]:
        rest = iter(state[count:])
        given = [next(rest) if flag else None for flag in moving]
        results, moved = sweep.nested().run(node.body, state[:count], given)
        late = [
            zeros(r.type) if t is None else t
            for r, t, flag in zip(results, moved, moving, strict=True)
            if flag
        ]
        return [*results, *late]

    found = ops.while_loop(cond, body, (*init, *tangents))
    rest = iter(found[count:])
    return found[:count], [next(rest) if flag else None for flag in moving]


def _moving(body: Region, flags: list[bool], sweep: Forward) -> list[bool]:
    """Which parts of the state ever have tangents."""
    around = [v for v in captured([body]) if v in sweep.tangents]
    while True:
        start = [p for p, flag in zip(body.params, flags, strict=True) if flag]
        varied = varied_values(body, [*around, *start])
        grown = [f or r in varied for f, r in zip(flags, body.results, strict=True)]
        if grown == flags:
            return flags
        flags = grown


def batched_while(node: Any, batch: Batch) -> list[Value | Unbatched]:
    """A loop on a batch: it runs while any element goes on, and the others keep their state."""
    flags, apart = state_flags(node, batch.batched, batch.flags)
    if apart:
        refuse_effects(node)
    init = [batch.full(i) if flag else v for i, (v, flag) in
            enumerate(zip(batch.operands, flags, strict=True))]  # fmt: skip

    def step(state: Sequence[Value]) -> list[Value]:
        results = batch.run(node.body, state, flags)
        return [batch.spread(v) if flag and not f else v
                for (v, f), flag in zip(results, flags, strict=True)]  # fmt: skip

    if apart:
        made = _predicated(node, batch, flags, init, step)
    else:
        made = ops.while_loop(
            lambda *state: batch.run(node.cond, state, flags)[0][0],
            lambda *state: step(state),
            tuple(init),
        )
    return [v if flag else Unbatched(v) for v, flag in zip(made, flags, strict=True)]


def state_flags(node: Any, given: Flags, flags: RegionFlags) -> tuple[list[bool], bool]:
    """Which parts of the state of a loop are batched in any step, and whether its condition is."""
    state, same = list(given), _handed_on(node.body)
    while True:
        apart = flags(node.cond, state)[0]
        found = flags(node.body, state)
        grown = [a or b or (apart and not s) for a, b, s in zip(state, found, same, strict=True)]
        if grown == state:
            return state, apart
        state = grown


def _handed_on(body: Region) -> list[bool]:
    return [r is p for r, p in zip(body.results, body.params, strict=True)]


def _predicated(
    node: Any, batch: Batch, flags: list[bool], init: list[Value], step: Any
) -> Sequence[Value]:
    same = _handed_on(node.body)

    def goes_on(state: Sequence[Value]) -> Value:
        value, flag = batch.run(node.cond, state, flags)[0]
        return value if flag else batch.spread(value)

    def body(going: Value, *state: Value) -> list[Value]:
        inner = [
            ops.mask_gradient(v, going) if flag and has_tangent(v.type) else v
            for v, flag in zip(state, flags, strict=True)
        ]
        with batch.replaced(guarded(captured([node.body]), going, batch)):
            after = step(inner)
        state = tuple([
            where(going, new, old) if flag and not s else old if s else new
            for new, old, flag, s in zip(after, state, flags, same, strict=True)
        ])  # fmt: skip
        return [goes_on(state), *state]

    found: Sequence[Value] = ops.while_loop(
        lambda going, *state: ops.any(going), body, (goes_on(init), *init)
    )
    return found[1:]


@dataclass(slots=True)
class Bounded:
    """The steps of a loop with a condition, of which there are `limit` at most.

    What a step keeps has room for so many steps. Cotangents are NaN if there were more of them.
    """

    cond: Region
    limit: int
    fixed: dict[int, Value] = field(default_factory=dict)
    count: Value | None = field(default=None)

    def first(self, body: Body, init: Sequence[Value], xs: Sequence[Value]) -> Sequence[Value]:
        assert not xs
        zero = ops.constant(np.int32(0))
        region = _extras(body, init)
        stacks = [zeros(y.with_shape((self.limit, *y.shape))) for y in region]

        def cond(_: Value, *state: Value) -> Sequence[Value]:
            rest = iter(state[: len(init)])
            total = len(init) + len(self.fixed)
            full = [self.fixed[i] if i in self.fixed else next(rest) for i in range(total)]
            return inline(self.cond, full)

        def step(count: Value, *state: Value) -> list[Value]:
            results = body(*state[: len(init)])
            stored = [
                _stored(stack, y, count)
                for stack, y in zip(state[len(init) :], results[len(init) :], strict=True)
            ]
            return [ops.add(count, np.int32(1)), *results[: len(init)], *stored]

        self.count, *found = ops.while_loop(cond, step, (zero, *init, *stacks))
        return found

    def second(
        self, body: Body, init: Sequence[Value], xs: Sequence[Value], *, back: bool
    ) -> Sequence[Value]:
        if not back:
            raise TransformError(
                "tangents apart from results need a number of steps that is known",
                hint="take them together, with jvp",
            )
        assert self.count is not None
        enough = ops.compare(self.count, np.int32(self.limit), direction="LE")

        def step(left: Value, *carry: Value) -> list[Value]:
            last = ops.sub(left, np.int32(1))
            return [last, *body(*carry, *[_stored_at(x, last) for x in xs])]

        _, *found = ops.while_loop(
            lambda left, *_: ops.compare(left, np.int32(0), direction="GT"),
            step,
            (self.count, *init),
        )
        return [where(enough, v, scalar(np.nan, v.type)) for v in found]


def _extras(body: Body, init: Sequence[Value]) -> list[Any]:
    """The types of what a step gives besides the state."""
    scratch = Region([v.type for v in init], current_region())
    with building(scratch):
        return [v.tensor for v in body(*scratch.params)[len(init) :]]


def _stored(stack: Value, y: Value, count: Value) -> Value:
    rest = stack.tensor.static_shape[1:]
    zero = [ops.constant(np.int32(0)) for _ in rest]
    row = ops.reshape(y, shape=(1, *rest))
    result: Value = ops.dynamic_update_slice(stack, row, (count, *zero))
    return result


def _stored_at(stack: Value, place: Value) -> Value:
    rest = stack.tensor.static_shape[1:]
    zero = [ops.constant(np.int32(0)) for _ in rest]
    row = ops.dynamic_slice(stack, (place, *zero), sizes=(1, *rest))
    result: Value = ops.reshape(row, shape=rest)
    return result
