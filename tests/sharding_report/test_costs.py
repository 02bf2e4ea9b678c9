"""What collectives send, why they are there and what is live, with numbers worked out by hand."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.mlir import ir
from dxir.passes.device_groups import OVER_IDS
from dxir.reading import ops_below

MESH = 'sdy.mesh @mesh = <["x"=2, "y"=4]>\n'
LINKS = dxir.Interconnect(dxir.Link(1e9, 1e-6))


def given(text: str) -> str:
    """A sharding as an attribute of a parameter or result."""
    return f"{{sdy.sharding = #sdy.sharding<@mesh, {text}>}}"


MLP = f"""{MESH}
func.func @main(%tokens: tensor<8x16xf32> {given('[{"x"}, {}]')},
                %w1: tensor<16x32xf32> {given('[{}, {"y"}]')},
                %w2: tensor<32x16xf32> {given('[{"y"}, {}]')})
    -> (tensor<8x16xf32> {given('[{"x"}, {}]')}) {{
  %0 = stablehlo.dot_general %tokens, %w1, contracting_dims = [1] x [0]
    : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %1 = stablehlo.tanh %0 : tensor<8x32xf32>
  %2 = stablehlo.dot_general %1, %w2, contracting_dims = [1] x [0]
    : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}}"""


@functools.cache
def explained(text: str) -> dxir.ShardingReport:
    return dxir.explain_sharding(dxir.load(text), interconnect=LINKS)


def told(report: dxir.ShardingReport) -> list[tuple[str, str, str, int | None, int | None]]:
    """Kind, axes, operand, what a device sends, runs."""
    return [(c.kind, c.axes_text, c.operand, c.sent, c.runs.count) for c in report.collectives]


def test_a_split_mlp_sums_its_second_product() -> None:
    report = explained(MLP)
    # A device has f32[4, 16], 256 bytes: 2 * 3/4 of them in 6 steps of 64 bytes.
    assert told(report) == [("all_reduce", '{"y"}', "f32[4, 16]", 384, 1)]
    (one,) = report.collectives
    assert one.cause == 'the contraction over {"y"} of dot_general at <text>:10:8'
    assert one.seconds == pytest.approx(6 * (1e-6 + 64e-9))
    assert one.process_groups() == ((0, 1, 2, 3), (4, 5, 6, 7))
    assert (report.sent, report.seconds) == (384, one.seconds)


def test_the_memory_of_a_split_mlp() -> None:
    memory = explained(MLP).memory
    assert (memory.parameters, memory.whole_parameters) == (256 + 512 + 512, 512 + 2048 + 2048)
    assert (memory.results, memory.whole_results) == (256, 512)
    # Most is live where the sum is made: the terms and the sum, f32[4, 16] each.
    assert memory.peak == 1280 + 256 + 256
    # On one device it is in tanh: f32[8, 32] twice.
    assert memory.whole_peak == 4608 + 1024 + 1024


def attention() -> dxir.Program:
    """Heads over "y", the batch over "x"; the projection contracts over the heads."""
    mesh = dxir.Mesh("mesh", {"x": 2, "y": 4})
    b = dxir.Builder("main")
    split = dxir.Sharding(mesh, "x", "y", None, None)
    q, k, v = (
        ops.sharding_constraint(b.param(dxir.f32[4, 8, 32, 16], name=n), split) for n in "qkv"
    )
    w = ops.sharding_constraint(
        b.param(dxir.f32[128, 64], name="w"), dxir.Sharding(mesh, "y", None)
    )
    scores = ops.softmax(ops.matmul(q, ops.transpose(k, permutation=(0, 1, 3, 2))))
    heads = ops.transpose(ops.matmul(scores, v), permutation=(0, 2, 1, 3))
    return dxir.lower(b.build(ops.matmul(ops.reshape(heads, shape=(4, 32, 128)), w)))


def test_attention_by_heads_speaks_only_in_its_projection() -> None:
    report = dxir.explain_sharding(attention())
    # A device has f32[2, 32, 64], 16 KiB, of which it sends 2 * 3/4.
    moves = [c for c in report.collectives if c.sent]
    assert [(c.kind, c.axes_text, c.operand, c.sent) for c in moves] == [
        ("all_reduce", '{"y"}', "f32[2, 32, 64]", 24576)
    ]
    assert moves[0].cause.startswith('the contraction over {"y"} of dot_general at ')
    assert __file__ in (moves[0].where or "")
    softmax = [v for v in report.values if v.op == "exponential"]
    assert [v.local for v in softmax] == ["f32[2, 2, 32, 32]"]
    assert (report.memory.parameters, report.memory.whole_parameters) == (
        3 * 4 * 2 * 2 * 32 * 16 + 4 * 32 * 64,
        3 * 4 * 4 * 8 * 32 * 16 + 4 * 128 * 64,
    )


LOOPS = f"""{MESH}
func.func @main(%a: tensor<8x16xf32> {given('[{"x"}, {}]')}, %n: tensor<i32>,
                %w: tensor<16x16xf32> {given('[{"y"}, {}]')})
    -> (tensor<8x16xf32> {given('[{"x"}, {}]')}, tensor<8x16xf32> {given('[{"x"}, {}]')}) {{
  %nine = stablehlo.constant dense<9> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %r:2 = stablehlo.while(%i = %nine, %x = %a) : tensor<i32>, tensor<8x16xf32>
   cond {{
     %p = stablehlo.compare GE, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
     stablehlo.return %p : tensor<i1>
   }} do {{
     %m = stablehlo.subtract %i, %two : tensor<i32>
     %y = func.call @f(%x, %w)
       : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
     stablehlo.return %m, %y : tensor<i32>, tensor<8x16xf32>
   }}
  %s:2 = stablehlo.while(%i = %two, %x = %a) : tensor<i32>, tensor<8x16xf32>
   cond {{
     %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
     stablehlo.return %p : tensor<i1>
   }} do {{
     %m = stablehlo.add %i, %two : tensor<i32>
     %y = func.call @f(%x, %w)
       : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
     stablehlo.return %m, %y : tensor<i32>, tensor<8x16xf32>
   }}
  return %r#1, %s#1 : tensor<8x16xf32>, tensor<8x16xf32>
}}
func.func private @f(%x: tensor<8x16xf32>, %w: tensor<16x16xf32>) -> tensor<8x16xf32> {{
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %z = "stablehlo.all_reduce"(%y) ({{
  ^bb0(%u: tensor<f32>, %v: tensor<f32>):
    %t = stablehlo.maximum %u, %v : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }}) {{replica_groups = dense<[[0]]> : tensor<1x1xi64>}} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %z : tensor<8x16xf32>
}}"""


def test_what_runs_in_loops_counts_as_often_as_these_do_where_that_is_known() -> None:
    report = explained(LOOPS)
    # i = 9, 7, 5, 3: 4 steps; the other loop goes on until a parameter says so.
    sums = [c for c in report.collectives if c.kind == "all_reduce" and c.inserted]
    assert [(c.runs.count, c.runs.counted) for c in sums] == [(None, 4 + 1)]
    assert sums[0].runs.text == (
        "2 calls of @f, in a loop of 4 steps, in a loop of unknown steps at <text>:18:10"
    )
    assert sums[0].sent_in_all == 5 * 384
    assert any("loops of unknown steps" in text for text in report.unknown())


BRANCHES = f"""{MESH}
func.func @main(%a: tensor<8x16xf32> {given('[{"x"}, {}]')}, %i: tensor<i32>)
    -> (tensor<8x16xf32> {given("[{}, {}]")}, tensor<16xf32>) {{
  %1:2 = "stablehlo.case"(%i) ({{
    %t = stablehlo.tanh %a : tensor<8x16xf32>
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %s = stablehlo.reduce(%t init: %z) applies stablehlo.add across dimensions = [0]
      : (tensor<8x16xf32>, tensor<f32>) -> tensor<16xf32>
    stablehlo.return %t, %s : tensor<8x16xf32>, tensor<16xf32>
  }}, {{
    %t = stablehlo.add %a, %a : tensor<8x16xf32>
    %s = stablehlo.constant dense<1.0> : tensor<16xf32>
    stablehlo.return %t, %s : tensor<8x16xf32>, tensor<16xf32>
  }}) : (tensor<i32>) -> (tensor<8x16xf32>, tensor<16xf32>)
  return %1#0, %1#1 : tensor<8x16xf32>, tensor<16xf32>
}}"""


def test_what_is_in_a_branch_runs_once_at_most_and_a_result_may_need_a_gather() -> None:
    report = explained(BRANCHES)
    assert told(report) == [
        ("all_reduce", '{"x"}', "f32[16]", 64, 1),
        ("all_gather", '{"x"}', "f32[4, 16]", 256, 1),
    ]
    inner, outer = report.collectives
    assert inner.cause == 'the reduction over {"x"} of reduce at <text>:8:26'
    assert str(inner.runs) == "1x (at most, in a branch of case)"
    assert outer.cause == (
        "result 0 of @main is asked to be [{}, {}], "
        'and the result of case at <text>:5:10 is [{"x"}, {}]'
    )
    assert [(t.axes, t.count, t.sent) for t in report.totals_by_axes()] == [('{"x"}', 2, 320)]
    assert [t.kind for t in report.totals_by_kind()] == ["all_gather", "all_reduce"]


CALLS = f"""{MESH}
func.func @main(%a: tensor<8x16xf32> {given('[{"x"}, {"y"}]')}) -> tensor<8x16xf32> {{
  %0 = call @f(%a) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = call @f(%0) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}}
