"""Reductions by any body give, gathered and folded, what the processes give."""

from typing import Any

import numpy as np
import pytest

import dxir
from dxir import Mesh, MeshAxesGroups, bf16, f32, i32, ops
from dxir.errors import PassError
from dxir.passes.gather_reductions import GatherReductions


def reduced(type: Any, body: Any, **told: Any) -> dxir.Function:
    b = dxir.Builder("main")
    x = b.param(type)
    whole = ops.all_reduce((x,), body, **told)
    return b.build(*whole, ops.reduce_scatter(x, body, axis=0, group_size=3, **told))


@pytest.mark.parametrize(
    ("type", "body"),
    [
        (f32[6, 2], lambda a, b: ops.max(ops.abs(a), ops.abs(b))),
        (bf16[3], lambda a, b: a),  # XLA ends the process over it
        (i32[3], lambda a, b: ops.xor(a, b)),
    ],
)
def test_any_body_reduces_as_it_does_among_processes(type: Any, body: Any) -> None:
    function = reduced(type, body, replica_groups=((1, 2, 0),))
    rng = np.random.default_rng(1)
    rows = [(rng.standard_normal(type.shape) * 9).astype(type.dtype.numpy) for _ in range(3)]
    wanted = dxir.evaluate_processes(function, [[row] for row in rows])
    program = dxir.lower(function)
    gathered = program.run_passes(GatherReductions(replicas=3))
    assert "stablehlo.all_reduce" not in gathered.op_counts()
    assert str(gathered.run_passes(GatherReductions(replicas=3))) == str(gathered)
    compiled = dxir.compile(program, devices=3, replicas=3)  # does the same by itself
    for mine, found in zip(wanted, compiled.run_replicas([[r] for r in rows]), strict=True):
        for a, b in zip(mine, found, strict=True):
            np.testing.assert_array_equal(np.asarray(b), a)


def test_partitions_exchange_by_their_own_ids() -> None:
    told = {"channel": 1, "use_global_device_ids": True, "replica_groups": ((0, 1, 2),)}
    program = dxir.lower(reduced(i32[3], lambda a, b: ops.xor(a, b), **told))
    text = str(program.run_passes("dxir-gather-reductions{partitions=3}"))
    assert text.count("channel_handle<handle = ") == 2
    assert text.count("use_global_device_ids") == 1  # of the all_gather
    with pytest.raises(PassError, match="partitioned, too"):
        program.run_passes("dxir-gather-reductions{replicas=3 partitions=3}")
    with pytest.raises(PassError, match="do not fit 1 replicas of 1 partitions") as error:
        program.run_passes("dxir-gather-reductions")
    assert "test_gather_reductions.py" in (error.value.where or "")


def test_groups_along_axes_of_a_mesh_are_gathered_from() -> None:
    groups = MeshAxesGroups(Mesh("m", {"x": 2, "y": 2}), ("x",))
    b = dxir.Builder("main")
    x = b.param(i32[2])
    told = {"replica_groups": groups, "channel": 1, "use_global_device_ids": True}
    (whole,) = ops.all_reduce((x,), lambda a, b: ops.xor(a, b), **told)
    function = b.build(whole, ops.reduce_scatter(x, lambda a, b: ops.xor(a, b), axis=0, **told))
    rows = [[np.array([1 << i, 16 << i], np.int32)] for i in range(4)]
    wanted = dxir.evaluate_processes(function, rows)
    found = dxir.compile(function, devices=4, replicas=4).run_replicas(rows)
    for mine, theirs in zip(wanted, found, strict=True):
        np.testing.assert_array_equal(
            np.concatenate([np.asarray(v) for v in theirs]), [*mine[0], *mine[1]]
        )
    assert [p[1].tolist() for p in wanted] == [[5], [10], [80], [160]]
