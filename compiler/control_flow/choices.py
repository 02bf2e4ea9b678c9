"""Choices in functions that are traced: `cond` and `switch`.

Where no graph is being built they are the choices of Python: branches run on
numbers, only those that are taken, and what they print is seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dxir import ops
from dxir.control_flow.bodies import (
    branches_alike,
    called,
    is_eager,
    region_of,
    strong,
    traced_body,
)
from dxir.errors import OperandError
from dxir.graph import Value, building
from dxir.locations import caller_location
from dxir.making import several
from dxir.misuse import explained
from dxir.numpy.promotion import array_of, as_type
from dxir.tracing.arrays import Array
from dxir.tracing.eager import EagerRegion
from dxir.tracing.trees import flatten, map_leaves
from dxir.types import TensorType, i1, i32
from dxir.wording import shown

Python = Callable[..., Any]


@explained
def cond(pred: Any, true: Python, false: Python, *operands: Any) -> Any:
    """`true(*operands)` where the scalar `pred` is true, else `false(*operands)`.

    Both are traced; they must return the same containers of arrays of the same types. They may use
    arrays from outside. Raises GraphError where what they return differs, OperandError for a
    `pred` that is no boolean scalar.
    """
    if is_eager(pred, operands):
        number = 0 if bool(predicate(pred)) else 1
        return _chosen("cond", ("true", "false"), (true, false), number, operands)
    with building(region_of(pred, operands)):
        flag = predicate(pred)
        bodies = [traced_body(branch, operands, what="cond") for branch in (true, false)]
        tree, regions = branches_alike("cond", ("true", "false"), bodies)
        return tree.build(several(ops.cond(flag.value(), *regions)))


@explained
def switch(index: Any, branches: Sequence[Python], *operands: Any) -> Any:
    """`branches[index](*operands)`; an index out of range takes the last one.

    As for `cond`, the branches must return the same containers of arrays of the same types.
    """
    if not isinstance(branches, (tuple, list)) or not branches:
        raise OperandError(
            f"switch: the branches are {shown(branches)}, and no list of functions",
            where=caller_location(),
            hint="give a list of functions: dxir.switch(index, [f, g], *operands)",
        )
    names = [f"branch {i}" for i in range(len(branches))]
    chosen = array_of(index)
    if chosen.shape or not chosen.dtype.is_integer:
        raise OperandError(
            f"switch: the index is {chosen.type}, and must be an integer scalar",
            where=caller_location(),
            hint="convert it: dxir.numpy.astype(index, dxir.i32)",
        )
    if is_eager(chosen, operands):
        number = int(chosen)
        within = 0 <= number < len(branches)
        taken = number if within else len(branches) - 1
        return _chosen("switch", names, branches, taken, operands)
    with building(region_of(chosen, operands)):
        place = _place(chosen, len(branches))
        bodies = [traced_body(branch, operands, what="switch") for branch in branches]
        tree, regions = branches_alike("switch", names, bodies)
        return tree.build(several(ops.switch(place, regions)))


def _place(index: Array, count: int) -> Value:
    """The number of a branch as i32; what is out of range stays so, however wide it is."""
    given = index.value()
    if index.dtype.bits > 16 and index.dtype != i32:
        least = np.asarray(0 if index.dtype.is_unsigned else -1, index.dtype.numpy)
        given = ops.clamp(least, given, np.asarray(count, index.dtype.numpy))
    found: Value = ops.convert(given, dtype=i32)
    return found


def _chosen(
    what: str, names: Sequence[str], branches: Sequence[Python], number: int, operands: Any
) -> Any:
    """What a branch gives on numbers; Python numbers take the types that the others give there."""
    found = called(what, branches[number], *operands)
    leaves, _ = flatten(map_leaves(array_of, found))
    if not any(leaf.weak for leaf in leaves):
        return map_leaves(strong, found)
    with building(EagerRegion()):
        bodies = [traced_body(branch, operands, what=what) for branch in branches]
        tree, regions = branches_alike(what, names, bodies)
    types = regions[0].result_types
    return tree.build(
        [as_type(leaf, t.primitive) for leaf, t in zip(leaves, types, strict=True)
         if isinstance(t, TensorType)]
    )  # fmt: skip


def predicate(pred: Any) -> Array:
    """One boolean to choose by; OperandError for anything else."""
    found = array_of(pred)
    if found.type != i1[()]:
        raise OperandError(
            f"the predicate is {found.type}, and must be one boolean, {i1[()]}",
            where=caller_location(),
            hint="compare first; dxir.numpy.all and any make one boolean of many",
        )
    return found
