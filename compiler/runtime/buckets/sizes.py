"""Small integers that shapes are made of, followed one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dxir.elements import elements_of
from dxir.mlir import IrOperation, IrType, ir
from dxir.reading import attribute
from dxir.runtime.buckets.states import Known, Part, Size, State

_MOST = 64
_SLICE = ("start_indices", "limit_indices", "strides")
_ARITHMETIC = frozenset(
    f"stablehlo.{name}"
    for name in (
        *("abs", "add", "and", "clamp", "compare", "divide", "maximum", "minimum", "multiply"),
        *("negate", "not", "or", "remainder", "select", "sign", "subtract", "xor"),
    )
)


def parts_of(op: IrOperation, operands: Sequence[State]) -> tuple[Known, ...] | None:
    """The integers that an op gives, where it is one that computes sizes; None for others."""
    if len(op.results) != 1:
        return None
    count = _count(op.results[0].type)
    if count is None or (any(s.axes for s in operands) and op.name != _DIMENSION):
        return None
    if op.name == "stablehlo.constant":
        values = elements_of(attribute(op, "value"))
        return None if values is None else tuple(int(v) for v in np.ravel(values))
    if op.name == _DIMENSION:
        axis = attribute(op, "dimension")
        name = operands[0].axes.get(axis.value) if isinstance(axis, ir.IntegerAttr) else None
        return (Part.RIGHT if name is None else Size(name),)
    counts = [_count(v.type) for v in op.operands]
    if not counts or None in counts:
        return None
    given = [
        s.parts if s.parts is not None else (Part.RIGHT,) * (n or 0)
        for s, n in zip(operands, counts, strict=True)
    ]
    return _computed(op, given, count)


_DIMENSION = "stablehlo.get_dimension_size"


def _computed(
    op: IrOperation, given: Sequence[tuple[Known, ...]], count: int
) -> tuple[Known, ...] | None:
    if op.name == "stablehlo.concatenate":
        return tuple(p for parts in given for p in parts) if _rank(op) == 1 else None
    if op.name == "stablehlo.slice" and _rank(op) == 1:
        (start,), (limit,), (stride,) = (_integers(op, name) for name in _SLICE)
        return given[0][start:limit:stride]
    if op.name == "stablehlo.convert":
        return given[0] if _is_wide(op.results[0].type) else _blurred(given, count)
    if op.name == "stablehlo.reshape":
        return given[0]
    if op.name == "stablehlo.broadcast_in_dim" and len(given[0]) == 1:
        return given[0] * count
    if op.name in _ARITHMETIC:
        return _blurred(given, count)
    return None


def _blurred(given: Sequence[tuple[Known, ...]], count: int) -> tuple[Known, ...]:
    """What arithmetic gives: known to be right when all it takes is."""
    wrong = any(isinstance(p, Size) or p is Part.WRONG for parts in given for p in parts)
    return (Part.WRONG if wrong else Part.RIGHT,) * count


def _count(type: IrType) -> int | None:
    """The number of elements of a small array of integers or booleans, of rank 0 or 1."""
    if not isinstance(type, ir.RankedTensorType) or not type.has_static_shape or type.rank > 1:
        return None
    if not isinstance(type.element_type, ir.IntegerType):
        return None
    count = type.shape[0] if type.rank else 1
    return count if count <= _MOST else None


def _is_wide(type: IrType) -> bool:
    assert isinstance(type, ir.RankedTensorType)
    return isinstance(type.element_type, ir.IntegerType) and type.element_type.width >= 32


def _rank(op: IrOperation) -> int:
    type: Any = op.results[0].type
    return int(type.rank)


def _integers(op: IrOperation, name: str) -> list[int]:
    given: Any = attribute(op, name)
    return [int(i) for i in given]
