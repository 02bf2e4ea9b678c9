"""What is counted, with numbers worked out by hand; and what is not known."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

import dxir
from dxir.costs import Cost, CostReport, register_call_cost, unregister_call_cost
from dxir.costs.sizes import UnknownSize
from dxir.costs.windows import Span
from dxir.errors import ArgumentError, GraphError
from dxir.reading import ops_below
from dxir.targets import KernelDescriptor, register_kernel
from dxir.targets.kernels import unregister_kernel


def report_of(body: str, signature: str = "(%x: tensor<4x8xf32>)", rest: str = "") -> CostReport:
    text = f"func.func @main{signature} {{\n{body}\nreturn\n}}\n{rest}"
    return dxir.cost_of(dxir.load(text))


def test_functions_count_each_time_they_are_called() -> None:
    rest = """func.func private @twice(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = call @exp(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
      %1 = call @exp(%0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
      return %1 : tensor<4x8xf32>
    }
    func.func private @exp(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = stablehlo.exponential %x : tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }"""
    body = """%0 = call @twice(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %1 = call @twice(%0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %2 = call @exp(%1) : (tensor<4x8xf32>) -> tensor<4x8xf32>"""
    report = report_of(body, rest=rest)
    assert report.total == Cost.of(transcendentals=5 * 32, read=5 * 128, written=5 * 128)
    exp, twice = report.function("exp"), report.function("twice")
    assert (exp.runs, exp.each.transcendentals, exp.cost.transcendentals) == (5, 32, 160)
    assert (twice.runs, twice.each.transcendentals, twice.cost.transcendentals) == (2, 64, 0)
    assert sum(f.cost.least.transcendentals for f in report.functions) == 160


def test_ops_are_found_by_their_place_in_the_module() -> None:
    program = dxir.load(
        """func.func @main(%x: tensor<4x8xf32>) -> tensor<4xf32> {
      %c = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.reduce(%x init: %c) across dimensions = [1]
        : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
       reducer(%a: tensor<f32>, %b: tensor<f32>) {
        %1 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %1 : tensor<f32>
      }
      return %0 : tensor<4xf32>
    }"""
    )
    report = dxir.cost_of(program)
    ops = ops_below(program.module.operation)
    assert [op.op for op in report.ops] == [op.name for op in ops]
    reduce = next(op for op in report.ops if op.op == "stablehlo.reduce")
    assert reduce.own.flops == 4 * 7
    assert report.ops[reduce.index + 1].runs == 0  # the addition is part of the reduce


LOOP = """%c = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %c, %y = %x) : tensor<i32>, tensor<4x8xf32>
  cond {{
    %n = {limit} : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %z = stablehlo.exponential %y : tensor<4x8xf32>
    stablehlo.return %j, %z : tensor<i32>, tensor<4x8xf32>
  }}"""


def test_a_loop_of_unknown_steps_counts_one_and_says_so() -> None:
    known = report_of(LOOP.format(limit="stablehlo.constant dense<7>"))
    assert (known.total.transcendentals, known.total.flops) == (7 * 32, 7 + 8)
    assert known.notices == ()
    unknown = report_of(
        LOOP.format(limit="stablehlo.add %m, %m"), "(%x: tensor<4x8xf32>, %m: tensor<i32>)"
    )
    assert unknown.total.transcendentals == 32
    assert not next(op for op in unknown.ops if op.kind == "exponential").exact
    (notice,) = unknown.notices
    assert notice == "1 loop of unknown steps, of which one is counted: <text>:3:10"


def test_a_loop_may_carry_what_it_counts_to() -> None:
    report = report_of(
        """%c = stablehlo.constant dense<0> : tensor<i32>
  %m = stablehlo.constant dense<7> : tensor<i32>
  %0:3 = stablehlo.while(%i = %c, %n = %m, %y = %x)
    : tensor<i32>, tensor<i32>, tensor<4x8xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %z = stablehlo.exponential %y : tensor<4x8xf32>
    stablehlo.return %j, %n, %z : tensor<i32>, tensor<i32>, tensor<4x8xf32>
  }"""
    )
    assert (report.total.transcendentals, report.notices) == (7 * 32, ())


def test_what_runs_more_often_than_anything_can_is_still_a_number() -> None:
    rest = "func.func private @f1100(%x: tensor<4xf32>) { %0 = stablehlo.tanh %x : tensor<4xf32>"
    rest += " return }\n"
    for i in range(1100):
        call = f"call @f{i + 1}(%x) : (tensor<4xf32>) -> () "
        rest += f"func.func private @f{i}(%x: tensor<4xf32>) {{ {call} {call} return }}\n"
    report = report_of("call @f0(%x) : (tensor<4xf32>) -> ()", "(%x: tensor<4xf32>)", rest)
    tanh = next(op for op in report.ops if op.kind == "tanh")
    assert (tanh.runs, tanh.exact, tanh.cost.transcendentals) == (10**18, False, 4 * 10**18)
    assert report.function("f0").each.least.transcendentals == 10**36
    assert "more than 1,000,000,000,000,000,000 times" in report.notices[0]
    huge = f"tensor<{'x'.join(['9223372036854775807'] * 40)}xf32>"
    report = report_of(f"%0 = stablehlo.tanh %x : {huge}", f"(%x: {huge})")
    assert report.total.transcendentals is report.memory.parameters is None


def test_dynamic_sizes_are_told_and_are_no_numbers() -> None:
    report = report_of(
        "%0 = stablehlo.exponential %x : tensor<?x8xf32>\n"
        "%1 = stablehlo.add %y, %y : tensor<8xf32>",
        "(%x: tensor<?x8xf32>, %y: tensor<8xf32>)",
    )
    cost = report.total
    assert (cost.flops, cost.transcendentals, cost.bytes, cost.intensity) == (None,) * 4
    assert (cost.least.flops, cost.sent) == (8, 0)
    assert report.memory.peak is None
    assert report.memory.parameters is None
    (notice,) = report.notices
    assert "of 1 exponential is not known: the size of tensor<?x8xf32> is not known" in notice


@pytest.mark.parametrize(
    ("type", "size"),
    [
        ("tensor<3xi4>", 2),
        ("tensor<3xi1>", 3),
        ("tensor<16x!quant.uniform<i8:f32, 0.5>>", 16),
        ("tuple<tensor<4xf32>, tuple<tensor<2xi8>>>", 18),
        ("!stablehlo.token", 0),
        ("tensor<0x7xf32>", 0),
        ("tensor<f8E4M3FN>", 1),
        ("tensor<2xcomplex<f64>>", 32),
    ],
)
def test_bytes_of_types(type: str, size: int) -> None:
    assert report_of("", f"(%x: {type})").memory.parameters == size


def test_composites_count_as_their_decompositions() -> None:
    rest = """func.func private @norm(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = stablehlo.multiply %x, %x : tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }"""
    op = '%{} = stablehlo.composite "acme.norm" %x {{decomposition = @norm}} : (tensor<4x8xf32>) -> tensor<4x8xf32>'  # noqa: E501
    report = report_of(op.format(0) + "\n" + op.format(1), rest=rest)
    (norm,) = report.composites()
    assert (norm.name, norm.ops, norm.runs, norm.cost.flops) == ("acme.norm", 2, 2, 64)
    assert report.total.flops == 64


def test_custom_calls_are_unknown_until_their_cost_is_declared() -> None:
    call = "%0 = stablehlo.custom_call @acme_cost(%x) {backend_config = {k = 3 : i64}, api_version = 4 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>"  # noqa: E501
    report = report_of(call)
    assert report.total.flops is None
    assert "nothing declares what a custom call of @acme_cost costs" in report.notices[0]

    register_call_cost(
        "acme_cost",
        lambda use: Cost.of(flops=use.attributes["k"] * use.operand_types[0].size, read=128),
    )
    try:
        assert report_of(call).total == Cost.of(flops=96, read=128)
        register_call_cost("acme_cost", lambda use: 1 / 0)  # type: ignore[arg-type, return-value]
        with pytest.raises(ArgumentError, match="the cost of @acme_cost raised ZeroDivisionError"):
            report_of(call)
        register_call_cost("acme_cost", lambda use: 5)  # type: ignore[arg-type, return-value]
        with pytest.raises(ArgumentError, match="the cost of @acme_cost is 5, no Cost"):
            report_of(call)
    finally:
        unregister_call_cost("acme_cost")


def test_a_kernel_declares_the_cost_of_its_calls() -> None:
    call = "%0 = stablehlo.custom_call @acme_kernel(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>"
    kernel = register_kernel(
        "xla-cpu",
        KernelDescriptor(
            composite="acme.kernel", call_target="acme_kernel", cost=lambda use: Cost.of(flops=12)
        ),
    )
    assert report_of(call).total.flops == 12
    unregister_kernel("xla-cpu", kernel)
    assert report_of(call).total.flops is None


def test_collectives_say_what_a_device_sends() -> None:
    report = report_of(
        """%0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) : (tensor<4x8xf32>) -> tensor<4x8xf32>"""  # noqa: E501
    )
    # 2 * 3/4 of 128 bytes; three quarters of 32 elements are added up here.
    assert (report.total.sent, report.total.flops) == (192, 24)


def test_a_program_of_parts_counts_all_devices() -> None:
    report = dxir.cost_of(
        dxir.load(
            """sdy.mesh @mesh = <["x"=2, "y"=4]>
    sdy.mesh @other = <["x"=8]>
    func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}, {}]>]
          out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%a: tensor<2x8xf32>) {
        %1 = stablehlo.exponential %a : tensor<2x8xf32>
        sdy.return %1 : tensor<2x8xf32>
      } : (tensor<4x8xf32>) -> tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }"""
        )
    )
    assert report.total.transcendentals == 32
    assert report.notices == (
        "the program is sharded: work and bytes, sent ones too, are of all devices together",
    )


def test_groups_along_axes_of_a_mesh_have_their_size() -> None:
    # As JAX exports shard_map: a sum over "x", whose four devices send three quarters of what they
    # have, 4 bytes an element, and add up as many.
    path = Path(__file__).parents[1] / "verify" / "inputs" / "sharded_jax" / "shardy_sm_rs.mlir"
    report = dxir.cost_of(dxir.load(path))
    scatter = next(op for op in report.ops if op.kind == "reduce_scatter")
    assert scatter.own.sent is not None
    assert scatter.own.flops is not None
    assert scatter.own.sent == 4 * scatter.own.flops > 0


def test_several_public_functions_are_run_once_each() -> None:
    text = (
        "func.func @{}(%x: tensor<4xf32>) {{\n%0 = stablehlo.tanh %x : tensor<4xf32>\nreturn }}\n"
    )
    program = dxir.load(text.format("f") + text.format("g"))
    report = dxir.cost_of(program)
    assert (report.entry, report.total.transcendentals, report.memory.peak) == ("", 8, None)
    assert dxir.cost_of(program, function="g").total.transcendentals == 4
    with pytest.raises(GraphError, match="no function @h") as raised:
        dxir.cost_of(program, function="h")
    assert raised.value.hint == "there are @f, @g"


def test_recursion_and_missing_bodies_are_unknown() -> None:
    report = report_of(
        "call @f() : () -> ()\ncall @g() : () -> ()",
        "()",
        rest="""
      func.func private @f() { call @f() : () -> ()
        return }
      func.func private @g()""",
    )
    assert report.total.flops is None
    assert {notice.split(": ")[1].split(" (")[0] for notice in report.notices} == {
        "@f has no body, or calls itself", "@g has no body, or calls itself",
    }  # fmt: skip


def test_deep_nesting_is_counted() -> None:
    depth = 200
    head = "".join('"stablehlo.if"(%p) ({\n' for _ in range(depth))
    tail = "stablehlo.return }, { stablehlo.return }) : (tensor<i1>) -> ()\n" * depth
    report = report_of(
        head + "%0 = stablehlo.tanh %x : tensor<4x8xf32>\n" + tail,
        "(%x: tensor<4x8xf32>, %p: tensor<i1>)",
    )
    assert report.total.transcendentals == 32


def test_positions_of_windows_are_those_of_a_loop_over_all() -> None:
    generator = np.random.default_rng(3)
    for _ in range(300):
        inputs, size, outputs, stride, base, window = map(int, generator.integers(1, 7, size=6))
        padding = int(generator.integers(-4, 8))
        count = 0
        for o, k in itertools.product(range(outputs), range(size)):
            at = o * stride + k * window - padding
            count += at % base == 0 and 0 <= at // base < inputs
        span = Span(inputs, size, outputs, stride, padding, base, window)
        assert span.positions() == count, span
    huge = 8 * 10**12
    assert Span(huge, huge, 1).positions() == Span(huge, 1, huge).positions() == huge
    with pytest.raises(UnknownSize, match="too large"):
        Span(4, huge, huge, padding=huge).positions()


def test_the_roofline_takes_the_longer_of_work_and_traffic() -> None:
    report = report_of(
        "%0 = stablehlo.add %x, %x : tensor<4x8xf32>\n"
        "%1 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0]"
        " : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>"
    )
    # The sum moves 384 bytes, the product computes 512 operations.
    assert report.seconds(1e3, 1e3) == (pytest.approx(0.544), pytest.approx(0.384 + 0.512))
    with pytest.raises(ArgumentError, match="bandwidth is 0"):
        report.seconds(1e3, 0)
