"""Which processes work together in a collective, by StableHLO's four strategies.

A process is `(replica_id, partition_id)`: one of `replicas` copies of a program, each divided into
`partitions`. What the ids in `replica_groups` stand for, and who joins them, is the strategy; which
one an op uses depends on its channel and its `use_global_device_ids`.

| strategy | an id is | a group is |
| --- | --- | --- |
| cross_replica | a replica | its replicas, for each partition on its own |
| cross_partition | a partition | its partitions, for each replica on its own |
| cross_replica_and_partition | a replica | its replicas with all their partitions |
| flattened_ids | `replica_id * partitions + partition_id` | its processes |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from operator import index
from typing import Any, Literal, get_args

from dxir.attributes import ChannelHandle, MeshAxesGroups
from dxir.errors import AttributeValueError
from dxir.locations import caller_location
from dxir.mesh_layout import device_groups

Strategy = Literal[
    "cross_replica", "cross_partition", "cross_replica_and_partition", "flattened_ids"
]
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)

ProcessId = tuple[int, int]
"""The numbers of the replica and of the partition."""

Row = tuple[int, ...]

_GLOBAL = ("all_gather", "all_reduce", "collective_reduce", "reduce_scatter")
_LOCAL = ("all_to_all", "collective_broadcast", "collective_permute")
COLLECTIVES = (*_GLOBAL, *_LOCAL)
"""The ops that work within groups of processes."""

NOT_COVERING = frozenset({"collective_broadcast", "collective_permute"})
"""Those whose groups may leave processes out, which get zeros."""


def strategy_of(
    kind: str, channel: ChannelHandle | int | None = None, use_global_device_ids: bool | None = None
) -> Strategy:
    """The strategy of an op, `"all_reduce"` say, with this channel and these ids.

    Raises AttributeValueError for what is no collective, and for global ids that the op does not
    take or that have no channel.
    """
    if kind not in COLLECTIVES:
        raise AttributeValueError(
            f"{kind!r} has no process groups",
            where=caller_location(),
            hint=f"the collectives are {', '.join(COLLECTIVES)}",
        )
    handle = channel.handle if isinstance(channel, ChannelHandle) else channel
    spans = handle is not None and handle > 0
    if use_global_device_ids and (kind in _LOCAL or not spans):
        raise AttributeValueError(
            f"{kind} has no use_global_device_ids"
            if kind in _LOCAL
            else f"use_global_device_ids of {kind} needs a channel with a positive handle, "
            f"not {handle}",
            where=caller_location(),
            hint="its ids are partitions with a channel, and replicas without"
            if kind in _LOCAL
            else "give channel=1, say",
        )
    if not spans:
        return "cross_replica"
    if kind in _LOCAL:
        return "cross_partition"
    return "flattened_ids" if use_global_device_ids else "cross_replica_and_partition"


def what_ids_are(strategy: str) -> str:
    """What an id stands for: a replica, a partition or a device."""
    if strategy == "flattened_ids":
        return "device"
    return "partition" if strategy == "cross_partition" else "replica"


def count_of_ids(strategy: str, replicas: int, partitions: int) -> int:
    """How many ids there are, 0 first."""
    if strategy == "flattened_ids":
        return replicas * partitions
    return partitions if strategy == "cross_partition" else replicas


def process_groups(
    strategy: Strategy,
    replica_groups: object = (),
    *,
    replicas: int = 1,
    partitions: int = 1,
    covering: bool = True,
) -> tuple[tuple[ProcessId, ...], ...]:
    """The groups of processes that work together, each in the order of its members.

    `replica_groups` are rows of ids, short ones filled with -1, or a `MeshAxesGroups`; without any,
    all processes are in one group (for each partition or replica of its own, where the strategy
    says so). Raises AttributeValueError for ids that are repeated or out of range, and for those
    left out unless `covering` is false, as it is for a collective_broadcast.
    """
    _check_grid(strategy, replicas, partitions)
    count = count_of_ids(strategy, replicas, partitions)
    rows = rows_of(replica_groups) or (tuple(range(count)),)
    fault = fault_of_groups(rows, count, what_ids_are(strategy), covering=covering)
    if fault is not None:
        raise AttributeValueError(f"replica_groups {fault}", where=caller_location())
    return tuple([group for row in rows for group in _spread(strategy, row, replicas, partitions)])


def process_pairs(
    strategy: Strategy, source_target_pairs: object, *, replicas: int = 1, partitions: int = 1
) -> tuple[tuple[ProcessId, ProcessId], ...]:
    """Who sends to whom in a collective_permute with these pairs of ids.

    Raises AttributeValueError for ids out of range, and for two sources or targets that are one.
    """
    _check_grid(strategy, replicas, partitions)
    pairs = rows_of(source_target_pairs)
    count = count_of_ids(strategy, replicas, partitions)
    fault = fault_of_pairs(pairs, count, what_ids_are(strategy))
    if fault is None and strategy == "cross_replica_and_partition":
        fault = "are of replicas and partitions, of which a pair has no process of its own"
    if fault is not None:
        raise AttributeValueError(f"source_target_pairs {fault}", where=caller_location())
    spread = [pair for row in pairs for pair in _spread(strategy, row, replicas, partitions)]
    return tuple([(source, target) for source, target in spread])


def rows_of(groups: object) -> tuple[Row, ...]:
    """Groups as rows of ids, without what fills short ones; those by axes of a mesh as rows too."""
    if isinstance(groups, MeshAxesGroups):
        return device_groups(groups.mesh, groups.axes)
    given: Any = groups
    try:
        rows = [tuple([index(i) for i in row]) for row in given]
    except TypeError as error:
        raise AttributeValueError(
            f"groups of processes are {groups!r}",
            where=caller_location(),
            hint="give rows of ids such as ((0, 1), (2, 3))",
        ) from error
    found = [tuple([i for i in row if i != -1]) for row in rows]
    return tuple([row for row in found if row])


def fault_of_groups(
    rows: Iterable[Row], count: int | None, what: str = "device", *, covering: bool = True
) -> str | None:
    """What is wrong with groups of ids, of which there are `count`, or as many as are listed."""
    ids = [i for row in rows for i in row]
    fault = _fault_of_ids(ids, count, what)
    if fault is not None or not covering or not ids:
        return fault
    missing = set(range(len(ids) if count is None else count)).difference(ids)
    if not missing:
        return None
    left = f"leave out {what} {min(missing)}"
    return f"{left} of {count}" if count is not None else f"{left}, but list {what} {max(ids)}"


def fault_of_pairs(pairs: Iterable[Row], count: int | None, what: str = "device") -> str | None:
    """What is wrong with pairs of source and target."""
    for pair in (found := list(pairs)):
        if len(pair) != 2:
            return f"hold {pair}, which is no pair of ids"
    for side, name in enumerate(("source", "target")):
        fault = _fault_of_ids([pair[side] for pair in found], count, what)
        if fault is not None:
            return f"{fault} as a {name}" if "twice" in fault else fault
    return None


def _fault_of_ids(ids: list[int], count: int | None, what: str) -> str | None:
    wrong = [i for i in ids if i < 0 or (count is not None and i >= count)]
    if wrong and wrong[0] < 0:
        return f"hold a negative id, {wrong[0]}"
    if wrong:
        there = f"is one {what}" if count == 1 else f"are {count} {what}s"
        return f"hold {what} {wrong[0]}, but there {there}"
    repeated = [i for i, times in Counter(ids).items() if times > 1]
    return f"hold {what} {min(repeated)} twice" if repeated else None


def _spread(strategy: str, row: Row, replicas: int, partitions: int) -> list[tuple[ProcessId, ...]]:
    """The groups of processes that one row of ids stands for."""
    if strategy == "cross_replica":
        return [tuple([(r, p) for r in row]) for p in range(partitions)]
    if strategy == "cross_partition":
        return [tuple([(r, p) for p in row]) for r in range(replicas)]
    if strategy == "cross_replica_and_partition":
        return [tuple([(r, p) for p in range(partitions) for r in row])]
    return [tuple([divmod(i, partitions) for i in row])]


def _check_grid(strategy: str, replicas: int, partitions: int) -> None:
    if strategy not in STRATEGIES:
        raise AttributeValueError(
            f"there is no strategy {strategy!r}",
            where=caller_location(),
            hint=f"StableHLO has {', '.join(STRATEGIES)}",
        )
    if replicas < 1 or partitions < 1:
        raise AttributeValueError(
            f"there are no processes with {replicas} replicas and {partitions} partitions",
            where=caller_location(),
        )
