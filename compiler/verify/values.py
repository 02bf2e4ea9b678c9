"""Where values come from, as rules about numbers ask: through layouts, conversions and calls."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from dxir.errors import DxirError
from dxir.mlir import IrOperation, IrValue, ir
from dxir.pattern.numbers import NUMERIC, number_of
from dxir.pattern.view import CALLS, CONVERT, LAYOUT, Maker, Scope, Seen, View
from dxir.reading import attributes_of, maker_of
from dxir.types import DType

_MOST_OPS = 60  # that are looked at to tell what a value is made of
_DEEPEST = 8
_MOST_COMPUTED = 6  # ops by which numbers are computed from numbers

MOVES = LAYOUT | frozenset(
    f"stablehlo.{name}"
    for name in ("slice", "reverse", "gather", "dynamic_slice", "concatenate", "pad", "broadcast")
) - {CONVERT}  # fmt: skip
"""The ops whose results hold elements of their operands."""

_BOUNDED = frozenset(
    f"stablehlo.{name}"
    for name in ("tanh", "logistic", "sine", "cosine", "sign", "log", "log_plus_one", "is_finite")
) | {"chlo.erf", "chlo.erfc"}
_NOT_NEGATIVE = frozenset(
    f"stablehlo.{name}" for name in ("abs", "exponential", "logistic", "sqrt", "rsqrt")
) | {"chlo.square", "chlo.erfc"}


class Here(NamedTuple):
    """A value where it stands: in the function, or inside of a call that is looked into."""

    value: IrValue
    scope: Scope | None = None


class Made(NamedTuple):
    """The op that makes a value, below its layout, and where that op stands."""

    maker: Maker
    scope: Scope | None

    @property
    def name(self) -> str:
        """The name of the op."""
        return self.maker.name

    @property
    def op(self) -> IrOperation:
        """The op."""
        return self.maker.op

    def input(self, position: int) -> Here:
        """An operand of the op."""
        return Here(self.maker.operands[position], self.scope)

    @property
    def inputs(self) -> list[Here]:
        """The operands of the op."""
        return [Here(value, self.scope) for value in self.maker.operands]


class Values:
    """What makes the values of a module, read once each; of no use after the module changed."""

    def __init__(self, module: ir.Module) -> None:
        self.view = View(module)
        self._made: dict[Here, Made | None] = {}
        self._computed: dict[Here, bool] = {}
        self._varies: dict[Here, bool] = {}
        self._bounded: dict[Here, bool] = {}

    def made(self, here: Here) -> Made | None:
        """The op that makes a value, seen through layout, conversions and calls."""
        try:
            return self._made[here]
        except KeyError:
            pass
        levels = self.view.levels(*here)
        maker, scope = levels[-1] if levels else (None, None)
        found = None
        if maker is not None and maker.name not in LAYOUT and maker.name not in CALLS:
            found = Made(maker, scope)
        self._made[here] = found
        return found

    def made_by(self, here: Here, *names: str) -> Made | None:
        """The op that makes a value, if it is of one of these names."""
        found = self.made(here)
        return found if found is not None and found.name in names else None

    def number(self, here: Here) -> float | None:
        """The number that a value is in every element."""
        if not self._is_computed(here, 0):
            return None
        found = number_of(self.view, Seen(here.value, (), here.scope))
        return None if found is None else found[0]

    def _is_computed(self, here: Here, depth: int) -> bool:
        """Whether a value is made of constants alone, by ops that make numbers of numbers."""
        known = self._computed.get(here)
        if known is None:
            made = self.made(here)
            name = "" if made is None else made.maker.name
            if made is None or name not in NUMERIC or depth > _MOST_COMPUTED:
                known = False
            else:
                known = name == "stablehlo.constant" or all(
                    self._is_computed(each, depth + 1) for each in made.inputs
                )
            if depth <= _MOST_COMPUTED:
                self._computed[here] = known
        return known

    def pair(self, op: IrOperation | Made, number: float) -> Here | None:
        """The other operand of an op that has two, where one is that number."""
        one, other = op.inputs if isinstance(op, Made) else [Here(v) for v in op.operands]
        if self.number(one) == number:
            return other
        return one if self.number(other) == number else None

    def is_one(self, a: Here, b: Here, depth: int = 0) -> bool:
        """Whether two values are the same numbers, laid out in any way, or computed twice."""
        if a == b:
            return True
        one, other = self.made(a), self.made(b)
        if one is None or other is None:
            return self.root(a) == self.root(b)
        if one.maker.key == other.maker.key:
            return one.scope == other.scope
        if one.name != other.name or depth > _DEEPEST or len(one.op.regions):
            return False
        if one.name == "stablehlo.constant":
            number = self.number(a)
            return number is not None and number == self.number(b)
        if attributes_of(one.op) != attributes_of(other.op):
            return False
        return len(one.inputs) == len(other.inputs) > 0 and all(
            self.is_one(*both, depth + 1) for both in zip(one.inputs, other.inputs, strict=True)
        )

    def are_one(self, made: Made) -> bool:
        """Whether the two operands of an op are the same numbers."""
        one, other = made.inputs
        return self.is_one(one, other)

    def root(self, here: Here) -> Here:
        """The value that a value is, below its layout and outside of calls."""
        levels = self.view.levels(*here)
        if not levels:
            return here
        maker, scope = levels[-1]
        if maker.name not in LAYOUT:
            return here
        below = Here(maker.operands[0], scope)
        outside = self.view.given(*below)
        return below if outside is None else Here(*outside)

    def mask(self, here: Here) -> Here | None:
        """The truth values that a value holds as 0 and 1."""
        for maker, scope in self.view.levels(*here):
            if maker.name == CONVERT and is_bool(maker.operands[0]):
                return Here(maker.operands[0], scope)
        chosen = self.made_by(here, "stablehlo.select")
        if chosen is not None:
            numbers = {self.number(chosen.input(1)), self.number(chosen.input(2))}
            if numbers == {0.0, 1.0}:
                return chosen.input(0)
        return None

    def below(self, here: Here, most: int = _MOST_OPS) -> Iterator[Made | None]:
        """The ops that a value is computed by, nearest first; None for a value given from outside.

        After some ops it ends with None: there may be more.
        """
        pending, seen = [here], {here}
        for _ in range(most):
            if not pending:
                return
            at = pending.pop(0)
            found = self.made(at)
            yield found
            for each in () if found is None else found.inputs:
                if each not in seen:
                    seen.add(each)
                    pending.append(each)
        if pending:
            yield None

    def varies(self, here: Here) -> bool:
        """Whether a value may be another one for other arguments."""
        known = self._varies.get(here)
        if known is None:
            known = self._varies[here] = any(made is None for made in self.below(here))
        return known

    def is_bounded(self, here: Here, depth: int = 0) -> bool:
        """Whether a value cannot be large and positive, as far as can be told; if in doubt, so."""
        if depth > _DEEPEST or self.number(here) is not None:
            return True
        known = self._bounded.get(here)
        if known is None:
            made = self.made(here)
            known = made is not None and self._is_made_bounded(here, made, depth + 1)
            self._bounded[here] = known
        return known

    def _is_made_bounded(self, here: Here, made: Made, further: int) -> bool:
        inputs = made.inputs
        match made.name.partition(".")[2]:
            case "minimum":
                return any(self.is_bounded(each, further) for each in inputs)
            case "maximum" | "add" | "concatenate":
                return all(self.is_bounded(each, further) for each in inputs)
            case "clamp":
                return self.is_bounded(inputs[2], further)
            case "select":
                return all(self.is_bounded(each, further) for each in inputs[1:])
            case "negate":
                return self.is_not_negative(inputs[0], further)
            case "subtract":
                return self._is_shifted(made, further)
            case "multiply":
                return self._is_scaled(made, further)
            case "divide":
                number = self.number(inputs[1])
                return number is not None and self._times(inputs[0], number, further)
            case _:
                pass
        if made.name in MOVES:
            return self.is_bounded(inputs[0], further)
        return made.name in _BOUNDED or not self.varies(here)

    def _is_shifted(self, made: Made, depth: int) -> bool:
        less = made.input(1)
        if any(self.made_by(less, name) for name in ("stablehlo.reduce", "stablehlo.maximum")):
            return True
        if self._is_spread(less):
            return True
        return self.is_bounded(made.input(0), depth) and (
            self.is_not_negative(less, depth) or self.number(less) is not None
        )

    def _is_spread(self, here: Here) -> bool:
        """Whether a value is one for many elements, as a maximum that is taken from them."""
        first = next(iter(self.view.levels(*here)), None)
        return (
            first is not None
            and first[0].name.endswith("broadcast_in_dim")
            and self.number(here) is None
        )

    def _is_scaled(self, made: Made, depth: int) -> bool:
        for one, other in (made.inputs, made.inputs[::-1]):
            number = self.number(one)
            if number is not None:
                return self._times(other, number, depth)
        return False

    def _times(self, here: Here, number: float, depth: int) -> bool:
        if number < 0:
            return self.is_not_negative(here, depth)
        return self.is_bounded(here, depth)

    def is_not_negative(self, here: Here, depth: int = 0) -> bool:
        """Whether a value is 0 or more for certain."""
        made, number = self.made(here), self.number(here)
        if number is not None:
            return number >= 0
        if made is None or depth > _DEEPEST:
            return False
        if made.name in _NOT_NEGATIVE or is_unsigned(here.value) or self.mask(here) is not None:
            return True
        further = depth + 1
        match made.name.partition(".")[2]:
            case "multiply":
                return self.are_one(made) or self._all_positive(made.inputs, further)
            case "add" | "minimum" | "divide" | "concatenate":
                return self._all_positive(made.inputs, further)
            case "maximum":
                return any(self.is_not_negative(each, further) for each in made.inputs)
            case "clamp":
                return self.is_not_negative(made.input(0), further)
            case "select":
                return self._all_positive(made.inputs[1:], further)
            case _:
                pass
        return made.name in MOVES and self.is_not_negative(made.input(0), further)

    def _all_positive(self, each: list[Here], depth: int) -> bool:
        return all(self.is_not_negative(one, depth) for one in each)


def element(value: IrValue) -> str:
    """The element type of a tensor, as MLIR writes it; empty for other values."""
    type = value.type
    return str(type.element_type) if isinstance(type, ir.RankedTensorType) else ""


def is_bool(value: IrValue) -> bool:
    """Whether a tensor is of truth values."""
    type = value.type
    if not isinstance(type, ir.RankedTensorType):
        return False
    inner = type.element_type
    return isinstance(inner, ir.IntegerType) and inner.width == 1


def is_float(value: IrValue) -> bool:
    """Whether a tensor is of floats."""
    type = value.type
    return isinstance(type, ir.RankedTensorType) and isinstance(type.element_type, ir.FloatType)


def is_unsigned(value: IrValue) -> bool:
    """Whether a tensor is of unsigned integers, or of truth values."""
    type = value.type
    if not isinstance(type, ir.RankedTensorType):
        return False
    inner = type.element_type
    return isinstance(inner, ir.IntegerType) and (inner.is_unsigned or inner.width == 1)


def dtype_of(value: IrValue) -> DType | None:
    """The element type of a tensor; None for those dxir has no word for."""
    return dtype_named(element(value))


@cache
def dtype_named(name: str) -> DType | None:
    """The element type that MLIR writes so; None for those dxir has no word for."""
    try:
        return DType.of(name)
    except DxirError:
        return None


def sizes(value: IrValue) -> list[int] | None:
    """The sizes of a tensor; None where one is not known."""
    type = value.type
    if not isinstance(type, ir.RankedTensorType) or not type.has_static_shape:
        return None
    return list(type.shape)


def is_made_by(value: IrValue, name: str) -> bool:
    """Whether an op of that name makes a value, nothing looked through."""
    op = maker_of(value)
    return op is not None and op.name == name
