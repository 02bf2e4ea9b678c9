"""The mesh axes that code written for one device may speak over: those of the body it stands in."""

from __future__ import annotations

import functools
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from dxir.errors import ShardingError
from dxir.locations import caller_location
from dxir.sharding import AxisRef, Mesh, check_axes


@dataclass(frozen=True, slots=True)
class ManualAxes:
    """What is known in the body of a `manual_computation`: its mesh, and which axes are manual."""

    mesh: Mesh
    names: tuple[str, ...]

    def over(self, given: object, what: str) -> tuple[AxisRef, ...]:
        """Axes, or parts of them, that `what` is to work over; ShardingError for any other."""
        listed = (given,) if isinstance(given, (str, AxisRef)) else given
        if not isinstance(listed, Iterable):
            raise self._wrong(f"{what}: {given!r} are no axes", "give names of axes")
        axes = tuple([AxisRef.of(a) for a in listed])
        known = [name for name, _ in self.mesh.axes]
        for axis in axes:
            if axis.name not in known:
                raise self._wrong(
                    f"{what}: mesh {self.mesh.name!r} has no axis {axis.name!r}",
                    f"its axes are {', '.join(known) or 'none'}",
                )
            if axis.name not in self.names:
                raise self._wrong(
                    f"{what}: axis {axis.name!r} is left to propagation in this "
                    "manual_computation, whose manual axes are "
                    f"{', '.join(self.names) or 'none'}",
                    f"put {axis.name!r} into its manual_axes",
                )
        check_axes(self.mesh, axes, f"the axes of {what}")
        return axes

    @staticmethod
    def _wrong(message: str, hint: str) -> ShardingError:
        return ShardingError(message, where=caller_location(), hint=hint)


_around: ContextVar[ManualAxes | None] = ContextVar("dxir_manual_axes", default=None)


def manual_around(what: str) -> ManualAxes:
    """The surroundings of the code being traced; ShardingError outside a `manual_computation`."""
    found = _around.get()
    if found is None:
        raise ShardingError(
            f"{what} names axes of a mesh, and stands outside the body of a manual_computation",
            where=caller_location(),
            hint="call it in the function given to dxir.ops.manual_computation; elsewhere the ops "
            "of the same name take replica_groups",
        )
    return found


@contextmanager
def within(mesh: Mesh | None, names: tuple[str, ...]) -> Generator[None]:
    """Make these axes known to what is traced inside; within a body in a body, those of both."""
    if mesh is None:
        yield
        return
    outer = _around.get()
    more = outer.names if outer is not None and outer.mesh == mesh else ()
    kept = tuple([name for name in more if name not in names])
    reset = _around.set(ManualAxes(mesh, (*kept, *names)))
    try:
        yield
    finally:
        _around.reset(reset)


def surrounded(body: Callable[..., Any], mesh: Mesh, names: tuple[str, ...]) -> Callable[..., Any]:
    """The body, traced with these axes known."""

    @functools.wraps(body)
    def traced(*values: Any) -> Any:
        with within(mesh, names):
            return body(*values)

    return traced
