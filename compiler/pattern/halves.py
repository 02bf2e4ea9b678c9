"""The forms that take a dimension apart and put it together: halves, and what is joined of two.

A dimension of size 2m holds two parts, one after the other or interleaved. Which of the two an
element is of is a digit of the dimension's index, the most significant or the least: the *pair*
axis, which the pattern knows by a name. Read so, slices and concatenations only change accesses.
"""

from __future__ import annotations

from collections.abc import Sequence

from dxir.mlir import ir
from dxir.pattern.access import DYNAMIC, Digits, joined, through_reshape
from dxir.pattern.forms import Pattern, made_by
from dxir.pattern.matcher import Matcher, Then
from dxir.pattern.seeds import Seeds, raised, rarest
from dxir.pattern.view import Maker, Seen
from dxir.reading import attribute


class Half(Pattern):
    """The first or the second half of a value along some dimension, or its even or odd elements.

    Where the pair axis is not known yet, it is one of its own from then on.
    """

    names = frozenset(("stablehlo.slice",))

    def __init__(self, part: Pattern, which: int, pair: str) -> None:
        self.part, self.which, self.pair = part, which, pair

    def within(self) -> tuple[Pattern, ...]:
        return (self.part,)

    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        found = m.cores(seen, self.names)
        if found is None:
            return m.miss(lambda: f"half of a value should stand where {made_by(m, seen)} does")
        core, maker = found
        operand = maker.operands[0]
        shape = m.view.shape(operand)
        place = None if shape is None else _halved(maker, shape, self.which)
        if place is None:
            return m.miss(f"a slice is not half number {self.which + 1} of a value")
        m.settle(self, core)
        dim, apart = place
        pair = m.axes.get(self.pair)
        if pair is None:
            pair = m.frame.variable(2)
            m.put(m.axes, self.pair, pair)
        access = list(core.access)
        access[dim] = joined((*pair, *access[dim]) if apart else (*access[dim], *pair))
        inner = core._replace(value=operand, access=tuple(access))
        return m.match(self.part, inner, then)


class Join(Pattern):
    """Two values of one shape put together along a dimension, or into one of size 2."""

    names = frozenset(("stablehlo.concatenate",))

    def __init__(self, first: Pattern, second: Pattern, pair: str) -> None:
        self.first, self.second, self.pair = first, second, pair

    def within(self) -> tuple[Pattern, ...]:
        return (self.first, self.second)

    def seeds(self) -> Seeds | None:
        parts = [raised(part.seed(), 1) for part in self.within()]
        return rarest([dict.fromkeys(self.names, 0), *parts])

    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        found = m.cores(seen, self.names)
        if found is None:
            return m.miss(lambda: f"two halves should be joined where {made_by(m, seen)} stands")
        core, maker = found
        place = self._place(m, core, maker)
        if place is None:
            return m.miss("what is joined are not two halves of one dimension")
        m.settle(self, core)
        dim, pair, rest = place
        known = m.axes.get(self.pair)
        if known is None:
            m.put(m.axes, self.pair, pair)
        elif known != pair:
            return m.miss("the halves are others in one place than in another")
        access = (*core.access[:dim], rest, *core.access[dim + 1 :])
        first, second = (core._replace(value=v, access=access) for v in maker.operands)
        return m.match(self.first, first, lambda: m.match(self.second, second, then))

    def _place(self, m: Matcher, core: Seen, maker: Maker) -> tuple[int, Digits, Digits] | None:
        """The dimension that is joined, the digit that tells the halves apart, and the others."""
        if len(maker.operands) != 2:
            return None
        shapes = [m.view.shape(v) for v in maker.operands]
        given = attribute(maker.op, "dimension")
        if shapes[0] is None or shapes[0] != shapes[1] or DYNAMIC in shapes[0]:
            return None
        if not isinstance(given, ir.IntegerAttr):
            return None
        dim = given.value
        parts = through_reshape((core.access[dim],), (2, shapes[0][dim]))
        if parts is None or len(parts[0]) != 1:
            return None
        return dim, parts[0], parts[1]


def _halved(maker: Maker, shape: Sequence[int], which: int) -> tuple[int, bool] | None:
    """The dimension that a slice takes this half of, and whether halves are apart, not mingled."""
    starts, limits, strides = (
        maker.numbers(name) for name in ("start_indices", "limit_indices", "strides")
    )
    full = [
        (start, stride) == (0, 1) and limit == size
        for start, limit, stride, size in zip(starts, limits, strides, shape, strict=True)
    ]
    cut = [dim for dim, whole in enumerate(full) if not whole]
    if len(cut) != 1 or shape[cut[0]] % 2 or DYNAMIC in shape:
        return None
    dim = cut[0]
    size = shape[dim] // 2
    if (starts[dim], limits[dim], strides[dim]) == (which * size, (which + 1) * size, 1):
        return dim, True
    mingled = strides[dim] == 2 and starts[dim] == which and limits[dim] > shape[dim] - 2 + which
    return (dim, False) if mingled else None
