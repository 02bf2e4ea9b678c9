"""Sharded programs: as XLA partitions them, as dxir does, and on one device."""

from __future__ import annotations

import numpy as np
import pytest

import dxir
from dxir.errors import RuntimeFailure, ShardingWarning, TargetError
from dxir.runtime.backends import runner
from dxir.runtime.oracle import Comparison, compare
from dxir.runtime.per_device import COPIES_DIFFER, per_device
from dxir.sharding import Mesh, Sharding
from dxir.targets.options import CompileOptions

ALL = ("xla-cpu", "xla-cpu-partitioned", "xla-cpu-single", "interpreter", "reference")
MLP = """
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>})
    -> (tensor<8x6xf32>, tensor<6xf32>) {
  %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %d = sdy.sharding_constraint %c <@mesh, [{"y"}, {}]> : tensor<8x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.reduce(%d init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<8x6xf32>, tensor<f32>) -> tensor<6xf32>
  return %d, %e : tensor<8x6xf32>, tensor<6xf32>
}
"""
WINDOWS = """
sdy.mesh @mesh = <["x"=3, "y"=2]>
func.func @main(%a: tensor<2x4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>},
                %k: tensor<4x4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>})
    -> tensor<2x4x3xf32> {
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0],
      window = {stride = [1], pad = [[1, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<2x4x3xf32>, tensor<4x4x3xf32>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}
"""
PARTS = """
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(
    %a: tensor<6x6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {"x":(2)2}]>},
    %b: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<6x4x4xf32> {
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0]
    : (tensor<6x6x4xf32>, tensor<6x4xf32>) -> tensor<6x4x4xf32>
  %2 = sdy.sharding_constraint %1 <@mesh, [{}, {"x"}, {"y"}]> : tensor<6x4x4xf32>
  return %2 : tensor<6x4x4xf32>
}
"""
UPDATE = """
sdy.mesh @mesh = <["y"=2]>
func.func @main(%a: tensor<2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>},
                %u: tensor<1x2xf32>) -> tensor<2x8xf32> {
  %i = stablehlo.constant dense<5> : tensor<i32>
  %j = stablehlo.constant dense<1> : tensor<i32>
  %row = stablehlo.optimization_barrier %i : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %a, %u, %row, %j
    : (tensor<2x8xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}
"""
PLAIN = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }"


def compared(
    text: str, backends: tuple[str, ...], devices: int, *, contained: bool = False
) -> Comparison:
    program = dxir.load(text)
    rng = np.random.default_rng(0)
    arguments = [
        rng.standard_normal(p.tensor.static_shape, np.float32)
        for p in program.raise_().functions[0].params
    ]
    given = CompileOptions(devices=devices)
    return compare(program, arguments, backends, options=given, contained=contained)


def test_a_sharded_program_agrees_however_it_is_partitioned() -> None:
    found = compared(MLP, ALL, 8)
    assert found.agrees, str(found)
    assert found.judge == "reference"
    assert [row.backend for row in found.rows[::2]] == list(ALL[:-1])


@pytest.mark.parametrize(
    ("text", "devices", "fault", "held"),
    [
        (WINDOWS, 6, "xla-cpu-partitioner-split-windows", ()),
        (PARTS, 8, "xla-cpu-partitioner-parts-of-axes", (2, 3, 4, 5)),
        (UPDATE, 2, "xla-cpu-partitioner-update-out-of-range", (1,)),
    ],
    ids=["windows", "parts of axes", "update"],
)
def test_what_the_partitioner_of_xla_gets_wrong_is_told_with_the_devices(
    text: str, devices: int, fault: str, held: tuple[int, ...]
) -> None:
    found = compared(text, ("xla-cpu", "xla-cpu-partitioned", "xla-cpu-single"), devices)
    assert found.faults == (fault,), str(found)
    assert found.exit_code == 5
    assert found.explained
    by_xla, by_dxir = found.rows
    assert by_xla.devices == held
    assert by_dxir.verdict in ("equal", "close")
    if held:
        assert f"on devices {', '.join(map(str, held))} only" in str(found)
        assert found.to_json()["rows"][0]["devices"] == list(held)


def test_on_one_device_these_faults_explain_nothing() -> None:
    found = compared(WINDOWS, ("xla-cpu-single", "reference"), 6)
    assert found.agrees, str(found)


@pytest.mark.parametrize(
    ("text", "devices", "told"),
    [
        (PLAIN, 8, "nothing in the program is sharded"),
        (MLP, 4, "for 8 devices (the mesh @mesh), not for 4"),
    ],
    ids=["nothing is sharded", "too few devices"],
)
def test_what_cannot_be_partitioned_is_refused_with_the_reason(
    text: str, devices: int, told: str
) -> None:
    found = compared(text, ("xla-cpu-partitioned", "xla-cpu-single"), devices)
    assert found.exit_code == 6
    assert told in str(found.rows[0].error)


def test_each_way_can_have_a_process_of_its_own() -> None:
    found = compared(MLP, ("xla-cpu-partitioned", "xla-cpu-single"), 8, contained=True)
    assert found.agrees, str(found)


