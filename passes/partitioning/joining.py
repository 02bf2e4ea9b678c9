"""Which dimensions a reshape joins or splits, and which of them must be whole for that."""

from __future__ import annotations

from collections.abc import Sequence

from dxir.mlir import IrOperation, ir
from dxir.passes.partitioning.whole import Dims
from dxir.sharding import Sharding


def joined_dims(op: IrOperation, lies: Sequence[Sharding | None], found: Dims) -> None:
    """Add what must be whole: groups of dimensions whose parts do not go together.

    A part of a dimension that is joined with others is a part of what they come to only where the
    first of each side divides by the parts of the other's.
    """
    shapes = [list(ir.RankedTensorType(v.type).shape) for v in (op.operands[0], op.results[0])]
    if any(size < 0 for shape in shapes for size in shape):
        return
    parts = [_parts(s, len(shape)) for s, shape in zip(lies, shapes, strict=True)]
    for i, shape in enumerate(shapes):
        single = [d for d, size in enumerate(shape) if size == 1 and parts[i][d] > 1]
        found.add((0,) if i == 0 else (), (0,) if i == 1 else (), single)
    for before, after in groups(*shapes):
        if len(before) == len(after) == 1:
            continue
        first = max(parts[0][before[0]], 1), max(parts[1][after[0]], 1)
        loose = any(shapes[0][d] % parts[0][d] for d in before)
        loose = loose or any(shapes[1][d] % parts[1][d] for d in after)
        loose = loose or bool(shapes[0][before[0]] % first[1] or shapes[1][after[0]] % first[0])
        if loose:
            found.add((0,), (), before)
            found.add((), (0,), after)


def _parts(sharding: Sharding | None, rank: int) -> list[int]:
    if sharding is None or len(sharding.dims) != rank:
        return [1] * rank
    return [dim.size(sharding.mesh) for dim in sharding.dims]


def groups(before: Sequence[int], after: Sequence[int]) -> list[tuple[list[int], list[int]]]:
    """The dimensions that are larger than 1, in the smallest groups that hold as many elements."""
    found: list[tuple[list[int], list[int]]] = []
    left = [[d for d, size in enumerate(shape) if size != 1] for shape in (before, after)]
    if 0 in before:
        return [(left[0], left[1])] if all(left) else []
    while left[0] and left[1]:
        a, b = [left[0].pop(0)], [left[1].pop(0)]
        sizes = [before[a[0]], after[b[0]]]
        while sizes[0] != sizes[1]:
            smaller = 0 if sizes[0] < sizes[1] else 1
            dim = left[smaller].pop(0)
            (a, b)[smaller].append(dim)
            sizes[smaller] *= (before, after)[smaller][dim]
        found.append((a, b))
    return found
