"""Rules of distribution: faults in their other forms, what only looks like one, JAX's exports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dxir.errors import ConfigurationError
from dxir.verify.checking import check
from dxir.verify.finding import Finding
from dxir.verify.reading import read
from dxir.verify.settings import Settings
from dxir.verify.subject import Source

EXPORTS = sorted((Path(__file__).parent / "inputs" / "sharded_jax").glob("*.mlir"))

MESH = 'sdy.mesh @mesh = <["x"=4, "y"=2]>\n'
COLLECTIVES = {
    "all_reduce": """"stablehlo.all_reduce"(%x) <{{{channel}{ids}}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }}) : (tensor<4xf32>) -> tensor<4xf32>""",
    "collective_permute": """"stablehlo.collective_permute"(%x) <{{{channel}{ids}}}>
    : (tensor<4xf32>) -> tensor<4xf32>""",
}
CHANNEL = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, "


def findings(text: str, **options: Any) -> list[Finding]:
    """What the rules of distribution find; options are those of `distribution-devices`."""
    settings = Settings(
        only=("distribution-*",), options={"distribution-devices": options} if options else {}
    )
    subject = read(Source("given.mlir", text.encode()), settings.rules())
    if isinstance(subject, Finding):
        return [subject]
    return list(check(subject, settings).findings)


def found(text: str, **options: Any) -> list[tuple[str, str]]:
    """The rules that find something, without their family, and how bad it is."""
    return [(f.rule.removeprefix("distribution-"), f.severity) for f in findings(text, **options)]


def main(parameters: str, result: str, body: str = "", returned: str = "%x", head: str = "") -> str:
    """A module whose function gives one result, of a type with attributes."""
    type = result.partition("{")[0].strip()
    return (
        f"{head}func.func @main({parameters}) -> ({result}) {{\n{body}\n"
        f"  return {returned} : {type}\n}}\n"
    )


def collective(
    kind: str, ids: str, *, channel: bool, replicas: int = 1, partitions: int = 1
) -> str:
    made = COLLECTIVES[kind].format(ids=ids, channel=CHANNEL if channel else "")
    text = main("%x: tensor<4xf32>", "tensor<4xf32>", f"  %r = {made}", "%r")
    counts = f"mhlo.num_replicas = {replicas} : i32, mhlo.num_partitions = {partitions} : i32"
    return f"module attributes {{{counts}}} {{\n{text}}}\n"


@pytest.mark.parametrize("path", EXPORTS, ids=lambda p: p.stem)
def test_nothing_is_wrong_with_what_jax_exports(path: Path) -> None:
    # JAX writes one partition where the devices of a mesh are not known yet.
    noted = [("devices", "note")] if "abstract" in path.stem else []
    assert found(path.read_text()) == noted


@pytest.mark.parametrize(
    ("mesh", "sharding", "rule"),
    [
        ('<["x"=2]>', '@nowhere, [{"x"}]', "unknown-mesh"),
        ('<["x"=2]>', '@mesh, [{"z"}]', "unknown-axis"),
        ('<["x"=4]>', '@mesh, [{"x":(1)2, "x"}]', "repeated-axis"),
        ('<["x"=2, "x"=2]>', '@mesh, [{"x"}]', "repeated-axis"),
        ('<["x"=2]>', '@mesh, [{"x"}, {}]', "sharding-mismatch"),
        ('<["x"=4]>', '@mesh, [{"x":(3)2}]', "sharding-mismatch"),
        ('<["x"=2]>', "@mesh, [{}p1]", "sharding-mismatch"),
        ('<["x"=2, "y"=2], device_ids=[0, 1, 2, 5]>', '@mesh, [{"x"}]', "invalid-mesh"),
        ('<["x"=2], device_ids=[0, 1, 2]>', '@mesh, [{"x"}]', "invalid-mesh"),
        ('<["x"=0]>', '@mesh, [{"x"}]', "invalid-mesh"),
    ],
)
def test_what_mlir_says_of_a_sharding_has_a_rule_of_its_own(
    mesh: str, sharding: str, rule: str
) -> None:
    text = main(
        f"%x: tensor<8xf32> {{sdy.sharding = #sdy.sharding<{sharding}>}}",
        "tensor<8xf32>",
        head=f"sdy.mesh @mesh = {mesh}\n",
    )
    assert found(text) == [(rule, "error")]


@pytest.mark.parametrize(
    ("kind", "ids", "channel", "replicas", "partitions", "expected"),
    [
        ("all_reduce", "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>", False, 4, 1, "error"),
        (
            "all_reduce",
            "replica_groups = dense<[[0, 1, 2], [3, -1, -1]]> : tensor<2x3xi64>",
            False,
            4,
            1,
            "warning",
        ),
        (
            "collective_permute",
            "source_target_pairs = dense<[[0, 1], [2, 7]]> : tensor<2x2xi64>",
            True,
            1,
            4,
            "error",
        ),
    ],
)
def test_groups_that_do_not_fit_are_found_for_each_strategy(
    kind: str, ids: str, channel: bool, replicas: int, partitions: int, expected: str
) -> None:
    text = collective(kind, ids, channel=channel, replicas=replicas, partitions=partitions)
    assert found(text) == [("replica-groups", expected)]


def test_groups_along_an_axis_that_the_mesh_does_not_have_are_found() -> None:
    axes = 'axes = [#stablehlo.axis_ref<name = "q">]'
    ids = f"replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, {axes}>, "
    made = COLLECTIVES["all_reduce"].format(ids=ids + "use_global_device_ids", channel=CHANNEL)
    text = MESH + main("%x: tensor<4xf32>", "tensor<4xf32>", f"  %r = {made}", "%r")
    (only,) = findings(text)
    assert only.rule == "distribution-replica-groups"
    assert "the axis 'q', which the mesh @mesh does not have" in only.message


@pytest.mark.parametrize(
    ("kind", "ids", "channel", "replicas", "partitions", "severity"),
    [
        # XLA stops at the first call, does nothing, ends the process.
        (
            "all_reduce",
            "replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>",
            False,
            1,
            4,
            "error",
        ),
        ("all_reduce", "replica_groups = dense<0> : tensor<1x1xi64>", False, 1, 4, "warning"),
        (
            "collective_permute",
            "source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>",
            True,
            4,
            1,
            "error",
        ),
    ],
)
def test_a_channel_that_is_missing_or_too_much_is_told_once(
    kind: str, ids: str, channel: bool, replicas: int, partitions: int, severity: str
) -> None:
    text = collective(kind, ids, channel=channel, replicas=replicas, partitions=partitions)
    assert found(text) == [("channel-ids", severity)]


def test_transfers_of_other_types_on_one_channel_are_found() -> None:
    send = (
        '  %{to} = "stablehlo.send"(%{what}, %{token}) <{{channel_handle = '
        "#stablehlo.channel_handle<handle = 7, type = 2>, is_host_transfer = true}}> : "
        "({type}, !stablehlo.token) -> !stablehlo.token\n"
    )
    body = "  %t = stablehlo.create_token : !stablehlo.token\n"
    body += send.format(to="u", what="x", token="t", type="tensor<4xf32>")
    same = body + send.format(to="v", what="x", token="u", type="tensor<4xf32>")
    other = body + send.format(to="v", what="y", token="u", type="tensor<2xf32>")
    parameters = "%x: tensor<4xf32>, %y: tensor<2xf32>"
    assert found(main(parameters, "tensor<4xf32>", same)) == []
    assert found(main(parameters, "tensor<4xf32>", other)) == [("channel-ids", "warning")]


SHARDED = main(
    '%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}', "tensor<8xf32>", head=MESH
)


def test_devices_are_held_against_meshes_partitions_and_the_option() -> None:
    assert found(SHARDED, devices=8) == []
    assert found(SHARDED, devices=4) == [("devices", "error")]
    one = "module attributes {mhlo.num_partitions = 1 : i32} {\n%s}\n"
    assert found(one % SHARDED) == [("devices", "note")]
    two = 'sdy.mesh @other = <["x"=4]>\n' + SHARDED
    assert found(two) == [("devices", "warning")]
    replicas = "module attributes {mhlo.num_replicas = 2 : i32} {\n%s}\n"
    plain = replicas % main("%x: tensor<8xf32>", "tensor<8xf32>")
    assert found(plain) == []
    assert found(plain, devices=4) == [("devices", "error")]
    with pytest.raises(ConfigurationError, match="devices"):
        findings(SHARDED, devices="all")


def test_groups_of_a_module_that_says_no_count_are_held_against_the_option() -> None:
    ids = "replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids"
    made = COLLECTIVES["all_reduce"].format(ids=ids, channel=CHANNEL)
    text = main("%x: tensor<4xf32>", "tensor<4xf32>", f"  %r = {made}", "%r")
    assert found(text) == [] == found(text, devices=4)
    assert found(text, devices=8) == [("devices", "error")]


def test_an_uneven_sharding_within_a_function_is_a_note() -> None:
    body = '  %r = sdy.sharding_constraint %x <@mesh, [{"x"}]> : tensor<5xf32>'
    text = main("%x: tensor<5xf32>", "tensor<5xf32>", body, "%r", MESH)
    assert found(text) == [("uneven-sharding", "note")]


ALIAS = "{{tf.aliasing_output = {0} : i32}}"


@pytest.mark.parametrize(
    ("parameters", "results", "expected"),
    [
        (f"%x: tensor<4xf32> {ALIAS.format(0)}", "tensor<4xf32>", []),
        (f"%x: tensor<4xf32> {ALIAS.format(3)}", "tensor<4xf32>", ["error"]),
        (f"%x: tensor<4xf32> {ALIAS.format(-1)}", "tensor<4xf32>", ["error"]),
        (
            f"%x: tensor<4xf32> {ALIAS.format(0)}, %y: tensor<4xf32> {ALIAS.format(0)}",
            "tensor<4xf32>",
            ["error"],
        ),
        (f"%y: tensor<4xi32> {ALIAS.format(0)}, %x: tensor<4xf32>", "tensor<4xf32>", ["warning"]),
        (f"%y: tensor<2xf32> {ALIAS.format(0)}, %x: tensor<4xf32>", "tensor<4xf32>", ["error"]),
        (
            "%x: tensor<4xf32> {tf.aliasing_output = 0 : i32, jax.buffer_donor = true}",
            "tensor<4xf32>",
            ["error"],
        ),
        ("%x: tensor<4xf32> {jax.buffer_donor = true}", "tensor<4xf32>", []),
        (
            "%x: tensor<4xf32>, %y: tensor<2xf32> {jax.buffer_donor = true}",
            "tensor<4xf32>",
            ["note"],
        ),
        (
            "%x: tensor<?xf32> {tf.aliasing_output = 0 : i32}",
            "tensor<?xf32>",
            [],
        ),
    ],
)
def test_a_donated_parameter_needs_a_result_of_its_own(
    parameters: str, results: str, expected: list[str]
) -> None:
    assert found(main(parameters, results)) == [("donation", s) for s in expected]


def test_a_parameter_that_is_split_is_not_donated_to_a_result_that_is_not() -> None:
    split = 'sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>'
    given = f"%x: tensor<8xf32> {{tf.aliasing_output = 0 : i32, {split}}}"
    whole = "tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}"
    assert found(main(given, whole, head=MESH)) == [("donation", "error")]
    assert found(main(given, f"tensor<8xf32> {{{split}}}", head=MESH)) == []


def test_text_that_is_no_sharding_is_found_at_each_op() -> None:
    body = '  %r = stablehlo.abs %x {mhlo.sharding = "{devices=[2}"} : tensor<4xf32>'
    assert found(main("%x: tensor<4xf32>", "tensor<4xf32>", body, "%r")) == [
        ("mixed-partitioners", "error")
    ]


def test_a_loop_that_ends_otherwise_on_each_device_must_not_hold_a_collective() -> None:
    def loop(bound: str) -> str:
        return f"""  %r = sdy.manual_computation(%x) in_shardings=[<@mesh, [{{"x"}}]>]
      out_shardings=[<@mesh, [{{"x"}}]>] manual_axes={{"x", "y"}} (%part: tensor<1xi32>) {{
    %one = stablehlo.constant dense<1> : tensor<1xi32>
    %ten = stablehlo.constant dense<10> : tensor<1xi32>
    %0:2 = stablehlo.while(%i = %one, %v = %part) : tensor<1xi32>, tensor<1xi32>
    cond {{
      %c = stablehlo.compare LT, %i, {bound} : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
      %p = stablehlo.reshape %c : (tensor<1xi1>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    }} do {{
      %n = stablehlo.add %i, %one : tensor<1xi32>
      %w = "stablehlo.collective_permute"(%v) <{{{CHANNEL}
          source_target_pairs = dense<[[0, 2], [2, 0], [1, 3]]> : tensor<3x2xi64>}}>
        : (tensor<1xi32>) -> tensor<1xi32>
      stablehlo.return %n, %w : tensor<1xi32>, tensor<1xi32>
    }}
    sdy.return %0#1 : tensor<1xi32>
  }} : (tensor<4xi32>) -> tensor<4xi32>"""

    def text(bound: str) -> str:
        return main("%x: tensor<4xi32>", "tensor<4xi32>", loop(bound), "%r", MESH)

    assert found(text("%ten")) == []
    (only,) = findings(text("%part"))
    assert (only.rule, only.severity) == ("distribution-collective-in-branch", "note")
    assert "in a loop whose end devices 0 and 2 may decide differently" in only.message


def test_devices_that_decide_alike_along_one_axis_may_talk_along_it() -> None:
    """What is summed along x is alike along x: a collective along x is fine, along y it is not."""

    def text(groups: str, shape: str, size: int) -> str:
        body = f"""  %r = sdy.manual_computation(%x) in_shardings=[<@mesh, [{{"x", "y"}}]>]
      out_shardings=[<@mesh, [{{"x", "y"}}]>] manual_axes={{"x", "y"}} (%part: tensor<1xf32>) {{
    %s = "stablehlo.all_reduce"(%part) <{{{CHANNEL} use_global_device_ids,
        replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>}}> ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }}) : (tensor<1xf32>) -> tensor<1xf32>
    %c = stablehlo.compare GT, %s, %s : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %p = stablehlo.reshape %c : (tensor<1xi1>) -> tensor<i1>
    %1 = "stablehlo.if"(%p) ({{
      %2 = "stablehlo.all_gather"(%part) <{{{CHANNEL} use_global_device_ids,
          all_gather_dim = 0 : i64, replica_groups = dense<{groups}> : tensor<{shape}xi64>}}>
        : (tensor<1xf32>) -> tensor<{size}xf32>
      %3 = stablehlo.slice %2 [0:1] : (tensor<{size}xf32>) -> tensor<1xf32>
      stablehlo.return %3 : tensor<1xf32>
    }}, {{
      stablehlo.return %part : tensor<1xf32>
    }}) : (tensor<i1>) -> tensor<1xf32>
    sdy.return %1 : tensor<1xf32>
  }} : (tensor<8xf32>) -> tensor<8xf32>"""
        return main("%x: tensor<8xf32>", "tensor<8xf32>", body, "%r", MESH)

    assert found(text("[[0, 2, 4, 6], [1, 3, 5, 7]]", "2x4", 4)) == []
    along_y = text("[[0, 1], [2, 3], [4, 5], [6, 7]]", "4x2", 2)
    assert found(along_y) == [("collective-in-branch", "note")]


@pytest.mark.parametrize(
    ("type", "sharding", "told"),
    [
        ("tensor<f32>", "{devices=[2,2,1]<=[4]}", "is of rank 3, and that is tensor<f32>"),
        ("tensor<8xf32>", "{devices=[2]<=[2]}", "is for 2 devices, and the module for 4"),
        ("tensor<8xf32>", "{devices=[2,2]<=[4] last_tile_dim_replicate}", None),
        ("tensor<8xf32>", "{devices=[1,2,2]<=[4] last_tile_dims={manual, replicated}}", None),
        ("tensor<8xf32>", "{manual}", None),
    ],
)
def test_shardings_in_hlo_words_have_the_rank_and_the_devices(
    type: str, sharding: str, told: str | None
) -> None:
    given = f'%x: {type} {{mhlo.sharding = "{sharding}"}}'
    body = f'  %r = stablehlo.abs %x {{mhlo.sharding = "{sharding}"}} : {type}'
    text = main(given, type, body, "%r")
    found = findings(f"module attributes {{mhlo.num_partitions = 4 : i32}} {{\n{text}}}\n")
    assert [f.rule for f in found] == ["distribution-sharding-mismatch"] * (2 if told else 0)
    assert all(told is not None and told in f.message for f in found)


def test_a_module_inside_of_a_module_with_meshes_of_its_own_ends_no_rule() -> None:
    placed = '#sdy.sharding_per_value<[<@mesh, [{"x"}]>]>'
    body = f"  %r = stablehlo.abs %x {{sdy.sharding = {placed}}} : tensor<8xf32>"
    inner = main("%x: tensor<8xf32>", "tensor<8xf32>", body, "%r", MESH)
    assert found(f"module {{ module @inner {{\n{inner}}} }}") == []
