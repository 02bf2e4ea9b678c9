"""The parameters of a Python function: which are static, and what their leaves are called."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from dxir.errors import TracingError
from dxir.locations import caller_location
from dxir.tracing.calls import name_of
from dxir.tracing.trees import Tree, register_container

StaticNames = str | int | Sequence[str | int]

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class StaticValue:
    """The value of a static argument; equal to another one of the same types and bits."""

    __slots__ = ("_hash", "_key", "value")

    def __init__(self, value: Any, what: str) -> None:
        self.value = value
        try:
            self._key = _typed(value)
            self._hash = hash(self._key)
        except TypeError as error:
            raise TracingError(
                f"{what} is static, and cannot be hashed: {error}",
                where=caller_location(),
                hint="static values are told apart by their hash: give a tuple for a list or an "
                "array, a frozen dataclass for an object",
            ) from None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StaticValue) or self._hash != other._hash:
            return False
        try:
            return bool(self._key == other._key)
        except Exception as error:
            kind = type(self.value).__name__
            raise TracingError(
                f"static values of type {kind} cannot be told apart: their == raised "
                f"{type(error).__name__}: {error}",
                where=caller_location(),
                hint="give static values whose == says True or False, as a frozen dataclass has",
            ) from error

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return repr(self.value)


def _typed(value: Any) -> Any:
    """What a static value is known by: 1, True and 1.0 are three, and NaN is equal to itself."""
    kind = type(value)
    if isinstance(value, np.generic):
        return kind, value.dtype, value.tobytes()
    if isinstance(value, float):
        return kind, float(value).hex()
    if isinstance(value, complex):
        return kind, value.real.hex(), value.imag.hex()
    if isinstance(value, tuple):
        return kind, tuple([_typed(v) for v in value])
    if isinstance(value, frozenset):
        return kind, frozenset([_typed(v) for v in value])
    if dataclasses.is_dataclass(kind):  # whose == holds fields of other types to be equal
        fields = [f.name for f in dataclasses.fields(kind) if f.compare and f.hash is not False]
        return kind, value, tuple([_typed(getattr(value, name)) for name in fields])
    return kind, value


class Static:
    """A static argument among the others: a container without leaves."""

    __slots__ = ("value",)

    def __init__(self, value: StaticValue) -> None:
        self.value = value


register_container(Static, lambda s: ((), s.value), lambda value, _: value.value)


class Parameters:
    """What is known of the parameters of a Python function before it is called."""

    def __init__(self, function: Callable[..., Any], static: StaticNames) -> None:
        self.name = function_name(function)
        self.positional: tuple[str, ...] = ()
        self.rest: str | None = "args"
        self._named: tuple[str, ...] = ()
        self._more = True
        signature = _signature(function)
        if signature is not None:
            self._read(signature)
        self.static_positions: set[int] = set()
        self.static_names: set[str] = set()
        self.static_rest = False
        given = (
            static if isinstance(static, Iterable) and not isinstance(static, str) else (static,)
        )
        for entry in given:
            self._make_static(entry)
        self.has_static = bool(self.static_positions or self.static_names or self.static_rest)

    def _read(self, signature: inspect.Signature) -> None:
        parameters = signature.parameters.values()
        self.positional = tuple([p.name for p in parameters if p.kind in _POSITIONAL])
        self._named = tuple([p.name for p in parameters if p.kind is p.KEYWORD_ONLY])
        self.rest = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), None)
        self._more = any(p.kind is p.VAR_KEYWORD for p in parameters)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all parameters."""
        rest = (self.rest,) if self.rest is not None else ()
        return (*self.positional, *rest, *self._named)

    def _make_static(self, entry: Any) -> None:
        if isinstance(entry, str):
            if entry in self.positional:
                self.static_positions.add(self.positional.index(entry))
            elif entry == self.rest:
                self.static_rest = True
                return
            elif entry not in self._named and not self._more:
                raise self._unknown("static=", entry)
            self.static_names.add(entry)
            return
        try:
            position = operator.index(entry)
        except TypeError:
            raise TracingError(
                f"static= names an argument by {entry!r}",
                where=caller_location(),
                hint='give names or positions: static=("n",)',
            ) from None
        count = len(self.positional)
        if position < 0:
            position += count
        if position < 0 or (position >= count and self.rest is None):
            raise self._unknown("static=", entry)
        self.static_positions.add(position)
        if position < count:
            self.static_names.add(self.positional[position])

    def _unknown(self, option: str, entry: Any) -> TracingError:
        return TracingError(
            f"{option} names the argument {entry!r}, which {self.name} does not have",
            where=caller_location(),
            hint=f"it has {', '.join(self.names) or 'none'}",
        )

    def check_names(self, option: str, names: Sequence[Any]) -> None:
        """Raise TracingError for names of arguments that there are none of."""
        for name in names:
            if not isinstance(name, str) or not (name in self.names or self._more):
                raise self._unknown(option, name)

    def position_name(self, i: int) -> str:
        """What the argument of a position is called."""
        if i < len(self.positional):
            return self.positional[i]
        rest = i - len(self.positional)
        return f"{self.rest or 'args'}[{rest}]"

    def marked(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments with the static ones marked as such."""
        if not self.has_static:
            return args, kwargs
        count = len(self.positional)
        given = list(args)
        for i, value in enumerate(args):
            if i in self.static_positions or (self.static_rest and i >= count):
                given[i] = self._marked(value, self.position_name(i))
        named = {k: self._marked(v, k) if k in self.static_names else v for k, v in kwargs.items()}
        return tuple(given), named

    def _marked(self, value: Any, name: str) -> Static:
        return Static(StaticValue(value, f"{name} of {self.name}"))

    def paths(self, tree: Tree) -> list[str]:
        """What each leaf of the tree of arguments is called: `params['w']`."""
        args, kwargs = tree.children
        found: list[str] = []
        for i, child in enumerate(args.children):
            name = self.position_name(i)
            found += [name + path for path in child.paths()]
        for name, child in zip(kwargs.keys, kwargs.children, strict=True):
            found += [name + path for path in child.paths()]
        return found

    def argument_leaves(self, tree: Tree) -> list[tuple[str, int, Tree]]:
        """For each argument its name, where its leaves begin, and its tree."""
        args, kwargs = tree.children
        named = [(self.position_name(i), child) for i, child in enumerate(args.children)]
        named += list(zip(kwargs.keys, kwargs.children, strict=True))
        found: list[tuple[str, int, Tree]] = []
        start = 0
        for name, child in named:
            found.append((name, start, child))
            start += child.count
        return found


def function_name(function: Any) -> str:
    """What a function is called, seen through `functools.partial`."""
    while isinstance(function, functools.partial):
        function = function.func
    return name_of(function)


def _signature(function: Callable[..., Any]) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):  # a built-in function, whose parameters Python does not tell
        return None
