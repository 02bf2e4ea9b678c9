"""Scans: a loop that keeps what the way back needs, and a loop that goes back.

What is kept of each step is stacked; what is the same in every step is made once, in front of the
loop, and the slices that the loop reads are read again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from dxir import ops
from dxir.derivatives import Cotangent, add_any, moveaxis, taken, zeros
from dxir.graph import Function, Node, Value
from dxir.making import inline
from dxir.transforms.batching import Batch, Unbatched
from dxir.transforms.flagging import RegionFlags
from dxir.transforms.forward import Forward
from dxir.transforms.functions import closed
from dxir.transforms.joint import (
    Flags,
    Joint,
    chosen,
    forward_joint,
    reached_params,
    reverse_joint,
    some_or_zeros,
    varied_results,
)
from dxir.transforms.reverse import Pull, Reverse
from dxir.transforms.splitting import Split, late_nodes, part, split

Body = Callable[..., Sequence[Value]]
Source = tuple[str, Any]
"""Where a step of the second loop finds a value: "carry" or "xs" and its place, or "outside"."""


class Trips(Protocol):
    """How often a loop runs: what puts it down, and the loop over the same steps after it."""

    def first(self, body: Body, init: Sequence[Value], xs: Sequence[Value]) -> Sequence[Value]:
        """The last carry, then what each step gives besides, stacked."""
        ...

    def second(
        self, body: Body, init: Sequence[Value], xs: Sequence[Value], *, back: bool
    ) -> Sequence[Value]:
        """The same of a loop over the same steps, from the last to the first with `back`."""
        ...


@dataclass(frozen=True, slots=True)
class Counted:
    """A known number of steps."""

    length: int
    reverse: bool = False

    def first(self, body: Body, init: Sequence[Value], xs: Sequence[Value]) -> Sequence[Value]:
        found: Sequence[Value] = ops.scan(
            body, tuple(init), tuple(xs), length=self.length, reverse=self.reverse
        )
        return found

    def second(
        self, body: Body, init: Sequence[Value], xs: Sequence[Value], *, back: bool
    ) -> Sequence[Value]:
        return Counted(self.length, self.reverse != back).first(body, init, xs)


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop whose step captures nothing: it takes the carry, the xs and what is `outside`."""

    step: Function
    init: tuple[Value, ...]
    xs: tuple[Value, ...]
    outside: tuple[Value, ...]
    trips: Trips
    fixed: dict[int, Value]
    """What the steps hand on as it is, by its place in the carry: it is taken out of it."""

    @classmethod
    def of(cls, body: Any, init: Sequence[Value], xs: Sequence[Value], trips: Trips) -> Loop:
        """The loop of a region that may capture values."""
        function, outside = closed(body)
        count, params = len(init), function.params
        fixed = [i for i in range(count) if function.results[i] is params[i]]
        moving = [i for i in range(count) if i not in fixed]
        order = [*moving, *range(count, len(params)), *fixed]
        results = [*chosen(function.results, moving), *function.results[count:]]
        step = part("step", chosen(params, order), function.nodes, results)
        around = (*outside, *chosen(init, fixed))
        values = {i: init[i] for i in fixed}
        return cls(step, tuple(chosen(init, moving)), tuple(xs), around, trips, values)

    @property
    def ys(self) -> int:
        """How many values a step gives besides the carry."""
        return len(self.step.results) - len(self.init)

    def moving(self, flags: Flags) -> list[bool]:
        """Of flags of all results those of this loop's."""
        return [f for i, f in enumerate(flags) if i not in self.fixed]

    def results(self, found: Sequence[Value]) -> tuple[Value, ...]:
        """All results, given those of this loop."""
        rest = iter(found)
        total = len(self.init) + self.ys + len(self.fixed)
        return tuple([self.fixed[i] if i in self.fixed else next(rest) for i in range(total)])

    def varied(self, flag: Callable[[Value], bool]) -> tuple[list[bool], list[bool], list[bool]]:
        """Which carries, xs and values outside have tangents; a carry does if it ever has."""
        carry = [flag(v) for v in self.init]
        rest = [flag(v) for v in (*self.xs, *self.outside)]
        while True:
            found = varied_results(self.step, [*carry, *rest])
            grown = [a or b for a, b in zip(carry, found, strict=False)]
            if grown == carry:
                count = len(self.xs)
                return carry, rest[:count], rest[count:]
            carry = grown

    def reached(self, flags: Flags) -> list[bool]:
        """To which carries cotangents come, given to which results; also from later steps."""
        count = len(self.init)
        carry, ys = list(flags[:count]), flags[count:]
        while True:
            found = reached_params(self.step, [*carry, *ys])
            grown = [a or b for a, b in zip(carry, found, strict=False)]
            if grown == carry:
                return carry
            carry = grown


@dataclass(frozen=True, slots=True)
class _First:
    """The loop on the way along: its results, and where the second one finds what was kept."""

    found: tuple[Value, ...]
    sources: list[Source]
    xs: list[Value]

    def given(self, kind: str, value: Any) -> Source:
        """The source of one more value of the second loop."""
        if kind != "xs":
            return kind, value
        self.xs.append(value)
        return kind, len(self.xs) - 1


