"""Every collective on XLA's CPU, over replicas and over partitions, against many processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import Mesh, P, bf16, f32, i32, ops
from dxir.errors import ArgumentError, EvaluationError, TargetError
from dxir.graph import Function, Value
from dxir.mlir import ir, make_context
from dxir.program import Program
from dxir.runtime.interpreter.running import Interpretation, Job, interpret_all
from dxir.types import TensorType
from dxir.versions import current_version

Array = Any
PAIRS = ((0, 2), (3, 1))
ALL = ((2, 0, 3, 1),)
RNG = np.random.default_rng(7)
ROWS = RNG.standard_normal((4, 4, 4)).astype(np.float32)


def maximum_of_sizes(a: Value, b: Value) -> Value:
    return ops.max(ops.abs(a), ops.abs(b))


def log_sum_exp(a: Value, b: Value) -> Value:
    return ops.log(ops.exp(a) + ops.exp(b))


REDUCERS: dict[str, Callable[[Value, Value], Value]] = {
    "sum": lambda a, b: a + b,
    "product": lambda a, b: a * b,
    "max": lambda a, b: ops.max(a, b),
    "min": lambda a, b: ops.min(a, b),
    "sizes": maximum_of_sizes,
    "log_sum_exp": log_sum_exp,
}


def everything(x: Value, told: dict[str, Any], moved: dict[str, Any]) -> list[Value]:
    """All collectives that XLA runs on a CPU; `told` and `moved` are the ids and their channel."""
    found: list[Value] = []
    for reducer in REDUCERS.values():
        found += ops.all_reduce((x,), reducer, replica_groups=PAIRS, **told)
        found.append(ops.reduce_scatter(x, reducer, axis=1, replica_groups=PAIRS, **told))
    found += ops.all_reduce((x,), REDUCERS["sum"], **moved)
    found += ops.all_gather((x,), axis=0, replica_groups=ALL, **told)
    found.append(ops.all_gather((x,), axis=1, replica_groups=PAIRS, **told)[0])
    for split, concat in ((0, 1), (1, 1)):
        found += ops.all_to_all(
            (x,), split_axis=split, concat_axis=concat, replica_groups=ALL, **moved
        )
    found.append(ops.collective_permute(x, source_target_pairs=((0, 2), (2, 1)), **moved))
    return found


def over_replicas() -> Function:
    b = dxir.Builder("main")
    x = b.param(f32[4, 4])
    return b.build(*everything(x, {}, {}), ops.replica_id())


def test_over_replicas_every_collective_gives_what_the_processes_give() -> None:
    function = over_replicas()
    wanted = dxir.evaluate_processes(function, [[row] for row in ROWS])
    found = dxir.compile(function, devices=4, replicas=4).run_replicas([[row] for row in ROWS])
    for mine, theirs in zip(wanted, found, strict=True):
        for a, b in zip(mine, theirs, strict=True):
            np.testing.assert_allclose(np.asarray(b), a, rtol=2e-5, atol=1e-6)
    np.testing.assert_array_equal([p[-1] for p in wanted], np.arange(4))
    by_hand = ROWS[0] + ROWS[2]
    np.testing.assert_allclose(wanted[2][0], by_hand, rtol=1e-6)
    np.testing.assert_allclose(wanted[2][1], by_hand[:, 2:], rtol=1e-6)
    np.testing.assert_array_equal(wanted[1][13], np.concatenate(ROWS[list(ALL[0])]))


def over_partitions() -> tuple[Function, Function]:
    """A program of four devices, and the body that each of them runs."""
    told = {"channel": 1, "use_global_device_ids": True}

    def body(x: Value) -> list[Value]:
        found = everything(x, told, {"channel": 1})
        found = [ops.reshape(v, shape=(1, *v.tensor.static_shape)) for v in found]
        return [*found, ops.reshape(ops.partition_id(), shape=(1,))]

    local = dxir.Builder("local")
    device = local.build(*body(local.param(f32[4, 4])))
    whole = dxir.Builder("main", mesh=Mesh("mesh", {"d": 4}))
    x = whole.param(f32[16, 4], sharding=P("d"))
    outs = [P("d")] * len(device.results)
    return whole.build(
        *ops.manual_computation((x,), body, in_shardings=[P("d")], out_shardings=outs)
    ), device


def test_over_partitions_every_collective_gives_what_the_processes_give() -> None:
    function, device = over_partitions()
    whole = ROWS.reshape(16, 4)
    each = dxir.evaluate_processes(device, [[row] for row in ROWS], partitions=4)
    joined = dxir.evaluate(function, whole)
    found = dxir.compile(function, devices=4)(whole)
    for k, (a, b) in enumerate(zip(joined, found, strict=True)):
        np.testing.assert_array_equal(a, np.concatenate([p[k] for p in each]))
        np.testing.assert_allclose(np.asarray(b), a, rtol=2e-5, atol=1e-6)
    np.testing.assert_array_equal(joined[-1], np.arange(4))


def test_several_operands_a_broadcast_and_a_rooted_reduction_have_their_meaning() -> None:
    b = dxir.Builder("main")
    x, n = b.param(f32[4]), b.param(i32[2, 2])
    exchanged = ops.all_to_all((x, n), split_axis=0, concat_axis=0, replica_groups=((1, 0),))
    sent = ops.collective_broadcast((x,), replica_groups=((1, 0),))
    kept = ops.collective_reduce((n,), lambda a, b: a + b, replica_groups=((1, 0),))
    function = b.build(*exchanged, *sent, *kept)
    x0, x1 = np.arange(8, dtype=np.float32).reshape(2, 4)
    n0, n1 = np.arange(8, dtype=np.int32).reshape(2, 2, 2)
    first, second = dxir.evaluate_processes(function, [[x0, n0], [x1, n1]])
    np.testing.assert_array_equal(first[0], [*x1[2:], *x0[2:]])
    np.testing.assert_array_equal(second[0], [*x1[:2], *x0[:2]])
    np.testing.assert_array_equal(first[1], [n1[1], n0[1]])
    np.testing.assert_array_equal(first[2], x1)
    np.testing.assert_array_equal(second[3], n0 + n1)
    alone = dxir.Builder("main")
    one = alone.param(f32[4])
    lonely = alone.build(*ops.collective_broadcast((one,), replica_groups=((1,),)))
    zeros, same = dxir.evaluate_processes(lonely, [[x1], [x1]])
    assert not zeros.any()
    np.testing.assert_array_equal(same, x1)


@pytest.mark.parametrize("type", [bf16[8], i32[8], dxir.i1[8]])
def test_element_types_are_reduced_alike(type: TensorType) -> None:
    b = dxir.Builder("main")
    x = b.param(type)
    function = b.build(*ops.all_reduce((x,), lambda a, b: ops.max(a, b)))
    rows = [(RNG.standard_normal(8) * 9).astype(type.dtype.numpy) for _ in range(2)]
    wanted = dxir.evaluate_processes(function, [[row] for row in rows])
    found = dxir.compile(function, devices=2, replicas=2).run_replicas([[row] for row in rows])
    for mine, (theirs,) in zip(wanted, found, strict=True):
        np.testing.assert_array_equal(np.asarray(theirs), mine)


def test_replicas_of_partitions_work_across_both() -> None:
    def sums(**told: Any) -> list[Array]:
        b = dxir.Builder("main")
        x = b.param(f32[()])
        function = b.build(*ops.all_reduce((x,), lambda a, b: a + b, **told))
        rows = [[np.float32(10**i)] for i in range(4)]
        return dxir.evaluate_processes(function, rows, partitions=2)

    assert sums() == [101, 1010, 101, 1010]
    assert sums(channel=1) == [1111] * 4
    assert sums(channel=1, replica_groups=((1,), (0,))) == [11, 11, 1100, 1100]
    groups = ((0, 3), (1, 2))
    found = sums(channel=1, use_global_device_ids=True, replica_groups=groups)
    assert found == [1001, 110, 110, 1001]


def test_processes_that_wait_in_vain_are_told_where() -> None:
    b = dxir.Builder("main")
    x = b.param(f32[()])
    first = ops.compare(ops.replica_id(), np.uint32(0), direction="EQ")

    def summed() -> Sequence[Value]:
        return ops.all_reduce((x,), lambda a, b: a + b)

    function = b.build(ops.cond(first, summed, lambda: (x,)))
    with pytest.raises(EvaluationError, match="wait for each other in vain") as error:
        dxir.evaluate_processes(function, [[np.float32(1)]] * 3)
    assert r"(0, 0) at all_reduce" in error.value.message
    assert "ended have (1, 0), (2, 0)" in error.value.message
    assert "test_collectives.py" in (error.value.where or "")


def test_an_error_in_one_process_ends_all() -> None:
    function = over_replicas()
    with pytest.raises(EvaluationError, match="replica 2, but there are 2 replicas") as error:
        dxir.evaluate_processes(function, [[ROWS[0]], [ROWS[1]]])
    assert "test_collectives.py" in (error.value.where or "")
    with pytest.raises(ArgumentError, match="given for 3 processes, but 1 replicas of 2 part"):
        dxir.evaluate_processes(function, [[ROWS[0]]] * 3, partitions=2)
    with pytest.raises(ArgumentError, match="has type") as wrong:
        dxir.evaluate_processes(function, [[ROWS[0]], [ROWS[1][0]]])
    assert "test_collectives.py" in (wrong.value.where or "")


def test_a_broadcast_is_refused_where_xla_has_none() -> None:
    b = dxir.Builder("main")
    x = b.param(f32[4])
    function = b.build(*ops.collective_broadcast((x,), replica_groups=((0, 1),)))
    with pytest.raises(TargetError, match="collective_broadcast"):
        dxir.compile(function, devices=2, replicas=2)


_CHANNEL = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
_GROUPS = "replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>"
_EXCHANGE = (
    f"split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, {_GROUPS}"
)
_ON_A_GRID = (  # what each of 2 replicas of 2 partitions does, and how many elements it gets
    ("all_reduce", _GROUPS, 2),
    ("all_reduce", f"{_GROUPS}, {_CHANNEL}", 2),
    ("all_gather", f"all_gather_dim = 0 : i64, {_GROUPS}, {_CHANNEL}", 8),
    (
        "all_gather",
        "all_gather_dim = 0 : i64, replica_groups = dense<[[0, 3], [2, 1]]> : tensor<2x2xi64>, "
        f"{_CHANNEL}, use_global_device_ids",
        4,
    ),
    ("reduce_scatter", f"scatter_dimension = 0 : i64, {_GROUPS}", 1),
    ("all_to_all", _EXCHANGE, 2),
    ("all_to_all", f"{_EXCHANGE}, {_CHANNEL}", 2),
    ("collective_broadcast", f"{_GROUPS}, {_CHANNEL}", 2),
    (
        "collective_permute",
        f"source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>, {_CHANNEL}",
        2,
    ),
)


def on_a_grid(op: str, told: str, size: int) -> tuple[str, str]:
    """A function, and the rest of a module whose main runs it as four processes."""
    body = """({
      ^bb0(%a: tensor<i64>, %b: tensor<i64>):
        %s = stablehlo.add %a, %b : tensor<i64>
        stablehlo.return %s : tensor<i64>
      })""" if "reduce" in op else ""  # fmt: skip
    here, there = ", ".join(["tensor<2xi64>"] * 4), ", ".join([f"tensor<{size}xi64>"] * 4)
    constants = [
        f"%c{i} = stablehlo.constant dense<[{10**i}, {2 * 10**i}]> : tensor<2xi64>"
        for i in range(4)
    ]
    function = f"""func.func @f(%x: tensor<2xi64>) -> tensor<{size}xi64> {{
      %r = "stablehlo.{op}"(%x) {body} {{{told}}} : (tensor<2xi64>) -> tensor<{size}xi64>
      return %r : tensor<{size}xi64>
    }}"""
    return (
        function,
        f"""func.func @main() -> ({there}) {{
      {" ".join(constants)}
      %r:4 = "interpreter.run_parallel"(%c0, %c1, %c2, %c3) {{programs = [[@f, @f], [@f, @f]]}}
        : ({here}) -> ({there})
      return %r#0, %r#1, %r#2, %r#3 : {there}
    }}""",
    )


@pytest.mark.skipif(
    current_version().minor < 18, reason="the interpreter then needs a processor for each process"
)
def test_on_a_grid_the_processes_give_what_stablehlos_interpreter_gives() -> None:
    parts = [on_a_grid(*case) for case in _ON_A_GRID]
    context = make_context(dialects=("interpreter",))
    jobs = [Job(Program(ir.Module.parse(f"{f}\n{main}", context))) for f, main in parts]
    rows = [[np.array([10**i, 2 * 10**i])] for i in range(4)]
    for (text, _), done in zip(parts, interpret_all(jobs), strict=True):
        assert isinstance(done, Interpretation)
        function = dxir.load(text).raise_()["f"]
        mine = dxir.evaluate_processes(function, rows, replicas=2, partitions=2)
        np.testing.assert_array_equal(np.stack(mine), np.stack(done.results), err_msg=text)
