"""The ops as functions: `dxir.ops.softmax(x)`.

Names are looked up in the registry on first use, so this module needs no list of them; its stub
file (`ops.pyi`) is generated from the registry for type checkers and editors.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable
from typing import Any

from dxir.op import FUNCTIONS, REGISTRY

_KEYWORDS = ("and", "or", "not")


def names() -> list[str]:
    """The names of all registered ops and of the functions beside them."""
    importlib.import_module("dxir.dialects")
    return sorted({*REGISTRY, *FUNCTIONS})


def lookup(name: str) -> Callable[..., Any] | None:
    """The function of an op by its registry name (`and`, not `and_`), or None."""
    importlib.import_module("dxir.dialects")
    if name in REGISTRY:
        return REGISTRY[name].build
    return FUNCTIONS.get(name)


def __getattr__(name: str) -> Callable[..., Any]:
    if name.startswith("__"):
        raise AttributeError(name)
    plain = name[:-1] if name.endswith("_") and name[:-1] in _KEYWORDS else name
    found = lookup(plain)
    if found is None:
        near = difflib.get_close_matches(plain, names(), n=3)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise AttributeError(f"dxir has no op {name!r}{hint}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [f"{n}_" if n in _KEYWORDS else n for n in names()]
