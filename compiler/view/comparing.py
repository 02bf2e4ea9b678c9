"""Two views beside each other: which op of one is which of the other, and which is in one only."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from dxir.differences.aligning import align, neighbourhoods
from dxir.differences.pairing import Pairs, likened, paired
from dxir.fingerprint import function_digests
from dxir.program import Program
from dxir.reading import function_name, functions
from dxir.view.building import view_of
from dxir.view.outline import placed
from dxir.view.records import Node, View

_ROUNDS = 3  # of alignments: what crosses the pairs of one is found by the next


def compared(a: Program, b: Program, *, names: tuple[str, str] = ("", "")) -> tuple[View, View]:
    """Both programs as views, whose nodes say what is only in one, or is another in the other.

    Functions belong together as `dxir.differences` pairs them, ops where they compute the same,
    then where they are alike and stand in one order.
    """
    first = view_of(a, name=names[0], digests=True)
    second = view_of(b, name=names[1], digests=True)
    by_name = [{function_name(f): f for f in functions(p.module)} for p in (a, b)]
    equal = paired(function_digests(a.module, by_name[0]), function_digests(b.module, by_name[1]))
    _Pair(first, second, equal + likened(by_name[0], by_name[1], equal)).run()
    return first, second


def count_changes(a: View, b: View) -> list[tuple[str, int, int]]:
    """The ops of which there are more or fewer, those that changed most first."""
    before, after = a.op_counts(), b.op_counts()
    both = [(name, before.get(name, 0), after.get(name, 0)) for name in {**before, **after}]
    return sorted([c for c in both if c[1] != c[2]], key=lambda c: (-abs(c[2] - c[1]), c[0]))


class _Pair:
    def __init__(self, a: View, b: View, pairs: Pairs) -> None:
        self.a = a
        self.b = b
        self.pairs = pairs
        self.ops_a = _ops(a)
        self.ops_b = _ops(b)

    def run(self) -> None:
        """Find the twins, surest first, then say what has none."""
        pairs = [*self.pairs, ("", "")]
        parts = [(self.ops_a.get(x, []), self.ops_b.get(y, [])) for x, y in pairs]
        self._functions()
        for ops_a, ops_b in parts:
            self._equal(ops_a, ops_b)
        for ops_a, ops_b in parts:
            self._aligned(ops_a, ops_b)
        everything = [
            [n for part in ops.values() for n in part] for ops in (self.ops_a, self.ops_b)
        ]
        self._equal(*everything)  # what moved to another function
        for view, ops in zip((self.a, self.b), everything, strict=True):
            for number in ops:
                if not view.nodes[number].mark:
                    view.nodes[number].mark = "only"
            _tell_around(view)

    def _functions(self) -> None:
        """Functions that belong together, and their parameters in order."""
        for view in (self.a, self.b):
            for number in view.functions.values():
                view.nodes[number].mark = "only"
        parameters = _parameters(self.a), _parameters(self.b)
        for x, y in self.pairs:
            pair = self.a.functions[x], self.b.functions[y]
            self._join(*pair)
            for mine, other in zip(
                parameters[0].get(pair[0], ()), parameters[1].get(pair[1], ()), strict=False
            ):
                self.a.nodes[mine].twin, self.b.nodes[other].twin = other, mine

    def _join(self, a: int, b: int) -> None:
        x, y = self.a.nodes[a], self.b.nodes[b]
        x.twin, y.twin = b, a
        x.mark = y.mark = "same" if x.attributes == y.attributes else "changed"

    def _equal(self, ops_a: Sequence[int], ops_b: Sequence[int]) -> None:
        """Join what computes the same, where that is as often on both sides."""
        left, right = self._left(self.a, ops_a), self._left(self.b, ops_b)
        by_digest: dict[bytes, tuple[list[int], list[int]]] = {}
        for at, (view, ops) in enumerate(((self.a, left), (self.b, right))):
            for number in ops:
                digest = view.nodes[number].digest
                if digest:
                    by_digest.setdefault(digest, ([], []))[at].append(number)
        for first, second in by_digest.values():
            if len(first) == len(second):
                for pair in zip(first, second, strict=True):
                    self._join(*pair)

    def _aligned(self, ops_a: Sequence[int], ops_b: Sequence[int]) -> None:
        """Join what is left in order: what computes the same, then what is alike."""
        for _ in range(_ROUNDS):
            left, right = self._left(self.a, ops_a), self._left(self.b, ops_b)
            if not left or not right:
                return
            for i, j in align(_levels(self.a, left), _levels(self.b, right)):
                self._join(left[i], right[j])

    @staticmethod
    def _left(view: View, ops: Sequence[int]) -> list[int]:
        return [n for n in ops if not view.nodes[n].mark]


def _levels(view: View, ops: Sequence[int]) -> list[list[Hashable]]:
    """What tells ops apart, the finest first: all they are made of, their own, their kind."""
    nodes = [view.nodes[n] for n in ops]
    deep: list[Hashable] = [n.digest or number for number, n in zip(ops, nodes, strict=True)]
    own = [_alike(n) for n in nodes]
    kind = [_related(n) for n in nodes]
    return [deep, neighbourhoods(own), own, neighbourhoods(kind), kind]


def _alike(node: Node) -> Hashable:
    return (node.name, tuple(node.attributes), tuple([r.type for r in node.results]))


def _related(node: Node) -> Hashable:
    return (node.name, tuple([r.type for r in node.results]))


def _parameters(view: View) -> dict[int, list[int]]:
    """The parameters of each function in order, wherever groups have taken them."""
    found: dict[int, list[int]] = {}
    for number, node, path, _ in placed(view):
        if node.kind == "argument" and node.name == "parameter":
            function = next(n for n in path if view.nodes[n].kind == "function")
            found.setdefault(function, []).append(number)
    return {function: sorted(numbers) for function, numbers in found.items()}


def _ops(view: View) -> dict[str, list[int]]:
    """The ops of each function, in order; those outside of functions under an empty name."""
    found: dict[str, list[int]] = {}
    for number, node, path, _ in placed(view):
        if node.kind == "op":
            inside = (view.nodes[n].label[1:] for n in path if view.nodes[n].kind == "function")
            found.setdefault(next(inside, ""), []).append(number)
    return {name: sorted(numbers) for name, numbers in found.items()}


def _tell_around(view: View) -> None:
    """Tell what is around an op that is not the same on the other side."""
    for _, node, path, _ in placed(view):
        if node.kind == "op" and node.mark in ("only", "changed"):
            for number in path:
                view.nodes[number].changes += 1
