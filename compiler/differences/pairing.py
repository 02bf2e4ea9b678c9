"""Which functions and meshes of two programs belong together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from dxir.mlir import IrOperation
from dxir.reading import attribute, walk

Pairs = list[tuple[str, str]]

MOST_LIKENED = 200
"""The most functions on each side that are compared with all of the other."""

_ALIKE = 0.6


def paired(a: Mapping[str, bytes], b: Mapping[str, bytes]) -> Pairs:
    """Pairs of names: of what is equal, first under one name, then in order; then of one name."""
    pairs: Pairs = [(name, name) for name, digest in a.items() if b.get(name) == digest]
    left = {name for name, _ in pairs}
    right = set(left)
    others: dict[bytes, list[str]] = {}
    for name, digest in b.items():
        if name not in right:
            others.setdefault(digest, []).append(name)
    for name, digest in a.items():
        if name not in left and others.get(digest):
            pairs.append((name, others[digest].pop(0)))
    left, right = {x for x, _ in pairs}, {y for _, y in pairs}
    pairs += [(name, name) for name in a if name in b and name not in left and name not in right]
    return pairs


def likened(a: Mapping[str, IrOperation], b: Mapping[str, IrOperation], pairs: Pairs) -> Pairs:
    """Pairs of functions that are left over, and have most of their ops in common."""
    left, right = {x for x, _ in pairs}, {y for _, y in pairs}
    firsts = {name: _shape(op) for name, op in a.items() if name not in left}
    seconds = {name: _shape(op) for name, op in b.items() if name not in right}
    if not firsts or not seconds or max(len(firsts), len(seconds)) > MOST_LIKENED:
        return []
    scores = sorted(
        (-score, i, j, x, y)
        for i, (x, first) in enumerate(firsts.items())
        for j, (y, second) in enumerate(seconds.items())
        if (score := _likeness(first, second)) >= _ALIKE
    )
    found: Pairs = []
    for _, _, _, x, y in scores:
        if x in firsts and y in seconds:
            found.append((x, y))
            del firsts[x], seconds[y]
    return found


def _shape(function: IrOperation) -> Counter[str]:
    """How many ops of each name a function has, and its type."""
    found: Counter[str] = Counter()

    def visit(op: IrOperation) -> None:
        found[op.name] += 1

    walk(function, visit)
    found[str(attribute(function, "function_type"))] += 1
    return found


def _likeness(a: Counter[str], b: Counter[str]) -> float:
    """The share of what both have in the larger one."""
    return (a & b).total() / max(a.total(), b.total(), 1)
