"""The program of one device: what moves, how parts fit, and what is refused."""

import numpy as np
import pytest

import dxir
from dxir.errors import ArgumentError, PassError
from dxir.passes.partitioning.communication import moves
from dxir.passes.partitioning.joining import groups
from dxir.runtime.partitioned import run_partitioned
from dxir.sharding import AxisRef, Mesh, Sharding

MESH = Mesh("mesh", {"x": 4, "y": 2})
TEXT = """
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) {
  %0 = stablehlo.negate %a : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}"""


def test_a_permutation_takes_each_part_to_the_devices_that_are_to_have_it() -> None:
    before, after = Sharding(MESH, ("y", "x")), Sharding(MESH, ("x", "y"))
    assert moves(before, after, ()) == [
        (0, 0), (2, 1), (4, 2), (6, 3), (1, 4), (3, 5), (5, 6), (7, 7)
    ]  # fmt: skip


def test_devices_apart_along_manual_axes_keep_to_themselves() -> None:
    mesh = Mesh("mesh", {"m": 2, "a": 2, "b": 2})
    found = moves(Sharding(mesh, "a"), Sharding(mesh, "b"), ("m",))
    assert all(source // 4 == target // 4 for source, target in found)
    part = AxisRef("x", (2, 2))
    assert len(moves(Sharding(MESH, part), Sharding(MESH, "y"), ())) == 8


@pytest.mark.parametrize(
    ("before", "after", "wanted"),
    [
        ((8, 4), (32,), [([0, 1], [0])]),
        ((2, 6, 5), (4, 3, 5), [([0, 1], [0, 1]), ([2], [2])]),
        ((1, 5), (5,), [([1], [0])]),
        ((5,), (5, 1, 1), [([0], [0])]),
    ],
)
def test_a_reshape_joins_the_smallest_groups(
    before: tuple[int, ...], after: tuple[int, ...], wanted: list[tuple[list[int], list[int]]]
) -> None:
    assert groups(before, after) == wanted


def test_arguments_of_a_partitioned_program_are_whole_and_checked() -> None:
    made = dxir.load(TEXT).run_passes("dxir-partition")
    x = np.arange(32, dtype=np.float32).reshape(8, 4)
    np.testing.assert_array_equal(run_partitioned(made, [x])[0], -x)
    with pytest.raises(ArgumentError, match="as a whole, not float32 of shape"):
        run_partitioned(made, [x[:4]])
    with pytest.raises(ArgumentError, match="8 devices of a mesh, and 4 are given"):
        run_partitioned(made, [x], devices=4)
    with pytest.raises(ArgumentError, match="does not say what its parameters"):
        run_partitioned(dxir.load(TEXT), [x])


def test_meshes_that_differ_are_refused() -> None:
    text = 'sdy.mesh @other = <["z"=8]>\n' + TEXT.replace('@mesh, [{"y"}', '@other, [{"z"}')
    text = text.replace('{"z"}, {"x"}', '{"z"}, {}')
    with pytest.raises(PassError, match="the meshes @other and @mesh have other axes"):
        dxir.load(text).run_passes("dxir-partition")


def test_a_program_that_is_local_already_stays_as_it_is() -> None:
    made = dxir.load(TEXT).run_passes("dxir-partition")
    assert str(made.run_passes("dxir-localize")) == str(made)


SQUARE = """
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [RESULT, {}]>}) {
  %0 = stablehlo.negate %a : tensor<8x8xf32>
  %1 = BETWEEN : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}"""


@pytest.mark.parametrize("direction", ["NONE", "FORWARD", "BACKWARD"])
@pytest.mark.parametrize("result", ["{}", '{"y"}'])
def test_a_value_lies_otherwise_behind_a_barrier(direction: str, result: str) -> None:
    barrier = f"sdy.propagation_barrier %0 allowed_direction={direction}"
    text = SQUARE.replace("RESULT", result).replace("BETWEEN", barrier)
    x = np.arange(64, dtype=np.float32).reshape(8, 8)
    made = dxir.load(text).run_passes("dxir-partition")
    np.testing.assert_array_equal(run_partitioned(made, [x])[0], -x)


def test_a_reshard_without_its_collective_is_refused_though_parts_have_one_shape() -> None:
    reshard = 'sdy.reshard %0 <@mesh, [{"y"}, {}]>'
    text = SQUARE.replace("RESULT", '{"y"}').replace("BETWEEN", reshard)
    with pytest.raises(PassError, match=r"'sdy.reshard' takes a value that lies"):
        dxir.load(text).run_passes("dxir-propagate,dxir-localize")


@pytest.mark.parametrize(
    ("whole", "lies"),
    [
        ("no type", "#sdy.sharding<mesh<[\\22x\\22=2]>, [{\\22x\\22}]>"),
        ("tensor<4xf32>", "no sharding"),
        ("tensor<4xf32>", "3 : i32"),
        ("tensor<99999999999999999999xf32>", "3 : i32"),
    ],
)
def test_marks_of_parts_that_cannot_be_read_are_an_error(whole: str, lies: str) -> None:
    marks = f'{{dxir.whole = "{whole}", dxir.lies = "{lies}"}}'
    program = dxir.load(
        f"func.func @main(%a: tensor<2xf32> {marks}) -> (tensor<2xf32> {marks}) "
        "{ return %a : tensor<2xf32> }"
    )
    with pytest.raises(ArgumentError, match="cannot be read"):
        run_partitioned(program, [np.ones(4, np.float32)])
