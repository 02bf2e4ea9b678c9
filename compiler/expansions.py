"""Expansions of ops, kept: nodes of equal operand types and attributes share one."""

from __future__ import annotations

from types import NoneType
from typing import Any

from dxir.attributes import frozen
from dxir.graph import Function
from dxir.op import Derived, expansion
from dxir.types import DType, TensorType

_expansions: dict[Any, Function] = {}
_MOST_EXPANSIONS = 4096


def kept_expansion(node: Derived, key: Any) -> Function:
    """The expansion of nodes like this one, kept for later modules: expansions never change."""
    found = _expansions.get(key)
    if found is None:
        if len(_expansions) >= _MOST_EXPANSIONS:
            _expansions.clear()
        found = _expansions[key] = expansion(node)
    return found


_PLAIN = frozenset({bool, int, str, NoneType, DType})


def expansion_key(node: Derived) -> Any:
    """Equal for nodes whose expansions are the same: everything that `expand` can see of them."""
    values = tuple(node.attrs.values())
    kinds = tuple(map(type, values))
    if not _PLAIN.issuperset(kinds):
        values = tuple([v if _is_plain(v) else frozen(v) for v in values])
    types = tuple([v.type for v in node.operands])
    names = tuple([t.axis_names if isinstance(t, TensorType) else None for t in types])
    return (node.__class__, types, names, node.segments, values, kinds)


def _is_plain(value: Any) -> bool:
    """Whether equality and type tell all: also of a tuple of integers, as axes are."""
    kind = value.__class__
    return kind in _PLAIN or (kind is tuple and {*map(type, value)} <= {int})
