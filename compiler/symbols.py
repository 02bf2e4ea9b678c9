"""Which functions and meshes belong to a module."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from dxir.errors import GraphError, ShardingError
from dxir.graph import Function, Node, walk
from dxir.sharding import Mesh, Sharding


def called_functions(node: Node) -> list[Function]:
    """The functions a node refers to: callees and decompositions."""
    return [v for v in node.attrs.values() if isinstance(v, Function)]


def collect_functions(roots: Iterable[Function]) -> tuple[Function, ...]:
    """`roots` and every function they call, callers first.

    Raises GraphError when two of them share a name, and when one calls itself, directly or not.
    """
    order: dict[int, Function] = {}
    names: dict[str, Function] = {}
    for root in roots:
        _collect(root, order, names)
    return tuple(order.values())


def _collect(root: Function, order: dict[int, Function], names: dict[str, Function]) -> None:
    path: list[tuple[Function, Iterator[Function]]] = []
    on_path: list[Function] = []

    def enter(function: Function) -> None:
        other = names.setdefault(function.name, function)
        if other is not function:
            raise GraphError(
                f"two functions of the module are called {function.name!r}",
                where=function.location,
                hint="give each function its own name",
            )
        order.setdefault(id(function), function)
        callees = (f for node in walk(function) for f in called_functions(node))
        path.append((function, callees))
        on_path.append(function)

    if id(root) not in order:
        enter(root)
    while path:
        callee = next(path[-1][1], None)
        if callee is None:
            path.pop()
            on_path.pop()
        elif any(callee is f for f in on_path):
            cycle = " -> ".join(f.name for f in [*on_path, callee])
            raise GraphError(
                f"a function calls itself: {cycle}",
                where=callee.location,
                hint="StableHLO has no recursion; use dxir.ops.while_loop or dxir.ops.scan",
            )
        elif id(callee) not in order:
            enter(callee)


def _shardings_of(function: Function) -> Iterator[Sharding]:
    for given in (*function.param_shardings, *function.result_shardings):
        if given is not None:
            yield given
    for node in walk(function):
        for sharding in node.sharding or ():
            if sharding is not None:
                yield sharding
        for value in node.attrs.values():
            yield from _shardings_in(value)


def _shardings_in(value: Any) -> Iterator[Sharding]:
    if isinstance(value, Sharding):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _shardings_in(item)


def collect_meshes(functions: Iterable[Function], declared: Iterable[Mesh]) -> tuple[Mesh, ...]:
    """The declared meshes and those that shardings use, each name once."""
    found: dict[str, Mesh] = {}
    used = (s.mesh for function in functions for s in _shardings_of(function))
    for mesh in (*declared, *used):
        other = found.setdefault(mesh.name, mesh)
        if other != mesh:
            raise ShardingError(
                f"two different meshes are called {mesh.name!r}: {other.axes} and {mesh.axes}",
                hint="give each mesh its own name",
            )
    return tuple(found.values())
