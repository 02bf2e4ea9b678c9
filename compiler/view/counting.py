"""What is in nodes: how many ops, and what they cost together."""

from __future__ import annotations

from dxir.view.records import Node, View

_Total = tuple[int, float | None, float | None]
_NOTHING: _Total = (0, None, None)


def count(view: View) -> None:
    """Tell each node how many ops are in it; groups and functions what these cost together.

    What an op costs itself, loops and calls included, is known already, or is not known.
    """
    totals: dict[int, _Total] = {}
    waiting: list[tuple[int, bool]] = [(view.root, False)]
    entered: set[int] = set()
    while waiting:
        number, is_ready = waiting.pop()
        nodes = [view.nodes[n] for n in view.bodies[number].nodes]
        if is_ready:
            totals[number] = _sum([_total(node, totals) for node in nodes])
        elif number not in entered:  # a function that calls itself counts once
            entered.add(number)
            waiting.append((number, True))
            waiting += [(each.body, False) for node in nodes for each in node.inside]


def _total(node: Node, totals: dict[int, _Total]) -> _Total:
    ops, flops, moved = _sum([totals.get(each.body, _NOTHING) for each in node.inside])
    node.ops = ops
    if node.kind in ("group", "function"):
        node.flops, node.moved = flops, moved
    return ops + (node.kind == "op"), node.flops, node.moved


def _sum(totals: list[_Total]) -> _Total:
    flops = [f for _, f, _ in totals if f is not None]
    moved = [b for _, _, b in totals if b is not None]
    return (
        sum([n for n, _, _ in totals]),
        sum(flops) if flops else None,
        sum(moved) if moved else None,
    )
