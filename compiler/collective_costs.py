"""What collectives send, and how long that takes, by the model of latency and bandwidth.

A message of `m` bytes takes `latency + m / bandwidth` seconds (Hockney, "The communication
challenge for MPP", 1994). The collectives run as rings, as in Thakur, Rabenseifner and Gropp,
"Optimization of collective communication operations in MPICH", 2005; what reducers compute is left
out. Over several axes the rings run axis by axis, the fastest links carrying the most. `B` is the
number of bytes of the device's own operand, `n` the number of devices in a group:

| kind | bytes sent by a device | steps |
| --- | --- | --- |
| all_reduce | 2 (n-1)/n B | 2 (n-1) |
| reduce_scatter | (n-1)/n B | n-1 |
| all_gather | (n-1) B | n-1 |
| all_to_all | (n-1)/n B | n-1 |
| collective_permute | B | 1 |
| collective_broadcast, collective_reduce | B | n-1 |
| all_slice | 0 | 0 |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import isfinite, prod
from pathlib import Path

from dxir.errors import ArgumentError
from dxir.locations import caller_location
from dxir.mesh_layout import device_groups
from dxir.sharding import AxisRef, Mesh, check_axes
from dxir.table_files import TableFile, read_table_file

KINDS = (
    "all_reduce",
    "reduce_scatter",
    "all_gather",
    "all_to_all",
    "collective_permute",
    "collective_broadcast",
    "collective_reduce",
    "all_slice",
)
"""The collectives that have a cost."""

_CHAINS = ("collective_broadcast", "collective_reduce")


@dataclass(frozen=True, slots=True)
class Link:
    """What a device sends through: bytes per second, and seconds before the first arrives."""

    bytes_per_second: float
    latency_seconds: float = 0.0

    def __post_init__(self) -> None:
        _check_number("bytes_per_second", self.bytes_per_second, zero=False)
        _check_number("latency_seconds", self.latency_seconds, zero=True)

    def seconds(self, size: float) -> float:
        """How long a message of `size` bytes takes."""
        return self.latency_seconds + size / self.bytes_per_second


Level = tuple[int, Link]
"""How many devices stand along a link."""


@dataclass(frozen=True, slots=True)
class Interconnect:
    """The links between the devices of a mesh.

    `link` is that of all axes but those that `axes` names. With `devices_per_node` and
    `between_nodes`, devices whose ids divided by `devices_per_node` differ are on different nodes
    and reach each other through `between_nodes`; an axis named in `axes` has its own link wherever
    its devices are.
    """

    link: Link
    axes: Mapping[str, Link] = field(default_factory=dict)
    devices_per_node: int | None = None
    between_nodes: Link | None = None
    name: str = ""

    def __post_init__(self) -> None:
        count = self.devices_per_node
        if count is not None and (isinstance(count, bool) or count < 1):
            raise ArgumentError(
                f"devices_per_node is {count!r}",
                where=caller_location(),
                hint="a node has 1 device or more",
            )
        if (count is None) != (self.between_nodes is None):
            raise ArgumentError(
                "devices_per_node and between_nodes belong together, and one is missing",
                where=caller_location(),
                hint="give both, or neither where all devices are alike",
            )

    @classmethod
    def load(cls, path: str | Path) -> Interconnect:
        """From a file in JSON (`.json`) or TOML; ArgumentError with file and line if it is wrong.

        It has `bytes_per_second`, and may have `latency_seconds`, `devices_per_node`, `name`,
        and tables with the numbers of a link: `between_nodes`, and `axes` with one for each axis.
        """
        return _described(read_table_file(Path(path)))

    def levels(self, mesh: Mesh, axes: Iterable[str | AxisRef]) -> tuple[Level, ...]:
        """The links that a collective over these axes goes through, with the devices along each."""
        found: list[Level] = []
        for axis in _axes_of(mesh, axes):
            size = axis.size(mesh)
            if axis.name in self.axes:
                found.append((size, self.axes[axis.name]))
            elif self.devices_per_node is None or self.between_nodes is None:
                found.append((size, self.link))
            else:
                within = _within_node(mesh, axis, self.devices_per_node)
                found += [(within, self.link), (size // within, self.between_nodes)]
        return tuple([level for level in found if level[0] > 1])

    def levels_of_ids(self, ids: Sequence[int]) -> tuple[Level, ...]:
        """The same for one group of devices, which are told by their ids."""
        if self.devices_per_node is None or self.between_nodes is None:
            return ((len(ids), self.link),) if len(ids) > 1 else ()
        within = _evenly(ids, self.devices_per_node)
        found = [(within, self.link), (len(ids) // within, self.between_nodes)]
        return tuple([level for level in found if level[0] > 1])

    def seconds(
        self, kind: str, operand_bytes: int, mesh: Mesh, axes: Iterable[str | AxisRef]
    ) -> float:
        """How long a collective over axes of a mesh takes; B is one device's operand."""
        return seconds_over(kind, operand_bytes, self.levels(mesh, axes))

    def seconds_of_rows(
        self, kind: str, operand_bytes: int, rows: Iterable[Sequence[int]]
    ) -> float:
        """How long one takes whose groups are rows of device ids: as long as its slowest group."""
        times = [seconds_over(kind, operand_bytes, self.levels_of_ids(row)) for row in rows]
        return max(times, default=0.0)


