"""Containers of a known shape taken apart and put together quickly, for calls that are repeated."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from dxir.functions.parameters import Static, StaticValue
from dxir.tracing.trees import Tree, is_registered

_LEAF, _DICT, _SEQUENCE, _NONE, _RECORD, _STATIC, _OTHER = range(7)


class Plan:
    """How arguments of one tree are taken apart; others are told apart on the way."""

    __slots__ = ("children", "extra", "form", "keys", "kind", "pairs")

    def __init__(self, tree: Tree) -> None:
        self.kind: Any = tree.kind
        self.keys = tree.keys
        self.children = [Plan(child) for child in tree.children]
        self.pairs = list(zip(tree.keys, self.children, strict=True)) if tree.keys else []
        self.form = _form(tree)
        self.extra: Any = tree.extra
        if self.form == _RECORD:
            self.extra = [(name, StaticValue(value, name)) for name, value in tree.extra]

    @property
    def is_quick(self) -> bool:
        """Whether containers of this tree can be taken apart without the general way."""
        return self.form != _OTHER and all(child.is_quick for child in self.children)

    def take(self, given: Any, out: list[Any]) -> bool:
        """Put the leaves into `out`; False for anything that is not of the tree."""
        form = self.form
        if form == _LEAF:
            out.append(given)
            return True
        if form == _NONE:
            return given is None
        if form == _STATIC:
            return bool(StaticValue(given, "") == self.extra)
        if given.__class__ is not self.kind:
            return False
        if form == _SEQUENCE:
            if len(given) != len(self.children):
                return False
            for value, child in zip(given, self.children):  # noqa: B905  counted above
                if child.form == _LEAF:
                    out.append(value)
                elif not child.take(value, out):
                    return False
            return True
        if form == _DICT:
            return len(given) == len(self.pairs) and self._entries(given, out)
        return self._fields(given, out)

    def _entries(self, given: dict[Any, Any], out: list[Any]) -> bool:
        for key, child in self.pairs:
            if key not in given:
                return False
            if child.form == _LEAF:
                out.append(given[key])
            elif not child.take(given[key], out):
                return False
        return True

    def _fields(self, given: Any, out: list[Any]) -> bool:
        for name, static in self.extra:
            if StaticValue(getattr(given, name), name) != static:
                return False
        return all(child.take(getattr(given, name), out) for name, child in self.pairs)


def _form(tree: Tree) -> int:
    kind = tree.kind
    if kind is None:
        return _LEAF
    if kind is type(None):
        return _NONE
    if kind is Static:
        return _STATIC
    if is_registered(kind):
        return _OTHER
    if kind is dict:
        return _DICT if all(type(k) is str for k in tree.keys) else _OTHER
    named = issubclass(kind, tuple) and hasattr(kind, "_fields") and not kind.__dictoffset__
    if kind in (tuple, list) or named:
        return _SEQUENCE
    if dataclasses.is_dataclass(kind) and not issubclass(kind, (dict, tuple, list)):
        return _RECORD
    return _OTHER


def builder(tree: Tree) -> Callable[[Sequence[Any]], Any]:
    """A function that puts leaves into the containers of a tree."""
    if tree.kind is None:
        return lambda leaves: leaves[0]
    plain = tree.kind in (tuple, list, dict) and not is_registered(tree.kind)
    if plain and all(c.kind is None for c in tree.children):
        if tree.kind is dict:
            keys = tree.keys
            return lambda leaves: dict(zip(keys, leaves))  # noqa: B905  as many by construction
        kind: Any = tree.kind
        return lambda leaves: kind(leaves)
    make = _maker(tree)
    return lambda leaves: make(iter(leaves))


def _maker(tree: Tree) -> Callable[[Iterator[Any]], Any]:
    if tree.kind is None:
        return next
    if tree.kind in (tuple, list, dict) and not is_registered(tree.kind):
        inner = [_maker(child) for child in tree.children]
        if tree.kind is dict:
            pairs = list(zip(tree.keys, inner, strict=True))
            return lambda leaves: {key: make(leaves) for key, make in pairs}
        kind: Any = tree.kind
        return lambda leaves: kind([make(leaves) for make in inner])
    count = tree.count
    return lambda leaves: tree.build([next(leaves) for _ in range(count)])


def typed_extras(tree: Tree) -> tuple[StaticValue, ...]:
    """What containers have besides their children, told apart by types: 1 is not True.

    Keys of dictionaries are, too, where they are no strings.

    Raises TracingError where it cannot be hashed.
    """
    found: list[StaticValue] = []
    pending = [tree]
    while pending:
        current = pending.pop()
        if current.keys and any(type(k) is not str for k in current.keys):
            found.append(StaticValue(current.keys, "what a dictionary has as keys"))
        if current.extra is not None and current.kind is not Static:
            assert current.kind is not None
            found.append(StaticValue(current.extra, f"what {current.kind.__name__} has, extra,"))
        pending += [c for c in current.children if c.kind is not None]
    return tuple(found)
