"""A view as other tools take graphs: each op once, in the boxes around it, and what feeds it."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.view.records import Node, View

Path = tuple[int, ...]
"""The nodes around a node, from the outermost on."""


def placed(view: View) -> Iterator[tuple[int, Node, Path, str]]:
    """Every op, function, argument and group with what is around it; outer before inner.

    A function that is called is where it is defined, and not in its calls. The text says which of
    the bodies of the innermost node it is in, where that has several.
    """
    waiting: list[tuple[int, Path, str]] = [(view.root, (), "")]
    while waiting:
        body, path, label = waiting.pop()
        inner: list[tuple[int, Path, str]] = []
        for number in view.bodies[body].nodes:
            node = view.nodes[number]
            if node.kind in ("outer", "out"):
                continue
            yield number, node, path, label
            if node.calls:
                continue
            several = len(node.inside) > 1
            inner += [(i.body, (*path, number), i.label if several else "") for i in node.inside]
        waiting += reversed(inner)
