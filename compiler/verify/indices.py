"""Ops that read or write at places given by indices, as several rules look at them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dxir.elements import Array
from dxir.mlir import IrOperation, IrValue, ir, stablehlo
from dxir.reading import attribute
from dxir.verify.arrays import array_of
from dxir.verify.values import Here, Values, sizes

GATHER, SCATTER = "stablehlo.gather", "stablehlo.scatter"
SLICE, UPDATE = "stablehlo.dynamic_slice", "stablehlo.dynamic_update_slice"
INDEXED = (GATHER, SCATTER, SLICE, UPDATE)


class Indexed(NamedTuple):
    """One index of an op: the value that holds it, where in it, and how far it may go.

    `position` is the place of the index in an index vector, along `axis`; None for a scalar.
    """

    value: IrValue
    position: int | None
    axis: int
    dimension: int
    size: int
    last: int
    """The largest start at which the slice is inside of the dimension."""


def is_promised(op: IrOperation, name: str) -> bool:
    """Whether an attribute of that name says that the indices of an op are sorted, or unique."""
    found = attribute(op, name)
    return isinstance(found, ir.BoolAttr) and found.value


def indices_of(op: IrOperation) -> list[Indexed]:
    """The indices of an op, but for those of dimensions whose size is not known."""
    if op.name in (SLICE, UPDATE):
        return _of_slice(op)
    shape, value = sizes(op.operands[0]), op.operands[1]
    if op.name == SCATTER:
        value = op.operands[len(op.results)]
    if shape is None:
        return []
    if op.name == GATHER:
        reads = stablehlo.GatherDimensionNumbers(op.attributes["dimension_numbers"])
        windows = _numbers(op, "slice_sizes")
        places, axis = list(reads.start_index_map), reads.index_vector_dim
    else:
        writes = stablehlo.ScatterDimensionNumbers(op.attributes["scatter_dimension_numbers"])
        windows = _windows(op, writes, len(shape))
        places, axis = list(writes.scattered_dims_to_operand_dims), writes.index_vector_dim
    rank = ir.RankedTensorType(value.type).rank
    return [
        Indexed(value, None if axis == rank else i, axis, d, shape[d], shape[d] - windows[d])
        for i, d in enumerate(places)
        if d < len(windows)
    ]


def _of_slice(op: IrOperation) -> list[Indexed]:
    shape = sizes(op.operands[0])
    if shape is None:
        return []
    if op.name == SLICE:
        window, starts = _numbers(op, "slice_sizes"), list(op.operands)[1:]
    else:
        window, starts = sizes(op.operands[1]) or [], list(op.operands)[2:]
    return [
        Indexed(start, None, 0, d, shape[d], shape[d] - size)
        for d, (start, size) in enumerate(zip(starts, window, strict=False))
    ]


def _windows(op: IrOperation, dims: stablehlo.ScatterDimensionNumbers, rank: int) -> list[int]:
    """How large a window of updates is along each dimension of what they are written to."""
    updates = sizes(op.operands[len(op.results) + 1])
    if updates is None:
        return []
    left_out = {*dims.inserted_window_dims, *dims.input_batching_dims}
    inner = iter(list(dims.update_window_dims))
    return [1 if d in left_out else updates[next(inner)] for d in range(rank)]


def _numbers(op: IrOperation, name: str) -> list[int]:
    found = attribute(op, name)
    return list(found) if isinstance(found, ir.DenseI64ArrayAttr) else []


def vectors_of(values: Values, indices: Sequence[Indexed]) -> Array | None:
    """The index vectors of an op, one a row, where they are constant; None where they are not."""
    found = array_of(values, Here(indices[0].value)) if indices else None
    if found is None:
        return None
    axis = indices[0].axis
    vectors = found if axis == found.ndim else np.moveaxis(found, axis, -1)
    return vectors.reshape(-1, len(indices))


def batching(op: IrOperation) -> bool:
    """Whether a gather or scatter has dimensions that go along with its indices."""
    if op.name == GATHER:
        dims = stablehlo.GatherDimensionNumbers(op.attributes["dimension_numbers"])
        return bool(dims.operand_batching_dims)
    found = stablehlo.ScatterDimensionNumbers(op.attributes["scatter_dimension_numbers"])
    return bool(found.input_batching_dims)
