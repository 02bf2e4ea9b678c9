"""Have gather and scatter meet no index outside of their operand, whatever they are given.

    gather(x, i)            ->  gather(x, clamp(0, i, last))
    scatter(x, i, u)        ->  slice(scatter(pad(x), select(inside, i, beyond), u))

StableHLO defines both: a window of gather that would leave the operand is moved to its edge, and
one of scatter is left out. Compilers that do neither read and write memory beside the operand. For
scatter the operand is longer by one window along one axis while it is written to; windows that
would leave it go there, and are cut off with it. That costs a copy of the operand. A scatter of no
updates at all is its operand.

Left alone: indices that are known to be inside, constants and those that are clamped, and ops with
sizes that are not known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dxir.editing import replace_with
from dxir.elements import Array
from dxir.mlir import IrOperation, IrType, IrValue, ir, stablehlo
from dxir.passes.building import AND, CLAMP, Building, known, made_by
from dxir.pipeline.base import Pass, option
from dxir.reading import annotations_of, attributes_of, is_dynamic, ops_below

_GATHER, _SCATTER = "stablehlo.gather", "stablehlo.scatter"


class BoundIndices(Pass, name="dxir-bound-indices"):
    """Clamp the indices of gather, and have those of scatter that are outside write nothing."""

    gather: bool = option("bound the indices of gather", default=True)
    scatter: bool = option("bound the indices of scatter", default=True)

    def run(self, module: ir.Module) -> bool:
        names = [n for n, on in ((_GATHER, self.gather), (_SCATTER, self.scatter)) if on]
        with module.context, ir.Location.unknown():
            for op in ops_below(module.operation, names):
                if any(is_dynamic(v.type) for v in (*op.operands, *op.results)):
                    continue
                bounded = _gather(op) if op.name == _GATHER else _scatter(op)
                if bounded:
                    self.count("ops bounded")
        return bool(self.statistics)


@dataclass(frozen=True)
class _Indices:
    """Index vectors along an axis, and the last place that each of their numbers may have."""

    value: IrValue
    axis: int
    last: tuple[int, ...]

    @property
    def shape(self) -> list[int]:
        return list(ir.RankedTensorType(self.value.type).shape)

    @property
    def are_inside(self) -> bool:
        """Whether it is plain to see that none is outside."""
        found = known(self.value)
        if found is not None:
            return self._fits(found, found)
        clamp = made_by(self.value, CLAMP)
        if clamp is None:
            return False
        low, high = (self._bound(clamp.operands[i]) for i in (0, 2))
        return low is not None and high is not None and self._fits(low, high)

    def _bound(self, value: IrValue) -> Array | None:
        found = known(value)
        return None if found is None else np.broadcast_to(found, self.shape)

    def _fits(self, low: Array, high: Array) -> bool:
        limit = np.array(self.last, np.int64)
        if self.axis < low.ndim:
            low, high = (np.moveaxis(a, self.axis, -1) for a in (low, high))
        elif len(self.last) == 1:
            limit = limit[0]
        # Compared as Python's integers would be: ui64 and i64 have no common type.
        return bool((low >= 0).all() and (high.astype(object) <= limit).all())

    def constant(self, make: Building, numbers: Sequence[int]) -> IrValue:
        """A number for each place of the vectors, of the type of the indices."""
        type = ir.RankedTensorType(self.value.type)
        most = _largest(type.element_type)
        capped = [min(n, most) for n in numbers]
        if len(set(capped)) == 1:
            return make.full(type, capped[0])
        row = ir.RankedTensorType.get([len(capped)], type.element_type)
        return make.spread(make.integers(capped, row), type, [self.axis])

    def clamped(self, make: Building) -> IrValue:
        """The indices, moved inside."""
        low, high = self.constant(make, [0] * len(self.last)), self.constant(make, self.last)
        return make.op(CLAMP, self.value.type, low, self.value, high)


def _largest(element: IrType) -> int:
    kind = ir.IntegerType(element)
    return (1 << (kind.width - (not kind.is_unsigned))) - 1


def _gather(op: IrOperation) -> bool:
    numbers = stablehlo.GatherDimensionNumbers(op.attributes["dimension_numbers"])
    shape = ir.RankedTensorType(op.operands[0].type).shape
    window = list(ir.DenseI64ArrayAttr(op.attributes["slice_sizes"]))
    last = tuple(shape[d] - window[d] for d in numbers.start_index_map)
    indices = _Indices(op.operands[1], numbers.index_vector_dim, last)
    if not last or not all(indices.shape) or indices.are_inside:
        return False
    op.operands[1] = indices.clamped(Building(op))
    return True


def _scatter(op: IrOperation) -> bool:
    count = len(op.results)
    inputs, updates = list(op.operands)[:count], list(op.operands)[count + 1 :]
    numbers = stablehlo.ScatterDimensionNumbers(op.attributes["scatter_dimension_numbers"])
    shape = list(ir.RankedTensorType(inputs[0].type).shape)
    window = _window(numbers, len(shape), list(ir.RankedTensorType(updates[0].type).shape))
    mapped = list(numbers.scattered_dims_to_operand_dims)
    if not all(ir.RankedTensorType(updates[0].type).shape) and not annotations_of(op):
        replace_with(op, inputs)
        return True
    last = tuple(shape[d] - window[d] for d in mapped)
    indices = _Indices(op.operands[count], numbers.index_vector_dim, last)
    if not last or not all(indices.shape) or 0 in window or indices.are_inside:
        return False
    make = Building(op)
    longer = [0] * len(shape)
    longer[mapped[0]] = window[mapped[0]]
    beyond = shape[mapped[0]]
    padded = [_padded(make, value, longer) for value in inputs]
    redirected = _redirected(make, indices, beyond)
    scattered = make.many(
        _SCATTER,
        [p.type for p in padded],
        [*padded, redirected, *updates],
        attributes_of(op, without=("unique_indices", "indices_are_sorted")),
        regions=1,
    )
    op.regions[0].blocks[0].append_to(scattered.regions[0])
    zeros, ones = [0] * len(shape), [1] * len(shape)
    make.finish(*(make.slice(r, zeros, shape, ones) for r in scattered.results))
    return True


def _window(
    numbers: stablehlo.ScatterDimensionNumbers, rank: int, updates: Sequence[int]
) -> list[int]:
    """The size of a window along each axis of the operand."""
    dropped = {*numbers.inserted_window_dims, *numbers.input_batching_dims}
    sizes = iter([updates[d] for d in numbers.update_window_dims])
    return [1 if d in dropped else next(sizes) for d in range(rank)]


def _padded(make: Building, value: IrValue, longer: Sequence[int]) -> IrValue:
    scalar = ir.RankedTensorType.get([], ir.RankedTensorType(value.type).element_type)
    return make.pad(value, make.full(scalar, 0), [0] * len(longer), longer)


def _redirected(make: Building, indices: _Indices, beyond: int) -> IrValue:
    """The indices, those of windows outside at the place beyond the operand."""
    if beyond > _largest(ir.RankedTensorType(indices.value.type).element_type):
        wider = make.of(indices.value, ir.IntegerType.get_signless(64))
        converted = make.op("stablehlo.convert", wider, indices.value)
        indices = _Indices(converted, indices.axis, indices.last)
    low = indices.constant(make, [0] * len(indices.last))
    high = indices.constant(make, indices.last)
    inside = make.like(
        AND,
        make.compare("GE", indices.value, low),
        make.compare("LE", indices.value, high),
    )
    outside = indices.constant(make, [beyond, *[0] * (len(indices.last) - 1)])
    moved = make.select(_whole(make, inside, indices), indices.value, outside)
    # Nothing is left to clamp; it says so to readers, this pass among them.
    return _Indices(moved, indices.axis, (beyond, *indices.last[1:])).clamped(make)


def _whole(make: Building, inside: IrValue, indices: _Indices) -> IrValue:
    """Where all numbers of a vector are inside, at each of them."""
    count, axis, shape = len(indices.last), indices.axis, indices.shape
    if count == 1:
        return inside
    found: IrValue | None = None
    for k in range(count):
        starts, limits = [0] * len(shape), list(shape)
        starts[axis], limits[axis] = k, k + 1
        part = make.slice(inside, starts, limits, [1] * len(shape))
        found = part if found is None else make.like(AND, found, part)
    assert found is not None
    rest = [size for d, size in enumerate(shape) if d != axis]
    flat = ir.RankedTensorType.get(rest, ir.RankedTensorType(found.type).element_type)
    return make.spread(
        make.op("stablehlo.reshape", flat, found),
        inside.type,
        [d for d in range(len(shape)) if d != axis],
    )
