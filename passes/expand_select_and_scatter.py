"""Write select_and_scatter as what it does, place after place of its window.

    best = the element under the window's first place, for all windows at once
    for every other place:  best = the element there, where select(best, element) is false
    for every place:        result = scatter(result, source), where that place had the best

Windows may overlap, leave gaps and be padded; what is padding is never selected, and nothing is
written for a window that has nothing else. Elements are compared and sums are made in the order of
the windows, so that ties and rounding are those of one loop over them. The regions are copied as
ops on whole tensors: those with ops that are not elementwise stay as they are, and so do windows of
more places than `most-places`, for each of which there are about ten ops.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dxir.mlir import IrOperation, IrValue, ir
from dxir.passes.building import AND, BROADCAST, CONSTANT, NOT, OR, Building
from dxir.pipeline.base import Pass, option
from dxir.reading import attribute, attributes_of, is_dynamic, ops_below

_NAME = "stablehlo.select_and_scatter"
_ELEMENTWISE = frozenset(
    f"stablehlo.{name}"
    for name in (
        "abs", "add", "and", "ceil", "compare", "complex", "convert", "cosine", "divide",
        "exponential", "floor", "imag", "is_finite", "log", "maximum", "minimum", "multiply",
        "negate", "not", "or", "power", "real", "remainder", "rsqrt", "select", "shift_left",
        "shift_right_arithmetic", "shift_right_logical", "sign", "sine", "sqrt", "subtract",
        "tanh", "xor",
    )
)  # fmt: skip


class ExpandSelectAndScatter(Pass, name="dxir-expand-select-and-scatter"):
    """Write select_and_scatter as comparisons, sums and paddings of whole tensors."""

    most_places: int = option("windows of more places stay as they are", default=1024)

    def run(self, module: ir.Module) -> bool:
        with module.context, ir.Location.unknown():
            for op in ops_below(module.operation, (_NAME,)):
                if any(is_dynamic(v.type) for v in (*op.operands, *op.results)):
                    continue
                window = _Window.of(op)
                if window.places > self.most_places:
                    said = f"its window has {window.places} places, and most-places is"
                    self.warn(f"'{op.name}' stays: {said} {self.most_places}", op, code="NEAR_MISS")
                elif all(_is_elementwise(region) for region in op.regions):
                    _expand(op, window)
                    self.count("ops expanded")
        return bool(self.statistics)


@dataclass(frozen=True)
class _Window:
    sizes: list[int]
    strides: list[int]
    low: list[int]
    high: list[int]
    steps: list[int]
    """How many windows there are along each axis."""

    @classmethod
    def of(cls, op: IrOperation) -> _Window:
        rank = len(ir.RankedTensorType(op.operands[0].type).shape)
        sizes, strides = (
            list(given) if isinstance(given, ir.DenseI64ArrayAttr) else [1] * rank
            for given in (attribute(op, "window_dimensions"), attribute(op, "window_strides"))
        )
        padding = attribute(op, "padding")
        edges = np.zeros((rank, 2), np.int64)
        if isinstance(padding, ir.DenseIntElementsAttr) and rank:
            edges = np.broadcast_to(np.asarray(padding), (rank, 2))
        steps = list(ir.RankedTensorType(op.operands[1].type).shape)
        low, high = ([int(n) for n in edges[:, i]] for i in (0, 1))
        return cls(sizes, strides, low, high, steps)

    @property
    def places(self) -> int:
        return int(np.prod(self.sizes, dtype=object))

    @property
    def offsets(self) -> list[tuple[int, ...]]:
        return list(itertools.product(*map(range, self.sizes)))

    def under(self, make: Building, padded: IrValue, offset: Sequence[int]) -> IrValue:
        """What lies under one place of all windows."""
        limits = [
            start + (n - 1) * stride + 1
            for start, n, stride in zip(offset, self.steps, self.strides, strict=True)
        ]
        return make.slice(padded, offset, limits, self.strides)

    def over(
        self, make: Building, value: IrValue, fill: IrValue, offset: Sequence[int], whole: list[int]
    ) -> IrValue:
        """The reverse: elements of all windows, at one place of these."""
        taken = [(n - 1) * stride + 1 for n, stride in zip(self.steps, self.strides, strict=True)]
        high = [w - start - t for w, start, t in zip(whole, offset, taken, strict=True)]
        return make.pad(value, fill, offset, high, [stride - 1 for stride in self.strides])


def _expand(op: IrOperation, window: _Window) -> None:
    make = Building(op)
    x, source, init = op.operands
    result = op.results[0].type
    scalar = ir.RankedTensorType.get([], ir.RankedTensorType(result).element_type)
    source, init = (
        v if ir.RankedTensorType(v.type).element_type == scalar.element_type
        else make.op("stablehlo.convert", make.of(v, scalar.element_type), v)
        for v in (source, init)
    )  # fmt: skip
    if 0 in window.steps or 0 in ir.RankedTensorType(x.type).shape:
        make.finish(make.spread(init, result, []))
        return
    best = _selected(make, op, window, x)
    shape = list(ir.RankedTensorType(result).shape)
    whole = [n + a + b for n, a, b in zip(shape, window.low, window.high, strict=True)]
    padded = ir.RankedTensorType.get(whole, scalar.element_type)
    total = make.spread(init, padded, [])
    never = make.full(ir.RankedTensorType.get([], ir.IntegerType.get_signless(1)), 0)
    # Backwards, what goes to one element comes in the order of the windows.
    for number, offset in reversed(list(enumerate(window.offsets))):
        here = make.compare("EQ", best, make.full(best.type, number))
        where = window.over(make, here, never, offset, whole)
        added = window.over(make, source, init, offset, whole)
        (folded,) = _inlined(make, op.regions[1], [total, added])
        total = make.select(where, folded, total)
    cut = [-n for n in window.low], [-n for n in window.high]
    make.finish(make.pad(total, init, *cut))


def _selected(make: Building, op: IrOperation, window: _Window, x: IrValue) -> IrValue:
    """The number of the place with the best element of each window; -1 where all is padding."""
    scalar = ir.RankedTensorType.get([], ir.RankedTensorType(x.type).element_type)
    bits = ir.IntegerType.get_signless(1)
    padded = make.pad(x, make.full(scalar, 0), window.low, window.high)
    real: IrValue | None = None
    if padded is not x:
        always = make.full(make.of(x, bits), 1)
        never = make.full(ir.RankedTensorType.get([], bits), 0)
        real = make.pad(always, never, window.low, window.high)
    first, *others = window.offsets
    best = window.under(make, padded, first)
    found = None if real is None else window.under(make, real, first)
    index = make.full(make.of(best, ir.IntegerType.get_signless(32)), 0)
    if found is not None:
        index = make.select(found, index, make.full(index.type, -1))
    for number, offset in enumerate(others, 1):
        given = window.under(make, padded, offset)
        there = None if real is None else window.under(make, real, offset)
        (stays,) = _inlined(make, op.regions[0], [best, given])
        better = make.like(NOT, stays)
        if there is not None:
            assert found is not None
            better = make.like(AND, there, make.like(OR, make.like(NOT, found), better))
            found = make.like(OR, found, there)
        best = make.select(better, given, best)
        index = make.select(better, make.full(index.type, number), index)
    return index


def _is_elementwise(region: ir.Region) -> bool:
    """Whether a region can be copied as ops on whole tensors."""
    if len(region.blocks) != 1:
        return False
    *body, last = [view.operation for view in region.blocks[0].operations]
    return last.name == "stablehlo.return" and all(
        op.name in _ELEMENTWISE or op.name == CONSTANT for op in body
    )


def _inlined(make: Building, region: ir.Region, arguments: Sequence[IrValue]) -> list[IrValue]:
    """What a region on scalars gives for each element of tensors of one shape."""
    block = region.blocks[0]
    values: dict[IrValue, IrValue] = dict(zip(block.arguments, arguments, strict=True))
    shape = ir.RankedTensorType(arguments[0].type).shape

    def wide(value: IrValue) -> ir.Type:
        return ir.RankedTensorType.get(shape, ir.RankedTensorType(value.type).element_type)

    def known(value: IrValue) -> IrValue:
        if value not in values:  # of outside, or a constant
            values[value] = make.op(
                BROADCAST, wide(value), value, broadcast_dimensions=ir.DenseI64ArrayAttr.get([])
            )
        return values[value]

    *body, last = [view.operation for view in block.operations]
    for op in body:
        if op.name == CONSTANT:
            copy = make.op(CONSTANT, op.results[0].type, **attributes_of(op))
            values[op.results[0]] = make.op(
                BROADCAST, wide(copy), copy, broadcast_dimensions=ir.DenseI64ArrayAttr.get([])
            )
            continue
        made = make.many(
            op.name,
            [wide(r) for r in op.results],
            [known(v) for v in op.operands],
            attributes_of(op),
        )
        values.update(zip(op.results, made.results, strict=True))
    return [known(v) for v in last.operands]
