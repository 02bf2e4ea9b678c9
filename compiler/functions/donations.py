"""Arguments whose memory a program may take over, by name."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any

from dxir.errors import TracingError
from dxir.functions.parameters import Parameters
from dxir.functions.traces import Traced
from dxir.locations import caller_location

Donated = str | int | Sequence[str | int]


def donated_names(given: Donated, parameters: Parameters) -> tuple[str, ...]:
    """The arguments that `donate=` names; TracingError for one that the function does not have."""
    several = isinstance(given, Iterable) and not isinstance(given, str)
    entries: Any = given if several else (given,)
    found: list[str] = []
    for entry in entries:
        name = entry if isinstance(entry, str) else _name_at(entry, parameters)
        parameters.check_names("donate=", [name.split("[")[0]])
        if name in parameters.static_names:
            raise TracingError(
                f"donate= names {name}, which is static and has no memory to give",
                where=caller_location(),
                hint="leave it out of donate=",
            )
        found.append(name)
    return tuple(found)


def _name_at(entry: Any, parameters: Parameters) -> str:
    count = len(parameters.positional)
    try:
        position = operator.index(entry)
    except TypeError:
        position = -1 - count
    position += count if position < 0 else 0
    if position < 0 or (position >= count and parameters.rest is None):
        raise TracingError(
            f"donate= names an argument by {entry!r}",
            where=caller_location(),
            hint=f'give names or positions: donate=("params",); {parameters.name} has '
            f"{', '.join(parameters.names) or 'no arguments'}",
        )
    return parameters.position_name(position)


def donated_positions(
    names: Sequence[str], parameters: Parameters, traced: Traced
) -> tuple[int, ...]:
    """The numbers of the parameters of a graph that are leaves of these arguments."""
    if not names:
        return ()
    found: list[int] = []
    for name, start, tree in parameters.argument_leaves(traced.in_tree):
        if name in names or name.split("[")[0] in names:
            found += range(start, start + tree.count)
    return tuple(found)
