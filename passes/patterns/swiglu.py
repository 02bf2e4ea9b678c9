"""Gated linear units: `silu(x . w_gate) * (x . w_up)`.

    apart   two products of one x, each with or without a bias
    fused   one product with both weights, halved: `fused` says which half is the gate
    bare    `silu(gate) * up` of two values of one shape, wherever they come from: the composite
            is a `dxir.swiglu_bare`

Other gates (a sigmoid, a gelu) are left alone: they are parts of feed-forward layers, or glu.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from dxir.passes.patterns.blocks import floats
from dxir.passes.patterns.layouts import Atoms, Letters, segments
from dxir.passes.patterns.linear import DEPTH, dense, misfit_of_bias, rows_of
from dxir.passes.patterns.silu import silu
from dxir.pattern import Either, Half, Match, Pattern, Product, Rule, Var
from dxir.pattern.access import Digit
from dxir.pattern.numbers import number_of
from dxir.pattern.view import Seen

_PAIR = "halves"
OPERANDS = ("x", "w_gate", "w_up", "w", "bias_gate", "bias_up", "bias")
WEIGHTS = ("w_gate", "w_up", "w")


def gated(act: Callable[[Pattern], Pattern]) -> Pattern:
    """A product with weights that others, through an activation, let pass."""
    x = Var("x")
    both = dense(x, "w", DEPTH, "bias")
    first, second = Half(both, 0, _PAIR), Half(both, 1, _PAIR)
    return Either(
        Product(act(dense(x, "w_gate", DEPTH, "bias_gate")), dense(x, "w_up", DEPTH, "bias_up")),
        Product(act(first), second),
        Product(act(second), first),
        name="fused",
        labels=("", "first", "second"),
    )


def gate_misfit(match: Match, atoms: Atoms, hidden: list[Digit]) -> str | None:
    """Why weights and biases are not those of a gated layer; None when they are."""
    depth, rows = set(atoms.of(match.axis(DEPTH))), set(rows_of(match, atoms, DEPTH))
    halves = set(atoms.of(match.axis(_PAIR))) if match.text("fused") else set()
    for name in WEIGHTS:
        if match.has(name):
            read = set(atoms.all(match.access(name)))
            if not depth <= read:
                return f"{name} is not what is contracted with x"
            if read & rows:
                return f"{name} differs along a batch"
            if read - depth - halves != set(hidden):
                return f"{name} has not the features of the layer"
    wide = [*hidden, *halves]
    for name, features in (("bias_gate", hidden), ("bias_up", hidden), ("bias", wide)):
        reason = misfit_of_bias(match, name, features, atoms)
        if reason is not None:
            return reason
    return floats(match, "x")


def gate_atoms(match: Match, *names: str) -> Atoms:
    """The atoms of a gated layer, and of further values."""
    accesses = [match.access(name) for name in (*OPERANDS, *names) if match.has(name)]
    axes = [match.axis(DEPTH)] + ([match.axis(_PAIR)] if match.text("fused") else [])
    return Atoms([*accesses, match.result], axes)


def gate_letters(match: Match, atoms: Atoms, hidden: list[Digit]) -> Letters:
    """The letters of a gated layer: d what is contracted, f the features, p the halves."""
    letters = Letters(atoms)
    letters.give(atoms.of(match.axis(DEPTH)), "dk")
    letters.give(hidden, "fgh")
    if match.text("fused"):
        letters.give(atoms.of(match.axis(_PAIR)), "p")
    letters.give(rows_of(match, atoms, DEPTH), "bsmnpq")
    return letters


def _hidden(match: Match, atoms: Atoms) -> list[Digit]:
    rows = set(rows_of(match, atoms, DEPTH))
    return [a for a in atoms.all(match.result) if a not in rows]


def _bare_misfit(match: Match) -> str | None:
    if match.access("gate") != match.result or match.access("up") != match.result:
        return "the gate and what it lets pass have other shapes than the result"
    for name in ("gate", "up"):
        below = match.view.chain(Seen(match.value(name), match.result))[-1].seen
        shape = match.view.shape(below.value) or []
        if math.prod(shape) != math.prod(match.shape("gate")):
            return f"{name} is repeated along a dimension"
    if match.value("gate") == match.value("up"):
        return "a value is its own gate"
    if number_of(match.view, Seen(match.value("up"), match.result)) is not None:
        return "what the gate lets pass is a number"
    return floats(match, "gate") or floats(match, "up")


def _where(match: Match) -> str | None:
    atoms = gate_atoms(match)
    if not atoms.fits:
        return "dimensions are cut apart in different ways"
    return gate_misfit(match, atoms, _hidden(match, atoms))


def _attributes(match: Match) -> dict[str, object]:
    atoms = gate_atoms(match)
    letters = gate_letters(match, atoms, _hidden(match, atoms))
    texts = [letters.text(match.access(name)) for name in OPERANDS if match.has(name)]
    layout = f"{','.join(texts)}->{letters.text(match.result)}"
    found: dict[str, object] = {"layout": layout, **segments(match, OPERANDS)}
    return {**found, "fused": match.text("fused")} if match.text("fused") else found


RULES = (
    Rule(
        "swiglu",
        (gated(silu),),
        operands=OPERANDS,
        where=_where,
        attributes=_attributes,
    ),
    Rule(
        "swiglu",
        (Product(silu(Var("gate")), Var("up")),),
        operands=("gate", "up"),
        where=_bare_misfit,
        composite="dxir.swiglu_bare",
    ),
)
