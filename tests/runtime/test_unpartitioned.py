"""Programs for many devices that are compiled for one."""

import warnings
from pathlib import Path

import numpy as np
import pytest

import dxir
from dxir.errors import ShardingWarning

SHARDED = """
sdy.mesh @grid = <["x"=4, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@grid, [{"x"}, {}]>})
    -> tensor<8x4xf32> {
  %0 = stablehlo.add %a, %a : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
"""
INSIDE = """
sdy.mesh @grid = <["x"=8]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.add %a, %a OF_IT : tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""
ONES = np.ones((8, 4), np.float32)


def test_a_mesh_program_on_one_device_tells_how_to_partition_it() -> None:
    with pytest.warns(ShardingWarning) as caught:
        run = dxir.compile(dxir.load(SHARDED))
    (told,) = caught
    text = str(told.message)
    assert "over 8 devices (the mesh @grid)" in text
    assert "devices=8 partitions it" in text
    assert ":2:" in text, text
    assert told.filename == __file__
    np.testing.assert_array_equal(run(ONES), ONES * 2)


def test_one_device_can_be_meant() -> None:
    dxir.compile(dxir.load(SHARDED), devices=1)
    dxir.compile(dxir.load(SHARDED), devices=dxir.devices(count=1))
    dxir.compile(dxir.load(SHARDED), devices=8)


def test_it_is_told_at_the_line_of_the_caller_when_a_child_compiles() -> None:
    with pytest.warns(ShardingWarning, match="devices=8 partitions it") as caught:
        dxir.compile(dxir.load(SHARDED), contained=True)
    assert [Path(told.filename) for told in caught] == [Path(__file__)]


def test_copies_of_a_mesh_program_run_whole() -> None:
    with pytest.warns(ShardingWarning, match="8 copies of it run whole, as replicas= says"):
        dxir.compile(dxir.load(SHARDED), devices=8, replicas=8)


@pytest.mark.parametrize(
    "text",
    [
        SHARDED.replace('"x"=4, "y"=2', '"x"=1, "y"=1'),
        SHARDED.replace(' {sdy.sharding = #sdy.sharding<@grid, [{"x"}, {}]>}', ""),
    ],
    ids=["a mesh of one device", "a mesh that nothing lies on"],
)
def test_what_is_not_sharded_is_not_told(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dxir.compile(dxir.load(text))


def test_shardings_of_values_inside_and_of_older_modules_count() -> None:
    inside = INSIDE.replace("OF_IT", '{sdy.sharding = #sdy.sharding_per_value<[<@grid, [{"x"}]>]>}')
    with pytest.warns(ShardingWarning, match="over 8 devices"):
        dxir.compile(dxir.load(inside))
    body = INSIDE.replace("OF_IT", "").split(">", 1)[1]
    older = f"module attributes {{mhlo.num_partitions = 4 : i32}} {{{body}}}"
    with pytest.warns(ShardingWarning, match=r"over 4 devices \(its attribute mhlo"):
        dxir.compile(dxir.load(older))
