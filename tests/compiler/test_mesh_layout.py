"""Which part of a tensor each device of a mesh holds."""

import numpy as np
import pytest

import dxir
from dxir.mesh_layout import device_groups, local_shape, parts, undivided
from dxir.sharding import AxisRef, Mesh, Sharding

MESH = Mesh("m", {"x": 2, "y": 4})


def test_devices_are_numbered_row_major() -> None:
    found = parts((4, 8), Sharding(MESH, "x", "y"))
    assert found[0] == (slice(0, 2), slice(0, 2))
    assert found[5] == (slice(2, 4), slice(2, 4))


def test_device_ids_say_which_device_stands_where() -> None:
    mesh = Mesh("m", {"x": 2, "y": 2}, device_ids=(3, 1, 2, 0))
    assert parts((2,), Sharding(mesh, "x")) == {
        3: (slice(0, 1),),
        1: (slice(0, 1),),
        2: (slice(1, 2),),
        0: (slice(1, 2),),
    }
    assert device_groups(mesh, [AxisRef("y")]) == ((3, 1), (2, 0))


def test_the_parts_of_an_axis_are_its_digits() -> None:
    mesh = Mesh("m", {"x": 8})
    major, minor = AxisRef("x", (1, 2)), AxisRef("x", (2, 4))
    assert parts((8,), Sharding(mesh, (minor,)))[5] == (slice(2, 4),)
    assert parts((8,), Sharding(mesh, (major,)))[5] == (slice(4, 8),)
    assert parts((4, 2), Sharding(mesh, (minor,), (major,)))[5] == (slice(1, 2), slice(1, 2))
    assert device_groups(mesh, [major]) == ((0, 4), (1, 5), (2, 6), (3, 7))


@pytest.mark.parametrize(
    "sharding",
    [
        Sharding(MESH, "x", "y"),
        Sharding(MESH, ("y", "x"), None),
        Sharding(MESH, None, ("x", AxisRef("y", (2, 2)))),
        Sharding(MESH, None, None),
    ],
)
def test_the_parts_make_up_the_whole(sharding: Sharding) -> None:
    whole = np.zeros((8, 16), np.int64)
    for part in parts(whole.shape, sharding).values():
        whole[part] += 1
    split = sharding.dims[0].size(MESH) * sharding.dims[1].size(MESH)
    assert (whole == MESH.size // split).all()


def test_what_does_not_divide_is_told_and_its_last_parts_are_smaller() -> None:
    sharding = Sharding(MESH, "y", None)
    (found,) = undivided(dxir.f32[6, 3], sharding)
    assert (found.dimension, found.size, found.parts) == (0, 6, 4)
    assert local_shape((6, 3), sharding) == (2, 3)
    assert [p[0] for p in parts((6, 3), sharding).values()][:4] == [
        slice(0, 2),
        slice(2, 4),
        slice(4, 6),
        slice(6, 6),
    ]
