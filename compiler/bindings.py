"""Which sizes the dynamic dimensions of parameters have, given the shapes of arguments.

A name has one size wherever it stands, and a dimension such as `2*b` the one that follows from the
names in it; `?` may be any size. StableHLO leaves open what a program gives otherwise, so this is
checked before anything runs.
"""

from __future__ import annotations

import difflib
import operator
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from dxir.errors import ArgumentError
from dxir.expressions import Expression, told_by_jax
from dxir.graph import Function, Region
from dxir.symbols import collect_functions
from dxir.types import Dim, TensorType, Type, shape_text

Shape = tuple[int, ...]

_DIMS = "dxir.dims"


@dataclass(frozen=True, slots=True)
class _Place:
    """A dynamic dimension of a parameter; `expression` is None for `?`."""

    parameter: int
    axis: int
    bound: int | None
    expression: Expression | None
    label: str

    def __str__(self) -> str:
        return f"axis {self.axis} of {self.label}"


class Bindings:
    """The dynamic dimensions of parameters, each given as what it is called and its type."""

    def __init__(self, parameters: Sequence[tuple[str, Type]]) -> None:
        self._types = [type for _, type in parameters]
        self._labels = [label for label, _ in parameters]
        self._places: list[_Place] = []
        for position, (label, type) in enumerate(parameters):
            for axis, d in enumerate(type.shape if isinstance(type, TensorType) else ()):
                if isinstance(d, Dim):
                    named = None if d.name == "?" else Expression(d.name)
                    self._places.append(_Place(position, axis, d.bound, named, label))

    @property
    def dynamic(self) -> tuple[int, ...]:
        """The positions of the parameters that have dynamic dimensions."""
        return tuple(sorted({place.parameter for place in self._places}))

    @property
    def names(self) -> tuple[str, ...]:
        """The names that sizes can be given to, sorted."""
        found = [e for p in self._places if (e := p.expression) is not None]
        return tuple(sorted({n for e in found for n in e.names or (e.text,)}))

    @property
    def derived(self) -> Mapping[str, str]:
        """For each name that another dimension follows from, where that is."""
        return {
            name: f"{place}, {e.text},"
            for place in self._places
            if (e := place.expression) is not None and not e.is_name
            for name in e.names
        }

    def axes(self, names: Container[str]) -> list[dict[int, str]]:
        """For each parameter, its axes that are called by one of these names, and the names."""
        found: list[dict[int, str]] = [{} for _ in self._types]
        for place in self._places:
            if place.expression is not None and place.expression.text in names:
                found[place.parameter][place.axis] = place.expression.text
        return found

    def bound(self, name: str) -> int | None:
        """The largest size that a name can have, where one is promised."""
        bounds = [p.bound for p in self._places if p.expression and p.expression.text == name]
        return min((b for b in bounds if b is not None), default=None)

    def check(self, shapes: Sequence[Shape]) -> None:
        """Refuse shapes, one for each parameter and of its rank, in which a name has two sizes.

        Raises ArgumentError naming the dimension, both parameters and the sizes.
        """
        seen: dict[str, tuple[int, _Place]] = {}
        derived: list[tuple[int, _Place, Expression]] = []
        for place in self._places:
            size = shapes[place.parameter][place.axis]
            if place.bound is not None and size > place.bound:
                raise ArgumentError(
                    f"{place} is at most {place.bound}, and the argument has {size} there"
                )
            expression = place.expression
            if expression is None:
                continue
            known, first = seen.setdefault(expression.text, (size, place))
            if known != size:
                raise ArgumentError(
                    f"the dimension {expression.text} is {known} by {first}, and {size} by {place}",
                    hint="dimensions of one name have the same size",
                )
            if not expression.is_name:
                derived.append((size, place, expression))
        sizes = {text: size for text, (size, _) in seen.items()}
        for size, place, expression in derived:
            value = expression.value(sizes)
            if value is not None and value != size:
                told = " and ".join(f"{n} is {sizes[n]} by {seen[n][1]}" for n in expression.names)
                raise ArgumentError(
                    f"{place} is {expression.text}, which is {value}, "
                    f"and the argument has {size} there",
                    hint=told or None,
                )

    def shapes(
        self, sizes: Mapping[str, int], given: Mapping[int, Sequence[int | None]]
    ) -> list[Shape]:
        """The shapes of all parameters, from sizes of names and shapes of some parameters.

        Raises ArgumentError for what does not fit and for a dimension that gets no size.
        """
        self._check_names(sizes)
        found: list[list[int | None]] = []
        for position, type in enumerate(self._types):
            dims = type.shape if isinstance(type, TensorType) else ()
            known = given.get(position, (None,) * len(dims))
            if len(known) != len(dims) or any(
                isinstance(d, int) and k not in (None, d) for d, k in zip(dims, known, strict=True)
            ):
                raise ArgumentError(
                    f"{self._labels[position]} has type {type}, and cannot have the shape "
                    f"{shape_text(known)}"
                )
            found.append([d if isinstance(d, int) else k for d, k in zip(dims, known, strict=True)])
        named = {name: operator.index(size) for name, size in sizes.items()}
        for place in self._places:
            size = found[place.parameter][place.axis]
            if size is not None and place.expression is not None and place.expression.is_name:
                named.setdefault(place.expression.text, size)
        for place in self._places:
            self._fill(place, named, found)
        shapes = [tuple([-1 if s is None else s for s in shape]) for shape in found]
        self.check(shapes)
        return shapes

    def _fill(self, place: _Place, sizes: Mapping[str, int], found: list[list[int | None]]) -> None:
        expression = place.expression
        value = None if expression is None else sizes.get(expression.text)
        if expression is not None and value is None:
            value = expression.value(sizes)
        size = found[place.parameter][place.axis]
        if size is None and value is None:
            said = "" if expression is None else f", {expression.text},"
            raise ArgumentError(
                f"{place}{said} has no size",
                hint=f"give sizes to {', '.join(self.names)}"
                if expression is not None
                else "it has no name: give the shape of the parameter",
            )
        if size is not None and value is not None and size != value:
            raise ArgumentError(f"{place} is {value} by the sizes given, and {size} by the shape")
        if (size if size is not None else value or 0) < 0:
            raise ArgumentError(f"{place} cannot be {value if size is None else size}")
        found[place.parameter][place.axis] = value if size is None else size

    def _check_names(self, sizes: Mapping[str, int]) -> None:
        known = self.names
        for name, size in sizes.items():
            if name not in known:
                self._unknown(name, known)
            if as_size(size) is None:
                raise ArgumentError(
                    f"the dimension {name} is given the size {size!r}",
                    hint="a size is an integer >= 0",
                )

    @staticmethod
    def _unknown(name: str, known: Sequence[str]) -> NoReturn:
        near = difflib.get_close_matches(name, known, n=1)
        there = f"there are {', '.join(known)}" if known else "none of them has a name"
        raise ArgumentError(
            f"no dimension is called {name!r}",
            hint=f"did you mean {near[0]!r}?" if near else there,
        )


