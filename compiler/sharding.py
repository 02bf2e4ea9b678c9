"""Meshes of devices and the shardings of values over their axes, as Shardy has them."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import pairwise
from operator import index
from typing import Any

from dxir.errors import ShardingError, ShardingWarning
from dxir.locations import caller_location, place_error, warn_at_caller
from dxir.naming import checked_name
from dxir.types import TensorType, Type

REDUCTIONS = ("SUM", "MAX", "MIN")


class _Checking:
    """Tells errors as ShardingErrors at the user's line."""

    def __init__(self, what: str) -> None:
        self.what = what

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ShardingError):
            place_error(error)
        elif isinstance(error, (TypeError, ValueError, AttributeError)):
            raise ShardingError(f"{self.what}: {error}", where=caller_location()) from error


def _pairs(axes: Any) -> list[tuple[Any, Any]]:
    given = axes.items() if isinstance(axes, Mapping) else axes
    pairs = list(given) if isinstance(given, Iterable) else [given]
    if not all(isinstance(p, (tuple, list)) and len(p) == 2 for p in pairs):
        raise ShardingError(
            f"the axes of a mesh are names with sizes, not {axes!r}",
            hint='write them as dxir.Mesh("m", {"x": 2, "y": 4})',
        )
    return [(name, size) for name, size in pairs]


@dataclass(frozen=True, slots=True)
class Mesh:
    """A named grid of devices: axes with their sizes, in order.

    `device_ids` (a permutation of all ids) gives another order than row-major. A mesh without axes
    and with one device id stands for that single device. A mesh without a name is written inline
    wherever it is used, which other producers do. `with mesh:` makes it the mesh of the partition
    specs inside, in this thread.
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
        with _Checking("a mesh"):
            pairs = _pairs(axes)
            object.__setattr__(self, "name", name)
            object.__setattr__(self, "axes", tuple([(n, index(s)) for n, s in pairs]))
            object.__setattr__(self, "device_ids", tuple([index(i) for i in device_ids]))
            self._check()

    def _check(self) -> None:
        checked_name(self.name, "the name of a mesh", ShardingError)
        names = [checked_name(n, "the name of an axis", ShardingError) for n, _ in self.axes]
        for name, size in self.axes:
            if not 1 <= size < 1 << 63:
                raise ShardingError(f"axis {name!r} of mesh {self.name!r} has size {size}")
            if names.count(name) > 1:
                raise ShardingError(f"mesh {self.name!r} has two axes named {name!r}")
        ids = sorted(self.device_ids)
        if self.axes and ids and ids != list(range(self.size)):
            raise ShardingError(
                f"the device ids of mesh {self.name!r} are not a permutation of 0..{self.size - 1}"
            )
        if not self.axes and (len(ids) > 1 or any(i < 0 for i in ids)):
            raise ShardingError(
                f"mesh {self.name!r} has no axes, but device ids {ids}",
                hint="a mesh without axes stands for one device: give its id",
            )

    @property
    def is_single_device(self) -> bool:
        """Whether it stands for one device; a sharding on it places the whole tensor there."""
        return not self.axes and bool(self.device_ids)

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

    def sharding(
        self,
        *dims: object,
        replicated: Iterable[str | AxisRef] = (),
        unreduced: Iterable[str | AxisRef] = (),
        reduction: str = "SUM",
    ) -> Sharding:
        """A sharding on this mesh: `mesh.sharding("x", None)`, as Sharding takes the rest.

        Of a partition spec alone, that on this mesh.
        """
        on: Any = getattr(dims[0], "on", None) if len(dims) == 1 else None
        if on is not None:
            found: Sharding = on(self)
            return found
        return Sharding(
            self, *dims, replicated=replicated, unreduced=unreduced, reduction=reduction
        )

    def __enter__(self) -> Mesh:
        _entered.set((*_entered.get(), self))
        return self

    def __exit__(self, *_: object) -> None:
        _entered.set(_entered.get()[:-1])


_entered: ContextVar[tuple[Mesh, ...]] = ContextVar("dxir_meshes", default=())


def entered_mesh() -> Mesh | None:
    """The mesh of the innermost `with mesh:` that this code runs in."""
    meshes = _entered.get()
    return meshes[-1] if meshes else None


@contextmanager
def outside_meshes() -> Generator[None]:
    """Hide the meshes that are entered, from what must not depend on them."""
    reset = _entered.set(())
    try:
        yield
    finally:
        _entered.reset(reset)


@dataclass(frozen=True, slots=True)
class AxisRef:
    """An axis of a mesh, or the part `(pre_size, size)` of one: `"x":(2)4`."""

    name: str
    sub: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        with _Checking("an axis"):
            checked_name(self.name, "the name of an axis", ShardingError)
            if self.sub is not None:
                pre, size = self.sub
                object.__setattr__(self, "sub", (index(pre), index(size)))

    @classmethod
    def of(cls, spec: str | AxisRef) -> AxisRef:
        if isinstance(spec, (str, AxisRef)):
            return spec if isinstance(spec, AxisRef) else cls(spec)
        raise ShardingError(f"{spec!r} is not an axis", hint="give its name, or an AxisRef")

    def __repr__(self) -> str:
        return f'"{self.name}"' + ("" if self.sub is None else f":({self.sub[0]}){self.sub[1]}")

    def size(self, mesh: Mesh) -> int:
        return mesh.axis_size(self.name) if self.sub is None else self.sub[1]


def check_axes(mesh: Mesh, axes: Iterable[AxisRef], what: str) -> None:
    """Raise ShardingError unless the axes are the mesh's, and no two of them overlap."""
    taken: list[tuple[str, int, int]] = []
    for axis in axes:
        full = mesh.axis_size(axis.name)
        pre, size = axis.sub or (1, full)
        if axis.sub is not None and (pre < 1 or size < 2 or full % (pre * size) != 0):
            raise ShardingError(
                f"{axis} is not a part of axis {axis.name!r} of size {full}",
                hint="the pre-size times the size must divide the axis, and the size be > 1",
            )
        if axis.sub is not None and size == full:
            raise ShardingError(f"{axis} is all of axis {axis.name!r}", hint="give its name alone")
        for name, low, high in taken:
            if name == axis.name and pre < high and low < pre * size:
                raise ShardingError(f"axis {axis} is used twice in {what}")
        taken.append((axis.name, pre, pre * size))


