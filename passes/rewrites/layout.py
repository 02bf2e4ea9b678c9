"""Chains of transposes, reshapes and broadcasts made into one op, or none.

`RULES` holds the rules of all that only moves elements: those of this file, of slices and the like,
and of transposes that go into products, convolutions and elementwise ops.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from dxir.mlir import IrOperation, IrValue, ir
from dxir.passes.rewrites import contraction, convolution, elementwise_layout, slicing
from dxir.passes.rewrites.shapes import (
    inner,
    listed,
    number,
    numbers,
    resized,
    sizes,
    splat,
    splat_of,
    used_once,
)
from dxir.pipeline.rewriting import Make, Result, Rules

RULES = Rules(slicing.RULES, contraction.RULES, convolution.RULES, elementwise_layout.RULES)

TRANSPOSE = "stablehlo.transpose"
RESHAPE = "stablehlo.reshape"
BROADCAST = "stablehlo.broadcast_in_dim"
IOTA = "stablehlo.iota"


@RULES.rule(
    TRANSPOSE,
    RESHAPE,
    BROADCAST,
    "stablehlo.slice",
    "stablehlo.reverse",
    over=("stablehlo.constant",),
)
def moved_splat(op: IrOperation, make: Make) -> Result:
    """Elements that are all the same are so after any move."""
    element = splat_of(op.operands[0])
    if element is None or sizes(op.results[0]) is None:
        return None
    return splat(element, op.results[0].type, make)


@RULES.rule(RESHAPE, BROADCAST, "stablehlo.slice", "stablehlo.dynamic_slice")
def unchanged(op: IrOperation, _: Make) -> Result:
    """What keeps the shape keeps the elements where they are."""
    operand = op.operands[0]
    if operand.type != op.results[0].type or sizes(operand) is None:
        return None
    if op.name == BROADCAST and not _increasing(numbers(op, "broadcast_dimensions")):
        return None
    return operand


@RULES.rule(TRANSPOSE)
def transpose_in_place(op: IrOperation, _: Make) -> Result:
    """A transpose that moves nothing."""
    if op.operands[0].type != op.results[0].type:
        return None
    return op.operands[0] if _increasing(numbers(op, "permutation")) else None


@RULES.rule(TRANSPOSE, over=(TRANSPOSE,))
def transpose_twice(op: IrOperation, make: Make) -> Result:
    """A transpose of a transpose."""
    first = inner(make, 0, TRANSPOSE)
    if first is None or sizes(first.operands[0]) is None:
        return None
    before, after = numbers(first, "permutation"), numbers(op, "permutation")
    return make.op(
        TRANSPOSE,
        op.results[0].type,
        first.operands[0],
        permutation=listed([before[d] for d in after]),
    )


@RULES.rule(TRANSPOSE)
def transpose_of_ones(op: IrOperation, make: Make) -> Result:
    """A transpose that only moves dimensions of size 1 is a reshape."""
    shape = sizes(op.operands[0])
    if shape is None:
        return None
    permutation = numbers(op, "permutation")
    if _increasing(permutation) or not _increasing([d for d in permutation if shape[d] != 1]):
        return None
    return make.op(RESHAPE, op.results[0].type, op.operands[0])


@RULES.rule(TRANSPOSE, over=(BROADCAST,))
def transpose_of_broadcast(op: IrOperation, make: Make) -> Result:
    """A broadcast along other dimensions."""
    first = inner(make, 0, BROADCAST)
    if first is None or sizes(first.operands[0]) is None or sizes(op.results[0]) is None:
        return None
    place = _inverse(numbers(op, "permutation"))
    dims = [place[d] for d in numbers(first, "broadcast_dimensions")]
    return _broadcast(first.operands[0], dims, op, make)


@RULES.rule(TRANSPOSE, BROADCAST, over=(IOTA,))
def moved_iota(op: IrOperation, make: Make) -> Result:
    """An iota that is transposed, or repeated along other dimensions, is an iota."""
    first = inner(make, 0, IOTA)
    if first is None or sizes(op.results[0]) is None:
        return None
    along = number(first, "iota_dimension")
    if op.name == TRANSPOSE:
        place = _inverse(numbers(op, "permutation"))[along]
    else:
        place = numbers(op, "broadcast_dimensions")[along]
        if (sizes(first.results[0]) or [])[along] != (sizes(op.results[0]) or [])[place]:
            return None
    dimension = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), place)
    return make.op(IOTA, op.results[0].type, iota_dimension=dimension)


@RULES.rule(RESHAPE, over=(RESHAPE,))
def reshape_twice(op: IrOperation, make: Make) -> Result:
    """A reshape of a reshape."""
    first = inner(make, 0, RESHAPE)
    if first is None or sizes(first.operands[0]) is None or sizes(op.results[0]) is None:
        return None
    return make.op(RESHAPE, op.results[0].type, first.operands[0])


@RULES.rule(RESHAPE, over=(BROADCAST,))
def reshape_of_broadcast(op: IrOperation, make: Make) -> Result:
    """A broadcast to another shape, where its operand's dimensions stay as they are."""
    first = inner(make, 0, BROADCAST)
    if first is None:
        return None
    shape, middle, final = sizes(first.operands[0]), sizes(op.operands[0]), sizes(op.results[0])
    if shape is None or middle is None or final is None or 0 in middle:
        return None
    dims = _through_reshape(shape, numbers(first, "broadcast_dimensions"), middle, final)
    return None if dims is None else _broadcast(first.operands[0], dims, op, make)


