"""The page: a view, or two beside each other, in one file that opens from disk."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from dxir.program import Program
from dxir.view.building import view_of
from dxir.view.comparing import compared, count_changes
from dxir.view.embedding import GENERATOR, document
from dxir.view.kinds import CATEGORIES
from dxir.view.records import Node, View

_FOLDER = Path(__file__).parent
_STYLE = "page.css"
_BODY = "page.html"
_SCRIPTS = ("layout.js", "graph.js", "drawing.js", "panel.js", "search.js", "page.js")


def page(program: Program, other: Program | None = None, *, names: Sequence[str] = ()) -> str:
    """A program as a page in HTML, which opens without a network; or two, side by side.

    `names` are what the page calls them.
    """
    name, second = (*names, "", "")[:2]
    if other is None:
        return page_of(view_of(program, name=name))
    return page_of(*compared(program, other, names=(name or "before", second or "after")))


def page_of(view: View, other: View | None = None) -> str:
    """A view as a page in HTML; with another, the two side by side."""
    views = [view] if other is None else [view, other]
    names = [v.name or "the program" for v in views]
    data: dict[str, Any] = {
        "sides": [_Plain(v).data() for v in views],
        "categories": list(CATEGORIES),
        "counts": [] if other is None else count_changes(view, other),
    }
    title = " and ".join(names)
    body = _read(_BODY).replace("{{title}}", escape(title))
    script = "\n".join(["'use strict';", *[_read(name) for name in _SCRIPTS]])
    return document(
        title=title, style=_read(_STYLE), body=body, data=data, script=script, head=GENERATOR
    )


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


class _Plain:
    """A view as plain values: each text is there once, and what is empty is left out."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.strings: dict[str, int] = {"": 0}

    def data(self) -> dict[str, Any]:
        view = self.view
        nodes = [self._node(n) for n in view.nodes]
        bodies: list[list[list[int]]] = []
        for body in view.bodies:
            edges: list[int] = []
            for edge in body.edges:
                edges += (edge.source, edge.target, *edge.value, edge.operand)
            bodies.append([body.nodes, edges])
        return {
            "name": view.name,
            "notes": view.notes,
            "root": view.root,
            "entry": view.entry,
            "ops": view.op_counts(),
            "nodes": nodes,
            "bodies": bodies,
            "strings": list(self.strings),
        }

    def _text(self, text: str) -> int:
        return self.strings.setdefault(text, len(self.strings))

    def _node(self, node: Node) -> dict[str, Any]:
        results: list[int] = []
        for each in node.results:
            results += (self._text(each.name), self._text(each.type), self._text(each.sharding))
        attributes = [self._text(text) for pair in node.attributes for text in pair]
        found: dict[str, Any] = {
            "k": node.kind,
            "n": self._text(node.name),
            "c": CATEGORIES.index(node.category),
            "l": self._text(node.label),
            "o": [number for value in node.operands for number in value],
            "r": results,
            "a": attributes,
            "w": self._text(node.where),
            "s": self._text(node.scope),
            "p": self._text(node.location),
            "i": [n for each in node.inside for n in (self._text(each.label), each.body)],
            "f": _number(node.flops),
            "y": _number(node.moved),
            "x": node.ops,
            "m": node.mark,
            "t": node.twin,
            "d": node.changes,
        }
        kept = {k: v for k, v in found.items() if v not in (0, "", None, [])}
        for key in ("f", "y", "t"):  # here nothing and zero are not the same
            if found[key] is not None:
                kept[key] = found[key]
        return kept


def _number(value: float | None) -> float | None:
    """A number as JSON has it; one that is no number is not known."""
    if value is None or value - value != 0:
        return None
    return int(value) if value == int(value) else value
