"""Derivatives and batches of collectives.

They are those of the program of all processes at once: the cotangent of what a process sends is
the sum of what comes back from all that it was sent to. The derivative of a sum over processes is a
sum over processes. In a batch, the names of processes stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import ops
from dxir.derivatives import Undefined
from dxir.dialects.fold_trees import combiner, fold_tree
from dxir.dialects.process_groups import listed
from dxir.graph import Region, Value
from dxir.transforms.batching import Unbatched
from dxir.types import ui32

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Tangents = Sequence[Value | None]


def add(a: Value, b: Value) -> Value:
    """The body of a sum."""
    total: Value = ops.add(a, b)
    return total


def groups_of(node: Any) -> dict[str, Any]:
    """The attributes that say which processes work together."""
    names = ("replica_groups", "channel", "use_global_device_ids")
    return {name: node.attrs[name] for name in names if name in node.attrs}


def some(values: Tangents, make: Callable[[tuple[Value, ...]], Sequence[Value]]) -> Tangents:
    """What `make` gives for those values that are there, None for the others."""
    given = tuple([v for v in values if v is not None])
    found = iter(make(given) if given else ())
    return tuple([None if v is None else next(found) for v in values])


def many(given: Any) -> Tangents:
    """What a rule is given of the results of an op of any number: of one it is no tuple."""
    return (given,) if isinstance(given, Value) else tuple(given)


def each(make: Callable[..., Value], *columns: Sequence[Any]) -> tuple[Value | None, ...]:
    """What `make` gives for each row of the columns, None where the first entry is."""
    return tuple([None if row[0] is None else make(*row) for row in zip(*columns, strict=True)])


def converted(values: Tangents, like: Sequence[Value]) -> tuple[Value | None, ...]:
    """The values in the element types of others."""
    return each(lambda v, o: ops.convert(v, dtype=o.dtype), values, like)


def summed(node: Any, values: Tangents) -> Tangents:
    """The sums of values over the processes of a group."""
    groups = groups_of(node)
    return some(values, lambda given: ops.all_reduce(given, body=add, **groups))


def holders(x: Value, y: Value) -> Value:
    """1 where this process has the extreme value that all of its group were given, else 0."""
    wide = ops.convert(x, dtype=y.dtype)
    found: Value = ops.convert(ops.compare(wide, y, direction="EQ"), dtype=y.dtype)
    return found


def extreme_cotangents(
    node: Any, g: Tangents, inputs: Sequence[Value], y: Sequence[Value]
) -> Tangents:
    """Of the largest or smallest value over processes: shared equally by those that have it."""
    masks = each(lambda _, x, r: holders(x, r), g, inputs, y)
    both = summed(node, (*g, *masks))
    totals, counts = both[: len(g)], both[len(g) :]
    shared = each(lambda t, m, n: ops.mul(m, ops.div(t, n)), totals, masks, counts)
    return converted(shared, inputs)


def extreme_tangents(
    node: Any, tangents: Tangents, inputs: Sequence[Value], y: Sequence[Value]
) -> Tangents:
    """Of the largest or smallest value over processes: the mean of those that have it."""
    masks = each(lambda _, x, r: holders(x, r), tangents, inputs, y)
    parts = each(lambda t, m: ops.mul(m, ops.convert(t, dtype=m.dtype)), tangents, masks)
    both = summed(node, (*parts, *masks))
    return each(ops.div, both[: len(parts)], both[len(parts) :])


def folded(node: Any, body: Region, size: int, inputs: Sequence[Value]) -> list[Value]:
    """What a body makes of values over processes, from a gathered copy of them all."""
    first = [ops.reshape(x, shape=(1, *x.tensor.static_shape)) for x in inputs]
    groups = groups_of(node)
    found = ops.all_gather(tuple(first), axis=0, group_size=size, **groups)
    combine = combiner(body)
    return [
        ops.reshape(fold_tree([v], 0, combine)[0], shape=x.tensor.static_shape)
        for v, x in zip(found, inputs, strict=True)
    ]


def gathering_refusal(node: Any) -> Undefined | None:
    """Why what a body makes of values cannot be had from a gathered copy of them."""
    rows = node.replica_groups
    if isinstance(rows, tuple) and any(-1 in row for row in rows):
        reason = "its groups have different sizes"
    elif node.group_members() is None:
        reason = "replica_groups do not say how many processes are in a group"
    elif node.channel is not None and not node.use_global_device_ids:
        reason = "the partitions of the replicas listed join, and how many is not known"
    else:
        return None
    return Undefined(f"its body is no sum, maximum or minimum, and {reason}")


def one_by_one(batch: Batch) -> Sequence[Any]:
    """An op whose every result is that of the input at its place, in any shape."""
    results = batch.rebuild(batch.operands)
    return [r if flag else Unbatched(r) for r, flag in zip(results, batch.batched, strict=False)]


def apart(batch: Batch, **moved: int) -> Sequence[Any]:
    """An op with axes: what is batched in one op with the axes moved, the rest in another."""
    positions = {
        flag: [i for i, f in enumerate(batch.batched) if f == flag] for flag in (True, False)
    }
    results: list[Any] = [None] * len(batch.operands)
    for flag, places in positions.items():
        if not places:
            continue
        changes = moved if flag else {}
        found = batch.rebuild([batch.operands[i] for i in places], **changes)
        for i, value in zip(places, found, strict=True):
            results[i] = value if flag else Unbatched(value)
    return results


def is_root(node: Any, root: Value | None = None) -> Value:
    """Whether this process is the root of its group: its first, or the one at the place `root`.

    A vector of roots gives a vector.
    """
    rows = [[i for i in row if i != -1] for row in listed(node.replica_groups)]
    across = node.channel is not None and node.channel.handle > 0
    number = ops.partition_id() if across else ops.replica_id()
    if root is None:
        roots = ops.constant(np.array([row[0] for row in rows], ui32.numpy))
        return _any(ops.compare(roots, number, direction="EQ"))
    shape = () if root.rank == 0 else (root.shape[0], 1)
    ids = ops.constant(np.array([i for row in rows for i in row], ui32.numpy))
    places = ops.constant(np.array([k for row in rows for k in range(len(row))], np.int32))
    here = ops.compare(ids, number, direction="EQ")
    chosen = ops.compare(places, ops.reshape(root, shape=shape) if shape else root, direction="EQ")
    return _any(ops.and_(here, chosen))


def _any(flags: Value) -> Value:
    found: Value = ops.any(flags, axes=(-1,))
    return found


def place_of_root(node: Any, k: int) -> Value | None:
    """The place in its group of the root for input `k`; None for the first."""
    if not node.has_dynamic_root:
        return None
    where = ops.slice(node.inputs[-1], starts=(k,), limits=(k + 1,))
    place: Value = ops.reshape(where, shape=())
    return place


def kept_at(mask: Value, x: Value) -> Value:
    """`x` where the mask of its leading axes holds, else 0."""
    if mask.rank:
        mask = ops.broadcast_in_dim(mask, shape=x.tensor.static_shape, dims=range(mask.rank))
    found: Value = ops.select(mask, x, 0)
    return found
