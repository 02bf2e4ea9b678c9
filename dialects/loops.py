"""Loops over numbers and over the leading axis of tensors, in terms of `while_loop`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Undefined
from dxir.errors import ShapeError
from dxir.examples import Example, Sample
from dxir.graph import Region, Value
from dxir.op import Derived, inline
from dxir.transforms.batching import Unbatched
from dxir.transforms.options import current_options
from dxir.transforms.reverse import replaced
from dxir.transforms.scanning import (
    Counted,
    Loop,
    batched_scan,
    pulled_loop,
    pushed_loop,
    scan_flags,
)
from dxir.transforms.segments import RESIDUALS, in_segments
from dxir.transforms.trips import known_array
from dxir.types import TensorType, Type, bf16, f32, i1, i32, ui8

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch
    from dxir.transforms.flagging import Flagging
    from dxir.transforms.forward import Forward
    from dxir.transforms.reverse import Pull, Reverse

Array = np.ndarray[Any, Any]


class ForiLoop(Derived, name="fori_loop", rounding="moves"):
    """`state = body(i, *state)` for `i` from `start` up to, not including, `stop`.

    `start` and `stop` are Python integers (then i32) or integer scalars of one type. The result
    is a tuple.
    """

    start: Value
    stop: Value
    body: Region
    init: tuple[Value, ...]

    examples = (
        Example(
            start=np.int32(2),
            stop=np.int32(6),
            body=lambda i, total, x: (total + i, x + x),
            init=(i32[()], f32[2]),
        ),
        Example(
            start=Sample(ui8[()], 0, 9),
            stop=Sample(ui8[()], 0, 9),
            body=lambda i, last: i,
            init=(np.uint8(77),),
        ),
    )

    def coerce(self, position: int, given: Any) -> Value:
        if position < 2 and isinstance(given, int) and not isinstance(given, bool):
            other: Any = self.operands[1 - position]
            dtype = other.tensor.primitive if isinstance(other, Value) else i32
            checks.represents(dtype, given)
            return ops.constant(np.array(given, dtype.numpy))
        return super().coerce(position, given)

    def region_params(self) -> Sequence[Sequence[Type]]:
        return [[self.start.type, *(v.type for v in self.init)]]

    def infer(self) -> tuple[Type, ...]:
        checks.kind(self.start, "int uint", "start")
        checks.same_dtype((self.start, self.stop))
        checks.rank_is(self.start, 0, "start")
        checks.rank_is(self.stop, 0, "stop")
        types = tuple(v.type for v in self.init)
        checks.region_returns(self.body, types, "body")
        return types

    def expand(self, start: Value, stop: Value, *init: Value) -> tuple[Value, ...]:
        one = np.ones((), start.tensor.primitive.numpy)

        def step(i: Value, *state: Value) -> tuple[Value, ...]:
            return (ops.add(i, one), *inline(self.body, (i, *state)))

        _, *state = ops.while_loop(
            lambda i, *_: ops.compare(i, stop, direction="LT"), step, (start, *init)
        )
        return tuple(state)

    def lacks(self, rule: str) -> Undefined | None:
        """A way back needs to know how many steps there are, or a bound on them."""
        bounded = current_options().max_trip_count is not None
        known = [known_array(v, {}) is not None for v in (self.start, self.stop)]
        if rule != "vjp" or bounded or all(known):
            return None
        return Undefined(
            "its bounds are not constants, and the way back needs room for each step",
            "give constants, or a bound: options=dxir.LoopOptions(max_trip_count=100), or "
            "max-trip-count=100 of a pass; forward mode needs none",
        )

    def reference(
        self, start: Array, stop: Array, *init: Array, body: Callable[..., Any]
    ) -> tuple[Array, ...]:
        state: tuple[Array, ...] = init
        for i in range(int(start), int(stop)):
            state = body(np.asarray(i).astype(start.dtype), *state)
        return state


class Scan(Derived, name="scan", rounding="moves"):
    """`*carry, *ys = body(*carry, *xs[i])` for each index of the leading axis of `xs`.

    Gives the last carry and then each `y`, stacked on a new leading axis, as one tuple. `length`
    is needed when there are no `xs`. With `reverse` it runs from the last index to the first; the
    `ys` stay in the order of the `xs`.
    """

    body: Region
    init: tuple[Value, ...]
    xs: tuple[Value, ...] = ()
    length: int | None = None
    reverse: bool = False

    examples = (
        Example(
            body=lambda total, x: (total + x, total), init=(f32[2],), xs=(f32[4, 2],), hostile=False
        ),
        Example(
            body=lambda a, x, n: (a + n, x + x, a),
            init=(i32[()],),
            xs=(bf16[3], i32[3]),
            reverse=True,
        ),
        Example(body=lambda x: (x + x, x), init=(i32[2],), length=3),
        Example(body=lambda a, x: (a, x), init=(f32[()],), xs=(f32[0, 2],)),
        Example(body=lambda x: ~x, init=(), xs=(i1[3],)),
    )

    def prepare(self) -> None:
        sizes = [checks.rank_at_least(x, 1, "an x").static_shape[0] for x in self.xs]
        if self.length is not None:
            sizes.append(checks.integer(self.length, "length"))
        if not sizes:
            raise ShapeError("there are no xs", hint="give the number of steps as `length`")
        if len(set(sizes)) > 1 or sizes[0] < 0:
            raise ShapeError(f"the xs (and length) have different numbers of steps: {sizes}")
        self.update(length=sizes[0], reverse=bool(self.reverse))

    def region_params(self) -> Sequence[Sequence[Type]]:
        elements = [x.tensor.with_shape(x.tensor.shape[1:]) for x in self.xs]
        return [[*(v.type for v in self.init), *elements]]

    def infer(self) -> tuple[Type, ...]:
        carry = [v.type for v in self.init]
        found = self.body.result_types
        if len(found) < len(carry):
            raise ShapeError(
                f"body returns {len(found)} values, but must return the {len(carry)} of the carry "
                f"first: ({', '.join(map(str, carry))})"
            )
        for i, (given, wanted) in enumerate(zip(found, carry, strict=False)):
            if not checks.same_type(given, wanted):
                raise ShapeError(f"body returns {given} as carry {i}, but the init is {wanted}")
        stacked = [y.tensor for y in self.body.results[len(carry) :]]
        return (*carry, *(y.with_shape((self.length, *y.shape)) for y in stacked))

    def expand(self, *operands: Value) -> tuple[Value, ...]:
        count, length = len(self.init), self.length or 0
        init, xs = operands[:count], operands[count:]
        stacks = [
            ops.constant(np.broadcast_to(np.zeros((), t.primitive.numpy), t.static_shape))
            for t in (r.tensor for r in self.results[count:])
        ]
        if length == 0:
            return (*init, *stacks)

        def step(i: Value, *state: Value) -> tuple[Value, ...]:
            at = ops.sub(np.int32(length - 1), i) if self.reverse else i
            results = inline(self.body, (*state[:count], *(_element(x, at) for x in xs)))
            stored = [_store(s, y, at) for s, y in zip(state[count:], results[count:], strict=True)]
            return (ops.add(i, np.int32(1)), *results[:count], *stored)

        _, *state = ops.while_loop(
            lambda i, *_: ops.compare(i, np.int32(length), direction="LT"),
            step,
            (ops.constant(np.int32(0)), *init, *stacks),
        )
        return tuple(state)

    def pullback(self, sweep: Reverse) -> tuple[Sequence[Value], Pull]:
        keep = (self.annotations or {}).get(RESIDUALS, sweep.options.loops)
        if isinstance(keep, int) and keep < (self.length or 0):
            scan = in_segments(self, keep)
            used = [r for r, reached in zip(scan.results, sweep.reached, strict=True) if reached]
            return sweep.inlined(scan, (), used), replaced
        trips = Counted(self.length or 0, self.reverse)
        loop = Loop.of(self.body, self.init, self.xs, trips)
        return pulled_loop(loop, sweep, stored=keep == "stored")

    def pushforward(self, sweep: Forward) -> tuple[Sequence[Value], Sequence[Value | None]]:
        trips = Counted(self.length or 0, self.reverse)
        return pushed_loop(Loop.of(self.body, self.init, self.xs, trips), sweep)

    def batch(self, batch: Batch) -> Sequence[Value | Unbatched]:
        return batched_scan(self, batch)

    def batch_flags(self, given: Sequence[bool], flagging: Flagging) -> Sequence[bool]:
        return scan_flags(self, given, flagging.region)

    def reference(self, *operands: Array, body: Callable[..., Any]) -> tuple[Array, ...]:
        count = len(self.init)
        carry, xs = operands[:count], operands[count:]
        stacks = [
            np.zeros(r.tensor.static_shape, r.tensor.primitive.numpy) for r in self.results[count:]
        ]
        steps = range(self.length or 0)
        for i in reversed(steps) if self.reverse else steps:
            results = body(*carry, *(np.asarray(x[i]) for x in xs))
            carry = results[:count]
            for stack, y in zip(stacks, results[count:], strict=True):
                stack[i] = y
        return (*carry, *stacks)


def _element(x: Value, index: Value) -> Value:
    rest = x.tensor.static_shape[1:]
    zero = [ops.constant(np.int32(0)) for _ in rest]
    row = ops.dynamic_slice(x, (index, *zero), sizes=(1, *rest))
    return ops.reshape(row, shape=rest)


def _store(stack: Value, y: Value, index: Value) -> Value:
    rest = stack.tensor.static_shape[1:]
    zero = [ops.constant(np.int32(0)) for _ in rest]
    row = ops.reshape(y, shape=(1, *rest))
    return ops.dynamic_update_slice(stack, row, (index, *zero))


class Map(Derived, name="map", rounding="moves"):
    """`body` on each index of the leading axis of `xs`, the results stacked; a tuple."""

    body: Region
    xs: tuple[Value, ...]

    examples = (
        Example(body=lambda x, y: (x + y, y), xs=(f32[3, 2], f32[3, 2])),
        Example(body=lambda x: x, xs=(i32[0],)),
    )

    def prepare(self) -> None:
        sizes = [checks.rank_at_least(x, 1, "an x").static_shape[0] for x in self.xs]
        if len(set(sizes)) != 1:
            raise ShapeError(f"the xs must have one leading size, not {sizes}")

    def region_params(self) -> Sequence[Sequence[Type]]:
        return [[x.tensor.with_shape(x.tensor.shape[1:]) for x in self.xs]]

    def infer(self) -> tuple[TensorType, ...]:
        length = self.xs[0].tensor.shape[0]
        results = [y.tensor for y in self.body.results]
        return tuple(y.with_shape((length, *y.shape)) for y in results)

    def expand(self, *xs: Value) -> tuple[Value, ...]:
        results: tuple[Value, ...] = ops.scan(lambda *x: inline(self.body, x), (), xs)
        return results

    def reference(self, *xs: Array, body: Callable[..., Any]) -> tuple[Array, ...]:
        rows = [body(*(np.asarray(x[i]) for x in xs)) for i in range(len(xs[0]))]
        types = [r.tensor for r in self.results]
        return tuple(
            np.array([r[k] for r in rows], t.primitive.numpy).reshape((len(rows), *t.shape[1:]))
            for k, t in enumerate(types)
        )
