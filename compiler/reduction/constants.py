"""Constants with simpler data: all zeros, all ones, or all like the first element."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from dxir.constants import bytes_of, constant_type, stored_as
from dxir.editing import replaced
from dxir.errors import DxirError
from dxir.mlir import IrAttribute, IrOperation, TypeCache, dense_elements, ir
from dxir.reduction.literals import CONSTANT, splat_of, weight
from dxir.reduction.places import numbered, picked
from dxir.reduction.search import Apply, InChunks


class Simplify(InChunks[int]):
    """Zeros, ones, or the first element over and over, as the data of constants."""

    name = "data of constants"

    def sites(self, module: ir.Module) -> list[int]:
        return numbered(module, lambda op: op.name == CONSTANT and weight(op) > 0)

    def ways(self) -> Sequence[Apply[int]]:
        return [partial(_fill, number=number) for number in (0, 1, None)]

    def apply(self, module: ir.Module, sites: Sequence[int]) -> bool:
        return _fill(module, sites, 0)


def _fill(module: ir.Module, sites: Sequence[int], number: int | None) -> bool:
    """Fill constants with a number; None for the first element of each."""
    done = False
    for _, op in picked(module, sites):
        value = _first(op) if number is None else splat_of(op.results[0].type, number)
        if value is not None:
            replaced(op, CONSTANT, {"value": value})
            done = True
    return done


def _first(op: IrOperation) -> IrAttribute | None:
    type = constant_type(op)
    if type is None or not type.size:
        return None
    dtype = stored_as(type).numpy
    try:
        data = bytes_of(op, type)[: dtype.itemsize]
    except DxirError:  # there is no data
        return None
    array = np.broadcast_to(np.frombuffer(data.tobytes(), dtype)[0], type.static_shape)
    return dense_elements(array, type, TypeCache.of(op.context))
