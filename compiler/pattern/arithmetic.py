"""Products and sums as patterns: in any order and association, with quotients and differences.

`Product(x, InvSqrt(v))` is found as `x * rsqrt(v)`, `rsqrt(v) * x` and `x / sqrt(v)`, and
`Product(a, b, c)` however it is put together; a minus sign may stand at any factor.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Sequence
from functools import cached_property, partial

from dxir.mlir import IrValue
from dxir.pattern.forms import (
    INVERSE,
    NEGATIVE,
    NEGATIVE_INVERSE,
    PLAIN,
    How,
    Number,
    Pattern,
    made_by,
)
from dxir.pattern.matcher import Matcher, Then
from dxir.pattern.numbers import holds_number
from dxir.pattern.opposites import DIVIDE, NEGATE, Minus, Over
from dxir.pattern.seeds import Seeds, raised, rarest
from dxir.pattern.view import Maker, Scope, Seen, View

MULTIPLY = "stablehlo.multiply"
ADD, SUBTRACT = "stablehlo.add", "stablehlo.subtract"

_SIGN = frozenset((NEGATE,))
Signed = Callable[[int], bool]
_Parts = tuple[Pattern, ...]


class Product(Pattern):
    """Factors multiplied with each other; a divisor stands for its reciprocal."""

    names = frozenset((MULTIPLY, DIVIDE))

    def __init__(self, *factors: Pattern) -> None:
        self.factors = factors
        # Numbers are matched last: how many elements an axis has is known by then.
        self._signed = any(isinstance(factor, Number) for factor in factors)
        self._several = self.names | {NEGATE} if self._signed else self.names

    @cached_property
    def needs_number(self) -> bool:
        """Whether a factor is a number, or needs one."""
        return any(isinstance(f, Number) or f.needs_number for f in self.factors)

    def form(self) -> Hashable:
        return "product", tuple([factor.shape for factor in self.factors])

    def starts(self, how: How) -> frozenset[str] | None:
        return self._several

    def roots(self) -> frozenset[str]:
        return self._several

    def within(self) -> tuple[Pattern, ...]:
        return self.factors

    def seeds(self) -> Seeds | None:
        found = [raised(f.seed(), len(self.factors)) for f in self.factors]
        return rarest([{name: len(self.factors) for name in self.names}, *found])

    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        return self._product(
            m, seen, self.factors, lambda sign: sign > 0 and self._settled(m, seen) and then()
        )

    def negative(self, m: Matcher, seen: Seen, then: Then) -> bool:
        return self._product(m, seen, self.factors, lambda sign: sign < 0 and then())

    def inverse(self, m: Matcher, seen: Seen, then: Then) -> bool:
        return self._reciprocal(m, seen, self.factors, lambda sign: sign > 0 and then())

    def _settled(self, m: Matcher, seen: Seen) -> bool:
        m.settle(self, m.view.chain(seen)[-1].seen)
        return True

    def _product(self, m: Matcher, seen: Seen, parts: _Parts, then: Signed) -> bool:
        if len(parts) == 1:
            return self._single(m, seen, parts[0], then)
        found = m.cores(seen, self._several)
        if found is None:
            return m.miss(lambda: f"a product should stand where {made_by(m, seen)} does")
        core, maker = found
        if maker.name == NEGATE:
            inner = m.operand(core, maker, 0)
            return self._product(m, inner, parts, lambda sign: then(-sign))
        return self._split(m, core, maker, parts, (PLAIN, maker.name == DIVIDE), then)

    def _reciprocal(self, m: Matcher, seen: Seen, parts: _Parts, then: Signed) -> bool:
        """Whether one divided by the value is the product."""
        if len(parts) == 1:
            part = parts[0]
            if m.attempt(lambda: part.inverse(m, seen, lambda: then(1))):
                return True
            return isinstance(part, Number) and m.attempt(
                lambda: part.negative_inverse(m, seen, lambda: then(-1))
            )
        found = m.cores(seen, self.names)
        if found is None:
            return m.miss(lambda: f"a product should stand where {made_by(m, seen)} does")
        core, maker = found
        return self._split(m, core, maker, parts, (INVERSE, maker.name != DIVIDE), then)

    def _split(
        self,
        m: Matcher,
        seen: Seen,
        maker: Maker,
        parts: _Parts,
        how: tuple[How, How],
        then: Signed,
    ) -> bool:
        """Whether the factors of a product, or quotient, can be dealt to its two operands."""
        first, second = (m.operand(seen, maker, i) for i in (0, 1))
        match = [self._reciprocal if h == INVERSE else self._product for h in how]

        def one(mine: _Parts, others: _Parts) -> bool:
            if _knowable(mine) or not _knowable(others):
                return match[0](
                    m, first, mine,
                    lambda a: match[1](m, second, others, lambda b: then(a * b)),
                )  # fmt: skip
            return match[1](
                m, second, others, lambda a: match[0](m, first, mine, lambda b: then(a * b))
            )

        for mine, others in splits(parts):
            if (
                m.reporting or self._can_split(m.view, (mine, others), (first, second), how)
            ) and m.attempt(partial(one, mine, others)):
                return True
        return False

    def could(self, view: View, value: IrValue, scope: Scope | None, how: How) -> bool:
        if how == NEGATIVE:
            how = PLAIN
        return self._can(view, value, scope, self.factors, how)

    def _can(
        self, view: View, value: IrValue, scope: Scope | None, parts: _Parts, how: How
    ) -> bool:
        """Whether a value may be the product of some of the factors, or one over it."""
        if len(parts) == 1:
            return self._can_single(view, value, scope, parts[0], how)
        key = (("product", self._signed, *(p.shape for p in parts)), value, scope, how)
        known = view.plausible.get(key)
        if known is None:
            known = not any(isinstance(p, Number) for p in parts) or holds_number(
                view, value, scope
            )
            known = known and self._can_several(view, value, scope, parts, how)
            view.plausible[key] = known
        return known

    def _can_single(
        self, view: View, value: IrValue, scope: Scope | None, part: Pattern, how: How
    ) -> bool:
        if part.plausible(view, value, scope, how):
            return True
        if isinstance(part, Number):
            turned = NEGATIVE if how == PLAIN else NEGATIVE_INVERSE
            return part.plausible(view, value, scope, turned)
        if not self._signed or how != PLAIN:
            return False
        return _may_without_sign(view, value, scope, part)

    def _can_several(
        self, view: View, value: IrValue, scope: Scope | None, parts: _Parts, how: How
    ) -> bool:
        made = _made(view, value, scope, self._several if how == PLAIN else self.names)
        if made is None:
            return False
        maker, scope = made
        operands = [Seen(v, (), scope) for v in maker.operands]
        if maker.name == NEGATE:
            return self._can(view, operands[0].value, scope, parts, how)
        second = how if maker.name == MULTIPLY else 1 - how
        return any(
            self._can_split(view, split, (operands[0], operands[1]), (how, second))
            for split in splits(parts)
        )

    def _can_split(
        self,
        view: View,
        parts: tuple[_Parts, _Parts],
        seen: tuple[Seen, Seen],
        how: tuple[How, How],
    ) -> bool:
        return all(
            self._can(view, s.value, s.scope, p, h)
            for s, p, h in zip(seen, parts, how, strict=True)
        )

    def _single(self, m: Matcher, seen: Seen, part: Pattern, then: Signed) -> bool:
        if m.match(part, seen, lambda: then(1)):
            return True
        if not self._signed:
            return False
        if isinstance(part, Number):
            return m.attempt(lambda: part.negative(m, seen, lambda: then(-1)))

        return m.attempt(lambda: _without_sign(m, seen, part, lambda: then(-1)))


class Total(Pattern):
    """Terms added to each other; what is subtracted stands for its negative."""

    names = frozenset((ADD, SUBTRACT))

    def __init__(self, *terms: Pattern) -> None:
        self.terms = terms

    @cached_property
    def needs_number(self) -> bool:
        """Whether a term is a number, or needs one."""
        return any(isinstance(t, Number) or t.needs_number for t in self.terms)

    def form(self) -> Hashable:
        return "total", tuple([term.shape for term in self.terms])

    def starts(self, how: How) -> frozenset[str] | None:
        return frozenset() if how == INVERSE else self.names | {NEGATE}

    def roots(self) -> frozenset[str]:
        return self.names | {NEGATE}

    def within(self) -> tuple[Pattern, ...]:
        return self.terms

    def seeds(self) -> Seeds | None:
        found = [raised(t.seed(), len(self.terms)) for t in self.terms]
        return rarest([{name: len(self.terms) for name in self.names}, *found])

    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        return self._total(m, seen, self.terms, 1, lambda: self._settled(m, seen) and then())

    def negative(self, m: Matcher, seen: Seen, then: Then) -> bool:
        return self._total(m, seen, self.terms, -1, then)

    def _settled(self, m: Matcher, seen: Seen) -> bool:
        m.settle(self, m.view.chain(seen)[-1].seen)
        return True

    def _total(self, m: Matcher, seen: Seen, parts: _Parts, sign: int, then: Then) -> bool:
        if len(parts) == 1:
            part = parts[0]
            if sign > 0:
                return m.match(part, seen, then)
            if m.attempt(lambda: part.negative(m, seen, then)):
                return True
            return m.attempt(lambda: _without_sign(m, seen, part, then))
        found = m.cores(seen, self.names | {NEGATE})
        if found is None:
            return m.miss(lambda: f"a sum should stand where {made_by(m, seen)} does")
        core, maker = found
        first = m.operand(core, maker, 0)
        if maker.name == NEGATE:
            return self._total(m, first, parts, -sign, then)
        second = m.operand(core, maker, 1)
        other = -sign if maker.name == SUBTRACT else sign

        def one(mine: _Parts, others: _Parts) -> bool:
            return self._total(
                m, first, mine, sign, lambda: self._total(m, second, others, other, then)
            )

        for mine, others in splits(parts):
            if (
                m.reporting or self._can_split(m.view, (mine, others), (first, second), sign, other)
            ) and m.attempt(partial(one, mine, others)):
                return True
        return False

    def could(self, view: View, value: IrValue, scope: Scope | None, how: How) -> bool:
        return self._can(view, value, scope, self.terms, -1 if how == NEGATIVE else 1)

    def _can(
        self, view: View, value: IrValue, scope: Scope | None, parts: _Parts, sign: int
    ) -> bool:
        """Whether a value may be the sum of some of the terms, or its negative."""
        if len(parts) == 1:
            if sign > 0:
                return parts[0].plausible(view, value, scope)
            return parts[0].plausible(view, value, scope, NEGATIVE) or _may_without_sign(
                view, value, scope, parts[0]
            )
        key = (("total", *(p.shape for p in parts)), value, scope, sign)
        known = view.plausible.get(key)
        if known is None:
            known = not any(isinstance(p, Number) for p in parts) or holds_number(
                view, value, scope
            )
            known = known and self._can_several(view, value, scope, parts, sign)
            view.plausible[key] = known
        return known

    def _can_several(
        self, view: View, value: IrValue, scope: Scope | None, parts: _Parts, sign: int
    ) -> bool:
        made = _made(view, value, scope, self.names | {NEGATE})
        if made is None:
            return False
        maker, scope = made
        operands = [Seen(v, (), scope) for v in maker.operands]
        if maker.name == NEGATE:
            return self._can(view, operands[0].value, scope, parts, -sign)
        other = -sign if maker.name == SUBTRACT else sign
        return any(
            self._can_split(view, split, (operands[0], operands[1]), sign, other)
            for split in splits(parts)
        )

    def _can_split(
        self,
        view: View,
        parts: tuple[_Parts, _Parts],
        seen: tuple[Seen, Seen],
        sign: int,
        other: int,
    ) -> bool:
        return all(
            self._can(view, s.value, s.scope, p, g)
            for s, p, g in zip(seen, parts, (sign, other), strict=True)
        )


def _without_sign(m: Matcher, seen: Seen, part: Pattern, then: Then) -> bool:
    """Whether what a value negates is the part."""
    found = m.cores(seen, _SIGN)
    if found is None:
        return False
    core, maker = found
    return m.match(part, m.operand(core, maker, 0), then)


def _may_without_sign(view: View, value: IrValue, scope: Scope | None, part: Pattern) -> bool:
    made = _made(view, value, scope, _SIGN)
    return made is not None and part.plausible(view, made[0].operands[0], made[1])


def _made(
    view: View, value: IrValue, scope: Scope | None, names: frozenset[str]
) -> tuple[Maker, Scope | None] | None:
    """The nearest op of these names that makes a value, through layout and calls."""
    return next((one for one in view.levels(value, scope) if one[0].name in names), None)


@functools.lru_cache(maxsize=4096)
def splits(parts: _Parts) -> tuple[tuple[_Parts, _Parts], ...]:
    """The ways to give each of several parts to one of two sides, so that both have some."""
    count = len(parts)
    return tuple(
        [
            (
                tuple([p for i, p in enumerate(parts) if chosen >> i & 1]),
                tuple([p for i, p in enumerate(parts) if not chosen >> i & 1]),
            )
            for chosen in range(1, 2**count - 1)
        ]
    )


def _knowable(parts: Sequence[Pattern]) -> bool:
    """Whether a side is matched first: not numbers alone, which may depend on the other side."""
    return not all(_is_number(part) for part in parts)


def _is_number(part: Pattern) -> bool:
    while isinstance(part, Over | Minus):
        part = part.part
    return isinstance(part, Number)