@RULES.rule(BROADCAST, over=(BROADCAST,))
def broadcast_twice(op: IrOperation, make: Make) -> Result:
    """A broadcast of a broadcast."""
    first = inner(make, 0, BROADCAST)
    if first is None or sizes(first.operands[0]) is None or sizes(op.results[0]) is None:
        return None
    after = numbers(op, "broadcast_dimensions")
    dims = [after[d] for d in numbers(first, "broadcast_dimensions")]
    return _broadcast(first.operands[0], dims, op, make)


@RULES.rule(BROADCAST, over=(TRANSPOSE,))
def broadcast_of_transpose(op: IrOperation, make: Make) -> Result:
    """A broadcast along other dimensions."""
    first = inner(make, 0, TRANSPOSE)
    if first is None or sizes(first.operands[0]) is None or sizes(op.results[0]) is None:
        return None
    after = numbers(op, "broadcast_dimensions")
    place = _inverse(numbers(first, "permutation"))
    return _broadcast(first.operands[0], [after[d] for d in place], op, make)


@RULES.rule(BROADCAST, over=(RESHAPE,))
def broadcast_of_reshape(op: IrOperation, make: Make) -> Result:
    """A broadcast of what a reshape only gave dimensions of size 1, or took them from."""
    first = inner(make, 0, RESHAPE)
    if first is None:
        return None
    shape, middle, final = sizes(first.operands[0]), sizes(op.operands[0]), sizes(op.results[0])
    if shape is None or middle is None or final is None:
        return None
    if [s for s in shape if s != 1] != [s for s in middle if s != 1]:
        return None
    after = numbers(op, "broadcast_dimensions")
    large = iter([after[d] for d, size in enumerate(middle) if size != 1])
    taken = {after[d] for d, size in enumerate(middle) if size != 1}
    free = iter([d for d in range(len(final)) if d not in taken])
    dims = [next(free if size == 1 else large, -1) for size in shape]
    return None if -1 in dims else _broadcast(first.operands[0], dims, op, make)


@RULES.rule(BROADCAST)
def broadcast_to_no_more(op: IrOperation, make: Make) -> Result:
    """A broadcast that repeats nothing is a reshape or a transpose."""
    operand = op.operands[0]
    shape, final = sizes(operand), sizes(op.results[0])
    if shape is None or final is None:
        return None
    dims = numbers(op, "broadcast_dimensions")
    if any(final[d] != s for d, s in zip(dims, shape, strict=True)):
        return None
    if any(size != 1 for d, size in enumerate(final) if d not in dims):
        return None
    if _increasing([d for d, size in zip(dims, shape, strict=True) if size != 1]):
        if operand.type == op.results[0].type and _increasing(dims):
            return None
        return make.op(RESHAPE, op.results[0].type, operand)
    if len(shape) != len(final):
        return None
    return make.op(TRANSPOSE, op.results[0].type, operand, permutation=listed(_inverse(dims)))


