from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import AxisRef, Builder, DimSharding, Mesh, Sharding, bf16, f32, ops
from dxir.attributes import OpShardingRule
from dxir.errors import (
    AttributeValueError,
    DxirError,
    GraphError,
    LoweringError,
    ShapeError,
    ShardingError,
    ShardingWarning,
)
from dxir.evaluation import evaluate
from dxir.graph import Function, Value
from dxir.mlir import sdy
from dxir.op import trace
from dxir.types import TensorType

MESH = Mesh("mesh", {"x": 2, "y": 4})


def function_of(body: Callable[..., Any], *types: TensorType) -> Function:
    return trace(body, Function("main", types))


def manual(body: Any, into: Any, out: Any, axes: Any = ("x",)) -> Callable[..., Any]:
    return lambda *xs: ops.manual_computation(
        xs, body, in_shardings=into, out_shardings=out, manual_axes=axes
    )


def test_a_constraint_is_written_as_shardy_writes_it() -> None:
    dims = (DimSharding(("x", AxisRef("y", (1, 2))), open=True, priority=1), None)
    spec = Sharding(MESH, *dims, replicated=(AxisRef("y", (2, 2)),))
    text = str(dxir.lower(function_of(lambda x: ops.sharding_constraint(x, spec), f32[8, 8])))
    assert 'sdy.mesh @mesh = <["x"=2, "y"=4]>' in text
    assert 'sdy.sharding_constraint %arg0 <@mesh, [{"x", "y":(1)2, ?}p1, {}], ' in text
    assert 'replicated={"y":(2)2}>' in text


def test_parameters_results_and_nodes_carry_shardings() -> None:
    b = Builder("main")
    x = b.param(f32[4, 8], sharding=Sharding(MESH, "x", None))
    y = ops.tanh(x, sharding=Sharding(MESH, None, "y"))
    function = b.build(y, shardings=[Sharding(MESH, "y", None)])
    text = str(dxir.lower(function))
    assert text.count("sdy.mesh") == 1
    assert '%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}' in text
    assert '(tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})' in text
    assert 'sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>' in text


def test_an_axis_that_does_not_divide_the_dimension_is_warned_of_with_this_line() -> None:
    b = Builder("main")
    with pytest.warns(ShardingWarning) as caught:
        b.param(f32[5, 4], name="w", sharding=Sharding(MESH, "x", None))
    assert "dimension 0 (5) of parameter w of type f32[5, 4] is not divisible by 2" in str(
        caught[0].message
    )
    assert caught[0].filename.endswith("test_sharding.py")
    with pytest.warns(ShardingWarning, match=r"dimension 1 \(6\) of the operand .* by 4"):
        function_of(lambda x: ops.sharding_constraint(x, Sharding(MESH, None, "y")), f32[4, 6])


def test_a_mesh_of_one_device_places_the_whole_tensor() -> None:
    only = Sharding(Mesh("third", (), device_ids=(3,)))
    text = str(dxir.lower(function_of(lambda x: ops.sharding_constraint(x, only), f32[4, 6])))
    assert "sdy.mesh @third = <[], device_ids=[3]>" in text


def test_the_body_of_a_manual_computation_sees_local_shapes() -> None:
    seen: list[Any] = []

    def body(x: Value, y: Value) -> Value:
        seen.extend((x.type, y.type))
        return x

    split = Sharding(MESH, ("x", "y"), None)
    function = function_of(
        manual(body, (split, Sharding(MESH, None)), (split,), ("x", "y")), f32[16, 3], bf16[5]
    )
    assert seen == [f32[2, 3], bf16[5]]
    assert function.result_types == (f32[16, 3],)
    assert "sdy.return" in dxir.lower(function).op_counts()


def test_free_axes_stay_global_in_a_manual_computation() -> None:
    split = Sharding(MESH, ("x", "y"), None)
    function = function_of(manual(lambda x: x, (split,), (split,), ("x",)), f32[16, 3])
    assert function.nodes[0].regions[0].param_types == (f32[8, 3],)


