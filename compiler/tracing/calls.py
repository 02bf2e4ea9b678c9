"""Python functions over values or arrays, traced where they are called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dxir import making, ops
from dxir.derivatives import captured, live_nodes
from dxir.errors import GraphError, TransformError
from dxir.graph import Module, Region, Value, building, current_region, place
from dxir.locations import caller_location
from dxir.misuse import call_python, number_hint
from dxir.tracing.arrays import Array
from dxir.tracing.eager import EagerRegion
from dxir.tracing.trees import Tree, flatten
from dxir.types import Type
from dxir.wording import shown


class Call:
    """A Python function on the arguments of one call of it.

    `leaves` are the values among the arguments; arrays become constants. Anything else that is no
    container is passed to the function as it is. `given` are all leaves of `tree`, which holds the
    arguments by position, then those by keyword. `home` is the region that the call is in.
    """

    def __init__(
        self, function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]
    ) -> None:
        self.function = function
        self.name = name_of(function)
        self.given, self.tree = _flattened(args, kwargs)
        self._args = tuple(args)
        self.home = _home(self.given)
        self._places = [i for i, leaf in enumerate(self.given) if self.is_value(leaf)]
        with building(self.home):
            self.leaves = [_value(self.given[i]) for i in self._places]

    @staticmethod
    def is_value(leaf: Any) -> bool:
        """Whether a leaf is one of a graph: a value, or an array, which becomes one."""
        return isinstance(leaf, (Value, Array, np.ndarray, np.generic))

    @property
    def count(self) -> int:
        """How many arguments are given by position."""
        return len(self._args)

    def argument_leaves(self, position: int) -> tuple[list[int], Tree]:
        """Which of `leaves` a positional argument has, and the containers around them.

        Raises TransformError for one that holds anything but values.
        """
        count = len(self._args)
        if not -count <= position < count:
            raise TransformError(
                f"wrt names argument {position} of {self.name}, which is called with {count} by "
                "position",
                where=caller_location(),
                hint="give what is differentiated by position; others may go by keyword",
            )
        start = sum(t.count for t in self.tree.children[0].children[: position % count])
        tree = self.tree.children[0].children[position % count]
        found: list[int] = []
        for at in range(start, start + tree.count):
            if at not in self._places:
                raise not_a_value(self.given[at], f"argument {position} of {self.name}")
            found.append(self._places.index(at))
        return found, tree

    def trace(self, types: Sequence[Type] | None = None) -> Traced:
        """The function traced on values of the types of the leaves, or of others.

        The region may capture values of those around `home`.
        """
        types = [v.type for v in self.leaves] if types is None else types
        region = Region(types, self.home)
        given = list(self.given)
        for at, param in zip(self._places, region.params, strict=True):
            given[at] = param
        args, kwargs = self.tree.build(given)
        with building(region):
            found, out = flatten(call_python(self.function, args, kwargs, self.name))
            region.seal([_result(leaf, self.name) for leaf in found])
        if self.home is None:
            self.home = region.parent
        return Traced(region, out)

    def inline(
        self, function: Region, outside: Sequence[Value], more: Sequence[Value] = ()
    ) -> tuple[Value, ...]:
        """The results of a function of the leaves, of values of outside and of others, put down."""
        with building(self.home):
            return making.inline(function, [*self.leaves, *outside, *more])


def _flattened(args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[list[Any], Tree]:
    """The arguments of a call, taken apart; where there is no graph, NumPy's arrays are arrays."""
    given, tree = flatten((tuple(args), kwargs))
    if current_region() is None and not any(isinstance(leaf, Value) for leaf in given):
        arrays = [
            Array(leaf) if isinstance(leaf, (np.ndarray, np.generic)) else leaf for leaf in given
        ]
        return flatten(tree.build(arrays))
    return given, tree


def _home(given: Sequence[Any]) -> Region | None:
    """Where what is made of these leaves belongs; arrays of numbers alone are computed at once."""
    home = current_region()
    if home is not None:
        return home
    held = [leaf.held if isinstance(leaf, Array) else leaf for leaf in given]
    regions = [v.region for v in held if isinstance(v, Value)]
    home = next((r for r in regions if r is not None), None)
    if home is None and any(isinstance(leaf, Array) for leaf in given):
        return EagerRegion()
    return home


