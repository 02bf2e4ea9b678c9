"""A linear layer: a product with weights, and a bias or an activation, or both.

    linear   x . w + b            the bias is one number for each feature of the result
             act(x . w + b)       act: relu, gelu, silu, tanh, sigmoid, elu and their like
             act(x . w)
             (residual + x . w) + b, as `y + x @ w + b` is read

Weights have any layout, and several dimensions may be contracted, or be features: the attribute
`layout` says which, with d what is contracted and f the features. A product alone is left alone,
and so are biases that are no number for each feature (a residual, a mask), weights that differ
along a batch, and integers.
"""

from __future__ import annotations

from collections.abc import Sequence

from dxir.passes.patterns.blocks import floats, logistic, tanh
from dxir.passes.patterns.elu import elu
from dxir.passes.patterns.gelu import gelu
from dxir.passes.patterns.layouts import Atoms, Letters, segments
from dxir.passes.patterns.relu import leaky_relu, relu, relu6
from dxir.passes.patterns.silu import silu
from dxir.passes.patterns.softplus import softplus
from dxir.pattern import Contract, Either, Match, Number, Pattern, Rule, Total, Var
from dxir.pattern.access import Digit
from dxir.pattern.numbers import number_of
from dxir.pattern.view import Seen

DEPTH = "depth"
_OPERANDS = ("x", "w", "bias", "residual")


def dense(x: Pattern, weights: str, axis: str, bias: str) -> Pattern:
    """A product with weights, with or without a bias."""
    product = Contract(x, Var(weights), axis)
    return Either(biased(product, bias), product)


def biased(product: Pattern, bias: str) -> Pattern:
    """A value and a bias."""
    return Total(product, Var(bias, spread=True))


def biased_after(product: Pattern, bias: str) -> Pattern:
    """A value and a bias, added to something else in between or not."""
    between = Total(product, Var("residual"))
    return Either(biased(product, bias), biased(between, bias))


def feed_forward(x: Pattern) -> Pattern:
    """The activations that feed-forward layers have."""
    return Either(silu(x), gelu(x), relu(x), name="activation", labels=("silu", "gelu", "relu"))


def activated(x: Pattern) -> Pattern:
    """Any activation that follows linear layers."""
    return Either(
        silu(x), gelu(x), relu(x), relu6(x), tanh(x), logistic(x), elu(x, Number(name="alpha")),
        leaky_relu(x), softplus(x),
        name="activation",
        labels=("silu", "gelu", "relu", "relu6", "tanh", "logistic", "elu", "leaky_relu",
                "softplus"),
    )  # fmt: skip


def activation_attributes(match: Match) -> dict[str, object]:
    """What a composite says of its activation."""
    name = match.text("activation")
    if not name:
        return {}
    found: dict[str, object] = {"activation": name}
    if name == "gelu":
        form = match.text("form")
        found["approximate"] = form if form in ("tanh", "sigmoid") else "none"
    alpha = match.number("alpha")
    if name == "elu":
        found["alpha"] = 1.0 if alpha is None else alpha
    if name == "leaky_relu":
        found["negative_slope"] = match.number("negative_slope")
    return found


def misfit_of_bias(match: Match, name: str, features: Sequence[Digit], atoms: Atoms) -> str | None:
    """Why a value is no bias of these features; None when it is, or when there is none."""
    if not match.has(name):
        return None
    access = match.access(name)
    read = atoms.all(access)
    if not set(read) <= set(features):
        return "what is added is not one number for each feature"
    if not read and features:
        return "what is added is one number for all features"
    if number_of(match.view, Seen(match.value(name), access)) is not None:
        return "what is added is a number"
    return None


def misfit_of_residual(match: Match, rows: Sequence[Digit], atoms: Atoms) -> str | None:
    """Why a value is none that a result is added to; None when it is, or when there is none."""
    if not match.has("residual"):
        return None
    read = atoms.all(match.access("residual"))
    is_row = bool(set(read) & set(rows)) or not rows
    return None if is_row else "what is added in between is another bias"


def rows_of(match: Match, atoms: Atoms, axis: str) -> list[Digit]:
    """The atoms of x that are not contracted."""
    contracted = set(atoms.of(match.axis(axis)))
    return [a for a in atoms.all(match.access("x")) if a not in contracted]


def _names(match: Match) -> list[str]:
    return [name for name in _OPERANDS if match.has(name)]


def _atoms(match: Match) -> Atoms:
    accesses = [match.access(name) for name in _names(match)]
    return Atoms([*accesses, match.result], [match.axis(DEPTH)])


def _where(match: Match) -> str | None:
    atoms = _atoms(match)
    if not atoms.fits:
        return "dimensions are cut apart in different ways"
    depth = set(atoms.of(match.axis(DEPTH)))
    rows = rows_of(match, atoms, DEPTH)
    weights = atoms.all(match.access("w"))
    features = [a for a in weights if a not in depth]
    if not depth <= set(weights):
        return "the weights are not what is contracted with x"
    if set(features) & set(rows):
        return "the weights differ along a batch: both operands are activations"
    result = atoms.all(match.result)
    if features and set(result[len(result) - len(features) :]) != set(features):
        return "the features are not the last dimensions of the result"
    if not features and not match.has("bias"):
        return "the weights are one vector, and nothing is added"
    return (
        misfit_of_bias(match, "bias", features, atoms)
        or misfit_of_residual(match, rows, atoms)
        or floats(match, "x")
    )


def _attributes(match: Match) -> dict[str, object]:
    atoms = _atoms(match)
    letters = Letters(atoms)
    weights = atoms.all(match.access("w"))
    depth = atoms.of(match.axis(DEPTH))
    letters.give(depth, "dk")
    letters.give([a for a in weights if a not in depth], "fgh")
    letters.give(rows_of(match, atoms, DEPTH), "bsmnpq")
    texts = [letters.text(match.access(name)) for name in _names(match)]
    layout = f"{','.join(texts)}->{letters.text(match.result)}"
    return {"layout": layout, **activation_attributes(match), **segments(match, _OPERANDS)}


_PRODUCT = Contract(Var("x"), Var("w"), DEPTH)
_BIASED = biased_after(_PRODUCT, "bias")

RULES = (
    Rule(
        "linear",
        (activated(_BIASED), activated(_PRODUCT), _BIASED),
        operands=_OPERANDS,
        where=_where,
        attributes=_attributes,
    ),
)
