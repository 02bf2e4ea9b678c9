"""Partition specs: how a tensor is to lie on a mesh that is named elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dxir.errors import ShardingError
from dxir.graph import Function, Region, Value, current_region
from dxir.locations import caller_location, place_error
from dxir.sharding import (
    OPEN,
    REDUCTIONS,
    AxisRef,
    DimSharding,
    Mesh,
    Sharding,
    entered_mesh,
)


@dataclass(frozen=True, slots=True)
class P:
    """How a tensor lies on a mesh, without the mesh: `P("x", None, ("y", "z"))`.

    One entry a dimension: an axis, several of them (major first), an AxisRef for a part of an axis,
    None (not split), or a DimSharding. `P.OPEN` is a dimension that propagation may split, and
    `("x", P.OPEN)` one that it may split further. Dimensions beyond the entries are not split.
    It stands wherever a Sharding does; the mesh is that of `Builder(mesh=...)` or `with mesh:`.
    """

    dims: tuple[DimSharding, ...]
    replicated: tuple[AxisRef, ...] = ()
    unreduced: tuple[AxisRef, ...] = ()
    reduction: str = "SUM"

    OPEN: ClassVar[DimSharding] = OPEN

    def __init__(
        self,
        *dims: object,
        replicated: Iterable[str | AxisRef] = (),
        unreduced: Iterable[str | AxisRef] = (),
        reduction: str = "SUM",
    ) -> None:
        try:
            object.__setattr__(self, "dims", tuple([DimSharding.of(d) for d in dims]))
            object.__setattr__(self, "replicated", _axes(replicated))
            object.__setattr__(self, "unreduced", _axes(unreduced))
            object.__setattr__(self, "reduction", reduction)
            self._check()
        except ShardingError as error:
            place_error(error)
            raise

    def _check(self) -> None:
        if self.reduction not in REDUCTIONS:
            raise ShardingError(
                f"reduction is {self.reduction!r}",
                hint=f"it must be one of {', '.join(REDUCTIONS)}",
            )
        whole: set[str] = set()
        taken: set[str] = set()
        for axis in (*[a for d in self.dims for a in d.axes], *self.replicated, *self.unreduced):
            if axis.name in whole or (axis.sub is None and axis.name in taken):
                raise ShardingError(
                    f"axis {axis} is used twice in {self!r}",
                    hint="an axis splits one dimension, or is replicated, or unreduced",
                )
            taken.add(axis.name)
            if axis.sub is None:
                whole.add(axis.name)

    def on(self, mesh: Mesh, rank: int | None = None) -> Sharding:
        """The sharding on a mesh, of a tensor of this rank where that is given."""
        if rank is not None and len(self.dims) > rank and not mesh.is_single_device:
            raise ShardingError(
                f"{self!r} has {len(self.dims)} entries for a tensor of rank {rank}",
                where=caller_location(),
                hint="give one entry for each dimension, or fewer",
            )
        missing = 0 if rank is None or mesh.is_single_device else rank - len(self.dims)
        return Sharding(
            mesh,
            *self.dims,
            *[None] * missing,
            replicated=self.replicated,
            unreduced=self.unreduced,
            reduction=self.reduction,
        )

    def __repr__(self) -> str:
        parts = [_dim_text(d) for d in self.dims]
        for label, axes in (("replicated", self.replicated), ("unreduced", self.unreduced)):
            if axes:
                parts.append(f"{label}={_axes_text(axes)}")
        if self.reduction != "SUM":
            parts.append(f"reduction={self.reduction!r}")
        return f"P({', '.join(parts)})"


def _axes(given: Any) -> tuple[AxisRef, ...]:
    given = (given,) if isinstance(given, (str, AxisRef)) else given
    if not isinstance(given, Iterable):
        raise ShardingError(f"{given!r} are not axes", hint="give their names, or AxisRefs")
    return tuple([AxisRef.of(a) for a in given])


def _axis_text(axis: AxisRef) -> str:
    return repr(axis.name) if axis.sub is None else f"AxisRef({axis.name!r}, {axis.sub})"


def _axes_text(axes: Sequence[AxisRef], *more: str) -> str:
    parts = [*map(_axis_text, axes), *more]
    return f"({', '.join(parts)}{',' * (len(parts) == 1)})"


def _dim_text(dim: DimSharding) -> str:
    if dim.priority is not None:
        axes = _axes_text(dim.axes)
        return f"DimSharding({axes}{', open=True' * dim.open}, priority={dim.priority})"
    if dim.open:
        return _axes_text(dim.axes, "P.OPEN") if dim.axes else "P.OPEN"
    if not dim.axes:
        return "None"
    return _axis_text(dim.axes[0]) if len(dim.axes) == 1 else _axes_text(dim.axes)


def mesh_around(region: Region | None = None, values: Iterable[Value] = ()) -> Mesh | None:
    """The mesh of partition specs here: that of the function being built, or of `with mesh:`.

    Raises ShardingError where both are known, and differ.
    """
    region = region or current_region() or next((v.region for v in values if v.region), None)
    while region is not None and region.parent is not None:
        region = region.parent
    own = region.mesh if isinstance(region, Function) else None
    entered = entered_mesh()
    if own is not None and entered is not None and own != entered:
        raise ShardingError(
            f"a partition spec stands in a function on mesh {own.name!r} and within `with` of mesh "
            f"{entered.name!r}",
            where=caller_location(),
            hint="say which one: mesh.sharding(...) instead of P(...)",
        )
    return own or entered


def resolved(
    given: object,
    *,
    rank: int | None = None,
    region: Region | None = None,
    values: Iterable[Value] = (),
) -> Any:
    """The sharding that a partition spec is here; anything else as it is.

    Raises ShardingError where no mesh is known.
    """
    if not isinstance(given, P):
        return given
    mesh = mesh_around(region, values)
    if mesh is None:
        raise ShardingError(
            f"{given!r} needs a mesh, and none is known here",
            where=caller_location(),
            hint='give one: Builder("main", mesh=mesh), or `with mesh:` around this; '
            "mesh.sharding(...) names it in place",
        )
    return given.on(mesh, rank)


def rank_of(value: Any) -> int:
    """The number of dimensions of a value, 0 where it is no tensor."""
    return len(getattr(value.type, "shape", ()))