class Traced:
    """A region traced of a function, and the containers around its results."""

    __slots__ = ("out", "region")

    def __init__(self, region: Region, out: Tree) -> None:
        self.region = region
        self.out = out


class Placing:
    """Nodes put down in the region of a call; those that `results` do not need are taken back.

    When the block is left by an exception, all of them are.
    """

    def __init__(self, home: Region | None) -> None:
        self._home = home
        self._scope = building(home)
        self._start = 0
        self.results: list[Value] = []

    def __enter__(self) -> Placing:
        self._start = 0 if self._home is None else len(self._home.nodes)
        self._scope.__enter__()
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        self._scope.__exit__(kind, error, traceback)
        if self._home is None:
            return
        made = self._home.nodes[self._start :]
        if error is not None:
            kept = []
        else:
            needed = live_nodes(made, self.results)
            kept = [n for n in made if n in needed]
        if len(kept) == len(made):
            return
        self._home.nodes[self._start :] = kept
        for node in set(made) - set(kept):
            for result in node.results:
                result.region = None  # a constant of outside, taken in here, can be used again


def name_of(function: Any) -> str:
    """What a function is called in messages and names."""
    return str(getattr(function, "__name__", None) or type(function).__name__)


def check_function(function: Any, what: str) -> None:
    """Raise unless something can be called."""
    if not callable(function):
        said, hint = repr(function), "build it first, or name the function, without calling it"
        for graph, is_one in (
            ("module", isinstance(function, Module)),
            ("program.raise_()", hasattr(function, "raise_")),
        ):
            if is_one:
                said = f"a {type(function).__name__}"
                hint = f"""give one of its functions: {what}({graph}["main"])"""
        raise TransformError(
            f"{what} takes a dxir.Function or a Python function, not {said}",
            where=caller_location(),
            hint=hint,
        )


def not_a_value(given: Any, what: str) -> TransformError:
    """The error for something that must be a value of a graph."""
    return TransformError(
        f"{what} is, or holds, {shown(given)}, which is no array",
        where=caller_location(),
        hint=number_hint(float(given) if type(given) is int else given)
        or "pass it as an argument of its own, which wrt does not name",
    )


def constants_within(region: Region, what: str) -> dict[Value, Value]:
    """Copies, made here, of the constants that a region captures.

    Raises GraphError for any other value of outside; `what` names what uses it.
    """
    values: dict[Value, Value] = {}
    for value in captured([region]):
        maker = value.producer
        if maker is None or maker.op != "constant":
            name = f" {value.name!r}" if value.name else ""
            raise GraphError(
                f"{what} uses the value{name} of type {value.type} from outside",
                where=caller_location(),
                hint="what has a derivative of its own takes all it needs as arguments",
            )
        place(making.copied(maker, values))
    return values


def on_its_own(what: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """What a function gives on values, put down here; of others it may use constants alone."""
    leaves, tree = flatten(arguments)
    places = [i for i, leaf in enumerate(leaves) if Call.is_value(leaf)]
    given = [_value(leaves[i]) for i in places]
    region = Region([v.type for v in given])
    for i, param in zip(places, region.params, strict=True):
        leaves[i] = param
    with building(region):
        found, out = flatten(function(*tree.build(leaves)))
        results = [i for i, leaf in enumerate(found) if Call.is_value(leaf)]
        region.seal([_value(found[i]) for i in results])
    values = {**dict(zip(region.params, given, strict=True)), **constants_within(region, what)}
    for node in region.nodes:
        place(making.copied(node, values))
    for i, result in zip(results, region.results, strict=True):
        found[i] = values[result]
    return out.build(found)


def as_value(given: Any, what: str) -> Value:
    """A value, or an array as a constant; TransformError for anything else."""
    if not Call.is_value(given):
        raise not_a_value(given, what)
    return _value(given)


def _value(leaf: Any) -> Value:
    if isinstance(leaf, Array):
        return leaf.value()
    return leaf if isinstance(leaf, Value) else ops.constant(leaf)


def _result(leaf: Any, name: str) -> Value:
    if not Call.is_value(leaf):
        raise not_a_value(leaf, f"the result of {name}")
    return _value(leaf)
