"""What differs between two ops that belong together: attributes, types, regions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Sequence

import numpy as np

from dxir.defaults import has_default, is_default
from dxir.differences.records import Change
from dxir.elements import elements_of
from dxir.mlir import IrAttribute, IrOperation, IrType, ir
from dxir.reading import attribute, attribute_names, attribute_text, walk

_WRAPPED = re.compile(r"#(?:stablehlo|chlo|mhlo)<\w+ ([^<>]*)>")
_LONG = 120
_MANY = 16  # elements of a constant whose values are told one by one

Same = Callable[[str, str], bool]
"""Whether two texts of attributes say the same, as names of functions and meshes are told apart."""


def attribute_changes(
    a: IrOperation, b: IrOperation, same: Same, without: Container[str] = ()
) -> list[Change]:
    """The attributes that two ops of one name do not share."""
    found: list[Change] = []
    for name in sorted({*attribute_names(a), *attribute_names(b)}):
        if name in without:
            continue
        x, y = _value(a, name), _value(b, name)
        one, other = _text(a, name, x), _text(b, name, y)
        if one == other or (one is not None and other is not None and same(one, other)):
            continue
        numbers = _numbers(x, y)
        if numbers is not None:
            found.append(Change(name, *numbers))
        else:
            default = "the default" if has_default(a.name, name) else None
            found.append(Change(name, short(one) or default, short(other) or default))
    return found


def _value(op: IrOperation, name: str) -> IrAttribute | None:
    return attribute(op, name) if name in op.attributes else None


def _text(op: IrOperation, name: str, value: IrAttribute | None) -> str | None:
    """An attribute as text; None for one that says nothing."""
    if value is None:
        return "an attribute without a class" if name in op.attributes else None
    text = attribute_text(value)
    return None if is_default(op.name, name, text) else text


def short(text: str | None) -> str | None:
    """A text for people: without the names of enums around their words, and not too long."""
    if text is None:
        return None
    plain = _WRAPPED.sub(r"\1", text)
    return plain if len(plain) <= _LONG else f"{plain[: _LONG - 3]}..."


def _numbers(a: IrAttribute | None, b: IrAttribute | None) -> tuple[str, str] | None:
    """Two constants of one type with many elements, by how they differ."""
    if not (isinstance(a, ir.DenseElementsAttr) and isinstance(b, ir.DenseElementsAttr)):
        return None
    if str(a.type) != str(b.type):  # they may be of two contexts
        return None
    x, y = elements_of(a), elements_of(b)
    if x is None or y is None or x.size != y.size or x.size <= _MANY:
        return None
    with np.errstate(all="ignore"):
        differs = ~((x == y) | ((x != x) & (y != y)))
        count = int(differs.sum())
        if not count:
            return f"of {x.size:,} elements", "the same but for signs of zeros or bits of NaNs"
        most = ""
        if x.dtype.kind in "fiu" and count:
            distance = np.abs(x[differs].astype(np.float64) - y[differs].astype(np.float64))
            most = f" by up to {float(np.max(distance)):.4g}"
    return f"of {x.size:,} elements", f"{count:,} others{most}"


def type_shown(type: IrType) -> str:
    """A type for people."""
    return short(str(type)) or ""


def type_changes(a: Sequence[IrType], b: Sequence[IrType], what: str) -> list[Change]:
    """The types that differ, place by place."""
    found: list[Change] = []
    for i in range(max(len(a), len(b))):
        x = str(a[i]) if i < len(a) else None
        y = str(b[i]) if i < len(b) else None
        if x != y:
            found.append(Change(f"{what} {i}", short(x), short(y)))
    return found


def region_changes(a: IrOperation, b: IrOperation) -> list[Change]:
    """What two ops have in their regions, where that is not as many ops of the same names."""
    x, y = _inside(a), _inside(b)
    if x == y:
        return [Change("region", "another", "the same ops")]
    return [Change("region", _listed(x - y), _listed(y - x))]


def _inside(op: IrOperation) -> Counter[str]:
    found: Counter[str] = Counter()

    def visit(nested: IrOperation) -> None:
        if nested != op:
            found[nested.name.removeprefix("stablehlo.")] += 1

    walk(op, visit)
    return found


def _listed(names: Counter[str]) -> str:
    return ", ".join([f"{n} {name}" if n > 1 else name for name, n in names.items()]) or "nothing"
