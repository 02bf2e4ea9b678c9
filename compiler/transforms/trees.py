"""Nested tuples, lists, dictionaries and None, taken apart into their leaves and put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from dxir.errors import TransformError
from dxir.locations import caller_location


@dataclass(frozen=True, slots=True)
class Tree:
    """The shape of nested containers without their leaves; equal for equal shapes.

    `kind` is the type of the container, NoneType for None, and None for a leaf. `keys` are those of
    a dictionary, in its order of sorted keys.
    """

    kind: type | None
    children: tuple[Tree, ...] = ()
    keys: tuple[Any, ...] = ()

    @property
    def count(self) -> int:
        """How many leaves it has."""
        return 1 if self.kind is None else sum(c.count for c in self.children)

    def build(self, leaves: Sequence[Any]) -> Any:
        """The containers, with these leaves."""
        if len(leaves) != self.count:
            raise TransformError(f"{len(leaves)} leaves are given for {self.count} places")
        return self._build(iter(leaves).__next__)

    def _build(self, leaf: Callable[[], Any]) -> Any:
        if self.kind is None:
            return leaf()
        if self.kind is type(None):
            return None
        inner = [c._build(leaf) for c in self.children]
        if issubclass(self.kind, dict):
            items = dict(zip(self.keys, inner, strict=True))
            like: Callable[[dict[Any, Any]], Any] = self.kind
            return items if self.kind is dict else like(items)
        if hasattr(self.kind, "_fields"):
            named: Callable[..., Any] = self.kind
            return named(*inner)
        made: Callable[[list[Any]], Any] = self.kind
        return made(inner)

    def __str__(self) -> str:
        return "one value" if self.kind is None else self._text()

    def _text(self) -> str:
        """As it is written, with `value` for each leaf: `{'w': value, 'b': (value, None)}`."""
        if self.kind is None:
            return "value"
        if self.kind is type(None):
            return "None"
        inner = [c._text() for c in self.children]
        if issubclass(self.kind, dict):
            return (
                f"{{{', '.join([f'{k!r}: {t}' for k, t in zip(self.keys, inner, strict=True)])}}}"
            )
        if hasattr(self.kind, "_fields"):
            fields: Sequence[str] = self.kind._fields
            inner = [f"{name}={t}" for name, t in zip(fields, inner, strict=True)]
            return f"{self.kind.__name__}({', '.join(inner)})"
        if issubclass(self.kind, list):
            return f"[{', '.join(inner)}]"
        return f"({', '.join(inner)}{',' if len(inner) == 1 else ''})"


LEAF = Tree(None)


def flatten(tree: Any) -> tuple[list[Any], Tree]:
    """The leaves in order, and the containers around them.

    Tuples (named ones, too), lists, dictionaries and None are containers, all else is a leaf.
    """
    leaves: list[Any] = []
    return leaves, _flatten(tree, leaves.append)


def _flatten(tree: Any, leaf: Callable[[Any], None]) -> Tree:
    if tree is None:
        return Tree(type(None))
    if isinstance(tree, dict):
        try:
            keys = tuple(sorted(tree))
        except TypeError:
            keys = tuple(tree)
        return Tree(type(tree), tuple([_flatten(tree[k], leaf) for k in keys]), keys)
    if isinstance(tree, (tuple, list)):
        return Tree(type(tree), tuple([_flatten(t, leaf) for t in tree]))
    leaf(tree)
    return LEAF


def leaves_like(tree: Any, wanted: Tree, what: str) -> list[Any]:
    """The leaves of a tree that must have a given shape, None in the place of a leaf allowed.

    Raises TransformError, in which `what` names the tree.
    """
    found: list[Any] = []
    _match(tree, wanted, what, found, prefix=False)
    return found


def spread_prefix(prefix: Any, wanted: Tree, what: str) -> list[Any]:
    """An entry for each leaf, where one given for a container goes for all that is in it."""
    found: list[Any] = []
    _match(prefix, wanted, what, found, prefix=True)
    return found


def _match(tree: Any, wanted: Tree, what: str, found: list[Any], *, prefix: bool) -> None:
    if wanted.kind is None and (tree is None or flatten(tree)[1].kind is None):
        found.append(tree)
        return
    own = flatten(tree)[1]
    if prefix and (tree is None or own.kind is None):
        found += [tree] * wanted.count
        return
    if not _alike(own, wanted):
        raise TransformError(
            f"{what} is {_said(tree, own)}, but {wanted} is needed",
            where=caller_location(),
            hint="it must have the containers of what it belongs to",
        )
    inner = [tree[k] for k in wanted.keys] if wanted.keys else list(tree or ())
    for child, given in zip(wanted.children, inner, strict=True):
        _match(given, child, what, found, prefix=prefix)


def _alike(own: Tree, wanted: Tree) -> bool:
    if own.kind is None or wanted.kind is None or len(own.children) != len(wanted.children):
        return False
    sequences = own.kind in (tuple, list) and wanted.kind in (tuple, list)
    return (own.kind is wanted.kind or sequences) and own.keys == wanted.keys


def _said(tree: Any, own: Tree) -> str:
    return repr(tree) if own.kind is None else str(own)
