"""Groups of processes, against the definitions of StableHLO's specification."""

import itertools

import numpy as np
import pytest

from dxir import ChannelHandle, Mesh, MeshAxesGroups, process_groups
from dxir.errors import AttributeValueError
from dxir.process_grid import STRATEGIES, process_pairs, strategy_of


def defined(strategy, groups, replicas, partitions):
    """The specification's definitions, in its own words."""
    replica_ids, partition_ids = range(replicas), range(partitions)
    if strategy == "cross_replica":
        for replica_group in groups:
            for partition_id in partition_ids:
                yield tuple((replica_id, partition_id) for replica_id in replica_group)
    elif strategy == "cross_partition":
        for partition_group in groups:
            for replica_id in replica_ids:
                yield tuple((replica_id, partition_id) for partition_id in partition_group)
    elif strategy == "cross_replica_and_partition":
        for replica_group in groups:
            yield tuple(itertools.chain.from_iterable(
                [(replica_id, partition_id) for replica_id in replica_group]
                for partition_id in partition_ids
            ))  # fmt: skip
    else:
        for flattened_id_group in groups:
            yield tuple((i // partitions, i % partitions) for i in flattened_id_group)


@pytest.mark.parametrize(
    ("strategy", "groups", "replicas", "partitions", "wanted"),
    [  # the examples of the specification
        (
            "cross_replica",
            [[0, 1], [2, 3]],
            4,
            2,
            [[(0, 0), (1, 0)], [(0, 1), (1, 1)], [(2, 0), (3, 0)], [(2, 1), (3, 1)]],
        ),
        ("cross_partition", [[0, 1]], 4, 2, [[(r, 0), (r, 1)] for r in range(4)]),
        (
            "cross_replica_and_partition",
            [[0, 1], [2, 3]],
            4,
            2,
            [[(0, 0), (1, 0), (0, 1), (1, 1)], [(2, 0), (3, 0), (2, 1), (3, 1)]],
        ),
        (
            "flattened_ids",
            [[0, 1, 2, 3], [4, 5, 6, 7]],
            4,
            2,
            [[(0, 0), (0, 1), (1, 0), (1, 1)], [(2, 0), (2, 1), (3, 0), (3, 1)]],
        ),
    ],
)
def test_the_examples_of_the_specification_hold(strategy, groups, replicas, partitions, wanted):
    found = process_groups(strategy, groups, replicas=replicas, partitions=partitions)
    assert [list(group) for group in found] == wanted
    assert list(defined(strategy, groups, replicas, partitions)) == list(found)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_any_groups_are_as_defined_and_hold_each_process_once(strategy):
    rng = np.random.default_rng(0)
    for _ in range(50):
        replicas, partitions = (int(n) for n in rng.integers(1, 5, 2))
        counts = {"cross_partition": partitions, "flattened_ids": replicas * partitions}
        ids = rng.permutation(counts.get(strategy, replicas))
        cut = int(rng.integers(0, len(ids)))
        rows = [row.tolist() for row in np.split(ids, [cut]) if len(row)]
        width = max(map(len, rows))
        filled = [[*row, *[-1] * (width - len(row))] for row in rows]
        found = process_groups(strategy, filled, replicas=replicas, partitions=partitions)
        assert list(found) == list(defined(strategy, rows, replicas, partitions))
        everyone = {(r, p) for r in range(replicas) for p in range(partitions)}
        assert sorted(i for group in found for i in group) == sorted(everyone)


@pytest.mark.parametrize("empty", [(), np.zeros((0, 0), np.int64), [[-1, -1]]])
def test_without_groups_all_work_together(empty):
    grid = {"replicas": 2, "partitions": 2}
    assert process_groups("cross_replica", empty, **grid) == (
        ((0, 0), (1, 0)),
        ((0, 1), (1, 1)),
    )
    assert process_groups("cross_partition", empty, **grid) == (
        ((0, 0), (0, 1)),
        ((1, 0), (1, 1)),
    )
    assert process_groups("cross_replica_and_partition", empty, **grid) == (
        ((0, 0), (1, 0), (0, 1), (1, 1)),
    )
    assert process_groups("flattened_ids", empty, **grid) == (((0, 0), (0, 1), (1, 0), (1, 1)),)


def test_axes_of_a_mesh_are_groups_too():
    mesh = Mesh("m", {"x": 2, "y": 3}, (0, 2, 4, 1, 3, 5))
    found = process_groups("flattened_ids", MeshAxesGroups(mesh, ("x",)), partitions=6)
    assert found == (((0, 0), (0, 1)), ((0, 2), (0, 3)), ((0, 4), (0, 5)))


def test_pairs_are_sent_within_each_replica_or_partition():
    pairs = ((0, 1), (1, 2))
    assert process_pairs("cross_replica", pairs, replicas=3) == (
        ((0, 0), (1, 0)),
        ((1, 0), (2, 0)),
    )
    assert process_pairs("cross_partition", ((1, 0),), replicas=2, partitions=2) == (
        ((0, 1), (0, 0)),
        ((1, 1), (1, 0)),
    )


@pytest.mark.parametrize(
    ("kind", "channel", "ids", "wanted"),
    [
        ("all_reduce", None, False, "cross_replica"),
        ("all_reduce", 0, False, "cross_replica"),
        ("all_gather", ChannelHandle(1), False, "cross_replica_and_partition"),
        ("reduce_scatter", 1, True, "flattened_ids"),
        ("collective_reduce", 1, True, "flattened_ids"),
        ("all_to_all", 0, None, "cross_replica"),
        ("all_to_all", 1, None, "cross_partition"),
        ("collective_permute", -1, None, "cross_replica"),
        ("collective_permute", ChannelHandle(2, 1), None, "cross_partition"),
        ("collective_broadcast", 3, None, "cross_partition"),
    ],
)
def test_channel_and_ids_choose_the_strategy(kind, channel, ids, wanted):
    assert strategy_of(kind, channel, ids) == wanted


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: process_groups("cross_replica", [[0, 1], [1]], replicas=2), "replica 1 twice"),
        (
            lambda: process_groups("cross_replica", [[0, 4]], replicas=4),
            "replica 4, but there are 4 replicas",
        ),
        (
            lambda: process_groups("cross_partition", [[0, 1]], replicas=2),
            "partition 1, but there is one partition",
        ),
        (lambda: process_groups("flattened_ids", [[0]], partitions=3), "leave out device 1 of 3"),
        (lambda: process_groups("flattened_ids", [[0, -2]], partitions=2), "a negative id, -2"),
        (lambda: process_groups("across", [[0]]), "no strategy 'across'"),
        (lambda: process_groups("cross_replica", [[0]], replicas=0), "0 replicas"),
        (lambda: process_groups("cross_replica", [["a"]]), "groups of processes are"),
        (lambda: process_pairs("cross_replica", [[0, 1], [1, 1]], replicas=2), "1 twice as a tar"),
        (lambda: process_pairs("cross_replica", [[0, 1, 2]], replicas=3), "no pair of ids"),
        (lambda: process_pairs("cross_replica", [[0, 1]]), "replica 1, but there is one replica"),
        (lambda: strategy_of("add"), "'add' has no process groups"),
        (lambda: strategy_of("all_reduce", 0, True), "needs a channel with a positive"),
        (lambda: strategy_of("all_to_all", 1, True), "all_to_all has no use_global_device_ids"),
    ],
)
def test_groups_that_cannot_be_are_errors(call, message):
    with pytest.raises(AttributeValueError) as error:
        call()
    assert message in error.value.message
    assert "test_process_grid.py" in (error.value.where or "")


def test_a_broadcast_may_leave_processes_out():
    found = process_groups("cross_replica", [[2, 1]], replicas=4, covering=False)
    assert found == (((2, 0), (1, 0)),)