def _first(loop: Loop, joint: Joint, cut: Split) -> _First:
    count, known = len(loop.init), joint.known
    function = joint.function
    late, _ = late_nodes(function, function.params[known:], joint.along)
    early = [n for n in function.nodes if n not in late]
    params = function.params[:known]
    ahead, same = _invariant(early, params[count + len(loop.xs) :])
    hoisted = [v for v in cut.computed if v in same]
    before = part("before", params[count + len(loop.xs) :], ahead, hoisted)
    outside = [*loop.outside, *inline(before, loop.outside)]
    results = function.results[: joint.outputs]
    ys = {v: i for i, v in reversed(list(enumerate(results))) if i >= count}
    states = [params[i] for i in cut.inputs if i < count]
    extra = [v for v in (*states, *cut.computed) if v not in same and v not in ys]
    step = part("step", [*params, *hoisted], early, [*results, *extra])
    found = tuple(
        loop.trips.first(lambda *given: inline(step, [*given, *outside]), loop.init, loop.xs)
    )
    stacks = {v: found[i] for v, i in ys.items()}
    stacks.update(zip(extra, found[joint.outputs :], strict=True))
    values = dict(zip((*params[count + len(loop.xs) :], *hoisted), outside, strict=True))
    stacks.update(zip(params[count : count + len(loop.xs)], loop.xs, strict=True))
    first = _First(found[: joint.outputs], [], [])
    for value in (*chosen(params, cut.inputs), *cut.computed):
        here = value in values
        source = first.given("outside", values[value]) if here else first.given("xs", stacks[value])
        first.sources.append(source)
    return first


def _invariant(nodes: Sequence[Node], outside: Sequence[Value]) -> tuple[list[Node], set[Value]]:
    """The nodes that do the same in every step and no more than that, and what is the same."""
    ahead: list[Node] = []
    found = set(outside)
    for node in nodes:
        if not node.has_side_effect and all(v in found for v in taken(node)):
            ahead.append(node)
            found.update(node.results)
    return ahead, found


def _filled(sources: Sequence[Source], carry: Sequence[Value], xs: Sequence[Value]) -> list[Value]:
    """The values that sources stand for in a step."""
    places = {"carry": carry, "xs": xs}
    return [value if kind == "outside" else places[kind][value] for kind, value in sources]


def pulled_loop(loop: Loop, sweep: Reverse, *, stored: bool) -> tuple[tuple[Value, ...], Pull]:
    """Both sweeps of a loop; without `stored` the steps run again on the way back."""
    count = len(loop.init)
    reached = loop.moving(sweep.reached)
    carried, xs, outside = loop.varied(lambda v: v in sweep.varied)
    gone = varied_results(loop.step, [*carried, *xs, *outside])
    active = [a and b for a, b in zip(carried, loop.reached(reached), strict=True)]
    seen = [*active, *[a and b for a, b in zip(reached[count:], gone[count:], strict=True)]]
    full = [*active, *[False] * (len(xs) + len(outside))]
    joint = reverse_joint(loop.step, [*active, *xs, *outside], seen, sweep.options, full)
    cut = split(
        joint.function,
        joint.known,
        joint.outputs,
        saveable=None if stored else lambda value: False,
        costly=range(count),
        along=joint.along,
    )
    first = _first(loop, joint, cut)

    def pull(gs: Sequence[Value | None]) -> list[tuple[Value, Cotangent]]:
        mine = [g for i, g in enumerate(gs) if i not in loop.fixed]
        return _pulled(loop, joint, cut, first, mine)

    return loop.results(first.found), pull


def _pulled(
    loop: Loop, joint: Joint, cut: Split, first: _First, gs: Sequence[Value | None]
) -> list[tuple[Value, Cotangent]]:
    """The loop on the way back, and the cotangents that it gives."""
    count, sources = len(loop.init), list(first.sources)
    if not joint.found:
        return []
    init: list[Value] = []
    given = _First((), [], list(first.xs))
    for i in joint.given:
        g = gs[i]
        if i < count:
            sources.append(("carry", len(init)))
            init += some_or_zeros([g], [first.found[i]])
        elif g is None:
            sources.append(("outside", zeros(loop.step.results[i].type)))
        else:
            sources.append(given.given("xs", g))
    inner = sum(i < count for i in joint.found)
    summed = [i - count - len(loop.xs) for i in joint.found if i >= count + len(loop.xs)]
    ys = len(joint.found) - inner - len(summed)
    totals = [zeros(loop.outside[i].type) for i in summed]

    def body(*args: Value) -> list[Value]:
        carry, slices = args[: inner + len(summed)], args[inner + len(summed) :]
        found = inline(cut.backward, _filled(sources, carry, slices))
        added = map(add_any, carry[inner:], found[inner + ys :])
        return [*found[:inner], *added, *found[inner : inner + ys]]

    found = loop.trips.second(body, [*init, *totals], given.xs, back=True)
    inputs = (*loop.init, *loop.xs, *loop.outside)
    ends = [*found[:inner], *found[inner + len(summed) :], *found[inner : inner + len(summed)]]
    return list(zip(chosen(inputs, joint.found), ends, strict=True))


