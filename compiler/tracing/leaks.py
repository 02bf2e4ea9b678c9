"""Traced arrays that are used after the function was traced that they belong to."""

from __future__ import annotations

from dxir.errors import TracingError
from dxir.graph import Function, Region, Value
from dxir.locations import Location, caller_location


def is_over(region: Region | None) -> bool:
    """Whether nothing is traced into a region any more, or into one around it."""
    while region is not None:
        if region.sealed:
            return True
        region = region.parent
    return False


def leak(value: Value, where: Location | None = None) -> TracingError:
    """The error for an array that is used when its function is traced already."""
    region, inside = value.region, ""
    while region is not None and region.parent is not None:
        region, inside = region.parent, "a body or callee inside "
    owner = "a traced function"
    if isinstance(region, Function):
        at = f" ({region.location})" if region.location else ""
        owner = f"{inside}the function {region.name!r}{at}"
    made = f", made at {value.location}," if value.location else ""
    return TracingError(
        f"an array of {owner}{made} is used after that was traced: {value.type} without numbers",
        where=where or caller_location(),
        hint="return it from the function; what a traced function puts elsewhere (a global, an "
        "attribute, a list) stands for no numbers",
    )
