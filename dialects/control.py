"""Control flow: conditionals, the loop, and what keeps values in order."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Undefined
from dxir.errors import DTypeError, ShapeError, TransformError
from dxir.examples import Example, Sample
from dxir.graph import Region, Value
from dxir.op import Primitive
from dxir.transforms.batching import Unbatched
from dxir.transforms.branching import (
    Choose,
    batched_branches,
    branch_flags,
    pulled_branches,
    pushed_branches,
    selected_branches,
)
from dxir.transforms.counted import as_scan, has_known_trips
from dxir.transforms.joint import where
from dxir.transforms.looping import Bounded, batched_while, pushed_while, state_flags
from dxir.transforms.options import current_options
from dxir.transforms.predicated import refuse_effects
from dxir.transforms.reverse import replaced
from dxir.transforms.scanning import Loop, pulled_loop
from dxir.types import Type, bf16, f32, i1, i32

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch
    from dxir.transforms.flagging import Flagging
    from dxir.transforms.forward import Forward
    from dxir.transforms.reverse import Pull, Reverse

Array = np.ndarray[Any, Any]


def one_or_all(types: Sequence[Type]) -> Type | tuple[Type, ...]:
    """A single type as itself, so that one result is given as a value and not as a tuple."""
    return types[0] if len(types) == 1 else tuple(types)


class Cond(Primitive, name="cond", mlir="stablehlo.if", rounding="moves"):
    """What `true_branch()` gives where the scalar `pred` is true, else what `false_branch()` gives.

    The branches take nothing, may use values from outside, and return values of equal types. One
    result is given as it is, several as a tuple.
    """

    pred: Value
    true_branch: Region
    false_branch: Region

    examples = (
        Example(
            pred=i1[()],
            true_branch=lambda: np.float32(1),
            false_branch=lambda: np.float32(-2),
        ),
        Example(
            pred=i1[()],
            true_branch=lambda: (np.arange(3), np.zeros((0,), np.bool_)),
            false_branch=lambda: (np.arange(3) + 1, np.ones((0,), np.bool_)),
        ),
    )

    def infer(self) -> Type | tuple[Type, ...]:
        if self.pred.type != i1[()]:
            raise DTypeError(
                f"the predicate has type {self.pred.type}, but must be {i1[()]}",
                hint="compare first; reduce a tensor of conditions with dxir.ops.all or any",
            )
        checks.region_returns(self.false_branch, self.true_branch.result_types, "false_branch")
        return one_or_all(self.true_branch.result_types)

    def pullback(self, sweep: Reverse) -> tuple[Sequence[Value], Pull]:
        return pulled_branches(self.regions, self._choose(self.pred), sweep)

    def pushforward(self, sweep: Forward) -> tuple[Sequence[Value], Sequence[Value | None]]:
        return pushed_branches(self.regions, self._choose(self.pred), sweep)

    def batch(self, batch: Batch) -> Sequence[Value | Unbatched]:
        """One branch or both: elements with predicates of their own run both and select."""
        pred = batch.operands[0]
        if not batch.batched[0]:
            return batched_branches(self.regions, self._choose(pred), batch)
        masks = (pred, ops.not_(pred))
        return selected_branches(
            self.regions, masks, lambda column: where(pred, column[0], column[1]), batch
        )

    def batch_flags(self, given: Sequence[bool], flagging: Flagging) -> Sequence[bool]:
        if given[0]:
            refuse_effects(self)
            return super().batch_flags(given, flagging)
        return branch_flags(self.regions, flagging.region)

    @staticmethod
    def _choose(pred: Value) -> Choose:
        return lambda branches: ops.cond(pred, branches[0], branches[1])

    def reference(
        self, pred: Array, true_branch: Callable[..., Any], false_branch: Callable[..., Any]
    ) -> Any:
        return true_branch() if pred else false_branch()


class Switch(Primitive, name="switch", mlir="stablehlo.case", rounding="moves"):
    """What branch number `index` (scalar i32) gives; the last one when it is out of range.

    The branches take nothing, may use values from outside, and return values of equal types. One
    result is given as it is, several as a tuple.
    """

    index: Value
    branches: tuple[Region, ...]

    examples = (
        Example(
            index=Sample(i32[()], -2, 4),
            branches=(lambda: np.float32(1), lambda: np.float32(2), lambda: np.float32(3)),
        ),
        Example(index=i32[()], branches=(lambda: np.ones((2, 2), np.int8),)),
    )

    def infer(self) -> Type | tuple[Type, ...]:
        if self.index.type != i32[()]:
            raise DTypeError(f"the index has type {self.index.type}, but must be {i32[()]}")
        if not self.branches:
            raise ShapeError("at least one branch is needed")
        expected = self.branches[0].result_types
        for i, branch in enumerate(self.branches):
            checks.region_returns(branch, expected, f"branch {i}")
        return one_or_all(expected)

    def pullback(self, sweep: Reverse) -> tuple[Sequence[Value], Pull]:
        return pulled_branches(self.regions, self._choose(self.index), sweep)

    def pushforward(self, sweep: Forward) -> tuple[Sequence[Value], Sequence[Value | None]]:
        return pushed_branches(self.regions, self._choose(self.index), sweep)

    def batch(self, batch: Batch) -> Sequence[Value | Unbatched]:
        """One branch or all: elements with indices of their own run all and select."""
        index = batch.operands[0]
        if not batch.batched[0]:
            return batched_branches(self.regions, self._choose(index), batch)
        others = [np.int32(i) for i in range(len(self.regions) - 1)]
        masks = [ops.compare(index, i, direction="EQ") for i in others]
        known = functools.reduce(ops.or_, masks) if masks else ops.full_like(index, value=0)
        last = ops.not_(known) if masks else ops.compare(known, known, direction="EQ")

        def which(column: Sequence[Value]) -> Value:
            result = column[-1]
            for mask, value in zip(reversed(masks), reversed(column[:-1]), strict=True):
                result = where(mask, value, result)
            return result

        return selected_branches(self.regions, [*masks, last], which, batch)

    def batch_flags(self, given: Sequence[bool], flagging: Flagging) -> Sequence[bool]:
        if given[0]:
            refuse_effects(self)
            return super().batch_flags(given, flagging)
        return branch_flags(self.regions, flagging.region)

    @staticmethod
    def _choose(index: Value) -> Choose:
        return lambda branches: ops.switch(index, tuple(branches))

    def reference(self, index: Array, branches: Sequence[Callable[..., Any]]) -> Any:
        number = int(index)
        return branches[number if 0 <= number < len(branches) else -1]()


class WhileLoop(Primitive, name="while_loop", mlir="stablehlo.while", rounding="moves"):
    """`state = body(*state)` from `init` for as long as `cond(*state)` holds; gives the last state.

    `cond` returns one i1 scalar, `body` as many values as `init` has, of the same types. Both may
    use values from outside. The result is a tuple.
    """

    cond: Region
    body: Region
    init: tuple[Value, ...]

    examples = (
        Example(
            init=(np.int32(0), f32[3]),
            cond=lambda i, x: i < np.int32(4),
            body=lambda i, x: (i + np.int32(1), x + x),
        ),
        Example(init=(i1[()],), cond=lambda p: p, body=lambda p: ~p),
        Example(
            init=(np.int32(5), bf16[0]),
            cond=lambda i, x: i < np.int32(0),
            body=lambda i, x: (i, x),
        ),
    )

    def region_params(self) -> Sequence[Sequence[Type]]:
        types = [v.type for v in self.init]
        return [types, types]

    def infer(self) -> tuple[Type, ...]:
        types = tuple(v.type for v in self.init)
        checks.region_returns(self.cond, (i1[()],), "cond")
        checks.region_returns(self.body, types, "body")
        return types

    def lacks(self, rule: str) -> Undefined | None:
        """A way back needs to know how many steps there are, or a bound on them."""
        bounded = current_options().max_trip_count is not None
        if rule != "vjp" or bounded or has_known_trips(self.cond, self.body, self.init):
            return None
        effect = any(n.has_side_effect for n in self.cond.nodes)
        return Undefined(
            "how often it runs is not known"
            f"{', since its condition has a side effect' if effect else ' (up to 4,194,304 times)'}"
            ", and the way back needs room for each step",
            "give a bound: options=dxir.LoopOptions(max_trip_count=100), or max-trip-count=100 of "
            "a pass; forward mode needs none",
        )

    def pullback(self, sweep: Reverse) -> tuple[Sequence[Value], Pull]:
        scan = as_scan(self.cond, self.body, self.init)
        if scan is not None:
            used = [r for r, reached in zip(scan.results, sweep.reached, strict=True) if reached]
            return sweep.inlined(scan, (), used), replaced
        limit = sweep.options.max_trip_count
        if limit is None:
            lacking = self.lacks("vjp")
            assert lacking is not None
            raise TransformError(lacking.reason, where=self.location, hint=lacking.hint)
        trips = Bounded(self.cond, limit)
        loop = Loop.of(self.body, self.init, (), trips)
        trips.fixed = loop.fixed
        return pulled_loop(loop, sweep, stored=sweep.options.loops != "recomputed")

    def pushforward(self, sweep: Forward) -> tuple[Sequence[Value], Sequence[Value | None]]:
        scan = as_scan(self.cond, self.body, self.init) if sweep.separate else None
        if scan is not None:
            return sweep.inlined(scan, ())
        if sweep.separate:
            raise TransformError(
                "how often it runs is not known, so its tangents cannot be had apart",
                where=self.location,
                hint="use jvp, which has both in one loop",
            )
        return pushed_while(self, sweep)

    def batch(self, batch: Batch) -> Sequence[Value | Unbatched]:
        return batched_while(self, batch)

    def batch_flags(self, given: Sequence[bool], flagging: Flagging) -> Sequence[bool]:
        flags, apart = state_flags(self, given, flagging.region)
        if apart:
            refuse_effects(self)
        return flags

    def reference(
        self, *init: Array, cond: Callable[..., Any], body: Callable[..., Any]
    ) -> tuple[Array, ...]:
        state: tuple[Array, ...] = init
        while cond(*state)[0]:
            state = body(*state)
        return state


class OptimizationBarrier(
    Primitive, name="optimization_barrier", mlir="stablehlo.optimization_barrier", rounding="moves"
):
    """The values as they are, in a tuple; no optimization moves anything across."""

    xs: tuple[Value, ...]

    examples = (
        Example(xs=(f32[2, 3], i32[()])),
        Example(xs=(bf16[0],)),
    )

    def infer(self) -> tuple[Type, ...]:
        return tuple(x.type for x in self.xs)

    def vjp(self, gs: Sequence[Value | None], y: Sequence[Value]) -> Sequence[Value | None]:
        return _held_together(gs)

    def jvp(self, tangents: Sequence[Value | None], y: Sequence[Value]) -> Sequence[Value | None]:
        return _held_together(tangents)

    def batch(self, batch: Batch) -> list[Value | Unbatched]:
        found = ops.optimization_barrier(batch.operands)
        return [v if flag else Unbatched(v) for v, flag in zip(found, batch.batched, strict=True)]

    def batch_flags(self, given: Sequence[bool], flagging: Flagging) -> Sequence[bool]:
        return given

    def reference(self, *xs: Any) -> tuple[Any, ...]:
        return xs


def _held_together(values: Sequence[Value | None] | Value) -> list[Value | None]:
    """The values behind a barrier of their own."""
    many = [values] if isinstance(values, Value) else list(values)
    held = iter(ops.optimization_barrier([v for v in many if v is not None]))
    return [None if v is None else next(held) for v in many]
