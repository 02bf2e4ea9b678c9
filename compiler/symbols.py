"""Which functions and meshes belong to a module."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

from dxir.attributes import MeshAxesGroups
from dxir.errors import GraphError, OperandError, ShardingError, ShardingWarning
from dxir.graph import Function, Module, Region, Value
from dxir.locations import caller_location, warn_at_caller
from dxir.sharding import Mesh, Sharding
from dxir.wording import shown


def entry_of(module: Module) -> Function:
    """The function a module is run by: `main`, or else the only public one.

    Raises GraphError when there is no such function.
    """
    public = [f for f in module.functions if f.public]
    for function in module.functions:
        if function.name == "main" or public == [function]:
            return function
    names = ", ".join(f.name for f in module.functions) or "none at all"
    raise GraphError(
        "the module has no function `main` and not exactly one public function",
        hint=f"its functions are {names}; give one of them: module['name']",
    )


def owner_of(value: Value) -> str:
    """Which function a value belongs to, as the end of a sentence; empty if that is not known."""
    region = value.region
    while region is not None and region.parent is not None:
        region = region.parent
    if not isinstance(region, Function):
        return ""
    return f": {region.name}" + (f" ({region.location})" if region.location else "")


def called_functions(function: Function) -> list[Function]:
    """The functions that the nodes of `function` refer to: callees and decompositions."""
    found: list[Function] = []
    pending: list[Region] = [function]
    while pending:
        for node in pending.pop().nodes:
            if node.attrs:
                for value in node.attrs.values():
                    if value.__class__ is Function:
                        found.append(value)
                    elif value.__class__ is tuple and not _is_numbers(value):
                        found += [v for v in value if v.__class__ is Function]
            if node.regions:
                pending += node.regions
    return found


def collect_functions(roots: Iterable[Function]) -> tuple[Function, ...]:
    """`roots` and every function they call, callers first.

    Raises GraphError when two of them share a name, and when one calls itself, directly or not.
    """
    order: dict[int, Function] = {}
    names: dict[str, Function] = {}
    if isinstance(roots, Function) or not isinstance(roots, Iterable):
        _refuse_root(roots)
    for root in roots:
        if not isinstance(root, Function):
            _refuse_root(root)
        _collect(root, order, names)
    return tuple(order.values())


_HINTS = {
    "Builder": "finish it first: b.build(result) gives the function",
    "Program": "it is lowered already; program.raise_() gives its graph",
    "Function": "give a list of functions: dxir.Module([f])",
}


def _refuse_root(given: Any) -> NoReturn:
    kind = type(given).__name__
    said = shown(given) if shown(given) == f"a {kind}" else f"{kind} ({shown(given)})"
    raise OperandError(
        f"a module is made of functions of the graph, not of {said}",
        where=caller_location(),
        hint="a Python function is lowered by dxir.function(f).lower(...)"
        if callable(given)
        else _HINTS.get(kind, "give the functions that Builder.build or dxir.build_function made"),
    )


def _collect(root: Function, order: dict[int, Function], names: dict[str, Function]) -> None:
    path: list[tuple[Function, Iterator[Function]]] = []
    on_path: dict[int, Function] = {}

    def enter(function: Function) -> None:
        other = names.setdefault(function.name, function)
        if other is not function:
            raise GraphError(
                f"two functions of the module are called {function.name!r}",
                where=function.location,
                hint="give each function its own name",
            )
        order.setdefault(id(function), function)
        path.append((function, iter(called_functions(function))))
        on_path[id(function)] = function

    if id(root) not in order:
        enter(root)
    while path:
        callee = next(path[-1][1], None)
        if callee is None:
            path.pop()
            on_path.popitem()
        elif id(callee) in on_path:
            cycle = " -> ".join(f.name for f in [*on_path.values(), callee])
            raise GraphError(
                f"a function calls itself: {cycle}",
                where=callee.location,
                hint="StableHLO has no recursion; use dxir.ops.while_loop or dxir.ops.scan",
            )
        elif id(callee) not in order:
            enter(callee)


_MAY_NAME_MESHES = (Sharding, MeshAxesGroups, tuple)


def _shardings_of(function: Function) -> Iterator[Sharding | MeshAxesGroups]:
    yield from _shardings_in((*function.param_shardings, *function.result_shardings))
    pending: list[Region] = [function]
    while pending:
        for node in pending.pop().nodes:
            if node.sharding is not None:
                yield from _shardings_in(node.sharding)
            if node.attrs:
                for value in node.attrs.values():
                    if value.__class__ in _MAY_NAME_MESHES and not _is_numbers(value):
                        yield from _shardings_in(value)
            if node.regions:
                pending += node.regions


def _is_numbers(value: Any) -> bool:
    """Whether a value is a tuple of numbers, as most attributes that are tuples are."""
    return value.__class__ is tuple and (not value or value[0].__class__ is int)


def _shardings_in(value: Any) -> Iterator[Sharding | MeshAxesGroups]:
    if isinstance(value, (Sharding, MeshAxesGroups)):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _shardings_in(item)


def collect_meshes(functions: Iterable[Function], declared: Iterable[Mesh]) -> tuple[Mesh, ...]:
    """The declared meshes and those that shardings use, each name once."""
    found: dict[str, Mesh] = {}
    used = [s.mesh for function in functions for s in _shardings_of(function)]
    for mesh in (*declared, *used):
        if not mesh.name:
            continue  # written inline, wherever it is used
        other = found.setdefault(mesh.name, mesh)
        if other != mesh:
            raise ShardingError(
                f"two different meshes are called {mesh.name!r}: {other.axes} and {mesh.axes}",
                where=caller_location(),
                hint="give each mesh its own name",
            )
    _tell_sizes(used)
    return tuple(found.values())


def _tell_sizes(used: Iterable[Mesh]) -> None:
    """Warn of meshes that cannot be those of one program."""
    sizes = {mesh.size: mesh for mesh in used if mesh.axes}
    if len(sizes) > 1:
        listed = " and ".join(f"{n} ({mesh.name!r})" for n, mesh in sorted(sizes.items()))
        warn_at_caller(
            f"the meshes of one program have different numbers of devices: {listed}; take one "
            "mesh, or parts of its axes",
            ShardingWarning,
        )
