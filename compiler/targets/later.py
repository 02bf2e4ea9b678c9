"""Functions of layers above, named now and imported when they are first called."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any


def later(module: str, name: str) -> Callable[..., Any]:
    """The function of that name in a module, which is imported when the function is called."""

    def call(*arguments: Any) -> Any:
        return getattr(importlib.import_module(module), name)(*arguments)

    return call
