"""Sharding removed: nothing of it is left, and values stay."""

from typing import Any

import numpy as np
import pytest

import dxir

Array = np.ndarray[Any, Any]
HOSTILE = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, 3.4e38, -1.5], np.float32)
TRACES = ("sdy", "mhlo.sharding", "num_partitions", "@Sharding", "SPMD", "mesh")

SHARDED = """
module @step attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "one"=1]>
  func.func @main(
      %a: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
      %b: tensor<2x4xf32>)
      -> (tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
    %0 = stablehlo.add %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
      : tensor<2x4xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"x"}]> : tensor<2x4xf32>
    sdy.sharding_group %1 group_id=0 : tensor<2x4xf32>
    %2 = sdy.propagation_barrier %1 allowed_direction=NONE : tensor<2x4xf32>
    %3 = sdy.named_computation<"outer">(%2, %a) (%x: tensor<2x4xf32>, %y: tensor<2x4xf32>) {
      %8 = sdy.named_computation<"inner">(%y, %x) (%z: tensor<2x4xf32>, %w: tensor<2x4xf32>) {
        %9 = stablehlo.multiply %w, %z : tensor<2x4xf32>
        sdy.return %9 : tensor<2x4xf32>
      } : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
      sdy.return %8 : tensor<2x4xf32>
    } : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %4:2 = sdy.manual_computation(%3, %b) in_shardings=[<@mesh, [{"one"}, {}]>, <@mesh, [{}, {}]>]
        out_shardings=[<@mesh, [{"one"}, {}]>, <@mesh, [{}, {}]>] manual_axes={"one"}
        (%x: tensor<2x4xf32>, %y: tensor<2x4xf32>) {
      %8 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>,
          channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
          use_global_device_ids}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %r = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %r : tensor<f32>
      }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
      %9 = stablehlo.subtract %8, %y : tensor<2x4xf32>
      sdy.return %y, %9 : tensor<2x4xf32>, tensor<2x4xf32>
    } : (tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
    %5 = sdy.reshard %4#1 <@mesh, [{"x"}, {}]> : tensor<2x4xf32>
    %6 = sdy.all_gather [{"x"}, {}] %5 out_sharding=<@mesh, [{}, {}]> : tensor<2x4xf32>
    %7 = stablehlo.divide %6, %4#0 : tensor<2x4xf32>
    return %7 : tensor<2x4xf32>
  }
}
"""

PLAIN = """
func.func @main(%a: tensor<2x4xf32>, %b: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.add %a, %b : tensor<2x4xf32>
  %1 = stablehlo.multiply %0, %a : tensor<2x4xf32>
  %2 = stablehlo.subtract %1, %b : tensor<2x4xf32>
  %3 = stablehlo.divide %2, %b : tensor<2x4xf32>
  return %3 : tensor<2x4xf32>
}
"""


def stripped(text: str | dxir.Program, options: str = "") -> dxir.Program:
    """The program without sharding, which a second run leaves as it is."""
    given = text if isinstance(text, dxir.Program) else dxir.load(text)
    pipeline = f"dxir-strip-sharding{{{options}}}"
    program = given.run_passes(pipeline)
    program.clone().verify()
    assert str(program.run_passes(pipeline)) == str(program)
    return program


def test_nothing_is_left() -> None:
    text = stripped(SHARDED).text(generic=True)
    assert not [trace for trace in TRACES if trace in text]


def test_values_are_those_of_the_program_without_sharding() -> None:
    a = HOSTILE.reshape(2, 4)
    b = np.roll(HOSTILE, 3).reshape(2, 4)
    found = np.asarray(dxir.compile(stripped(SHARDED))(a, b))
    wanted = np.asarray(dxir.compile(dxir.load(PLAIN))(a, b))
    assert found.tobytes() == wanted.tobytes()


def test_it_computes_what_xla_makes_of_the_sharding_on_one_device() -> None:
    text = """
sdy.mesh @mesh = <["x"=1]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{}]> : tensor<8xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
    : tensor<8xf32>
  return %1 : tensor<8xf32>
}
"""
    before = np.asarray(dxir.compile(dxir.load(text))(HOSTILE))
    after = np.asarray(dxir.compile(stripped(text))(HOSTILE))
    assert before.tobytes() == after.tobytes()


def test_the_result_has_the_fingerprint_of_the_plain_program() -> None:
    text = SHARDED.replace(", mhlo.num_replicas = 1 : i32", "")
    assert stripped(text).fingerprint() == dxir.load(PLAIN).fingerprint()


