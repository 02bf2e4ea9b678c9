"""What collectives send and take, against numbers by hand."""

from pathlib import Path

import pytest

from dxir import AxisRef, Mesh
from dxir.collective_costs import Interconnect, Link, bytes_sent, seconds, seconds_over
from dxir.errors import ArgumentError, ShardingError

LINK = Link(1e9, 1e-6)  # a nanosecond a byte, a microsecond a message
SLOW = Link(1e8, 1e-5)


@pytest.mark.parametrize(
    ("kind", "devices", "sent", "microseconds"),
    [
        ("all_reduce", 4, 6000, 6 + 6),  # 2*3 steps of 1000 bytes
        ("reduce_scatter", 4, 3000, 3 + 3),
        ("all_gather", 4, 12000, 3 + 12),
        ("all_to_all", 4, 3000, 3 + 3),
        ("collective_permute", 4, 4000, 1 + 4),
        ("collective_broadcast", 4, 4000, 3 + 4),
        ("collective_reduce", 2, 4000, 1 + 4),
        ("all_slice", 4, 0, 0),
        ("all_gather", 1, 0, 0),
        ("collective_permute", 1, 0, 0),
    ],
)
def test_a_ring_of_devices_costs_what_the_table_says(kind, devices, sent, microseconds):
    assert bytes_sent(kind, 4000, devices) == sent
    assert seconds(kind, 4000, devices, LINK) == pytest.approx(microseconds * 1e-6)


def test_bytes_that_do_not_divide_are_rounded_up():
    assert bytes_sent("all_reduce", 10, 3) == 14  # 2 * 2/3 * 10 = 13.3
    assert bytes_sent("reduce_scatter", 10, 3) == 7


def test_several_axes_send_as_much_as_one_of_their_size_with_fewer_steps():
    mesh = Mesh("m", {"x": 4, "y": 2})
    net = Interconnect(LINK)
    # Of 8000 bytes: 3 steps of 2000 along x and 1 of 1000 along y, twice.
    wanted = 2 * (3 * 3.0 + 1 * 2.0) * 1e-6
    assert net.seconds("all_reduce", 8000, mesh, ("x", "y")) == pytest.approx(wanted)
    assert bytes_sent("all_reduce", 8000, 8) == 2 * (3 * 2000 + 1000)
    gathered = net.seconds("all_gather", 1000, mesh, ("x", "y"))
    assert gathered == pytest.approx(wanted / 2)
    assert net.seconds("all_reduce", 8000, mesh, ()) == 0


def test_slow_links_carry_what_the_fast_ones_have_reduced():
    levels = ((2, SLOW), (4, LINK))
    # 3 steps of 2000 bytes on the fast link, then 1 of 1000 on the slow one: 9 + 20 us.
    assert seconds_over("reduce_scatter", 8000, levels) == pytest.approx(29e-6)
    assert seconds_over("all_reduce", 8000, levels) == pytest.approx(58e-6)
    assert seconds_over("all_gather", 1000, levels) == pytest.approx(29e-6)
    # 3 messages of 1000 bytes within, 4 of 1000 to the other node: 3*2 + 4*20 us.
    assert seconds_over("all_to_all", 8000, levels) == pytest.approx(86e-6)
    # A chain that crosses the slow link once: 6 fast latencies, a slow one, 8000 bytes at 1e8.
    assert seconds_over("collective_broadcast", 8000, levels) == pytest.approx(96e-6)
    assert seconds_over("collective_permute", 8000, levels) == pytest.approx(90e-6)


def test_an_axis_crosses_nodes_where_its_devices_do():
    net = Interconnect(LINK, {"z": Link(5e9)}, devices_per_node=4, between_nodes=SLOW)
    mesh = Mesh("m", {"x": 2, "y": 4, "z": 2})  # y has 2 devices on a node, and 2 nodes
    assert net.levels(mesh, ("x",)) == ((2, SLOW),)
    assert net.levels(mesh, ("y",)) == ((2, LINK), (2, SLOW))
    assert net.levels(mesh, ("y", "z")) == ((2, LINK), (2, SLOW), (2, Link(5e9)))
    assert net.levels(mesh, (AxisRef("y", (2, 2)),)) == ((2, LINK),)
    assert net.levels(mesh, (AxisRef("y", (1, 2)),)) == ((2, SLOW),)
    turned = Mesh("t", {"x": 2, "y": 4}, (0, 2, 4, 6, 1, 3, 5, 7))
    assert net.levels(turned, ("x",)) == ((2, LINK),)
    uneven = Interconnect(LINK, devices_per_node=3, between_nodes=SLOW)
    assert uneven.levels(Mesh("u", {"x": 4}), ("x",)) == ((4, SLOW),)
    assert net.levels_of_ids((0, 1, 4, 5)) == ((2, LINK), (2, SLOW))
    rows = ((0, 1), (2, 4))
    assert net.seconds_of_rows("collective_permute", 1000, rows) == pytest.approx(20e-6)