func.func private @f(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {{
  %0 = sdy.sharding_constraint %a <@mesh, [{{"x"}}, {{}}]> : tensor<8x16xf32>
  %1 = stablehlo.tanh %0 : tensor<8x16xf32>
  %2 = sdy.sharding_constraint %1 <@mesh, [{{"x"}}, {{"y"}}]> : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}}"""


def test_a_function_that_is_called_twice_sends_twice() -> None:
    report = explained(CALLS)
    gathers = [c for c in report.collectives if c.kind == "all_gather"]
    assert sum(c.runs.counted for c in gathers) == 2
    assert report.sent == 2 * 3 * 64  # f32[4, 4] to three others
    assert all(c.sent == 0 for c in report.collectives if c.kind == "all_slice")


MOVES = """sdy.mesh @mesh = <["x"=2, "y"=4, "z"=8]>
func.func @main(%a: tensor<16x16x16x16xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>)
    -> (tensor<16x16x16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {}, {"y"}, {}]> : tensor<16x16x16x16xf32>
  %1 = sdy.all_to_all [{"x"}: 0->1, {"y"}: 2->3] %0 out_sharding=<@mesh, [{}, {"x"}, {}, {"y"}]>
    : tensor<16x16x16x16xf32>
  %2 = sdy.sharding_constraint %b <@mesh, [{"x", "y"}, {}]> : tensor<16x16xf32>
  %3 = sdy.sharding_constraint %2 <@mesh, [{"y", "x"}, {}]> : tensor<16x16xf32>
  %4 = sdy.sharding_constraint %c <@mesh, [{"z":(1)2}, {"z":(2)4}]> : tensor<16x16xf32>
  %5 = sdy.sharding_constraint %4 <@mesh, [{"z":(1)2}, {}]> : tensor<16x16xf32>
  return %1, %3, %5 : tensor<16x16x16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
}"""


def test_exchanges_over_several_axes_permutes_and_parts_of_axes() -> None:
    report = explained(MOVES)
    moves = {c.kind: c for c in reversed(report.collectives)}
    exchange, permute, gather = (
        moves[kind] for kind in ("all_to_all", "collective_permute", "all_gather")
    )
    # f32[8, 16, 4, 16], 32 KiB, of which 7/8 are for the other devices.
    assert (exchange.axes_text, exchange.devices, exchange.sent) == ('{"x", "y"}', 8, 28672)
    # f32[2, 16] to one other device.
    assert (permute.axes_text, permute.sent) == ('{"x", "y"}', 128)
    # f32[8, 4] to three others, 128 bytes each.
    assert (gather.axes_text, gather.devices, gather.sent) == ('{"z":(2)4}', 4, 384)


MANUAL = f"""{MESH}
func.func @main(%a: tensor<8x16xf32> {given('[{"x"}, {}]')})
    -> (tensor<8x16xf32> {given('[{"x"}, {}]')}) {{
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{{"x"}}, {{}}]>]
      out_shardings=[<@mesh, [{{"x"}}, {{}}]>] manual_axes={{"x", "y"}} (%p: tensor<4x16xf32>) {{
    %1 = "stablehlo.all_reduce"(%p) ({{
    ^bb0(%u: tensor<f32>, %v: tensor<f32>):
      %t = stablehlo.add %u, %v : tensor<f32>
      stablehlo.return %t : tensor<f32>
    }}) {{replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>,
         channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}}
      : (tensor<4x16xf32>) -> tensor<4x16xf32>
    %2 = "stablehlo.collective_permute"(%1)
      {{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>}}
      : (tensor<4x16xf32>) -> tensor<4x16xf32>
    sdy.return %2 : tensor<4x16xf32>
  }} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}}"""


def test_collectives_that_the_program_has_are_told_apart_with_the_axes_of_their_groups() -> None:
    report = explained(MANUAL)
    assert told(report) == [
        ("all_reduce", '{"x"}', "f32[4, 16]", 256, 1),
        ("collective_permute", "?", "f32[4, 16]", 256, 1),
    ]
    assert not any(c.inserted for c in report.collectives)
    reduce, permute = report.collectives
    assert (reduce.strategy, reduce.process_groups()[1]) == ("flattened_ids", (1, 5))
    assert (permute.strategy, permute.process_groups()) == ("cross_partition", ((0, 1), (1, 0)))
    assert permute.seconds == pytest.approx(1e-6 + 256e-9)


def local_collectives(program: dxir.Program) -> list[tuple[str, str]]:
    """The collectives of the program of one device, with their operands."""
    module = program.run_passes("dxir-partition").module
    found: list[tuple[str, str]] = []
    for op in ops_below(module.operation, OVER_IDS):
        shape = ir.RankedTensorType(op.operands[0].type).shape
        found.append((op.name.removeprefix("stablehlo."), str(np.prod(shape) * 4)))
    return sorted(found)


@pytest.mark.parametrize("text", [MLP, CALLS, MANUAL], ids=["mlp", "calls", "manual"])
def test_the_program_of_one_device_has_the_same_collectives(text: str) -> None:
    report = explained(text)
    ours = [(c.kind, str(c.operand_bytes)) for c in report.collectives if c.kind != "all_slice"]
    assert sorted(ours) == local_collectives(dxir.load(text))


UNKNOWN = f"""{MESH}
func.func @main(%a: tensor<?x16xf32> {given('[{"x"}, {}]')})
    -> (tensor<?x16xf32> {given('[{}, {"x"}]')}) {{
  return %a : tensor<?x16xf32>
}}"""


def test_bytes_that_are_not_known_are_none_and_said_so() -> None:
    report = explained(UNKNOWN)
    (move,) = report.collectives
    assert (move.kind, move.sent, move.seconds) == ("all_to_all", None, None)
    assert report.memory.peak is None
    first, last = report.unknown()
    assert first == "1 collective of a size that is not known, which the totals leave out"
    assert last.startswith("memory: ")


SUMMED_TWICE = f"""{MESH}
func.func @main(%a: tensor<16x16xf32> {given('[{}, {"x"}]')},
                %b: tensor<16x16xf32> {given('[{"x"}, {}]')}) -> tensor<16x16xf32> {{
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    {{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{}}, {{}}]>]>}}
    : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %1 = sdy.all_reduce {{"x", "y"}} %0 out_sharding=<@mesh, [{{}}, {{}}]> : tensor<16x16xf32>
  return %1 : tensor<16x16xf32>
}}"""


def test_collectives_that_cannot_be_put_in_are_missing_and_values_are_told_all_the_same() -> None:
    report = explained(SUMMED_TWICE)
    assert (report.value("%arg0").local, report.value("%0").local) == ("f32[16, 8]", "f32[16, 16]")
    assert report.missing is not None
    assert "twice" in report.missing
    assert report.unknown()[0].startswith("the collectives that the shardings need: ")
    assert [notice.where for notice in report.notices] == ["<text>:8:8"]


def test_a_function_that_the_entry_does_not_call_costs_nothing() -> None:
    text = f"""{MESH}
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {{
  return %a : tensor<8xf32>
}}
func.func @other(%a: tensor<8x16xf32> {given('[{"x"}, {"y"}]')}) -> tensor<8xf32> {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}}"""
    report = explained(text)
    (found,) = report.collectives
    assert (found.sent, str(found.runs)) == (24, "0x (@other, which @main does not call)")
    assert report.sent == 0


def test_a_value_that_goes_to_a_mesh_of_other_devices_is_sent() -> None:
    text = """sdy.mesh @a = <["x"=4]>
sdy.mesh @b = <["x"=4], device_ids=[3, 2, 1, 0]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}]>})
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@b, [{"x"}]>}) {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}"""
    (found,) = explained(text).collectives
    assert (found.kind, found.devices, found.sent) == ("collective_permute", 4, 8)
    assert 'asked to be [{"x"}] on @b' in found.cause


def test_a_value_that_is_moved_and_moved_back_says_where_it_was() -> None:
    text = f"""{MESH}
func.func @main(%a: tensor<8x8xf32> {given('[{"x"}, {"y"}]')}) -> tensor<8x4xf32> {{
  %0 = "stablehlo.sort"(%a) <{{dimension = 1 : i64}}> ({{
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %2 = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }}) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.slice %0 [0:8, 0:4] : (tensor<8x8xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}}"""
    report = dxir.explain_sharding(dxir.load(text))
    (cause,) = {c.cause for c in report.collectives if "operand 0 of slice" in c.cause}
    assert cause.startswith("operand 0 of slice")
    assert cause.endswith('is that, and [{"x"}, {"y"}] in between')
