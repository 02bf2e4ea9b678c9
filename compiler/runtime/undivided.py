"""Shardings of parameters and results that do not divide them, which Shardy drops in silence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dxir.diagnostics import where_of
from dxir.errors import ShardingWarning
from dxir.locations import warn_at_caller
from dxir.mlir import IrLocation, ir
from dxir.passes.partitioning.given import given_shardings
from dxir.sharding import DimSharding


@dataclass(frozen=True, slots=True)
class UndividedSharding:
    """A sharding of a module that does not divide a dimension of `size` into its `parts`.

    `what` names the value, and `where` is the place of the op or function that says so.
    """

    what: str
    dimension: int
    size: int
    sharding: DimSharding
    parts: int
    where: str | None
    is_dropped: bool  # by Shardy, as of parameters and results; within functions XLA pads
    location: IrLocation

    def __str__(self) -> str:
        said = (
            f"dimension {self.dimension} ({self.size}) of {self.what} is not divisible by "
            f"{self.parts}, the size of {self.sharding}"
        )
        return said + (": Shardy drops axes there" if self.is_dropped else ": its parts are padded")


def undivided_shardings(module: ir.Module) -> list[UndividedSharding]:
    """The shardings of a module that do not divide the values they are for, in its order."""
    return list(_undivided(module))


def _undivided(module: ir.Module) -> Iterator[UndividedSharding]:
    for key, given in given_shardings(module, mark=False).items():
        mesh = given.sharding.mesh
        if mesh.is_single_device:
            continue
        for i, (size, dim) in enumerate(zip(given.shape, given.sharding.dims, strict=False)):
            parts = dim.size(mesh)
            if size is not None and size % parts:
                where, dropped = where_of(given.location), key.kind in ("parameter", "result")
                yield UndividedSharding(
                    given.what, i, size, dim, parts, where, dropped, given.location
                )


def tell_undivided(module: ir.Module) -> None:
    """Warn of parameters and results that are not divided as their shardings say."""
    for found in undivided_shardings(module):
        if found.is_dropped:
            place = f"{found.where}: " if found.where else ""
            warn_at_caller(f"{place}{found}; pad it, or choose another axis", ShardingWarning)