def test_a_mesh_of_4096_devices_is_quick():
    mesh = Mesh("m", {"x": 16, "y": 16, "z": 16})
    net = Interconnect(LINK, devices_per_node=8, between_nodes=SLOW)
    assert net.levels(mesh, ("x", "z")) == ((16, SLOW), (8, LINK), (2, SLOW))


TOML = """\
name = "two boxes"  # of four
bytes_per_second = 50e9
latency_seconds = 2e-6
devices_per_node = 4

[between_nodes]
bytes_per_second = 10e9

[axes.x]
bytes_per_second = 100e9
"""
JSON = """\
{
  "bytes_per_second": 50e9, "latency_seconds": 2e-6,
  "name": "two boxes", "devices_per_node": 4,
  "between_nodes": {"bytes_per_second": 10e9},
  "axes": {
    "x": {"bytes_per_second": 100e9}
  }
}
"""


@pytest.mark.parametrize(("name", "text"), [("net.toml", TOML), ("net.json", JSON)])
def test_a_file_describes_an_interconnect(tmp_path: Path, name: str, text: str):
    path = tmp_path / name
    path.write_text(text)
    assert Interconnect.load(path) == Interconnect(
        Link(50e9, 2e-6), {"x": Link(100e9)}, 4, Link(10e9), "two boxes"
    )


@pytest.mark.parametrize(
    ("name", "text", "place", "message"),
    [
        ("a.toml", TOML + "latency = 1\n", ":11", "no setting 'axes.x.latency'"),
        ("a.toml", TOML.replace("10e9", "-1"), ":7", "bytes_per_second of a link is -1"),
        ("a.toml", TOML.replace("4", "0", 1), ":4", "devices_per_node is 0"),
        ("a.toml", TOML.replace("4", "'4'", 1), ":4", "no whole number"),
        ("a.toml", "x = ", ":1", "this is not TOML: Invalid value"),
        ("a.toml", "latency_seconds = 1\n", ":1", "bytes_per_second is missing"),
        ("a.toml", "bytes_per_second = 1\naxes = 3\n", ":2", "axes is 3, not a table"),
        ("a.toml", "bytes_per_second = 1\ndevices_per_node = 2\n", ":2", "belong together"),
        ("a.json", JSON.replace("100e9", '"fast"'), ":6", "bytes_per_second of a link is 'fast'"),
        ("a.json", JSON.replace("10e9", "true"), ":4", "bytes_per_second of a link is True"),
        ("a.json", JSON.replace('"x"', '"x'), ":6:11", "this is not JSON: "),
        ("a.json", "[1]", ":1", "this is not an object"),
    ],
)
def test_a_mistake_in_a_file_is_told_with_its_line(tmp_path: Path, name, text, place, message):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(ArgumentError) as error:
        Interconnect.load(path)
    assert message in error.value.message
    assert error.value.where == f"{path}{place}"


def test_what_has_no_cost_is_an_error():
    with pytest.raises(ArgumentError, match="no cost for 'all_reduced'"):
        bytes_sent("all_reduced", 4, 2)
    with pytest.raises(ArgumentError, match="-1 bytes"):
        seconds("all_reduce", -1, 2, LINK)
    with pytest.raises(ArgumentError, match="bytes_per_second of a link is 0"):
        Link(0)
    with pytest.raises(ArgumentError, match="belong together"):
        Interconnect(LINK, devices_per_node=2)
    with pytest.raises(ShardingError, match="no axis 'q'"):
        Interconnect(LINK).seconds("all_reduce", 8, Mesh("m", {"x": 2}), ("q",))
    with pytest.raises(ArgumentError, match=r"cannot read missing\.toml"):
        Interconnect.load("missing.toml")