def test_the_number_of_devices_follows_from_the_mesh_when_dxir_partitions() -> None:
    arguments = [np.ones((8, 4), np.float32), np.ones((4, 6), np.float32)]
    whole, sums = runner(dxir.load(MLP), "xla-cpu-partitioned")(arguments)
    np.testing.assert_array_equal(whole, np.full((8, 6), 4))
    np.testing.assert_array_equal(sums, np.full(6, 32))


def test_copies_that_differ_between_devices_are_told() -> None:
    local = dxir.load("""
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %id = stablehlo.partition_id : tensor<ui32>
  %number = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %half = stablehlo.divide %number, %two : tensor<f32>
  %row = stablehlo.floor %half : tensor<f32>
  %all = stablehlo.broadcast_in_dim %row, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %sum = stablehlo.add %x, %all : tensor<2xf32>
  return %sum : tensor<2xf32>
}""")
    mesh = Mesh("mesh", {"x": 2, "y": 2})
    right = per_device(local, mesh, [Sharding(mesh, "x")], [Sharding(mesh, "x")], [(4,)])
    run = dxir.compile(right.program, devices=4)
    given = [r.numpy() for r in run.run(right.arguments([np.arange(4, dtype=np.float32)]))]
    np.testing.assert_array_equal(right.results(given)[0], [0, 1, 3, 4])
    wrong = per_device(local, mesh, [Sharding(mesh, "x")], [Sharding(mesh, "y")], [(4,)])
    with pytest.raises(RuntimeFailure, match="devices 0 and 2 hold the same part") as caught:
        wrong.results(given)
    assert caught.value.code == COPIES_DIFFER


def test_devices_that_are_numbered_otherwise_hold_the_parts_that_they_are_to() -> None:
    text = MLP.replace('"y"=2]', '"y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]')
    found = compared(text, ALL[:3], 8)
    assert found.agrees, str(found)


def test_a_slice_of_a_slice_that_loses_its_limit_is_a_known_fault() -> None:
    program = dxir.load("""
func.func @main(%x: tensor<4xf32>, %a: tensor<i32>, %b: tensor<i32>) -> tensor<1xf32> {
  %0 = stablehlo.dynamic_slice %x, %a, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  %1 = stablehlo.dynamic_slice %0, %b, sizes = [1] : (tensor<2xf32>, tensor<i32>) -> tensor<1xf32>
  return %1 : tensor<1xf32>
}""")
    arguments = [np.arange(4, dtype=np.float32), np.int32(4), np.int32(0)]
    found = compare(program, arguments, ("xla-cpu", "reference"), contained=False)
    assert found.explained
    assert found.faults in ((), ("xla-cpu-slice-of-slice",))  # it is of jaxlib 0.10


def test_a_sharding_that_does_not_divide_is_warned_of_once_by_all_that_partition() -> None:
    text = MLP.replace('[{}, {"y"}]', '[{}, {"x"}]')  # 6 columns over 4
    with pytest.warns(ShardingWarning, match=r"dimension 1 \(6\) of parameter 1") as caught:
        found = compared(text, ("xla-cpu", "xla-cpu-partitioned", "reference"), 8)
    assert found.agrees, str(found)
    assert len({str(told.message) for told in caught}) == 1


def _named(mesh: str, attribute: str) -> str:
    return f"""
{mesh}
func.func @main(%a: tensor<8x4xf32> {{{attribute}}}) -> tensor<8x4xf32> {{
  %0 = stablehlo.tanh %a : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mesh", "attribute"),
    [
        (
            'sdy.mesh @"my mesh" = <["a\\22b"=4, "ü→"=2]>',
            'sdy.sharding = #sdy.sharding<@"my mesh", [{"a\\22b"}, {"ü→"}]>',
        ),
        ("", 'sdy.sharding = #sdy.sharding<mesh<["x"=4, "y"=2]>, [{"x"}, {"y"}]>'),
    ],
    ids=["odd names", "inlined"],
)
def test_meshes_are_partitioned_however_they_are_called(mesh: str, attribute: str) -> None:
    found = compare(
        dxir.load(_named(mesh, attribute)),
        [np.ones((8, 4), np.float32)],
        ("xla-cpu-partitioned", "xla-cpu-single"),
    )
    assert found.exit_code == 0, str(found)


def test_a_program_with_shardings_of_hlo_has_no_mesh_to_be_partitioned_by() -> None:
    text = _named("", 'mhlo.sharding = "{devices=[8,1]<=[8]}"')
    text = f"module attributes {{mhlo.num_partitions = 8 : i32}} {{{text}}}"
    with pytest.raises(TargetError, match="no mesh of Shardy's"):
        runner(dxir.load(text), "xla-cpu-partitioned")


def test_a_parameter_in_terms_is_refused_where_whole_arrays_go_in() -> None:
    mesh = Mesh("mesh", {"x": 8})
    terms = Sharding(mesh, None, None, unreduced=("x",))
    local = dxir.load(_named("", ""))
    with pytest.raises(TargetError, match="parameter 0 is in terms"):
        per_device(local, mesh, [terms], [Sharding(mesh, None, None)], [(8, 4)])


def test_a_program_without_results_is_partitioned() -> None:
    text = (
        MLP.partition("func.func")[0]
        + """
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  return
}"""
    )
    run = dxir.compile(dxir.load(text), devices=8)
    assert list(run.run([np.ones((8, 4), np.float32)])) == []
