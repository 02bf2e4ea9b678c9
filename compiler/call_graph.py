"""Who calls whom: orders of functions, recursion, and what is reached; all by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field


@dataclass(slots=True)
class Order:
    """Functions in an order in which callees come before their callers.

    `recursive` are those in a cycle, which stand together; `cycle` is one way around one, the first
    name again at its end, empty where nothing is recursive.
    """

    names: list[str] = field(default_factory=list)
    recursive: set[str] = field(default_factory=set)
    cycle: list[str] = field(default_factory=list)


def order(edges: Mapping[str, Iterable[str]]) -> Order:
    """The order of all functions that have edges, given what each calls; others do not count."""
    found = Order()
    entered: dict[str, int] = {}
    lowest: dict[str, int] = {}  # of what is reached of the cycles that are not closed
    unclosed: dict[str, None] = {}
    path: list[tuple[str, Iterator[str]]] = []

    def enter(name: str) -> None:
        entered[name] = lowest[name] = len(entered)
        unclosed[name] = None
        path.append((name, iter(edges[name])))

    def leave(name: str) -> None:
        path.pop()
        if path:
            caller = path[-1][0]
            lowest[caller] = min(lowest[caller], lowest[name])
        if lowest[name] == entered[name]:
            members: list[str] = []
            while name in unclosed:
                members.append(unclosed.popitem()[0])
            found.names += members
            if len(members) > 1:
                found.recursive.update(members)

    for root in edges:
        if root not in entered:
            enter(root)
        while path:
            name, rest = path[-1]
            callee = next((c for c in rest if c in edges), None)
            if callee is None:
                leave(name)
            elif callee not in entered:
                enter(callee)
            elif callee in unclosed:
                lowest[name] = min(lowest[name], entered[callee])
                if callee == name:
                    found.recursive.add(name)
                if not found.cycle:
                    names = [n for n, _ in path]
                    found.cycle = [*names[names.index(callee) :], callee]
    return found


def reached(edges: Callable[[str], Iterable[str]], roots: Iterable[str]) -> list[str]:
    """The roots and all that is reached from them, each before what only it leads to."""
    found: dict[str, None] = {}
    pending = list(roots)[::-1]
    while pending:
        name = pending.pop()
        if name not in found:
            found[name] = None
            pending += list(edges(name))[::-1]
    return list(found)
