"""Which ops of a block are drawn as one: those of a named scope, of a repeat, or a stretch.

Every group is a stretch of the block in order, so that no value goes out of a group and back into
it: with groups closed, a picture is as free of cycles as with all of them open.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from dxir.view.records import Node

_MANY = 120
_STRETCH = 100
_SMALLEST_PERIOD = 4
_SEED = 4
_PERIODS_TRIED = 12
_TELLING = frozenset({"contraction", "reduction", "call", "control", "collective"})


@dataclass(slots=True)
class Group:
    """Nodes and groups that are drawn as one."""

    title: str
    items: list[int | Group] = field(default_factory=list["int | Group"])
    kind: str = "scope"


Item = int | Group


def members_of(group: Group) -> list[int]:
    """The nodes in a group, and in the groups in it, in order."""
    found: list[int] = []
    waiting: list[Item] = [group]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Group):
            waiting += reversed(item.items)
        else:
            found.append(item)
    return found


def paths_of(items: Sequence[Item]) -> dict[int, tuple[Group, ...]]:
    """Of each node the groups around it, from the outermost on."""
    found: dict[int, tuple[Group, ...]] = {}
    waiting: list[tuple[Sequence[Item], tuple[Group, ...]]] = [(items, ())]
    while waiting:
        part, path = waiting.pop()
        for item in part:
            if isinstance(item, Group):
                waiting.append((item.items, (*path, item)))
            else:
                found[item] = path
    return found


def grouped(nodes: Sequence[Node], members: Sequence[int]) -> list[Item]:
    """The nodes of a block, those that belong together in groups."""
    paths = _paths([nodes[m] for m in members])
    named = [p for p in paths if p]
    shared = functools.reduce(_common, named) if named else ()  # tells nothing: all are in it
    return _divided(nodes, _by_scope(members, paths, 0, len(members), len(shared)))


def _paths(members: Sequence[Node]) -> list[tuple[str, ...]]:
    """The scope of each node; one without a name is where both of its neighbours are."""
    found = [_scope(n) for n in members]
    before: list[tuple[str, ...] | None] = []
    last: tuple[str, ...] | None = None
    for path in found:
        before.append(last)
        last = last if path is None else path
    after: tuple[str, ...] | None = None
    filled: list[tuple[str, ...]] = [()] * len(found)
    for i in reversed(range(len(found))):
        path = found[i]
        if path is not None:
            after = filled[i] = path
        else:
            filled[i] = _common(before[i] or (), after or ())
    return filled


def _scope(node: Node) -> tuple[str, ...] | None:
    """`jit(f)/layer/attn/dot_general` is in the scope of the first three."""
    if node.kind != "op" or node.category == "end":
        return ()
    if "/" not in node.scope:
        return None
    return tuple(node.scope.split("/")[:-1])


def _common(a: tuple[str, ...], b: tuple[str, ...]) -> tuple[str, ...]:
    count = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        count += 1
    return a[:count]


def _by_scope(
    members: Sequence[int], paths: Sequence[tuple[str, ...]], start: int, stop: int, depth: int
) -> list[Item]:
    items: list[Item] = []
    at = start
    while at < stop:
        if len(paths[at]) <= depth:
            items.append(members[at])
            at += 1
            continue
        end = at
        while end < stop and len(paths[end]) > depth and paths[end][depth] == paths[at][depth]:
            end += 1
        deep = depth + 1
        names = [paths[at][depth]]
        while all(len(p) > deep and p[deep] == paths[at][deep] for p in paths[at:end]):
            names.append(paths[at][deep])
            deep += 1
        if end - at == 1:
            items.append(members[at])
        else:
            items.append(Group("/".join(names), _by_scope(members, paths, at, end, deep)))
        at = end
    return items


def _divided(nodes: Sequence[Node], items: list[Item]) -> list[Item]:
    """The items, with groups made where there are too many to be drawn beside each other."""
    for item in items:
        if isinstance(item, Group):
            item.items = _divided(nodes, item.items)
    if len(items) <= _MANY:
        return items
    items = _repeats(nodes, items)
    return _stretches(nodes, items) if len(items) > _MANY else items


def _repeats(nodes: Sequence[Node], items: list[Item]) -> list[Item]:
    """The items, with a stretch that comes again and again made a group each time."""
    words: dict[object, int] = {}
    text = [words.setdefault(_word(nodes, item), len(words)) for item in items]
    best = (0, 0, 0)  # how much it covers, where it starts, its period
    for period in _periods(text):
        run = 0
        for i in range(len(text) - period + 1):
            if i + period < len(text) and text[i] == text[i + period]:
                run += 1
                continue
            times = run // period + 1
            if times >= 3 and times * period > best[0]:
                best = (times * period, i - run, period)
            run = 0
    covered, start, period = best
    if covered < len(items) // 3:
        return items
    times = covered // period
    made: list[Item] = [
        Group(
            f"repeat {i + 1} of {times}",
            _divided(nodes, items[start + i * period : start + (i + 1) * period]),
            "repeat",
        )
        for i in range(times)
    ]
    return [*items[:start], *made, *items[start + covered :]]


def _word(nodes: Sequence[Node], item: Item) -> object:
    if isinstance(item, Group):
        return ("group", len(item.items))
    node = nodes[item]
    return (node.name, tuple([r.type for r in node.results]))


def _periods(text: Sequence[int]) -> list[int]:
    """How far apart equal beginnings are, the most frequent distances first."""
    last: dict[tuple[int, ...], int] = {}
    apart: Counter[int] = Counter()
    for i in range(len(text) - _SEED + 1):
        seed = tuple(text[i : i + _SEED])
        if seed in last:
            apart[i - last[seed]] += 1
        last[seed] = i
    found = [d for d, _ in apart.most_common(_PERIODS_TRIED) if d >= _SMALLEST_PERIOD]
    return sorted(found)


def _stretches(nodes: Sequence[Node], items: list[Item]) -> list[Item]:
    """The items in stretches of up to a hundred, these in stretches again, until there are few."""
    first = 1
    spans: list[tuple[int, int]] = []
    for item in items:
        size = len(members_of(item)) if isinstance(item, Group) else 1
        spans.append((first, first + size - 1))
        first += size
    while len(items) > _MANY:
        made: list[Item] = []
        wider: list[tuple[int, int]] = []
        size = -(-len(items) // -(-len(items) // _STRETCH))  # no group is much smaller than others
        for start in range(0, len(items), size):
            group = Group("", items[start : start + size], "stretch")
            span = (spans[start][0], spans[min(start + size, len(items)) - 1][1])
            group.title = f"ops {span[0]}-{span[1]}{_told(nodes, group)}"
            made.append(group)
            wider.append(span)
        items, spans = made, wider
    return items


def _told(nodes: Sequence[Node], group: Group) -> str:
    """What of a stretch is worth a word: the most frequent ops that do more than move elements."""
    counts = Counter([nodes[m].label for m in members_of(group) if nodes[m].category in _TELLING])
    told = [f"{n} {label}" if n > 1 else label for label, n in counts.most_common(2)]
    return f": {', '.join(told)}" if told else ""
