from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from jaxlib import xla_client as xc

import dxir
from dxir import Mesh, bf16, f32, i32, ops
from dxir.attributes import ChannelHandle, MeshAxesGroups
from dxir.dialects.rooted import CollectiveReduce
from dxir.errors import (
    AttributeValueError,
    DTypeError,
    DxirError,
    EvaluationError,
    LoweringError,
    OperandError,
    ShapeError,
    ShardingError,
)
from dxir.evaluation import evaluate
from dxir.graph import Function, Value
from dxir.op import trace
from dxir.sharding import AxisRef
from dxir.testing.op_checks import available
from dxir.types import TensorType

MESH = Mesh("m", {"x": 2, "y": 2})
PAIRS = ((0, 1), (2, 3))


def add(a: Value, b: Value) -> Value:
    return a + b


def function_of(body: Callable[..., Any], *types: TensorType) -> Function:
    return trace(body, Function("main", types))


class Aval:
    """What jaxlib wants to know of an array."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.shape, self.dtype, self.weak_type = array.shape, array.dtype, False


def on_replicas(body: Callable[..., Any], arrays: np.ndarray[Any, Any]) -> list[Any]:
    """What `body` gives on each of as many replicas as `arrays` has rows, each with its row."""
    function = function_of(body, TensorType.of_array(arrays[0]))
    client: Any = xc.make_cpu_client(num_devices=len(arrays))
    options = xc.CompileOptions()
    options.num_replicas = options.executable_build_options.num_replicas = len(arrays)
    devices = client.devices()
    everywhere = xc.DeviceList(tuple(devices))
    art = dxir.lower(function).serialize()
    program = client.compile_and_load(art, everywhere, options)
    spread = xc.GSPMDSharding(everywhere, xc.HloSharding.replicate())
    parts = []
    for row, device in zip(arrays, devices, strict=True):
        one = xc.DeviceList((device,))
        here = xc.GSPMDSharding(one, xc.HloSharding.replicate())
        parts.append(xc.batched_device_put(Aval(row), here, [row], [device], enable_x64=True))
    whole: Any = xc.ArrayImpl(Aval(arrays[0]), spread, parts, True, _skip_checks=True)
    (shards,) = program.execute_sharded([whole]).disassemble_into_single_device_arrays()
    return [s._single_device_array_to_np_array_did_copy()[0] for s in shards]


ROWS = np.arange(16, dtype=np.float32).reshape(4, 4) ** 2


def test_all_reduce_combines_within_each_group() -> None:
    found = on_replicas(lambda x: ops.all_reduce((x,), add, replica_groups=PAIRS)[0], ROWS)
    for i, row in enumerate(found):
        np.testing.assert_array_equal(row, ROWS[i // 2 * 2] + ROWS[i // 2 * 2 + 1])


def test_all_reduce_takes_groups_of_different_sizes() -> None:
    groups = ((0, 1, 3), (2,))
    found = on_replicas(lambda x: ops.all_reduce((x,), ops.max, replica_groups=groups)[0], ROWS)
    np.testing.assert_array_equal(found[0], ROWS[[0, 1, 3]].max(0))
    np.testing.assert_array_equal(found[2], ROWS[2])


def test_no_groups_are_one_group_of_all() -> None:
    found = on_replicas(lambda x: ops.all_reduce((x,), add)[0], ROWS)
    np.testing.assert_array_equal(found[3], ROWS.sum(0))


def test_all_gather_and_reduce_scatter_follow_the_order_of_the_group() -> None:
    groups = ((1, 0), (2, 3))
    found = on_replicas(lambda x: ops.all_gather((x,), axis=0, replica_groups=groups)[0], ROWS)
    np.testing.assert_array_equal(found[0], np.concatenate([ROWS[1], ROWS[0]]))
    found = on_replicas(lambda x: ops.reduce_scatter(x, add, axis=0, replica_groups=groups), ROWS)
    np.testing.assert_array_equal(found[1], (ROWS[0] + ROWS[1])[:2])
    np.testing.assert_array_equal(found[0], (ROWS[0] + ROWS[1])[2:])


def test_all_to_all_exchanges_parts() -> None:
    found = on_replicas(
        lambda x: ops.all_to_all((x,), split_axis=0, concat_axis=0, replica_groups=((0, 1, 2, 3),))[
            0
        ],
        ROWS,
    )
    np.testing.assert_array_equal(np.stack(found), ROWS.T)


def test_collective_permute_leaves_zeros_where_nothing_arrives() -> None:
    pairs = ((0, 2), (2, 1))
    found = on_replicas(lambda x: ops.collective_permute(x, source_target_pairs=pairs), ROWS)
    np.testing.assert_array_equal(found[2], ROWS[0])
    np.testing.assert_array_equal(found[1], ROWS[2])
    np.testing.assert_array_equal(np.stack([found[0], found[3]]), 0)


def test_replica_id_counts_the_replicas() -> None:
    found = on_replicas(lambda x: ops.replica_id(), ROWS)
    assert [int(n) for n in found] == [0, 1, 2, 3]


def test_a_group_of_axes_of_a_mesh_is_written_with_its_mesh() -> None:
    groups = MeshAxesGroups(MESH, ("y",))
    function = function_of(lambda x: ops.all_gather((x,), axis=0, replica_groups=groups), f32[3])
    assert function.result_types == (f32[6],)
    text = str(dxir.lower(function))
    assert "sdy.mesh @m" in text
    assert 'replica_group_mesh_axes<mesh = @m, axes = [#stablehlo.axis_ref<name = "y">]>' in text
    raised = dxir.lower(function).raise_()
    assert next(iter(raised["main"].nodes)).attrs["replica_groups"] == groups


def test_a_number_is_a_channel() -> None:
    function = function_of(lambda x: ops.all_reduce((x,), add, channel=3), f32[3])
    assert function.nodes[0].attrs["channel"] == ChannelHandle(3)
    assert "channel_handle<handle = 3, type = 0>" in str(dxir.lower(function))


def test_a_group_whose_partitions_join_says_its_size() -> None:
    def body(x: Value) -> Any:
        return ops.all_gather((x,), axis=0, replica_groups=PAIRS, channel=1, group_size=8)

    assert function_of(body, f32[3]).result_types == (f32[24],)


def test_collective_reduce_needs_a_new_jaxlib() -> None:
    function = function_of(lambda x: ops.collective_reduce((x,), add, replica_groups=PAIRS), f32[3])
    if available(CollectiveReduce):
        assert dxir.lower(function).op_counts()["stablehlo.collective_reduce"] == 1
        return
    with pytest.raises(LoweringError, match=r"jaxlib 0\.12 or later") as caught:
        dxir.lower(function)
    assert "test_collectives.py" in str(caught.value)


def test_a_broadcast_from_a_dynamic_root_needs_a_new_jaxlib() -> None:
    def body(x: Value, root: Value) -> Any:
        return ops.collective_broadcast((x, root), replica_groups=PAIRS, has_dynamic_root=True)

    function = function_of(body, f32[3], i32[1])
    assert function.result_types == (f32[3],)
    if available(CollectiveReduce):
        assert "has_dynamic_root" in str(dxir.lower(function))
        return
    with pytest.raises(LoweringError, match="dynamic root"):
        dxir.lower(function)


def test_an_evaluation_has_one_participant() -> None:
    x = np.ones(4, np.float32)
    alone = function_of(lambda x: ops.all_reduce((x,), add, replica_groups=((0,), (1,))), f32[4])
    np.testing.assert_array_equal(evaluate(alone, x), x)
    for body in (
        lambda x: ops.all_reduce((x,), add, replica_groups=PAIRS),
        lambda x: ops.all_gather((x,), axis=0, group_size=2),
        lambda x: ops.all_to_all((x,), split_axis=0, concat_axis=0, replica_groups=PAIRS),
        lambda x: ops.collective_permute(x, source_target_pairs=((0, 1),)),
        lambda x: ops.collective_broadcast((x,), replica_groups=MeshAxesGroups(MESH, ("x", "y"))),
        lambda x: ops.reduce_scatter(x, add, axis=0, group_size=2),
    ):
        with pytest.raises(EvaluationError, match="one participant") as caught:
            evaluate(function_of(body, f32[4]), x)
        assert "test_collectives.py" in str(caught.value)


@pytest.mark.parametrize(
    ("body", "error", "words"),
    [
        (
            lambda x: ops.all_reduce((x,), add, replica_groups=((0, 0),)),
            AttributeValueError,
            "hold id 0 twice",
        ),
        (
            lambda x: ops.all_reduce((x,), add, replica_groups=((0, 2),)),
            AttributeValueError,
            "leave out id 1",
        ),
        (
            lambda x: ops.all_reduce((x,), add, replica_groups=((0, -2),)),
            AttributeValueError,
            "negative id",
        ),
        (
            lambda x: ops.all_gather((x,), axis=0, replica_groups=((0, 1), (2,))),
            AttributeValueError,
            "have different sizes",
        ),
        (lambda x: ops.all_gather((x,), axis=0), AttributeValueError, "give replica_groups, or"),
        (
            lambda x: ops.all_gather((x,), axis=0, replica_groups=PAIRS, group_size=4),
            AttributeValueError,
            "group_size is 4, but a group lists 2 ids",
        ),
        (
            lambda x: ops.all_gather((x,), axis=5, replica_groups=PAIRS),
            ShapeError,
            "axis 5 is out of range for rank 1",
        ),
        (
            lambda x: ops.all_reduce((x,), add, use_global_device_ids=True),
            AttributeValueError,
            "needs a channel",
        ),
        (
            lambda x: ops.all_reduce((x,), lambda a, b: ops.compare(a, b, direction="LT")),
            ShapeError,
            "must return one f32[], not (i1[],)",
        ),
        (lambda x: ops.all_reduce((x,), add, dtype=bf16), DTypeError, "no narrower"),
        (lambda x: ops.all_reduce((), add), OperandError, "inputs is empty"),
        (
            lambda x: ops.all_reduce((x, ops.convert(x, dtype=bf16)), add),
            DTypeError,
            "the element types differ: f32[4], bf16[4]",
        ),
        (
            lambda x: ops.reduce_scatter(x, add, axis=0, group_size=3),
            ShapeError,
            "axis 0 of f32[4] does not split into 3 equal parts",
        ),
        (
            lambda x: ops.all_to_all((x,), split_axis=0, concat_axis=0),
            AttributeValueError,
            "must list the processes",
        ),
        (
            lambda x: ops.all_to_all(
                (x,), split_axis=0, concat_axis=0, split_count=4, replica_groups=PAIRS
            ),
            AttributeValueError,
            "split_count is 4, but a group has 2 processes",
        ),
        (
            lambda x: ops.collective_permute(x, source_target_pairs=((0, 1), (0, 2))),
            AttributeValueError,
            "hold id 0 twice as a source",
        ),
        (
            lambda x: ops.collective_permute(x, source_target_pairs=((0, 1), (2, 1))),
            AttributeValueError,
            "hold id 1 twice as a target",
        ),
        (
            lambda x: ops.collective_permute(x, source_target_pairs=((0, -1),)),
            AttributeValueError,
            "holds (0, -1)",
        ),
        (
            lambda x: ops.collective_broadcast((x,), has_dynamic_root=True),
            OperandError,
            "one input and, as the last one, its root",
        ),
        (
            lambda x: ops.collective_broadcast((x, x), has_dynamic_root=True),
            OperandError,
            "the roots of 1 inputs are i32[1]",
        ),
        (
            lambda x: ops.all_reduce((x,), add, replica_groups=MeshAxesGroups(MESH, ("z",))),
            ShardingError,
            "mesh 'm' has no axis 'z'",
        ),
        (
            lambda x: MeshAxesGroups(MESH, ("x", AxisRef("x"))),
            ShardingError,
            "used twice in replica groups",
        ),
    ],
)
def test_what_a_collective_cannot_take_is_said(
    body: Any, error: type[DxirError], words: str
) -> None:
    with pytest.raises(error) as caught:
        function_of(body, f32[4])
    assert words in str(caught.value)
    if caught.value.where is not None:
        assert "test_collectives.py" in caught.value.where
