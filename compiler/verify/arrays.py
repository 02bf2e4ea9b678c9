"""Small arrays that a module has as constants, or computes from them."""

from __future__ import annotations

import math

import numpy as np

from dxir.elements import Array, elements_of
from dxir.mlir import ir
from dxir.pattern.view import BROADCAST, CALLS, CONVERT, RESHAPE, TRANSPOSE, Maker
from dxir.reading import attribute
from dxir.verify.bodies import computed
from dxir.verify.values import Here, Values, sizes

_MOST = 1 << 16
_DEEPEST = 8
_ELEMENTWISE = frozenset(
    f"stablehlo.{name}"
    for name in (
        "add", "subtract", "multiply", "maximum", "minimum", "negate", "select", "compare",
        "and", "or", "not",
    )
) | {CONVERT}  # fmt: skip


def array_of(values: Values, here: Here, depth: int = 0) -> Array | None:
    """The elements of a value that is constant, and small; None for others."""
    shape = sizes(here.value)
    if shape is None or depth > _DEEPEST or math.prod(shape) > _MOST:
        return None
    maker = values.view.maker(here.value)
    if maker is None:
        outside = values.view.given(*here)
        return None if outside is None else array_of(values, Here(*outside), depth + 1)
    if maker.name == "stablehlo.constant":
        found = elements_of(attribute(maker.op, "value"))
        return None if found is None or found.dtype.kind == "c" else found
    if maker.name in CALLS:
        inside = values.view.returned(maker, here.value, here.scope)
        return None if inside is None else array_of(values, Here(*inside), depth + 1)
    if maker.name == "stablehlo.iota":
        return _iota(maker, shape)
    is_move = maker.name in (BROADCAST, RESHAPE, TRANSPOSE, "stablehlo.concatenate")
    if not is_move and maker.name not in _ELEMENTWISE:
        return None
    operands: list[Array] = []
    for value in maker.operands:
        found = array_of(values, Here(value, here.scope), depth + 1)
        if found is None:
            return None
        operands.append(found)
    if is_move:
        return _moved(maker, operands, shape)
    with np.errstate(all="ignore"):
        return computed(maker.op, operands)


def _iota(maker: Maker, shape: list[int]) -> Array:
    axis = ir.IntegerAttr(maker.op.attributes["iota_dimension"]).value
    along = [-1 if d == axis else 1 for d in range(len(shape))]
    return np.broadcast_to(np.arange(shape[axis]).reshape(along), shape)


def _moved(maker: Maker, operands: list[Array], shape: list[int]) -> Array | None:
    (first, *_) = operands
    if maker.name == RESHAPE:
        return first.reshape(shape)
    if maker.name == TRANSPOSE:
        return first.transpose(maker.numbers("permutation"))
    if maker.name == BROADCAST:
        dims = maker.numbers("broadcast_dimensions")
        order = sorted(range(len(dims)), key=lambda i: dims[i])
        aligned = [1] * len(shape)
        for i in order:
            aligned[dims[i]] = first.shape[i]
        return np.broadcast_to(first.transpose(order).reshape(aligned), shape)
    axis = ir.IntegerAttr(maker.op.attributes["dimension"]).value
    return np.concatenate(operands, axis)