def test_a_manual_computation_without_collectives_can_be_evaluated() -> None:
    x = np.arange(48, dtype=np.float32).reshape(16, 3)
    split = Sharding(MESH, ("y", "x"), None)

    def centred(x: Value) -> Value:
        return x - ops.mean(x, axes=(0,), keepdims=True)

    function = function_of(manual(centred, (split,), (split,), ("x", "y")), f32[16, 3])
    parts = x.reshape(8, 2, 3)
    np.testing.assert_allclose(
        evaluate(function, x), (parts - parts.mean(1, keepdims=True)).reshape(16, 3)
    )
    sub = Sharding(MESH, (AxisRef("y", (2, 2)),), None)
    swapped = function_of(
        manual(lambda x: ops.reverse(x, axes=(0,)), (sub,), (sub,), ("y",)), f32[16, 3]
    )
    np.testing.assert_array_equal(evaluate(swapped, x), np.concatenate([x[7::-1], x[:7:-1]]))


def test_an_evaluation_says_which_device_it_is_and_lets_them_talk() -> None:
    split = Sharding(MESH, "x")

    def body(x: Value) -> Value:
        moved = ops.all_reduce(
            (x,), lambda a, b: a + b, replica_groups=((0, 4), (1, 5), (2, 6), (3, 7)), channel=1,
            use_global_device_ids=True,
        )[0]  # fmt: skip
        return moved + ops.convert(ops.partition_id(), dtype=f32[()].dtype)

    function = function_of(manual(body, (split,), (split,)), f32[4])
    found = evaluate(function, np.arange(4, dtype=np.float32))
    np.testing.assert_array_equal(found, [2, 4, 6, 8])


def test_a_manual_computation_within_another_is_evaluated_by_all_devices() -> None:
    inner, outer = Sharding(MESH, None, "y"), Sharding(MESH, "x", None)

    def within(x: Value) -> Value:
        return x + ops.convert(ops.partition_id(), dtype=f32[()].dtype)

    def body(x: Value) -> Value:
        return ops.manual_computation(
            (x,), within, in_shardings=(inner,), out_shardings=(inner,), manual_axes=("y",)
        )[0]

    function = function_of(
        lambda x: ops.manual_computation(
            (x,), body, in_shardings=(outer,), out_shardings=(outer,), manual_axes=("x",)
        ),
        f32[2, 4],
    )
    found = evaluate(function, np.zeros((2, 4), np.float32))
    np.testing.assert_array_equal(found, np.arange(8).reshape(2, 4))


def test_a_sharding_rule_travels_as_an_annotation_and_comes_back() -> None:
    rule = OpShardingRule((4,), (((0,),),), (((0,),),))

    def body(x: Value) -> Value:
        y: Value = ops.custom_call((x,), types=(x.type,), call_target_name="mine")
        assert y.producer is not None
        y.producer.annotations = {"sdy.sharding_rule": rule}
        return y

    program = dxir.lower(function_of(body, f32[4]))
    assert "sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=4}, custom>" in str(program)
    node = program.raise_()["main"].nodes[0]
    assert node.annotations == {"sdy.sharding_rule": rule}


def test_unreduced_axes_may_be_maxima_where_shardy_knows_them() -> None:
    spec = Sharding(MESH, None, unreduced=("y", "x"), reduction="MAX")
    function = function_of(lambda x: ops.sharding_constraint(x, spec), f32[4])
    if hasattr(sdy, "ReductionOp"):
        program = dxir.lower(function)
        assert 'unreduced=max{"x", "y"}' in str(program)
        assert program.raise_()["main"].nodes[0].attrs["spec"] == spec
        return
    with pytest.raises(LoweringError, match="only sums") as caught:
        dxir.lower(function)
    assert "test_sharding.py" in str(caught.value)


