"""Ops on arrays: nodes of the graph that is being traced, or computed at once."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from dxir import making
from dxir.graph import Region, Value, building, current_region
from dxir.tracing.arrays import Array
from dxir.tracing.eager import EagerRegion


def finish(node: Any) -> Any:
    """Make a node that has arrays among its operands; its results are arrays, too."""
    if current_region() is None and not any(_is_of_graph(v) for v in node.operands):
        with building(EagerRegion()):
            return _staged(node)
    return _staged(node)


def _is_of_graph(given: Any) -> bool:
    return isinstance(given, Value) or (isinstance(given, Array) and given.is_traced)


def _staged(node: Any) -> Any:
    node.operands = tuple([v.value() if isinstance(v, Array) else v for v in node.operands])
    node.regions = tuple([r if isinstance(r, Region) else on_arrays(r) for r in node.regions])
    found = making.finish(node)
    return tuple([Array(v) for v in found]) if isinstance(found, tuple) else Array(found)


def on_arrays(body: Any) -> Any:
    """A function of values that gives another one arrays, and takes them from it."""
    if not callable(body):
        return body

    @functools.wraps(body)
    def call(*values: Value) -> Any:
        found = body(*[Array(v) for v in values])
        return tuple([unwrapped(v) for v in making.several(found)])

    return call


def unwrapped(given: Any) -> Any:
    """The value of an array; anything else as it is."""
    return given.value() if isinstance(given, Array) else given


@functools.lru_cache(maxsize=1024)
def taking_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function on values that takes arrays, too, and gives arrays if it is given any.

    Arguments that are tuples or lists may hold arrays.
    """

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        given = _within([*args, *kwargs.values()])
        if not any(isinstance(a, Array) for a in given):
            return function(*args, **kwargs)
        eager = current_region() is None and not any(_is_of_graph(a) for a in given)
        with building(EagerRegion() if eager else current_region()):
            found = function(
                *[_values(a) for a in args], **{k: _values(a) for k, a in kwargs.items()}
            )
        return _arrays(found)

    return call


def _within(given: list[Any]) -> list[Any]:
    return [b for a in given for b in (a if isinstance(a, (tuple, list)) else (a,))]


def _values(given: Any) -> Any:
    if isinstance(given, (tuple, list)):
        return type(given)([unwrapped(v) for v in given])
    if isinstance(given, Array):
        return given.value()
    return given


def _arrays(found: Any) -> Any:
    if isinstance(found, (tuple, list)):
        return type(found)([_arrays(v) for v in found])
    return Array(found) if isinstance(found, Value) else found


making.set_array_handling(making.ArrayHandling(Array, finish, taking_arrays))
