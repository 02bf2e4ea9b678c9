"""The data of constant ops, bit for bit and without a detour over text."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from dxir.diagnostics import where_of
from dxir.elements import Array, elements_of, elements_of_text
from dxir.errors import ArtifactError, RaisingError
from dxir.mlir import IrAttribute, IrOperation, decode_type, ir
from dxir.reading import attribute
from dxir.resources import Resource, blobs_of, is_resource, missing_error, resources_of
from dxir.types import DType, QuantizedType, TensorType

_SMALL_BYTES = 4096  # below, text is as good, and a piece of bytecode could have the same size


def constant_type(op: IrOperation) -> TensorType | None:
    """The type of a constant op, None when dxir has no word for it or its shape is not static."""
    try:
        type = decode_type(op.results[0].type)
    except RaisingError:
        return None
    return type if isinstance(type, TensorType) and type.is_static else None


def stored_as(type: TensorType) -> DType:
    """The element type of a constant's data: what a quantized type stores, otherwise its own."""
    return type.dtype.storage if isinstance(type.dtype, QuantizedType) else type.dtype


def is_splat(op: IrOperation, type: TensorType) -> bool:
    """Whether all elements of a constant op are stored as one."""
    if stored_as(type).is_complex:
        # The bindings have no class for its value, and write all of it into their error.
        text = op.get_asm(
            print_generic_op_form=True, large_elements_limit=1, large_resource_limit=0
        )
        return isinstance(text, str) and "value = dense<(" in text
    value = attribute(op, "value")
    return isinstance(value, ir.DenseElementsAttr) and value.is_splat


def complex_constant(op: IrOperation, value: str) -> IrOperation:
    """A constant before an op of StableHLO, of a value that the bindings have as text only."""
    module = ir.Module.parse(f"%0 = stablehlo.constant {value} {op.location}", op.context)
    found = module.body.operations[0].operation
    return found.clone(ip=ir.InsertionPoint(op)).operation


def bytes_of(op: IrOperation, type: TensorType) -> Array:
    """The data of a constant op of that type as a flat array of bytes.

    C order, little-endian; elements below 8 bits are the low bits of one byte each. What NumPy can
    look at is not copied. Raises ArtifactError for a resource without data.
    """
    dtype = stored_as(type)
    size = type.size * dtype.numpy.itemsize
    if not size:
        return np.empty(0, np.uint8)
    data = None if dtype.is_complex else _view(attribute(op, "value"))
    if data is None:
        data = _written(op, size)
    if data is None:
        data = _by_text(op, type)
    if data.nbytes != size:
        raise ArtifactError(
            f"the constant has {data.nbytes} bytes where {op.results[0].type} needs {size}",
            where=where_of(op.location),
        )
    if dtype.bits < 8:
        data = data & np.uint8((1 << dtype.bits) - 1)
    return data


def _view(value: IrAttribute | None) -> Array | None:
    if not isinstance(value, ir.DenseElementsAttr):
        return None
    try:
        array = np.asarray(memoryview(cast(Any, value)))
    except (TypeError, ValueError, BufferError, RuntimeError):
        return None  # bf16, f8 and i4 have no buffer format
    if array.dtype.kind not in "biuf":
        return None
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


class _Pieces:
    """Takes what is written of one size: data of constants is written in one piece."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.found: list[bytes] = []

    def write(self, piece: bytes) -> int:
        if len(piece) == self.size:
            self.found.append(piece)
        return len(piece)


def _written(op: IrOperation, size: int) -> Array | None:
    """The data as it goes into bytecode, where it is told apart by its size."""
    if size < _SMALL_BYTES:
        return None
    pieces = _Pieces(size)
    _alone(op).operation.write_bytecode(pieces)
    return np.frombuffer(pieces.found[0], np.uint8) if len(pieces.found) == 1 else None


def _alone(op: IrOperation) -> ir.Module:
    """A module that holds the constant and nothing else."""
    module = ir.Module.create(ir.Location.unknown(op.context))
    op.clone(ir.InsertionPoint(module.body))
    return module


def _by_text(op: IrOperation, type: TensorType) -> Array:
    dtype = stored_as(type)
    if dtype.is_complex:
        text = str(op.get_asm(print_generic_op_form=True)).partition("value = ")[2]
        if text.startswith("dense_resource<"):
            return _resource(op)
        found = elements_of_text(text[: text.index("}>")])
    elif is_resource(op):
        return _resource(op)
    else:
        found = elements_of(attribute(op, "value"))
    if found is None:
        raise ArtifactError(
            f"the constant of type {op.results[0].type} cannot be read", where=where_of(op.location)
        )
    flat = np.ascontiguousarray(found).reshape(-1).astype(dtype.numpy, copy=False)
    return flat.view(np.uint8)


def _resource(op: IrOperation) -> Array:
    module = _alone(op)
    resource = next(iter(resources_of(module)), None)
    data = None if resource is None else blobs_of(module).get(resource.key)
    if data is None:
        key = "?" if resource is None else resource.key
        raise missing_error(Resource(op, key), ArtifactError, "store the constant")
    return np.frombuffer(data, np.uint8)
