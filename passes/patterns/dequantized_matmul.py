"""A product with weights that are stored as narrow integers, with scales.

    scaled weights    x @ ((w - zero_point) * scale)
    scaled product    (x @ (w - zero_point)) * scale

The weights are of 2, 4 or 8 bits, converted to floats, or to wider integers, before a zero point is
taken from them. Scales and zero points are one number, one for each feature of the result
("channel"), or one for each group of what is contracted besides: `granularity` says which,
`group_size` how large groups are, `scale_at` whether the weights are scaled or their product,
`layout` what is contracted, and `operand_segments` which of zero point and bias there are. A bias
of one number for each feature may be added. A scale for each row of x, which is one of activations,
and wider integers for weights are left alone.
"""

from __future__ import annotations

from dxir.passes.patterns.blocks import floats
from dxir.passes.patterns.layouts import Atoms, Letters
from dxir.passes.patterns.linear import misfit_of_bias
from dxir.passes.patterns.norms import segments
from dxir.pattern import Contract, Either, Match, Minus, Pattern, Product, Rule, Total, Var
from dxir.pattern.access import Digit
from dxir.pattern.picking import Converted, is_integer

_DEPTH = "depth"
_NARROW = frozenset(f"{sign}i{bits}" for sign in ("", "u") for bits in (2, 4, 8))
_OPERANDS = ("x", "weight", "scale", "zero_point", "bias")
_X, _WEIGHT = Var("x"), Var("weight")
_SCALE, _ZERO_POINT = Var("scale", spread=True), Var("zero_point", spread=True)


def _is_narrow(element: str) -> bool:
    return element in _NARROW


def _is_wide(element: str) -> bool:
    return is_integer(element) and not _is_narrow(element)


def _weights() -> Pattern:
    """The weights as floats, less a zero point if there is one."""
    stored = Converted(_WEIGHT, _is_narrow)
    points = Either(Converted(_ZERO_POINT, is_integer), _ZERO_POINT)
    # Only wider integers hold the difference of two stored ones: in their own type it wraps.
    wide = Converted(Total(stored, Minus(points)), _is_wide)
    return Either(Total(stored, Minus(points)), wide, stored)


def _product() -> Pattern:
    weights = _weights()
    scaled = Contract(_X, Product(weights, _SCALE), _DEPTH)
    after = Product(Contract(_X, weights, _DEPTH), _SCALE)
    return Either(scaled, after, name="scale_at", labels=("weights", "product"))


def _atoms(match: Match) -> Atoms:
    return Atoms([*(match.access(n) for n in _names(match)), match.result], [match.axis(_DEPTH)])


def _names(match: Match) -> list[str]:
    return [name for name in _OPERANDS if match.has(name)]


def _features(match: Match, atoms: Atoms) -> list[Digit]:
    depth = set(atoms.of(match.axis(_DEPTH)))
    return [atom for atom in atoms.all(match.access("weight")) if atom not in depth]


def _where(match: Match) -> str | None:
    if not _is_narrow(match.element("weight")):
        return f"its weights are of {match.element('weight')}, not of integers of 2, 4 or 8 bits"
    atoms = _atoms(match)
    if not atoms.fits:
        return "dimensions are cut apart in different ways"
    depth, weights = set(atoms.of(match.axis(_DEPTH))), set(atoms.all(match.access("weight")))
    if not depth <= weights:
        return "the weights are not what is contracted with x"
    for name in ("scale", "zero_point"):
        if match.has(name) and not set(atoms.all(match.access(name))) <= weights:
            return f"its {name.replace('_', ' ')} is not one of the weights: it varies along x"
    if match.has("zero_point") and match.element("zero_point") == "i1":
        return "its zero point is a truth value"
    bias = misfit_of_bias(match, "bias", _features(match, atoms), atoms)
    return bias or floats(match, "x") or floats(match, "scale")


def _granularity(match: Match, atoms: Atoms) -> dict[str, object]:
    read = {a for n in ("scale", "zero_point") if match.has(n) for a in atoms.all(match.access(n))}
    depth = atoms.of(match.axis(_DEPTH))
    if not read:
        return {"granularity": "tensor"}
    if not read & set(depth):
        return {"granularity": "channel"}
    size = 1
    for _, _, count in (atom for atom in depth if atom not in read):
        size *= count
    return {"granularity": "group", "group_size": size}


def _attributes(match: Match) -> dict[str, object]:
    atoms = _atoms(match)
    letters = Letters(atoms)
    letters.give(atoms.of(match.axis(_DEPTH)), "dk")
    letters.give(_features(match, atoms), "fgh")
    letters.give(atoms.all(match.access("x")), "bsmnpq")
    texts = [letters.text(match.access(name)) for name in _names(match)]
    return {
        "layout": f"{','.join(texts)}->{letters.text(match.result)}",
        "scale_at": match.text("scale_at"),
        **_granularity(match, atoms),
        **segments(match, _OPERANDS),
    }


RULES = (
    Rule(
        "dequantized_matmul",
        (Total(_product(), Var("bias", spread=True)), _product()),
        operands=_OPERANDS,
        where=_where,
        attributes=_attributes,
    ),
)
