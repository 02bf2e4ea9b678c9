"""Containers of arrays, taken apart into their leaves and put together again.

Tuples (named ones, too), lists, dictionaries, None, dataclasses and the classes that are
registered are containers; all else is a leaf.
"""

from __future__ import annotations

import dataclasses
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from dxir.errors import TransformError
from dxir.graph import Value
from dxir.locations import caller_location
from dxir.tracing.arrays import Array


@dataclass(frozen=True, slots=True)
class Container:
    """How a registered class is taken apart, and put together."""

    flatten: Callable[[Any], tuple[Sequence[Any], Any]]
    unflatten: Callable[[Any, Sequence[Any]], Any]


_containers: dict[type, Container] = {}


def register_container(
    kind: Any,
    flatten: Callable[[Any], tuple[Sequence[Any], Any]],
    unflatten: Callable[[Any, Sequence[Any]], Any],
) -> None:
    """Make a class a container: `flatten(x)` gives its children and what else it has.

    `unflatten(what_else, children)` makes one again; what else there is must be comparable, and
    hashable for functions that are compiled.
    """
    if not isinstance(kind, type) or not all(map(callable, (flatten, unflatten))):
        raise TransformError(
            f"a container is registered by a class and two functions, not by {kind!r}",
            where=caller_location(),
            hint="register_container(Layer, lambda x: ((x.w, x.b), None), lambda _, c: Layer(*c))",
        )
    _containers[kind] = Container(flatten, unflatten)


def is_registered(kind: type | None) -> bool:
    """Whether a class is taken apart in a way that `register_container` was told."""
    return kind in _containers


@dataclass(frozen=True, slots=True)
class Tree:
    """The shape of nested containers without their leaves; equal for equal shapes.

    `kind` is the type of the container, NoneType for None, and None for a leaf, which `is_array`
    where it was an array: a value put in its place becomes one. `keys` are those of a dictionary,
    in its order of sorted keys, or the fields of a dataclass; `extra` is what a container has
    besides its children.
    """

    kind: type | None
    children: tuple[Tree, ...] = ()
    keys: tuple[Any, ...] = ()
    extra: Any = None
    is_array: bool = dataclasses.field(default=False, compare=False)

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
            given = leaf()
            return Array(given) if self.is_array and isinstance(given, Value) else given
        if self.kind is type(None):
            return None
        inner = [c._build(leaf) for c in self.children]
        if self.kind in _containers:
            return _containers[self.kind].unflatten(self.extra, inner)
        if issubclass(self.kind, dict):
            items = dict(zip(self.keys, inner, strict=True))
            if issubclass(self.kind, defaultdict):
                return self.kind(self.extra, items)
            like: Callable[[dict[Any, Any]], Any] = self.kind
            return items if self.kind is dict else like(items)
        if dataclasses.is_dataclass(self.kind):
            return _record(
                self.kind, {**dict(zip(self.keys, inner, strict=True)), **dict(self.extra)}
            )
        if hasattr(self.kind, "_fields"):
            named: Callable[..., Any] = self.kind
            return named(*inner)
        made: Callable[[list[Any]], Any] = self.kind
        return made(inner)

    def paths(self) -> list[str]:
        """What leads to each leaf, in Python: `['w'][0].scale`; empty for a leaf by itself."""
        if self.kind is None:
            return [""]
        found: list[str] = []
        for i, child in enumerate(self.children):
            found += [self._step(i) + rest for rest in child.paths()]
        return found

    def _step(self, i: int) -> str:
        if self.kind is None or not self.keys:
            fields: Sequence[str] = getattr(self.kind, "_fields", ())
            return f".{fields[i]}" if fields else f"[{i}]"
        return f"[{self.keys[i]!r}]" if issubclass(self.kind, dict) else f".{self.keys[i]}"

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
        fields: Sequence[str] = self.keys or getattr(self.kind, "_fields", ())
        if fields or not issubclass(self.kind, (tuple, list)):
            named = [f"{n}={t}" for n, t in zip(fields, inner, strict=True)] if fields else inner
            return f"{self.kind.__name__}({', '.join(named)})"
        if issubclass(self.kind, list):
            return f"[{', '.join(inner)}]"
        return f"({', '.join(inner)}{',' if len(inner) == 1 else ''})"


_PLAIN = (dict, list, tuple)
LEAF = Tree(None)
ARRAY = Tree(None, is_array=True)


