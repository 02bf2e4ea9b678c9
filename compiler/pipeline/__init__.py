"""Passes, the pipelines they are written in, and running them.

`base` is what a pass is, `text` the syntax of pipelines, `native` what MLIR's registry has, `steps`
what a pipeline comes to, `running` runs it, `rewriting` applies patterns inside a pass. What passes
and programs that run them need can be imported from here: `from dxir.pipeline import Pass, option`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dxir.pipeline.base import Pass as Pass
    from dxir.pipeline.base import option as option
    from dxir.pipeline.budget import Limits as Limits
    from dxir.pipeline.rewriting import Make as Make
    from dxir.pipeline.rewriting import Rules as Rules
    from dxir.pipeline.rewriting import apply_rules as apply_rules
    from dxir.pipeline.rewriting import defining as defining
    from dxir.pipeline.running import IrPrinting as IrPrinting
    from dxir.pipeline.running import Record as Record
    from dxir.pipeline.running import RunOptions as RunOptions

_HOMES = {
    "base": "Pass option",
    "budget": "Limits",
    "rewriting": "Make Rules apply_rules defining",
    "running": "IrPrinting Record RunOptions",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = sorted(_HOME_OF)  # pyright: ignore[reportUnsupportedDunderAll]  # one list


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'dxir.pipeline' has no attribute {name!r}")
    return getattr(importlib.import_module(f"dxir.pipeline.{home}"), name)
