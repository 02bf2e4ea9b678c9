"""Names for sizes of arguments, so that one trace is for all sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import EllipsisType
from typing import Any

from dxir.errors import TracingError
from dxir.functions.leaves import Leaf
from dxir.functions.parameters import Parameters
from dxir.locations import caller_location
from dxir.tracing.trees import Tree, flatten, spread_prefix
from dxir.types import Dim, TensorType, shape_text

Entry = str | int | Dim | EllipsisType | None


class Named:
    """The shape of an array, of which some sizes have names; None is a size as it is given."""

    __slots__ = ("entries",)

    def __init__(self, entries: tuple[Entry, ...]) -> None:
        self.entries = entries

    def applied(self, leaf: Leaf, path: str) -> Leaf:
        """The leaf with the names; TracingError where the shape is not this one."""
        shape, wanted = leaf.type.shape, self._filled(len(leaf.type.shape))
        if len(wanted) != len(shape):
            raise self._refusal(leaf, path, f"has {len(wanted)} dimensions")
        found: list[Any] = []
        for axis, (entry, size) in enumerate(zip(wanted, shape, strict=True)):
            if isinstance(entry, int) and entry != size:
                raise self._refusal(leaf, path, f"is {entry} along axis {axis}")
            found.append(size if entry is None else Dim(entry) if isinstance(entry, str) else entry)
        return Leaf(TensorType(found, leaf.type.dtype), leaf.weak)

    def _filled(self, rank: int) -> tuple[str | int | Dim | None, ...]:
        missing = max(0, rank - len(self.entries) + 1)
        found: list[str | int | Dim | None] = []
        for entry in self.entries:
            if isinstance(entry, EllipsisType):
                found += [None] * missing
            else:
                found.append(entry)
        return tuple(found)

    def _refusal(self, leaf: Leaf, path: str, wanted: str) -> TracingError:
        return TracingError(
            f"{path} is {leaf.type}, but its shape in shapes= {wanted}: {self}",
            where=caller_location(),
            hint="None is for a size as it is given, ... for all others",
        )

    def __str__(self) -> str:
        return shape_text("..." if e is ... else e for e in self.entries)


def is_shape(given: Any) -> bool:
    """Whether something is a shape of one array rather than a container of shapes."""
    return isinstance(given, (tuple, list)) and all(
        e is None or e is ... or isinstance(e, (str, Dim)) or type(e) is int for e in given
    )


class Shapes:
    """What `shapes=` says: for each argument a shape, or containers of shapes."""

    def __init__(self, given: Mapping[str, Any] | None, parameters: Parameters) -> None:
        if given is not None and not isinstance(given, Mapping):
            raise TracingError(
                f"shapes= is {given!r}",
                where=caller_location(),
                hint='it has shapes by argument: shapes={"x": ("batch", None)}',
            )
        parameters.check_names("shapes=", list(given or {}))
        self._parameters = parameters
        self._given = {name: _marked(entry, name) for name, entry in (given or {}).items()}
        self._known: dict[Tree, list[Named | None]] = {}

    def __bool__(self) -> bool:
        return bool(self._given)

    def applied(self, tree: Tree, leaves: Sequence[Leaf]) -> tuple[Leaf, ...]:
        """The leaves of arguments with the names for their sizes."""
        if not self._given:
            return tuple(leaves)
        named = self._known.get(tree)
        if named is None:
            named = self._known[tree] = self._spread(tree)
        if not any(named):
            return tuple(leaves)
        paths = self._parameters.paths(tree)
        return tuple([
            leaf if name is None else name.applied(leaf, path)
            for leaf, name, path in zip(leaves, named, paths, strict=True)
        ])  # fmt: skip

    def _spread(self, tree: Tree) -> list[Named | None]:
        found: list[Named | None] = []
        for name, _, child in self._parameters.argument_leaves(tree):
            entry = self._given.get(name, self._given.get(name.split("[")[0]))
            found += spread_prefix(entry, child, f"shapes= for {name}")
        return found


def _marked(given: Any, name: str) -> Any:
    """The shapes in what is given as objects, which are leaves."""
    if given is None:
        return None
    if is_shape(given):
        if list(given).count(...) > 1:
            raise TracingError(
                f"the shape of {name} in shapes= has more than one `...`",
                where=caller_location(),
                hint="write None for each other size that is as it is given",
            )
        return Named(tuple(given))
    if isinstance(given, (tuple, list, dict)):
        leaves, tree = _one_level(given)
        return tree([_marked(leaf, name) for leaf in leaves])
    if flatten(given)[1].kind is not None:
        leaves, whole = flatten(given)
        return whole.build([_marked(leaf, name) for leaf in leaves])
    raise TracingError(
        f"{given!r} is no shape for {name}",
        where=caller_location(),
        hint='a shape is a tuple of names, sizes, None and `...`: ("batch", None)',
    )


def _one_level(given: Any) -> tuple[list[Any], Any]:
    if isinstance(given, dict):
        keys = list(given)
        return list(given.values()), lambda made: dict(zip(keys, made, strict=True))
    if hasattr(given, "_fields"):
        return list(given), lambda made: type(given)(*made)
    return list(given), type(given)
