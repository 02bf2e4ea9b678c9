"""Which arguments or results are meant, by their positions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from dxir.derivatives import has_tangent
from dxir.errors import TransformError
from dxir.locations import caller_location
from dxir.tracing.calls import Call
from dxir.tracing.trees import Tree
from dxir.transforms.options import is_integer
from dxir.wording import shown

Wrt = int | Sequence[int] | None


def as_positions(wrt: Any) -> list[Any]:
    """What `wrt` names, one by one; a name, or what else cannot be gone through, is one."""
    return list(wrt) if is_listed(wrt) else [wrt]


def is_listed(given: Any) -> bool:
    """Whether something has entries, and is not one by itself."""
    one = isinstance(given, str) or getattr(given, "shape", None) == ()
    return isinstance(given, Iterable) and not one


def positions(call: Call, wrt: Wrt) -> tuple[list[int], Tree]:
    """The leaves of the arguments `wrt`, and the containers that their cotangents come in.

    Raises TransformError for arguments that have no tangents.
    """
    which: list[Any] = as_positions(() if wrt is None else wrt)
    found: list[int] = []
    trees: list[Tree] = []
    for position in which:
        if not is_integer(position):
            raise TransformError(
                f"wrt is {shown(wrt)}",
                where=caller_location(),
                hint="give positions of arguments, counted from 0: dxir.grad(f, wrt=(0, 1))",
            )
        leaves, tree = call.argument_leaves(int(position))
        for leaf in leaves:
            type = call.leaves[leaf].type
            if not has_tangent(type):
                raise TransformError(
                    f"argument {position} of {call.name} is, or holds, {type}, which has no "
                    "derivative",
                    where=caller_location(),
                    hint="floats and complex numbers have derivatives; pass integers as another "
                    "argument",
                )
        found += leaves
        trees.append(tree)
    if len(set(found)) != len(found):
        raise TransformError(f"wrt names an argument twice: {wrt!r}", where=caller_location())
    return found, trees[0] if is_integer(wrt) else Tree(tuple, tuple(trees))