def bytes_sent(kind: str, operand_bytes: int, devices: int) -> int:
    """The bytes that a device sends, rounded up; `devices` is the size of its group."""
    n = _checked(kind, operand_bytes, devices)
    if n == 1 or kind == "all_slice":
        return 0
    if kind == "all_reduce":
        return -(-2 * (n - 1) * operand_bytes // n)
    if kind == "all_gather":
        return (n - 1) * operand_bytes
    if kind in ("reduce_scatter", "all_to_all"):
        return -(-(n - 1) * operand_bytes // n)
    return operand_bytes


def seconds(kind: str, operand_bytes: int, devices: int, link: Link) -> float:
    """How long a collective of a group takes whose devices all send through the same link."""
    return seconds_over(kind, operand_bytes, ((devices, link),))


def seconds_over(kind: str, operand_bytes: int, levels: Iterable[Level]) -> float:
    """How long a collective takes that goes through several links, in a group of their product.

    A reduction goes first along the fastest links, so that the slow ones carry what is left of it;
    a gather goes the other way round.
    """
    fastest_first = sorted(levels, key=lambda level: -level[1].bytes_per_second)
    total = prod(n for n, _ in fastest_first)
    _checked(kind, operand_bytes, total)
    if total == 1 or kind == "all_slice":
        return 0.0
    if kind == "all_reduce":
        return 2 * _scattered(operand_bytes, fastest_first)
    if kind == "reduce_scatter":
        return _scattered(operand_bytes, fastest_first)
    if kind == "all_gather":  # the steps of a reduce_scatter of the result, backwards
        return _scattered(operand_bytes * total, fastest_first)
    if kind == "all_to_all":
        return _exchanged(operand_bytes, fastest_first, total)
    used = [level for level in fastest_first if level[0] > 1]
    slowest = min(link.bytes_per_second for _, link in used)
    if kind in _CHAINS:
        return _chained(used) + operand_bytes / slowest
    return max(link.seconds(operand_bytes) for _, link in used)


def _scattered(size: float, levels: Sequence[Level]) -> float:
    """A ring along each link in turn, each on what the one before has left to a device."""
    time = 0.0
    for n, link in levels:
        time += (n - 1) * link.seconds(size / n)
        size /= n
    return time


def _exchanged(size: float, levels: Sequence[Level], total: int) -> float:
    """A message to each other device, through the slowest link on the way to it."""
    time, reached = 0.0, 1
    for n, link in levels:
        time += (n - 1) * reached * link.seconds(size / total)
        reached *= n
    return time


def _chained(levels: Sequence[Level]) -> float:
    """The latencies of a chain through all devices, which crosses the slow links least."""
    time, crossed = 0.0, 1
    for n, link in reversed(levels):
        time += (n - 1) * crossed * link.latency_seconds
        crossed *= n
    return time


def _checked(kind: str, operand_bytes: int, devices: int) -> int:
    if kind not in KINDS:
        raise ArgumentError(
            f"there is no cost for {kind!r}",
            where=caller_location(),
            hint=f"the kinds are {', '.join(KINDS)}",
        )
    if operand_bytes < 0 or devices < 1:
        raise ArgumentError(
            f"{kind} of {operand_bytes} bytes in a group of {devices} devices",
            where=caller_location(),
            hint="bytes are not negative, and a group has 1 device or more",
        )
    return devices


def _axes_of(mesh: Mesh, axes: Iterable[str | AxisRef]) -> list[AxisRef]:
    given = (axes,) if isinstance(axes, (str, AxisRef)) else axes
    found = [AxisRef.of(axis) for axis in given]
    check_axes(mesh, found, "a collective")
    return found


@lru_cache(maxsize=256)
def _within_node(mesh: Mesh, axis: AxisRef, devices_per_node: int) -> int:
    """How many of the devices along an axis are on one node; 1 where nodes share them unevenly."""
    counts = {_evenly(row, devices_per_node) for row in device_groups(mesh, (axis,))}
    return counts.pop() if len(counts) == 1 else 1


def _evenly(ids: Sequence[int], devices_per_node: int) -> int:
    """How many of these devices are on each node that has any; 1 where that differs."""
    nodes = [i // devices_per_node for i in ids]
    counts = {nodes.count(node) for node in set(nodes)}
    return counts.pop() if len(counts) == 1 else 1


def _check_number(name: str, value: object, *, zero: bool) -> None:
    number = value if isinstance(value, (int, float)) and not isinstance(value, bool) else -1
    if isfinite(number) and (number > 0 or (number == 0 and zero)):
        return
    raise ArgumentError(
        f"{name} of a link is {value!r}",
        where=caller_location(),
        hint=f"give a number that is {'not negative' if zero else 'positive'}",
    )


_LINK = ("bytes_per_second", "latency_seconds")
_INTERCONNECT = (*_LINK, "devices_per_node", "between_nodes", "axes", "name")


def _described(file: TableFile) -> Interconnect:
    table = file.table(known=_INTERCONNECT)
    axes = {name: _link(file, ("axes", name)) for name in file.table(("axes",))}
    between = _link(file, ("between_nodes",)) if "between_nodes" in table else None
    count, name = table.get("devices_per_node"), table.get("name", "")
    if count is not None and not isinstance(count, int):
        raise file.error(f"devices_per_node is {count!r}, no whole number", ("devices_per_node",))
    if not isinstance(name, str):
        raise file.error(f"name is {name!r}, no text", ("name",))
    link = _link(file, (), _INTERCONNECT)
    try:
        return Interconnect(link, axes, count, between, name)
    except ArgumentError as error:
        key = "devices_per_node" if count is not None else "between_nodes"
        raise file.error(error.message, (key,), error.hint) from error


def _link(file: TableFile, keys: tuple[str, ...], known: Sequence[str] = _LINK) -> Link:
    table = file.table(keys, known)
    if "bytes_per_second" not in table:
        what = ".".join((*keys, "bytes_per_second"))
        raise file.error(f"{what} is missing", keys, "it is what a link carries, as 50e9")
    for name in _LINK:
        try:
            _check_number(name, table.get(name, 0), zero=name != "bytes_per_second")
        except ArgumentError as error:
            raise file.error(error.message, (*keys, name), error.hint) from error
    return Link(table["bytes_per_second"], table.get("latency_seconds", 0.0))
