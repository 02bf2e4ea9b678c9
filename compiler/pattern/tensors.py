"""The forms of patterns that go from one shape to another: reductions and contractions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterator, Sequence
from functools import partial

from dxir.combiners import combiner_of
from dxir.mlir import IrOperation, IrType, IrValue, stablehlo
from dxir.pattern.access import Access, Digits, through_reshape, whole
from dxir.pattern.forms import How, Pattern, made_by
from dxir.pattern.matcher import Matcher, Then
from dxir.pattern.numbers import extremes, number_of
from dxir.pattern.seeds import Seeds, raised, rarest
from dxir.pattern.view import Maker, Scope, Seen, View

_PERMUTED = 3  # as many reduced dimensions of one size are tried in every order


class Reduce(Pattern):
    """A reduction of one operand over an axis, which the pattern knows by a name."""

    names = frozenset(("stablehlo.reduce",))

    def __init__(self, kind: str, operand: Pattern, axis: str) -> None:
        self.kind, self.argument, self.axis = kind, operand, axis

    def form(self) -> Hashable:
        return "reduce", self.kind, self.argument.shape

    def within(self) -> tuple[Pattern, ...]:
        return (self.argument,)

    def seeds(self) -> Seeds | None:
        return rarest([{f"reduce:{self.kind}": 0}, raised(self.argument.seed(), 1)])

    def could(self, view: View, value: IrValue, scope: Scope | None, how: How) -> bool:
        made = next((one for one in view.levels(value, scope) if one[0].name in self.names), None)
        if made is None or reduce_kind(made[0]) != self.kind:
            return False
        return self.argument.plausible(view, made[0].operands[0], made[1])

    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        found = m.cores(seen, self.names)
        if found is None:
            return m.miss(lambda: f"a reduction should stand where {made_by(m, seen)} does")
        core, maker = found
        kind = reduce_kind(maker)
        if kind != self.kind or not self._starts_right(m, core, maker):
            return m.miss(f"a reduction is {kind or 'of its own kind'}, not {self.kind}")
        operand = maker.operands[0]
        shape = m.view.shape(operand)
        if shape is None:
            return False
        m.settle(self, core)
        reduced = maker.numbers("dimensions")
        sizes = [shape[d] for d in reduced]

        def over(digits: tuple[Digits, ...]) -> bool:
            inner = core._replace(
                value=operand, access=inserted(core.access, shape, reduced, digits)
            )
            return self._over(m, digits) and m.match(self.argument, inner, then)

        return any(m.attempt(partial(over, d)) for d in self._choices(m, core, sizes))

    def _starts_right(self, m: Matcher, seen: Seen, maker: Maker) -> bool:
        found = number_of(m.view, seen._replace(value=maker.operands[1]))
        if found is None or not _is_identity(self.kind, found[0], maker.key.type):
            return False
        for one, scope in found[1]:
            m.claim(one, scope)
        return True

    def _choices(self, m: Matcher, seen: Seen, sizes: list[int]) -> Iterator[tuple[Digits, ...]]:
        """The digits that the reduced dimensions may be: known ones, those spread over, or new."""
        known = m.axes.get(self.axis)
        if known is not None:
            yield from _assigned(known, sizes)
            if not any(_assigned(known, sizes)):
                m.miss(f"{self.axis} is another axis in one place than in another")
            return
        read = {digit for part in seen.access for digit in part}
        free = tuple([d for d in seen.dropped if d not in read])
        wide = sum(size != 1 for size in sizes)
        if wide:
            for part in itertools.combinations(free, wide):
                yield from _assigned(part, sizes)
            if len(free) != wide:
                yield from _assigned(free, sizes)
        yield tuple([m.frame.variable(size) for size in sizes])

    def _over(self, m: Matcher, digits: tuple[Digits, ...]) -> bool:
        flat = tuple([d for part in digits for d in part])
        known = m.axes.get(self.axis)
        if known is None:
            m.put(m.axes, self.axis, flat)
            return True
        if whole(known) != whole(flat):
            return m.miss(f"{self.axis} is another axis in one place than in another")
        return True


class Contract(Pattern):
    """A product of tensors summed over an axis: `dot_general`, whatever dimensions it is over."""

    names = frozenset(("stablehlo.dot_general",))

    def __init__(self, lhs: Pattern, rhs: Pattern, axis: str, *, commutes: bool = True) -> None:
        self.lhs, self.rhs, self.axis, self.commutes = lhs, rhs, axis, commutes

    def form(self) -> Hashable:
        return "contract", self.lhs.shape, self.rhs.shape, self.commutes

    def within(self) -> tuple[Pattern, ...]:
        return (self.lhs, self.rhs)

    def could(self, view: View, value: IrValue, scope: Scope | None, how: How) -> bool:
        made = next((one for one in view.levels(value, scope) if one[0].name in self.names), None)
        if made is None:
            return False
        operands = made[0].operands
        return any(
            self.lhs.plausible(view, one, made[1]) and self.rhs.plausible(view, other, made[1])
            for one, other in ((operands, operands[::-1]) if self.commutes else (operands,))
        )

    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        found = m.cores(seen, self.names)
        if found is None:
            return m.miss(lambda: f"a dot_general should stand where {made_by(m, seen)} does")
        core, maker = found
        reads = self._reads(m, core, maker)
        if reads is None:
            return m.miss(f"{self.axis} is another axis in one place than in another")
        m.settle(self, core)
        orders = [reads, reads[::-1]] if self.commutes else [reads]

        def both(one: Seen, other: Seen) -> bool:
            return m.match(self.lhs, one, lambda: m.match(self.rhs, other, then))

        return any(m.attempt(partial(both, *order)) for order in orders)

    def _reads(self, m: Matcher, seen: Seen, maker: Maker) -> tuple[Seen, Seen] | None:
        lhs, rhs = maker.operands
        shapes = m.view.shape(lhs), m.view.shape(rhs)
        if shapes[0] is None or shapes[1] is None:
            return None
        dims = dot_dims(maker)
        access = list(seen.access)
        batch, access = access[: len(dims[2])], access[len(dims[2]) :]
        known = m.axes.get(self.axis)
        sizes = [shapes[0][d] for d in dims[0]]
        summed = [m.frame.variable(size) for size in sizes]
        if known is not None:
            assigned = next(iter(_assigned(known, sizes)), None)
            if assigned is None:
                return None
            summed = list(assigned)
        else:
            m.put(m.axes, self.axis, tuple([d for part in summed for d in part]))
        found: list[Seen] = []
        for value, shape, contracted, batched in (
            (lhs, shapes[0], dims[0], dims[2]), (rhs, shapes[1], dims[1], dims[3]),
        ):  # fmt: skip
            read: list[Digits] = [()] * len(shape)
            for d, part in zip(contracted, summed, strict=True):
                read[d] = part
            for d, part in zip(batched, batch, strict=True):
                read[d] = part
            for d in range(len(shape)):
                if d not in contracted and d not in batched:
                    read[d] = access.pop(0)
            found.append(Seen(value, tuple(read), seen.scope))
        return found[0], found[1]


def dot_dims(maker: Maker) -> tuple[list[int], list[int], list[int], list[int]]:
    """The dimensions of a `dot_general`: contracting of both operands, then batching of both."""
    known = maker.memory.get("dims")
    if known is None:
        given = stablehlo.DotDimensionNumbers(maker.op.attributes["dot_dimension_numbers"])
        known = maker.memory["dims"] = (
            list(given.lhs_contracting_dimensions),
            list(given.rhs_contracting_dimensions),
            list(given.lhs_batching_dimensions),
            list(given.rhs_batching_dimensions),
        )
    return known  # type: ignore[return-value]


def inserted(
    access: Access, shape: Sequence[int], reduced: Sequence[int], digits: tuple[Digits, ...]
) -> Access:
    """How the operand of a reduction is read where its result is, and by what it is reduced."""
    rest, own = iter(access), dict(zip(reduced, digits, strict=True))
    return tuple([own[d] if d in own else next(rest) for d in range(len(shape))])


def _assigned(digits: Digits, sizes: Sequence[int]) -> Iterator[tuple[Digits, ...]]:
    """The ways to give the digits to dimensions of these sizes."""
    wide = sum(size != 1 for size in sizes)
    if wide != len(digits):
        split = through_reshape((digits,), sizes)
        if split is not None:
            yield split
        return
    orders = itertools.permutations(digits) if wide <= _PERMUTED else iter((digits,))
    for order in orders:
        rest = iter(order)
        parts = [(next(rest),) if size != 1 else () for size in sizes]
        if all(not part or part[0][2] == size for part, size in zip(parts, sizes, strict=True)):
            yield tuple(parts)


def reduce_kind(maker: Maker) -> str:
    """What a `reduce` of one operand combines elements by: `add`, `maximum`...; else empty."""
    known = maker.memory.get("kind")
    if known is None:
        known = maker.memory["kind"] = combines_by(maker.op)
    assert isinstance(known, str)
    return known


def combines_by(op: IrOperation) -> str:
    """The op, without its dialect, that is all that a `reduce` of one operand does; else empty."""
    return combiner_of(op) if op.name == "stablehlo.reduce" else ""


def _is_identity(kind: str, number: float, type: IrType) -> bool:
    """Whether a reduction may start from a number: the infinity, too, or the last finite one."""
    if kind in ("maximum", "minimum"):
        last = extremes(type)[kind == "minimum"]
        return number <= last if kind == "maximum" else number >= last
    return number == {"add": 0, "multiply": 1, "or": 0, "and": 1}.get(kind, math.nan)
