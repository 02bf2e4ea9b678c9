"""Bodies of a picture: blocks with their groups, and where values go in each."""

from __future__ import annotations

from collections.abc import Sequence

from dxir.view.grouping import Group, Item, grouped, members_of, paths_of
from dxir.view.records import Body, Edge, Inside, Node, Source, View
from dxir.view.scan import Block, Scan

_FEW_PARAMETERS = 8
_MANY_PARAMETERS = 24


def laid(name: str, found: Scan) -> View:
    """The nodes of a module in bodies."""
    return _Laying(name, found).run()


class _Laying:
    def __init__(self, name: str, found: Scan) -> None:
        self.name = name
        self.found = found
        self.nodes = found.nodes
        self.bodies: list[Body] = []
        self.owners = {m: b.owner for b in found.blocks for m in b.nodes}
        self.taken: dict[int, dict[Source, None]] = {}  # what ops take within their regions
        self.users: dict[Source, list[int]] = {}  # within the block at hand

    def run(self) -> View:
        found = self.found
        numbers: dict[int, int] = {}
        for number in reversed(range(len(found.blocks))):  # those within an op come before it
            block = found.blocks[number]
            self._use(block)
            items = self._top(block) if block.owner is None else self._items(block)
            numbers[number] = self._body(items)
        for node in self.nodes:
            if node.kind in ("op", "function"):
                for each in node.inside:
                    each.body = numbers[each.body]
        public = [found.functions[n] for n in found.public]
        entry = found.functions.get("main", public[0] if public else None)
        return View(self.name, self.nodes, self.bodies, numbers[0], found.functions, entry)

    def _use(self, block: Block) -> None:
        """Learn who uses what in a block, and what the op around it takes by that."""
        self.users = {}
        own = set(block.nodes)
        outside: dict[Source, None] = {}
        for member in block.nodes:
            for value in self._needs(member):
                self.users.setdefault(value, []).append(member)
                if value[0] not in own and self.owners[value[0]] != block.owner:
                    outside[value] = None
        if block.owner is not None and outside:
            self.taken.setdefault(block.owner, {}).update(outside)

    def _needs(self, member: int) -> list[Source]:
        known = [v for v in self.nodes[member].operands if v[0] >= 0]
        return [*known, *self.taken.get(member, ())]

    def _top(self, block: Block) -> list[Item]:
        """The functions that can be called from outside, then the others as a group."""
        public = {self.found.functions[n] for n in self.found.public}
        private = [m for m in block.nodes if m not in public and self.nodes[m].kind == "function"]
        apart = set(private)
        items: list[Item] = [m for m in block.nodes if m not in apart]
        if private:
            count = f"{len(private)} private function{'s' if len(private) > 1 else ''}"
            items.append(Group(count, [*private], "private"))
        return items

    def _items(self, block: Block) -> list[Item]:
        given = [m for m in block.nodes if self.nodes[m].kind == "argument"]
        items: list[Item] = [*given, *grouped(self.nodes, block.nodes[len(given) :])]
        if any(isinstance(i, Group) for i in items):
            self._sink(block, items, len(given))
        shown = {i for i in items if not isinstance(i, Group)}
        left = [m for m in given if m in shown]
        if len(left) <= _MANY_PARAMETERS:
            return items
        what = "parameters" if self.nodes[left[0]].name == "parameter" else "arguments"
        shown.difference_update(left)
        rest = [i for i in items if isinstance(i, Group) or i in shown]
        return [Group(f"{len(left)} {what}", [*left], "arguments"), *rest]

    def _sink(self, block: Block, items: list[Item], given: int) -> None:
        """Move what is only used within one group, and needs nothing itself, into that group."""
        around = paths_of(items)
        moved: dict[int, tuple[Group, ...]] = {}
        for member in block.nodes:
            node = self.nodes[member]
            if node.kind == "argument":
                if given <= _FEW_PARAMETERS:
                    continue
            elif node.category != "constant" or node.operands or node.inside:
                continue
            users = [u for i in range(len(node.results)) for u in self.users.get((member, i), ())]
            path = _common([around[u] for u in users])
            if path and path != around[member]:
                moved[member] = path
        _take_out(items, moved)
        first: dict[int, tuple[Group, list[Item]]] = {}  # what goes to the front of each group
        for member, path in moved.items():
            first.setdefault(id(path[-1]), (path[-1], []))[1].append(member)
        for group, front in first.values():
            group.items[:0] = front

    def _body(self, items: Sequence[Item], leaving: Sequence[Source] = ()) -> int:
        """The body of some items; those in groups get theirs first."""
        body = Body([])
        place: dict[int, int] = {}  # of each node in here, its place in the body
        needs: list[list[tuple[Source, int]]] = []
        for item in items:
            if isinstance(item, Group):
                inner = members_of(item)
                number = self._group(item, inner)
                needs.append([(value, -1) for value in self.nodes[number].operands])
            else:
                inner = [item]
                number = item
                wanted = [(v, i) for i, v in enumerate(self.nodes[item].operands) if v[0] >= 0]
                needs.append(wanted + [(value, -1) for value in self.taken.get(item, ())])
            place.update((each, len(body.nodes)) for each in inner)
            body.nodes.append(number)
        pills: dict[Source, int] = {}
        for target, wanted in enumerate(needs):
            for value, operand in wanted:
                at = place.get(value[0])
                if at is None:
                    if value not in pills:
                        pills[value] = len(body.nodes)
                        body.nodes.append(self._pill("outer", value))
                    at = pills[value]
                if at != target:
                    body.edges.append(Edge(at, target, value, operand))
        for value in leaving:
            body.edges.append(Edge(place[value[0]], len(body.nodes), value, 0))
            body.nodes.append(self._pill("out", value))
        self.bodies.append(body)
        return len(self.bodies) - 1

    def _group(self, group: Group, inner: Sequence[int]) -> int:
        own = set(inner)
        taken = {v: None for m in inner for v in self._needs(m) if v[0] not in own}
        leaving = [
            (m, i)
            for m in inner
            for i in range(len(self.nodes[m].results))
            if self.nodes[m].kind != "function" and not own.issuperset(self.users.get((m, i), ()))
        ]
        body = self._body(group.items, leaving)
        results = [self.nodes[m].results[i] for m, i in leaving]
        node = Node("group", group.kind, "group", group.title, [*taken], results)
        node.inside.append(Inside("", body))
        self.nodes.append(node)
        return len(self.nodes) - 1

    def _pill(self, kind: str, value: Source) -> int:
        maker = self.nodes[value[0]]
        result = maker.results[value[1]]
        label = maker.label if maker.kind == "argument" else result.name
        shown: Node = Node("outer" if kind == "outer" else "out", kind, "argument", label, [value])
        shown.results.append(result)
        self.nodes.append(shown)
        return len(self.nodes) - 1


def _common(paths: Sequence[tuple[Group, ...]]) -> tuple[Group, ...]:
    """The groups that all paths share, from the outermost on."""
    if not paths:
        return ()
    found = paths[0]
    for path in paths[1:]:
        count = 0
        for a, b in zip(found, path, strict=False):
            if a is not b:
                break
            count += 1
        found = found[:count]
    return found


def _take_out(items: list[Item], moved: dict[int, tuple[Group, ...]]) -> None:
    waiting = [items]
    while waiting:
        part = waiting.pop()
        part[:] = [i for i in part if isinstance(i, Group) or i not in moved]
        waiting += [i.items for i in part if isinstance(i, Group)]
