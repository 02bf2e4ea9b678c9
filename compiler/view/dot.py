"""A view for Graphviz: functions, groups and regions are clusters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dxir.view.outline import Path, placed
from dxir.view.records import Node, View

_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")
_LABEL = 60
_FILLS = {
    "contraction": "#cfe5f9", "elementwise": "#eceef0", "reduction": "#e2dafd",
    "movement": "#cdeaf0", "constant": "#ffffff", "control": "#fde5c8", "call": "#d8dff8",
    "collective": "#fad7e3", "argument": "#d3ecd8", "end": "#dee2e6", "group": "#f4f5f7",
    "function": "#f8f9ff",
}  # fmt: skip


def dot(view: View) -> str:
    """The view in the DOT language of Graphviz."""
    return "\n".join(_Dot(view).lines()) + "\n"


def _quoted(text: str) -> str:
    clean = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)
    # In quotes DOT knows \" and, in labels, \n, \l, \G and the like; HTML labels are not in quotes.
    clean = clean.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return '"' + clean.encode("utf-8", "replace").decode("utf-8") + '"'


class _Dot:
    def __init__(self, view: View) -> None:
        self.view = view

    def lines(self) -> Iterator[str]:
        yield f"digraph {_quoted(self.view.name or 'program')} {{"
        yield "  compound=true; newrank=true;"
        yield '  graph [fontname="Helvetica", fontsize=11];'
        yield '  node [fontname="Helvetica", fontsize=10, shape=box, style="rounded,filled"];'
        yield '  edge [color="#8a94a3", arrowsize=0.6];'
        yield from self._clusters()
        for target, node in enumerate(self.view.nodes):
            if node.kind == "op":
                for source, result in node.operands:
                    if source >= 0:
                        made = self.view.nodes[source].results[result]
                        yield f"  n{source} -> n{target} [tooltip={_quoted(made.type)}];"
        yield "}"

    def _clusters(self) -> Iterator[str]:
        """The nodes, each in the clusters that are around it."""
        inside: dict[tuple[Path, str], list[int]] = {}
        for number, _, path, label in placed(self.view):
            inside.setdefault((path, label), []).append(number)
        parts: dict[Path, list[str]] = {}
        for path, label in inside:
            parts.setdefault(path, []).append(label)
        waiting: list[str | tuple[Path, str]] = [((), "")]
        while waiting:
            step = waiting.pop()
            if isinstance(step, str):
                yield step
                continue
            path, label = step
            later: list[str | tuple[Path, str]] = []
            for number in inside.get(step, ()):
                node = self.view.nodes[number]
                within = (*path, number)
                if node.kind == "op" or within not in parts:
                    later.append(f"{_indent(path)}{self._node(number, node)}")
                for at, each in enumerate(parts.get(within, ())):
                    later += self._open(number, at, within, each)
            waiting += reversed(later)

    def _open(self, number: int, at: int, within: Path, label: str) -> list[str | tuple[Path, str]]:
        node = self.view.nodes[number]
        indent = _indent(within[:-1])
        title = node.label if not label else f"{node.label}: {label}"
        head = (
            f"{indent}subgraph cluster_{number}_{at} {{ label={_quoted(title[:_LABEL])}; "
            f'style="rounded,filled"; fillcolor="{_FILLS[node.category]}"; color="#8a94a3";'
        )
        return [head, (within, label), f"{indent}}}"]

    def _node(self, number: int, node: Node) -> str:
        first = node.results[0].type if node.results and node.kind != "function" else ""
        label = node.label[:_LABEL] + (f"\n{first[:_LABEL]}" if first else "")
        told = [node.name, node.where, *[f"{n} = {t}" for n, t in node.attributes]]
        tooltip = "\n".join([t for t in told if t])[:600]
        return (
            f"n{number} [label={_quoted(label)}, tooltip={_quoted(tooltip)}, "
            f'fillcolor="{_FILLS[node.category]}"];'
        )


def _indent(path: Path) -> str:
    return "  " * (len(path) + 1)
