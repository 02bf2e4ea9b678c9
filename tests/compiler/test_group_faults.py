"""Groups of processes that loaded modules state, and those that a program is compiled for."""

import pytest

import dxir
from dxir.errors import ShardingWarning, TargetError, VerificationError

SUM = """({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %t = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %t : tensor<f32>
  })"""
ANY_CHANNEL = ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
GLOBAL = f"{ANY_CHANNEL}, use_global_device_ids"
PARTITIONED = "mhlo.num_replicas = 1 : i32, mhlo.num_partitions = 4 : i32"


def module(
    op: str, groups: str, rows: str, extra: str = "", *, stated: str = "", size: int = 4
) -> str:
    name = "source_target_pairs" if op == "collective_permute" else "replica_groups"
    body = SUM if op in ("all_reduce", "reduce_scatter") else ""
    return f"""module attributes {{{stated}}} {{
func.func @main(%x: tensor<4xf32>) -> tensor<{size}xf32> {{
  %r = "stablehlo.{op}"(%x) {body} {{
      {name} = dense<{groups}> : tensor<{rows}xi64>{extra}}} : (tensor<4xf32>) -> tensor<{size}xf32>
  return %r : tensor<{size}xf32>
}}
}}"""


@pytest.mark.parametrize(
    ("text", "message", "note"),
    [
        (
            module("all_reduce", "[[0, 1]]", "1x2", stated="mhlo.num_replicas = 4 : i32"),
            "has replica_groups [[0, 1]] that leave out replica 2 of 4",
            "since it has no channel",
        ),
        (
            module("all_reduce", "[[0, 1]]", "1x2", ANY_CHANNEL, stated=PARTITIONED),
            "that hold replica 1, but there is one replica",
            "since it has a channel and no use_global_device_ids",
        ),
        (
            module("all_reduce", "[[0, 1, 2, 3], [4, 5, 6, 7]]", "2x4", GLOBAL, stated=PARTITIONED),
            "that hold device 4, but there are 4 devices",
            "(flattened_ids)",
        ),
        (
            module("collective_permute", "[[0, 4]]", "1x2", ANY_CHANNEL, stated=PARTITIONED),
            "has source_target_pairs that hold partition 4, but there are 4 partitions",
            "(cross_partition)",
        ),
        (
            module("collective_broadcast", "[[1, 5]]", "1x2", ANY_CHANNEL, stated=PARTITIONED),
            "that hold partition 5, but there are 4 partitions",
            "(cross_partition)",
        ),
        (
            module(
                "all_gather",
                "[[0, 1]]",
                "1x2",
                f", all_gather_dim = 0 : i64{ANY_CHANNEL}",
                stated="mhlo.num_replicas = 2 : i32, mhlo.num_partitions = 2 : i32",
                size=8,
            ),
            "goes from tensor<4xf32> to tensor<8xf32>, but its groups have 4 processes",
            "(cross_replica_and_partition)",
        ),
    ],
)
def test_ids_that_a_module_has_no_process_for_are_errors_at_their_place(text, message, note):
    with pytest.raises(VerificationError) as error:
        dxir.load(text).verify()
    assert message in str(error.value)
    assert note in str(error.value)
    assert error.value.where == "<text>:3:8"


MANUAL = """
sdy.mesh @m = <["x"=4]>
func.func @main(%a: tensor<16xf32>) -> tensor<16xf32> {
  %r = sdy.manual_computation(%a) in_shardings=[<@m, [{"x"}]>] out_shardings=[<@m, [{"x"}]>]
      manual_axes={"x"} (%x: tensor<4xf32>) {
    %y = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, ID], [1, 0]]>
      : tensor<2x2xi64>CHANNEL} : (tensor<4xf32>) -> tensor<4xf32>
    sdy.return %y : tensor<4xf32>
  } : (tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}"""


def test_a_mesh_tells_how_many_partitions_there_are():
    dxir.load(MANUAL.replace("ID", "3").replace("CHANNEL", ANY_CHANNEL)).verify()
    with pytest.raises(VerificationError, match="partition 4, but there are 4 partitions"):
        dxir.load(MANUAL.replace("ID", "4").replace("CHANNEL", ANY_CHANNEL)).verify()


def test_a_permute_without_a_channel_among_partitions_does_not_bring_xla_down():
    program = dxir.load(MANUAL.replace("ID", "3").replace("CHANNEL", ""))
    with pytest.raises(TargetError, match=r"there is one replica.* 1 replica of 4 part") as error:
        dxir.compile(program, devices=4)
    assert error.value.where == "<text>:6:10"
    assert "it has no channel" in (error.value.hint or "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (module("all_reduce", "[[0, 1]]", "1x2"), "leave out replica 2 of 4"),
        (module("all_reduce", "[[0, 1], [2, 4]]", "2x2").replace("4]", "3], [4, 5]", 1)
         .replace("2x2", "3x2"), "replica 4, but there are 4"),
        (module("collective_permute", "[[0, 1]]", "1x2", ANY_CHANNEL), "partition 1, but there is"),
        (module("collective_permute", "[[0, 9]]", "1x2"), "replica 9, but there are 4 replicas"),
        (module("all_gather", "", "0x0", ", all_gather_dim = 0 : i64"),
         "goes from tensor<4xf32> to tensor<4xf32>, but its groups have 4 processes"),
        (module("reduce_scatter", "[[0, 1, 2, 3]]", "1x4",
                f", scatter_dimension = 0 : i64{ANY_CHANNEL}", size=1), None),
    ],
)  # fmt: skip
def test_groups_that_do_not_fit_the_replicas_are_refused_before_xla_sees_them(text, message):
    program = dxir.load(text).verify()
    if message is None:
        dxir.compile(program, devices=4, replicas=4)
        return
    with pytest.raises(TargetError) as error:
        dxir.compile(program, devices=4, replicas=4)
    assert message in error.value.message
    assert "compiled for 4 replicas of 1 partition" in error.value.message
    assert (error.value.where or "").startswith("<text>:3:")


def test_a_collective_that_reaches_no_partition_is_warned_of():
    text = module("all_reduce", "", "0x0").replace("[[]]", "")
    with pytest.warns(ShardingWarning, match=r"<text>:3:8: .*has no channel.* 4 partitions do not"):
        dxir.compile(dxir.load(text), devices=4)
