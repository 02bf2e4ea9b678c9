"""Arrays placed by shardings, in one process."""

from typing import Any

import numpy as np
import pytest

import dxir
from dxir.errors import ArgumentError, ShardingError
from dxir.mesh_layout import parts
from dxir.sharding import AxisRef

MESH = dxir.Mesh("m", {"x": 2, "y": 4}, device_ids=[7, 6, 5, 4, 3, 2, 1, 0])
X = np.arange(64, dtype=np.float32).reshape(8, 8)
Y_MINOR, Y_MAJOR = AxisRef("y", (2, 2)), AxisRef("y", (1, 2))
LAYOUTS: list[tuple[Any, ...]] = [
    ("x", "y"),
    (("y", "x"), None),
    (None, None),
    (Y_MAJOR, "x"),
    (Y_MINOR, None),
    ((Y_MINOR, "x"), Y_MAJOR),
]


@pytest.mark.parametrize("axes", LAYOUTS, ids=str)
def test_each_device_has_the_part_that_its_place_on_the_mesh_says(axes: tuple[Any, ...]) -> None:
    sharding = dxir.Sharding(MESH, *axes)
    placed = dxir.to_device(X, sharding)
    expected = parts(X.shape, sharding)
    for shard in placed.local_shards():
        assert shard.index == expected[shard.device.id]
        np.testing.assert_array_equal(shard.data, X[shard.index])
    np.testing.assert_array_equal(placed.numpy(), X)
    again = dxir.from_shards(placed.shards(), sharding)
    np.testing.assert_array_equal(again, X)


@pytest.mark.parametrize("axes", LAYOUTS, ids=str)
def test_a_program_takes_what_lies_as_it_says_without_moving_it(axes: tuple[Any, ...]) -> None:
    sharding = dxir.Sharding(MESH, *axes)
    b = dxir.Builder("main")
    x = b.param(dxir.f32[8, 8], sharding=sharding)
    run = dxir.compile(b.build(x + x), devices=8)
    placed = dxir.to_device(X, sharding)  # refused if it lay elsewhere
    np.testing.assert_array_equal(run(placed), X * 2)


def test_devices_may_be_chosen_and_partition_specs_take_the_mesh_around() -> None:
    with MESH:
        placed = dxir.to_device(X, dxir.P("y"))
    assert placed.placement == dxir.to_device(X, dxir.Sharding(MESH, "y", None)).placement
    alone = dxir.to_device(X, dxir.Sharding(dxir.Mesh("one", {}, [3])))
    assert [d.id for d in alone.placement.devices] == [3]
    np.testing.assert_array_equal(placed.to(alone.placement), X)


def test_what_does_not_fit_is_refused() -> None:
    for array, sharding, message in (
        (X[:7], dxir.Sharding(MESH, "x", None), r"dimension 0 \(7\) .* cannot be divided into 2"),
        (X, dxir.Sharding(MESH, "x"), "a sharding of rank 1 is given for an array"),
        (X, dxir.Sharding(MESH, None, None, unreduced=["x"]), "it has no terms to be reduced"),
        (X, dxir.P("x"), "needs a mesh"),
    ):
        with pytest.raises(ShardingError, match=message) as caught:
            dxir.to_device(array, sharding)
        assert __file__ in str(caught.value.where)
    rows = dxir.Sharding(MESH, "x", None)
    for shards, message in (
        ([X] * 3, "8 devices of .* are of this process, and there are 3 shards"),
        ([X] * 7 + [X[:4]], r"shard 0 is f32\[8, 8\], and shard 7 is f32\[4, 8\]"),
        ([X[0]] * 8, "is no part of an array on"),
    ):
        with pytest.raises(ArgumentError, match=message):
            dxir.from_shards(shards, rows)
    with pytest.raises(ArgumentError, match="is no device, no Placement and no Sharding"):
        dxir.to_device(X, "x")  # type: ignore[arg-type]  # as a user may
