"""Which operations there are in the dialects of programs, and which one a misspelt name means."""

from __future__ import annotations

import difflib
import functools
from types import ModuleType

from dxir.mlir import chlo, ir, sdy, stablehlo

DIALECTS: dict[str, ModuleType] = {"stablehlo": stablehlo, "chlo": chlo, "sdy": sdy}

# Those of func have no classes here.
_FUNC = ("func.call", "func.call_indirect", "func.constant", "func.func", "func.return")
_MOST = 2
_SHORTEST = 2


@functools.cache
def operations() -> tuple[str, ...]:
    """Every operation of StableHLO, CHLO and Shardy that this jaxlib has."""
    found: set[str] = set()
    for module in DIALECTS.values():
        for item in vars(module).values():
            name = getattr(item, "OPERATION_NAME", None)
            if isinstance(item, type) and issubclass(item, ir.OpView) and isinstance(name, str):
                found.add(name)
    return tuple(sorted(found))


def near_operations(name: str) -> list[str]:
    """The operations that a name which is none may stand for, the likeliest first.

    Those of the same name in another dialect, those it begins, and those spelt much alike.
    """
    dialect, _, word = name.rpartition(".")
    known = (*operations(), *_FUNC)
    same = [other for other in known if other.partition(".")[2] == word]
    own = [other for other in known if other.partition(".")[0] == dialect]
    begun = [other for other in own if len(word) >= _SHORTEST and other.startswith(name)]
    words = [other.partition(".")[2] for other in own]
    alike = [f"{dialect}.{w}" for w in difflib.get_close_matches(word, words, cutoff=0.75)]
    return (same or begun or alike)[:_MOST]