def _check_unmerged(axes: tuple[AxisRef, ...]) -> None:
    for a, b in pairwise(axes):
        if a.name == b.name and a.sub and b.sub and a.sub[0] * a.sub[1] == b.sub[0]:
            raise ShardingError(
                f"{a} and {b} follow each other", hint="write them as one part of the axis"
            )


@dataclass(frozen=True, slots=True)
class DimSharding:
    """The axes one dimension is split over, major first.

    `open` lets propagation add axes; `priority` (0 first) orders propagation.
    """

    axes: tuple[AxisRef, ...] = ()
    open: bool = False
    priority: int | None = None

    def __post_init__(self) -> None:
        with _Checking("how a dimension is sharded"):
            self._check()

    def _check(self) -> None:
        given: Any = self.axes
        axes = (given,) if isinstance(given, (str, AxisRef)) else tuple(given)
        object.__setattr__(self, "axes", tuple([AxisRef.of(a) for a in axes]))
        if self.priority is None:
            return
        if not 0 <= index(self.priority) < 1 << 63 or not (self.axes or self.open):
            raise ShardingError(
                f"a dimension has priority {self.priority}",
                hint="a priority is not negative, and only for dimensions with axes or open ones",
            )

    @classmethod
    def of(cls, spec: object) -> DimSharding:
        """From a DimSharding, an axis name, a sequence of axes, or None (replicated, closed).

        An OPEN at the end of a sequence of axes leaves the dimension open.
        """
        if isinstance(spec, DimSharding):
            return spec
        if spec is None:
            return cls()
        if isinstance(spec, (str, AxisRef)):
            return cls((AxisRef.of(spec),))
        if isinstance(spec, Iterable):
            axes = list(spec)
            is_open = bool(axes) and axes[-1] == OPEN
            return cls(tuple([AxisRef.of(a) for a in axes[: len(axes) - is_open]]), open=is_open)
        raise ShardingError(
            f"{spec!r} does not say how a dimension is sharded",
            hint="give an axis name, several of them, None or a DimSharding"
            + (f"; {spec!r}.on(mesh) is a sharding" if hasattr(spec, "on") else ""),
        )

    def size(self, mesh: Mesh) -> int:
        """How many parts the dimension is split into."""
        count = 1
        for axis in self.axes:
            count *= axis.size(mesh)
        return count

    def __repr__(self) -> str:
        parts = [repr(a) for a in self.axes] + (["?"] if self.open else [])
        return "{" + ", ".join(parts) + "}" + ("" if self.priority is None else f"p{self.priority}")