def test_axis_names_with_quotes_survive() -> None:
    mesh = Mesh("m", {'a"b\\{é': 2, "c": 2})
    name = mesh.axes[0][0]

    def body(x: Value) -> Any:
        x = ops.reshard(x, Sharding(mesh, (name, "c"), None))
        return ops.sdy_all_gather(
            x, axes=((name, "c"), ()), out_sharding=Sharding(mesh, None, None)
        )

    program = dxir.lower(function_of(body, f32[4, 4]))
    node = program.raise_()["main"].nodes[1]
    assert node.attrs["axes"] == ((AxisRef(name), AxisRef("c")), ())


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Sharding(MESH, "z"), "mesh 'mesh' has no axis 'z'"),
        (lambda: Sharding(MESH, "x", "x"), "used twice in one sharding"),
        (lambda: Sharding(MESH, "x", replicated=("x",)), "used twice in one sharding"),
        (lambda: Sharding(MESH, "y", (AxisRef("y", (1, 2)),)), "used twice"),
        (lambda: Sharding(MESH, (AxisRef("y", (1, 4)),)), "is all of axis 'y'"),
        (lambda: Sharding(MESH, (AxisRef("y", (1, 3)),)), "is not a part of axis"),
        (
            lambda: Sharding(MESH, (AxisRef("y", (1, 2)), AxisRef("y", (2, 2)))),
            "follow each other",
        ),
        (lambda: DimSharding(priority=1), "a dimension has priority 1"),
        (lambda: Sharding(MESH, 3), "does not say how a dimension is sharded"),
        (lambda: Sharding(MESH, reduction="XOR"), "one of SUM, MAX, MIN"),
        (lambda: Mesh("m", {"x": 0}), "has size 0"),
        (lambda: Mesh("m", [("x", 1), ("x", 2)]), "two axes named 'x'"),
        (lambda: Mesh("m", {"x": 2}, (0, 2)), "not a permutation of 0..1"),
        (lambda: Mesh("m", (), (1, 2)), "has no axes, but device ids [1, 2]"),
    ],
)
def test_a_sharding_that_contradicts_itself_is_refused(make: Any, words: str) -> None:
    with pytest.raises(ShardingError) as caught:
        make()
    assert words in str(caught.value)


SPLIT = Sharding(MESH, "x", None)


@pytest.mark.parametrize(
    ("body", "error", "words"),
    [
        (lambda x: ops.sharding_constraint(x, Sharding(MESH, "x")), ShardingError, "of rank 1"),
        (lambda x: ops.sharding_constraint(x, "x"), ShardingError, "a Sharding is needed"),
        (lambda x: ops.tanh(x, sharding=Sharding(MESH)), ShardingError, "of rank 0"),
        (
            lambda x: ops.propagation_barrier(x, allowed_direction="BOTH"),
            AttributeValueError,
            "NONE, FORWARD, BACKWARD",
        ),
        (manual(lambda x: x, (SPLIT,), (SPLIT,), ("z",)), ShardingError, "no axis 'z'"),
        (manual(lambda x: x, (), (SPLIT,)), ShapeError, "in_shardings has 0 entries"),
        (manual(lambda x: x, (SPLIT,), ()), ShapeError, "out_shardings has 0 entries"),
        (
            manual(lambda x: x, (Sharding(MESH, ("y", "x"), None),), (SPLIT,)),
            ShardingError,
            "manual axes come before free ones",
        ),
        (
            manual(lambda x: x, (SPLIT,), (Sharding(Mesh("o", {"x": 2}), "x", None),)),
            ShardingError,
            "on meshes 'mesh' and 'o'",
        ),
        (
            lambda x: manual(lambda part: ops.add(part, x), (SPLIT,), (SPLIT,), ())(x),
            GraphError,
            "P() in in_shardings gives every device all of it",
        ),
        (
            lambda x: ops.sdy_all_gather(x, axes=(("x",), ()), out_sharding=SPLIT),
            ShardingError,
            "the sharding of the operand is not known",
        ),
        (
            lambda x: ops.sdy_all_gather(
                ops.reshard(x, SPLIT), axes=(("x",),), out_sharding=Sharding(MESH, None, None)
            ),
            ShapeError,
            "axes has 1 entries, but 2 are needed",
        ),
        (
            lambda x: ops.sdy_collective_permute(
                ops.reshard(x, SPLIT), out_sharding=Sharding(MESH, "y", None)
            ),
            ShardingError,
            "not equally many parts",
        ),
    ],
)
def test_what_a_sharding_op_cannot_take_is_said_with_this_line(
    body: Any, error: type[DxirError], words: str
) -> None:
    with pytest.raises(error) as caught:
        function_of(body, f32[8, 8])
    assert words in str(caught.value)
    assert "test_sharding.py" in str(caught.value.where)


def test_a_manual_axis_that_would_pad_is_an_error() -> None:
    with pytest.warns(ShardingWarning), pytest.raises(ShardingError, match="2 equal parts"):
        function_of(manual(lambda x: x, (SPLIT,), (SPLIT,)), f32[5, 8])


def test_two_meshes_of_one_name_are_refused() -> None:
    other = Mesh("mesh", {"x": 4})

    def body(x: Value) -> Value:
        x = ops.sharding_constraint(x, SPLIT)
        return ops.sharding_constraint(x, Sharding(other, "x", None))

    with pytest.raises(ShardingError, match=r"py:\d+.*: two different meshes are called 'mesh'"):
        dxir.lower(function_of(body, f32[8, 8]))