@RULES.rule("stablehlo.slice", over=(BROADCAST,))
def slice_of_broadcast(op: IrOperation, make: Make) -> Result:
    """A slice of what is repeated: less of it is repeated, and less of it made."""
    first = inner(make, 0, BROADCAST)
    if first is None or sizes(op.results[0]) is None:
        return None
    source = first.operands[0]
    shape, middle = sizes(source), sizes(op.operands[0])
    if shape is None or middle is None:
        return None
    dims = numbers(first, "broadcast_dimensions")
    bounds = [numbers(op, name) for name in ("start_indices", "limit_indices", "strides")]
    cut = [d for d, size in zip(dims, shape, strict=True) if size != 1]
    final = sizes(op.results[0]) or []
    if any(final[d] != middle[d] for d in cut):
        if not used_once(op.operands[0]):
            return None
        source = _sliced(source, shape, dims, cut, bounds, make)
    return _broadcast(source, dims, op, make)


def _sliced(
    source: IrValue,
    shape: Sequence[int],
    dims: Sequence[int],
    cut: Sequence[int],
    bounds: Sequence[Sequence[int]],
    make: Make,
) -> IrValue:
    starts, limits, strides = (
        [given[d] if d in cut else default for d, default in zip(dims, whole, strict=True)]
        for given, whole in zip(bounds, ([0] * len(shape), shape, [1] * len(shape)), strict=True)
    )
    parts = zip(starts, limits, strides, strict=True)
    left = [-(-(limit - start) // stride) for start, limit, stride in parts]
    value: IrValue = make.op(
        "stablehlo.slice",
        resized(source, left, make),
        source,
        start_indices=listed(starts),
        limit_indices=listed(limits),
        strides=listed(strides),
    )
    return value


def _broadcast(value: IrValue, dims: Sequence[int], op: IrOperation, make: Make) -> Result:
    return make.op(BROADCAST, op.results[0].type, value, broadcast_dimensions=listed(dims))


def _increasing(values: Sequence[int]) -> bool:
    return all(a < b for a, b in pairwise(values))


def _inverse(permutation: Sequence[int]) -> list[int]:
    found = [0] * len(permutation)
    for position, dimension in enumerate(permutation):
        found[dimension] = position
    return found


def _through_reshape(
    shape: Sequence[int], dims: Sequence[int], middle: Sequence[int], final: Sequence[int]
) -> list[int] | None:
    """Where a broadcast of `shape` along `dims` ends when `middle` is reshaped to `final`."""
    place: dict[int, int] = {}
    for old, new in _runs(middle, final):
        kept = [d for d in old if d in dims and shape[dims.index(d)] != 1]
        if kept:
            if len(kept) > 1 or len(new) > 1 or final[new[0]] != middle[kept[0]]:
                return None
            place[kept[0]] = new[0]
    free = iter([d for d in range(len(final)) if d not in place.values()])
    found = [place[d] if d in place else next(free, -1) for d in dims]
    return None if -1 in found else found


def _runs(old: Sequence[int], new: Sequence[int]) -> list[tuple[list[int], list[int]]]:
    """The dimensions of two shapes of equal size, in runs that hold equally many elements.

    Those of size 1 are left out; there is none of size 0.
    """
    lefts = [d for d, size in enumerate(old) if size != 1]
    rights = [d for d, size in enumerate(new) if size != 1]
    found: list[tuple[list[int], list[int]]] = []
    while lefts:
        left, right = [lefts.pop(0)], [rights.pop(0)]
        a, b = old[left[0]], new[right[0]]
        while a != b:
            if a < b:
                left.append(lefts.pop(0))
                a *= old[left[-1]]
            else:
                right.append(rights.pop(0))
                b *= new[right[-1]]
        found.append((left, right))
    return found
