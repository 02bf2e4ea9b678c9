"""A decomposition read as a formula: what its result is of its parameters."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from dxir.errors import DxirError
from dxir.mlir import IrAttribute, IrValue, ir
from dxir.pattern.access import Access, Digits, Frame
from dxir.pattern.numbers import number_of
from dxir.pattern.tensors import inserted, reduce_kind
from dxir.pattern.view import Maker, Seen, View
from dxir.reading import attributes_of


class Part(NamedTuple):
    """A part of a formula: a `value`, a `number`, a `reduce` or an elementwise `op`."""

    number: int
    kind: str
    name: str = ""
    parts: tuple[Part, ...] = ()
    axis: str = ""
    attributes: Mapping[str, IrAttribute] = {}


@dataclass(slots=True)
class Formula:
    """The parts of a formula, its numbers by part, and the sizes of the axes that are reduced."""

    root: Part
    numbers: dict[int, float] = field(default_factory=dict)
    axes: dict[str, int] = field(default_factory=dict)

    @property
    def shape(self) -> object:
        """What two formulas that differ in numbers and sizes alone have in common."""
        return _outline(self.root)


def _outline(part: Part) -> object:
    inner = tuple([_outline(p) for p in part.parts])
    attributes = tuple([(k, str(v)) for k, v in sorted(part.attributes.items())])
    return part.number, part.kind, part.name, part.axis, attributes, inner


def read_formula(module: ir.Module, name: str, parameters: tuple[str, ...]) -> Formula:
    """The formula of the result of a function, in terms of its parameters.

    Raises DxirError for what is neither elementwise nor a reduction, and for a parameter that is
    not read as the result is.
    """
    view = View(module)
    body = view.callee(name)
    if body is None or len(body[1]) != 1:
        raise DxirError("its expansion has several results, or effects")
    return _Reading(view, body[0], parameters).read(body[1][0])


class _Reading:
    def __init__(self, view: View, block: ir.Block, parameters: tuple[str, ...]) -> None:
        self._view, self._frame = view, Frame()
        self._block = block
        self._parameters = parameters
        self._known: dict[tuple[IrValue, Access], Part] = {}
        self._numbers: dict[int, float] = {}
        self._axes: dict[Digits, str] = {}
        self._result: Access = ()

    def read(self, value: IrValue) -> Formula:
        shape = self._view.shape(value)
        if shape is None:
            raise DxirError("its result is not a tensor of some elements")
        self._result = self._frame.access(shape)
        root = self._part(Seen(value, self._result))
        axes = {name: math.prod(d[2] for d in digits) for digits, name in self._axes.items()}
        return Formula(root, self._numbers, axes)

    def _new(self, kind: str, name: str = "", *parts: Part, **more: object) -> Part:
        return Part(len(self._known), kind, name, parts, **more)  # type: ignore[arg-type]

    def _part(self, seen: Seen) -> Part:
        core = self._view.chain(seen)[-1].seen
        key = (core.value, core.access)
        if key not in self._known:
            part = self._read(core)
            self._known[key] = part._replace(number=len(self._known))
            if part.kind == "number":
                number = number_of(self._view, core)
                assert number is not None
                self._numbers[self._known[key].number] = number[0]
        return self._known[key]

    def _read(self, seen: Seen) -> Part:
        if number_of(self._view, seen) is not None:
            return self._new("number")
        maker = self._view.maker(seen.value)
        if maker is None:
            return self._parameter(seen)
        if maker.name == "stablehlo.reduce":
            return self._reduce(seen, maker)
        shapes = [self._view.shape(v) for v in maker.operands]
        own = self._view.shape(seen.value)
        if any(s not in (own, []) for s in shapes) or not shapes or len(maker.op.regions):
            raise DxirError(f"it holds {maker.name}")
        parts = [
            self._part(seen._replace(value=v, access=seen.access if s else ()))
            for v, s in zip(maker.operands, shapes, strict=True)
        ]
        return self._new("op", maker.name, *parts, attributes=attributes_of(maker.op))

    def _parameter(self, seen: Seen) -> Part:
        value = seen.value
        assert isinstance(value, ir.BlockArgument)
        if value.owner != self._block:
            raise DxirError("it takes a value from outside")
        name = self._parameters[value.arg_number]
        if seen.access != self._result:
            raise DxirError(f"its operand {name} is broadcast, or read in another layout")
        return self._new("value", name)

    def _reduce(self, seen: Seen, maker: Maker) -> Part:
        operand = maker.operands[0]
        shape, kind = self._view.shape(operand), reduce_kind(maker)
        reduced = maker.numbers("dimensions")
        free = [d for d in seen.dropped if not any(d in part for part in seen.access)]
        if shape is None or not kind or [d[2] for d in free] != [shape[i] for i in reduced]:
            raise DxirError("it reduces something whose shape is not its result's")
        name = self._axes.setdefault(tuple(free), "axis" if not self._axes else "other")
        access = inserted(seen.access, shape, reduced, tuple([(d,) for d in free]))
        inner = self._part(seen._replace(value=operand, access=access, dropped=()))
        return self._new("reduce", kind, inner, axis=name)
