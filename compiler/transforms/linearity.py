"""Whether tangents are linear in those they are made of, as far as the nodes show it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dxir.derivatives import taken
from dxir.graph import Function, Node, Value

# Their results depend on the sizes of what they take alone.
_OF_SIZES = frozenset({"constant_like", "get_dimension_size", "shape_of"})


def is_nothing(value: Value) -> bool:
    """Whether a value is a constant with no element but zeros, broadcast or not."""
    node = value.producer
    while node is not None and node.op == "broadcast_in_dim":
        node = node.operands[0].producer
    if node is None:
        return False
    if node.op == "constant_like":
        return not node.attrs["value"]
    return node.op == "constant" and not np.any(node.attrs["value"])


def depends(value: Value, roots: Iterable[Value], ends: Iterable[Value] = ()) -> bool:
    """Whether a value is made of one of `roots`, by whatever way that does not pass `ends`."""
    return _reaches([value], set(roots), set(ends), through_all=True)


def is_affected(
    cotangents: Iterable[Value], starts: Iterable[Value], ends: Iterable[Value]
) -> bool:
    """Whether cotangents are made of the tangents that they belong to: then these are no factor.

    What a linear function pulls back does not depend on where. Loops, branches and calls take more
    than each of their results needs, so that what comes out of them tells nothing.
    """
    return _reaches(cotangents, set(starts), set(ends), through_all=False)


def _reaches(
    values: Iterable[Value], roots: set[Value], ends: set[Value], *, through_all: bool
) -> bool:
    pending, seen = list(values), set(ends)
    while pending:
        value = pending.pop()
        if value in roots:
            return True
        node = value.producer
        if value in seen or node is None or node.op in _OF_SIZES:
            continue
        seen.add(value)
        if through_all or not _is_opaque(node):
            pending += taken(node)
    return False


def _is_opaque(node: Node) -> bool:
    return bool(node.regions) or any(isinstance(v, Function) for v in node.attrs.values())
