"""The pages of modules whose functions are listed by looking at the modules."""

import importlib
import inspect
from collections.abc import Iterator

from sphinx.application import Sphinx

MODULES = {
    "api/nn": ("dxir.nn", "dxir.nn.initializers", "dxir.nn.schedules"),
    "api/numpy": ("dxir.numpy",),
    "api/random": ("dxir.random",),
    "api/tree": ("dxir.tree",),
}


def add_members(_app: Sphinx, page: str, source: list[str]) -> None:
    """Put the classes and functions of its modules behind the text of a page."""
    for module in MODULES.get(page, ()):
        if module != MODULES[page][0]:
            source[0] += f"\n## {module}\n"
        source[0] += "\n```{eval-rst}\n" + "\n".join(_directives(module)) + "\n```\n"


def _directives(module: str) -> Iterator[str]:
    for name, thing in sorted(vars(importlib.import_module(module)).items()):
        home = str(getattr(thing, "__module__", ""))
        if name.startswith("_"):
            continue
        if inspect.isclass(thing) and home.startswith(f"{module}."):
            yield from (f".. autoclass:: {module}.{name}", "   :members:")
        elif inspect.isroutine(thing) and home.startswith("dxir."):
            yield f".. autofunction:: {module}.{name}"


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect it to Sphinx."""
    app.connect("source-read", add_members)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