def pushed_loop(loop: Loop, sweep: Forward) -> tuple[tuple[Value, ...], list[Value | None]]:
    """A loop with tangents beside its carry, or in a second loop where they must be separate."""
    count = len(loop.init)
    carried, xs, outside = loop.varied(lambda v: v in sweep.tangents)
    full = [*carried, *[False] * loop.ys]
    varied = [*carried, *xs, *outside]
    joint = forward_joint(loop.step, varied, separate=sweep.separate, full=full)
    moving = [v for v, flag in zip(loop.init, carried, strict=True) if flag]
    starts = some_or_zeros([sweep.tangents.get(v) for v in moving], moving)
    slices = [sweep.tangents[v] for v in loop.xs if v in sweep.tangents]
    around = [sweep.tangents[v] for v in loop.outside if v in sweep.tangents]
    run = _pushed_apart if sweep.separate else _pushed_beside
    found, late = run(loop, joint, starts, slices, around)
    moved: dict[int, Value] = dict(zip(joint.found, late, strict=True))
    tangents = iter([moved.get(i) for i in range(count + loop.ys)])
    total = count + loop.ys + len(loop.fixed)
    return loop.results(found), [
        sweep.tangents.get(loop.fixed[i]) if i in loop.fixed else next(tangents)
        for i in range(total)
    ]


def _pushed_beside(
    loop: Loop, joint: Joint, starts: list[Value], slices: list[Value], around: list[Value]
) -> tuple[Sequence[Value], Sequence[Value]]:
    count, beside, ys = len(loop.init), len(starts), loop.ys

    def body(*args: Value) -> list[Value]:
        carry, moved = args[:count], args[count : count + beside]
        rest = args[count + beside :]
        xs, tangents = rest[: len(loop.xs)], rest[len(loop.xs) :]
        inputs = [*carry, *xs, *loop.outside, *moved, *tangents, *around]
        found = inline(joint.function, inputs)
        end = count + ys
        return [*found[:count], *found[end : end + beside], *found[count:end],
                *found[end + beside :]]  # fmt: skip

    found = loop.trips.first(body, [*loop.init, *starts], [*loop.xs, *slices])
    end = count + beside
    return (
        [*found[:count], *found[end : end + ys]],
        [*found[count:end], *found[end + ys :]],
    )


def _pushed_apart(
    loop: Loop, joint: Joint, starts: list[Value], slices: list[Value], around: list[Value]
) -> tuple[Sequence[Value], Sequence[Value]]:
    cut = split(joint.function, joint.known, joint.outputs, costly=range(len(loop.init)))
    first = _first(loop, joint, cut)
    given = _First((), list(first.sources), list(first.xs))
    sources = given.sources
    sources += [("carry", i) for i in range(len(starts))]
    sources += [given.given("xs", t) for t in slices]
    sources += [("outside", t) for t in around]
    if not joint.found:
        return first.found, ()
    late = loop.trips.second(
        lambda *args: inline(
            cut.backward, _filled(sources, args[: len(starts)], args[len(starts) :])
        ),
        starts,
        given.xs,
        back=False,
    )
    return first.found, late


def batched_scan(node: Any, batch: Batch) -> list[Value | Unbatched]:
    """A scan whose carries, xs and results have the batch behind the axis of the steps."""
    count = len(node.init)
    flags = scan_flags(node, batch.batched, batch.flags)
    carried, xs = flags[:count], batch.batched[count:]
    init = [batch.full(i) if flag else batch.operands[i] for i, flag in enumerate(carried)]
    slices = [
        moveaxis(v, 1, 0) if f else v for v, f in zip(batch.operands[count:], xs, strict=True)
    ]

    def body(*args: Value) -> list[Value]:
        found = batch.run(node.body, args, [*carried, *xs])
        wanted = [*carried, *flags[count:]]
        return [batch.spread(v) if w and not f else v
                for (v, f), w in zip(found, wanted, strict=True)]  # fmt: skip

    found = Counted(node.length, node.reverse).first(body, init, slices)
    results: list[Value | Unbatched] = []
    for i, value in enumerate(found):
        moved = moveaxis(value, 1, 0) if flags[i] and i >= count else value
        results.append(moved if flags[i] else Unbatched(moved))
    return results


def scan_flags(node: Any, given: Flags, flags: RegionFlags) -> list[bool]:
    """Which results of a scan are batched; a carry is if it is in any step."""
    count = len(node.init)
    carried, xs = list(given[:count]), given[count:]
    while True:
        found = flags(node.body, [*carried, *xs])
        grown = [a or b for a, b in zip(carried, found, strict=False)]
        if grown == carried:
            return [*carried, *found[count:]]
        carried = grown
