"""The shapes that a function's arguments are to have: as written, and as they follow from names.

`x=3x4;y=5` gives arguments shapes by name, by position (`1=5`), or in order (`3x4;5`, where an
empty entry passes over an argument). `scalar` is the shape of rank 0, `?` a dimension left open,
and `tensor<3x4xf32>` will do as well as `3x4`.
"""

from __future__ import annotations

import itertools
import operator
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dxir.diagnostics import where_of
from dxir.errors import PassError
from dxir.locations import caller_location
from dxir.mlir import IrLocation, IrOperation, IrType, IrValue, ir, stablehlo
from dxir.passes.shapes.symbols import LARGEST, Expression, expressions_of
from dxir.reading import function_name, functions, is_dynamic, symbol

_SHAPE = re.compile(r"(?:(?:\d+|\?)(?:x(?:\d+|\?))*)?")
_TENSOR = re.compile(r"tensor<((?:(?:\d+|\?)x)*)([^x].*)>")


ShapeLike = Any
"""A shape: sizes, None where left open; or anything that has a `shape`, an array, say."""


def shapes_text(shapes: Mapping[str | int, ShapeLike] | Sequence[ShapeLike]) -> str:
    """Shapes by name or position, or in order (None passes over one), as text."""
    if isinstance(shapes, Mapping):
        return ";".join(f"{key}={_shape_text(shape)}" for key, shape in shapes.items())
    return ";".join("" if shape is None else _shape_text(shape) for shape in shapes)


def _shape_text(shape: ShapeLike) -> str:
    given: Any = getattr(shape, "shape", shape)
    try:
        sizes = ["?" if s is None else operator.index(s) for s in given]
    except TypeError:
        raise PassError(
            f"{shape!r} is not a shape",
            where=caller_location(),
            hint="a shape is a tuple of sizes, or something that has a shape",
        ) from None
    return "x".join(map(str, sizes)) or "scalar"


@dataclass(slots=True)
class Argument:
    """An argument of the function: its dimensions, None where dynamic, and what sizes they get.

    `expressions` says what names a dimension is made of, where the module tells.
    """

    position: int
    name: str | None
    type: IrType
    expressions: Sequence[Expression | None] = ()
    dimensions: list[int | None] = field(default_factory=list)
    bounds: Sequence[int | None] = ()

    @property
    def is_tensor(self) -> bool:
        return isinstance(self.type, ir.RankedTensorType)

    def __str__(self) -> str:
        name = f"{self.name}: " if self.name else ""
        return f"argument {self.position} ({name}{self.type})"


