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

from collections.abc import Callable, Hashable, Sequence
from functools import partial

from dxir.mlir import IrValue
from dxir.passes.patterns.blocks import floats, logistic, tanh
from dxir.passes.patterns.elu import elu
from dxir.passes.patterns.gelu import gelu, quick_gelu
from dxir.passes.patterns.layouts import Atoms, Letters, segments
from dxir.passes.patterns.relu import leaky_relu, relu, relu6
from dxir.passes.patterns.silu import silu
from dxir.passes.patterns.softplus import softplus
from dxir.pattern import Contract, Either, Match, Number, Pattern, Rule, Total, Var
from dxir.pattern.access import Digit
from dxir.pattern.forms import How
from dxir.pattern.matcher import Matcher
from dxir.pattern.numbers import number_of
from dxir.pattern.view import BROADCAST, Scope, Seen, View

DEPTH = "depth"
_BENDS = frozenset((
    "chlo.erf", "chlo.erfc", "stablehlo.clamp", "stablehlo.exponential",
    "stablehlo.exponential_minus_one", "stablehlo.logistic", "stablehlo.maximum",
    "stablehlo.minimum", "stablehlo.select", "stablehlo.tanh",
))  # fmt: skip
_BETWEEN = frozenset(
    f"stablehlo.{name}" for name in ("add", "divide", "multiply", "negate", "power", "subtract")
)
_MOST_BETWEEN = 6
_OPERANDS = ("x", "w", "bias", "residual")


class Bias(Var):
    """A value by its name that is repeated to where it is added: a residual has all sizes."""

    def __init__(self, name: str) -> None:
        super().__init__(name, spread=True)

    def form(self) -> Hashable:
        return Bias

    def could(self, view: View, value: IrValue, scope: Scope | None, how: How) -> bool:
        wide = [size for size in view.shape(value) or () if size != 1]
        return len(wide) < 2 or BROADCAST in view.kinds(value, scope)


def dense(x: Pattern, weights: str, axis: str, bias: str) -> Pattern:
    """A product with weights, with or without a bias."""
    product = Contract(x, Var(weights), axis)
    return OneAndTheSame(biased(product, bias), product)


def biased(product: Pattern, bias: str) -> Pattern:
    """A value and a bias."""
    return Total(product, Bias(bias))


def biased_after(product: Pattern, bias: str) -> Pattern:
    """A value and a bias, added to something else in between or not."""
    between = Total(product, Var("residual"))
    return OneAndTheSame(biased(product, bias), biased(between, bias))


class OneAndTheSame(Either):
    """One of several, the same wherever the pattern stands in a match.

    An activation takes its value in several places, none of which may do without the bias.
    """

    def _any(self, m: Matcher, how: Callable[[Pattern], bool]) -> bool:
        key = f"choice of {id(self)}"
        known = m.texts.get(key)

        def one(i: int) -> bool:
            m.put(m.texts, key, str(i))
            return how(self.choices[i])

        places = [i for i in range(len(self.choices)) if known in (None, str(i))]
        return any(m.attempt(partial(one, i)) for i in places)


class Activation(Either):
    """One of several activations, each of which has an op that bends within a few others."""

    def form(self) -> Hashable:
        return "activation", super().form()

    def could(self, view: View, value: IrValue, scope: Scope | None, how: How) -> bool:
        return _is_bent(view, value, scope) and super().could(view, value, scope, how)


def _is_bent(view: View, value: IrValue, scope: Scope | None, left: int = _MOST_BETWEEN) -> bool:
    """Whether an op that bends stands a few elementwise ops below a value."""
    levels = view.levels(value, scope)
    if any(maker.name in _BENDS for maker, _ in levels):
        return True
    if not levels or not left:
        return False
    last, inside = levels[-1]
    known = last.memory.get("straight", -1) if inside is None else -1
    if last.name not in _BETWEEN or (isinstance(known, int) and known >= left):
        return False
    found = any(_is_bent(view, operand, inside, left - 1) for operand in last.operands)
    if not found and inside is None:
        last.memory["straight"] = left
    return found


def feed_forward(x: Pattern) -> Pattern:
    """The activations that feed-forward layers have."""
    return Activation(
        silu(x), gelu(x), quick_gelu(x), relu(x),
        name="activation",
        labels=("silu", "gelu", "quick_gelu", "relu"),
    )  # fmt: skip


def activated(x: Pattern) -> Pattern:
    """Any activation that follows linear layers."""
    return Activation(
        silu(x), gelu(x), quick_gelu(x), relu(x), relu6(x), tanh(x), logistic(x),
        elu(x, Number(name="alpha")), leaky_relu(x), softplus(x),
        name="activation",
        labels=("silu", "gelu", "quick_gelu", "relu", "relu6", "tanh", "logistic", "elu",
                "leaky_relu", "softplus"),
    )  # fmt: skip


def activation_attributes(match: Match) -> dict[str, object]:
    """What a composite says of its activation."""
    name = match.text("activation")
    if not name:
        return {}
    found: dict[str, object] = {"activation": name}
    if name == "gelu":
        found["approximate"] = "tanh" if match.text("form") == "tanh" else "none"
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
        (Either(activated(_BIASED), activated(_PRODUCT), _BIASED),),
        operands=_OPERANDS,
        where=_where,
        attributes=_attributes,
    ),
)
