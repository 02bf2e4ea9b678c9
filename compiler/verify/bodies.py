"""What the bodies of reductions and sorts do, found out by running them on some numbers."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dxir.combiners import combiner
from dxir.elements import Array, elements_of
from dxir.mlir import IrOperation, IrValue, ir, stablehlo
from dxir.reading import attribute, maker_of
from dxir.verify.values import dtype_of, sizes

Step = Callable[..., Any]

_STEPS: dict[str, Step] = {
    "stablehlo.add": operator.add,
    "stablehlo.subtract": operator.sub,
    "stablehlo.multiply": operator.mul,
    "stablehlo.divide": lambda a, b: a / b if a.dtype.kind not in "iub" else _truncated(a, b),
    "stablehlo.maximum": np.maximum,
    "stablehlo.minimum": np.minimum,
    "stablehlo.negate": operator.neg,
    "stablehlo.abs": abs,
    "stablehlo.and": np.bitwise_and,
    "stablehlo.or": np.bitwise_or,
    "stablehlo.xor": np.bitwise_xor,
    "stablehlo.not": np.invert,
    "stablehlo.select": np.where,
    "stablehlo.is_finite": np.isfinite,
    "stablehlo.sign": np.sign,
    "stablehlo.reshape": lambda a: a,
    "stablehlo.broadcast_in_dim": lambda a: a,
}
_DIRECTIONS: dict[str, Step] = {
    "EQ": operator.eq, "NE": operator.ne, "LT": operator.lt, "LE": operator.le,
    "GT": operator.gt, "GE": operator.ge,
}  # fmt: skip
_MOST_OPS = 60


def block_of(op: IrOperation, region: int = 0) -> ir.Block | None:
    """The only block of a region of an op."""
    if len(op.regions) <= region or len(op.regions[region].blocks) != 1:
        return None
    return op.regions[region].blocks[0]


def summed(op: IrOperation) -> int | None:
    """How many elements a reduction, or one window, combines to one; None where unknown."""
    shape = sizes(op.operands[0])
    dims, window = attribute(op, "dimensions"), attribute(op, "window_dimensions")
    if isinstance(window, ir.DenseI64ArrayAttr):
        return math.prod(window if shape is None else map(min, window, shape))
    if shape is None or not isinstance(dims, ir.DenseI64ArrayAttr):
        return None
    return math.prod(shape[d] for d in dims)


def result_of(block: ir.Block, arguments: Sequence[Array]) -> list[Array] | None:
    """What a body gives for its arguments, each an array of numbers to try; None if unknown."""
    ops = [view.operation for view in block.operations]
    if len(ops) > _MOST_OPS:
        return None
    known: dict[IrValue, Array] = dict(zip(block.arguments, arguments, strict=True))
    with np.errstate(all="ignore"):
        for op in ops[:-1]:
            operands = [known[v] if v in known else _constant(v) for v in op.operands]
            found = None if any(v is None for v in operands) else computed(op, operands)
            if found is None:
                return None
            known[op.results[0]] = found
    results = [known[v] if v in known else _constant(v) for v in ops[-1].operands]
    return None if any(v is None for v in results) else [v for v in results if v is not None]


def computed(op: IrOperation, operands: Sequence[Array | None]) -> Array | None:
    """What an elementwise op gives for arrays of its operands' elements; None if unknown."""
    try:
        return _computed(op, operands)
    except (TypeError, ValueError, OverflowError):  # NumPy has no such op of a small type
        return None


def _computed(op: IrOperation, operands: Sequence[Array | None]) -> Array | None:
    if len(op.results) != 1:
        return None
    if op.name == "stablehlo.constant":
        return _constant(op.results[0])
    dtype = dtype_of(op.results[0])
    if dtype is None:
        return None
    if op.name == "stablehlo.compare":
        return _compared(op, *operands)
    if op.name in ("stablehlo.convert", "stablehlo.bitcast_convert"):
        (value,) = operands
        assert value is not None
        if op.name == "stablehlo.convert":
            return value.astype(dtype.numpy)
        same = value.dtype.itemsize == np.dtype(dtype.numpy).itemsize
        return value.view(dtype.numpy) if same and dtype.bits >= 8 else None
    step = _STEPS.get(op.name)
    return None if step is None else np.asarray(step(*operands)).astype(dtype.numpy)


def _constant(value: IrValue) -> Array | None:
    op = maker_of(value)
    if op is None or op.name != "stablehlo.constant":
        return None
    found = elements_of(attribute(op, "value"))
    return found.reshape(-1)[:1] if found is not None and found.size == 1 else None


def _compared(op: IrOperation, *operands: Array | None) -> Array | None:
    a, b = operands
    assert a is not None
    assert b is not None
    kind = attribute(op, "compare_type")
    if kind is not None and stablehlo.ComparisonTypeAttr(kind).value == "TOTALORDER":
        a, b = _ordered(a), _ordered(b)
    direction = stablehlo.ComparisonDirectionAttr(op.attributes["comparison_direction"]).value
    found: Array = _DIRECTIONS[direction](a, b)
    return found


def _ordered(values: Array) -> Array:
    """Integers in the total order of floats: -NaN, ..., -0, 0, ..., NaN."""
    bits = values.view(np.dtype(f"i{values.dtype.itemsize}"))
    found: Array = bits ^ ((bits >> (8 * values.dtype.itemsize - 1)) & np.iinfo(bits.dtype).max)
    return found


def _truncated(a: Array, b: Array) -> Array:
    found: Array = np.trunc(a.astype(np.float64) / b.astype(np.float64))
    return found


def samples(type: Any, numbers: Sequence[float]) -> Array:
    """Numbers as an array of an element type."""
    return np.asarray(numbers, np.float64).astype(type)


def is_in_order(block: ir.Block) -> bool | None:
    """Whether the body of a reduction of one operand combines in any order; None if unknown."""
    if combiner(block):
        return True
    if len(block.arguments) != 2:
        return None
    dtype = dtype_of(block.arguments[0])
    if dtype is None or dtype_of(block.arguments[1]) is not dtype or dtype.is_complex:
        return None
    numbers = (1, 2, 4, 3, 7, 1) if not dtype.is_bool else (0, 1, 1, 0, 1, 0)
    a, b, c = (samples(dtype.numpy, numbers[i:] + numbers[:i]) for i in (0, 1, 3))
    ab, ba = result_of(block, (a, b)), result_of(block, (b, a))
    bc = result_of(block, (b, c))
    if ab is None or ba is None or bc is None:
        return None
    left, right = result_of(block, (ab[0], c)), result_of(block, (a, bc[0]))
    if left is None or right is None:
        return None
    return _alike(ab[0], ba[0]) and _alike(left[0], right[0])


def _alike(a: Array, b: Array) -> bool:
    one, other = (np.broadcast_to(v, np.broadcast(a, b).shape).astype(np.float64) for v in (a, b))
    return bool(np.allclose(one, other, rtol=0.05, equal_nan=True))
