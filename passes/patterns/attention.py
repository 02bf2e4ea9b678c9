"""Attention: `softmax(scale q k^T + bias, masked) v`, by any number of heads.

    scores   q . k over the depth d, times or over numbers at q, at k or at the scores
    bias     added to the scores; one that is 0 is none
    mask     select(mask, scores, -inf), or a large negative number; or the other way around
    causal   a mask or bias made of indices (iota, tril) that hides each key after its query
    weights  a softmax over the keys, in any of its spellings or as a composite
    result   weights . v over the keys

Queries, keys and values have any layout, with or without heads, and keys may serve several heads of
queries: repeated by a broadcast, or met by queries in groups. Repeats are part of the match;
transposes and reshapes of what comes in and goes out are not. The attribute `layout` says which
dimension is which: b batch, h heads (g and r where r heads of queries share each of g of keys),
s queries, t keys, d depth, e depth of values.

The attribute `mask` is `seen` when the operand is true for keys that are seen, else `hidden`, or
`added`. A mask or bias, or a part of a mask, that says just that no query sees a later key, and is
made of constants or for this attention alone, is no operand: `causal` is true for it. Any other is
an operand, and says by itself what it hides: a window before each query is a mask like any.
Scores that anything else happens to (a soft cap) are left alone, as are a softmax over the queries,
and weights that are dropped out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from dxir.passes.patterns.attention_roles import DEPTH, KEYS, OPERANDS, ROWS, Roles
from dxir.passes.patterns.blocks import floats, times
from dxir.passes.patterns.layouts import segments
from dxir.passes.patterns.softmax import softmax
from dxir.pattern import Contract, Match, Matcher, Number, Pattern, Rule, Var
from dxir.pattern.access import Digit, Digits
from dxir.pattern.forms import made_by, shortest
from dxir.pattern.found import is_copied
from dxir.pattern.indices import Choice, Indices, Linear, index
from dxir.pattern.matcher import Then
from dxir.pattern.numbers import number_of
from dxir.pattern.seeds import Seeds, raised
from dxir.pattern.view import BROADCAST, Maker, Scope, Seen

_SELECT, _DOT, _AND = "stablehlo.select", "stablehlo.dot_general", "stablehlo.and"
_ADD, _MULTIPLY, _DIVIDE = "stablehlo.add", "stablehlo.multiply", "stablehlo.divide"
_Claim = tuple[Maker, Scope | None]
_HIDDEN = -9e3  # BERT's -10000 in bfloat16 is -9984


class Repeated(Pattern):
    """A value by its name, or what is repeated to it along a dimension of its own or a new one."""

    def __init__(self, name: str) -> None:
        self.name, self.binds = name, frozenset((name,))

    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        return _repeated(m, self.name, seen) and then()


def _repeated(m: Matcher, name: str, seen: Seen) -> bool:
    """Let a name stand for what a value repeats, and for what that is but for sizes of 1."""
    chain = m.view.chain(seen)
    best, size = 0, _size(m, seen)
    for i, step in enumerate(chain):
        if step.through is None or step.through.name != BROADCAST:
            continue
        if not _is_own(m, [(step.through, step.seen.scope)]):
            break
        found = _size(m, step.seen)
        if found < size or (found == size and best == i - 1 > 0):
            best, size = i, found
    for step in chain[1 : best + 1]:
        if step.through is not None:
            m.claim(step.through, _around(step.seen.scope, step.through))
    return m.name(name, chain[best].seen)


class Scores(Pattern):
    """Products of queries and keys: scaled, biased and masked, in any order that makes sense."""

    names = frozenset((_SELECT, _ADD, _MULTIPLY, _DIVIDE, _DOT))
    binds = frozenset(("bias", "mask"))

    def __init__(self, product: Pattern) -> None:
        self.product = product

    def within(self) -> tuple[Pattern, ...]:
        return (self.product,)

    def seeds(self) -> Seeds | None:
        return raised(self.product.seed(), 6)

    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        found = m.cores(seen, self.names)
        if found is None:
            return m.miss(lambda: f"{made_by(m, seen)} is done to the scores before the softmax")
        core, maker = found
        # What is done to the scores is noted once: in both places they are the same value.
        own = (core.value, core.access, core.scope)
        if m.parts.get(id(self), own) != own:
            return m.miss("the maximum that is taken out is one of other scores")
        m.settle(self, core)
        return self._scores(m, core, maker, then)

    def _below(self, m: Matcher, seen: Seen, then: Then) -> bool:
        found = m.cores(seen, self.names)
        if found is None:
            return m.miss(lambda: f"{made_by(m, seen)} is done to the scores before the softmax")
        return self._scores(m, found[0], found[1], then)

    def _scores(self, m: Matcher, seen: Seen, maker: Maker, then: Then) -> bool:
        if maker.name == _DOT:
            return m.match(self.product, seen, then)
        if maker.name == _SELECT:
            return self._masked(m, seen, maker, then)
        if maker.name == _ADD:
            biased = (partial(self._biased, m, seen, maker, i, then) for i in (0, 1))
            return any(m.attempt(one) for one in biased)
        places = (0, 1) if maker.name == _MULTIPLY else (0,)
        scaled = (partial(self._scaled, m, seen, maker, i, then) for i in places)
        return any(m.attempt(one) for one in scaled)

    def _masked(self, m: Matcher, seen: Seen, maker: Maker, then: Then) -> bool:
        mask, a, b = (m.operand(seen, maker, i) for i in range(3))
        for scores, other, sign in ((a, b, "seen"), (b, a, "hidden")):
            hidden = m.number(other)
            if hidden is not None:
                hidden *= m.numbers.get("scale", 1.0)  # what is done to the scores is done to it
                if not hidden <= _HIDDEN:
                    return m.miss(f"scores that are hidden are {hidden:g}, which is not large")
                if "mask" in m.names:
                    return m.miss("the scores are masked twice")
                return _mask(m, mask, sign) and self._below(m, scores, then)
        return m.miss("scores are selected that are no number where they are hidden")

    def _biased(self, m: Matcher, seen: Seen, maker: Maker, which: int, then: Then) -> bool:
        scores, bias = m.operand(seen, maker, which), m.operand(seen, maker, 1 - which)
        if m.numbers.get("scale", 1.0) != 1.0:
            return m.miss("the scale is of the bias, too")
        number = number_of(m.view, bias)
        if number is not None and number[0] == 0:
            _claim(m, number[1])
            return self._below(m, scores, then)
        return _bias(m, bias) and self._below(m, scores, then)

    def _scaled(self, m: Matcher, seen: Seen, maker: Maker, which: int, then: Then) -> bool:
        factor = m.operand(seen, maker, 1 - which)
        number = m.number(factor)
        if not number:
            return m.miss("scores are multiplied by what is no number")
        scale = shortest(1 / number if maker.name == _DIVIDE else number, factor)
        m.put(m.numbers, "scale", m.numbers.get("scale", 1.0) * scale)
        return self._below(m, m.operand(seen, maker, which), then)


class _Leaf(NamedTuple):
    """A part of a mask: the places of queries by which it hides later keys, and nothing else."""

    seen: Seen
    place: Digits | None
    claims: list[_Claim]


def _mask(m: Matcher, seen: Seen, sign: str) -> bool:
    """Take a mask apart into the triangle and what else there is."""
    leaves: list[_Leaf] = []
    claims: list[_Claim] = []
    if sign == "hidden" or not _and_of(m, seen, leaves, claims):
        claims, leaves = [], [_leaf(m, seen, (1.0, 0.0) if sign == "seen" else (0.0, 1.0))]
    others = [leaf.seen for leaf in leaves if not _is_causal(m, leaf)]
    if len(others) > 1 or not all(_is_given(m, one) for one in others):
        m.put(m.texts, "mask", sign)
        return _repeated(m, "mask", seen)
    _claim(m, claims)
    if not all(_hide_later(m, leaf) for leaf in leaves if leaf.seen not in others):
        return False
    if not others:
        return True
    m.put(m.texts, "mask", sign)
    return _repeated(m, "mask", others[0])


def _bias(m: Matcher, seen: Seen) -> bool:
    leaf = _leaf(m, seen, (0.0, None))
    if _is_causal(m, leaf):
        return _hide_later(m, leaf)
    name = "bias" if "bias" not in m.names else "mask"
    if name in m.names:
        return m.miss("more than a bias and a mask is added to the scores")
    if name == "mask":
        m.put(m.texts, "mask", "added")
    return _repeated(m, name, seen)


def _is_causal(m: Matcher, leaf: _Leaf) -> bool:
    """Whether a part of a mask can be left to the attribute `causal`."""
    return leaf.place is not None and _is_own(m, leaf.claims)


def _hide_later(m: Matcher, leaf: _Leaf) -> bool:
    """Leave a part of a mask to the attribute `causal`."""
    if m.axes.get(ROWS, leaf.place) != leaf.place:
        return m.miss("later keys are hidden by two different places of a query")
    m.put(m.axes, ROWS, leaf.place)
    m.put(m.texts, "causal", "yes")
    _claim(m, leaf.claims)
    return True


def _is_given(m: Matcher, seen: Seen) -> bool:
    """Whether a part of a mask can be an operand: it is outside of calls, and no constant.

    What is made of constants is copied with what uses it, which then is nowhere to be found.
    """
    makers = [m.view.maker(s.value) for s, _ in m.view.chain(seen) if s.scope is None]
    return any(maker is None or not is_copied(m.view, maker) for maker in makers)


def _and_of(
    m: Matcher,
    seen: Seen,
    leaves: list[_Leaf],
    claims: list[_Claim],
) -> bool:
    """The parts that have to be true together, but for what always is; false if one is shared."""
    chain = m.view.chain(seen)
    last = chain[-1].seen
    maker = m.view.maker(last.value)
    number = number_of(m.view, seen)
    if number is not None and number[0] == 1:
        claims += number[1]
        return True
    if maker is None or maker.name != _AND:
        leaves.append(_leaf(m, seen, (1.0, 0.0)))
        return True
    for step in chain:
        if step.through is not None:
            claims.append((step.through, _around(step.seen.scope, step.through)))
    claims.append((maker, last.scope))
    if not _is_own(m, claims):
        return False
    return all(_and_of(m, m.operand(last, maker, i), leaves, claims) for i in (0, 1))


def _leaf(m: Matcher, seen: Seen, numbers: tuple[float, float | None]) -> _Leaf:
    """Whether a value is one number for the keys up to a query's place, another beyond."""
    indices = Indices(m.view)
    known = indices.read(seen)
    if isinstance(known, Choice) and known.yes != numbers[0]:
        known = known.flipped()
    if not isinstance(known, Choice) or known.yes != numbers[0] or len(known.conditions) != 1:
        return _Leaf(seen, None, [])
    if known.no != numbers[1] if numbers[1] is not None else not known.no <= _HIDDEN:
        return _Leaf(seen, None, [])
    (condition,) = known.conditions
    return _Leaf(seen, _place(m, condition), indices.claims)