def _record(kind: type, fields: dict[str, Any]) -> Any:
    """A dataclass with these fields; its `__init__` may ask what values of a graph do not tell."""
    made: Any = object.__new__(kind)
    for name, value in fields.items():
        object.__setattr__(made, name, value)
    return made


def flatten(tree: Any) -> tuple[list[Any], Tree]:
    """The leaves in order, and the containers around them."""
    leaves: list[Any] = []
    return leaves, _flatten(tree, leaves.append)


def _flatten(tree: Any, leaf: Callable[[Any], None]) -> Tree:
    if tree is None:
        return Tree(type(None))
    kind: type = type(tree)
    if kind in _containers:
        children, extra = _containers[kind].flatten(tree)
        return Tree(kind, tuple([_flatten(t, leaf) for t in children]), extra=extra)
    if kind not in _PLAIN and isinstance(tree, (dict, list, tuple)):
        _check_attributes(tree)
    if isinstance(tree, dict):
        try:
            keys = tuple(tree) if kind is OrderedDict else tuple(sorted(tree))
        except TypeError:
            keys = tuple(tree)
        extra = tree.default_factory if isinstance(tree, defaultdict) else None
        return Tree(kind, tuple([_flatten(tree[k], leaf) for k in keys]), keys, extra)
    if isinstance(tree, (tuple, list)):
        return Tree(kind, tuple([_flatten(t, leaf) for t in tree]))
    if dataclasses.is_dataclass(kind) and not kind.__module__.startswith("dxir."):
        return _flatten_record(tree, leaf)
    leaf(tree)
    return ARRAY if isinstance(tree, Array) else LEAF


def _check_attributes(tree: Any) -> None:
    """Raise TransformError for a tuple, list or dictionary with attributes, which would be lost.

    Those that are entries of a dictionary, too, are kept.
    """
    own = getattr(tree, "__dict__", None)
    if not own or (isinstance(tree, dict) and all(tree.get(k) is v for k, v in own.items())):
        return
    kind = type(tree)
    raise TransformError(
        f"a {kind.__name__} has attributes besides what it holds ({', '.join(own)}), which would "
        "be lost",
        where=caller_location(),
        hint="make it a dataclass, or say what it is made of by dxir.tree.register",
    )


def _flatten_record(tree: Any, leaf: Callable[[Any], None]) -> Tree:
    """A dataclass; fields with `metadata={"static": True}` are no children."""
    fields = dataclasses.fields(tree)
    keys = tuple([f.name for f in fields if not f.metadata.get("static")])
    static = tuple([(f.name, getattr(tree, f.name)) for f in fields if f.metadata.get("static")])
    return Tree(type(tree), tuple([_flatten(getattr(tree, k), leaf) for k in keys]), keys, static)


def leaves_of(tree: Any) -> list[Any]:
    """The leaves of a tree, in order."""
    return flatten(tree)[0]


def map_leaves(function: Callable[..., Any], tree: Any, *others: Any) -> Any:
    """The tree with `function` of each leaf, and of those at its place in other trees.

    Raises TransformError where the others have other containers.
    """
    leaves, shape = flatten(tree)
    columns = [leaves_like(t, shape, f"tree {i + 1}") for i, t in enumerate(others)]
    return shape.build([function(*row) for row in zip(leaves, *columns, strict=True)])


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
    for child, given in zip(wanted.children, children_of(tree), strict=True):
        _match(given, child, what, found, prefix=prefix)


def _alike(own: Tree, wanted: Tree) -> bool:
    if own.kind is None or wanted.kind is None or len(own.children) != len(wanted.children):
        return False
    sequences = own.kind in (tuple, list) and wanted.kind in (tuple, list)
    same = own.kind is wanted.kind or sequences
    return same and own.keys == wanted.keys and own.extra == wanted.extra


def children_of(tree: Any) -> list[Any]:
    """What a container holds, in the order of its leaves."""
    if type(tree) in _containers:
        return list(_containers[type(tree)].flatten(tree)[0])
    shape = flatten(tree)[1]
    if isinstance(tree, dict):
        return [tree[k] for k in shape.keys]
    if shape.keys:
        return [getattr(tree, k) for k in shape.keys]
    return list(tree or ())


def _said(tree: Any, own: Tree) -> str:
    return repr(tree) if own.kind is None else str(own)