def as_size(given: object) -> int | None:
    """The size that an object gives; None for what is no integer, or a negative one."""
    if isinstance(given, bool):
        return None
    size: Any = given  # `index` refuses what it does not know
    try:
        found = operator.index(size)
    except TypeError:
        return None
    return found if found >= 0 else None


def given_shapes(
    shapes: Mapping[str | int, Any] | Sequence[Any], names: Sequence[str | None]
) -> dict[int, Sequence[int | None]]:
    """Shapes of parameters by position, from shapes by name or position, or in order.

    A shape is a tuple of sizes, None where one is left open, or something that has a `shape`; None
    in a sequence passes over a parameter. Raises ArgumentError.
    """
    pairs = shapes.items() if isinstance(shapes, Mapping) else enumerate(shapes)
    found: dict[int, Sequence[int | None]] = {}
    for key, shape in pairs:
        if shape is None:
            continue
        position = names.index(key) if isinstance(key, str) and key in names else key
        if not isinstance(position, int) or not 0 <= position < len(names):
            known = ", ".join(n for n in names if n)
            raise ArgumentError(
                f"there is no parameter {key!r} to give a shape",
                hint=f"there are {len(names)}" + (f": {known}" if known else ""),
            )
        given: Any = getattr(shape, "shape", shape)
        try:
            found[position] = [None if s is None else operator.index(s) for s in given]
        except TypeError:
            raise ArgumentError(
                f"{shape!r} is not a shape",
                hint="a shape is a tuple of sizes, or something that has a shape",
            ) from None
    return found


def with_names(type: TensorType, names: Sequence[str | None]) -> TensorType:
    """The type with its `?` dimensions called as told, one name for each dimension."""
    if type.is_static or len(names) != type.rank:
        return type
    return TensorType(
        [
            Dim(name, d.bound) if isinstance(d, Dim) and d.name == "?" and name else d
            for d, name in zip(type.shape, names, strict=True)
        ],
        type.dtype,
        type.axis_names,
    )


def named_types(function: Function) -> tuple[Type, ...]:
    """The types of a function's parameters, with the names of dimensions that it tells elsewhere.

    Graphs of programs have these in `dxir.dims` of a parameter, or in JAX's shape assertions.
    """
    types = tuple([p.type for p in function.params])
    dynamic = [i for i, t in enumerate(types) if isinstance(t, TensorType) and not t.is_static]
    told: dict[int, Sequence[str | None]] = {
        i: names
        for i in dynamic
        if isinstance(names := function.param_annotations[i].get(_DIMS), tuple)
    }
    if dynamic and not told:
        by_jax = told_by_jax(_messages(function))
        told = dict(zip(dynamic, by_jax, strict=True)) if len(by_jax) == len(dynamic) else {}
    return tuple(
        [
            with_names(t, told[i]) if i in told and isinstance(t, TensorType) else t
            for i, t in enumerate(types)
        ]
    )


def _messages(function: Function) -> list[str]:
    """What the custom calls in a function, and in those it calls, say when they fail."""
    found: list[str] = []
    pending: list[Region] = [*collect_functions([function])]
    while pending:
        for node in pending.pop(0).nodes:
            said = (node.annotations or {}).get("error_message")
            if isinstance(said, str):
                found.append(said)
            pending += node.regions
    return found
