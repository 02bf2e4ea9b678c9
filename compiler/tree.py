"""Containers of arrays: `dxir.tree.map`, `flatten`, `leaves`, and registering one's own classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dxir.tracing.trees import Tree as Tree
from dxir.tracing.trees import flatten as flatten
from dxir.tracing.trees import leaves_of, map_leaves, register_container


def leaves(tree: Any) -> list[Any]:
    """The leaves of a tree, in order: all that is no tuple, list, dictionary, dataclass or None."""
    return leaves_of(tree)


def map(function: Callable[..., Any], tree: Any, *others: Any) -> Any:
    """The tree with `function` of each leaf, and of the leaves at its place in other trees."""
    return map_leaves(function, tree, *others)


def unflatten(shape: Tree, leaves: Sequence[Any]) -> Any:
    """The containers that `flatten` told, with other leaves."""
    return shape.build(leaves)


def paths(tree: Any) -> list[str]:
    """What leads to each leaf, as it is written in Python: `['layers'][0].scale`."""
    return flatten(tree)[1].paths()


def register(
    kind: type,
    flatten: Callable[[Any], tuple[Sequence[Any], Any]],
    unflatten: Callable[[Any, Sequence[Any]], Any],
) -> None:
    """Make a class a container: `flatten(x)` gives its children and what else it has.

    `unflatten(what_else, children)` makes one again. What else there is must be comparable and
    hashable. Dataclasses need no registering; a field with `metadata={"static": True}` is no child.
    """
    register_container(kind, flatten, unflatten)
