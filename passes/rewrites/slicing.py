"""Slices, concatenations, paddings and reversals made into fewer, and into slices where they are.

An index is clamped as its op does it. A slice that lies in one part of what was put together is
taken from that part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dxir.mlir import IrAttribute, IrOperation, IrValue, ir, stablehlo
from dxir.passes.rewrites.shapes import (
    inner,
    integers_of,
    is_plain,
    listed,
    number,
    numbers,
    resized,
    sizes,
    splat_of,
    used_once,
)
from dxir.pipeline.rewriting import Make, Result, Rules

RULES = Rules()

_SLICE = "stablehlo.slice"
_PAD = "stablehlo.pad"
_CONCATENATE = "stablehlo.concatenate"
_REVERSE = "stablehlo.reverse"
_BROADCAST = "stablehlo.broadcast_in_dim"


@dataclass(slots=True)
class _Cut:
    """What a slice takes of each dimension."""

    starts: list[int]
    limits: list[int]
    strides: list[int]

    @classmethod
    def of(cls, op: IrOperation) -> _Cut:
        names = ("start_indices", "limit_indices", "strides")
        return cls(*(numbers(op, name) for name in names))

    def count(self, d: int) -> int:
        """How many elements are taken of a dimension."""
        return max(0, -(-(self.limits[d] - self.starts[d]) // self.strides[d]))

    def last(self, d: int) -> int:
        """The last index taken, of one that is taken at all."""
        return self.starts[d] + (self.count(d) - 1) * self.strides[d]

    def moved(self, d: int, by: int) -> None:
        """Have the dimension begin at another index; the limit is as low as can be."""
        self.limits[d] = self.last(d) + 1 + by
        self.starts[d] += by

    def attributes(self) -> dict[str, IrAttribute]:
        return {
            "start_indices": listed(self.starts),
            "limit_indices": listed(self.limits),
            "strides": listed(self.strides),
        }


def _slice(value: IrValue, cut: _Cut, op: IrOperation, make: Make) -> Result:
    """A slice in place of `op`, reshaped to its shape if need be."""
    final = op.results[0].type
    type = resized(value, [cut.count(d) for d in range(len(cut.starts))], make)
    made: IrValue = make.op(_SLICE, type, value, **cut.attributes())
    return made if type == final else make.op("stablehlo.reshape", final, made)


@RULES.rule(_SLICE, over=(_SLICE,))
def slice_twice(op: IrOperation, make: Make) -> Result:
    """A slice of a slice."""
    first = inner(make, 0, _SLICE)
    shape = None if first is None else sizes(first.operands[0])
    if first is None or shape is None or sizes(op.results[0]) is None:
        return None
    before, after = _Cut.of(first), _Cut.of(op)
    cut = _Cut([], [], [])
    for d, size in enumerate(shape):
        stride = before.strides[d] * after.strides[d]
        start = min(before.starts[d] + after.starts[d] * before.strides[d], size)
        count = after.count(d)
        cut.starts.append(start)
        cut.limits.append(start + (count - 1) * stride + 1 if count else start)
        cut.strides.append(stride)
    return _slice(first.operands[0], cut, op, make)


@RULES.rule(_SLICE, over=(_CONCATENATE,))
def slice_of_concatenate(op: IrOperation, make: Make) -> Result:
    """A slice of only some of what is concatenated."""
    first = inner(make, 0, _CONCATENATE)
    if first is None or sizes(op.results[0]) is None or sizes(op.operands[0]) is None:
        return None
    axis, cut = number(first, "dimension"), _Cut.of(op)
    if not cut.count(axis):
        return None
    parts = list(first.operands)
    found: list[IrValue] = []
    start = offset = 0
    for part in parts:
        size = (sizes(part) or [])[axis]
        if start + size > cut.starts[axis] and start <= cut.last(axis):
            offset = offset if found else start
            found.append(part)
        start += size
    if len(found) == len(parts) or (len(found) > 1 and not used_once(op.operands[0])):
        return None
    source = found[0]
    if len(found) > 1:
        shape = list(sizes(op.operands[0]) or [])
        shape[axis] = sum((sizes(part) or [])[axis] for part in found)
        type = resized(source, shape, make)
        source = make.op(_CONCATENATE, type, *found, dimension=first.attributes["dimension"])
    cut.moved(axis, -offset)
    return _slice(source, cut, op, make)


@RULES.rule(_SLICE, over=(_PAD,))
def slice_of_pad(op: IrOperation, make: Make) -> Result:
    """A slice that takes nothing of the padding, or nothing else."""
    first = inner(make, 0, _PAD)
    if first is None or sizes(op.results[0]) is None:
        return None
    shape = sizes(first.operands[0])
    if shape is None or 0 in (sizes(op.results[0]) or []):
        return None
    cut = _Cut.of(op)
    low, interior = numbers(first, "edge_padding_low"), numbers(first, "interior_padding")
    inside = True
    for d, size in enumerate(shape):
        if interior[d] and size > 1:
            spread = size + (size - 1) * interior[d]
            whole = low[d] == 0 and cut.starts[d] == 0 and cut.strides[d] == interior[d] + 1
            if whole and cut.last(d) < spread:
                cut.starts[d], cut.limits[d], cut.strides[d] = 0, cut.count(d), 1
                continue
            inside = False
            continue
        start, last = cut.starts[d] - low[d], cut.last(d) - low[d]
        if last < 0 or start >= size:
            return make.op(
                _BROADCAST, op.results[0].type, first.operands[1], broadcast_dimensions=listed([])
            )
        if start < 0 or last >= size:
            inside = False
        else:
            cut.moved(d, -low[d])
    return _slice(first.operands[0], cut, op, make) if inside else None


@RULES.rule(_CONCATENATE)
def concatenate_fewer(op: IrOperation, make: Make) -> Result:
    """A concatenation within another, of nothing, of one value, of slices that were neighbours."""
    if sizes(op.results[0]) is None or any(sizes(v) is None for v in op.operands):
        return None
    axis = number(op, "dimension")
    old = list(op.operands)
    new: list[IrValue] = []
    for position, value in enumerate(old):
        nested = inner(make, position, _CONCATENATE)
        if nested is not None and number(nested, "dimension") == axis and used_once(value):
            new += nested.operands
        else:
            new.append(value)
    if any(sizes(v) is None for v in new):
        return None
    new = [v for v in new if (sizes(v) or [])[axis]] or new[:1]
    joined = _joined(new, axis)
    if len(old) > 1 and joined == [(value, None) for value in old]:
        return None
    values = [value if cut is None else _alone(value, cut, make) for value, cut in joined]
    if len(values) == 1:
        return values[0]
    return make.op(_CONCATENATE, op.results[0].type, *values, dimension=op.attributes["dimension"])


def _alone(value: IrValue, cut: _Cut, make: Make) -> IrValue:
    type = resized(value, [cut.count(d) for d in range(len(cut.starts))], make)
    made: IrValue = make.op(_SLICE, type, value, **cut.attributes())
    return made


def _joined(values: Sequence[IrValue], axis: int) -> list[tuple[IrValue, _Cut | None]]:
    """The values, neighbouring slices of one as what they are slices of and the slice to take."""
    found: list[tuple[IrValue, _Cut | None]] = []
    previous: tuple[IrValue, _Cut] | None = None
    for value in values:
        owner = value.owner
        current: tuple[IrValue, _Cut] | None = None
        if not isinstance(owner, ir.Block) and owner.operation.name == _SLICE:
            op = owner.operation
            if is_plain(op) and sizes(op.operands[0]) is not None:
                current = (op.operands[0], _Cut.of(op))
        both = None
        if previous is not None and current is not None and previous[0] == current[0]:
            both = _both(previous[1], current[1], axis)
        if both is not None and current is not None:
            previous = (current[0], both)
            found[-1] = previous
        else:
            previous = current
            found.append((value, None))
    return found


def _both(first: _Cut, second: _Cut, axis: int) -> _Cut | None:
    """The slice that takes what the second takes right after what the first does."""
    stride = first.strides[axis]
    if first.count(axis) == 1 and second.count(axis) >= 1:
        stride = second.starts[axis] - first.starts[axis]
    if stride < 1 or second.starts[axis] != first.last(axis) + stride:
        return None
    if second.count(axis) > 1 and second.strides[axis] != stride:
        return None
    for d in range(len(first.starts)):
        mine = (first.starts[d], first.limits[d], first.strides[d])
        if d != axis and mine != (second.starts[d], second.limits[d], second.strides[d]):
            return None
    both = _Cut(list(first.starts), list(first.limits), list(first.strides))
    both.limits[axis], both.strides[axis] = second.last(axis) + 1, stride
    return both


@RULES.rule(_PAD)
def pad_less(op: IrOperation, make: Make) -> Result:
    """A padding by nothing is no padding, and one that only takes away is a slice."""
    shape = sizes(op.operands[0])
    if shape is None or sizes(op.results[0]) is None:
        return None
    low, high = numbers(op, "edge_padding_low"), numbers(op, "edge_padding_high")
    interior = numbers(op, "interior_padding")
    if any(p > 0 for p in low + high) or any(
        p and size > 1 for p, size in zip(interior, shape, strict=True)
    ):
        return None
    if not any(low + high):
        return op.operands[0] if op.operands[0].type == op.results[0].type else None
    limits = [size + h for size, h in zip(shape, high, strict=True)]
    return _slice(op.operands[0], _Cut([-p for p in low], limits, [1] * len(low)), op, make)


@RULES.rule(_PAD, over=(_PAD,))
def pad_twice(op: IrOperation, make: Make) -> Result:
    """Two paddings with the same value, where the outer one pads nothing that the inner cut off."""
    first = inner(make, 0, _PAD)
    if first is None or sizes(first.operands[0]) is None or sizes(op.results[0]) is None:
        return None
    if not _equal(first.operands[1], op.operands[1]):
        return None
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    before, after = ([numbers(o, name) for name in names] for o in (first, op))
    if any(after[2]):
        return None
    for d, interior in enumerate(before[2]):
        for side in (0, 1):
            inside, outside = before[side][d], after[side][d]
            if outside * inside < 0 or (interior and outside < 0):
                return None
    merged = [
        [a + b for a, b in zip(inside, outside, strict=True)]
        for inside, outside in zip(before, after, strict=True)
    ]
    attributes = {name: listed(values) for name, values in zip(names, merged, strict=True)}
    return make.op(_PAD, op.results[0].type, first.operands[0], op.operands[1], **attributes)


def _equal(a: IrValue, b: IrValue) -> bool:
    if a == b:
        return True
    first, second = splat_of(a), splat_of(b)
    return first is not None and second is not None and first == second


@RULES.rule(_REVERSE)
def reverse_less(op: IrOperation, make: Make) -> Result:
    """A reversal of what reads the same backwards, or was reversed before."""
    shape = sizes(op.operands[0])
    if shape is None:
        return None
    value, old = op.operands[0], numbers(op, "dimensions")
    new = [d for d in old if shape[d] > 1]
    first = inner(make, 0, _REVERSE, _BROADCAST)
    if first is not None and first.name == _BROADCAST:
        source = sizes(first.operands[0])
        if source is not None:
            dims = numbers(first, "broadcast_dimensions")
            new = [d for d in new if d in dims and source[dims.index(d)] != 1]
    elif first is not None:
        value = first.operands[0]
        new = sorted(set(new) ^ set(numbers(first, "dimensions")))
    if new == old:
        return None
    if not new:
        return value
    return make.op(_REVERSE, op.results[0].type, value, dimensions=listed(new))


@RULES.rule("stablehlo.dynamic_slice")
def dynamic_slice_at_constants(op: IrOperation, make: Make) -> Result:
    """A slice at a place that is known, or that whole dimensions leave no choice of."""
    shape = sizes(op.operands[0])
    if shape is None:
        return None
    starts: list[int] = []
    wanted = numbers(op, "slice_sizes")
    for size, left, index in zip(wanted, shape, list(op.operands)[1:], strict=True):
        found = [0] if size == left else integers_of(index)
        if found is None:
            return None
        starts.append(min(max(found[0], 0), left - size))
    limits = [start + size for start, size in zip(starts, wanted, strict=True)]
    return _slice(op.operands[0], _Cut(starts, limits, [1] * len(starts)), op, make)


@RULES.rule("stablehlo.dynamic_update_slice")
def update_of_all_or_nothing(op: IrOperation, _: Make) -> Result:
    """An update of all elements, or of none."""
    shape = sizes(op.operands[1])
    if shape is None or op.operands[0].type != op.results[0].type:
        return None
    if op.operands[1].type == op.results[0].type:
        return op.operands[1]
    return op.operands[0] if 0 in shape else None


@RULES.rule("stablehlo.gather", over=("stablehlo.constant",))
def gather_at_constants(op: IrOperation, make: Make) -> Result:
    """A gather of one window at a constant place, or of evenly spaced rows in order."""
    shape, final = sizes(op.operands[0]), sizes(op.results[0])
    indices_shape = sizes(op.operands[1])
    if shape is None or final is None or indices_shape is None:
        return None
    indices = integers_of(op.operands[1])
    if not indices:
        return None
    given = stablehlo.GatherDimensionNumbers(op.attributes["dimension_numbers"])
    window, mapped = numbers(op, "slice_sizes"), list(given.start_index_map)
    if len(indices) == len(mapped):
        starts = [0] * len(shape)
        for d, index in zip(mapped, indices, strict=True):
            starts[d] = min(max(index, 0), shape[d] - window[d])
        limits = [start + size for start, size in zip(starts, window, strict=True)]
        return _slice(op.operands[0], _Cut(starts, limits, [1] * len(starts)), op, make)
    return _rows(op, given, shape, indices, make)


def _rows(
    op: IrOperation,
    given: stablehlo.GatherDimensionNumbers,
    shape: Sequence[int],
    indices: Sequence[int],
    make: Make,
) -> Result:
    mapped, window = list(given.start_index_map), numbers(op, "slice_sizes")
    if len(mapped) != 1 or list(given.collapsed_slice_dims) != mapped:
        return None
    (row,) = mapped
    if given.operand_batching_dims or any(
        size != whole for d, (size, whole) in enumerate(zip(window, shape, strict=True)) if d != row
    ):
        return None
    step = indices[1] - indices[0]
    if step < 1 or list(indices) != list(range(indices[0], indices[-1] + 1, step)):
        return None
    if indices[0] < 0 or indices[-1] >= shape[row]:
        return None
    final = sizes(op.results[0]) or []
    rows = len(final) - len(shape) + 1
    if list(given.offset_dims) != [d for d in range(len(final)) if not row <= d < row + rows]:
        return None
    cut = _Cut([0] * len(shape), list(shape), [1] * len(shape))
    cut.starts[row], cut.limits[row], cut.strides[row] = indices[0], indices[-1] + 1, step
    return _slice(op.operands[0], cut, op, make)
