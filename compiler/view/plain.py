"""A view as plain values, for programs that draw or search on their own."""

from __future__ import annotations

from typing import Any

from dxir.view.outline import placed
from dxir.view.records import View

SCHEMA = 1
"""The version of what `plain` gives; a number is added when something changes."""


def plain(view: View) -> dict[str, Any]:
    """The view as JSON has it: a list of nodes, each with the node it is in."""
    nodes: list[dict[str, Any]] = []
    for number, node, path, label in placed(view):
        operands = [{"node": n, "result": r} if n >= 0 else None for n, r in node.operands]
        nodes.append(
            {
                "id": number,
                "kind": node.kind,
                "op": node.name if node.kind in ("op", "function") else None,
                "label": node.label,
                "category": node.category,
                "parent": path[-1] if path else None,
                "region": label or None,
                "operands": operands if node.kind == "op" else [],
                "results": [
                    {"name": r.name, "type": r.type, "sharding": r.sharding or None}
                    for r in node.results
                ],
                "attributes": dict(node.attributes),
                "where": node.where or None,
                "scope": node.scope or None,
                "calls": node.calls or None,
                "ops": node.ops,
                "flops": node.flops,
                "bytes": node.moved,
            }
        )
    return {
        "schema": SCHEMA,
        "name": view.name,
        "entry": view.entry,
        "op_counts": view.op_counts(),
        "notes": view.notes,
        "nodes": nodes,
    }