class Arguments:
    """The arguments of a function, and the sizes their dynamic dimensions are given."""

    def __init__(self, module: ir.Module, function: IrOperation) -> None:
        self.function = function
        self._label = f"@{function_name(function)}"
        block = function.regions[0].blocks[0]
        callees = {function_name(f): f for f in functions(module)}
        self.all = [_argument(i, value, callees) for i, value in enumerate(block.arguments)]
        for argument, found in zip(self.all, expressions_of(module, function), strict=True):
            argument.expressions = found
        self.names = sorted(
            {n for a in self.all for e in a.expressions if e is not None for n in e.names}
        )
        self._sizes: dict[str, int] = {}
        self._from: dict[str, str] = {}

    @property
    def are_bounded(self) -> bool:
        """Whether an argument has a dimension with a bound."""
        return any(bound is not None for a in self.all for bound in a.bounds)

    def give(self, shapes: str, dims: Iterable[str]) -> None:
        """Take in shapes and sizes as written; PassError for what does not fit."""
        for written in dims:
            name, _, size = (part.strip() for part in written.partition("="))
            if not size.isdecimal():
                raise self._error(
                    f"{written!r} gives no size", "write dims=name=size, with whole numbers"
                )
            if int(size) > LARGEST:
                raise self._error(f"no dimension is as large as {written}")
            if name not in self.names:
                raise self._unknown_dimension(name)
            self._bind(name, int(size), "dims")
        given: set[int] = set()
        for argument, shape in self._read(shapes):
            if argument.position in given:
                raise self._error(f"{argument} is given two shapes")
            given.add(argument.position)
            self._give(argument, shape)
        self._follow()

    def types(self, *, partial: bool) -> list[IrType]:
        """The types the arguments get; PassError for a dimension without a size.

        With `partial`, such an argument keeps its type.
        """
        found: list[IrType] = []
        for argument in self.all:
            type = argument.type
            if not isinstance(type, ir.RankedTensorType) and is_dynamic(type) and not partial:
                raise self._error(
                    f"{argument} has dynamic dimensions, and is no tensor",
                    "pass the parts of the tuple as arguments of their own",
                )
            if not isinstance(type, ir.RankedTensorType) or type.has_static_shape:
                found.append(type)
                continue
            sizes = [s for s in argument.dimensions if s is not None]
            if len(sizes) < len(argument.dimensions):
                if not partial:
                    raise self._without_size(argument)
                found.append(type)
                continue
            with type.context:
                found.append(
                    ir.RankedTensorType.get(sizes, type.element_type, loc=ir.Location.unknown())
                )
        return found

    def _read(self, shapes: str) -> list[tuple[Argument, list[int | None]]]:
        entries = [e.strip() for e in shapes.split(";")] if shapes.strip() else []
        found: list[tuple[Argument, list[int | None]]] = []
        for position, entry in enumerate(entries):
            name, equals, text = (part.strip() for part in entry.rpartition("="))
            if not entry:
                continue
            argument = self._named(name) if equals else self._at(position)
            found.append((argument, self._shape(text, argument)))
        return found

    def _named(self, name: str) -> Argument:
        found = [a for a in self.all if a.name == name]
        if len(found) == 1:
            return found[0]
        if not found and name.isdecimal():
            return self._at(int(name))
        which = "several arguments" if found else "no argument"
        raise self._error(
            f"{self._label} has {which} called {name!r}",
            f"{self._known_names()}: names come from the locations of arguments (JAX writes them), "
            f"not from what stands behind a %; a position will do: "
            f"{'; '.join(map(str, self.all)) or 'there is no argument'}",
        )

    def _known_names(self) -> str:
        names = ", ".join(a.name for a in self.all if a.name)
        return f"the names are {names}" if names else "none of its arguments has a name"

    def _at(self, position: int) -> Argument:
        if position < len(self.all):
            return self.all[position]
        raise self._error(
            f"{self._label} has {len(self.all)} arguments, and none at position {position}",
            f"it has {'; '.join(map(str, self.all)) or 'none'}",
        )

    def _shape(self, text: str, argument: Argument) -> list[int | None]:
        tensor = _TENSOR.fullmatch(text)
        if tensor is not None:
            element = tensor[2]
            type = argument.type
            if isinstance(type, ir.RankedTensorType) and element != str(type.element_type):
                raise self._error(f"{argument} cannot become {text}: the element types differ")
            text = tensor[1].removesuffix("x")
        elif text in ("scalar", "[]"):
            text = ""
        elif not text or _SHAPE.fullmatch(text) is None:
            raise self._error(
                f"{text!r}, for {argument}, is not a shape", "a shape is written 3x4, or scalar"
            )
        return [None if s == "?" else int(s) for s in text.split("x") if s]

    def _give(self, argument: Argument, shape: Sequence[int | None]) -> None:
        written = "x".join("?" if s is None else str(s) for s in shape) or "scalar"
        if not argument.is_tensor or len(shape) != len(argument.dimensions):
            raise self._error(f"{argument} cannot have the shape {written}: it has another rank")
        for axis, size in enumerate(shape):
            if size is not None:
                self._set(argument, axis, size, f"the shape {written}")

    def _set(self, argument: Argument, axis: int, size: int, source: str) -> None:
        known, bound = argument.dimensions[axis], argument.bounds[axis]
        if known is not None and known != size:
            raise self._error(
                f"dimension {axis} of {argument} is {known}, but {source} makes it {size}"
            )
        if bound is not None and size > bound:
            raise self._error(
                f"dimension {axis} of {argument} is at most {bound}, but {source} makes it {size}"
            )
        if not 0 <= size <= LARGEST:
            raise self._error(f"dimension {axis} of {argument} cannot be {size}, as {source} says")
        argument.dimensions[axis] = size

    def _bind(self, name: str, size: int, source: str) -> None:
        known = self._sizes.setdefault(name, size)
        if known != size:
            raise self._error(
                f"the dimension {name} is {known} by {self._from[name]}, and {size} by {source}"
            )
        self._from.setdefault(name, source)

    def _follow(self) -> None:
        """Sizes of names from the shapes given, and of all dimensions from the names."""
        dimensions = [
            (a, axis, e) for a in self.all for axis, e in enumerate(a.expressions) if e is not None
        ]
        for argument, axis, expression in dimensions:
            size = argument.dimensions[axis]
            if size is not None and expression.is_name:
                self._bind(expression.text, size, f"dimension {axis} of {argument}")
        for argument, axis, expression in dimensions:
            value = expression.value(self._sizes)
            if value is not None:
                known = ", ".join(f"{n}={self._sizes[n]}" for n in expression.names)
                said = "" if expression.is_name else f" ({expression.text})"
                self._set(argument, axis, value, f"{known}{said}")

    def _unknown_dimension(self, name: str) -> PassError:
        known = ", ".join(self.names)
        return self._error(
            f"no dimension of {self._label} is called {name!r}",
            f"the module knows {known}"
            if known
            else "give shapes of arguments instead: dimensions have names only where dxir.dims on "
            "an argument or JAX's shape assertions say so",
        )

    def _without_size(self, argument: Argument) -> PassError:
        axis = argument.dimensions.index(None)
        expression = argument.expressions[axis] if argument.expressions else None
        called = f" ({expression.text})" if expression is not None else ""
        key = argument.name or argument.position
        shape = "x".join("N" if s is None else str(s) for s in argument.dimensions)
        hint = f"give shapes={key}={shape}"
        if expression is not None:
            hint += f", or dims={','.join(f'{n}=N' for n in expression.names)}"
        return self._error(f"dimension {axis}{called} of {argument} has no size", hint)

    def _error(self, message: str, hint: str | None = None) -> PassError:
        return PassError(message, where=where_of(self.function.location), hint=hint)


