"""The ops as functions: `dxir.ops.softmax(x)`.

Names are looked up in the registry on first use, so this module needs no list of them; its stub
file (`ops.pyi`) is generated from the registry for type checkers and editors.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from dxir.misuse import suggestion
from dxir.naming import KEYWORDS, function_name
from dxir.op import FUNCTIONS, REGISTRY


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


def registered(name: str) -> str:
    """The registry name of an op by its name in Python: `and` by `and_`, `a.cap` by `a_cap`."""
    if name.endswith("_") and name[:-1] in KEYWORDS:
        return name[:-1]
    return next((n for n in names() if "." in n and function_name(n) == name), name)


def __getattr__(name: str) -> Callable[..., Any]:
    if name.startswith("__"):
        raise AttributeError(name)
    found = lookup(registered(name))
    if found is None:
        hint = suggestion(name, __dir__())
        raise AttributeError(f"dxir has no op {name!r}" + (f"; {hint}" if hint else ""))
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [function_name(n) for n in names()]
