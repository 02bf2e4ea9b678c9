"""Private functions that are made on the way: equal ones are one, and others have other names."""

from __future__ import annotations

import weakref

from dxir.equality import same_structure
from dxir.graph import Function

_alive: dict[str, list[weakref.ref[Function]]] = {}


def shared(function: Function) -> Function:
    """A function of the same structure that was given here before, if it is in use; or this one.

    This one gets another name when its own is that of another function given here.
    """
    base = function.name
    known = [f for f in (ref() for ref in _alive.get(base, ())) if f is not None]
    for other in known:
        if same_structure(other, function):
            return other
    taken = {f.name for f in known}
    number = 0
    while function.name in taken:
        number += 1
        function.name = f"{base}.{number}"
    _alive[base] = [weakref.ref(f) for f in (*known, function)]
    return function
