"""Rotary position embedding: pairs of elements along one dimension turned by angles.

    halves       x cos + concat(-x2, x1) sin              pairs (x1, x2): the two halves
                 concat(x1 cos - x2 sin, x2 cos + x1 sin)
    interleaved  the same with even and odd elements, by strided slices or a reshape to [..., m, 2]
    complex      real and imaginary part of (x1 + i x2) z, joined
    real         a cos(t) - b sin(t) of a projection: one part of the turn alone, which is a
                 composite of its own, `dxir.rope_real`

Tables are operands, for each element of the dimension or for each pair, however they are made: what
turns the queries turns the keys, too. Of `real` the angles are the operand, or their cosine and
sine where others use these, too. Turns the other way (`x2` for `-x2`), of parts that are no halves,
and of what is neither a projection nor met by one are left alone. The attribute `layout` has p for
which of a pair an element is, d for the pair, s for what tables differ along.
"""

from __future__ import annotations

from dxir.mlir import IrValue
from dxir.passes.patterns.blocks import cosine, floats, sine, times
from dxir.passes.patterns.layouts import Atoms, Letters
from dxir.pattern import (
    Either,
    Elementwise,
    Half,
    Join,
    Match,
    Matcher,
    Minus,
    Number,
    Pattern,
    Product,
    Reshaped,
    Rule,
    Total,
    Var,
)
from dxir.pattern.matcher import Then
from dxir.pattern.numbers import number_of
from dxir.pattern.view import LAYOUT, Maker, Seen, View

_PAIR = "pair"
_TABLES = ("cos", "sin", "turn")
_ADDS = frozenset(("stablehlo.add", "stablehlo.subtract"))
_DOT = "stablehlo.dot_general"
_MOST_STEPS = 8
_REAL = "dxir.rope_real"


def _times(a: Pattern, b: Pattern) -> Pattern:
    return times(Product(a, b), Number(1.0))


def _minus(a: Pattern) -> Pattern:
    return Either(Minus(a), Product(a, Number(-1.0)))


def _rotated(x: Pattern, cos: Pattern, sin: Pattern) -> Pattern:
    """A value turned with the help of itself, its halves exchanged."""
    turned = Join(_minus(Half(x, 1, _PAIR)), Half(x, 0, _PAIR), _PAIR)
    return Total(_times(x, cos), _times(turned, sin))


def _apart(x: Pattern, cos: Pattern, sin: Pattern) -> Pattern:
    """The halves turned on their own, and joined."""
    a, b = Half(x, 0, _PAIR), Half(x, 1, _PAIR)
    (cos_a, cos_b), (sin_a, sin_b) = ([_table(t, i) for i in (0, 1)] for t in (cos, sin))
    return Join(
        Total(Product(a, cos_a), Minus(Product(b, sin_a))),
        Total(Product(b, cos_b), Product(a, sin_b)),
        _PAIR,
    )


def _table(table: Pattern, which: int) -> Pattern:
    return Either(Half(table, which, _PAIR), table)


def _complex(x: Pattern, cos: Pattern, sin: Pattern) -> Pattern:
    """The halves as complex numbers, multiplied by others."""
    make = ("stablehlo.complex",)
    number = Elementwise(make, Half(x, 0, _PAIR), Half(x, 1, _PAIR))
    turned = Product(number, Either(Elementwise(make, cos, sin), Var("turn", spread=True)))
    real, imag = (Elementwise((f"stablehlo.{part}",), turned) for part in ("real", "imag"))
    return Join(real, imag, _PAIR)


def _real(cos: Pattern, sin: Pattern) -> Pattern:
    """One part of a turn."""
    return Total(Product(Var("x"), cos), Minus(Product(Var("y"), sin)))


def _where(match: Match) -> str | None:
    if sorted(match.access("x")) != sorted(match.result):
        return "the result has other dimensions than what is turned"
    digits = match.axis(_PAIR)
    if not any(part and digits[0][0] == part[0][0] and len(part) == 1 for part in match.result):
        return "the pairs are not along one dimension"
    tables = [name for name in _TABLES if match.has(name)]
    atoms = Atoms([match.result, *(match.access(name) for name in tables)], [digits])
    if not atoms.fits:
        return "the tables cut dimensions apart in another way"
    whole = set(atoms.all(match.result))
    for name in tables:
        read = set(atoms.all(match.access(name)))
        if not read or not read <= whole:
            return f"{name} is no table for the places of x"
        if number_of(match.view, Seen(match.value(name), match.access(name))) is not None:
            return f"{name} is one number"
    return floats(match, "x")