def _place(m: Matcher, condition: Linear) -> Digits | None:
    """A query's place, where the condition says that it is no less than a key's."""
    keys = dict(index(m.axes[KEYS]).terms)
    rows: list[tuple[int, Digit]] = []
    for digit, factor in condition.terms:
        if factor < 0 and keys.pop(digit, 0) != -factor:
            return None
        if factor > 0:
            rows.append((factor, digit))
    place = tuple([digit for _, digit in sorted(rows, reverse=True)])
    # Without a place it hides the same keys from every query.
    if keys or not place or condition.number:
        return None
    wanted = frozenset((digit, factor) for factor, digit in rows)
    return place if index(place).terms == wanted else None


def _is_own(m: Matcher, claims: Sequence[_Claim]) -> bool:
    """Whether ops are used by nobody else, or made of numbers alone so that there may be copies."""
    makers = {id(maker): maker for maker, scope in claims if scope is None}
    inside = {maker.key for maker in makers.values()}
    count = 0
    for maker in makers.values():
        if not is_copied(m.view, maker):
            others = {u.results[0] if len(u.results) else None for u in maker.users()}
            count += len(others - inside)
    return count <= 1


def _claim(m: Matcher, claims: Sequence[_Claim]) -> None:
    for maker, scope in claims:
        m.claim(maker, scope)


