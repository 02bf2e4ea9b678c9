"""The page of `dxir.ops`: each op as a function, with what the registry knows of it."""

import inspect
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from docstrings import as_restructured
from sphinx.application import Sphinx

from dxir import ops
from dxir.derivative_coverage import Row, derivative_table
from dxir.generate import becomes
from dxir.op import FUNCTIONS, REGISTRY
from dxir.signatures import signature

PAGE = "api/ops"


def add_ops(_app: Sphinx, page: str, source: list[str]) -> None:
    """Put the ops behind the text of their page, by the file that declares them."""
    if page != PAGE:
        return
    families: dict[str, list[str]] = defaultdict(list)
    for name in ops.names():
        thing = REGISTRY.get(name) or FUNCTIONS[name]
        families[thing.__module__.rpartition(".")[2]].append(name)
    for family, names in sorted(families.items()):
        found = "\n".join(line for name in names for line in _directive(name))
        source[0] += f"\n## {family.replace('_', ' ')}\n\n```{{eval-rst}}\n{found}\n```\n"


def _directive(name: str) -> Iterator[str]:
    """An op in reStructuredText, as autodoc would have it from functions that have types."""
    shown = " ".join(signature(name).split()).replace("( ", "(").replace(", )", ")")
    yield f".. py:function:: dxir.ops.{shown}"
    yield ""
    text = inspect.getdoc(REGISTRY.get(name) or FUNCTIONS[name]) or ""
    for line in (*as_restructured(text.splitlines()), "", *_facts(name), ""):
        yield f"   {line}"


def _facts(name: str) -> Iterator[str]:
    """What an op becomes, and whether it has a derivative and a batched form."""
    cls = REGISTRY.get(name)
    if cls is None:
        return
    row = _table()[cls.op]
    yield f":becomes: {becomes(cls)}"
    yield f":derivative: reverse mode: {row.vjp}; forward mode: {row.jvp}"
    yield f":batching: {row.batch}"
    yield f":tolerance: {cls.tolerance:g} units in the last place"


@cache
def _table() -> dict[str, Row]:
    return {row.op: row for row in derivative_table()}


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect it to Sphinx."""
    app.connect("source-read", add_ops)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