OPEN = DimSharding(open=True)
"""A dimension that propagation may split as it likes."""


@dataclass(frozen=True, slots=True)
class Sharding:
    """How one tensor lies on a mesh: one DimSharding a dimension, plus replicated axes.

    `Sharding(mesh, "x", None, DimSharding(("y",), open=True), replicated=("z",))`. The devices
    along an `unreduced` axis hold terms whose `reduction` (SUM, MAX or MIN) is the tensor.
    """

    mesh: Mesh
    dims: tuple[DimSharding, ...]
    replicated: tuple[AxisRef, ...] = ()
    unreduced: tuple[AxisRef, ...] = ()
    reduction: str = "SUM"

    def __init__(
        self,
        mesh: Mesh,
        *dims: object,
        replicated: Iterable[str | AxisRef] = (),
        unreduced: Iterable[str | AxisRef] = (),
        reduction: str = "SUM",
    ) -> None:
        with _Checking("a sharding"):
            if not isinstance(mesh, Mesh):
                raise ShardingError(f"a sharding needs a mesh, not {mesh!r}")
            if reduction not in REDUCTIONS:
                raise ShardingError(
                    f"reduction is {reduction!r}", hint=f"it must be one of {', '.join(REDUCTIONS)}"
                )
            object.__setattr__(self, "mesh", mesh)
            object.__setattr__(self, "dims", tuple([DimSharding.of(d) for d in dims]))
            object.__setattr__(self, "replicated", _ordered(mesh, replicated))
            object.__setattr__(self, "unreduced", _ordered(mesh, unreduced))
            object.__setattr__(self, "reduction", reduction)
            check_axes(mesh, self._axes(), "one sharding")
            for axes in (*(d.axes for d in self.dims), self.replicated, self.unreduced):
                _check_unmerged(axes)

    def _axes(self) -> Iterator[AxisRef]:
        for dim in self.dims:
            yield from dim.axes
        yield from self.replicated
        yield from self.unreduced

    def check(self, type: Type, what: str = "a value") -> None:
        """Raise ShardingError unless this sharding has the rank of `type`.

        Warns, with the caller's line, of dimensions that the axes do not divide: of parameters and
        results Shardy drops the axes there without a word, and others are padded.
        """
        rank = type.rank if isinstance(type, TensorType) else 0
        wanted = 0 if self.mesh.is_single_device else rank
        if wanted != len(self.dims):
            raise ShardingError(
                f"a sharding of rank {len(self.dims)} is given for {what} of type {type}",
                where=caller_location(),
                hint="give one entry for each dimension"
                if wanted == rank
                else "a sharding on one device has no dimensions",
            )
        if isinstance(type, TensorType):
            for i, (dim, size) in enumerate(zip(self.dims, type.shape, strict=False)):
                parts = dim.size(self.mesh)
                if isinstance(size, int) and size % parts:
                    warn_at_caller(
                        f"dimension {i} ({size}) of {what} of type {type} is not divisible by "
                        f"{parts}, the size of {dim}: Shardy drops axes there, or pads; pad it "
                        "yourself, or choose another axis",
                        ShardingWarning,
                    )

    def __repr__(self) -> str:
        text = ", ".join(map(repr, self.dims))
        partial = "unreduced" if self.reduction == "SUM" else f"unreduced({self.reduction})"
        extra = "".join(
            f", {label}={{{', '.join(map(repr, axes))}}}"
            for label, axes in (("replicated", self.replicated), (partial, self.unreduced))
            if axes
        )
        return f"<@{self.mesh.name}, [{text}]{extra}>"


def _ordered(mesh: Mesh, axes: Iterable[str | AxisRef]) -> tuple[AxisRef, ...]:
    """The axes in the mesh's order, which Shardy asks for where order has no meaning."""
    names = [name for name, _ in mesh.axes]
    found = [AxisRef.of(a) for a in axes]
    for axis in found:
        mesh.axis_size(axis.name)
    return tuple(sorted(found, key=lambda a: (names.index(a.name), a.sub or (1, 0))))
