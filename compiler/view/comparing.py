"""Two views beside each other: which op of one is which of the other, and which is in one only."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Sequence
from difflib import SequenceMatcher

from dxir.program import Program
from dxir.view.building import view_of
from dxir.view.outline import placed
from dxir.view.records import Node, View

_MOST_ALIGNED = 3000  # of two longer sequences the alignment would take minutes


def compared(a: Program, b: Program, *, names: tuple[str, str] = ("", "")) -> tuple[View, View]:
    """Both programs as views, whose nodes say what is only in one, or is another in the other.

    Ops are the same where they compute the same of the same; then those that are alike, and stand
    in the same order between what is the same.
    """
    pair = _Pair(view_of(a, name=names[0], digests=True), view_of(b, name=names[1], digests=True))
    pair.run()
    return pair.a, pair.b


def count_changes(a: View, b: View) -> list[tuple[str, int, int]]:
    """The ops of which there are more or fewer, those that changed most first."""
    before, after = a.op_counts(), b.op_counts()
    both = [(name, before.get(name, 0), after.get(name, 0)) for name in {**before, **after}]
    return sorted([c for c in both if c[1] != c[2]], key=lambda c: (-abs(c[2] - c[1]), c[0]))


class _Pair:
    def __init__(self, a: View, b: View) -> None:
        self.a = a
        self.b = b
        self.ops_a = _ops(a)
        self.ops_b = _ops(b)

    def run(self) -> None:
        """Find the twins, surest first, then say what has none."""
        shared = [name for name in self.ops_a if name in self.ops_b]
        self._functions()
        for name in shared:
            self._by_digest(self.ops_a[name], self.ops_b[name])
        everything = [[n for part in ops.values() for n in part] for ops in self._both()]
        self._by_digest(*everything)
        for name in shared:
            self._aligned(self.ops_a[name], self.ops_b[name], _alike)
            self._aligned(self.ops_a[name], self.ops_b[name], _related)
        for view, ops in ((self.a, self.ops_a), (self.b, self.ops_b)):
            for number in (n for part in ops.values() for n in part):
                if not view.nodes[number].mark:
                    view.nodes[number].mark = "only"
            _tell_around(view)

    def _both(self) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
        return self.ops_a, self.ops_b

    def _functions(self) -> None:
        """Functions of one name, and their arguments in order."""
        for view, other in ((self.a, self.b), (self.b, self.a)):
            for name, number in view.functions.items():
                node, twin = view.nodes[number], other.functions.get(name)
                node.twin = twin
                if twin is None:
                    node.mark = "only"
                    continue
                both = (_arguments(view, number), _arguments(other, twin))
                for mine, others in zip(*both, strict=False):
                    view.nodes[mine].twin = others

    def _join(self, a: int, b: int) -> None:
        x, y = self.a.nodes[a], self.b.nodes[b]
        x.twin, y.twin = b, a
        x.mark = y.mark = "same" if x.attributes == y.attributes else "changed"

    def _by_digest(self, ops_a: Sequence[int], ops_b: Sequence[int]) -> None:
        waiting: defaultdict[bytes, deque[int]] = defaultdict(deque)
        for number in ops_b:
            node = self.b.nodes[number]
            if node.digest and not node.mark:
                waiting[node.digest].append(number)
        for number in ops_a:
            node = self.a.nodes[number]
            if waiting.get(node.digest) and not node.mark:
                self._join(number, waiting[node.digest].popleft())

    def _aligned(
        self, ops_a: Sequence[int], ops_b: Sequence[int], key: Callable[[Node], Hashable]
    ) -> None:
        """Join what is left and has one key, between the same twins, in the longest order."""
        parts_a = self._between(self.a, ops_a, lambda n: self.a.nodes[n].twin)
        parts_b = self._between(self.b, ops_b, lambda n: n)
        for twin, part in parts_a.items():
            others = parts_b.get(twin, ())
            keys_a = [key(self.a.nodes[n]) for n in part]
            keys_b = [key(self.b.nodes[n]) for n in others]
            if not others or len(part) > _MOST_ALIGNED or len(others) > _MOST_ALIGNED:
                continue
            for i, j, size in SequenceMatcher(None, keys_a, keys_b, False).get_matching_blocks():
                for k in range(size):
                    self._join(part[i + k], others[j + k])

    @staticmethod
    def _between(
        view: View, ops: Sequence[int], name: Callable[[int], int | None]
    ) -> dict[int | None, list[int]]:
        """The ops without a twin, by the op of the second view that they come after."""
        found: dict[int | None, list[int]] = {}
        last: int | None = None
        for number in ops:
            if view.nodes[number].mark:
                last = name(number)
            else:
                found.setdefault(last, []).append(number)
        return found


def _alike(node: Node) -> Hashable:
    return (node.name, tuple(node.attributes), tuple([r.type for r in node.results]))


def _related(node: Node) -> Hashable:
    return (node.name, tuple([r.type for r in node.results]))


def _arguments(view: View, function: int) -> list[int]:
    """The parameters of a function, in order, wherever groups have taken them."""
    found = [
        number
        for number, node, path, _ in placed(view)
        if node.kind == "argument" and node.name == "parameter" and path[:2].count(function)
    ]
    return sorted(found)


def _ops(view: View) -> dict[str, list[int]]:
    """The ops of each function, in order; those outside of functions under an empty name."""
    found: dict[str, list[int]] = {}
    for number, node, path, _ in placed(view):
        if node.kind == "op":
            inside = (view.nodes[n].label for n in path if view.nodes[n].kind == "function")
            found.setdefault(next(inside, ""), []).append(number)
    return {name: sorted(numbers) for name, numbers in found.items()}


def _tell_around(view: View) -> None:
    """Tell what is around an op that is not the same on the other side."""
    for _, node, path, _ in placed(view):
        if node.kind == "op" and node.mark in ("only", "changed"):
            for number in path:
                view.nodes[number].changes += 1
