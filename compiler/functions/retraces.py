"""Telling of functions that are traced again and again, and of the argument that does it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from dxir.errors import RetracingWarning
from dxir.functions.leaves import Leaf
from dxir.functions.parameters import Parameters, Static
from dxir.locations import warn_at_caller
from dxir.tracing.trees import Tree

MANY = 32
"""After how many traces of one function there is a warning; and after each doubling of these."""

_SHOWN = 4


def warn_of_retraces(name: str, parameters: Parameters, keys: Iterable[Any], count: int) -> None:
    """Warn that a function was traced so many times, if these are many, and say why."""
    if count < MANY or count & (count - 1):
        return
    changes = _changes(parameters, [(key.tree, key.leaves) for key in keys])
    warn_at_caller(
        f"{name} has been traced and compiled {count} times: {changes or 'its arguments change'}",
        RetracingWarning,
    )


def _changes(parameters: Parameters, keys: Sequence[tuple[Tree, tuple[Leaf, ...]]]) -> str:
    """Which arguments differ between signatures, the one with most forms first."""
    seen: dict[str, dict[Any, None]] = {}
    for tree, leaves in keys:
        for name, start, child in parameters.argument_leaves(tree):
            form = (child, leaves[start : start + child.count])
            seen.setdefault(name, {})[form] = None
    several = sorted(
        ((n, list(f)) for n, f in seen.items() if len(f) > 1), key=lambda c: -len(c[1])
    )
    return "; ".join([_told(name, forms) for name, forms in several[:2]])


def _told(name: str, forms: Sequence[tuple[Tree, tuple[Leaf, ...]]]) -> str:
    shown = ", ".join([_form(*form) for form in forms[-_SHOWN:]])
    told = f"the argument {name} had {len(forms)} forms, the last {shown}"
    trees = {tree for tree, _ in forms}
    if any(tree.kind is Static for tree in trees):
        return f"{told} (each value of a static argument is a program: pass it as an array)"
    if len(trees) > 1:
        return f"{told} (each form of containers is a program)"
    return f"{told} (name the sizes that change: shapes=, or pad to a few sizes)"


def _form(tree: Tree, leaves: Sequence[Leaf]) -> str:
    if tree.kind is Static:
        return repr(tree.extra)
    if len(leaves) <= 1 and not tree.children:
        return ", ".join(map(str, leaves))
    text = ", ".join(map(str, leaves[:_SHOWN])) + (", ..." if len(leaves) > _SHOWN else "")
    return f"{tree.kind.__name__ if tree.kind else ''}({text})"