def _argument(position: int, value: IrValue, callees: dict[str, IrOperation]) -> Argument:
    argument = Argument(position, _name_of(value, callees), value.type)
    type = value.type
    if isinstance(type, ir.RankedTensorType):
        argument.dimensions = [
            None if type.is_dynamic_dim(i) else type.get_dim_size(i) for i in range(type.rank)
        ]
        argument.bounds = bounds_of(type)
    return argument


def bounds_of(type: ir.RankedTensorType) -> list[int | None]:
    """The largest size of each dimension, where one is promised."""
    encoding = type.encoding
    if encoding is None or not stablehlo.TypeExtensions.isinstance(encoding):
        return [None] * type.rank
    dynamic = ir.ShapedType.get_dynamic_size()
    return [None if b == dynamic else b for b in stablehlo.TypeExtensions(encoding).bounds]


def _name_of(value: IrValue, callees: dict[str, IrOperation]) -> str | None:
    """The name in an argument's location; else the one a function has for it that it goes to."""
    for _ in range(_MOST_CALLS):
        name = _location_name(value.location)
        if name is not None:
            return name
        uses = list(itertools.islice(value.uses, _MOST_USES))
        calls = [u for u in uses if u.owner.operation.name == "func.call"]
        if len(calls) != 1:
            return None
        callee = callees.get(symbol(calls[0].owner.operation, "callee") or "")
        if callee is None or not len(callee.regions[0].blocks):
            return None
        value = callee.regions[0].blocks[0].arguments[calls[0].operand_number]
    return None


_MOST_CALLS = 8
_MOST_USES = 32


def _location_name(location: IrLocation) -> str | None:
    given: Any = location
    return str(given.name_str) if type(location).__name__ == "NameLoc" else None
