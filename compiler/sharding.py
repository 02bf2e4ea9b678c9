"""Meshes of devices and the shardings of values over their axes, as Shardy has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from dxir.errors import ShardingError
from dxir.types import TensorType, Type


@dataclass(frozen=True, slots=True)
class Mesh:
    """A named grid of devices: axes with their sizes, in order.

    `device_ids` (a permutation of all ids) gives another order than row-major. A mesh without axes
    and with one device id stands for that single device.
    """

    name: str
    axes: tuple[tuple[str, int], ...]
    device_ids: tuple[int, ...] = ()

    def __init__(
        self,
        name: str,
        axes: Mapping[str, int] | Iterable[tuple[str, int]],
        device_ids: Iterable[int] = (),
    ) -> None:
        pairs = axes.items() if isinstance(axes, Mapping) else axes
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "axes", tuple((str(n), int(s)) for n, s in pairs))
        object.__setattr__(self, "device_ids", tuple(int(i) for i in device_ids))
        self._check()

    def _check(self) -> None:
        names = [name for name, _ in self.axes]
        for name, size in self.axes:
            if size < 1:
                raise ShardingError(f"axis {name!r} of mesh {self.name!r} has size {size}")
            if names.count(name) > 1:
                raise ShardingError(f"mesh {self.name!r} has two axes named {name!r}")
        ids = sorted(self.device_ids)
        if self.axes and ids and ids != list(range(self.size)):
            raise ShardingError(
                f"the device ids of mesh {self.name!r} are not a permutation of 0..{self.size - 1}"
            )

    @property
    def size(self) -> int:
        """The number of devices."""
        count = 1
        for _, size in self.axes:
            count *= size
        return count

    def axis_size(self, name: str) -> int:
        """The size of the axis `name`."""
        for axis, size in self.axes:
            if axis == name:
                return size
        raise ShardingError(
            f"mesh {self.name!r} has no axis {name!r}",
            hint=f"its axes are {', '.join(a for a, _ in self.axes) or 'none'}",
        )


@dataclass(frozen=True, slots=True)
class AxisRef:
    """An axis of a mesh, or the part `(pre_size, size)` of one: `"x":(2)4`."""

    name: str
    sub: tuple[int, int] | None = None

    @classmethod
    def of(cls, spec: str | AxisRef) -> AxisRef:
        return spec if isinstance(spec, AxisRef) else cls(spec)

    def __repr__(self) -> str:
        return f'"{self.name}"' + ("" if self.sub is None else f":({self.sub[0]}){self.sub[1]}")

    def size(self, mesh: Mesh) -> int:
        return mesh.axis_size(self.name) if self.sub is None else self.sub[1]


@dataclass(frozen=True, slots=True)
class DimSharding:
    """The axes one dimension is split over, major first.

    `open` lets propagation add axes; `priority` (0 first) orders propagation.
    """

    axes: tuple[AxisRef, ...] = ()
    open: bool = False
    priority: int | None = None

    @classmethod
    def of(cls, spec: object) -> DimSharding:
        """From a DimSharding, an axis name, a sequence of axes, or None (replicated, closed)."""
        if isinstance(spec, DimSharding):
            return spec
        if spec is None:
            return cls()
        if isinstance(spec, (str, AxisRef)):
            return cls((AxisRef.of(spec),))
        if isinstance(spec, Iterable):
            return cls(tuple(AxisRef.of(s) for s in spec))
        raise ShardingError(
            f"{spec!r} does not say how a dimension is sharded",
            hint="give an axis name, several of them, None or a DimSharding",
        )

    def __repr__(self) -> str:
        parts = [repr(a) for a in self.axes] + (["?"] if self.open else [])
        return "{" + ", ".join(parts) + "}" + ("" if self.priority is None else f"p{self.priority}")


@dataclass(frozen=True, slots=True)
class Sharding:
    """How one tensor lies on a mesh: one DimSharding a dimension, plus replicated axes.

    `Sharding(mesh, "x", None, DimSharding(("y",), open=True), replicated=("z",))`.
    """

    mesh: Mesh
    dims: tuple[DimSharding, ...]
    replicated: tuple[AxisRef, ...] = ()
    unreduced: tuple[AxisRef, ...] = field(default=())

    def __init__(
        self,
        mesh: Mesh,
        *dims: object,
        replicated: Iterable[str | AxisRef] = (),
        unreduced: Iterable[str | AxisRef] = (),
    ) -> None:
        object.__setattr__(self, "mesh", mesh)
        object.__setattr__(self, "dims", tuple(DimSharding.of(d) for d in dims))
        object.__setattr__(self, "replicated", tuple(AxisRef.of(a) for a in replicated))
        object.__setattr__(self, "unreduced", tuple(AxisRef.of(a) for a in unreduced))
        self._check_axes()

    def _axes(self) -> Iterator[AxisRef]:
        for dim in self.dims:
            yield from dim.axes
        yield from self.replicated
        yield from self.unreduced

    def _check_axes(self) -> None:
        taken: list[tuple[str, int, int]] = []
        for axis in self._axes():
            full = self.mesh.axis_size(axis.name)
            pre, size = axis.sub or (1, full)
            if axis.sub is not None and (pre < 1 or size < 2 or full % (pre * size) != 0):
                raise ShardingError(
                    f"{axis} is not a part of axis {axis.name!r} of size {full}",
                    hint="the pre-size times the size must divide the axis, and the size be > 1",
                )
            for name, low, high in taken:
                if name == axis.name and pre < high and low < pre * size:
                    raise ShardingError(f"axis {axis} is used twice in one sharding")
            taken.append((axis.name, pre, pre * size))

    def check(self, type: Type, what: str = "a value") -> None:
        """Raise ShardingError unless this sharding has the rank of `type`."""
        rank = type.rank if isinstance(type, TensorType) else 0
        if rank != len(self.dims):
            raise ShardingError(
                f"a sharding of rank {len(self.dims)} is given for {what} of type {type}",
                hint="give one entry for each dimension",
            )

    def __repr__(self) -> str:
        text = ", ".join(map(repr, self.dims))
        extra = "".join(
            f", {label}={{{', '.join(map(repr, axes))}}}"
            for label, axes in (("replicated", self.replicated), ("unreduced", self.unreduced))
            if axes
        )
        return f"<@{self.mesh.name}, [{text}]{extra}>"
