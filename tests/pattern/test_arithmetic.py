"""Products and sums: any order and association, with quotients, differences and signs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dxir
from dxir import ops
from dxir.pattern import (
    Elementwise,
    InvSqrt,
    Minus,
    Number,
    Over,
    Pattern,
    Product,
    Rule,
    Total,
    Var,
)

A, B, C, D = (
    Elementwise((f"stablehlo.{n}",), Var(n)) for n in ("tanh", "sine", "cosine", "exponential")
)


def rule(pattern: Pattern) -> Rule:
    return Rule("it", (pattern,), operands=names(pattern))


def names(pattern: Pattern) -> tuple[str, ...]:
    found = set(pattern.binds).union(*(names(part) for part in pattern.within()))
    return tuple(sorted(found))


def program(make: Any) -> dxir.Program:
    builder = dxir.Builder("main")
    x, y = builder.param(dxir.f32[4], name="x"), builder.param(dxir.f32[4], name="y")
    made = make(ops.tanh(x), ops.sin(x), ops.cos(x), ops.exp(x), y)
    return dxir.lower(builder.build(made))


def trees(leaves: tuple[Any, ...]) -> Iterator[Any]:
    """All ways to put leaves together by pairs, in this order."""
    if len(leaves) == 1:
        yield leaves[0]
    for cut in range(1, len(leaves)):
        yield from itertools.product(trees(leaves[:cut]), trees(leaves[cut:]))


def combined(tree: Any, leaves: dict[str, Any], op: Any) -> Any:
    if isinstance(tree, str):
        return leaves[tree]
    return op(combined(tree[0], leaves, op), combined(tree[1], leaves, op))


ORDERS = [tree for order in itertools.permutations("abc") for tree in trees(order)]


@pytest.mark.parametrize("tree", ORDERS, ids=str)
def test_three_factors_and_three_terms_are_found_in_any_order_and_association(
    look: Any, tree: Any
) -> None:
    for pattern, op in ((Product(A, B, C), ops.mul), (Total(A, B, C), ops.add)):
        made = program(lambda a, b, c, _d, _y, op=op: combined(tree, {"a": a, "b": b, "c": c}, op))
        assert look(made, rule(pattern)).names == ["it"]
        assert look(made, rule(type(pattern)(A, B, D))).names == []


def signed(tree: Any, leaves: dict[str, Any], signs: dict[int, bool], turn: Any) -> Any:
    """A tree of ops with a sign, or with an operand turned, at some of its places."""
    counter = itertools.count()

    def walk(node: Any) -> Any:
        place = next(counter)
        made = leaves[node] if isinstance(node, str) else turn(walk(node[0]), walk(node[1]), place)
        return -made if signs.get(place) else made

    return walk(tree)


@settings(max_examples=120, deadline=None)
@given(st.data())
def test_signs_and_quotients_count_wherever_they_stand(look: Any, data: st.DataObject) -> None:
    tree = data.draw(st.sampled_from(ORDERS))
    signs = {place: data.draw(st.booleans()) for place in range(5)}
    turned = {place: data.draw(st.booleans()) for place in range(5)}
    # What a leaf is worth in the whole, counted along with the program that is made.
    worth: dict[str, int] = {}

    def note(node: Any, turn: int) -> Any:
        place = next(counter)
        if isinstance(node, str):
            worth[node] = turn
        else:
            note(node[0], turn)
            note(node[1], -turn if turned[place] else turn)

    counter = itertools.count()
    note(tree, 1)
    product = program(
        lambda a, b, c, _d, _y: signed(
            tree,
            {"a": a, "b": b, "c": c * 2.0},
            {},
            lambda l, r, place: l / r if turned[place] else l * r,
        )
    )
    parts = {"a": A, "b": B, "c": C}
    factors = [parts[n] if turn > 0 else Over(parts[n]) for n, turn in worth.items()]
    number = Number(2.0) if worth["c"] > 0 else Over(Number(2.0))
    assert look(product, rule(Product(*factors, number))).names == ["it"]
    assert look(product, rule(Product(*factors, Number(3.0)))).names == []

    counter = itertools.count()
    worth.clear()

    def note_sum(node: Any, turn: int) -> Any:
        place = next(counter)
        turn = -turn if signs[place] else turn
        if isinstance(node, str):
            worth[node] = turn
        else:
            note_sum(node[0], turn)
            note_sum(node[1], -turn if turned[place] else turn)

    note_sum(tree, 1)
    total = program(
        lambda a, b, c, _d, _y: signed(
            tree,
            {"a": a, "b": b, "c": c},
            signs,
            lambda l, r, place: l - r if turned[place] else l + r,
        )
    )
    terms = [parts[n] if turn > 0 else Minus(parts[n]) for n, turn in worth.items()]
    wrong = [parts[n] if turn < 0 else Minus(parts[n]) for n, turn in worth.items()]
    assert look(total, rule(Total(*terms))).names == ["it"]
    if not signs[0]:  # else what is negated is that
        assert look(total, rule(Total(*wrong))).names == []


PRODUCTS: dict[str, tuple[Pattern, Any, bool]] = {
    "a minus at a factor": (Product(A, Number(-2.0)), lambda a, *_: -a * 2.0, True),
    "a minus at the number": (Product(A, Number(-2.0)), lambda a, *_: a * -2.0, True),
    "a minus outside": (Product(A, Number(-2.0)), lambda a, *_: -(a * 2.0), True),
    "two signs": (Product(A, Number(2.0)), lambda a, *_: -a * -2.0, True),
    "no minus": (Product(A, Number(-2.0)), lambda a, *_: a * 2.0, False),
    "one minus too many": (Product(A, Number(2.0)), lambda a, *_: -a * 2.0, False),
    "divided by the inverse": (Product(A, Number(0.5)), lambda a, *_: a / 2.0, True),
    "divided by minus": (Product(A, Number(-0.5)), lambda a, *_: a / -2.0, True),
    "minus, divided": (Product(A, Number(-0.5)), lambda a, *_: -a / 2.0, True),
    "the number divided": (Product(A, Number(0.5)), lambda a, *_: 2.0 / a, False),
    "an inverse square root": (Product(A, InvSqrt(B)), lambda a, b, *_: a * ops.rsqrt(b), True),
    "over a square root": (Product(A, InvSqrt(B)), lambda a, b, *_: a / ops.sqrt(b), True),
    "times one over it": (Product(A, InvSqrt(B)), lambda a, b, *_: (1.0 / ops.sqrt(b)) * a, True),
    "a power": (Product(A, InvSqrt(B)), lambda a, b, *_: a * ops.pow(b, -0.5), True),
    "over a power": (Product(A, InvSqrt(B)), lambda a, b, *_: a / ops.pow(b, 0.5), True),
    "times a square root": (Product(A, InvSqrt(B)), lambda a, b, *_: a * ops.sqrt(b), False),
    "over an inverse one": (Product(A, InvSqrt(B)), lambda a, b, *_: a / ops.rsqrt(b), False),
    "a quotient": (Product(A, Over(B)), lambda a, b, *_: a / b, True),
    "the other quotient": (Product(A, Over(B)), lambda a, b, *_: b / a, False),
    "over a product": (Product(A, Over(B), Over(C)), lambda a, b, c, *_: a / (b * c), True),
    "over and over": (Product(A, Over(B), Over(C)), lambda a, b, c, *_: a / b / c, True),
    "over a quotient": (Product(A, C, Over(B)), lambda a, b, c, *_: a / (b / c), True),
    "one over": (Over(A), lambda a, *_: 1.0 / a, True),
    "two over": (Over(A), lambda a, *_: 2.0 / a, False),
    "the factor twice": (Product(A, A), lambda a, *_: a * a, True),
    "a factor once": (Product(A, A), lambda a, b, *_: a * b, False),
    "a factor more": (Product(A, B), lambda a, b, c, *_: a * c * b, False),
    "a difference": (Total(A, Minus(B)), lambda a, b, *_: a - b, True),
    "a negated term": (Total(A, Minus(B)), lambda a, b, *_: a + -b, True),
    "the other difference": (Total(A, Minus(B)), lambda a, b, *_: b - a, False),
    "the negated difference": (Total(A, Minus(B)), lambda a, b, *_: -(b - a), True),
    "minus a sum": (Total(A, Minus(B), Minus(C)), lambda a, b, c, *_: a - (b + c), True),
    "minus a difference": (Total(A, Minus(B), C), lambda a, b, c, *_: a - (b - c), True),
    "a number less": (Total(A, Number(-1.0)), lambda a, *_: a - 1.0, True),
    "a number more": (Total(A, Number(-1.0)), lambda a, *_: a + 1.0, False),
    "less what is multiplied": (
        Total(A, Minus(Product(B, Number(2.0)))), lambda a, b, *_: a - b * 2.0, True,
    ),
    "plus a negative multiple": (
        Total(A, Minus(Product(B, Number(2.0)))), lambda a, b, *_: a + b * -2.0, True,
    ),
    "minus alone": (Minus(A), lambda a, *_: -a, True),
    "no minus alone": (Minus(A), lambda a, b, *_: ops.mul(a, b), False),
}  # fmt: skip


@pytest.mark.parametrize("what", PRODUCTS)
def test_formulas_are_found_where_their_arithmetic_says_so(look: Any, what: str) -> None:
    pattern, make, fits = PRODUCTS[what]
    assert look(program(make), rule(pattern)).names == (["it"] if fits else []), what


def test_the_product_of_many_factors_ends_in_time(look: Any) -> None:
    builder = dxir.Builder("main")
    x = builder.param(dxir.f32[4], name="x")
    made = ops.tanh(x)
    for i in range(12):
        made = made * ops.add(x, float(i))
    found = look(dxir.lower(builder.build(made)), rule(Product(A, *[Var(n) for n in "abcdefg"])))
    assert len(found.chosen) <= 1


def test_a_part_that_is_met_again_is_the_same_value(look: Any) -> None:
    part = Elementwise(("stablehlo.tanh",), Var("x"))
    pattern = Product(part, Total(part, Number(1.0)))
    same = program(lambda a, *_: a * (a + 1.0))
    other = program(lambda a, *rest: a * (ops.tanh(rest[-1]) + 1.0))
    assert look(same, rule(pattern)).names == ["it"]
    assert look(other, rule(pattern)).names == []