def _attributes(match: Match) -> dict[str, object]:
    pair = match.axis(_PAIR)
    x = match.access("x")
    axis = next(d for d, part in enumerate(x) if part and part[0][0] == pair[0][0])
    accesses = {name: match.access(name) for name in ("x", *_TABLES) if match.has(name)}
    atoms = Atoms([match.result, *accesses.values()], [pair])
    letters = Letters(atoms)
    letters.give(pair, "p")
    letters.give(atoms.of(x[axis]), "d")
    tables = [a for name in _TABLES for a in atoms.all(accesses.get(name, ()))]
    others = [a for a in atoms.all(x) if not letters.of(a)]
    letters.give([a for a in others if a in tables], "sn")
    letters.give([a for a in others if a not in tables], "bh")
    texts = [letters.text(access) for access in accesses.values()]
    return {
        "axis": axis,
        "interleaved": pair[0][1] == 1 and x[axis][0][2] > 2,
        "layout": f"{','.join(texts)}->{letters.text(match.result)}",
    }


def _where_real(match: Match) -> str | None:
    view = match.view
    if not match.result:
        return "a number is turned, not a tensor"
    if match.has("cos") and _angles(view, match.value("cos")) != _angles(view, match.value("sin")):
        return "the cosine is of other angles than the sine"
    if not (_is_projected(view, match) or _is_met(view, match.root)):
        return "it is not of queries or keys: neither a projection nor met by one"
    for name in ("x", "y"):
        if number_of(view, Seen(match.value(name), match.access(name))) is not None:
            return f"{name} is a number"
    return floats(match, "x")


def _angles(view: View, value: IrValue) -> IrValue | None:
    maker = view.maker(value)
    return None if maker is None else maker.operands[0]


def _is_projected(view: View, match: Match) -> bool:
    """Whether a contraction makes x, but for a bias and layout."""
    pending, count = [match.value("x")], 0
    while pending and count < _MOST_STEPS:
        maker = view.maker(pending.pop())
        count += 1
        if maker is None:
            continue
        if maker.name == _DOT:
            return True
        if maker.name in LAYOUT or maker.name in _ADDS:
            pending += maker.operands
    return False


def _is_met(view: View, root: Maker) -> bool:
    """Whether a contraction uses the result, but for layout."""
    pending, count = [root], 0
    while pending and count < _MOST_STEPS:
        count += 1
        for user in pending.pop().users():
            if user.name == _DOT:
                return True
            if user.name in LAYOUT:
                pending.append(view.of(user))
    return False


class _Made(Pattern):
    """A value by its name that such an op makes, which is not part of the match."""

    def __init__(self, name: str, maker: str) -> None:
        self.name, self.names = name, frozenset((maker,))
        self.binds = frozenset((name,))

    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        maker = m.view.maker(seen.value)
        if maker is None or maker.name not in self.names:
            return m.miss(f"{self.name} is not made where it should be")
        return m.name(self.name, seen) and then()


_X = Var("x")
_COS, _SIN = Var("cos", spread=True), Var("sin", spread=True)
_JOINED = (_apart(_X, _COS, _SIN), _complex(_X, _COS, _SIN))
_ANGLES = Var("angles")

RULES = (
    Rule(
        "rope",
        (
            *(Reshaped(p) for p in _JOINED),
            *_JOINED,
            _rotated(_X, _COS, _SIN),
        ),
        operands=("x", *_TABLES),
        where=_where,
        attributes=_attributes,
    ),
    Rule(
        "rope",
        (_real(cosine(_ANGLES), sine(_ANGLES)),),
        operands=("x", "y", "angles"),
        where=_where_real,
        composite=_REAL,
        export=False,
    ),
    Rule(
        "rope",
        (_real(_Made("cos", "stablehlo.cosine"), _Made("sin", "stablehlo.sine")),),
        operands=("x", "y", "cos", "sin"),
        where=_where_real,
        composite=_REAL,
    ),
)