def _around(scope: Scope | None, through: Maker) -> Scope | None:
    return scope.parent if scope is not None and scope.call is through else scope


def _size(m: Matcher, seen: Seen) -> int:
    size = 1
    for dim in m.view.shape(seen.value) or []:
        size *= dim
    return size


_QK = Contract(
    times(Var("q"), Number(name="scale_q")), times(Repeated("k"), Number(name="scale_k")), DEPTH
)


def attention() -> Pattern:
    """The weights of keys for each query, and the sum of values by them."""
    return Contract(softmax(Scores(_QK), KEYS), Repeated("v"), KEYS)


def _where(match: Match) -> str | None:
    return floats(match, "q") or floats(match, "v") or Roles(match).misfit()


def _attributes(match: Match) -> dict[str, object]:
    found: dict[str, object] = {**Roles(match).attributes(), "scale": _scale(match)}
    found |= {"causal": bool(match.text("causal")), **segments(match, OPERANDS)}
    return {**found, "mask": match.text("mask")} if match.text("mask") else found


def _scale(match: Match) -> float:
    numbers = (match.number(name) for name in ("scale", "scale_q", "scale_k"))
    return math.prod([number for number in numbers if number is not None], start=1.0)


RULES = (
    Rule("attention", (attention(),), operands=OPERANDS, where=_where, attributes=_attributes),
)
