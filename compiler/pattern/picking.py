"""The forms of patterns that pick elements by their place: gathers, iotas, what is converted.

A gather is read as the value that it takes from, at the index variables that choose slices: where
an index is an iota it is the variable itself, and where it is any other value the dimension is an
axis of the pattern, along which that value picks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from dxir.mlir import IrValue, ir, stablehlo
from dxir.pattern.access import DYNAMIC, Access, Digits
from dxir.pattern.arithmetic import Total
from dxir.pattern.forms import Count, Either, Elementwise, Number, Pattern, made_by
from dxir.pattern.matcher import Matcher, Then
from dxir.pattern.seeds import Seeds, raised, rarest
from dxir.pattern.tensors import Reduce
from dxir.pattern.view import CONVERT, Maker, Seen
from dxir.reading import attribute

CONCATENATE, GATHER = "stablehlo.concatenate", "stablehlo.gather"
IOTA, SELECT = "stablehlo.iota", "stablehlo.select"
_MOST_PICKED = 4  # dimensions of one gather


class Iota(Pattern):
    """The index along an axis, which the pattern knows by a name."""

    names = frozenset((IOTA,))

    def __init__(self, axis: str) -> None:
        self.axis = axis

    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        found = m.cores(seen, self.names)
        if found is None:
            return m.miss(lambda: f"an iota should stand where {made_by(m, seen)} does")
        core, maker = found
        dim = attribute(maker.op, "iota_dimension")
        digits = core.access[dim.value] if isinstance(dim, ir.IntegerAttr) else ()
        known = m.axes.get(self.axis)
        if len(digits) != 1 or known not in (None, digits):
            return m.miss(f"an iota counts along another axis than {self.axis}")
        if known is None:
            m.put(m.axes, self.axis, digits)
        return then()


class Converted(Pattern):
    """A value of another kind converted: of integers, or of truth values (`i1`)."""

    names = frozenset((CONVERT,))

    def __init__(self, part: Pattern, accepts: Callable[[str], bool]) -> None:
        self.part, self.accepts = part, accepts

    def within(self) -> tuple[Pattern, ...]:
        return (self.part,)

    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        found = m.bottom(seen)
        if found is None or found[1].name != CONVERT:
            return m.miss(lambda: f"a conversion should stand where {made_by(m, seen)} does")
        core, maker = found
        operand = maker.operands[0]
        element = element_of(operand)
        if not self.accepts(element):
            return m.miss(f"what is converted is of {element}")
        m.settle(self, core)
        return m.match(self.part, core._replace(value=operand), then)


def is_truth(element: str) -> bool:
    """Whether an element type is that of truth values."""
    return element == "i1"


def is_integer(element: str) -> bool:
    """Whether an element type is of integers, signed or not."""
    return element.removeprefix("u").startswith("i") and not is_truth(element)


def element_of(value: IrValue) -> str:
    """The element type of a value, as MLIR writes it."""
    type = value.type
    return str(type.element_type) if isinstance(type, ir.RankedTensorType) else str(type)


class LastIndex(Count):
    """The greatest index along an axis that is known by then."""

    def wanted(self, m: Matcher) -> float | None:
        count = super().wanted(m)
        return None if count is None else count - 1


class Reading(NamedTuple):
    """How a gather reads what it takes from; None in `access` where an index decides."""

    access: list[Digits | None]
    picked: list[tuple[int, int]]
    """Dimensions where an index decides, each with the position of its index among the indices."""
    idle: list[int]
    """The positions of indices that decide nothing: there is but one slice."""
    indices: Access
    vector: int
    """The dimension of the indices along which they stand beside each other."""


class Taken(Pattern):
    """What a value has at an index along an axis: a gather of single elements along it.

    Other dimensions are whole, or batched: by the gather itself, or by an iota for an index.
    """

    names = frozenset((GATHER,))

    def __init__(self, source: Pattern, index: Pattern, axis: str) -> None:
        self.source, self.index, self.axis = source, index, axis
        self._places = [f"{axis}.{i}" for i in range(_MOST_PICKED)]
        self._iotas = [wrapped(Iota(name), name) for name in self._places]

    def within(self) -> tuple[Pattern, ...]:
        return (self.source, self.index)

    def seeds(self) -> Seeds | None:
        return rarest([dict.fromkeys(self.names, 0), raised(self.source.seed(), 1)])

    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        found = m.cores(seen, self.names)
        if found is None:
            return m.miss(lambda: f"a gather should stand where {made_by(m, seen)} does")
        core, maker = found
        reading = reading_of(m, core, maker)
        if reading is None or not 0 < len(reading.picked) <= _MOST_PICKED:
            return m.miss("a gather takes more than one element along a dimension")
        if not _claims_idle(m, core, maker, reading):
            return m.miss("a gather has an index that decides nothing")
        m.settle(self, core)
        choices = reversed(range(len(reading.picked)))
        return any(
            m.attempt(partial(self._along, m, core, maker, reading, chosen, then))
            for chosen in choices
        )

    def _along(
        self, m: Matcher, seen: Seen, maker: Maker, reading: Reading, chosen: int, then: Then
    ) -> bool:
        dim, position = reading.picked[chosen]
        size = (m.view.shape(maker.operands[0]) or [])[dim]
        index = component(m, seen, maker, reading, position)
        digits = m.axes.get(self.axis)
        if digits is None:
            digits = m.frame.variable(size)
            m.put(m.axes, self.axis, digits)
        if index is None or len(digits) != 1 or digits[0][2] != size:
            return m.miss(f"a gather picks along another axis than {self.axis}")
        access = list(reading.access)
        access[dim] = digits

        def source() -> bool:
            return m.match(self.source, read(seen, maker, access), then)

        others = [pick for i, pick in enumerate(reading.picked) if i != chosen]
        return self._batched(
            m, seen, maker, reading._replace(access=access, picked=others),
            lambda: m.match(self.index, index, source),
        )  # fmt: skip

    def _batched(self, m: Matcher, seen: Seen, maker: Maker, reading: Reading, then: Then) -> bool:
        """Match the indices that are iotas, and read their dimensions by what these count."""
        if not reading.picked:
            return then()
        (dim, position), rest = reading.picked[0], reading.picked[1:]
        name, iota = self._places[len(rest)], self._iotas[len(rest)]
        index = component(m, seen, maker, reading, position)
        size = (m.view.shape(maker.operands[0]) or [])[dim]

        def counted() -> bool:
            digits = m.axes[name]
            if digits[0][2] != size:
                return m.miss("an iota counts along a dimension of another size")
            reading.access[dim] = digits
            return self._batched(m, seen, maker, reading._replace(picked=rest), then)

        return index is not None and m.match(iota, index, counted)


class Filled(Pattern):
    """What is taken at an index, and another value where the index is out of bounds."""

    names = frozenset((SELECT,))

    def __init__(self, taken: Pattern, index: Pattern, axis: str, fill: Pattern) -> None:
        self.taken, self.fill = taken, fill
        inside = Elementwise(
            ("stablehlo.and",),
            _compare("GE", index, Number(0.0)),
            _compare("LE", index, LastIndex(axis)),
            commutes=True,
        )
        self._inside = Either(Reduce("and", inside, f"{axis}.indices"), inside)

    def within(self) -> tuple[Pattern, ...]:
        return (self._inside, self.taken, self.fill)

    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        found = m.cores(seen, self.names)
        if found is None:
            return m.miss(lambda: f"a select should stand where {made_by(m, seen)} does")
        core, maker = found
        inside, taken, fill = (m.operand(core, maker, i) for i in range(3))
        # The taken value comes first: what the bounds must be is known by its axis.
        return m.match(
            self.taken,
            taken,
            lambda: m.match(self._inside, inside, lambda: m.match(self.fill, fill, then)),
        )


class Squeezed(Pattern):
    """A value without a dimension of size 1, of which a gather takes the only element there is."""

    names = frozenset((GATHER, SELECT))

    def __init__(self, part: Pattern) -> None:
        self.part = part
        one, self._only = Number(1.0), _Only(part)
        self._kept = Elementwise(
            (SELECT,), Either(Reduce("and", one, "squeezed"), one), self._only, Number()
        )

    def within(self) -> tuple[Pattern, ...]:
        return (self._kept,)

    def seeds(self) -> Seeds | None:
        return rarest([{GATHER: 1}, raised(self.part.seed(), 2)])

    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        return m.match(self._kept, seen, then) or m.match(self._only, seen, then)


class _Only(Pattern):
    """The gather of a squeezed value."""

    names = frozenset((GATHER,))

    def __init__(self, part: Pattern) -> None:
        self.part = part

    def within(self) -> tuple[Pattern, ...]:
        return (self.part,)

    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        found = m.cores(seen, self.names)
        if found is None:
            return m.miss(lambda: f"a gather should stand where {made_by(m, seen)} does")
        core, maker = found
        reading = reading_of(m, core, maker)
        if reading is None or reading.picked or not _claims_idle(m, core, maker, reading):
            return m.miss("a gather chooses among elements")
        return m.match(self.part, read(core, maker, reading.access), then)


def wrapped(index: Pattern, axis: str, *, name: str = "", labels: Sequence[str] = ()) -> Pattern:
    """An index that counts from the end where it is negative, or is clamped; or as it is."""
    count, first = Count(axis), Number(0.0)
    return Either(
        Elementwise((SELECT,), _compare("LT", index, first), Total(index, count), index),
        Elementwise(("stablehlo.clamp",), first, index, LastIndex(axis)),
        index,
        name=name,
        labels=labels,
    )


def _compare(direction: str, a: Pattern, b: Pattern) -> Pattern:
    def other(maker: Maker) -> str | None:
        found = stablehlo.ComparisonDirectionAttr(maker.op.attributes["comparison_direction"]).value
        return None if found == direction else f"a comparison is {found}, not {direction}"

    return Elementwise(("stablehlo.compare",), a, b, where=other)


def reading_of(m: Matcher, seen: Seen, maker: Maker) -> Reading | None:
    """How a gather reads what it takes from; None where it takes parts of a dimension."""
    shape, places = (m.view.shape(value) for value in maker.operands)
    if shape is None or places is None or DYNAMIC in shape:
        return None
    dims = stablehlo.GatherDimensionNumbers(maker.op.attributes["dimension_numbers"])
    slices, vector = maker.numbers("slice_sizes"), dims.index_vector_dim
    offset, collapsed = set(dims.offset_dims), set(dims.collapsed_slice_dims)
    batch = iter([part for d, part in enumerate(seen.access) if d not in offset])
    around = iter([part for d, part in enumerate(seen.access) if d in offset])
    at: list[Digits] = [() if d == vector else next(batch) for d in range(len(places))]
    shared = dict(zip(dims.operand_batching_dims, dims.start_indices_batching_dims, strict=True))
    starts = list(dims.start_index_map)
    reading = Reading([], [], [], tuple(at), vector)
    for d, size in enumerate(shape):
        part: Digits | None = at[shared[d]] if d in shared else ()
        if d not in shared and d not in collapsed:
            part = next(around)
        if d not in shared and slices[d] != size:
            if slices[d] != 1 or d not in starts:
                return None
            part = None
            reading.picked.append((d, starts.index(d)))
        elif d in starts:
            reading.idle.append(starts.index(d))
        reading.access.append(part)
    return reading


def read(seen: Seen, maker: Maker, access: Sequence[Digits | None]) -> Seen:
    """What a gather takes from, as it is read."""
    return seen._replace(value=maker.operands[0], access=tuple([part or () for part in access]))


def component(m: Matcher, seen: Seen, maker: Maker, reading: Reading, position: int) -> Seen | None:
    """One of the indices of a gather; claims the op that puts them beside each other."""
    indices = maker.operands[1]
    shape = m.view.shape(indices) or []
    if reading.vector >= len(shape) or shape[reading.vector] == 1:
        return seen._replace(value=indices, access=reading.indices)
    beside = m.view.maker(indices)
    if beside is None or beside.name != CONCATENATE:
        return None
    dim = attribute(beside.op, "dimension")
    sizes = {(m.view.shape(value) or [])[reading.vector] for value in beside.operands}
    if not isinstance(dim, ir.IntegerAttr) or dim.value != reading.vector or sizes != {1}:
        return None
    m.claim(beside, seen.scope)
    return seen._replace(value=beside.operands[position], access=reading.indices)


def _claims_idle(m: Matcher, seen: Seen, maker: Maker, reading: Reading) -> bool:
    """Whether the indices that decide nothing are numbers, so that they belong to the match."""
    found = [component(m, seen, maker, reading, position) for position in reading.idle]
    return all(index is not None and m.number(index) is not None for index in found)
