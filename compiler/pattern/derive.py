"""The pattern of a composite op, derived from its expansion.

The op is expanded for an example of its own, and once more with other sizes and other numbers for
its attributes. What is the same both times belongs to the pattern; a constant that follows an
attribute tells its value, and one that follows the size of a reduced axis is that size.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast

from dxir.errors import DxirError
from dxir.examples import Example, Sample
from dxir.graph import Function, Module, Value, building
from dxir.locations import NOWHERE, at
from dxir.lowering import lower_module
from dxir.making import several
from dxir.op import Composite, composite_name
from dxir.pattern.arithmetic import ADD, MULTIPLY, SUBTRACT, Product, Total
from dxir.pattern.expansion import Formula, Part, read_formula
from dxir.pattern.forms import Count, Elementwise, Number, Pattern, Var
from dxir.pattern.opposites import DIVIDE, NEGATE, InvSqrt, Minus, Over
from dxir.pattern.rule import Match, Rule
from dxir.pattern.tensors import Reduce
from dxir.pattern.view import Maker
from dxir.reading import attributes_of
from dxir.types import TensorType, f32

_AXES = ("axis", "axes")
_SIZES = (7, 11, 13, 17, 19)
_COMMUTES = frozenset(f"stablehlo.{name}" for name in ("maximum", "minimum", "and", "or", "xor"))


def derived_rules(op: type[Composite]) -> tuple[Rule, ...]:
    """The rules that find an op in programs that spell it as its expansion does.

    There is one for each choice of operands and of attributes that are no numbers, as far as the
    examples of the op show them. Only ops whose operands and result have one shape can be derived,
    made of elementwise ops and reductions along an attribute `axis` or `axes`. Raises DxirError
    that says what stands against it for others: write their `Rule` by hand.
    """
    found = [_derived(op, example) for example in _examples(op)]
    if not found:
        raise _refused(op, "it has no example of f32 tensors of several elements")
    found.sort(key=lambda one: -len(one.operands))
    return tuple([_rule(op, one) for one in found])


def _rule(op: type[Composite], derived: _Derived) -> Rule:
    return Rule(
        op.op,
        (derived.pattern,),
        operands=derived.operands,
        where=lambda match: _misfit(match, derived),
        attributes=lambda match: _attributes(match, derived),
        composite=composite_name(op.op),
    )


class _Derived(NamedTuple):
    """A pattern with what its composite says: fixed attributes, captured numbers, axes."""

    pattern: Pattern
    operands: tuple[str, ...]
    fixed: Mapping[str, object]
    numbers: tuple[str, ...]
    axis: str
    """The attribute that names the reduced axis; empty where nothing is reduced."""


def _refused(op: type[Composite], why: str) -> DxirError:
    return DxirError(
        f"no pattern can be derived for {op.op}: {why}",
        hint="write a Rule for it by hand, with the pattern language of dxir.pattern",
    )


def _examples(op: type[Composite]) -> list[Example]:
    """An example of f32 for each set of operands and attributes that are no numbers."""
    found: dict[tuple[object, ...], Example] = {}
    for example in op.examples:
        given = {n: _type(v) for n, v in example.arguments.items() if _is_operand(op, n)}
        usable = all(
            t is not None and t.dtype == f32 and t.shape and all(s > 1 for s in t.static_shape)
            for t in given.values()
        )
        if usable:
            kinds = [(n, v) for n, v in example.arguments.items() if isinstance(v, str | bool)]
            found.setdefault((*given, *kinds), example)
    return list(found.values())


def _is_operand(op: type[Composite], name: str) -> bool:
    return any(f.name == name and f.kind in ("operand", "optional") for f in op.fields)


def _type(value: object) -> TensorType | None:
    if isinstance(value, Sample):
        return value.type
    return value if isinstance(value, TensorType) else None


def _derived(op: type[Composite], example: Example) -> _Derived:
    types = {n: _type(v) for n, v in example.arguments.items() if _is_operand(op, n)}
    attributes = {n: v for n, v in example.arguments.items() if not _is_operand(op, n)}
    known = cast(dict[str, TensorType], types)
    first = _expanded(op, known, attributes)
    floats = {n: v for n, v in first.attributes.items() if type(v) is float}
    other = {n: v * 0.75 + 0.01 for n, v in floats.items()}
    second = _expanded(op, _resized(known), {**attributes, **other})
    if first.formula.shape != second.formula.shape:
        raise _refused(op, "its expansion is another one for other sizes or numbers")
    builder = _Builder(op, first, second, floats, other)
    pattern = builder.pattern(first.formula.root)
    axis = next((name for name in _AXES if name in first.attributes), "")
    if first.formula.axes and (not axis or len(first.formula.axes) > 1):
        raise _refused(op, "it reduces axes that no attribute `axis` or `axes` names")
    fixed = {n: v for n, v in first.attributes.items() if n not in builder.named and n != axis}
    return _Derived(pattern, tuple(known), fixed, tuple(builder.named), axis)


class _Expanded(NamedTuple):
    formula: Formula
    attributes: Mapping[str, Any]


def _expanded(
    op: type[Composite], types: Mapping[str, TensorType], attributes: Mapping[str, Any]
) -> _Expanded:
    function = Function("main", list(types.values()))
    values: dict[str, Value] = dict(zip(types, function.params, strict=True))
    try:
        with building(function), at(NOWHERE):
            built = op.build(**values, **attributes)
            function.seal(several(built))
        node = function.nodes[-1]
        module = lower_module(Module([function]))
        formula = read_formula(module, composite_name(op.op), tuple(types))
    except DxirError as error:
        raise _refused(op, error.message) from None
    return _Expanded(formula, {k: v for k, v in node.attrs.items() if v is not None})


def _resized(types: Mapping[str, TensorType]) -> dict[str, TensorType]:
    sizes: dict[int, int] = {}
    fresh = itertools.chain(_SIZES, itertools.count(23, 2))
    found: dict[str, TensorType] = {}
    for name, type in types.items():
        shape = [
            sizes[s] if s in sizes else sizes.setdefault(s, next(fresh)) for s in type.static_shape
        ]
        found[name] = TensorType(tuple(shape), type.dtype)
    return found


class _Builder:
    """Patterns of the parts of a formula; a part met twice is one pattern."""

    def __init__(
        self,
        op: type[Composite],
        first: _Expanded,
        second: _Expanded,
        floats: Mapping[str, float],
        other: Mapping[str, float],
    ) -> None:
        self.op = op
        self.named: dict[str, None] = {}
        self._first, self._second = first.formula, second.formula
        self._floats, self._other = floats, other
        self._known: dict[int, Pattern] = {}

    def pattern(self, part: Part) -> Pattern:
        """The pattern of a part."""
        known = self._known.get(part.number)
        if known is None:
            known = self._known[part.number] = self._built(part)
        return known

    def _built(self, part: Part) -> Pattern:
        if part.kind == "value":
            return Var(part.name)
        if part.kind == "number":
            return self._number(part)
        if part.kind == "reduce":
            return Reduce(part.name, self.pattern(part.parts[0]), part.axis)
        inner = [self.pattern(p) for p in part.parts]
        make = _ARITHMETIC.get(part.name)
        if make is not None:
            return make(inner)
        where = None if not part.attributes else _says(part.attributes)
        return Elementwise((part.name,), *inner, commutes=part.name in _COMMUTES, where=where)

    def _number(self, part: Part) -> Pattern:
        before, after = self._first.numbers[part.number], self._second.numbers[part.number]
        if _near(before, after):
            return Number(before)
        for name, value in self._floats.items():
            if _near(before, value) and _near(after, self._other[name]):
                self.named[name] = None
                return Number(name=name)
        for axis, size in self._first.axes.items():
            if (before, after) == (size, self._second.axes[axis]):
                return Count(axis)
        raise _refused(
            self.op, f"its constant {before:g} is neither fixed nor an attribute's value"
        )


_ARITHMETIC: dict[str, Callable[[list[Pattern]], Pattern]] = {
    MULTIPLY: lambda parts: Product(*parts),
    DIVIDE: lambda parts: Product(parts[0], Over(parts[1])),
    ADD: lambda parts: Total(*parts),
    SUBTRACT: lambda parts: Total(parts[0], Minus(parts[1])),
    NEGATE: lambda parts: Minus(parts[0]),
    "stablehlo.rsqrt": lambda parts: InvSqrt(parts[0]),
}


def _near(a: float, b: float) -> bool:
    return a == b or abs(a - b) <= 1e-6 * max(abs(a), abs(b))


def _says(attributes: Mapping[str, object]) -> Callable[[Maker], str | None]:
    def where(maker: Maker) -> str | None:
        if attributes_of(maker.op) == attributes:
            return None
        return f"the attributes of {maker.name} are others"

    return where


def _misfit(match: Match, derived: _Derived) -> str | None:
    """Why the operands are not those of the op: they are read as the result is, and reduced."""
    for name in derived.operands:
        if match.has(name) and match.access(name) != match.result:
            return f"{name} is not laid out as the result"
    if derived.axis:
        dims = match.dims(derived.operands[0], "axis")
        single = derived.axis == "axis"
        if not dims or (single and len(dims) != 1):
            return f"it is not along {'one axis' if single else 'axes'} of {derived.operands[0]}"
    return None


def _attributes(match: Match, derived: _Derived) -> dict[str, object]:
    found = dict(derived.fixed)
    for name in derived.numbers:
        number = match.number(name)
        if number is not None:
            found[name] = number
    dims = match.dims(derived.operands[0], "axis") if derived.axis else None
    if dims:
        found[derived.axis] = dims[0] if derived.axis == "axis" else dims
    return found