EXPORTED = """
module attributes {mhlo.num_partitions = 2 : i32,
    mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\\22x\\22=2]>}", mine = "1"}} {
  func.func @main(%a: tensor<4xf32> {mhlo.sharding = "{devices=[2]<=[2]}",
      mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\\22x\\22}]>"}})
      -> (tensor<4xf32> {mhlo.sharding = "{replicated}"}) {
    %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{replicated}",
      mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[]>"}}
      : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.custom_call @xla.sdy.ShardingGroup(%0) {has_side_effect = true,
      mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "0 : i64"}} : (tensor<4xf32>) -> ()
    %1 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%0) {has_side_effect = true}
      : (tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
"""


def test_the_forms_that_xla_reads_go_too() -> None:
    text = str(stripped(EXPORTED))
    assert not [trace for trace in TRACES if trace in text]
    assert 'mhlo.frontend_attributes = {mine = "1"}' in text
    assert "return %arg0" in text


def test_an_artifact_of_a_sharded_program_is_stripped_as_the_program_is() -> None:
    sharded = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
    : tensor<4xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}]> : tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""
    program = dxir.load(sharded)
    exported = dxir.load(program.serialize(), trusted=True)
    assert "xla.sdy" in str(exported)
    assert stripped(exported).fingerprint() == stripped(program).fingerprint()


def local(body: str, mesh: str = '"x"=2', inner: str = "4xf32") -> str:
    return f"""
sdy.mesh @mesh = <[{mesh}]>
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {{
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{{}}]>] out_shardings=[<@mesh, [{{}}]>]
      manual_axes={{"x"}} (%x: tensor<{inner}>) {{
{body}
    sdy.return %y : tensor<{inner}>
  }} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}}
"""


SUM = """
    %y = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
        use_global_device_ids}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
"""


def test_a_manual_computation_on_the_whole_of_its_operands_is_inlined() -> None:
    text = str(stripped(local("    %y = stablehlo.negate %x : tensor<4xf32>")))
    assert "%0 = stablehlo.negate %arg0" in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (local(SUM), "'stablehlo.all_reduce' runs among the devices of a manual computation"),
        (
            local(
                "    %i = stablehlo.partition_id : tensor<ui32>\n"
                "    %y = stablehlo.negate %x : tensor<4xf32>"
            ),
            "'stablehlo.partition_id' runs among the devices",
        ),
        (
            SUM.join(
                (
                    "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n  %x = "
                    "stablehlo.custom_call @SPMDFullToShardShape(%a) : (tensor<4xf32>) -> "
                    "tensor<4xf32>\n",
                    "  return %y : tensor<4xf32>\n}",
                )
            ),
            "'stablehlo.all_reduce' runs among devices, and @SPMDFullToShardShape leads to",
        ),
        (
            "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = stablehlo.custom_call "
            "@xla.sdy.Unheard(%a) : (tensor<4xf32>) -> tensor<4xf32>\n"
            "  return %0 : tensor<4xf32>\n}",
            "@xla.sdy.Unheard is a call of Shardy that this pass does not know",
        ),
        (
            "func.func @main(%a: tensor<4xf32>) -> tensor<2xf32> {\n  %0 = stablehlo.custom_call "
            "@xla.sdy.GlobalToLocalShape(%a) : (tensor<4xf32>) -> tensor<2xf32>\n"
            "  return %0 : tensor<2xf32>\n}",
            "@xla.sdy.GlobalToLocalShape gives another type than it takes",
        ),
    ],
)
def test_what_means_something_else_without_devices_is_refused(text: str, message: str) -> None:
    with pytest.raises(dxir.DxirError, match=message) as caught:
        dxir.load(text).run_passes("dxir-strip-sharding")
    assert "<text>:" in str(caught.value)


def test_collectives_outside_of_manual_computations_stay_with_a_warning() -> None:
    text = f"""
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
{SUM}
  return %y : tensor<4xf32>
}}
"""
    program = dxir.load(text).run_passes("dxir-strip-sharding")
    assert "stablehlo.all_reduce" in str(program)
    assert any("still needs several devices" in d.message for d in program.diagnostics)


def test_a_program_without_sharding_is_left_alone() -> None:
    assert str(stripped(PLAIN)) == str(dxir.load(PLAIN))


def test_attributes_of_jax_go_on_request() -> None:
    text = PLAIN.replace("%a: tensor<2x4xf32>", "%a: tensor<2x4xf32> {jax.buffer_donor = true}")
    assert "jax.buffer_donor" in str(stripped(text))
    assert "jax.buffer_donor" not in str(stripped(text, "jax"))


def test_a_constant_of_shardy_becomes_one_of_stablehlo() -> None:
    text = """
func.func @main() -> tensor<2xf32> {
  %0 = sdy.constant dense<[1.0, 0x7FC00001]> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
    assert "stablehlo.constant dense<[1.000000e+00, 0x7FC00001]>" in str(stripped(text))
