"""The feed-forward layer of a transformer: up, an activation or a gate, and down.

    plain  act(x . w_up + b) . w_down + b
    gated  (act(x . w_gate) * (x . w_up)) . w_down, the weights apart or fused

What the layer is added to is part of it where it is added before the last bias is.

Activations are silu, gelu, quick_gelu and relu in all their spellings, biases may be there or not,
and weights have any layout. Weights that differ along a batch (experts) and other activations are
left alone.
"""

from __future__ import annotations

from dxir.passes.patterns.layouts import Atoms, Letters, segments
from dxir.passes.patterns.linear import (
    DEPTH,
    activation_attributes,
    biased_after,
    dense,
    feed_forward,
    misfit_of_bias,
    misfit_of_residual,
    rows_of,
)
from dxir.passes.patterns.swiglu import OPERANDS, gate_atoms, gate_letters, gate_misfit, gated
from dxir.pattern import Contract, Either, Match, Pattern, Rule, Var
from dxir.pattern.access import Digit

_HIDDEN = "hidden"
_DOWN = ("w_down", "bias_down", "residual")


def _down(hidden: Pattern) -> Pattern:
    product = Contract(hidden, Var("w_down"), _HIDDEN)
    return Either(biased_after(product, "bias_down"), product)


def _parts(match: Match) -> tuple[Atoms, list[Digit], list[Digit]]:
    """The atoms, those of what is between the products, and those of what comes out."""
    atoms = gate_atoms(match, *_DOWN)
    if not atoms.fits:
        return atoms, [], []
    hidden = atoms.of(match.axis(_HIDDEN))
    out = [a for a in atoms.all(match.access("w_down")) if a not in hidden]
    return atoms, hidden, out


def _where(match: Match) -> str | None:
    atoms, hidden, out = _parts(match)
    if not atoms.fits:
        return "dimensions are cut apart in different ways"
    rows = rows_of(match, atoms, DEPTH)
    if set(out) & set(rows) or set(atoms.all(match.result)) != {*rows, *out}:
        return "w_down differs along a batch"
    return (
        gate_misfit(match, atoms, hidden)
        or misfit_of_bias(match, "bias_down", out, atoms)
        or misfit_of_residual(match, rows, atoms)
    )


def _attributes(match: Match) -> dict[str, object]:
    atoms, hidden, out = _parts(match)
    letters: Letters = gate_letters(match, atoms, hidden)
    letters.give(out, "e")
    names = [name for name in (*OPERANDS, *_DOWN) if match.has(name)]
    texts = [letters.text(match.access(name)) for name in names]
    found: dict[str, object] = {
        "layout": f"{','.join(texts)}->{letters.text(match.result)}",
        "gated": not match.has("w_up") or match.has("w_gate"),
        **activation_attributes(match),
        **segments(match, (*OPERANDS, *_DOWN)),
    }
    return {**found, "fused": match.text("fused")} if match.text("fused") else found


_PLAIN = feed_forward(dense(Var("x"), "w_up", DEPTH, "bias_up"))

RULES = (
    Rule(
        "transformer_mlp",
        (_down(Either(gated(feed_forward), _PLAIN)),),
        operands=(*OPERANDS, *_DOWN),
        where=_where,
        attributes=_attributes,
    ),
)
