"""A view as a collection of graphs for Model Explorer (`ai-edge-model-explorer`)."""

from __future__ import annotations

from typing import Any

from dxir.view.outline import Path, placed
from dxir.view.records import Node, View


def model_explorer(*views: View) -> dict[str, Any]:
    """The view as plain values of Model Explorer's JSON: a graph for each function.

    Groups and regions are namespaces, in which Model Explorer folds ops; an op with regions has
    them in the namespace of its name. The graphs of several views are named after their views.
    """
    found: list[dict[str, Any]] = []
    for view in views:
        prefix = f"{view.name}: " if len(views) > 1 else ""
        found += _graphs(view, prefix)
    return {"label": " and ".join([v.name or "program" for v in views]), "graphs": found}


def _graphs(view: View, prefix: str) -> list[dict[str, Any]]:
    graphs: dict[int, list[dict[str, Any]]] = {}
    labels = _Labels(view)
    for number, node, path, label in placed(view):
        function = next((n for n in path if view.nodes[n].kind == "function"), None)
        if function is None or node.kind == "group":
            continue
        inner = path[path.index(function) + 1 :]
        made = _node(view, number, node, labels.of(inner, label))
        if node.calls in view.functions:
            made["subgraphIds"] = [prefix + node.calls]
        graphs.setdefault(function, []).append(made)
    return [
        {"id": prefix + view.nodes[function].label.removeprefix("@"), "nodes": nodes}
        for function, nodes in sorted(graphs.items(), key=lambda item: item[0] != view.entry)
    ]


class _Labels:
    """The names of namespaces: what is around a node, with no two of one name."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.names: dict[tuple[str, str], int] = {}
        self.known: dict[tuple[str, int], str] = {}

    def of(self, path: Path, label: str) -> str:
        space = ""
        for i, number in enumerate(path):
            node = self.view.nodes[number]
            name = self.known.get((space, number))
            if name is None:
                title = node.label.replace("/", "|").replace(";", ",") or node.name
                count = self.names[space, title] = self.names.get((space, title), 0) + 1
                name = title if count == 1 else f"{title} ({count})"
                self.known[space, number] = name
            space = f"{space}/{name}" if space else name
            if label and i == len(path) - 1:
                space = f"{space}/{label}"
        return space


def _node(view: View, number: int, node: Node, namespace: str) -> dict[str, Any]:
    given = [("op", node.name), *node.attributes]
    given += [("place", node.where), ("scope", node.scope), ("location", node.location)]
    if node.flops is not None:
        given.append(("flops", f"{node.flops:g}"))
    if node.moved is not None:
        given.append(("bytes", f"{node.moved:g}"))
    if node.calls:
        given.append(("calls", f"@{node.calls}"))
    return {
        "id": str(number),
        "label": node.label,
        "namespace": namespace,
        "incomingEdges": [
            {
                "sourceNodeId": str(source),
                "sourceNodeOutputId": str(result),
                "targetNodeInputId": str(i),
            }
            for i, (source, result) in enumerate(node.operands)
            if source >= 0
        ],
        "attrs": [{"key": key, "value": value} for key, value in given if value],
        "inputsMetadata": [
            {"id": str(i), "attrs": [{"key": "tensor_name", "value": view.result(value).name}]}
            for i, value in enumerate(node.operands)
            if value[0] >= 0
        ],
        "outputsMetadata": [
            {
                "id": str(i),
                "attrs": [
                    {"key": key, "value": text}
                    for key, text in (
                        ("tensor_name", each.name),
                        ("tensor_shape", each.type),
                        ("sharding", each.sharding),
                    )
                    if text
                ],
            }
            for i, each in enumerate(node.results)
        ],
    }
